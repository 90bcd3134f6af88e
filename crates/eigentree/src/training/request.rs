//! Training of any family from texts in memory, as a service or a page asks for it.

use corpus::error::ReadError;
use corpus::format::conllu::{Column, ConlluReader, Sentence, SentenceError};
use corpus::format::penn::PennReader;
use corpus::tree::Tree;
use corpus::tree::heads::HeadRules;
use dependency::mst::MstConfig;
use grammars::lpcfg::Recipe;
use models::learn::Observer;
use models::persist::Metadata;
use models::quality::Quality;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tagging::tagger::{Resources, TaggerConfig};
use words::clusters::ClusterConfig;

use super::{
    ClustersJob, HeadAutomataRecipe, Job, LpcfgJob, MstJob, PcfgJob, PipelineData, PipelineJob,
    PipelineParser, TaggerJob, Trained,
};
use crate::conversion::dependencies;
use crate::sampling::sample_english;
use crate::tagging::{column_data, filled_columns, tagged_sentences};
use crate::{Error, Model};

/// Trees in the embedded sample, unless another number is asked for.
const SAMPLE: usize = 2000;
/// Most trees of a sample.
const LARGEST_SAMPLE: usize = 50_000;
/// Every such sentence of a sample is left out of training and scored.
const HELD_OUT: usize = 10;
/// Clusters unless another number is asked for.
const CLUSTERS: usize = 100;

/// A model to train, and what to train it on.
///
/// ```
/// use eigentree::learn::Silent;
/// use eigentree::training::TrainingRequest;
/// let text = r#"{ "family": "pcfg", "data": "(S (NP (NN time)) (VP (VBZ flies)))" }"#;
/// let request: TrainingRequest = serde_json::from_str(text)?;
/// let trained = request.run(&mut Silent)?;
/// assert_eq!(trained.model.parser()?.parse("time flies")?.words(), ["time", "flies"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TrainingRequest {
    /// The kind of model.
    pub family: TrainingFamily,
    /// Options.
    #[serde(default)]
    pub options: TrainingOptions,
    /// The training data: trees for grammars, CoNLL-U for parsers, taggers and pipelines, text for clusters.
    #[serde(default)]
    pub data: Option<String>,
    /// Development data in the same format, to calibrate and score on.
    #[serde(default)]
    pub dev: Option<String>,
    /// Train on sentences of the embedded grammar of English instead.
    #[serde(default)]
    pub sample: bool,
    /// A name for the model.
    #[serde(default)]
    pub name: Option<String>,
}

/// The kind of model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrainingFamily {
    /// A grammar with latent states.
    Lpcfg,
    /// A treebank grammar.
    Pcfg,
    /// A dependency parser.
    Mst,
    /// Head automata.
    HeadAutomata,
    /// A tagger.
    Tagger,
    /// A pipeline from raw text to trees.
    Pipeline,
    /// Clusters of words.
    #[serde(alias = "cluster")]
    Clusters,
}

impl TrainingFamily {
    /// Its name in requests.
    pub fn name(self) -> &'static str {
        match self {
            TrainingFamily::Lpcfg => "lpcfg",
            TrainingFamily::Pcfg => "pcfg",
            TrainingFamily::Mst => "mst",
            TrainingFamily::HeadAutomata => "head-automata",
            TrainingFamily::Tagger => "tagger",
            TrainingFamily::Pipeline => "pipeline",
            TrainingFamily::Clusters => "clusters",
        }
    }
}

/// The options of a request. Those that a family does not have are refused.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TrainingOptions {
    /// Named recipe of grammars with latent states, dependency parsers and pipelines.
    #[serde(default)]
    pub quality: Option<Quality>,
    /// Hidden states, of grammars with latent states and head automata.
    #[serde(default)]
    pub states: Option<usize>,
    /// Number of clusters.
    #[serde(default)]
    pub clusters: Option<usize>,
    /// Seed.
    #[serde(default)]
    pub seed: Option<u64>,
    /// Number of trees of the sample.
    #[serde(default)]
    pub trees: Option<usize>,
    /// Leave out every such sentence and score on it. Without one, a sample is divided, and given data is not.
    #[serde(default)]
    pub hold_out: Option<usize>,
}

