//! Removal of what most parsers do not model: function tags, indices, empty elements.
//!
//! `NP-SBJ-1` becomes `NP`; `(-NONE- *T*-1)` and phrases that contain nothing else are removed. A [`Stripped`] records
//! what was removed; [`Stripped::restore`] rebuilds the original from it, or annotates another tree of the same shape.

use super::{NodeRef, Tree, TreeBuilder};

/// What is removed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StripConfig {
    /// Treatment of suffixes such as `-SBJ`, `-1`, `=2` after a category.
    pub function_tags: FunctionTags,
    /// Treatment of empty elements.
    pub empties: Empties,
}

impl Default for StripConfig {
    fn default() -> Self {
        Self { function_tags: FunctionTags::Remove, empties: Empties::Remove }
    }
}

/// Treatment of function tags and indices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionTags {
    /// Keep them.
    Keep,
    /// Cut phrase labels to their [`category`]. The labels of preterminals stay, since several tag sets use `-` inside
    /// their tags (`N-D`).
    Remove,
}

/// Treatment of empty elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Empties {
    /// Keep them.
    Keep,
    /// Remove preterminals that are [empty elements](is_empty_element), and every phrase that becomes empty.
    Remove,
}

/// The category of a label: the part before the first `-` or `=`, unless the label begins with it.
///
/// ```
/// use eigentree_corpus::tree::strip::category;
/// assert_eq!(category("NP-SBJ-1"), "NP");
/// assert_eq!(category("NP=2"), "NP");
/// assert_eq!(category("-LRB-"), "-LRB-");
/// ```
pub fn category(label: &str) -> &str {
    match label.char_indices().skip(1).find(|&(_, c)| c == '-' || c == '=') {
        Some((at, _)) if !label.starts_with('-') => &label[..at],
        _ => label,
    }
}

/// Whether this preterminal has no word: its label is `-NONE-`, or its word is a name between stars (`*T*-1`, `*PRO*`)
/// or a star with an index (`*-1`). A bare star is a word like any other: texts use it as a bullet or multiplication
/// sign.
pub fn is_empty_element(preterminal: NodeRef<'_>) -> bool {
    let Some(word) = preterminal.word() else { return false };
    let mut stars = word.match_indices('*').map(|(at, _)| at);
    let trace = match (stars.next(), stars.next()) {
        (Some(0), Some(second)) if second > 1 => is_index(&word[second + 1..]),
        (Some(0), None) => word.len() > 1 && is_index(&word[1..]),
        _ => false,
    };
    trace || preterminal.label() == "-NONE-"
}

/// Whether the text is empty or an index such as `-1`.
fn is_index(text: &str) -> bool {
    match text.strip_prefix('-') {
        Some(digits) => !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()),
        None => text.is_empty(),
    }
}

/// What happened to one node of the original.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Fate {
    /// It stays; its label lost this suffix.
    Kept { ending: String },
    /// It was removed with everything below it; the subtree is in `removed`.
    Removed { subtree: usize },
}

/// What [`strip`] removed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stripped {
    /// In pre-order of the original: one entry per kept phrase, kept word and removed subtree.
    fates: Vec<Fate>,
    removed: Vec<Tree>,
    /// For each kept phrase, the number of entries of `fates` after which it closes.
    ends: Vec<usize>,
}

