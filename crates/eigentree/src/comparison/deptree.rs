//! Re-ranking side by side, as in Table 1 of Dhillon et al. (2012): parsers of first and second order, each alone, re-ranked by the score and
//! triples of tags, and by latent trees besides.

use dependency::deptree::{DeptreeConfig, EmConfig, EmLearner, SpectralLearner};
use dependency::mst::{MstConfig, MstLearner, Order, Quality};
use dependency::reranker::{FeatureSet, GoldList, RerankConfig, RerankLearner, RerankScratch};
use eval::counts::Ratio;
use eval::report::Table;
use eval::significance::{BootstrapConfig, paired_bootstrap};
use models::learn::{Learner, Observer};
use serde::Serialize;
use serde_json::{Value, json};

use super::dependency::Treebank;
use super::meter::{Cost, Stopwatch, total};
use super::{Document, Meter, Section};
use crate::Error;
use crate::reranking::{JackknifeConfig, gold_lists, jackknife, tree_words};

/// What is compared.
#[derive(Clone, Debug)]
pub struct RerankingPlan {
    /// The parsers.
    pub parsers: Vec<MstConfig>,
    /// How many trees lists have.
    pub trees: usize,
    /// Into how many parts the treebank is cut.
    pub folds: usize,
    /// How latent trees are learnt spectrally.
    pub latent: DeptreeConfig,
    /// And by EM.
    pub em: EmConfig,
    /// How re-ranking is learnt; the features are varied.
    pub reranker: RerankConfig,
}

impl RerankingPlan {
    /// The paper's table: 50 trees, three parts, ten states.
    pub fn new(seed: u64) -> Self {
        let parsers = [Quality::Fast, Quality::Balanced]
            .map(|quality| MstConfig { seed, ..MstConfig::quality(quality) });
        Self {
            parsers: parsers.to_vec(),
            trees: 50,
            folds: 3,
            latent: DeptreeConfig::default(),
            em: EmConfig { seed, ..EmConfig::default() },
            reranker: RerankConfig { seed, ..RerankConfig::default() },
        }
    }
}

/// What one way of choosing came to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Choice {
    /// What is chosen by.
    pub name: String,
    /// Words with the right head, in percent.
    pub uas: f64,
    /// Sentences in which all heads are right, in percent.
    pub complete: f64,
    /// Against the way it is compared with: how much better, in points of UAS, with the interval that holds 95 % of resamples, and the p-value.
    pub gain: Option<Gain>,
}

/// A difference and how sure it is.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Gain {
    /// The name of the other way.
    pub over: String,
    /// In points.
    pub points: f64,
    /// In points.
    pub interval: (f64, f64),
    /// Of no difference.
    pub p_value: f64,
}

/// What the comparison came to for one parser on one treebank.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Block {
    /// The treebank.
    pub treebank: String,
    /// The parser.
    pub parser: String,
    /// The ways of choosing.
    pub choices: Vec<Choice>,
    /// The best that can be chosen, in percent of words.
    pub oracle: f64,
    /// What making lists and learning cost, all ways together.
    pub cost: Cost,
}

/// The parser alone, with tags, with latent trees.
const ALONE: &str = "no re-ranking";
const TAGS: &str = "score, tags";

/// Runs the plan on one treebank.
pub fn compare_reranking(
    treebank: &Treebank,
    plan: &RerankingPlan,
    observer: &mut dyn Observer,
    meter: &dyn Meter,
) -> Result<Vec<Block>, Error> {
    let Treebank { name, train, test } = treebank;
    let trees = tree_words(train).trees;
    let mut blocks = Vec::new();
    for config in &plan.parsers {
        let parser = match config.order {
            Order::First => "1st order",
            Order::Second => "2nd order",
        };
        let mut watch = Stopwatch::new(format!("{name} {parser}"), observer, meter);
        let spectral = SpectralLearner { config: plan.latent.clone() }.learn(&trees, &mut watch)?.model;
        let em = EmLearner { config: plan.em.clone() }.learn(&trees, &mut watch)?.model;
        let knife =
            JackknifeConfig { folds: plan.folds, trees: plan.trees, parser: config.clone(), clusters: None };
        let lists = jackknife(train, &knife, &mut watch)?;
        let base = MstLearner { config: config.clone(), clusters: None }.learn(train, &mut watch)?.model;
        watch.stage("test lists", None);
        let tests: Vec<GoldList> = gold_lists(&base, test, plan.trees).into_iter().flatten().collect();
        let alone: Vec<usize> = vec![0; tests.len()];
        let mut chosen = vec![(ALONE.to_owned(), alone)];
        for (title, features, latent) in [
            (TAGS.to_owned(), FeatureSet::Tags, None),
            ("score, log p (spectral)".to_owned(), FeatureSet::Latent, Some(&spectral)),
            ("score, tags, log p (spectral)".to_owned(), FeatureSet::Both, Some(&spectral)),
            ("score, tags, log p (EM)".to_owned(), FeatureSet::Both, Some(&em)),
        ] {
            let config = RerankConfig { features, ..plan.reranker.clone() };
            let learner = RerankLearner { config, deptree: latent.cloned() };
            let model = learner.learn(&lists, &mut watch)?.model;
            let mut scratch = RerankScratch::default();
            chosen.push((title, tests.iter().map(|gold| model.choose(&gold.list, &mut scratch)).collect()));
        }
        watch.pause();
        let oracle: Vec<usize> = tests.iter().map(GoldList::oracle).collect();
        blocks.push(Block {
            treebank: name.clone(),
            parser: parser.to_owned(),
            choices: choices(&tests, &chosen)?,
            oracle: percent(&ratios(&tests, &oracle)),
            cost: total(watch.stages()),
        });
    }
    Ok(blocks)
}

