//! Learning and choosing.

use dependency::deptree::{DeptreeConfig, EmConfig, EmLearner, SpectralLearner};
use dependency::mst::{MstConfig, MstLearner, Order, Quality};
use dependency::reranker::{FeatureSet, GoldList, RerankConfig, RerankLearner, Scratch};
use eigentree::Error;
use eigentree::reranking::{JackknifeConfig, gold_lists, jackknife, tree_words};
use eval::counts::Ratio;
use eval::significance::{BootstrapConfig, paired_bootstrap};
use models::learn::{Learner, Observer};

use super::report::{Block, Choice, Gain};
use crate::folders::TreebankSplit;
use crate::meter::{Meter, Stopwatch, total};

/// What is compared.
#[derive(Clone, Debug)]
pub struct Config {
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

impl Config {
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

/// The parser alone, with tags, with latent trees.
const ALONE: &str = "no re-ranking";
const TAGS: &str = "score, tags";

/// Runs the plan on one treebank.
pub fn compare_treebank(
    treebank: &TreebankSplit,
    plan: &Config,
    observer: &mut dyn Observer,
    meter: &dyn Meter,
) -> Result<Vec<Block>, Error> {
    let TreebankSplit { name, train, test } = treebank;
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
            let mut scratch = Scratch::default();
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
