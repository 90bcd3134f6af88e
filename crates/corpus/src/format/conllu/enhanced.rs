//! The DEPS column: arcs of the enhanced graph, `head:relation|head:relation`.

use super::token::parse_number;
use crate::dependency::Head;

/// The head of an enhanced arc.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EnhancedHead {
    /// A word, or the root.
    Word(Head),
    /// An empty node.
    Empty {
        /// Number of the word it follows; 0 before the first.
        after: u32,
        /// Position among the empty nodes there, counted from 1.
        index: u32,
    },
}

/// One arc to a token.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EnhancedArc<'a> {
    /// Head of the arc.
    pub head: EnhancedHead,
    /// Relation, which may itself contain colons (`nmod:of`).
    pub relation: &'a str,
}

/// The arcs of `deps`; none for `_`.
pub(super) fn enhanced_arcs(deps: &str) -> impl Iterator<Item = Option<EnhancedArc<'_>>> {
    let parts = if deps == "_" { "" } else { deps };
    parts.split('|').filter(|part| !part.is_empty()).map(parse_arc)
}

fn parse_arc(part: &str) -> Option<EnhancedArc<'_>> {
    let (head, relation) = part.split_once(':')?;
    let head = match head.split_once('.') {
        Some((after, index)) => {
            EnhancedHead::Empty { after: parse_number(after)?, index: parse_number(index)? }
        }
        None => EnhancedHead::Word(Head::from_number(parse_number(head)? as usize)?),
    };
    Some(EnhancedArc { head, relation })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arcs_are_taken_apart() {
        let arcs: Vec<_> = enhanced_arcs("0:root|3:nmod:of|5.1:dep|x:y").collect();
        assert_eq!(arcs[0].unwrap().head, EnhancedHead::Word(Head::ROOT));
        assert_eq!(arcs[1].unwrap().relation, "nmod:of");
        assert_eq!(arcs[2].unwrap().head, EnhancedHead::Empty { after: 5, index: 1 });
        assert_eq!(arcs[3], None);
        assert_eq!(enhanced_arcs("_").count(), 0);
    }
}
