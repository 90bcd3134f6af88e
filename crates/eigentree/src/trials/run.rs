//! Trains a family on one part of the data and scores it on another.

use corpus::format::conllu::{Column, Sentence};
use dependency::mst::MstConfig;
use grammars::lpcfg::LpcfgConfig;
use models::learn::Observer;
use models::quality::Quality;
use serde::Serialize;
use tagging::tagger::{Resources, TaggerConfig, TaggerData};

use super::data::TrialData;
use super::family::TrialFamily;
use crate::Error;
use crate::sequences::score_sequences;
use crate::tagging::{column_data, entity_columns, filled_columns, tagged_sentences};
use crate::training::{
    DeptreeJob, DevScores, HeadAutomataJob, Job, LatentLearner, LpcfgJob, Measure, MstJob, PcfgJob,
    PipelineData, PipelineJob, PipelineParser, SequenceJob, TaggerJob,
};

/// A score with its name.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Figure {
    /// Such as `LAS`.
    pub name: String,
    /// In percent, except for probabilities.
    pub value: f64,
}

impl Figure {
    fn new(name: &str, value: f64) -> Self {
        Self { name: name.to_owned(), value }
    }
}

/// Trains `family` on `train` and scores it on `test`. The seed is that of the learner.
pub fn run_trial(
    family: TrialFamily,
    quality: Quality,
    (train, test): (&TrialData, &TrialData),
    seed: u64,
    observer: &mut dyn Observer,
) -> Result<Vec<Figure>, Error> {
    let tagger_config = || TaggerConfig { seed, ..TaggerConfig::quality(quality) };
    let mst_config = || MstConfig { seed, ..MstConfig::quality(quality) };
    match (train, test) {
        (TrialData::Trees(train), TrialData::Trees(test)) => match family {
            TrialFamily::Pcfg => scored(&PcfgJob::default(), train.as_slice(), test.as_slice(), observer),
            _ => {
                let job = LpcfgJob::new(LpcfgConfig::quality(quality));
                scored(&job, train.as_slice(), test.as_slice(), observer)
            }
        },
        (TrialData::Sentences(train), TrialData::Sentences(test)) => {
            let (train, test) = (train.as_slice(), test.as_slice());
            match family {
                TrialFamily::HeadAutomata => scored(&HeadAutomataJob::default(), train, test, observer),
                TrialFamily::Deptree => {
                    scored(&DeptreeJob::new(LatentLearner::default()), train, test, observer)
                }
                TrialFamily::Tagger => tagger(train, test, tagger_config(), observer),
                TrialFamily::Pipeline => {
                    let job = PipelineJob {
                        tagger: tagger_config(),
                        parser: PipelineParser::IfTrees(mst_config()),
                        ..PipelineJob::default()
                    };
                    let data = PipelineData { sentences: train.to_vec(), ..PipelineData::default() };
                    scored(&job, &data, test, observer)
                }
                _ => scored(&MstJob::new(mst_config()), train, test, observer),
            }
        }
        (TrialData::Labelled(train), TrialData::Labelled(test)) => {
            let (columns, resources) = (entity_columns(), Resources::default());
            let data = TaggerData { columns, sentences: train.clone(), resources };
            let job = TaggerJob::new(TaggerConfig { seed, ..TaggerConfig::entities() });
            scored(&job, &data, test.as_slice(), observer)
        }
        (TrialData::Sequences(train), TrialData::Sequences(test)) => {
            // Rare symbols stand for the unknown ones of the other part.
            let job = SequenceJob { min_count: 2, ..SequenceJob::default() };
            let model = job.learn(train, None, observer)?.model;
            let sequences = test.numbers(model.alphabet(), "the held-out sequences")?;
            let score = score_sequences(&model, &sequences, observer)?;
            Ok(vec![Figure::new("perplexity", score.perplexity())])
        }
        _ => Err(Error::Data("training and held-out data are of different kinds".to_owned())),
    }
}

/// A tagger of all columns that both parts have.
fn tagger(
    train: &[Sentence],
    test: &[Sentence],
    config: TaggerConfig,
    observer: &mut dyn Observer,
) -> Result<Vec<Figure>, Error> {
    let columns = filled_columns(train, &[Column::Upos, Column::Xpos, Column::Feats]);
    let columns = filled_columns(test, &columns);
    let data = column_data(train, &columns, Resources::default());
    let test = tagged_sentences(test, &columns)?;
    scored(&TaggerJob::new(config), &data, test.as_slice(), observer)
}

fn scored<J: Job>(
    job: &J,
    train: &J::Data,
    test: &J::Dev,
    observer: &mut dyn Observer,
) -> Result<Vec<Figure>, Error> {
    // The held-out part is for scores alone: nothing may be chosen or calibrated on it.
    let trained = job.learn(train, None, observer)?;
    Ok(figures(&job.score(&trained.model, test, observer)?))
}

/// The figures that trials report.
fn figures(scores: &DevScores) -> Vec<Figure> {
    let mut figures: Vec<Figure> = Vec::new();
    for score in &scores.scores {
        match &score.measure {
            Measure::Brackets(_, report) => figures.push(Figure::new("F1", report.all.f1)),
            Measure::Attachment(report) => {
                figures.extend([Figure::new("UAS", report.uas), Figure::new("LAS", report.las)]);
            }
            Measure::Labels(scores) => {
                for (name, tags) in &scores.columns {
                    let accuracy = 100.0 * tags.total().all().accuracy();
                    figures.push(Figure::new(&name.to_uppercase(), accuracy));
                }
                if let Some(entities) = &scores.entities {
                    figures.push(Figure::new("F1", 100.0 * entities.total().f1()));
                }
            }
            Measure::LatentTrees(scores) => {
                let value = scores.log_probability / scores.words.max(1) as f64;
                figures.push(Figure::new("log-probability per word", value));
            }
            #[allow(unreachable_patterns, reason = "further measures are left out")]
            _ => {}
        }
    }
    // One figure per name: the first use of tags is that of words alone.
    let mut seen: Vec<String> = Vec::new();
    figures.retain(|figure| {
        let new = !seen.contains(&figure.name);
        seen.push(figure.name.clone());
        new
    });
    figures
}
