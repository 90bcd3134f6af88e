//! φ and ψ: inside and outside features of a node (Cohen et al. 2013, section 3.1).
//!
//! | inside a node `a → b c` | outside |
//! |---|---|
//! | `b`; `c`; the rule | the rule above, with the node marked |
//! | the rule with the left child's rule, with the right child's | the fragments of two and three rules above |
//! | the tag of the head word | the parent; parent and grandparent |
//! | number of words, in ranges or as a number | the tag of the first other head on the way up |
//! | for `a → x`: the word | number of words to the left and right, likewise |
//!
//! The node's own symbol need not be part of a feature, as each symbol is decomposed separately. [`FeatureSet::Rich`]
//! adds features that the paper does not have: suffixes and shapes of words, head words, the neighbouring words of a
//! span.

use corpus::ids::Id;

use super::config::Widths;
use super::treebank::{NONE, Node, NumberedTreebank};

/// The set of features that describe a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FeatureSet {
    /// Only the rule below the node and the rule above it.
    Rules,
    /// All features of the paper.
    Paper,
    /// The features of the paper and more.
    #[default]
    Rich,
}

/// The feature templates, numbered by their order.
#[derive(Clone, Copy)]
enum Template {
    Left,
    Right,
    Rule,
    LeftRule,
    RightRule,
    HeadTag,
    Width,
    Word,
    Signature,
    HeadWord,
    FirstTag,
    LastTag,
    Above,
    TwoAbove,
    ThreeAbove,
    Parent,
    Grandparent,
    OtherHead,
    WidthBefore,
    WidthAfter,
    OtherHeadWord,
    TagBefore,
    TagAfter,
    Root,
    Sibling,
}

/// A feature: a template and its arguments, hashed to 64 bits.
#[inline]
fn key(template: Template, parts: [u64; 2]) -> u64 {
    let mut mixed = (template as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for part in parts {
        mixed = (mixed ^ part).wrapping_mul(0xd6e8_feb8_6659_fd93);
        mixed ^= mixed >> 32;
    }
    mixed
}

/// A feature of a node and its value.
pub(super) type Feature = (u64, f32);

/// A feature that a node has.
#[inline]
fn has(template: Template, parts: [u64; 2]) -> Feature {
    (key(template, parts), 1.0)
}

/// Ranges of word counts: exact up to 4, then growing.
fn range(words: u32) -> u64 {
    const STARTS: [u32; 6] = [5, 7, 10, 14, 20, 30];
    match words {
        0..=4 => u64::from(words),
        _ => 4 + STARTS.iter().filter(|&&start| words >= start).count() as u64,
    }
}

/// What the templates use besides the nodes.
pub(super) struct Context<'t> {
    pub(super) bank: &'t NumberedTreebank,
    pub(super) set: FeatureSet,
    pub(super) widths: Widths,
    /// For each word, a class by suffix and shape.
    pub(super) signatures: &'t [u32],
    /// The tags of all sentences; those of tree `t` start at `tag_starts[t]`.
    pub(super) tags: &'t [u32],
    pub(super) tag_starts: &'t [u32],
    /// The most states of each symbol; of all symbols without an entry there may be any number.
    pub(super) limits: &'t [usize],
}

