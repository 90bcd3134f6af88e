//! Options of `train lpcfg`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use eigentree::models::lpcfg::{
    FeatureSet, LexicalSmoothing, Quality, Recipe, Shrinkage, SmoothingConfig, Stacking, StateLearner,
};
use eigentree::models::pcfg::{self, PcfgConfig};
use eigentree::parsing::TagUse;
use eigentree::spectral::moments::Scaling;
use eigentree::training::{LpcfgJob, PcfgJob, Preset, Tuning};

use super::super::heads::{BinarizeArg, rules_of};
use super::data::{DataArgs, TrainData};
use super::grammar::GrammarArgs;
use super::numbers::not_negative;
use crate::args::numbers::{MAX_STEPS, numbers};
use crate::failure::UsageError;

/// Upper limit of `--states`.
pub(in crate::args) const MAX_STATES: i64 = 256;

/// Train a grammar with latent states on constituency trees
///
/// Each symbol of the treebank grammar is refined by hidden states, learnt from the inside and outside context of its
/// nodes. --quality selects a complete recipe; the options below it change parts of the recipe.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  A parser, scored on a development set with gold tags and from words alone:
    eigentree train lpcfg train.ptb --dev dev.ptb -o en.eig
  More grammars below the span model, and the fastest training:
    eigentree train lpcfg train.ptb --quality best -o best.eig
    eigentree train lpcfg train.ptb --quality fast -o fast.eig
  The grammars alone, without the span model that chooses among their trees:
    eigentree train lpcfg train.ptb --spans off -o grammars.eig
  With word clusters from raw text, which `eigentree cluster` makes:
    eigentree train lpcfg train.ptb --clusters paths.txt -o en.eig
  Smoothing constants tuned on a tenth of the training trees:
    eigentree train lpcfg train.ptb --tune -o tuned.eig
  Numbers of states chosen symbol by symbol on the same trees:
    eigentree train lpcfg train.ptb --learner spectral --states 4 --tune-states -o states.eig
  Other learners of the same model, and the baseline without latent states:
    eigentree train lpcfg train.ptb --learner cluster --states 8 --em-steps 2 -o cluster.eig
    eigentree train lpcfg train.ptb --learner em --states 2 --em-steps 3 -o em.eig
    eigentree train lpcfg train.ptb --learner markov -o markov.eig
  Exactly the method of Cohen et al. (2013), with its constants tuned on held-out trees:
    eigentree train lpcfg train.ptb --paper --states 16 --tune -o paper.eig
  Another language, with head rules for any label set:
    eigentree train lpcfg train.ptb --heads similarity -o xx.eig")]
