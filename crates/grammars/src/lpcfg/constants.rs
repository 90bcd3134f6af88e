//! The constants of a configuration by name, for reports.

use corpus::tree::binarize::{Direction, Horizontal};
use models::constants::{Constants, Departure};
use spectral::moments::Scaling;

use super::config::{LexicalSmoothing, LpcfgConfig, Method, Shrinkage, SpectralConfig, Widths};
use super::features::FeatureSet;
use crate::grammar::RuleSmoothing;
use crate::lexicon::LexiconConfig;
use crate::spans::SpanConfig;

impl LpcfgConfig {
    /// All constants that determine the model, by name.
    pub fn constants(&self) -> Constants {
        let form = &self.grammar.normal_form;
        let horizontal = match form.horizontal {
            Horizontal::Unlimited => "all siblings".to_owned(),
            Horizontal::Order(order) => order.to_string(),
        };
        let direction = match form.direction {
            Direction::Left => "left",
            Direction::Right => "right",
            Direction::HeadOutward(_) => "head",
        };
        let companions = self.companions.iter().map(|companion| companion.members.len()).sum::<usize>();
        let mut constants = Constants::default()
            .fixed("binarisation", direction)
            .fixed("horizontal order", horizontal)
            .fixed("vertical order", form.vertical)
            .fixed("unseen rules", unseen_rules(&self.grammar.rule_smoothing))
            .fixed("lexicon", lexicon(&self.grammar.lexicon))
            .fixed("models", self.members.len() + companions)
            .fixed("span model", span_model(self.spans));
        if let Some(method) = self.members.first() {
            constants = of_method(constants, method);
        }
        constants = constants.chosen("C", self.smoothing.rules);
        match self.smoothing.lexical {
            LexicalSmoothing::Constant { own, below } => constants
                .fixed("lexical smoothing", "constant ν below a count limit")
                .chosen("ν", own)
                .chosen("count limit of ν", below),
            LexicalSmoothing::ByCount if self.smoothing.words == 0.0 && self.smoothing.classes == 0.0 => {
                constants.fixed("lexical smoothing", "none")
            }
            LexicalSmoothing::ByCount => constants
                .fixed("lexical smoothing", "by count, with classes of rare words")
                .chosen("C of words", self.smoothing.words)
                .chosen("C of classes", self.smoothing.classes),
        }
    }

    /// Where this configuration departs from Cohen et al. (2013); empty if it is exactly theirs. Constants that the paper
    /// tunes, such as the number of states and C, may have any value.
    pub fn departures(&self) -> Vec<Departure> {
        let published = match self.members.first() {
            Some(em @ Method::Em { .. }) => Self::paper(em.clone()),
            _ => Self::paper(Method::Spectral(SpectralConfig::paper(1))),
        };
        self.constants().departures(&published.constants())
    }
}

fn span_model(spans: Option<SpanConfig>) -> String {
    match spans.map(|spans| spans.network.members) {
        None => "none".to_owned(),
        Some(0) => "yes".to_owned(),
        Some(1) => "yes, with a network".to_owned(),
        Some(members) => format!("yes, with {members} networks"),
    }
}

fn unseen_rules(smoothing: &RuleSmoothing) -> &'static str {
    match smoothing {
        RuleSmoothing::None => "impossible",
        RuleSmoothing::Siblings(_) => "by siblings",
    }
}

fn lexicon(config: &LexiconConfig) -> &'static str {
    if *config == LexiconConfig::plain() {
        "relative frequencies"
    } else if config.context.passes == 0 {
        "smoothed frequencies"
    } else {
        "with neighbouring words"
    }
}

fn of_method(constants: Constants, method: &Method) -> Constants {
    match method {
        Method::Spectral(spectral) => of_projection(constants.fixed("learner", "spectral"), spectral),
        Method::Cluster { spectral, steps } => {
            of_projection(constants.fixed("learner", "cluster"), spectral).chosen("EM steps", steps)
        }
        Method::Em { states, steps, seed } => constants
            .fixed("learner", "em")
            .chosen("states", states)
            .chosen("EM steps", steps)
            .chosen("seed", seed),
    }
}

fn of_projection(constants: Constants, spectral: &SpectralConfig) -> Constants {
    let features = match spectral.features {
        FeatureSet::Rules => "rules",
        FeatureSet::Paper => "paper",
        FeatureSet::Rich => "rich",
    };
    let widths = match spectral.widths {
        Widths::Ranges => "ranges",
        Widths::Numbers => "numbers",
    };
    let scaling = match spectral.scaling {
        Scaling::None => "none".to_owned(),
        Scaling::DiagonalCca { pseudo_count } => pseudo_count.to_string(),
    };
    let shrinkage = match spectral.shrinkage {
        Shrinkage::None => "none".to_owned(),
        Shrinkage::Noise { factor } => format!("{factor} × noise"),
    };
    constants
        .chosen("states", spectral.states)
        .fixed("states of symbols", if spectral.limits.iter().len() == 0 { "one limit" } else { "searched" })
        .fixed("nodes per state", spectral.nodes_per_state)
        .fixed("least σ ratio", spectral.min_singular_ratio)
        .fixed("features", features)
        .fixed("widths", widths)
        .fixed("κ", scaling)
        .fixed("shrinkage", shrinkage)
        .fixed("dropout", spectral.dropout)
        .chosen("SVD tolerance", spectral.tolerance)
        .chosen("seed", spectral.seed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lpcfg::{Recipe, StateLearner};
    use models::constants::Preset;

    fn paper() -> Recipe {
        Recipe { preset: Preset::Paper, ..Recipe::default() }
    }

    #[test]
    fn the_paper_departs_from_nothing_whatever_is_tuned() {
        assert!(paper().config().departures().is_empty());
        assert!(Recipe { states: Some(32), seed: 7, ..paper() }.config().departures().is_empty());
        let em = Recipe { learner: Some(StateLearner::Em), em_steps: Some(3), ..paper() }.config();
        assert!(em.departures().is_empty(), "{:?}", em.departures());
    }

    #[test]
    fn extensions_are_departures() {
        let names = |config: LpcfgConfig| -> Vec<&'static str> {
            config.departures().into_iter().map(|departure| departure.name).collect()
        };
        let shrunken = Recipe { shrinkage: Some(Shrinkage::default()), ..paper() }.config();
        assert_eq!(names(shrunken), ["shrinkage"]);
        let ours = names(Recipe::default().config());
        for name in
            ["horizontal order", "unseen rules", "lexicon", "models", "span model", "features", "widths"]
        {
            assert!(ours.contains(&name), "{name} is missing from {ours:?}");
        }
    }
}
