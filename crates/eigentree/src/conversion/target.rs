//! The output formats, and the inputs they accept.

use crate::Error;
use crate::reading::Format;

/// A corpus format for writing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// Penn brackets.
    Ptb,
    /// CoNLL-U.
    Conllu,
    /// CoNLL-X.
    Conllx,
    /// Two columns, `token<TAB>tag`.
    Bio,
    /// One sentence per line, words separated by spaces.
    Words,
    /// The same with `word_TAG`.
    Tagged,
    /// One JSON object per line.
    Json,
    /// One SVG document with all trees.
    Svg,
    /// Trees in box characters.
    Drawing,
}

impl Target {
    /// Its short name, as used in options.
    pub fn name(self) -> &'static str {
        match self {
            Target::Ptb => "ptb",
            Target::Conllu => "conllu",
            Target::Conllx => "conllx",
            Target::Bio => "bio",
            Target::Words => "words",
            Target::Tagged => "tagged",
            Target::Json => "json",
            Target::Svg => "svg",
            Target::Drawing => "drawing",
        }
    }

    /// The output format that corresponds to an input format.
    pub fn same_as(format: Format) -> Self {
        match format {
            Format::Ptb => Target::Ptb,
            Format::Conllu => Target::Conllu,
            Format::Conllx => Target::Conllx,
            Format::Bio => Target::Bio,
            Format::Words => Target::Words,
            Format::Tagged => Target::Tagged,
        }
    }

    /// Refuses conversions that are not defined, with advice.
    pub fn check(self, from: Format) -> Result<(), Error> {
        let reason = match (from, self) {
            (_, Target::Words | Target::Json) | (Format::Bio, Target::Bio) => return Ok(()),
            (Format::Ptb, Target::Bio) => "trees have no entities",
            (Format::Ptb, _) => return Ok(()),
            (Format::Bio, _) => "entity columns can become words, json or bio only",
            (_, Target::Conllu | Target::Conllx) => return Ok(()),
            (Format::Conllu | Format::Conllx | Format::Tagged, Target::Tagged) => return Ok(()),
            (Format::Words, Target::Tagged) => {
                "plain words have no tags; if the input has tags, use `tagged` as its format"
            }
            (Format::Conllu | Format::Conllx, Target::Svg | Target::Drawing) => {
                "only constituency trees are drawn; json keeps the heads"
            }
            (Format::Conllu | Format::Conllx, Target::Ptb) => {
                "dependencies do not determine the phrases of a tree; parse the words instead: \
                 `eigentree parse MODEL FILE --input conllu`"
            }
            (_, Target::Ptb | Target::Svg | Target::Drawing) => {
                "the input has no trees; parse it first: `eigentree parse MODEL FILE`"
            }
            (_, Target::Bio) => "the input has no entities",
        };
        Err(Error::Conversion { from, to: self.name(), reason: reason.to_owned() })
    }
}
