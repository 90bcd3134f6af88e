//! Writing of trees in Penn brackets.

use std::io::{self, Write};

use crate::tree::{Tree, Visit};

/// Adds `text` with brackets escaped. White space and empty words cannot be represented and become `_`.
fn push_escaped(out: &mut String, text: &str, empty: &str) {
    if text.is_empty() {
        out.push_str(empty);
        return;
    }
    if !text.bytes().any(|b| b == b'(' || b == b')' || b.is_ascii_whitespace()) {
        out.push_str(text);
        return;
    }
    for c in text.chars() {
        match c {
            '(' => out.push_str("-LRB-"),
            ')' => out.push_str("-RRB-"),
            c if c.is_ascii_whitespace() => out.push('_'),
            c => out.push(c),
        }
    }
}

/// The tree on one line, without a line end.
pub fn to_line(tree: &Tree) -> String {
    let mut out = String::with_capacity(tree.node_count() * 8);
    for visit in tree.walk() {
        match visit {
            Visit::Open(node) => {
                out.push_str(if node.index() > 0 { " (" } else { "(" });
                push_escaped(&mut out, node.text(), "");
            }
            Visit::Word(node) => {
                out.push(' ');
                push_escaped(&mut out, node.text(), "_");
            }
            Visit::Close(_) => out.push(')'),
        }
    }
    out
}

/// The tree over several lines, indented by two spaces per level, with preterminals on the line of their phrase if all
/// of them fit there.
pub fn to_pretty(tree: &Tree) -> String {
    let mut out = String::new();
    let mut depth = 0;
    let mut flat_until = 0;
    for visit in tree.walk() {
        match visit {
            Visit::Open(node) => {
                if node.index() < flat_until {
                    out.push(' ');
                } else if node.index() > 0 {
                    out.push('\n');
                    out.extend(std::iter::repeat_n("  ", depth));
                }
                out.push('(');
                push_escaped(&mut out, node.text(), "");
                if node.children().all(|child| child.is_word() || child.is_preterminal()) {
                    flat_until = flat_until.max(node.subtree_end());
                }
                depth += 1;
            }
            Visit::Word(node) => {
                out.push(' ');
                push_escaped(&mut out, node.text(), "_");
            }
            Visit::Close(_) => {
                depth -= 1;
                out.push(')');
            }
        }
    }
    out
}

/// Writes the tree and a line end.
pub fn write_tree(out: &mut dyn Write, tree: &Tree) -> io::Result<()> {
    let mut line = to_line(tree);
    line.push('\n');
    out.write_all(line.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::TreeBuilder;

    #[test]
    fn brackets_and_blanks_are_escaped() {
        let mut builder = TreeBuilder::new();
        builder.open("S");
        builder.preterminal("-LRB-", "(");
        builder.preterminal("NN", "f(x)");
        builder.preterminal("NN", "a b");
        builder.close();
        let tree = builder.finish().unwrap();
        assert_eq!(to_line(&tree), "(S (-LRB- -LRB-) (NN f-LRB-x-RRB-) (NN a_b))");
    }

    #[test]
    fn pretty_printing_keeps_the_tree() {
        let tree: Tree =
            "( (S (NP (DT the) (NN dog)) (VP (VBZ barks) (ADVP (RB loudly))) (. .)))".parse().unwrap();
        let pretty = to_pretty(&tree);
        assert_eq!(
            pretty,
            "(\n  (S\n    (NP (DT the) (NN dog))\n    (VP\n      (VBZ barks)\n      (ADVP (RB loudly)))\n    (. .)))"
        );
        assert_eq!(pretty.parse::<Tree>().unwrap(), tree);
    }
}
