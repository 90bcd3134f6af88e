//! `cluster`: gather, learn, write.

use std::io::Write;

use eigentree::clustering::{Clusters, draw_html, draw_svg, gather, learn, write_paths, write_tree};
use eigentree::counting::save_counts;
use eigentree::files::Output;
use eigentree::learn::Observer;
use eigentree::models::clusters::ClusterConfig;
use eigentree::{Error, Model};
use serde_json::json;

use crate::args::{ClusterArgs, PictureFormat};
use crate::session::Session;

pub(super) fn run(args: ClusterArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build()?;
    // What cannot be written is known before the long work.
    let create = |path: &Option<_>| path.as_ref().map(Output::create).transpose();
    let mut paths = Output::create(&job.output)?;
    let (model, counts, tree) = (create(&job.model)?, create(&job.counts)?, create(&job.tree)?);
    let picture =
        job.picture.map(|(path, format, config)| Ok::<_, Error>((Output::create(path)?, format, config)));
    let picture = picture.transpose()?;

    let gathered = gather(&job.inputs, &job.gather, &mut session.progress)?;
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
        // Whoever is interrupted from here on can go on from the counts.
        session.progress.stage("save counts", None);
        save_counts(&counted, output)?;
    }
    let Clusters { model: clusters, mutual_information, report } =
        learn(counted, &job.config, &mut session.progress)?;
    session.progress.stage("write", None);
    let written = write_paths(&clusters, &mut paths);
    written.map_err(|error| paths.error(error))?;
    if let Some(mut output) = tree {
        write_tree(&clusters, &mut output).map_err(|error| output.error(error))?;
        output.finish()?;
    }
    if let Some((mut output, format, config)) = picture {
        let drawn = match format {
            PictureFormat::Svg => draw_svg(&clusters, &config),
            PictureFormat::Html => draw_html(&clusters, &config),
        };
        output.write_all(drawn.as_bytes()).map_err(|error| output.error(error))?;
        output.finish()?;
    }
    let number = clusters.hierarchy().clusters();
    if let Some(output) = model {
        let ClusterConfig { clusters: asked, .. } = job.config;
        let metadata = clusters
            .metadata()
            .with_note("method", job.method.name())
            .with_note("asked", asked)
            .with_note("mi", mutual_information);
        Model::Clusters(Box::new(clusters)).save(output, &metadata)?;
    }
    paths.finish()?;
    session.progress.end_stage();
    session.tell(format_args!("{number} clusters, mutual information {mutual_information:.4} nats"));
    session.fields(json!({
        "method": job.method.name(),
        "clusters": number,
        "mi": mutual_information,
        "learning": report,
    }));
    Ok(())
}