/// A model of any family, and what is known of its training.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TrainedModel {
    /// The model.
    pub model: Model,
    /// The metadata of its file.
    pub metadata: Metadata,
    /// Figures and scores, as [`Trained::summary`] has them.
    pub summary: Map<String, Value>,
}

impl TrainedModel {
    fn of<M: models::persist::ModelFile + Into<Model>>(trained: Trained<M>) -> Self {
        let (summary, metadata) = (trained.summary(), trained.metadata.clone());
        Self { model: trained.into_model(), metadata, summary }
    }

    /// The bytes of its file.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        self.model.to_bytes(&self.metadata)
    }
}

/// Training and development data.
struct Divided<T> {
    train: Vec<T>,
    dev: Option<Vec<T>>,
}

impl TrainingRequest {
    /// A request for a model of a family, trained on the sample.
    pub fn sample(family: TrainingFamily) -> Self {
        let options = TrainingOptions::default();
        Self { family, options, data: None, dev: None, sample: true, name: None }
    }

    /// What is wrong with the request, apart from its data. It is cheap: a service asks before it accepts a job.
    pub fn check(&self) -> Result<(), Error> {
        use TrainingFamily::{Clusters, HeadAutomata, Lpcfg, Mst, Pipeline};
        match (&self.data, self.sample) {
            (Some(_), true) => return Err(bad("give `data` or `sample`, not both")),
            (None, false) => {
                return Err(bad("there is nothing to train on; give `data`, or set `sample` to true"));
            }
            (None, true) if self.dev.is_some() => return Err(bad("`dev` does not apply to a sample")),
            _ => {}
        }
        let options = &self.options;
        for (name, given, families) in [
            ("quality", options.quality.is_some(), &[Lpcfg, Mst, Pipeline][..]),
            ("states", options.states.is_some(), &[Lpcfg, HeadAutomata]),
            ("clusters", options.clusters.is_some(), &[Clusters]),
        ] {
            if given && !families.contains(&self.family) {
                return Err(bad(format!(
                    "the option `{name}` does not apply to the family {}",
                    self.family.name()
                )));
            }
        }
        for (name, value, most) in [
            ("states", options.states, 64),
            ("clusters", options.clusters, 5000),
            ("trees", options.trees, LARGEST_SAMPLE),
            ("hold_out", options.hold_out, usize::MAX),
        ] {
            let least = if name == "hold_out" { 2 } else { 1 };
            if let Some(value) = value.filter(|value| !(least..=most).contains(value)) {
                return Err(bad(format!(
                    "the option `{name}` is {value}, but must be from {least} to {most}"
                )));
            }
        }
        if options.trees.is_some() && !self.sample {
            return Err(bad("the option `trees` applies to a sample only"));
        }
        Ok(())
    }

