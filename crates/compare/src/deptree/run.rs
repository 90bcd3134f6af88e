//! Learning and choosing.

use corpus::format::conllu::Sentence;
use dependency::deptree::{
    self, Deptree, DeptreeConfig, EmConfig, EmLearner, SpectralLearner, TreeSites, TreeWords,
};
use dependency::mst::{MstConfig, MstLearner, Order, Quality};
use dependency::reranker::{FeatureSet, GoldList, RerankConfig, RerankLearner, Scratch};
use eigentree::Error;
use eigentree::reranking::{JackknifeConfig, gold_lists, jackknife, jackknife_latent, tree_words};
use eigentree::training::Preset;
use eval::counts::Ratio;
use eval::significance::{BootstrapConfig, paired_bootstrap};
use models::learn::{Learner, Observer};

use super::report::{Block, Choice, Gain, LatentModel};
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
    /// By EM from a spectral start.
    pub spectral_em: EmConfig,
    /// And by EM from a random start.
    pub em: EmConfig,
    /// How re-ranking is learnt; the features are varied.
    pub reranker: RerankConfig,
    /// Whether only what the paper has is compared, and its table printed.
    pub preset: Preset,
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
            spectral_em: EmConfig { seed, ..EmConfig::from_spectral() },
            em: EmConfig { seed, ..EmConfig::default() },
            reranker: RerankConfig { seed, ..RerankConfig::default() },
            preset: Preset::Own,
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
    let mut blocks = Vec::new();
    for config in &plan.parsers {
        let parser = match config.order {
            Order::First => "1st order",
            Order::Second => "2nd order",
        };
        let mut watch = Stopwatch::new(format!("{name} {parser}"), observer, meter);
        let spectral = LatentModels::learn("spectral", train, plan.folds, |trees| {
            let learned = SpectralLearner { config: plan.latent.clone() }.learn(trees, &mut watch)?;
            Ok((learned.report.figure("shrinkage"), learned.model))
        })?;
        let em = |name: &'static str, config: &EmConfig, watch: &mut Stopwatch<'_>| {
            LatentModels::learn(name, train, plan.folds, |trees| {
                Ok((None, EmLearner { config: config.clone() }.learn(trees, watch)?.model))
            })
        };
        let mut latent = vec![(spectral, plan.latent.dimension)];
        if plan.preset == Preset::Own {
            let start = em("spectral, then EM", &plan.spectral_em, &mut watch)?;
            latent.push((start, plan.spectral_em.states));
            latent.push((em("EM", &plan.em, &mut watch)?, plan.em.states));
        }
        let knife =
            JackknifeConfig { folds: plan.folds, trees: plan.trees, parser: config.clone(), clusters: None };
        let lists = jackknife(train, &knife, &mut watch)?;
        let base = MstLearner { config: config.clone(), clusters: None }.learn(train, &mut watch)?.model;
        watch.stage("test lists", None);
        let tests: Vec<GoldList> = gold_lists(&base, test, plan.trees).into_iter().flatten().collect();
        let alone: Vec<usize> = vec![0; tests.len()];
        let mut chosen = vec![(ALONE.to_owned(), alone)];
        let mut ways = vec![(TAGS.to_owned(), FeatureSet::Tags, None)];
        for (models, _) in &latent {
            let name = models.name;
            ways.push((format!("score, log p ({name})"), FeatureSet::Latent, Some(models)));
            ways.push((format!("score, tags, log p ({name})"), FeatureSet::Both, Some(models)));
        }
        for (title, features, latent) in ways {
            let config = RerankConfig { features, ..plan.reranker.clone() };
            let learner = RerankLearner {
                config,
                deptree: latent.map(|models| models.whole.clone()),
                parts: latent.map(|models| models.parts.clone()).unwrap_or_default(),
            };
            let model = learner.learn(&lists, &mut watch)?.model;
            let mut scratch = Scratch::default();
            chosen.push((title, tests.iter().map(|gold| model.choose(&gold.list, &mut scratch)).collect()));
        }
        watch.pause();
        let latent = latent.iter().map(|(models, asked)| LatentModel {
            learner: models.name.to_owned(),
            states: models.whole.dimension(),
            asked: *asked,
            shrinkage: models.shrinkage,
            negative: negative(&tests, &models.whole),
        });
        let oracle: Vec<usize> = tests.iter().map(GoldList::oracle).collect();
        blocks.push(Block {
            treebank: name.clone(),
            parser: parser.to_owned(),
            choices: choices(&tests, &chosen)?,
            latent: latent.collect(),
            oracle: percent(&ratios(&tests, &oracle)),
            cost: total(watch.stages()),
        });
    }
    Ok(blocks)
}

/// The latent tree models of one learner: one of the whole treebank, and one per part learnt from the other parts.
struct LatentModels {
    name: &'static str,
    whole: Deptree,
    parts: Vec<Deptree>,
    shrinkage: Option<f64>,
}

impl LatentModels {
    fn learn(
        name: &'static str,
        train: &[Sentence],
        folds: usize,
        mut learn: impl FnMut(&[TreeWords]) -> Result<(Option<f64>, Deptree), Error>,
    ) -> Result<Self, Error> {
        let (shrinkage, whole) = learn(&tree_words(train).trees)?;
        let parts = jackknife_latent(train, folds, |trees| Ok(learn(trees)?.1))?;
        Ok(Self { name, whole, parts, shrinkage })
    }
}

/// Figures of all ways; each is compared with what it adds to.
fn choices(tests: &[GoldList], chosen: &[(String, Vec<usize>)]) -> Result<Vec<Choice>, Error> {
    let found: Vec<Vec<Ratio>> = chosen.iter().map(|(_, picks)| ratios(tests, picks)).collect();
    let mut all = Vec::with_capacity(chosen.len());
    for (at, (name, _)) in chosen.iter().enumerate() {
        // What has tags and latent trees is measured against tags alone, everything else against the parser.
        let over = match at {
            0 => None,
            _ if at > 1 && name.contains(TAGS) => Some(1),
            _ => Some(0),
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

/// How many of the candidates have a negative estimate, in percent.
fn negative(tests: &[GoldList], model: &Deptree) -> f64 {
    let mut scratch = deptree::Scratch::default();
    let (mut negative, mut all) = (0_u64, 0_u64);
    for gold in tests {
        let words = gold.list.words();
        let symbol = |(form, tag): &(String, String)| model.observations().of_word(form, tag) as u32;
        let symbols: Vec<u32> = words.iter().map(symbol).collect();
        for candidate in gold.list.candidates() {
            let sites = TreeSites::new(symbols.clone(), &candidate.tree);
            negative += u64::from(model.score_sites(&sites, &mut scratch).probability.sign < 0);
            all += 1;
        }
    }
    100.0 * negative as f64 / all.max(1) as f64
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
