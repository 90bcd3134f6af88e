//! What is learnt, how often, and how each model is used.

use corpus::tree::binarize::Horizontal;
use corpus::tree::normal_form::NormalForm;
use eigentree::training::Preset;
use grammars::grammar::RuleSmoothing;
use grammars::lpcfg::{
    Decoding, FeatureSet, Method, ParserConfig, Shrinkage, Signs, SmoothingConfig, SpectralConfig,
};
use grammars::pcfg::PcfgConfig;
use spectral::moments::Scaling;

use super::config::Config;
use super::contestant::Contestant;

/// One act of learning, and those who compete with what it makes.
#[derive(Clone, Debug)]
pub(super) struct Lesson {
    pub(super) training: Training,
    /// The number of states that was asked for; `None` without latent states.
    pub(super) states: Option<usize>,
    /// Each with its way of parsing; never empty.
    pub(super) users: Vec<(Contestant, ParserConfig)>,
}

#[derive(Clone, Debug)]
pub(super) enum Training {
    /// A grammar without states.
    Plain(Box<PcfgConfig>),
    /// The grammar that the groundwork has.
    Groundwork,
    /// One model.
    Once(Method, SmoothingConfig),
    /// Models after some steps of EM; the steps rise.
    Steps { start: Method, smoothing: SmoothingConfig, checkpoints: Vec<usize> },
}

/// All lessons, in the order of the contestants and then of the numbers of states. `smoothing` knows the constants for each number
/// of states.
pub(super) fn plan(config: &Config, smoothing: &dyn Fn(usize) -> SmoothingConfig) -> Vec<Lesson> {
    let mut contestants = config.contestants.clone();
    contestants.sort_unstable();
    contestants.dedup();
    let mut lessons: Vec<Lesson> = Vec::new();
    for contestant in contestants {
        let numbers: Vec<Option<usize>> = match contestant.is_latent() {
            true => config.states.iter().copied().map(Some).collect(),
            false => vec![None],
        };
        for states in numbers {
            let user = (contestant, parser(config, contestant));
            // What differs only in the way of parsing is learnt once.
            let same = |lesson: &&mut Lesson| lesson.states == states && lesson.serves(contestant);
            match lessons.iter_mut().find(same) {
                Some(lesson) => lesson.users.push(user),
                None => {
                    let states_asked = states.unwrap_or(1);
                    let training = training(config, contestant, states_asked, smoothing(states_asked));
                    lessons.push(Lesson { training, states, users: vec![user] });
                }
            }
        }
    }
    lessons
}

impl Lesson {
    /// Whether a contestant needs this very model.
    fn serves(&self, contestant: Contestant) -> bool {
        is_parsing_variant(contestant) && self.users.iter().any(|&(user, _)| is_parsing_variant(user))
    }
}

/// Those who share the spectral model and differ in how they parse.
fn is_parsing_variant(contestant: Contestant) -> bool {
    use Contestant::{SignsKept, Spectral, Sum, SumSignsKept};
    matches!(contestant, Spectral | SignsKept | Sum | SumSignsKept)
}

fn parser(config: &Config, contestant: Contestant) -> ParserConfig {
    let mut config = config.parser.clone();
    if matches!(contestant, Contestant::Sum | Contestant::SumSignsKept) {
        config.decoding = Decoding::RuleSum;
    }
    if matches!(contestant, Contestant::SignsKept | Contestant::SumSignsKept) {
        config.signs = Signs::Kept;
    }
    config
}

