//! `train pipeline`.

use std::path::Path;

use eigentree::Model;
use eigentree::files::Output;
use eigentree::models::lpcfg::Lpcfg;
use eigentree::tagging::read_entities;
use eigentree::training::PipelineData;

use super::command::train;
use super::tagger::resources;
use super::treebank::sentences;
use crate::args::TrainPipelineArgs;
use crate::session::Session;

pub(super) fn run(args: TrainPipelineArgs, session: &mut Session) -> anyhow::Result<()> {
    let (files, job) = args.build(session.seed)?;
    let label = &files.label;
    let output = Output::create(&label.output)?;
    let mut data =
        PipelineData { sentences: sentences(&label.inputs, label.bad_items, session)?, ..Default::default() };
    let dev = label.dev.as_ref().map(|path| sentences(std::slice::from_ref(path), label.bad_items, session));
    let dev = dev.transpose()?;
    data.grammar = files.grammar.as_deref().map(open_grammar).transpose()?;
    if !files.entities.is_empty() {
        let read = read_entities(&files.entities, label.bad_items, &mut session.progress)?;
        session.skipped(&read.skipped);
        data.entities = read.sentences;
    }
    if !files.source.is_empty() {
        data.source = sentences(&files.source, label.bad_items, session)?;
    }
    data.resources = resources(label)?;
    if let Some(text) = &files.text {
        data.resources.clusters = Some(job.clusters_of_text(&[text], &mut session.progress)?);
    }
    train(&job, &data, dev.as_deref(), output, &label.output, session)
}

/// The grammar with latent states in a file.
fn open_grammar(path: &Path) -> anyhow::Result<Box<Lpcfg>> {
    match Model::open(path)? {
        Model::Lpcfg(grammar) => Ok(grammar),
        other => anyhow::bail!(
            "{} contains {}; --grammar needs a model trained with `train lpcfg`",
            path.display(),
            other.description()
        ),
    }
}
