//! Learning and choosing.

use corpus::format::conllu::Sentence;
use dependency::deptree::{
    self, Deptree, DeptreeConfig, EmConfig, EmLearner, SpectralLearner, TreeSites, TreeWords,
};
use dependency::mst::{MstConfig, MstLearner, Order, Quality};
use dependency::reranker::{FeatureSet, GoldList, RerankConfig, RerankLearner, Reranker, Scratch};
use eigentree::Error;
use eigentree::reranking::{JackknifeConfig, gold_lists, jackknife, jackknife_latent, tree_words};
use eigentree::training::Preset;
use eval::counts::Ratio;
use eval::significance::{BootstrapConfig, paired_bootstrap};
use models::learn::{Learner, Observer};
use models::representations::VectorTable;

use super::report::{Block, Choice, Gain, LatentModel};
use super::treebank::{Punctuation, Tags, prepared};
use crate::folders::TreebankParts;
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
    /// Whether punctuation is part of the trees.
    pub punctuation: Punctuation,
    /// Whose tags parsers and re-rankers see.
    pub tags: Tags,
    /// Whether only what the paper has is compared, and its table printed.
    pub preset: Preset,
}

impl Config {
    /// The paper's table with parsers of these orders: 50 trees, three parts, ten states. Parsers have this many networks; the paper's have none.
    pub fn new(orders: impl IntoIterator<Item = Order>, seed: u64, networks: usize) -> Self {
        let parser = |order| {
            let quality = if order == Order::First { Quality::Fast } else { Quality::Balanced };
            MstConfig { order, seed, ..MstConfig::quality(quality).with_networks(networks) }
        };
        Self {
            parsers: orders.into_iter().map(parser).collect(),
            trees: 50,
            folds: 3,
            latent: DeptreeConfig::default(),
            spectral_em: EmConfig { seed, ..EmConfig::from_spectral() },
            em: EmConfig { seed, ..EmConfig::default() },
            reranker: RerankConfig { seed, ..RerankConfig::default() },
            punctuation: Punctuation::default(),
            tags: Tags::default(),
            preset: Preset::Own,
        }
    }
}

/// A second-order parser without grandparents.
pub(super) const SIBLINGS: &str = "2nd order (siblings)";

/// The parser alone, with tags, with latent trees.
const ALONE: &str = "no re-ranking";
const TAGS: &str = "score, tags";

/// Runs the plan on one treebank.
pub fn compare_treebank(
    treebank: &TreebankParts,
    plan: &Config,
    vectors: Option<&VectorTable>,
    observer: &mut dyn Observer,
    meter: &dyn Meter,
) -> Result<Vec<Block>, Error> {
    let mut watch = Stopwatch::new(format!("{} tags", treebank.name), observer, meter);
    let seed = plan.reranker.seed;
    let treebank = prepared(treebank, plan.punctuation, plan.tags, seed, &mut watch)?;
    watch.pause();
    let TreebankParts { name, train, parts } = &treebank;
    let mut watch = Stopwatch::new(format!("{name} latent trees"), observer, meter);
    let latent = learn_latent(train, plan, vectors, &mut watch)?;
    watch.pause();
    let latent_cost = total(watch.stages());
    let mut blocks = Vec::new();
    for config in &plan.parsers {
        let parser = match config.order {
            Order::First => "1st order",
            Order::Siblings => SIBLINGS,
            Order::Second => "2nd order",
        };
        let mut watch = Stopwatch::new(format!("{name} {parser}"), observer, meter);
        let knife =
            JackknifeConfig { folds: plan.folds, trees: plan.trees, parser: config.clone(), clusters: None };
        let lists = jackknife(train, &knife, &mut watch)?;
        let base =
            MstLearner { config: config.clone(), ..Default::default() }.learn(train, &mut watch)?.model;
        let rerankers = learn_rerankers(&lists, &latent, plan, &mut watch)?;
        watch.pause();
        let learning = latent_cost.plus(total(watch.stages()));
        for (part, sentences) in parts {
            let mut watch = Stopwatch::new(format!("{name} {parser}"), observer, meter);
            watch.stage(&format!("{} lists", part.name()), None);
            let tests: Vec<GoldList> =
                gold_lists(&base, sentences, plan.trees).into_iter().flatten().collect();
            let mut chosen = vec![(ALONE.to_owned(), vec![0; tests.len()])];
            for (title, model) in &rerankers {
                let mut scratch = Scratch::default();
                let picks = tests.iter().map(|gold| model.choose(&gold.list, &mut scratch));
                chosen.push((title.clone(), picks.collect()));
            }
            watch.pause();
            let oracle: Vec<usize> = tests.iter().map(GoldList::oracle).collect();
            blocks.push(Block {
                treebank: name.clone(),
                part: part.name().to_owned(),
                parser: parser.to_owned(),
                choices: choices(&tests, &chosen)?,
                latent: latent.iter().map(|models| models.describe(&tests)).collect(),
                oracle: percent(&ratios(&tests, &oracle)),
                cost: learning.plus(total(watch.stages())),
            });
        }
    }
    Ok(blocks)
}