fn training(config: &Config, contestant: Contestant, states: usize, smoothing: SmoothingConfig) -> Training {
    let spectral = spectral(config, states);
    let once = |spectral| Training::Once(Method::Spectral(spectral), smoothing);
    let em = Method::Em { states, steps: 0, seed: config.seed };
    match contestant {
        Contestant::Pcfg => Training::Plain(Box::new(plain(config))),
        Contestant::SmoothedPcfg => Training::Groundwork,
        Contestant::Markov => {
            let mut plain = plain(config);
            plain.normal_form =
                NormalForm { vertical: 2, horizontal: Horizontal::Order(1), ..plain.normal_form };
            Training::Plain(Box::new(plain))
        }
        Contestant::Em => {
            let smoothing = match config.preset {
                Preset::Own => smoothing,
                Preset::Paper => SmoothingConfig::none(),
            };
            Training::Steps { start: em, smoothing, checkpoints: rising(&config.checkpoints) }
        }
        Contestant::EmUnsmoothed => Training::Steps {
            start: em,
            smoothing: SmoothingConfig::none(),
            checkpoints: rising(&config.checkpoints),
        },
        Contestant::Spectral | Contestant::SignsKept | Contestant::Sum | Contestant::SumSignsKept => {
            once(spectral)
        }
        Contestant::NoSmoothing => Training::Once(Method::Spectral(spectral), SmoothingConfig::none()),
        Contestant::NoScaling => once(SpectralConfig { scaling: Scaling::None, ..spectral }),
        Contestant::NoShrinkage => once(SpectralConfig { shrinkage: Shrinkage::None, ..spectral }),
        Contestant::RuleFeatures => once(SpectralConfig { features: FeatureSet::Rules, ..spectral }),
        Contestant::PaperFeatures => once(SpectralConfig { features: FeatureSet::Paper, ..spectral }),
        Contestant::Cluster => Training::Once(Method::Cluster { spectral, steps: 0 }, smoothing),
        Contestant::ClusterEm => Training::Steps {
            start: Method::Cluster { spectral, steps: 0 },
            smoothing,
            checkpoints: vec![config.cluster_steps],
        },
    }
}

/// The projection of the spectral learner with this number of states.
pub(super) fn spectral(config: &Config, states: usize) -> SpectralConfig {
    SpectralConfig { states, seed: config.seed, ..config.spectral.clone() }
}

/// The grammar by relative frequencies.
fn plain(config: &Config) -> PcfgConfig {
    PcfgConfig { rule_smoothing: RuleSmoothing::None, ..config.base.grammar.clone() }
}

fn rising(steps: &[usize]) -> Vec<usize> {
    let mut steps = steps.to_vec();
    steps.sort_unstable();
    steps.dedup();
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(config: &Config) -> Vec<Lesson> {
        super::plan(config, &|_| config.base.smoothing)
    }

    #[test]
    fn variants_of_parsing_share_a_lesson() {
        let config = Config { states: vec![4, 2], checkpoints: vec![3, 1, 3], ..Config::default() };
        let lessons = plan(&config);
        let spectral: Vec<_> = lessons.iter().filter(|lesson| lesson.users.len() > 1).collect();
        assert_eq!(spectral.len(), 2);
        assert!(spectral.iter().all(|lesson| lesson.users.len() == 4));
        assert_eq!(spectral[0].states, Some(4));
        // Three without states, and nine with two numbers of states each.
        assert_eq!(lessons.len(), 3 + 2 * 9);
        let em = lessons.iter().find(|lesson| lesson.users[0].0 == Contestant::Em).unwrap();
        assert!(matches!(&em.training, Training::Steps { checkpoints, .. } if checkpoints == &[1, 3]));
    }

    #[test]
    fn the_paper_has_its_own_decoder_and_plain_steps_of_em() {
        let config = Config { states: vec![8], checkpoints: vec![10], ..Config::paper() };
        let lessons = plan(&config);
        assert!(
            lessons
                .iter()
                .flat_map(|lesson| &lesson.users)
                .all(|(_, parser)| parser.decoding == Decoding::RuleSum)
        );
        let em = lessons.iter().find(|lesson| lesson.users[0].0 == Contestant::Em).unwrap();
        let Training::Steps { smoothing, .. } = &em.training else { panic!("EM is run in steps") };
        assert_eq!(*smoothing, SmoothingConfig::none());
        assert!(config.base.departures().is_empty());
    }

    #[test]
    fn a_variant_alone_is_learnt_too() {
        let contestants = vec![Contestant::SignsKept];
        let lessons = plan(&Config { contestants, states: vec![8], ..Config::default() });
        assert!(matches!(lessons[0].training, Training::Once(Method::Spectral(_), _)));
        assert_eq!(lessons[0].users[0].1.signs, Signs::Kept);
    }

    #[test]
    fn each_number_of_states_has_its_own_constants() {
        let config = Config {
            contestants: vec![Contestant::Spectral, Contestant::NoSmoothing],
            states: vec![2, 4],
            ..Config::default()
        };
        let lessons = super::plan(&config, &|states| SmoothingConfig {
            rules: states as f64,
            ..SmoothingConfig::none()
        });
        let rules: Vec<f64> = lessons
            .iter()
            .map(|lesson| match &lesson.training {
                Training::Once(_, smoothing) => smoothing.rules,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(rules, [2.0, 4.0, 0.0, 0.0]);
    }
}