    /// Reads the data, trains, and scores if there is something to score on.
    pub fn run(&self, observer: &mut dyn Observer) -> Result<TrainedModel, Error> {
        self.check()?;
        let seed = self.options.seed.unwrap_or(1);
        observer.stage("read", None);
        match self.family {
            TrainingFamily::Lpcfg => {
                let quality = self.options.quality;
                let recipe = Recipe { quality, states: self.options.states, seed, ..Recipe::default() };
                let data = self.trees()?;
                run(&LpcfgJob::from(recipe), &data.train[..], data.dev.as_deref(), observer)
            }
            TrainingFamily::Pcfg => {
                let data = self.trees()?;
                run(&PcfgJob::default(), &data.train[..], data.dev.as_deref(), observer)
            }
            TrainingFamily::Mst => {
                let data = self.sentences()?;
                run(&MstJob::new(self.mst()), &data.train[..], data.dev.as_deref(), observer)
            }
            TrainingFamily::HeadAutomata => {
                let recipe =
                    HeadAutomataRecipe { states: self.options.states, seed, ..HeadAutomataRecipe::default() };
                let job = recipe.job().map_err(|error| bad(error.to_string()))?;
                let data = self.sentences()?;
                run(&job, &data.train[..], data.dev.as_deref(), observer)
            }
            TrainingFamily::Tagger => {
                let data = self.sentences()?;
                let columns = filled_columns(&data.train, &[Column::Upos, Column::Xpos, Column::Feats]);
                let dev = data.dev.as_deref().map(|dev| tagged_sentences(dev, &columns)).transpose()?;
                let train = column_data(&data.train, &columns, Resources::default());
                run(&TaggerJob::new(self.tagger()), &train, dev.as_deref(), observer)
            }
            TrainingFamily::Pipeline => {
                let data = self.sentences()?;
                let job = PipelineJob {
                    tagger: self.tagger(),
                    parser: PipelineParser::IfTrees(self.mst()),
                    ..PipelineJob::default()
                };
                let train = PipelineData { sentences: data.train, ..PipelineData::default() };
                run(&job, &train, data.dev.as_deref(), observer)
            }
            TrainingFamily::Clusters => self.clusters(observer),
        }
    }

    fn mst(&self) -> MstConfig {
        MstConfig::quality(self.options.quality.unwrap_or_default())
    }

    fn tagger(&self) -> TaggerConfig {
        TaggerConfig::quality(self.options.quality.unwrap_or_default())
    }

    fn clusters(&self, observer: &mut dyn Observer) -> Result<TrainedModel, Error> {
        let clusters = self.options.clusters.unwrap_or(CLUSTERS);
        let job = ClustersJob::new(ClusterConfig { clusters, ..ClusterConfig::default() });
        let counted = match &self.data {
            Some(text) => job.count(text.as_bytes(), "data")?,
            None => {
                let mut text = String::new();
                for tree in self.sampled() {
                    text.push_str(&tree.words().collect::<Vec<_>>().join(" "));
                    text.push('\n');
                }
                job.count(text.as_bytes(), "sample")?
            }
        };
        let found = job.learn(counted, None, observer)?;
        let mut trained = TrainedModel::of(found.trained);
        trained.summary.insert("mi".to_owned(), json!(found.mutual_information));
        Ok(trained)
    }

    fn sampled(&self) -> Vec<Tree> {
        sample_english(self.options.trees.unwrap_or(SAMPLE), self.options.seed.unwrap_or(1))
    }

    fn trees(&self) -> Result<Divided<Tree>, Error> {
        let read = |text: &str, name: &str| whole(PennReader::new(text.as_bytes(), name), name);
        let data = match &self.data {
            Some(text) => read(text, "data")?,
            None => self.sampled(),
        };
        Ok(self.divide(data, self.dev.as_deref().map(|text| read(text, "dev")).transpose()?))
    }

    fn sentences(&self) -> Result<Divided<Sentence>, Error> {
        let read = |text: &str, name: &str| whole(ConlluReader::new(text.as_bytes(), name), name);
        let data = match &self.data {
            Some(text) => read(text, "data")?,
            None => {
                let rules = HeadRules::english();
                let sentence = |tree: &Tree| written_out(dependencies(tree, &rules)?);
                let sentences: Result<Vec<Sentence>, _> = self.sampled().iter().map(sentence).collect();
                sentences.map_err(|error| bad(error.to_string()))?
            }
        };
        Ok(self.divide(data, self.dev.as_deref().map(|text| read(text, "dev")).transpose()?))
    }

