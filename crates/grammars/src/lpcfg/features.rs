//! φ and ψ: inside and outside features of a node (Cohen et al. 2013, section 3.1).
//!
//! | inside a node `a → b c` | outside |
//! |---|---|
//! | `b`; `c`; the rule | the rule above, with the node marked |
//! | the rule with the left child's rule, with the right child's | the fragments of two and three rules above |
//! | the tag of the head word | the parent; parent and grandparent |
//! | number of words, in ranges | the tag of the first other head on the way up |
//! | for `a → x`: the word | number of words to the left and right, in ranges |
//!
//! The node's own symbol need not be part of a feature, as each symbol is decomposed separately. [`FeatureSet::Rich`]
//! adds features that the paper does not have: suffixes and shapes of words, head words, the neighbouring words of a
//! span.

use corpus::ids::Id;

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
    /// For each word, a class by suffix and shape.
    pub(super) signatures: &'t [u32],
    /// The tags of all sentences; those of tree `t` start at `tag_starts[t]`.
    pub(super) tags: &'t [u32],
    pub(super) tag_starts: &'t [u32],
}

impl Context<'_> {
    fn node(&self, id: u32) -> Option<&Node> {
        self.bank.nodes.get(id as usize)
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
    pub(super) fn inside(&self, id: u32, out: &mut Vec<u64>) {
        let Some(node) = self.node(id) else { return };
        if node.rule == NONE {
            out.push(key(Template::Word, [u64::from(node.word), 0]));
            if self.set == FeatureSet::Rich {
                let class = self.signatures.get(node.word as usize).copied().unwrap_or(NONE);
                out.push(key(Template::Signature, [u64::from(class), 0]));
            }
            return;
        }
        let (Some(left), Some(right)) = (self.node(node.left), self.node(node.right)) else { return };
        let rule = self.rule(node);
        out.push(key(Template::Rule, [rule, 0]));
        if self.set == FeatureSet::Rules {
            return;
        }
        out.push(key(Template::Left, [u64::from(left.symbol), 0]));
        out.push(key(Template::Right, [u64::from(right.symbol), 0]));
        out.push(key(Template::LeftRule, [rule, self.rule(left)]));
        out.push(key(Template::RightRule, [rule, self.rule(right)]));
        out.push(key(Template::HeadTag, [u64::from(node.head_tag), 0]));
        out.push(key(Template::Width, [range(node.end - node.start), 0]));
        if self.set == FeatureSet::Rich {
            out.push(key(Template::HeadWord, [self.head_word(node), 0]));
            out.push(key(Template::FirstTag, [self.tag(node, i64::from(node.start)), 0]));
            out.push(key(Template::LastTag, [self.tag(node, i64::from(node.end) - 1), 0]));
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
    pub(super) fn outside(&self, id: u32, out: &mut Vec<u64>) {
        let Some(node) = self.node(id) else { return };
        let tree = node.tree as usize;
        let words = self.tag_starts[tree + 1] - self.tag_starts[tree];
        let Some(parent) = self.node(node.parent) else {
            out.push(key(Template::Root, [0, 0]));
            if self.set != FeatureSet::Rules {
                out.push(key(Template::WidthBefore, [0, 0]));
                out.push(key(Template::WidthAfter, [0, 0]));
            }
            return;
        };
        // A rule with the position of the node in it.
        let marked = |above: &Node, below: u32| self.rule(above) << 1 | u64::from(above.right == below);
        let one = marked(parent, id);
        out.push(key(Template::Above, [one, 0]));
        if self.set == FeatureSet::Rules {
            return;
        }
        out.push(key(Template::Parent, [u64::from(parent.symbol), 0]));
        out.push(key(Template::WidthBefore, [range(node.start), 0]));
        out.push(key(Template::WidthAfter, [range(words - node.end), 0]));
        match self.node(parent.parent) {
            Some(grand) => {
                let two = marked(grand, node.parent);
                out.push(key(Template::TwoAbove, [one, two]));
                out.push(key(Template::Grandparent, [u64::from(parent.symbol), u64::from(grand.symbol)]));
                if let Some(great) = self.node(grand.parent) {
                    let three = marked(great, parent.parent);
                    out.push(key(Template::ThreeAbove, [one << 32 ^ two, three]));
                }
            }
            None => {
                out.push(key(Template::TwoAbove, [one, u64::MAX]));
                out.push(key(Template::Grandparent, [u64::from(parent.symbol), u64::MAX]));
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
        out.push(key(Template::OtherHead, [above.map_or(u64::MAX, |at| u64::from(at.head_tag)), 0]));
        if self.set == FeatureSet::Rich {
            out.push(key(Template::OtherHeadWord, [above.map_or(u64::MAX, |at| self.head_word(at)), 0]));
            out.push(key(Template::TagBefore, [self.tag(node, i64::from(node.start) - 1), 0]));
            out.push(key(Template::TagAfter, [self.tag(node, i64::from(node.end)), 0]));
            let sibling = if parent.left == id { parent.right } else { parent.left };
            if let Some(sibling) = self.node(sibling) {
                out.push(key(Template::Sibling, [self.rule(sibling), u64::from(parent.left == id)]));
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
