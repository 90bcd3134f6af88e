//! `train pipeline`: clusters if there is text, then tokenizer, tagger, entities and parser, in one file.

use std::path::Path;

use eigentree::Model;
use eigentree::clustering::{GatherConfig, gather, learn, paths_of};
use eigentree::corpus::cooccurrence::CountConfig;
use eigentree::corpus::format::conllu::{Column, Sentence};
use eigentree::files::Output;
use eigentree::learn::{LearnReport, Learner, Observer};
use eigentree::models::clusters::ClusterConfig;
use eigentree::models::lpcfg::Lpcfg;
use eigentree::models::mst::{Mst, MstConfig, MstLearner, Parser};
use eigentree::models::pipeline::{Pipeline, annotate_columns};
use eigentree::models::representations::ClusterPaths;
use eigentree::models::tagger::{Resources, TaggerConfig, TaggerData, TaggerLearner};
use eigentree::models::tokenizer::{TokenizerData, TokenizerLearner};
use eigentree::reading::read_sentences;
use eigentree::tagging::{
    column_data, entity_columns, filled_columns, jackknife, read_entities, tagged_sentences,
};

use super::command::save;
use super::tagger::{resources, score};
use super::treebank::score_dependencies;
use crate::args::{ParserWish, PipelineJob, TrainPipelineArgs};
use crate::session::Session;

/// The number of clusters with which tagging was measured.
const CLUSTERS: usize = 1000;

pub(super) fn run(args: TrainPipelineArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build(session.seed)?;
    let output = Output::create(&job.label.output)?;
    let read = read_sentences(&job.label.inputs, job.label.bad_items, &mut session.progress)?;
    session.skipped(&read.skipped);
    let dev = match &job.label.dev {
        None => None,
        Some(path) => {
            let dev = read_sentences(&[path], job.label.bad_items, &mut session.progress)?;
            session.skipped(&dev.skipped);
            Some(dev.sentences)
        }
    };
    let grammar = job.grammar.as_deref().map(open_grammar).transpose()?;
    let entities = match job.entities.is_empty() {
        true => None,
        false => {
            let read = read_entities(&job.entities, job.label.bad_items, &mut session.progress)?;
            session.skipped(&read.skipped);
            Some(read.sentences)
        }
    };
    let mut resources = resources(&job.label)?;
    if let Some(text) = &job.text {
        resources.clusters = Some(learn_clusters(text, session)?);
    }
    let mut stages = Stages {
        columns: columns(&job, &read.sentences, session),
        resources,
        learner: TaggerLearner { config: job.label.config.clone() },
        report: LearnReport::default(),
        session,
    };

    let tokenizer = stages.tokenizer(&read.sentences)?;
    let data = column_data(&read.sentences, &stages.columns, stages.resources.clone());
    let tagger = match stages.columns.is_empty() {
        true => None,
        false => Some(stages.learn(&stages.learner.clone(), &data)?),
    };
    let entities = match entities {
        None => None,
        Some(sentences) => {
            let config = TaggerConfig { seed: stages.session.seed, ..TaggerConfig::entities() };
            let resources = stages.resources.clone();
            let data = TaggerData { columns: entity_columns(), sentences, resources };
            Some(stages.learn(&TaggerLearner { config }, &data)?)
        }
    };
    let parser = match parser_config(&job.parser, &read.sentences, stages.session) {
        None => None,
        Some(config) => Some(stages.parser(config, &read.sentences, job.folds)?),
    };

    let Stages { report, columns, .. } = stages;
    let mut pipeline = Pipeline { tokenizer, tagger, entities, parser, grammar };
    let dev = match dev {
        None => None,
        Some(dev) => Some((tagged_sentences(&dev, &columns)?, own_tags(&pipeline, dev)?)),
    };
    if let (Some(parser), Some((_, dev))) = (&mut pipeline.parser, &dev) {
        session.progress.stage("calibrate", None);
        parser.calibrate(dev);
    }
    let model = Model::Pipeline(Box::new(pipeline));
    let metadata = model.metadata().with_note("sentences", read.sentences.len());
    save(&model, &metadata, output, &report, &job.label.output, session)?;
    if let (Some((labelled, tagged)), Model::Pipeline(pipeline)) = (dev, &model) {
        if let Some(tagger) = &pipeline.tagger {
            score(tagger, &labelled, session)?;
        }
        if let Some(parser) = &pipeline.parser {
            score_dependencies(&Parser::new(parser), &tagged, "dev_trees", session)?;
        }
    }
    Ok(())
}

