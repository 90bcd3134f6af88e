//! Recipes: named configurations, and changes to parts of them.

use corpus::tree::binarize::Horizontal;
use corpus::tree::heads::HeadRules;
use corpus::tree::normal_form::NormalForm;
use spectral::moments::Scaling;

use super::config::{
    LpcfgConfig, Method, Precision, Shrinkage, SmoothingConfig, SpectralConfig, StateLimits,
};
use super::features::FeatureSet;
use crate::grammar::{RuleSmoothing, SiblingSmoothing};
use crate::lexicon::LexiconConfig;
use crate::pcfg::PcfgConfig;
use crate::spans::SpanConfig;
use models::constants::Preset;
use models::quality::Quality;

/// The seed unless another is given.
const SEED: u64 = 1;
/// Steps of expectation–maximisation from a random start, unless a number is given.
const EM_STEPS: usize = 40;
/// Steps that follow clusters, unless a number is given.
const CLUSTER_STEPS: usize = 10;
/// States of a symbol in the configuration of the paper, unless a number is given.
const PAPER_STATES: usize = 16;
/// The most states of a symbol below a span model, which makes up for the others: with clusters on GUM's development set 8
/// states have 87.16 from words and 88.04 with gold tags, 16 have 87.03 and 87.92.
const STATES_BELOW_SPANS: usize = 8;
/// The same for the larger recipe, whose 12 states have 87.16 and 87.88; 24 and 16 have 87.14 and 87.92, 8 have 86.97 and 87.93.
const MORE_STATES_BELOW_SPANS: usize = 12;
/// The states of the sketch that prunes below a span model.
const SKETCH: u32 = 4;
/// The share of features that each of several members leaves out, so that they differ.
const DROPOUT: f64 = 0.1;

impl Default for LpcfgConfig {
    fn default() -> Self {
        Self::quality(Quality::default())
    }
}

impl LpcfgConfig {
    /// The grammars of a quality level, without a span model, below which [`Recipe`] gives them fewer states.
    ///
    /// - Fast: one spectral model with 8 states.
    /// - Balanced: one spectral model and one of clustered nodes, with 16 states each.
    /// - Best: one spectral model with 24 states and two of clustered nodes with 16.
    pub fn quality(quality: Quality) -> Self {
        let spectral = |states, dropout| SpectralConfig { states, dropout, ..SpectralConfig::default() };
        // Beside a spectral model, clusters that see what it damps add more: with clusters on GUM's development set `balanced` has
        // 87.06 from words and 87.86 with gold tags, and 86.94 and 87.80 where clusters are damped, too.
        let clusters = || Method::Cluster {
            spectral: SpectralConfig { shrinkage: Shrinkage::None, ..spectral(16, DROPOUT) },
            steps: 8,
        };
        let members = match quality {
            Quality::Fast => vec![Method::Spectral(spectral(8, 0.0))],
            Quality::Balanced => vec![Method::Spectral(spectral(16, DROPOUT)), clusters()],
            Quality::Best => vec![Method::Spectral(spectral(24, DROPOUT)), clusters(), clusters()],
        };
        Self { members, ..Self::bare() }.with_seed(SEED)
    }

    /// The method of Cohen et al. (2013), whose states this method learns: binarisation without memory, relative
    /// frequencies of rules and words, one model. EM takes plain steps, as in the paper.
    pub fn paper(method: Method) -> Self {
        let smoothing = match method {
            Method::Em { .. } => SmoothingConfig::none(),
            Method::Spectral(_) | Method::Cluster { .. } => SmoothingConfig::paper(),
        };
        let normal_form = NormalForm { horizontal: Horizontal::Order(0), ..NormalForm::default() };
        let (rule_smoothing, lexicon) = (RuleSmoothing::None, LexiconConfig::plain());
        let grammar = PcfgConfig { normal_form, rule_smoothing, lexicon, clusters: None };
        Self { grammar, members: vec![method], smoothing, ..Self::bare() }
    }

    /// A single model, whose states this method learns.
    pub fn single(method: Method) -> Self {
        Self { members: vec![method], ..Self::bare() }
    }

    /// What all recipes share, without members.
    fn bare() -> Self {
        Self {
            grammar: PcfgConfig {
                rule_smoothing: RuleSmoothing::Siblings(SiblingSmoothing::default()),
                ..PcfgConfig::default()
            },
            heads: HeadRules::english(),
            members: Vec::new(),
            companions: Vec::new(),
            smoothing: SmoothingConfig::default(),
            precision: Precision::default(),
            sketch: None,
            spans: None,
        }
    }