/// Figures of all ways; each is compared with what it adds to.
fn choices(tests: &[GoldList], chosen: &[(String, Vec<usize>)]) -> Result<Vec<Choice>, Error> {
    let found: Vec<Vec<Ratio>> = chosen.iter().map(|(_, picks)| ratios(tests, picks)).collect();
    let mut all = Vec::with_capacity(chosen.len());
    for (at, (name, _)) in chosen.iter().enumerate() {
        // What has tags and latent trees is measured against tags alone, everything else against the parser.
        let over = match at {
            0 => None,
            1 | 2 => Some(0),
            _ => Some(1),
        };
        let gain = match over {
            None => None,
            Some(over) => {
                let result = paired_bootstrap(&found[over], &found[at], &BootstrapConfig::default())?;
                Some(Gain {
                    over: chosen[over].0.clone(),
                    points: 100.0 * result.difference,
                    interval: (100.0 * result.interval.0, 100.0 * result.interval.1),
                    p_value: result.p_value,
                })
            }
        };
        let complete = found[at].iter().filter(|ratio| ratio.numerator == ratio.denominator).count();
        all.push(Choice {
            name: name.clone(),
            uas: percent(&found[at]),
            complete: 100.0 * complete as f64 / tests.len().max(1) as f64,
            gain,
        });
    }
    Ok(all)
}

/// Right heads of words, by sentence.
fn ratios(tests: &[GoldList], picks: &[usize]) -> Vec<Ratio> {
    let one = |(gold, &pick): (&GoldList, &usize)| {
        let candidate = &gold.list.candidates()[pick];
        Ratio::of(gold.correct(candidate) as u64, candidate.tree.len() as u64)
    };
    tests.iter().zip(picks).map(one).collect()
}

fn percent(ratios: &[Ratio]) -> f64 {
    100.0 * ratios.iter().copied().sum::<Ratio>().value()
}

/// The comparison as a document.
pub fn reranking_document(plan: &RerankingPlan, blocks: &[Block]) -> Document {
    let header = ["treebank", "parser", "chosen by", "UAS", "complete", "gain", "95 %", "p"];
    let rows = blocks.iter().flat_map(|block| {
        let last = vec![
            block.treebank.clone(),
            block.parser.clone(),
            format!("oracle of {}", plan.trees),
            format!("{:.2}", block.oracle),
        ];
        let last = last.into_iter().chain((0..4).map(|_| String::new())).collect::<Vec<_>>();
        let rows = block.choices.iter().map(|choice| {
            let gain = choice.gain.as_ref();
            vec![
                block.treebank.clone(),
                block.parser.clone(),
                choice.name.clone(),
                format!("{:.2}", choice.uas),
                format!("{:.2}", choice.complete),
                gain.map_or_else(String::new, |gain| format!("{:+.2} over {}", gain.points, gain.over)),
                gain.map_or_else(String::new, |gain| {
                    format!("{:+.2} to {:+.2}", gain.interval.0, gain.interval.1)
                }),
                gain.map_or_else(String::new, |gain| format!("{:.4}", gain.p_value)),
            ]
        });
        rows.chain([last]).collect::<Vec<_>>()
    });
    Document {
        introduction: Vec::new(),
        sections: vec![Section {
            title: "Re-ranking".to_owned(),
            table: Table { header: header.map(str::to_owned).to_vec(), rows: rows.collect() },
            remarks: vec![
                format!(
                    "Lists of {} trees; {} parts of the treebank for learning; {} hidden states. Given words and tags; punctuation counts.",
                    plan.trees, plan.folds, plan.latent.dimension
                ),
                "The interval holds 95 % of the differences over 10,000 resamples of the sentences, paired."
                    .to_owned(),
            ],
        }],
    }
}

/// The comparison as JSON.
pub fn reranking_json(blocks: &[Block]) -> Value {
    json!({ "blocks": blocks })
}
