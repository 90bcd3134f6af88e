//! `train lpcfg`: options and what they mean.

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

/// The largest number of states that can be asked for.
pub(in crate::args) const MAX_STATES: i64 = 256;
/// Steps of expectation–maximisation unless told otherwise: from a random start, and from clusters.
const EM_STEPS: usize = 40;
const CLUSTER_STEPS: usize = 10;
/// What several members of one kind leave out each, so that they differ.
const DROPOUT: f64 = 0.1;

/// Learn a grammar with latent states from constituency trees
///
/// Each symbol of the treebank grammar is refined by hidden states, learnt from what stands inside and outside its nodes.
/// --quality is a whole recipe; the options below it change parts of one.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  A parser, scored on a development set with the tags of the treebank and from words alone:
    eigentree train lpcfg train.ptb --dev dev.ptb -o en.eig
  The most accurate, or the quickest:
    eigentree train lpcfg train.ptb --quality best -o best.eig
    eigentree train lpcfg train.ptb --quality fast -o fast.eig
  Smoothing chosen on a tenth of the training trees:
    eigentree train lpcfg train.ptb --tune -o tuned.eig
  Other learners of the same model, and the baselines without states:
    eigentree train lpcfg train.ptb --learner cluster --states 8 --em-steps 2 -o cluster.eig
    eigentree train lpcfg train.ptb --learner em --states 2 --em-steps 3 -o em.eig
    eigentree train lpcfg train.ptb --learner markov -o markov.eig
  Another language, with head rules for any labels:
    eigentree train lpcfg train.ptb --heads similarity -o xx.eig")]
pub(crate) struct TrainLpcfgArgs {
    #[command(flatten)]
    data: DataArgs,
    /// The recipe [default: balanced]
    #[arg(long, value_enum, value_name = "HOW-GOOD", help_heading = "Learning")]
    quality: Option<QualityArg>,
    /// How states are learnt [default: as the recipe has it]
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Learning")]
    learner: Option<LearnerArg>,
    /// The most states that a symbol may have [default: as the recipe has it]
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u16).range(1..=MAX_STATES), help_heading = "Learning")]
    states: Option<u16>,
    /// How many models decide together; above 1 each leaves out other features
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64), help_heading = "Learning")]
    members: Option<u16>,
    /// Steps of expectation–maximisation [default: 40 for em, 10 for cluster]
    #[arg(long, value_name = "N", help_heading = "Learning")]
    em_steps: Option<usize>,
    /// What describes a node
    #[arg(long, value_enum, value_name = "WHICH", help_heading = "Learning")]
    features: Option<FeaturesArg>,
    /// Whether frequent features are scaled down
    #[arg(long, value_enum, value_name = "ON-OFF", help_heading = "Learning")]
    scaling: Option<SwitchArg>,
    /// Whether directions that chance explains count less
    #[arg(long, value_enum, value_name = "ON-OFF", help_heading = "Learning")]
    shrinkage: Option<SwitchArg>,
    /// Constants of the back-off of rules, words and classes of rare words, as in 10,10,10; one number for all, or `none`
    #[arg(long, value_name = "C", conflicts_with = "tune", help_heading = "Learning")]
    smoothing: Option<SmoothingArg>,
    /// Choose the constants of smoothing on a tenth of the training trees, then learn from all
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
    /// Several models that decide together
    Best,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum LearnerArg {
    /// Moments of projected nodes (Cohen et al. 2013)
    Spectral,
    /// Clusters of projected nodes, then some steps of expectation–maximisation
    Cluster,
    /// Expectation–maximisation from a random start (Matsuzaki et al. 2005)
    Em,
    /// No states: the treebank grammar, as `train pcfg`
    Pcfg,
    /// No states, but labels with their parents, as `train pcfg --markov`
    Markov,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FeaturesArg {
    /// The rule below a node and the rule above it
    Rules,
    /// All of Cohen et al. (2013)
    Paper,
    /// These and more
    Rich,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SwitchArg {
    On,
    Off,
}

/// The constants of smoothing.
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
            _ => return Err("give one number, three between commas, such as 10,10,10, or `none`".to_owned()),
        };
        Ok(Self(smoothing))
    }
}

/// What is to be learnt.
pub(crate) enum Learning {
    /// A grammar with latent states.
    Latent(Box<LpcfgConfig>),
    /// A grammar without.
    Plain(Box<PcfgConfig>),
}

/// What is to be done.
pub(crate) struct TrainLpcfgJob {
    pub(crate) data: TrainData,
    pub(crate) learning: Learning,
    /// Whether the constants of smoothing are chosen first.
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

    /// The learner without states, if one was asked for: it has no use for most options.
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
                Err(UsageError(format!("{option} has no meaning for --learner {name}; drop one of them")))
            }
        }
    }

    /// The recipe, with the changes that were asked for.
    fn recipe(&self, seed: u64) -> LpcfgConfig {
        let quality = match self.quality {
            Some(QualityArg::Fast) => Quality::Fast,
            None | Some(QualityArg::Balanced) => Quality::Balanced,
            Some(QualityArg::Best) => Quality::Best,
        };
        let mut config = LpcfgConfig::quality(quality);
        // Who names a learner and no recipe wants one model of it.
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

    /// A member with the changes that were asked for; `several` if there are others.
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
        // Members that see the same would say the same.
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