    /// The same configuration with these limits for the states of all members that are projected.
    pub fn with_limits(mut self, limits: &StateLimits) -> Self {
        let companions = self.companions.iter_mut().flat_map(|companion| &mut companion.members);
        for member in self.members.iter_mut().chain(companions) {
            if let Method::Spectral(spectral) | Method::Cluster { spectral, .. } = member {
                spectral.limits = limits.clone();
            }
        }
        self
    }

    /// The same configuration with seeds derived from this one, a different one per member.
    pub fn with_seed(mut self, seed: u64) -> Self {
        let companions = self.companions.iter_mut().flat_map(|companion| &mut companion.members);
        for (number, member) in self.members.iter_mut().chain(companions).enumerate() {
            let own = seed.wrapping_add(number as u64);
            match member {
                Method::Spectral(spectral) | Method::Cluster { spectral, .. } => spectral.seed = own,
                Method::Em { seed, .. } => *seed = own,
            }
        }
        if let Some(spans) = &mut self.spans {
            spans.seed = seed;
        }
        self
    }
}

impl Method {
    /// Leaves at most this many states per symbol.
    fn limit(&mut self, most: usize) {
        let states = match self {
            Method::Spectral(spectral) | Method::Cluster { spectral, .. } => &mut spectral.states,
            Method::Em { states, .. } => states,
        };
        *states = most.min(*states);
    }
}

/// Whether a span model chooses among the trees of the grammars.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stacking {
    /// The grammars alone choose.
    Grammars,
    /// A span model chooses.
    Spans,
}

/// The learner of the states of a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StateLearner {
    /// Moments of projected nodes.
    Spectral,
    /// Clusters of projected nodes, then expectation–maximisation.
    Cluster,
    /// Expectation–maximisation from a random start.
    Em,
}

/// A recipe with changes. A field that is `None` keeps the value of the recipe.
///
/// ```
/// use eigentree_grammars::lpcfg::{Recipe, StateLearner};
/// let recipe = Recipe { learner: Some(StateLearner::Em), states: Some(4), ..Recipe::default() };
/// assert_eq!(recipe.config().members.len(), 1);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Recipe {
    /// The recipe. The default is [`Quality::Balanced`], or a single model if a learner is named.
    pub quality: Option<Quality>,
    /// Whose method it is. The method of Cohen et al. (2013) is one model, and ignores `quality`.
    pub preset: Preset,
    /// The learner of all members.
    pub learner: Option<StateLearner>,
    /// Maximum number of states per symbol.
    pub states: Option<usize>,
    /// Number of members. If there are several, each sees a different part of the features.
    pub members: Option<usize>,
    /// Steps of expectation–maximisation.
    pub em_steps: Option<usize>,
    /// The features that describe a node.
    pub features: Option<FeatureSet>,
    /// The scaling of features.
    pub scaling: Option<Scaling>,
    /// The shrinkage of directions that chance explains.
    pub shrinkage: Option<Shrinkage>,
    /// Minimum number of nodes per state.
    pub nodes_per_state: Option<f64>,
    /// States are limited to singular values above this share of the largest.
    pub min_singular_ratio: Option<f64>,
    /// Accuracy of the decompositions.
    pub tolerance: Option<f64>,
    /// The constants of smoothing.
    pub smoothing: Option<SmoothingConfig>,
    /// Whether a span model chooses the trees. By default it does for [`Quality::Balanced`] and [`Quality::Best`], unless
    /// a learner is named without a recipe.
    pub stacking: Option<Stacking>,
    /// Number of networks of the span model. By default [`Quality::Best`] has one, and the others none.
    pub networks: Option<usize>,
    /// The seed from which the seeds of the members are derived.
    pub seed: u64,
}

impl Default for Recipe {
    fn default() -> Self {
        Self {
            quality: None,
            preset: Preset::Own,
            learner: None,
            states: None,
            members: None,
            em_steps: None,
            features: None,
            scaling: None,
            shrinkage: None,
            nodes_per_state: None,
            min_singular_ratio: None,
            tolerance: None,
            smoothing: None,
            stacking: None,
            networks: None,
            seed: SEED,
        }
    }
}

