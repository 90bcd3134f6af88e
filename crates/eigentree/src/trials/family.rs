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

/// Training effort, for families that have a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TrialQuality {
    /// The fastest.
    Fast,
    /// The default of `train`.
    #[default]
    Balanced,
    /// The most accurate.
    Best,
}