impl Context<'_> {
    fn node(&self, id: u32) -> Option<&Node> {
        self.bank.nodes.get(id as usize)
    }

    /// A feature that counts words.
    fn width(&self, template: Template, words: u32) -> Feature {
        match self.widths {
            Widths::Ranges => has(template, [range(words), 0]),
            Widths::Numbers => (key(template, [0, 0]), words as f32),
        }
    }

    /// The rule at a node, whether binary or lexical.
    fn rule(&self, node: &Node) -> u64 {
        match node.rule {
            NONE => 1 << 40 | u64::from(node.symbol) << 42 ^ u64::from(node.word),
            rule => u64::from(rule),
        }
    }

    /// The tag at a position of the node's sentence; a special value beyond the ends.
    fn tag(&self, node: &Node, position: i64) -> u64 {
        let tree = node.tree as usize;
        let range = self.tag_starts[tree] as usize..self.tag_starts[tree + 1] as usize;
        let tags = &self.tags[range];
        usize::try_from(position)
            .ok()
            .and_then(|at| tags.get(at))
            .map_or(u64::from(NONE), |&tag| u64::from(tag))
    }

    /// Appends the inside features of a node.
    pub(super) fn inside(&self, id: u32, out: &mut Vec<Feature>) {
        let Some(node) = self.node(id) else { return };
        if node.rule == NONE {
            out.push(has(Template::Word, [u64::from(node.word), 0]));
            if self.set == FeatureSet::Rich {
                let class = self.signatures.get(node.word as usize).copied().unwrap_or(NONE);
                out.push(has(Template::Signature, [u64::from(class), 0]));
            }
            return;
        }
        let (Some(left), Some(right)) = (self.node(node.left), self.node(node.right)) else { return };
        let rule = self.rule(node);
        out.push(has(Template::Rule, [rule, 0]));
        if self.set == FeatureSet::Rules {
            return;
        }
        out.push(has(Template::Left, [u64::from(left.symbol), 0]));
        out.push(has(Template::Right, [u64::from(right.symbol), 0]));
        out.push(has(Template::LeftRule, [rule, self.rule(left)]));
        out.push(has(Template::RightRule, [rule, self.rule(right)]));
        out.push(has(Template::HeadTag, [u64::from(node.head_tag), 0]));
        out.push(self.width(Template::Width, node.end - node.start));
        if self.set == FeatureSet::Rich {
            out.push(has(Template::HeadWord, [self.head_word(node), 0]));
            out.push(has(Template::FirstTag, [self.tag(node, i64::from(node.start)), 0]));
            out.push(has(Template::LastTag, [self.tag(node, i64::from(node.end) - 1), 0]));
        }
    }

    /// The head word of a node.
    fn head_word(&self, node: &Node) -> u64 {
        let mut at = *node;
        while at.rule != NONE {
            let (Some(left), Some(right)) = (self.node(at.left), self.node(at.right)) else { break };
            at = if at.head < left.end { *left } else { *right };
        }
        u64::from(at.word)
    }

    /// Appends the outside features of a node.
    pub(super) fn outside(&self, id: u32, out: &mut Vec<Feature>) {
        let Some(node) = self.node(id) else { return };
        let tree = node.tree as usize;
        let words = self.tag_starts[tree + 1] - self.tag_starts[tree];
        let Some(parent) = self.node(node.parent) else {
            out.push(has(Template::Root, [0, 0]));
            if self.set != FeatureSet::Rules {
                out.push(self.width(Template::WidthBefore, 0));
                out.push(self.width(Template::WidthAfter, 0));
            }
            return;
        };
        // A rule with the position of the node in it.
        let marked = |above: &Node, below: u32| self.rule(above) << 1 | u64::from(above.right == below);
        let one = marked(parent, id);
        out.push(has(Template::Above, [one, 0]));
        if self.set == FeatureSet::Rules {
            return;
        }
        out.push(has(Template::Parent, [u64::from(parent.symbol), 0]));
        out.push(self.width(Template::WidthBefore, node.start));
        out.push(self.width(Template::WidthAfter, words - node.end));
        match self.node(parent.parent) {
            Some(grand) => {
                let two = marked(grand, node.parent);
                out.push(has(Template::TwoAbove, [one, two]));
                out.push(has(Template::Grandparent, [u64::from(parent.symbol), u64::from(grand.symbol)]));
                if let Some(great) = self.node(grand.parent) {
                    let three = marked(great, parent.parent);
                    out.push(has(Template::ThreeAbove, [one << 32 ^ two, three]));
                }
            }
            None => {
                out.push(has(Template::TwoAbove, [one, u64::MAX]));
                out.push(has(Template::Grandparent, [u64::from(parent.symbol), u64::MAX]));
            }
        }
        // The first head on the way up that is not the node's own head word.
        let mut above = Some(parent);
        while let Some(at) = above {
            if at.head != node.head {
                break;
            }
            above = self.node(at.parent);
        }
        out.push(has(Template::OtherHead, [above.map_or(u64::MAX, |at| u64::from(at.head_tag)), 0]));
        if self.set == FeatureSet::Rich {
            out.push(has(Template::OtherHeadWord, [above.map_or(u64::MAX, |at| self.head_word(at)), 0]));
            out.push(has(Template::TagBefore, [self.tag(node, i64::from(node.start) - 1), 0]));
            out.push(has(Template::TagAfter, [self.tag(node, i64::from(node.end)), 0]));
            let sibling = if parent.left == id { parent.right } else { parent.left };
            if let Some(sibling) = self.node(sibling) {
                out.push(has(Template::Sibling, [self.rule(sibling), u64::from(parent.left == id)]));
            }
        }
    }
}

