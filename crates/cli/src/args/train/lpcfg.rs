//! Options of `train lpcfg`.

use std::str::FromStr;

use clap::{Args, ValueEnum};
use eigentree::models::lpcfg::{
    FeatureSet, LpcfgConfig, Method, Quality, Shrinkage, SmoothingConfig, SpectralConfig,
};
use eigentree::models::pcfg::PcfgConfig;
use eigentree::spectral::moments::Scaling;

use super::super::heads::{BinarizeArg, rules_of};
use super::data::{DataArgs, TrainData};
use super::grammar::GrammarArgs;
use crate::failure::UsageError;

/// Upper limit of `--states`.
pub(in crate::args) const MAX_STATES: i64 = 256;
/// Default numbers of EM steps: from a random start, and after clustering.
const EM_STEPS: usize = 40;
const CLUSTER_STEPS: usize = 10;
/// Default feature dropout of an ensemble with members of one kind, so that they differ.
const DROPOUT: f64 = 0.1;

/// Train a grammar with latent states on constituency trees
///
/// Each symbol of the treebank grammar is refined by hidden states, learnt from the inside and outside context of its
/// nodes. --quality selects a complete recipe; the options below it change parts of the recipe.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  A parser, scored on a development set with gold tags and from words alone:
    eigentree train lpcfg train.ptb --dev dev.ptb -o en.eig
  The most accurate parser, and the fastest training:
    eigentree train lpcfg train.ptb --quality best -o best.eig
    eigentree train lpcfg train.ptb --quality fast -o fast.eig
  Smoothing constants tuned on a tenth of the training trees:
    eigentree train lpcfg train.ptb --tune -o tuned.eig
  Other learners of the same model, and the baseline without latent states:
    eigentree train lpcfg train.ptb --learner cluster --states 8 --em-steps 2 -o cluster.eig
    eigentree train lpcfg train.ptb --learner em --states 2 --em-steps 3 -o em.eig
    eigentree train lpcfg train.ptb --learner markov -o markov.eig
  Another language, with head rules for any label set:
    eigentree train lpcfg train.ptb --heads similarity -o xx.eig")]
pub(crate) struct TrainLpcfgArgs {
    #[command(flatten)]
    data: DataArgs,
    /// Training recipe [default: balanced]
    #[arg(long, value_enum, value_name = "LEVEL", help_heading = "Learning")]
    quality: Option<QualityArg>,
    /// Learner of the latent states [default: from the recipe]
    #[arg(long, value_enum, value_name = "LEARNER", help_heading = "Learning")]
    learner: Option<LearnerArg>,
    /// Maximum number of states per symbol [default: from the recipe]
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u16).range(1..=MAX_STATES), help_heading = "Learning")]
    states: Option<u16>,
    /// Number of models in the ensemble; above 1, each leaves out different features [default: from the recipe]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64), help_heading = "Learning")]
    members: Option<u16>,
    /// Number of EM steps [default: 40 for em, 10 for cluster]
    #[arg(long, value_name = "N", help_heading = "Learning")]
    em_steps: Option<usize>,
    /// Features that describe a node [default: from the recipe]
    #[arg(long, value_enum, value_name = "FEATURES", help_heading = "Learning")]
    features: Option<FeaturesArg>,
    /// Scale down frequent features [default: from the recipe]
    #[arg(long, value_enum, value_name = "SWITCH", help_heading = "Learning")]
    scaling: Option<SwitchArg>,
    /// Shrink directions that may be due to chance [default: from the recipe]
    #[arg(long, value_enum, value_name = "SWITCH", help_heading = "Learning")]
    shrinkage: Option<SwitchArg>,
    /// Back-off constants for rules, words and rare-word classes, such as 10,10,10; one number for all three, or `none`
    /// [default: from the recipe]
    #[arg(long, value_name = "C", conflicts_with = "tune", help_heading = "Learning")]
    smoothing: Option<SmoothingArg>,
    /// Choose the smoothing constants on a tenth of the training trees, then train on all trees
    #[arg(long, help_heading = "Learning")]
    tune: bool,
    #[command(flatten)]
    grammar: GrammarArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum QualityArg {
    /// One small model
    Fast,
    /// One model
    Balanced,
    /// An ensemble of several models
    Best,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum LearnerArg {
    /// Moments of projected nodes (Cohen et al. 2013)
    Spectral,
    /// Clusters of projected nodes, followed by a few EM steps
    Cluster,
    /// Expectation–maximisation from a random start (Matsuzaki et al. 2005)
    Em,
    /// No latent states: the treebank grammar, as in `train pcfg`
    Pcfg,
    /// No latent states, but labels annotated with their parents, as in `train pcfg --markov`
    Markov,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FeaturesArg {
    /// The rule below a node and the rule above it
    Rules,
    /// All features of Cohen et al. (2013)
    Paper,
    /// Those of `paper` and more
    Rich,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SwitchArg {
    On,
    Off,
}

/// Smoothing constants.
#[derive(Clone, Copy, Debug)]
pub(in crate::args) struct SmoothingArg(pub(in crate::args) SmoothingConfig);

impl FromStr for SmoothingArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "none" {
            return Ok(Self(SmoothingConfig::none()));
        }
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|c| c.is_finite() && *c >= 0.0);
        let numbers: Option<Vec<f64>> = text.split(',').map(number).collect();
        let mut smoothing = SmoothingConfig::default();
        (smoothing.rules, smoothing.words, smoothing.classes) = match numbers.as_deref() {
            Some(&[all]) => (all, all, all),
            Some(&[rules, words, classes]) => (rules, words, classes),
            _ => {
                return Err("give one number, three numbers separated by commas such as 10,10,10, or `none`"
                    .to_owned());
            }
        };
        Ok(Self(smoothing))
    }
}