/// Opens a grammar with latent states.
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

/// Context of training the stages.
struct Stages<'a> {
    columns: Vec<Column>,
    resources: Resources,
    learner: TaggerLearner,
    report: LearnReport,
    session: &'a mut Session,
}

impl Stages<'_> {
    fn learn<L: Learner>(&mut self, learner: &L, data: &L::Data) -> anyhow::Result<L::Model> {
        let learned = learner.learn(data, &mut self.session.progress).map_err(eigentree::Error::from)?;
        self.report.stages.extend(learned.report.stages);
        self.report.notes.extend(learned.report.notes);
        Ok(learned.model)
    }

    fn tokenizer(
        &mut self,
        sentences: &[Sentence],
    ) -> anyhow::Result<eigentree::models::tokenizer::Tokenizer> {
        let text = TokenizerData::from_sentences(sentences);
        if text.left_out() > 0 {
            self.session.tell(format_args!(
                "{} sentences have forms that do not occur in their text; the tokenizer skips them",
                text.left_out()
            ));
        }
        self.learn(&TokenizerLearner::default(), &text)
    }

    /// Trains the parser on predicted tags.
    fn parser(&mut self, config: MstConfig, sentences: &[Sentence], folds: usize) -> anyhow::Result<Mst> {
        let progress = &mut self.session.progress;
        let folds = if self.columns.is_empty() { 1 } else { folds };
        let tagged = jackknife(sentences, &self.columns, &self.resources, &self.learner, folds, progress)?;
        self.learn(&MstLearner { config, clusters: self.resources.clusters.clone() }, &tagged)
    }
}

/// The columns of the job that are not empty in the treebank.
fn columns(job: &PipelineJob, sentences: &[Sentence], session: &Session) -> Vec<Column> {
    let filled = filled_columns(sentences, &job.columns);
    for column in job.columns.iter().filter(|column| !filled.contains(column)) {
        session.tell(format_args!("the column {column} is empty in the treebank; skipping it"));
    }
    filled
}

/// Configuration of the parser, if there is one.
fn parser_config(wish: &ParserWish, sentences: &[Sentence], session: &Session) -> Option<MstConfig> {
    match wish {
        ParserWish::None => None,
        ParserWish::Must(config) => Some(config.clone()),
        ParserWish::IfTrees(config) => {
            let has_heads = |sentence: &Sentence| sentence.words().all(|word| word.head().is_some());
            let trees = sentences.iter().any(|sentence| !sentence.is_empty() && has_heads(sentence));
            if !trees {
                session.tell(format_args!("the treebank has no trees, so the pipeline gets no parser"));
            }
            trees.then(|| config.clone())
        }
    }
}

/// Tags the sentences with the pipeline.
fn own_tags(pipeline: &Pipeline, mut sentences: Vec<Sentence>) -> anyhow::Result<Vec<Sentence>> {
    if let Some(tagger) = &pipeline.tagger {
        let mut scratch = tagger.scratch();
        for sentence in &mut sentences {
            annotate_columns(tagger, sentence, &mut scratch)?;
        }
    }
    Ok(sentences)
}

/// Learns word clusters from tokenised text.
fn learn_clusters(text: &Path, session: &mut Session) -> anyhow::Result<ClusterPaths> {
    let mut config = ClusterConfig { clusters: CLUSTERS, ..ClusterConfig::default() };
    let count = CountConfig { distance: config.distance(), ..CountConfig::default() };
    let counting = GatherConfig { count, ..GatherConfig::default() };
    let counted = gather(&[text], &counting, &mut session.progress)?.counted;
    config.clusters = CLUSTERS.min(counted.counts.vocab.len());
    let model = learn(counted, &config, &mut session.progress)?.model;
    Ok(ClusterPaths::new(paths_of(&model)))
}
