//! The marks that transforms add to labels, and the protection of labels that contain such characters themselves.
//!
//! | mark | example | meaning |
//! |---|---|---|
//! | `\|` | `S\|VP` | a unary chain, top label first |
//! | `@` | `@VP` | a node created by binarisation, below a `VP` |
//! | `~` | `@VP~NP` | the siblings that such a node remembers, nearest first |
//! | `^` | `NP^S` | the ancestors of a node, nearest first |
//! | `\` | `A\bB` | a protected character: the label was `A\|B` |
//!
//! [`protect`] escapes the marks inside the labels of a treebank, so that later steps need not consider them.
//! [`unprotect`] is the inverse. Hardly any treebank needs it.

use std::borrow::Cow;

use super::{Tree, TreeBuilder, Visit};

/// Joins the labels of a unary chain.
pub const CHAIN: char = '|';
/// Begins the label of a node created by binarisation.
pub const INTERMEDIATE: char = '@';
/// Precedes a remembered sibling.
pub const SIBLING: char = '~';
/// Precedes an ancestor.
pub const ANCESTOR: char = '^';
/// Begins a protected character.
pub const ESCAPE: char = '\\';

/// Each mark with the letter that represents it after [`ESCAPE`].
const LETTERS: [(char, char); 5] =
    [(CHAIN, 'b'), (INTERMEDIATE, 'a'), (SIBLING, 't'), (ANCESTOR, 'c'), (ESCAPE, 's')];

fn is_mark(c: char) -> bool {
    LETTERS.iter().any(|&(mark, _)| mark == c)
}

/// `label` without marks.
pub fn protect_label(label: &str) -> Cow<'_, str> {
    if !label.contains(is_mark) {
        return Cow::Borrowed(label);
    }
    let mut out = String::with_capacity(label.len() + 4);
    for c in label.chars() {
        match LETTERS.iter().find(|&&(mark, _)| mark == c) {
            Some(&(_, letter)) => out.extend([ESCAPE, letter]),
            None => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The inverse of [`protect_label`].
pub fn unprotect_label(label: &str) -> Cow<'_, str> {
    if !label.contains(ESCAPE) {
        return Cow::Borrowed(label);
    }
    let mut out = String::with_capacity(label.len());
    let mut chars = label.chars();
    while let Some(c) = chars.next() {
        if c != ESCAPE {
            out.push(c);
            continue;
        }
        let letter = chars.next();
        match LETTERS.iter().find(|&&(_, l)| Some(l) == letter) {
            Some(&(mark, _)) => out.push(mark),
            None => out.extend(std::iter::once(ESCAPE).chain(letter)),
        }
    }
    Cow::Owned(out)
}

/// The tree with no marks in any label.
pub fn protect(tree: Tree) -> Tree {
    if tree.nodes().all(|node| !node.label().contains(is_mark)) {
        tree
    } else {
        relabel(&tree, protect_label)
    }
}

/// The inverse of [`protect`].
pub fn unprotect(tree: Tree) -> Tree {
    if tree.nodes().all(|node| !node.label().contains(ESCAPE)) {
        tree
    } else {
        relabel(&tree, unprotect_label)
    }
}

/// The tree with each label changed by `change`; words stay the same.
pub fn relabel<'t>(tree: &'t Tree, change: impl Fn(&'t str) -> Cow<'t, str>) -> Tree {
    let mut builder = TreeBuilder::like(tree);
    for visit in tree.walk() {
        match visit {
            Visit::Open(node) => builder.open(&change(node.text())),
            Visit::Word(node) => builder.word(node.text()),
            Visit::Close(_) => builder.close(),
        }
    }
    builder.finish().expect("a tree was walked in order")
}

/// Whether binarisation created this label.
pub fn is_intermediate(label: &str) -> bool {
    label.starts_with(INTERMEDIATE)
}

/// The label without siblings and ancestors: `NP^S` is `NP`, `@VP~NP` is `@VP`.
pub fn base(label: &str) -> &str {
    label.split([SIBLING, ANCESTOR]).next().unwrap_or(label)
}

/// The top label of a chain: `S|VP` is `S`. Siblings and ancestors refer to it.
pub fn chain_top(label: &str) -> &str {
    base(label).split(CHAIN).next().unwrap_or(label)
}

/// The bottom label of a chain: `S|VP` is `VP`. Children refer to it.
pub fn chain_bottom(label: &str) -> &str {
    base(label).rsplit(CHAIN).next().unwrap_or(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn protection_inverts_itself() {
        for label in ["NP", "PRT|ADVP", "@", "a\\b|c~^@", "\\", "\\b", ""] {
            let protected = protect_label(label);
            assert!(!protected.contains(['|', '@', '~', '^']));
            assert_eq!(unprotect_label(&protected), label);
        }
    }

    #[test]
    fn parts_of_labels() {
        assert_eq!(base("@VP~NP~PP"), "@VP");
        assert_eq!(base("S|VP^ROOT"), "S|VP");
        assert_eq!(chain_top("S|VP^ROOT"), "S");
        assert_eq!(chain_bottom("S|VP^ROOT"), "VP");
    }
}
