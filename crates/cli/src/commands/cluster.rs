//! `cluster`: gather, learn, write.

use std::io::Write;

use eigentree::Error;
use eigentree::clustering::{VectorOutput, draw, method_name, write_paths, write_tree};
use eigentree::counting::save_counts;
use eigentree::files::{Output, SealedOutput};
use eigentree::learn::Observer;
use eigentree::training::Finding;
use serde_json::json;

use crate::args::ClusterArgs;
use crate::session::Session;

pub(super) fn run(args: ClusterArgs, session: &mut Session) -> anyhow::Result<()> {
    let run = args.build()?;
    let job = run.job;
    session.data_to(&run.output);
    // Outputs are opened before the long work, so that one that cannot be written is known at once.
    let create = |path: &Option<_>| path.as_ref().map(Output::create).transpose();
    let mut paths = Output::create(&run.output)?;
    let (model, counts, tree) = (create(&run.model)?, create(&run.counts)?, create(&run.tree)?);
    let picture =
        run.picture.map(|(path, format, config)| Ok::<_, Error>((Output::create(path)?, format, config)));
    let picture = picture.transpose()?;
    let vectors = run.vectors.map(|path| VectorOutput::create(&path)).transpose()?;
    let work = run.work.map(|folder| job.open_work(folder, &run.inputs)).transpose()?;

    let gathered = job.gather(&run.inputs, work.as_ref(), &mut session.progress)?;
    let counted = gathered.counted;
    let counts_of = &counted.counts;
    session.progress.end_stage();
    session.tell(format_args!(
        "{} tokens, {} types, {} pairs",
        counts_of.tokens(),
        counts_of.words.len(),
        counts_of.distinct_pairs()
    ));
    session.fields(json!({
        "tokens": counts_of.tokens(),
        "types": counts_of.words.len(),
        "pairs": counts_of.distinct_pairs(),
        "unknown": counted.unknown_name(),
        "bytes": gathered.bytes,
        "memory_estimate_mb": gathered.memory.map(|memory| memory.bytes as f64 / 1e6),
    }));
    if let Some(output) = counts {
        // A run that is interrupted from here on can be repeated from the counts.
        session.progress.stage("save counts", None);
        save_counts(&counted, output)?;
    }

    let found = job.learn(counted, work.as_ref(), &mut session.progress)?;
    let clusters = &found.trained.model;
    session.progress.stage("write", None);
    let written = write_paths(clusters, &mut paths);
    written.map_err(|error| paths.error(error))?;
    let mut sealed = Vec::new();
    if let (Some(output), Some(embedding)) = (vectors, &found.embedding) {
        sealed.extend(output.write(clusters, embedding)?);
    }
    if let Some(mut output) = tree {
        write_tree(clusters, &mut output).map_err(|error| output.error(error))?;
        sealed.push(output.seal()?);
    }
    if let Some((mut output, format, config)) = picture {
        let drawn = draw(clusters, format, &config);
        output.write_all(drawn.as_bytes()).map_err(|error| output.error(error))?;
        sealed.push(output.seal()?);
    }
    if let Some(output) = model {
        sealed.push(found.trained.seal(output)?);
    }
    sealed.push(paths.seal()?);
    // Together, so that files of two runs are never mixed.
    SealedOutput::publish_all(sealed)?;
    session.progress.end_stage();
    let number = clusters.hierarchy().clusters();
    session.tell(format_args!("{number} clusters, mutual information {:.4} nats", found.mutual_information));
    session.fields(json!({
        "method": method_name(job.config.method),
        "clusters": number,
        "mi": found.mutual_information,
        "clustering_memory_estimate_mb": found.memory as f64 / 1e6,
        "learning": found.trained.report,
    }));
    for (name, value) in found.trained.findings.iter().filter_map(Finding::to_json) {
        session.fields(json!({ name: value }));
    }
    Ok(())
}
