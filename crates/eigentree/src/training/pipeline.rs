//! Training of pipelines: clusters if there is text, then tokeniser, tagger, entities and parser.

use std::path::Path;

use corpus::cooccurrence::{CountConfig, CountedText};
use corpus::format::conllu::{Column, Sentence};
use corpus::format::raw_text::Piece;
use dependency::mst::{Mst, MstConfig, MstLearner, Parser};
use eval::alignment::score_aligned;
use eval::attachment::AttachmentConfig;
use eval::report::AttachmentReport;
use grammars::lpcfg::Lpcfg;
use models::learn::{LearnReport, Learner, Observer};
use models::persist::ModelFile;
use models::representations::ClusterPaths;
use tagging::tagger::{Resources, TaggedSentence, TaggerConfig, TaggerData, TaggerLearner};
use tagging::tokenizer::{Tokenizer, TokenizerData, TokenizerLearner};
use words::clusters::ClusterConfig;

use super::attachment::score_attachment;
use super::tagger::score_labels;
use super::{DevScores, Job, Measure, Trained};
use crate::Error;
use crate::clustering::{GatherConfig, gather, learn, paths_of};
use crate::pipeline::{Pipeline, Scratch, annotate_columns, paragraphs};
use crate::streaming::map_in_memory;
use crate::tagging::{column_data, entity_columns, filled_columns, jackknife, tagged_sentences};

/// The columns that taggers and pipelines learn unless told otherwise, as far as the treebank has them.
pub const TAGGER_COLUMNS: [Column; 4] = [Column::Upos, Column::Xpos, Column::Feats, Column::Lemma];

/// Training of a pipeline. The default is that of `eigentree train pipeline`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PipelineJob {
    /// The columns of the tagger; those that are empty in the treebank are left out.
    pub columns: Vec<Column>,
    /// Configuration of the tagger.
    pub tagger: TaggerConfig,
    /// Configuration of entity recognition, which is learnt if the data has entities.
    pub entities: TaggerConfig,
    /// The parser.
    pub parser: PipelineParser,
    /// Number of parts of the treebank that are tagged by taggers learnt from the other parts, for the parser to learn
    /// from. With 1, the parser learns from the tags of the treebank.
    pub folds: usize,
    /// Configuration of the clusters that are learnt from text.
    pub clusters: ClusterConfig,
}

/// The parser of a pipeline.
#[derive(Clone, PartialEq, Debug)]
pub enum PipelineParser {
    /// No parser.
    None,
    /// A parser if the treebank has trees.
    IfTrees(MstConfig),
    /// A parser; it is an error if the treebank has no trees.
    Always(MstConfig),
}

impl Default for PipelineJob {
    fn default() -> Self {
        Self {
            columns: TAGGER_COLUMNS.to_vec(),
            tagger: TaggerConfig::default(),
            entities: TaggerConfig::entities(),
            parser: PipelineParser::IfTrees(MstConfig::default()),
            folds: 4,
            // Tagging was measured with as many.
            clusters: ClusterConfig { clusters: 1000, ..ClusterConfig::default() },
        }
    }
}

/// Training data of a pipeline.
#[derive(Clone, Debug, Default)]
pub struct PipelineData {
    /// A treebank, with `# text` for the tokeniser.
    pub sentences: Vec<Sentence>,
    /// Sentences with entities; empty for a pipeline without entity recognition.
    pub entities: Vec<TaggedSentence>,
    /// Clusters and vectors of words, for tagger, entities and parser.
    pub resources: Resources,
    /// A grammar to include in the pipeline unchanged.
    pub grammar: Option<Box<Lpcfg>>,
    /// Trees of other languages, which the parser learns from without their words.
    pub source: Vec<Sentence>,
}

impl PipelineJob {
    /// Learns clusters of words from tokenised texts, for [`PipelineData::resources`].
    pub fn clusters_of_text(
        &self,
        paths: &[impl AsRef<Path>],
        observer: &mut dyn Observer,
    ) -> Result<ClusterPaths, Error> {
        let count = CountConfig { distance: self.clusters.distance(), ..CountConfig::default() };
        let counting = GatherConfig { count, ..GatherConfig::default() };
        self.clusters_of_counts(gather(paths, &counting, observer)?.counted, observer)
    }

