//! What can be written, and from what.

use crate::Error;
use crate::reading::Format;

/// A format that corpora are written in.
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
    /// One sentence a line, words between blanks.
    Words,
    /// The same with `word_TAG`.
    Tagged,
    /// One JSON object a line.
    Json,
    /// One SVG document with all trees.
    Svg,
    /// Trees in box characters.
    Drawing,
}

impl Target {
    /// Its short name, as options have it.
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

    /// The same format as it was read in.
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

    /// Refuses a conversion that has no meaning, with advice.
    pub fn check(self, from: Format) -> Result<(), Error> {
        let reason = match (from, self) {
            (_, Target::Words | Target::Json) | (Format::Bio, Target::Bio) => return Ok(()),
            (Format::Ptb, Target::Bio) => "trees have no entities",
            (Format::Ptb, _) => return Ok(()),
            (Format::Bio, _) => "entity columns can become words, json or bio only",
            (_, Target::Conllu | Target::Conllx) => return Ok(()),
            (Format::Conllu | Format::Conllx | Format::Tagged, Target::Tagged) => return Ok(()),
            (Format::Words, Target::Tagged) => "plain words have no tags; name the input `tagged` if it has",
            (Format::Conllu | Format::Conllx, Target::Svg | Target::Drawing) => {
                "only constituency trees are drawn; json keeps the heads"
            }
            (Format::Conllu | Format::Conllx, Target::Ptb) => {
                "dependencies do not determine the phrases of a tree; parse the words instead: \
                 `eigentree parse MODEL FILE --input conllu`"
            }
            (_, Target::Ptb | Target::Svg | Target::Drawing) => {
                "there are no trees in it; parse it first: `eigentree parse MODEL FILE`"
            }
            (_, Target::Bio) => "there are no entities in it",
        };
        Err(Error::Conversion { from, to: self.name(), reason: reason.to_owned() })
    }
}