/// The grammar to learn.
pub(crate) enum Learning {
    /// A grammar with latent states.
    Latent(Box<LpcfgConfig>),
    /// A grammar without latent states.
    Plain(Box<PcfgConfig>),
}

/// Validated options of `train lpcfg`.
pub(crate) struct TrainLpcfgJob {
    pub(crate) data: TrainData,
    pub(crate) learning: Learning,
    /// Whether to tune the smoothing constants first.
    pub(crate) tune: bool,
}

impl TrainLpcfgArgs {
    pub(crate) fn build(mut self, seed: u64) -> anyhow::Result<TrainLpcfgJob> {
        let heads = rules_of(self.grammar.head_rules.as_deref())?;
        let plain = self.plain_learner()?;
        let mut learning = match plain {
            Some(_) => Learning::Plain(Box::default()),
            None => Learning::Latent(Box::new(self.recipe(seed))),
        };
        if plain == Some(LearnerArg::Markov) {
            (self.grammar.horizontal, self.grammar.vertical) = (Some(1), Some(2));
        }
        match &mut learning {
            Learning::Plain(config) => self.grammar.apply(config, &heads),
            Learning::Latent(config) => {
                self.grammar.apply(&mut config.grammar, &heads);
                config.heads = heads;
            }
        }
        let data = self.data.build(self.grammar.head_rules.as_deref())?;
        Ok(TrainLpcfgJob { data, learning, tune: self.tune })
    }