    /// Leaves out sentences if there is no development data and some are to be left out.
    fn divide<T>(&self, data: Vec<T>, dev: Option<Vec<T>>) -> Divided<T> {
        let every = self.options.hold_out.or_else(|| self.sample.then_some(HELD_OUT));
        let (None, Some(every)) = (&dev, every) else { return Divided { train: data, dev } };
        let (mut train, mut held_out) = (Vec::new(), Vec::new());
        for (number, item) in data.into_iter().enumerate() {
            if number % every == every - 1 { held_out.push(item) } else { train.push(item) }
        }
        Divided { train, dev: (!held_out.is_empty()).then_some(held_out) }
    }
}

/// The sentence with the spacing of running text, from which a tokeniser learns: no space before punctuation.
fn written_out(mut sentence: Sentence) -> Result<Sentence, SentenceError> {
    let close = |form: &str| matches!(form, "." | "," | ";" | ":" | "?" | "!" | "'s" | "n't" | ")");
    let forms: Vec<String> = sentence.words().map(|word| word.form().to_owned()).collect();
    for (index, pair) in forms.windows(2).enumerate() {
        if close(&pair[1]) {
            sentence.set_misc(index, "SpaceAfter=No")?;
        }
    }
    Ok(sentence)
}

fn bad(message: impl Into<String>) -> Error {
    Error::Data(message.into())
}

fn whole<T>(items: impl Iterator<Item = Result<T, ReadError>>, name: &str) -> Result<Vec<T>, Error> {
    let items = items.collect::<Result<Vec<T>, ReadError>>()?;
    if items.is_empty() {
        return Err(Error::Empty {
            name: name.to_owned(),
            wanted: "trees in Penn brackets, or sentences in CoNLL-U",
        });
    }
    Ok(items)
}

fn run<J: Job>(
    job: &J,
    data: &J::Data,
    dev: Option<&J::Dev>,
    observer: &mut dyn Observer,
) -> Result<TrainedModel, Error> {
    Ok(TrainedModel::of(job.run(data, dev, observer)?))
}

#[cfg(test)]
mod tests {
    use models::learn::Silent;

    use super::*;

    fn request(text: &str) -> TrainingRequest {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn requests_that_make_no_sense_are_refused_before_any_work() {
        for (text, part) in [
            (r#"{"family": "pcfg"}"#, "nothing to train on"),
            (r#"{"family": "pcfg", "data": "x", "sample": true}"#, "not both"),
            (r#"{"family": "pcfg", "sample": true, "options": {"states": 4}}"#, "does not apply"),
            (r#"{"family": "lpcfg", "sample": true, "options": {"states": 0}}"#, "from 1 to"),
            (r#"{"family": "lpcfg", "data": "x", "options": {"trees": 10}}"#, "sample only"),
        ] {
            let error = request(text).check().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert!(serde_json::from_str::<TrainingRequest>(r#"{"family": "pcfg", "path": "a"}"#).is_err());
    }

    #[test]
    fn every_family_learns_from_the_sample_and_survives_its_own_bytes() {
        for family in ["lpcfg", "pcfg", "mst", "head-automata", "tagger", "pipeline", "clusters"] {
            let quality =
                if ["lpcfg", "mst", "pipeline"].contains(&family) { r#", "quality": "fast""# } else { "" };
            let clusters = if family == "clusters" { r#", "clusters": 8"# } else { "" };
            let text = format!(
                r#"{{"family": "{family}", "sample": true, "options": {{"trees": 200{quality}{clusters}}}}}"#
            );
            let request = request(&text);
            assert_eq!(request.family.name(), family);
            let trained = request.run(&mut Silent).unwrap_or_else(|error| panic!("{family}: {error}"));
            let model = Model::from_bytes(trained.to_bytes().unwrap(), family).unwrap();
            assert_eq!(model.description(), trained.model.description(), "{family}");
            if family != "clusters" {
                assert!(trained.summary.keys().any(|key| key.starts_with("dev")), "{family}: no scores");
            }
        }
    }
}