    /// The same from text that was counted.
    pub fn clusters_of_counts(
        &self,
        counted: CountedText,
        observer: &mut dyn Observer,
    ) -> Result<ClusterPaths, Error> {
        let clusters = self.clusters.clusters.min(counted.counts.vocab.len());
        let config = ClusterConfig { clusters, ..self.clusters.clone() };
        Ok(ClusterPaths::new(paths_of(&learn(counted, &config, observer)?.model)))
    }

    /// The columns that the treebank fills.
    fn columns(&self, sentences: &[Sentence], observer: &mut dyn Observer) -> Vec<Column> {
        let filled = filled_columns(sentences, &self.columns);
        for column in self.columns.iter().filter(|column| !filled.contains(column)) {
            observer.note(format_args!("the column {column} is empty in the treebank; skipping it"));
        }
        filled
    }

    /// How the parser is learnt, if there is to be one.
    fn parser(&self, sentences: &[Sentence], observer: &mut dyn Observer) -> Option<&MstConfig> {
        match &self.parser {
            PipelineParser::None => None,
            PipelineParser::Always(config) => Some(config),
            PipelineParser::IfTrees(config) => {
                let has_heads = |sentence: &Sentence| sentence.words().all(|word| word.head().is_some());
                let trees = sentences.iter().any(|sentence| !sentence.is_empty() && has_heads(sentence));
                if !trees {
                    observer.note(format_args!("the treebank has no trees, so the pipeline gets no parser"));
                }
                trees.then_some(config)
            }
        }
    }
}

impl Job for PipelineJob {
    type Data = PipelineData;
    type Dev = [Sentence];
    type Model = Pipeline;

    fn learn(
        &self,
        data: &PipelineData,
        dev: Option<&[Sentence]>,
        observer: &mut dyn Observer,
    ) -> Result<Trained<Pipeline>, Error> {
        let sentences = &data.sentences;
        let columns = self.columns(sentences, observer);
        let mut stages =
            Stages { job: self, data, columns: &columns, report: LearnReport::default(), observer };
        let tokenizer = stages.tokenizer()?;
        let tagger = match columns.is_empty() {
            true => None,
            false => {
                let data = column_data(sentences, &columns, data.resources.clone());
                Some(stages.learn(&TaggerLearner { config: self.tagger.clone() }, &data)?)
            }
        };
        let entities = match data.entities.is_empty() {
            true => None,
            false => {
                let (sentences, resources) = (data.entities.clone(), data.resources.clone());
                let data = TaggerData { columns: entity_columns(), sentences, resources };
                Some(stages.learn(&TaggerLearner { config: self.entities.clone() }, &data)?)
            }
        };
        let parser = match self.parser(sentences, stages.observer) {
            None => None,
            Some(config) => Some(stages.parser(config)?),
        };
        let report = stages.report;
        let mut pipeline = Pipeline { tokenizer, tagger, entities, parser, grammar: data.grammar.clone() };
        if let Some(dev) = dev {
            // A column that cannot be scored is better known before the model is saved.
            let labels = tagged_sentences(dev, &columns)?;
            observer.stage("calibrate", None);
            if let Some(tagger) = &mut pipeline.tagger {
                tagger.calibrate(&labels);
            }
            let tagged = own_tags(&pipeline, dev)?;
            if let Some(parser) = &mut pipeline.parser {
                parser.calibrate(&tagged);
            }
        }
        let metadata = pipeline.metadata().with_note("sentences", sentences.len());
        Ok(Trained::new(pipeline, metadata, report))
    }

