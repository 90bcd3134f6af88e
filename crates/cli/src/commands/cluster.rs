//! `cluster`: gather, learn, write.

use std::io::Write;

use eigentree::clustering::{
    Clusters, Gathered, VectorFormat, Work, draw_html, draw_svg, gather, learn_in, memory_of, word_vectors,
    write_paths, write_tree,
};
use eigentree::corpus::format::word_vectors::{write_binary, write_npy, write_text, write_words};
use eigentree::counting::save_counts;
use eigentree::files::Output;
use eigentree::learn::Observer;
use eigentree::models::clusters::{BrownModel, ClusterConfig, Embedding};
use eigentree::{Error, Model};
use serde_json::json;

use crate::args::{ClusterArgs, PictureFormat};
use crate::session::Session;

pub(super) fn run(args: ClusterArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build()?;
    // Open all outputs first, so that a bad path fails before the long work.
    let create = |path: &Option<_>| path.as_ref().map(Output::create).transpose();
    let mut paths = Output::create(&job.output)?;
    let (model, counts, tree) = (create(&job.model)?, create(&job.counts)?, create(&job.tree)?);
    let picture =
        job.picture.map(|(path, format, config)| Ok::<_, Error>((Output::create(path)?, format, config)));
    let picture = picture.transpose()?;

    let vectors = match &job.vectors {
        Some((path, format)) => {
            let words = match format {
                VectorFormat::Npy(words) => Some(Output::create(words)?),
                VectorFormat::Text | VectorFormat::Binary => None,
            };
            Some((Output::create(path)?, format, words))
        }
        None => None,
    };
    let work = job.work.as_ref().map(|folder| Work::open(folder, &job.inputs, &job.gather)).transpose()?;

    let gathered = match work.as_ref().and_then(Work::counts) {
        Some(counted) => {
            session.tell(format_args!("using the counts of an earlier run"));
            Gathered { counted, bytes: 0, memory: None }
        }
        None => {
            let gathered = gather(&job.inputs, &job.gather, &mut session.progress)?;
            if let Some(work) = &work {
                session.progress.stage("save counts", None);
                work.keep_counts(&gathered.counted)?;
            }
            gathered
        }
    };
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
        // An interrupted run can resume from the counts from here on.
        session.progress.stage("save counts", None);
        save_counts(&counted, output)?;
    }
    let memory = memory_of(&counted, &job.config);
    let Clusters { model: clusters, embedding, mutual_information, report } =
        learn_in(counted, &job.config, work.as_ref(), &mut session.progress)?;
    session.progress.stage("write", None);
    let written = write_paths(&clusters, &mut paths);
    written.map_err(|error| paths.error(error))?;
    if let (Some((output, format, words)), Some(embedding)) = (vectors, embedding) {
        put_vectors(&clusters, &embedding, output, format, words)?;
    }
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
        let model = Model::from(clusters);
        let metadata = model
            .metadata()
            .with_note("method", job.method.name())
            .with_note("asked", asked)
            .with_note("mi", mutual_information);
        model.save(output, &metadata)?;
    }
    paths.finish()?;
    session.progress.end_stage();
    session.tell(format_args!("{number} clusters, mutual information {mutual_information:.4} nats"));
    session.fields(json!({
        "method": job.method.name(),
        "clusters": number,
        "mi": mutual_information,
        "clustering_memory_estimate_mb": memory as f64 / 1e6,
        "learning": report,
    }));
    Ok(())
}

fn put_vectors(
    model: &BrownModel,
    embedding: &Embedding,
    mut output: Output,
    format: &VectorFormat,
    words: Option<Output>,
) -> anyhow::Result<()> {
    let vectors = word_vectors(model, embedding)?;
    let written = match format {
        VectorFormat::Text => write_text(&vectors, &mut output),
        VectorFormat::Binary => write_binary(&vectors, &mut output),
        VectorFormat::Npy(_) => write_npy(&vectors, &mut output),
    };
    written.map_err(|error| output.error(error))?;
    if let Some(mut words) = words {
        write_words(&vectors, &mut words).map_err(|error| words.error(error))?;
        words.finish()?;
    }
    Ok(output.finish()?)
}