/// The latent tree models of all learners.
fn learn_latent(
    train: &[Sentence],
    plan: &Config,
    vectors: Option<&VectorTable>,
    watch: &mut Stopwatch<'_>,
) -> Result<Vec<LatentModels>, Error> {
    let mut latent = vec![LatentModels::learn("spectral", train, plan, plan.latent.dimension, |trees| {
        let learner = SpectralLearner { config: plan.latent.clone(), vectors: vectors.cloned() };
        let learned = learner.learn(trees, watch)?;
        Ok((learned.report.figure("shrinkage"), learned.model))
    })?];
    if plan.preset == Preset::Own {
        for (name, config) in [("spectral, then EM", &plan.spectral_em), ("EM", &plan.em)] {
            latent.push(LatentModels::learn(name, train, plan, config.states, |trees| {
                Ok((None, EmLearner { config: config.clone() }.learn(trees, watch)?.model))
            })?);
        }
    }
    Ok(latent)
}

/// A re-ranker for each set of features, with its name.
fn learn_rerankers(
    lists: &[GoldList],
    latent: &[LatentModels],
    plan: &Config,
    watch: &mut Stopwatch<'_>,
) -> Result<Vec<(String, Reranker)>, Error> {
    let mut ways = vec![(TAGS.to_owned(), FeatureSet::Tags, None)];
    for models in latent {
        let name = models.name;
        ways.push((format!("score, log p ({name})"), FeatureSet::Latent, Some(models)));
        ways.push((format!("score, tags, log p ({name})"), FeatureSet::Both, Some(models)));
    }
    let mut rerankers = Vec::new();
    for (title, features, latent) in ways {
        let config = RerankConfig { features, ..plan.reranker.clone() };
        let learner = RerankLearner {
            config,
            deptree: latent.map(|models| models.whole.clone()),
            parts: latent.map(|models| models.parts.clone()).unwrap_or_default(),
        };
        rerankers.push((title, learner.learn(lists, watch)?.model));
    }
    Ok(rerankers)
}

/// The latent tree models of one learner: one of the whole treebank and, except in the paper's method, one per part learnt from
/// the other parts.
struct LatentModels {
    name: &'static str,
    whole: Deptree,
    parts: Vec<Deptree>,
    shrinkage: Option<f64>,
    asked: usize,
}

impl LatentModels {
    fn learn(
        name: &'static str,
        train: &[Sentence],
        plan: &Config,
        asked: usize,
        mut learn: impl FnMut(&[TreeWords]) -> Result<(Option<f64>, Deptree), Error>,
    ) -> Result<Self, Error> {
        let (shrinkage, whole) = learn(&tree_words(train).trees)?;
        let parts = match plan.preset {
            Preset::Own => jackknife_latent(train, plan.folds, |trees| Ok(learn(trees)?.1))?,
            // The paper learns the latent trees once, from all sentences.
            Preset::Paper => Vec::new(),
        };
        Ok(Self { name, whole, parts, shrinkage, asked })
    }

    /// The model of the whole treebank, and how it does on these lists.
    fn describe(&self, tests: &[GoldList]) -> LatentModel {
        LatentModel {
            learner: self.name.to_owned(),
            states: self.whole.dimension(),
            asked: self.asked,
            shrinkage: self.shrinkage,
            negative: negative(tests, &self.whole),
        }
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