impl Recipe {
    /// The configuration.
    pub fn config(&self) -> LpcfgConfig {
        let mut config = match self.preset {
            Preset::Own => LpcfgConfig::quality(self.quality.unwrap_or_default()),
            Preset::Paper => LpcfgConfig::paper(Method::Spectral(SpectralConfig::paper(PAPER_STATES))),
        };
        // Naming a learner but no recipe asks for one model of it.
        let alone = self.learner.is_some() && self.quality.is_none();
        if let Some(count) = self.members.or(alone.then_some(1)) {
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
        let plain_steps = config.members.iter().all(|member| matches!(member, Method::Em { .. }));
        if self.preset == Preset::Paper && plain_steps {
            config.smoothing = SmoothingConfig::none();
        }
        if let Some(smoothing) = self.smoothing {
            config.smoothing = smoothing;
        }
        let usual = match self.quality.unwrap_or_default() {
            Quality::Balanced | Quality::Best if !alone && self.preset == Preset::Own => Stacking::Spans,
            Quality::Fast | Quality::Balanced | Quality::Best => Stacking::Grammars,
        };
        config.spans = match self.stacking.unwrap_or(usual) {
            Stacking::Grammars => None,
            Stacking::Spans => {
                let usual = usize::from(self.quality == Some(Quality::Best));
                Some(SpanConfig::default().with_networks(self.networks.unwrap_or(usual)))
            }
        };
        // A learner that is named is compared with others, without anything between it and its trees.
        if config.spans.is_some() && self.learner.is_none() && self.preset == Preset::Own {
            config.precision = Precision::Half;
            config.sketch = Some(SKETCH);
            if self.states.is_none() {
                let most = match self.quality.unwrap_or_default() {
                    Quality::Fast | Quality::Balanced => STATES_BELOW_SPANS,
                    Quality::Best => MORE_STATES_BELOW_SPANS,
                };
                let companions = config.companions.iter_mut().flat_map(|companion| &mut companion.members);
                config.members.iter_mut().chain(companions).for_each(|member| member.limit(most));
            }
        }
        config.with_seed(self.seed)
    }

    /// A member with the changes; `several` if there are others.
    fn member(&self, member: &Method, several: bool) -> Method {
        let (mut spectral, of_recipe) = match member {
            Method::Spectral(spectral) => (spectral.clone(), None),
            Method::Cluster { spectral, steps } => (spectral.clone(), Some(*steps)),
            Method::Em { states, steps, .. } => {
                (SpectralConfig { states: *states, ..SpectralConfig::default() }, Some(*steps))
            }
        };
        spectral.states = self.states.unwrap_or(spectral.states);
        spectral.features = self.features.unwrap_or(spectral.features);
        spectral.scaling = self.scaling.unwrap_or(spectral.scaling);
        spectral.shrinkage = match (self.shrinkage, self.learner) {
            (Some(shrinkage), _) => shrinkage,
            // A learner that is named gets all that it needs, whatever it had beside others.
            (None, Some(_)) if self.preset == Preset::Own => Shrinkage::default(),
            (None, _) => spectral.shrinkage,
        };
        spectral.nodes_per_state = self.nodes_per_state.unwrap_or(spectral.nodes_per_state);
        spectral.min_singular_ratio = self.min_singular_ratio.unwrap_or(spectral.min_singular_ratio);
        spectral.tolerance = self.tolerance.unwrap_or(spectral.tolerance);
        // Members that see the same features would agree on everything.
        match several {
            true if spectral.dropout == 0.0 => spectral.dropout = DROPOUT,
            true => {}
            false => spectral.dropout = 0.0,
        }
        let cluster_steps = || self.em_steps.or(of_recipe).unwrap_or(CLUSTER_STEPS);
        match (self.learner, member) {
            (Some(StateLearner::Em), _) => {
                Method::Em { states: spectral.states, steps: self.em_steps.unwrap_or(EM_STEPS), seed: 0 }
            }
            (None, Method::Em { .. }) => {
                Method::Em { states: spectral.states, steps: cluster_steps(), seed: 0 }
            }
            (Some(StateLearner::Cluster), _) | (None, Method::Cluster { .. }) => {
                Method::Cluster { steps: cluster_steps(), spectral }
            }
            _ => Method::Spectral(spectral),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_without_changes_is_the_recipe() {
        for quality in [Quality::Fast, Quality::Balanced, Quality::Best] {
            let stacking = Some(Stacking::Grammars);
            let recipe = Recipe { quality: Some(quality), stacking, ..Recipe::default() }.config();
            let whole = LpcfgConfig::quality(quality);
            assert_eq!(recipe.members, whole.members);
            assert_eq!(recipe.smoothing, whole.smoothing);
            for (one, other) in recipe.companions.iter().zip(&whole.companions) {
                assert_eq!(one.members, other.members);
            }
        }
    }

    #[test]
    fn below_a_span_model_there_are_fewer_states_unless_a_number_is_given() {
        let states = |recipe: Recipe| {
            let members = recipe.config().members;
            members.iter().filter_map(|member| Some(member.projection()?.states)).collect::<Vec<_>>()
        };
        assert_eq!(states(Recipe::default()), [STATES_BELOW_SPANS; 2]);
        assert_eq!(states(Recipe { states: Some(12), ..Recipe::default() }), [12; 2]);
        let best = Recipe { quality: Some(Quality::Best), ..Recipe::default() };
        assert_eq!(states(best), [MORE_STATES_BELOW_SPANS; 3]);
        let alone = Recipe { stacking: Some(Stacking::Grammars), ..Recipe::default() };
        assert_eq!(states(alone), [16; 2]);
    }

    #[test]
    fn members_differ_in_their_seeds_and_a_single_one_sees_all_features() {
        let recipe = Recipe { members: Some(3), seed: 5, ..Recipe::default() };
        let of = |method: &Method| method.projection().map(|spectral| (spectral.seed, spectral.dropout));
        let members: Vec<_> = recipe.config().members.iter().map(of).collect();
        assert_eq!(members, [5, 6, 7].map(|seed| Some((seed, DROPOUT))));
        let recipe = Recipe { learner: Some(StateLearner::Spectral), ..Recipe::default() };
        assert_eq!(recipe.config().members.iter().map(of).collect::<Vec<_>>(), [Some((1, 0.0))]);
    }

    #[test]
    fn networks_belong_to_the_best_recipe_or_are_asked_for() {
        let networks = |recipe: Recipe| recipe.config().spans.map(|spans| spans.network.members);
        let best = Recipe { quality: Some(Quality::Best), ..Recipe::default() };
        assert_eq!(networks(best.clone()), Some(1));
        assert_eq!(networks(Recipe { networks: Some(0), ..best }), Some(0));
        assert_eq!(networks(Recipe::default()), Some(0));
        assert_eq!(networks(Recipe { networks: Some(2), ..Recipe::default() }), Some(2));
    }

    #[test]
    fn clusters_are_damped_where_they_stand_alone() {
        let shrinkages = |recipe: Recipe| {
            let members = recipe.config().members;
            members.iter().filter_map(|member| Some(member.projection()?.shrinkage)).collect::<Vec<_>>()
        };
        assert_eq!(shrinkages(Recipe::default()), [Shrinkage::default(), Shrinkage::None]);
        for learner in [StateLearner::Cluster, StateLearner::Spectral] {
            let alone = Recipe { learner: Some(learner), ..Recipe::default() };
            assert_eq!(shrinkages(alone.clone()), [Shrinkage::default()]);
            let three = Recipe { quality: Some(Quality::Best), ..alone };
            assert_eq!(shrinkages(three), [Shrinkage::default(); 3]);
        }
        let given = Recipe { shrinkage: Some(Shrinkage::default()), ..Recipe::default() };
        assert_eq!(shrinkages(given), [Shrinkage::default(); 2]);
    }

    #[test]
    fn a_named_learner_and_the_fast_recipe_have_no_span_model_unless_asked_for() {
        let spans = |recipe: Recipe| recipe.config().spans.map(|spans| spans.seed);
        assert_eq!(spans(Recipe { seed: 7, ..Recipe::default() }), Some(7));
        assert_eq!(spans(Recipe { quality: Some(Quality::Fast), ..Recipe::default() }), None);
        assert_eq!(spans(Recipe { quality: Some(Quality::Best), ..Recipe::default() }), Some(1));
        let alone = Recipe { learner: Some(StateLearner::Spectral), ..Recipe::default() };
        assert_eq!(spans(alone.clone()), None);
        assert_eq!(spans(Recipe { stacking: Some(Stacking::Spans), ..alone.clone() }), Some(1));
        assert_eq!(spans(Recipe { quality: Some(Quality::Balanced), ..alone }), Some(1));
        let off = Recipe { stacking: Some(Stacking::Grammars), ..Recipe::default() };
        assert_eq!(spans(off), None);
    }
}