/// Whether a feature is hidden from a model that sees only a part of all features.
#[inline]
pub(super) fn dropped(feature: u64, share: f64, seed: u64) -> bool {
    if share <= 0.0 {
        return false;
    }
    let mut mixed = (feature ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed ^= mixed >> 32;
    mixed = mixed.wrapping_mul(0xd6e8_feb8_6659_fd93);
    ((mixed >> 11) as f64) / ((1_u64 << 53) as f64) < share
}

/// The tags of all sentences in one list, and the start of each sentence.
pub(super) fn tags_of(bank: &NumberedTreebank, tag_of: impl Fn(usize) -> u32) -> (Vec<u32>, Vec<u32>) {
    let (mut tags, mut starts) = (Vec::new(), vec![0]);
    for tree in 0..bank.trees() {
        for node in &bank.nodes[bank.tree(tree)] {
            if node.rule == NONE {
                tags.push(tag_of(node.symbol as usize));
            }
        }
        starts.push(tags.len() as u32);
    }
    (tags, starts)
}

/// The number of a tag, for [`tags_of`].
pub(super) fn tag_number(lexicon: &crate::lexicon::Lexicon, phrases: usize, symbol: usize) -> u32 {
    crate::grammar::SymbolId::new(symbol.saturating_sub(phrases))
        .map_or(NONE, |preterminal| lexicon.tag_of(preterminal).index() as u32)
}

#[cfg(test)]
mod tests {
    use corpus::tree::Tree;
    use corpus::tree::heads::HeadRules;
    use models::learn::{Learner, Silent};

    use super::*;
    use crate::grammar::{BinaryRule, SymbolKind};
    use crate::pcfg::{Pcfg, PcfgLearner};

    /// The tree of figure 1 and section 3.1 of Cohen et al. (2013), with tags of the Penn Treebank for D, N and V.
    const EXAMPLE: &str = "(S (NP (DT the) (NN cat)) (VP (VBD saw) (NP (DT the) (NN dog))))";

    struct Example {
        grammar: Pcfg,
        bank: NumberedTreebank,
        tags: Vec<u32>,
        starts: Vec<u32>,
    }

    impl Example {
        fn new() -> Self {
            let tree: Tree = EXAMPLE.parse().unwrap();
            let grammar =
                PcfgLearner::default().learn(std::slice::from_ref(&tree), &mut Silent).unwrap().model;
            let bank = NumberedTreebank::new(&[tree], vec![1.0], &grammar, &HeadRules::english());
            let Ok(bank) = bank else { panic!("the grammar has all rules of its tree") };
            let phrases = grammar.symbols().phrases();
            let (tags, starts) = tags_of(&bank, |symbol| tag_number(grammar.lexicon(), phrases, symbol));
            Self { grammar, bank, tags, starts }
        }

        fn context(&self, widths: Widths) -> Context<'_> {
            let (tags, tag_starts) = (&self.tags, &self.starts);
            Context {
                bank: &self.bank,
                set: FeatureSet::Paper,
                widths,
                signatures: &[],
                tags,
                tag_starts,
                limits: &[],
            }
        }

        fn symbol(&self, label: &str) -> u64 {
            let kinds = [SymbolKind::Phrase, SymbolKind::Preterminal];
            kinds.into_iter().find_map(|kind| self.grammar.symbols().get(kind, label)).unwrap().index() as u64
        }

        fn tag(&self, label: &str) -> u64 {
            tag_number(self.grammar.lexicon(), self.grammar.symbols().phrases(), self.symbol(label) as usize)
                .into()
        }

        fn rule(&self, labels: [&str; 3]) -> u64 {
            let [parent, left, right] =
                labels.map(|label| crate::grammar::SymbolId::new(self.symbol(label) as usize).unwrap());
            self.grammar.rules().find(BinaryRule { parent, left, right }).unwrap().index() as u64
        }

        /// The number of the node with this label that starts at this word.
        fn node(&self, label: &str, start: u32) -> u32 {
            let symbol = self.symbol(label) as u32;
            let found = self.bank.nodes.iter().position(|node| node.symbol == symbol && node.start == start);
            found.unwrap() as u32
        }
    }

    fn sorted(mut features: Vec<Feature>) -> Vec<Feature> {
        features.sort_by_key(|feature| feature.0);
        features
    }

    #[test]
    fn inside_features_of_the_example() {
        let example = Example::new();
        let vp = example.node("VP", 2);
        let (mut found, context) = (Vec::new(), example.context(Widths::Numbers));
        context.inside(vp, &mut found);
        let rule = example.rule(["VP", "VBD", "NP"]);
        let saw = context.rule(&example.bank.nodes[example.node("VBD", 2) as usize]);
        let expected = vec![
            has(Template::Left, [example.symbol("VBD"), 0]),
            has(Template::Right, [example.symbol("NP"), 0]),
            has(Template::Rule, [rule, 0]),
            // (VP (V saw) NP) and (VP V (NP D N)).
            has(Template::LeftRule, [rule, saw]),
            has(Template::RightRule, [rule, example.rule(["NP", "DT", "NN"])]),
            has(Template::HeadTag, [example.tag("VBD"), 0]),
            (key(Template::Width, [0, 0]), 3.0),
        ];
        assert_eq!(sorted(found), sorted(expected));
        // For a single rule a → x the feature is the rule.
        let mut found = Vec::new();
        let word = example.node("NN", 4);
        context.inside(word, &mut found);
        assert_eq!(found, [has(Template::Word, [example.bank.nodes[word as usize].word.into(), 0])]);
        // In ranges, the width is an indicator.
        let mut found = Vec::new();
        example.context(Widths::Ranges).inside(vp, &mut found);
        assert!(found.contains(&has(Template::Width, [3, 0])));
    }

    #[test]
    fn outside_features_of_the_example() {
        let example = Example::new();
        // The foot is the second D: [S [NP D N] [VP V [NP D* N]]].
        let foot = example.node("DT", 3);
        let mut found = Vec::new();
        example.context(Widths::Numbers).outside(foot, &mut found);
        let left = |labels| example.rule(labels) << 1;
        let right = |labels| example.rule(labels) << 1 | 1;
        let (np, vp, s) = (left(["NP", "DT", "NN"]), right(["VP", "VBD", "NP"]), right(["S", "NP", "VP"]));
        let expected = vec![
            has(Template::Above, [np, 0]),
            has(Template::TwoAbove, [np, vp]),
            has(Template::ThreeAbove, [np << 32 ^ vp, s]),
            has(Template::Parent, [example.symbol("NP"), 0]),
            has(Template::Grandparent, [example.symbol("NP"), example.symbol("VP")]),
            // The first head on the way up that is not the foot's own is the noun.
            has(Template::OtherHead, [example.tag("NN"), 0]),
            (key(Template::WidthBefore, [0, 0]), 3.0),
            (key(Template::WidthAfter, [0, 0]), 1.0),
        ];
        assert_eq!(sorted(found), sorted(expected));
    }
}