/// The tree without function tags and empty elements, and what was removed. `None` if nothing is left.
pub fn strip(tree: &Tree, config: &StripConfig) -> Option<(Tree, Stripped)> {
    let empty = empties(tree, config.empties);
    if empty[0] {
        return None;
    }
    let mut builder = TreeBuilder::like(tree);
    let mut stripped = Stripped { fates: Vec::new(), removed: Vec::new(), ends: Vec::new() };
    // For each open phrase, the end of its subtree and its number among the kept phrases.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut skip_until = 0;
    for node in tree.nodes() {
        if node.index() < skip_until {
            continue;
        }
        while let Some(&(end, phrase)) = open.last()
            && end <= node.index()
        {
            open.pop();
            builder.close();
            stripped.ends[phrase] = stripped.fates.len();
        }
        if empty[node.index()] {
            let mut subtree = TreeBuilder::new();
            subtree.copy(node);
            stripped.fates.push(Fate::Removed { subtree: stripped.removed.len() });
            stripped.removed.push(subtree.finish()?);
            skip_until = node.subtree_end();
        } else if node.is_word() {
            builder.word(node.text());
            stripped.fates.push(Fate::Kept { ending: String::new() });
        } else {
            let label = node.text();
            let kept = match config.function_tags {
                FunctionTags::Remove if !node.is_preterminal() => category(label),
                FunctionTags::Remove | FunctionTags::Keep => label,
            };
            builder.open(kept);
            stripped.fates.push(Fate::Kept { ending: label[kept.len()..].to_owned() });
            open.push((node.subtree_end(), stripped.ends.len()));
            stripped.ends.push(0);
        }
    }
    for (_, phrase) in open.into_iter().rev() {
        builder.close();
        stripped.ends[phrase] = stripped.fates.len();
    }
    Some((builder.finish()?, stripped))
}

/// For each node, whether it contains nothing but empty elements.
fn empties(tree: &Tree, config: Empties) -> Vec<bool> {
    let mut empty = vec![false; tree.node_count()];
    if config == Empties::Keep {
        return empty;
    }
    for node in tree.nodes().rev() {
        empty[node.index()] = match node.is_preterminal() {
            true => is_empty_element(node),
            false => !node.is_word() && node.children().all(|child| empty[child.index()]),
        };
    }
    empty
}

impl Stripped {
    /// The inverse of [`strip`]: puts what was removed back into `tree`. `None` if the shape of `tree` differs from
    /// that of the tree that `strip` returned; its labels and words may differ.
    pub fn restore(&self, tree: &Tree) -> Option<Tree> {
        let mut builder = TreeBuilder::like(tree);
        let mut nodes = tree.nodes();
        let mut open: Vec<(usize, usize)> = Vec::new();
        let mut phrase = 0;
        for (at, fate) in self.fates.iter().enumerate() {
            while let Some(&(end, _)) = open.last()
                && end <= at
            {
                open.pop();
                builder.close();
            }
            match fate {
                Fate::Removed { subtree } => builder.copy(self.removed[*subtree].root()),
                Fate::Kept { ending } => {
                    let node = nodes.next()?;
                    if node.is_word() {
                        builder.word(node.text());
                    } else {
                        builder.open(node.text());
                        builder.extend_label(ending);
                        open.push((*self.ends.get(phrase)?, node.subtree_end()));
                        phrase += 1;
                    }
                }
            }
        }
        open.iter().for_each(|_| builder.close());
        if nodes.next().is_some() { None } else { builder.finish() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_traces_go_and_come_back() {
        let text = "(ROOT (S (NP-SBJ-1 (PRP$ her) (NN dog)) (VP (VBD was) (VP (VBN seen) (NP (-NONE- *-1)) (PP-LGS (-NONE- *T*)))) (SYM *) (LS *) (. .)))";
        let tree: Tree = text.parse().unwrap();
        let (clean, removed) = strip(&tree, &StripConfig::default()).unwrap();
        assert_eq!(
            clean.to_string(),
            "(ROOT (S (NP (PRP$ her) (NN dog)) (VP (VBD was) (VP (VBN seen))) (SYM *) (LS *) (. .)))"
        );
        assert_eq!(removed.restore(&clean).unwrap(), tree);
        assert!(removed.restore(&tree).is_none());
    }

    #[test]
    fn nothing_left_is_none() {
        let tree: Tree = "(S (NP (-NONE- *)) (NP-SBJ *pro*))".parse().unwrap();
        assert!(strip(&tree, &StripConfig::default()).is_none());
        let keep = StripConfig { empties: Empties::Keep, ..StripConfig::default() };
        assert_eq!(strip(&tree, &keep).unwrap().0, tree);
    }
}
