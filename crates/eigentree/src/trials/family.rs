//! The families that trials can train.

use crate::reading::Format;

/// A family with a training job.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TrialFamily {
    /// Grammars, from trees.
    Pcfg,
    /// Grammars with latent states, from trees.
    Lpcfg,
    /// Dependency parsers, from given tags.
    Mst,
    /// Head automata, from given tags.
    HeadAutomata,
    /// Latent dependency trees.
    Deptree,
    /// Taggers.
    Tagger,
    /// Tagger and parser together.
    Pipeline,
    /// Entity recognisers.
    Ner,
    /// Automata over sequences.
    Automaton,
}

impl TrialFamily {
    /// All of them.
    pub const ALL: [TrialFamily; 9] = [
        TrialFamily::Pcfg,
        TrialFamily::Lpcfg,
        TrialFamily::Mst,
        TrialFamily::HeadAutomata,
        TrialFamily::Deptree,
        TrialFamily::Tagger,
        TrialFamily::Pipeline,
        TrialFamily::Ner,
        TrialFamily::Automaton,
    ];

    /// Its name, as that of `train`.
    pub fn name(self) -> &'static str {
        match self {
            TrialFamily::Pcfg => "pcfg",
            TrialFamily::Lpcfg => "lpcfg",
            TrialFamily::Mst => "mst",
            TrialFamily::HeadAutomata => "head-automata",
            TrialFamily::Deptree => "deptree",
            TrialFamily::Tagger => "tagger",
            TrialFamily::Pipeline => "pipeline",
            TrialFamily::Ner => "ner",
            TrialFamily::Automaton => "automaton",
        }
    }

    /// The family in one line, for lists of options.
    pub fn description(self) -> &'static str {
        match self {
            TrialFamily::Pcfg => "Grammar, from trees",
            TrialFamily::Lpcfg => "Grammar with latent states, from trees",
            TrialFamily::Mst => "Dependency parser, from given tags",
            TrialFamily::HeadAutomata => "Head automata, from given tags",
            TrialFamily::Deptree => "Latent dependency trees",
            TrialFamily::Tagger => "Tagger",
            TrialFamily::Pipeline => "Tagger and parser together",
            TrialFamily::Ner => "Entity recogniser",
            TrialFamily::Automaton => "Automaton over sequences",
        }
    }

    /// The format of its data.
    pub fn format(self) -> Format {
        match self {
            TrialFamily::Pcfg | TrialFamily::Lpcfg => Format::Ptb,
            TrialFamily::Ner => Format::Bio,
            TrialFamily::Automaton => Format::Words,
            _ => Format::Conllu,
        }
    }
}