pub(crate) struct TrainLpcfgArgs {
    #[command(flatten)]
    data: DataArgs,
    /// Training recipe [default: balanced]
    #[arg(long, value_enum, value_name = "LEVEL", help_heading = "Learning")]
    quality: Option<QualityArg>,
    /// Exactly the method of Cohen et al. (2013), without our extensions; the report names all constants
    #[arg(long, conflicts_with_all = ["quality", "members", "spans", "networks", "clusters"], help_heading = "Learning")]
    paper: bool,
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
    #[arg(long, value_name = "N", value_parser = numbers(0..=MAX_STEPS), help_heading = "Learning")]
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
    /// κ, added to the count of every feature when features are scaled [default: 5]
    #[arg(long, value_name = "KAPPA", value_parser = not_negative, help_heading = "Learning")]
    kappa: Option<f64>,
    /// Minimum number of nodes per state of a symbol; 0 gives every symbol all states [default: 30; 0 with --paper]
    #[arg(long, value_name = "N", value_parser = not_negative, help_heading = "Learning")]
    nodes_per_state: Option<f64>,
    /// Drop directions whose singular value is below this share of the largest [default: 0.01; 0 with --paper]
    #[arg(long, value_name = "RATIO", value_parser = not_negative, help_heading = "Learning")]
    min_singular_ratio: Option<f64>,
    /// Accuracy of the singular vectors [default: 0.01; 0.001 with --paper]
    #[arg(long, value_name = "RESIDUAL", value_parser = not_negative, help_heading = "Learning")]
    tolerance: Option<f64>,
    /// With --paper: ν, the share of its own estimate that a rare word keeps [default: 0.5]
    #[arg(long, value_name = "NU", value_parser = not_negative, requires = "paper", conflicts_with = "tune", help_heading = "Learning")]
    nu: Option<f64>,
    /// With --paper: words seen less often than this with a tag are rare [default: 10]
    #[arg(long, value_name = "COUNT", value_parser = not_negative, requires = "paper", conflicts_with = "tune", help_heading = "Learning")]
    nu_below: Option<f64>,
    /// Let a span model choose among the trees that the grammar finds plausible [default: from the recipe]
    #[arg(long, value_enum, value_name = "SWITCH", help_heading = "Learning")]
    spans: Option<SwitchArg>,
    /// Networks of the span model beside the weights of its features; they help with large treebanks [default: 1 with --quality
    /// best, else 0]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=16), help_heading = "Learning")]
    networks: Option<u16>,
    /// Back-off constants for rules, words and rare-word classes, such as 10,10,10; one number for all three, or `none`
    /// [default: from the recipe]. With --paper one number, C of the rules
    #[arg(long, value_name = "C", conflicts_with = "tune", help_heading = "Learning")]
    smoothing: Option<SmoothingArg>,
    /// Choose the smoothing constants on a tenth of the training trees, then train on all trees
    #[arg(long, help_heading = "Learning")]
    tune: bool,
    /// Choose the number of states of each symbol on a tenth of the training trees, at most --states, then train on all
    /// trees
    #[arg(long, help_heading = "Learning")]
    tune_states: bool,
    /// Word clusters for rare and unknown words and for the features of spans, as written by `cluster`
    #[arg(long, value_name = "PATHS", help_heading = "Features")]
    clusters: Option<PathBuf>,
    #[command(flatten)]
    grammar: GrammarArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum QualityArg {
    /// One small model
    Fast,
    /// Two models, and a span model that chooses among their trees
    Balanced,
    /// Three larger models below the span model, which has a network
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

impl From<QualityArg> for Quality {
    fn from(quality: QualityArg) -> Self {
        match quality {
            QualityArg::Fast => Quality::Fast,
            QualityArg::Balanced => Quality::Balanced,
            QualityArg::Best => Quality::Best,
        }
    }
}

impl From<FeaturesArg> for FeatureSet {
    fn from(features: FeaturesArg) -> Self {
        match features {
            FeaturesArg::Rules => FeatureSet::Rules,
            FeaturesArg::Paper => FeatureSet::Paper,
            FeaturesArg::Rich => FeatureSet::Rich,
        }
    }
}

/// The two kinds of grammar that `train lpcfg` learns.
pub(crate) enum GrammarJob {
    Latent(Box<LpcfgJob>),
    Plain(Box<PcfgJob>),
}

/// Files of `train lpcfg`.
pub(crate) struct LpcfgFiles {
    pub(crate) data: TrainData,
    pub(crate) clusters: Option<PathBuf>,
}

impl TrainLpcfgArgs {
    pub(crate) fn build(mut self, seed: u64) -> anyhow::Result<(LpcfgFiles, GrammarJob)> {
        let heads = rules_of(self.grammar.head_rules.as_deref())?;
        let plain = self.plain_learner()?;
        if self.paper && self.learner == Some(LearnerArg::Cluster) {
            return Err(UsageError(
                "--learner cluster is not in the paper; drop --paper, or choose spectral, em, pcfg or markov"
                    .to_owned(),
            )
            .into());
        }
        let recipe = self.recipe(seed);
        if plain.is_none()
            && self.networks.is_some_and(|networks| networks > 0)
            && recipe.config().spans.is_none()
        {
            return Err(UsageError(
                "--networks score beside a span model, and this recipe has none; add --spans on, or drop --networks"
                    .to_owned(),
            )
            .into());
        }
        let others = self.grammar.head_rules.iter().chain(&self.clusters);
        let data = self.data.build(others.map(PathBuf::as_path))?;
        let annotation = data.annotation;
        let files = LpcfgFiles { data, clusters: self.clusters };
        if plain == Some(LearnerArg::Markov) {
            (self.grammar.horizontal, self.grammar.vertical) = (Some(1), Some(2));
        }
        if plain.is_some() {
            let mut config = PcfgConfig::default();
            let mut parser = pcfg::ParserConfig::default();
            if self.paper {
                config = Recipe { preset: Preset::Paper, ..Recipe::default() }.config().grammar;
                parser.decoding = pcfg::Decoding::MaxRuleSum;
            }
            self.grammar.apply(&mut config, &heads);
            let mut job = PcfgJob::new(config);
            job.parser = parser;
            job.annotation = annotation;
            job.scored_tags = vec![TagUse::Given, TagUse::Predicted];
            return Ok((files, GrammarJob::Plain(Box::new(job))));
        }
        let mut job = LpcfgJob::from(recipe);
        self.grammar.apply(&mut job.config.grammar, &heads);
        job.config.heads = heads;
        job.annotation = annotation;
        let tuning = |asked: bool| if asked { Tuning::HeldOut { seed } } else { Tuning::Fixed };
        (job.tuning, job.state_tuning) = (tuning(self.tune), tuning(self.tune_states));
        Ok((files, GrammarJob::Latent(Box::new(job))))
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
            (self.spans.is_some(), "--spans"),
            (self.networks.is_some(), "--networks"),
            (self.kappa.is_some(), "--kappa"),
            (self.nodes_per_state.is_some(), "--nodes-per-state"),
            (self.min_singular_ratio.is_some(), "--min-singular-ratio"),
            (self.tolerance.is_some(), "--tolerance"),
            (self.nu.is_some(), "--nu"),
            (self.nu_below.is_some(), "--nu-below"),
            (self.tune, "--tune"),
            (self.tune_states, "--tune-states"),
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

    /// The constants of smoothing, if any were given.
    fn smoothing(&self) -> Option<SmoothingConfig> {
        let given = self.smoothing.map(|SmoothingArg(smoothing)| smoothing);
        if !self.paper || (given.is_none() && self.nu.is_none() && self.nu_below.is_none()) {
            return given;
        }
        let mut smoothing = SmoothingConfig::paper();
        if let Some(given) = given {
            smoothing.rules = given.rules;
            if given == SmoothingConfig::none() {
                return Some(given);
            }
        }
        if let LexicalSmoothing::Constant { own, below } = &mut smoothing.lexical {
            *own = self.nu.unwrap_or(*own);
            *below = self.nu_below.unwrap_or(*below);
        }
        Some(smoothing)
    }

    fn recipe(&self, seed: u64) -> Recipe {
        Recipe {
            quality: self.quality.map(Quality::from),
            preset: if self.paper { Preset::Paper } else { Preset::Own },
            learner: self.learner.and_then(|learner| match learner {
                LearnerArg::Spectral => Some(StateLearner::Spectral),
                LearnerArg::Cluster => Some(StateLearner::Cluster),
                LearnerArg::Em => Some(StateLearner::Em),
                LearnerArg::Pcfg | LearnerArg::Markov => None,
            }),
            states: self.states.map(usize::from),
            members: self.members.map(usize::from),
            em_steps: self.em_steps,
            features: self.features.map(FeatureSet::from),
            scaling: match (self.scaling, self.kappa) {
                (Some(SwitchArg::Off), _) => Some(Scaling::None),
                (_, Some(pseudo_count)) => Some(Scaling::DiagonalCca { pseudo_count }),
                (Some(SwitchArg::On), None) => Some(Scaling::default()),
                (None, None) => None,
            },
            shrinkage: self.shrinkage.map(|shrinkage| match shrinkage {
                SwitchArg::On => Shrinkage::default(),
                SwitchArg::Off => Shrinkage::None,
            }),
            nodes_per_state: self.nodes_per_state,
            min_singular_ratio: self.min_singular_ratio,
            tolerance: self.tolerance,
            smoothing: self.smoothing(),
            stacking: self.spans.map(|spans| match spans {
                SwitchArg::On => Stacking::Spans,
                SwitchArg::Off => Stacking::Grammars,
            }),
            networks: self.networks.map(usize::from),
            seed,
        }
    }
}
