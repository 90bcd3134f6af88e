//! What a learner did, named constant by constant, beside the paper behind its family.

use models::constants::{Constants, Departure};
use models::learn::Observer;
use serde_json::{Map, Value, json};

/// A paper whose method a family implements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paper {
    /// Grammars with latent states.
    LatentGrammars,
    /// Head automata.
    HeadAutomata,
    /// Latent dependency trees.
    LatentTrees,
    /// Word clusters.
    Clusters,
}

impl Paper {
    /// Authors and year.
    pub fn citation(self) -> &'static str {
        match self {
            Paper::LatentGrammars => "Cohen et al. (2013)",
            Paper::HeadAutomata => "Luque et al. (2012)",
            Paper::LatentTrees => "Dhillon et al. (2012)",
            Paper::Clusters => "Stratos et al. (2014)",
        }
    }
}

/// All constants of a learner, and where they depart from the paper.
#[derive(Clone, PartialEq, Debug)]
pub struct Protocol {
    /// The paper behind the family.
    pub paper: Paper,
    /// All constants.
    pub constants: Constants,
    /// The constants that differ from the paper's; none if the method is exactly the published one.
    pub departures: Vec<Departure>,
}

impl Protocol {
    pub(super) fn new(paper: Paper, constants: Constants, departures: Vec<Departure>) -> Self {
        Self { paper, constants, departures }
    }

    /// Whether the method is exactly the published one.
    pub fn is_published(&self) -> bool {
        self.departures.is_empty()
    }

    /// Tells the observer all constants of a published method. Extensions of it are in the summary and in the model.
    pub(super) fn tell(&self, observer: &mut dyn Observer) {
        if self.is_published() {
            observer.note(format_args!("exactly as in {}: {}", self.paper.citation(), self.constants));
        }
    }

    /// The protocol as a JSON object.
    pub fn to_json(&self) -> Value {
        let constants: Map<String, Value> =
            self.constants.iter().map(|constant| (constant.name.to_owned(), json!(constant.value))).collect();
        let departures: Map<String, Value> = self
            .departures
            .iter()
            .map(|departure| (departure.name.to_owned(), json!([departure.value, departure.other])))
            .collect();
        json!({
            "paper": self.paper.citation(),
            "published": self.is_published(),
            "constants": constants,
            "departures": departures,
        })
    }
}