    /// The chosen learner, if it is one without latent states. It refuses most options.
    fn plain_learner(&self) -> Result<Option<LearnerArg>, UsageError> {
        let Some(learner @ (LearnerArg::Pcfg | LearnerArg::Markov)) = self.learner else { return Ok(None) };
        let markov = learner == LearnerArg::Markov;
        let given = [
            (self.quality.is_some(), "--quality"),
            (self.states.is_some(), "--states"),
            (self.members.is_some(), "--members"),
            (self.em_steps.is_some(), "--em-steps"),
            (self.features.is_some(), "--features"),
            (self.scaling.is_some(), "--scaling"),
            (self.shrinkage.is_some(), "--shrinkage"),
            (self.smoothing.is_some(), "--smoothing"),
            (self.tune, "--tune"),
            (
                self.grammar.head_rules.is_some() && self.grammar.binarize != Some(BinarizeArg::Head),
                "--head-rules without --binarize head",
            ),
            (markov && self.grammar.horizontal.is_some(), "--horizontal"),
            (markov && self.grammar.vertical.is_some(), "--vertical"),
        ];
        match given.into_iter().find(|&(given, _)| given) {
            None => Ok(Some(learner)),
            Some((_, option)) => {
                let name = if markov { "markov" } else { "pcfg" };
                Err(UsageError(format!(
                    "{option} does not apply to --learner {name}; drop one of the two options"
                )))
            }
        }
    }

    /// The recipe, with the changes given by options.
    fn recipe(&self, seed: u64) -> LpcfgConfig {
        let quality = match self.quality {
            Some(QualityArg::Fast) => Quality::Fast,
            None | Some(QualityArg::Balanced) => Quality::Balanced,
            Some(QualityArg::Best) => Quality::Best,
        };
        let mut config = LpcfgConfig::quality(quality);
        // A learner without a recipe means a single model.
        let alone = self.learner.is_some() && self.quality.is_none();
        if let Some(count) = self.members.map(usize::from).or(alone.then_some(1)) {
            let given = config.members.len();
            config.members =
                (0..count).map(|number| config.members[number * given / count].clone()).collect();
            config.companions.clear();
        }
        let several = config.members.len() > 1;
        let companions = config.companions.iter_mut().flat_map(|companion| &mut companion.members);
        for member in config.members.iter_mut().chain(companions) {
            *member = self.member(member, several);
        }
        if let Some(SmoothingArg(smoothing)) = self.smoothing {
            config.smoothing = smoothing;
        }
        config.with_seed(seed)
    }

    /// A member with the changes given by options; `several` if it is one of many.
    fn member(&self, member: &Method, several: bool) -> Method {
        let (mut spectral, of_recipe) = match member {
            Method::Spectral(spectral) => (spectral.clone(), None),
            Method::Cluster { spectral, steps } => (spectral.clone(), Some(*steps)),
            Method::Em { states, steps, .. } => {
                (SpectralConfig { states: *states, ..SpectralConfig::default() }, Some(*steps))
            }
        };
        if let Some(states) = self.states {
            spectral.states = usize::from(states);
        }
        if let Some(features) = self.features {
            spectral.features = match features {
                FeaturesArg::Rules => FeatureSet::Rules,
                FeaturesArg::Paper => FeatureSet::Paper,
                FeaturesArg::Rich => FeatureSet::Rich,
            };
        }
        match self.scaling {
            Some(SwitchArg::Off) => spectral.scaling = Scaling::None,
            Some(SwitchArg::On) => spectral.scaling = Scaling::default(),
            None => {}
        }
        match self.shrinkage {
            Some(SwitchArg::Off) => spectral.shrinkage = Shrinkage::None,
            Some(SwitchArg::On) => spectral.shrinkage = Shrinkage::default(),
            None => {}
        }
        // Members that see the same features would make the same predictions.
        match several {
            true if spectral.dropout == 0.0 => spectral.dropout = DROPOUT,
            true => {}
            false => spectral.dropout = 0.0,
        }
        let cluster_steps = || self.em_steps.or(of_recipe).unwrap_or(CLUSTER_STEPS);
        match (self.learner, member) {
            (Some(LearnerArg::Em), _) => {
                Method::Em { states: spectral.states, steps: self.em_steps.unwrap_or(EM_STEPS), seed: 0 }
            }
            (None, Method::Em { .. }) => {
                Method::Em { states: spectral.states, steps: cluster_steps(), seed: 0 }
            }
            (Some(LearnerArg::Cluster), _) | (None, Method::Cluster { .. }) => {
                Method::Cluster { steps: cluster_steps(), spectral }
            }
            _ => Method::Spectral(spectral),
        }
    }
}
