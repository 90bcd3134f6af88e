//! Training: one job per family, from data in memory to a model that saves itself.
//!
//! A [`Job`] is its configuration. [`Job::run`] learns a model, tunes and calibrates it where the family has something to tune,
//! and scores it on development data. It gives a [`Trained`]: the model, the metadata of its file, figures and scores.
//!
//! ```
//! use eigentree::config::{LpcfgConfig, Quality};
//! use eigentree::learn::Silent;
//! use eigentree::sampling::sample_english;
//! use eigentree::training::{Job, LpcfgJob};
//! let trees = sample_english(300, 1);
//! let (train, dev) = trees.split_at(270);
//! let job = LpcfgJob::new(LpcfgConfig::quality(Quality::Fast));
//! let trained = job.run(train, Some(dev), &mut Silent)?;
//! let folder = tempfile::tempdir()?;
//! trained.save_to(folder.path().join("en.eig"))?;
//! assert!(trained.dev.is_some_and(|dev| dev.f1().is_some_and(|f1| f1 > 50.0)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | job | learns | from |
//! |---|---|---|
//! | [`LpcfgJob`] | grammars with latent states | trees |
//! | [`PcfgJob`] | grammars | trees |
//! | [`MstJob`] | dependency parsers | sentences of CoNLL-U |
//! | [`HeadAutomataJob`] | head automata | sentences of CoNLL-U |
//! | [`DeptreeJob`] | latent dependency trees | sentences of CoNLL-U |
//! | [`RerankerJob`] | a choice among the trees of a parser | sentences of CoNLL-U |
//! | [`TaggerJob`] | labels of words, entities | sentences with labels |
//! | [`PipelineJob`] | everything from raw text to trees | sentences of CoNLL-U, text, entities |
//! | [`SequenceJob`] | automata and hidden Markov models | sequences of symbols |
//! | [`ClustersJob`] | clusters of words | texts or counts |
//!
//! A recipe ([`LpcfgRecipe`](crate::config::LpcfgRecipe), [`HeadAutomataRecipe`], [`ClusterRecipe`]) takes single options, as on a
//! command line or in a form. It refuses contradictions and supplies the defaults.
//!
//! A [`TrainingRequest`] is a job of any family on data in memory, as services and pages receive it.
//!
//! Reading files is the concern of [`reading`](crate::reading). Progress, notes for the user and cancelling go through the
//! [`Observer`](crate::learn::Observer) that every job takes.

mod attachment;
mod clusters;
mod clusters_recipe;
mod deptree;
mod dev_scores;
mod finding;
mod grammar;
mod head_automata;
mod head_automata_recipe;
mod job;
mod lpcfg;
mod mst;
mod options;
mod pcfg;
mod pipeline;
mod prepare;
mod protocol;
mod request;
mod reranker;
mod sequence;
mod tagger;
mod trained;
mod tune;
mod tune_states;

pub use clusters::{ClustersJob, CountReuse, TrainedClusters};
pub use clusters_recipe::ClusterRecipe;
pub use deptree::{DeptreeJob, LatentLearner};
pub use dev_scores::{DevScore, DevScores, Measure};
pub use finding::Finding;
pub use head_automata::{HeadAutomataJob, LexicalWeight};
pub use head_automata_recipe::{HeadAutomataMethod, HeadAutomataRecipe};
pub use job::Job;
pub use lpcfg::LpcfgJob;
pub use models::constants::Preset;
pub use mst::{MstJob, WordClasses};
pub use options::OptionError;
pub use pcfg::PcfgJob;
pub use pipeline::{PipelineData, PipelineJob, PipelineParser, TAGGER_COLUMNS};
pub use prepare::{Annotation, prepare};
pub use protocol::{Paper, Protocol};
pub use request::{TrainedModel, TrainingFamily, TrainingOptions, TrainingRequest};
pub use reranker::RerankerJob;
pub use sequence::SequenceJob;
pub use tagger::TaggerJob;
pub use trained::Trained;
pub use tune::{Trial, Tuning, TuningReport, tune};
pub use tune_states::{StateTuning, tune_states};