    fn score(
        &self,
        pipeline: &Pipeline,
        dev: &[Sentence],
        observer: &mut dyn Observer,
    ) -> Result<DevScores, Error> {
        let mut scores = DevScores::default();
        if let Some(tagger) = &pipeline.tagger {
            let learnt = tagger.columns();
            let is_learnt = |column: &Column| match column {
                Column::Lemma => tagger.lemmatizer().is_some(),
                _ => learnt.iter().any(|own| own.name().eq_ignore_ascii_case(column.name())),
            };
            let columns: Vec<Column> = self.columns.iter().copied().filter(is_learnt).collect();
            scores.push("dev", score_labels(tagger, &tagged_sentences(dev, &columns)?, observer)?);
        }
        if let Some(parser) = &pipeline.parser {
            let tagged = own_tags(pipeline, dev)?;
            scores.push("dev_trees", score_attachment(&Parser::new(parser), dev, &tagged, observer)?);
            scores.push("dev_text", score_text(pipeline, dev, observer)?);
        }
        Ok(scores)
    }
}

/// The stages of a pipeline being learnt.
struct Stages<'a> {
    job: &'a PipelineJob,
    data: &'a PipelineData,
    columns: &'a [Column],
    report: LearnReport,
    observer: &'a mut dyn Observer,
}

impl Stages<'_> {
    fn learn<L: Learner>(&mut self, learner: &L, data: &L::Data) -> Result<L::Model, Error> {
        let learned = learner.learn(data, self.observer)?;
        self.report.stages.extend(learned.report.stages);
        self.report.notes.extend(learned.report.notes);
        Ok(learned.model)
    }

    fn tokenizer(&mut self) -> Result<Tokenizer, Error> {
        let text = TokenizerData::from_sentences(&self.data.sentences);
        if text.left_out() > 0 {
            self.observer.note(format_args!(
                "{} sentences have forms that do not occur in their text; the tokenizer skips them",
                text.left_out()
            ));
        }
        self.learn(&TokenizerLearner::default(), &text)
    }

    /// Learns the parser from tags like those that the tagger will give it.
    fn parser(&mut self, config: &MstConfig) -> Result<Mst, Error> {
        let PipelineData { sentences, resources, source, .. } = self.data;
        let tags = self.columns.iter().any(|column| *column != Column::Lemma);
        let folds = if tags { self.job.folds } else { 1 };
        let tagger = TaggerLearner { config: self.job.tagger.clone() };
        let tagged = jackknife(sentences, self.columns, resources, &tagger, folds, self.observer)?;
        let learner = MstLearner {
            config: config.clone(),
            clusters: resources.clusters.clone(),
            source: source.clone(),
        };
        self.learn(&learner, &tagged)
    }
}

/// Takes the running text of sentences through all stages, and scores everything that they write against the sentences.
fn score_text(pipeline: &Pipeline, dev: &[Sentence], observer: &mut dyn Observer) -> Result<Measure, Error> {
    let texts = paragraphs(dev);
    observer.stage("annotate dev", Some(texts.len() as u64));
    let annotated = map_in_memory(&texts, observer, |text, scratch: &mut Scratch| {
        let piece = Piece { text: text.clone(), ..Piece::default() };
        pipeline.annotate(&piece, scratch, |_| {})
    })?;
    let mut predicted: Vec<Sentence> = Vec::new();
    for sentences in annotated {
        predicted.extend(
            sentences.map_err(|error| Error::Data(format!("cannot write an annotated sentence: {error}")))?,
        );
    }
    let scores = score_aligned(dev, &predicted, &AttachmentConfig::default())?;
    Ok(Measure::Attachment(Box::new(AttachmentReport::from(&scores))))
}

/// Sentences with the tags of the pipeline.
fn own_tags(pipeline: &Pipeline, sentences: &[Sentence]) -> Result<Vec<Sentence>, Error> {
    let mut sentences = sentences.to_vec();
    if let Some(tagger) = &pipeline.tagger {
        let mut scratch = tagger.scratch();
        for sentence in &mut sentences {
            annotate_columns(tagger, sentence, &mut scratch)
                .map_err(|error| Error::Data(format!("cannot write the tags of a sentence: {error}")))?;
        }
    }
    Ok(sentences)
}
