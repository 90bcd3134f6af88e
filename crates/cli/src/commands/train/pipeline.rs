//! `train pipeline`: clusters if there is text, then tokeniser, tagger and entities, in one file.

use eigentree::Model;
use eigentree::clustering::{GatherConfig, gather, learn};
use eigentree::files::Output;
use eigentree::learn::{LearnReport, Learner};
use eigentree::models::clusters::ClusterConfig;
use eigentree::models::pipeline::Pipeline;
use eigentree::models::tagger::{ClusterTable, Resources, TaggerConfig, TaggerData, TaggerLearner};
use eigentree::models::tokenizer::{TokenizerData, TokenizerLearner};
use eigentree::tagging::{entity_data, read_entities, read_treebank, tagged_sentences};

use super::command::save;
use super::tagger::{clusters, score};
use crate::args::{PipelineJob, TrainPipelineArgs};
use crate::session::Session;

pub(super) fn run(args: TrainPipelineArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build(session.seed)?;
    let output = Output::create(&job.label.output)?;
    let read = read_treebank(&job.label.inputs, job.label.bad_items, &mut session.progress)?;
    session.skipped(&read.skipped);
    let dev = match &job.label.dev {
        None => None,
        Some(path) => {
            let dev = read_treebank(&[path], job.label.bad_items, &mut session.progress)?;
            session.skipped(&dev.skipped);
            Some(tagged_sentences(&dev.sentences, &job.columns)?)
        }
    };
    let entities = match job.entities.is_empty() {
        true => None,
        false => Some(read_entities(&job.entities, job.label.bad_items, &mut session.progress)?),
    };
    let table = match &job.text {
        Some(_) => Some(learn_clusters(&job, session)?),
        None => clusters(&job.label)?,
    };
    let resources = Resources { clusters: table, gazetteer: None };

    let text = TokenizerData::from_sentences(&read.sentences);
    if text.left_out() > 0 {
        session.tell(format_args!(
            "{} sentences have forms that their text has not: left out by the tokeniser",
            text.left_out()
        ));
    }
    let mut report = LearnReport::default();
    let learned =
        TokenizerLearner::default().learn(&text, &mut session.progress).map_err(eigentree::Error::from)?;
    let tokenizer = learned.model;
    report.stages.extend(learned.report.stages);

    let named = job
        .columns
        .iter()
        .map(|column| (column.name().to_ascii_lowercase(), eigentree::models::tagger::ColumnKind::Plain));
    let data = TaggerData {
        columns: named.collect(),
        sentences: tagged_sentences(&read.sentences, &job.columns)?,
        resources: resources.clone(),
    };
    let learner = TaggerLearner { config: job.label.config };
    let learned = learner.learn(&data, &mut session.progress).map_err(eigentree::Error::from)?;
    let tagger = learned.model;
    report.stages.extend(learned.report.stages);

    let entities = match entities {
        None => None,
        Some(read) => {
            session.skipped(&read.skipped);
            let learner =
                TaggerLearner { config: TaggerConfig { seed: session.seed, ..TaggerConfig::entities() } };
            let data = entity_data(read.sentences, resources);
            Some(learner.learn(&data, &mut session.progress).map_err(eigentree::Error::from)?.model)
        }
    };
    let model = Model::Pipeline(Box::new(Pipeline { tokenizer, tagger: Some(tagger), entities }));
    let metadata = model.metadata().with_note("sentences", data.sentences.len());
    save(&model, &metadata, output, &report, &job.label.output, session)?;
    if let (Some(dev), Model::Pipeline(pipeline)) = (dev, &model)
        && let Some(tagger) = &pipeline.tagger
    {
        score(tagger, &dev, session)?;
    }
    Ok(())
}

/// Clusters of words from tokenised text.
fn learn_clusters(job: &PipelineJob, session: &mut Session) -> anyhow::Result<ClusterTable> {
    let inputs: Vec<_> = job.text.iter().cloned().collect();
    let counted = gather(&inputs, &GatherConfig::default(), &mut session.progress)?.counted;
    let config = ClusterConfig { clusters: CLUSTERS, ..ClusterConfig::default() };
    let model = learn(counted, &config, &mut session.progress)?.model;
    let paths: Vec<String> = (0..model.vocab().len()).map(|word| model.hierarchy().word_path(word)).collect();
    let words = model.vocab().iter().map(|(_, word)| word);
    Ok(ClusterTable::new(words.zip(paths.iter().map(String::as_str))))
}

/// As many clusters as tagging was measured with.
const CLUSTERS: usize = 1000;
