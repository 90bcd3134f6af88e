//! Application of head rules.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use super::table::{self, Clause, HeadTableError, Preference, Side, Table};
use crate::tree::{NodeRef, Tree, marks};

/// Chooses the head child of each phrase.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HeadRules {
    table: Table,
}

impl HeadRules {
    /// Rules for English with Penn labels.
    pub fn english() -> Self {
        let table = table::parse(include_str!("english.txt")).expect("the built-in table is well-formed");
        Self { table }
    }

    /// No table: every label is decided by label similarity (see the [module](super)).
    pub fn by_similarity() -> Self {
        Self::default()
    }

    /// Reads a table in the format of the built-in one.
    pub fn parse(text: &str) -> Result<Self, HeadTableError> {
        Ok(Self { table: table::parse(text)? })
    }

    /// Position of the head among the children of `node`; 0 if there is no choice.
    ///
    /// Labels are compared without function tags, ancestors and siblings; of a chain, the bottom of the parent and the
    /// top of the child.
    pub fn head_child(&self, node: NodeRef<'_>) -> usize {
        let children: Vec<&str> =
            node.children().map(|child| category(marks::chain_top(child.text()))).collect();
        if children.len() < 2 {
            return 0;
        }
        let parent = category(marks::chain_bottom(node.text()));
        let parent = parent.strip_prefix(marks::INTERMEDIATE).unwrap_or(parent);
        match self.table.get(parent).or_else(|| self.table.get("*")) {
            Some(clauses) => by_clauses(clauses, &children),
            None => by_similarity(parent, &children),
        }
    }

    /// For each node in pre-order, the position of its head word.
    pub fn head_words(&self, tree: &Tree) -> Vec<usize> {
        let mut heads = vec![0; tree.node_count()];
        // Children follow their parent in pre-order, so they are ready in reverse order.
        for node in tree.nodes().rev() {
            heads[node.index()] = if node.is_word() {
                node.span().start
            } else {
                node.children().nth(self.head_child(node)).map_or(0, |child| heads[child.index()])
            };
        }
        heads
    }
}

/// The label without function tags and indices.
fn category(label: &str) -> &str {
    crate::tree::strip::category(label)
}

fn by_clauses(clauses: &[Clause], children: &[&str]) -> usize {
    let matches = |candidate: &str, label: &str| candidate == "*" || candidate == label;
    let search = |side: Side, wanted: &dyn Fn(&str) -> bool| match side {
        Side::Left => children.iter().position(|label| wanted(label)),
        Side::Right => children.iter().rposition(|label| wanted(label)),
    };
    for clause in clauses {
        let found = match clause.preference {
            Preference::Candidate => clause
                .candidates
                .iter()
                .filter(|candidate| *candidate != "*")
                .find_map(|candidate| search(clause.side, &|label| matches(candidate, label))),
            Preference::Position => search(clause.side, &|label| {
                clause.candidates.iter().any(|candidate| matches(candidate, label))
            }),
        };
        if let Some(head) = found {
            return head;
        }
    }
    let side = clauses.last().map_or(Side::Left, |clause| clause.side);
    search(side, &|label| !is_punctuation(label)).unwrap_or(0)
}

fn by_similarity(parent: &str, children: &[&str]) -> usize {
    if let Some(same) = children.iter().rposition(|&label| label == parent) {
        return same;
    }
    let shared = |label: &str| parent.chars().zip(label.chars()).take_while(|(a, b)| a == b).count();
    let best = children.iter().map(|label| shared(label)).max().unwrap_or(0);
    if best > 0 {
        return children.iter().position(|label| shared(label) == best).unwrap_or(0);
    }
    let is_light = |label: &str| is_punctuation(label) || label.chars().count() == 1;
    children.iter().position(|label| !is_light(label)).unwrap_or(0)
}

/// Whether a label contains no letter.
fn is_punctuation(label: &str) -> bool {
    label.starts_with('-')
        || !label.chars().any(|c| c.general_category_group() == GeneralCategoryGroup::Letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(rules: &HeadRules, text: &str) -> usize {
        rules.head_child(text.parse::<Tree>().unwrap().root())
    }

    #[test]
    fn english_phrases() {
        let rules = HeadRules::english();
        assert_eq!(head(&rules, "(NP (DT the) (JJ big) (NN dog) (POS 's))"), 3);
        assert_eq!(head(&rules, "(NP (NP (NN dog)) (PP (IN of)))"), 0);
        assert_eq!(head(&rules, "(S (NP-SBJ (NN dog)) (VP (VB go)) (. .))"), 1);
        assert_eq!(head(&rules, "(VP (MD can) (VP (VB go)))"), 0);
        assert_eq!(head(&rules, "(UNHEARD (, ,) (A a) (B b))"), 1);
        assert_eq!(head(&rules, "(@VP~NP (RB not) (VBD saw))"), 1);
    }

    #[test]
    fn other_label_sets() {
        let rules = HeadRules::by_similarity();
        assert_eq!(head(&rules, "(IP-MAT (NP-SBJ (X a)) (VBDI b))"), 0);
        assert_eq!(head(&rules, "(NP (D-A a) (N-D b))"), 1);
        assert_eq!(head(&rules, "(NP (NP (X a)) (CONJ og) (NP (X b)))"), 2);
        assert_eq!(head(&rules, "(XP (, ,) (Q a) (REL b))"), 2);
    }

    #[test]
    fn head_words_climb_the_tree() {
        let tree: Tree = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))".parse().unwrap();
        let heads = HeadRules::english().head_words(&tree);
        assert_eq!(heads[0], 2);
        assert_eq!(heads[1], 1);
    }
}
