//! Binarisation with horizontal Markov order.
//!
//! A node with more than two children gets intermediate nodes below it. From the top down, each step splits off one
//! child and leaves the rest to an intermediate node, whose label is `@`, the category, and the last `h` children that
//! were split off, nearest first: `@VP~NP`. With `h = 0` all intermediate nodes of a category share one label.
//!
//! | direction | split off | `(X a b c d)` at `h = 1` |
//! |---|---|---|
//! | left | the last child | `(X (@X~d (@X~c … ) … ) d)`, left-branching |
//! | right | the first child | `(X a (@X~a b (@X~b c d)))`, right-branching |
//! | head-outward | children left of the head, then those right of it | the head is deepest |
//!
//! Labels must not contain marks: see [`marks::protect`].

use super::heads::HeadRules;
use super::marks::{self, INTERMEDIATE, SIBLING};
use super::{NodeRef, Tree, TreeBuilder, Visit};

/// Which child is split off first.
#[derive(Clone, Debug)]
pub enum Direction {
    /// The last one: left-branching.
    Left,
    /// The first one: right-branching.
    Right,
    /// The outermost ones, so that the head is deepest.
    HeadOutward(HeadRules),
}

/// Number of siblings that an intermediate label remembers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Horizontal {
    /// At most this many of the nearest siblings.
    Order(usize),
    /// All siblings: the grammar then generates only rules of the treebank.
    Unlimited,
}

/// The children of one node while they are split.
struct Frame<'t> {
    children: Vec<NodeRef<'t>>,
    /// Label of the intermediate nodes, without siblings.
    intermediate: String,
    head: usize,
    /// Children split off so far, oldest first.
    split_off: Vec<usize>,
}

enum Step<'t> {
    Visit(NodeRef<'t>),
    /// Children `from..to` of the innermost frame.
    Range {
        from: usize,
        to: usize,
    },
    Open,
    Close,
    EndFrame,
}

/// The tree with at most two children per node.
pub fn binarize(tree: &Tree, direction: &Direction, horizontal: Horizontal) -> Tree {
    let mut builder = TreeBuilder::like(tree);
    let mut frames: Vec<Frame<'_>> = Vec::new();
    let mut steps = vec![Step::Visit(tree.root())];
    while let Some(step) = steps.pop() {
        match step {
            Step::Visit(node) if node.is_word() => builder.word(node.text()),
            Step::Visit(node) => {
                builder.open(node.text());
                steps.push(Step::Close);
                let children: Vec<NodeRef<'_>> = node.children().collect();
                if children.len() <= 2 {
                    steps.extend(children.into_iter().rev().map(Step::Visit));
                } else {
                    steps.extend([Step::EndFrame, Step::Range { from: 0, to: children.len() }]);
                    frames.push(frame(node, children, direction));
                }
            }
            Step::Close => builder.close(),
            Step::EndFrame => {
                frames.pop();
            }
            Step::Open => {
                if let Some(frame) = frames.last() {
                    open_intermediate(&mut builder, frame, horizontal);
                }
            }
            Step::Range { from, to } => {
                let Some(frame) = frames.last_mut() else { continue };
                if to - from <= 2 {
                    steps.extend((from..to).rev().map(|i| Step::Visit(frame.children[i])));
                    continue;
                }
                let split_first = match direction {
                    Direction::Left => false,
                    Direction::Right => true,
                    Direction::HeadOutward(_) => from < frame.head,
                };
                if split_first {
                    frame.split_off.push(from);
                    let rest = Step::Range { from: from + 1, to };
                    steps.extend([Step::Close, rest, Step::Open, Step::Visit(frame.children[from])]);
                } else {
                    frame.split_off.push(to - 1);
                    let rest = Step::Range { from, to: to - 1 };
                    steps.extend([Step::Visit(frame.children[to - 1]), Step::Close, rest, Step::Open]);
                }
            }
        }
    }
    builder.finish().expect("every step that opens a node also closes it")
}

fn frame<'t>(node: NodeRef<'t>, children: Vec<NodeRef<'t>>, direction: &Direction) -> Frame<'t> {
    let mut intermediate = String::from(INTERMEDIATE);
    intermediate.push_str(marks::chain_bottom(node.text()));
    if let Some((_, ancestors)) = node.text().split_once(marks::ANCESTOR) {
        intermediate.push(marks::ANCESTOR);
        intermediate.push_str(ancestors);
    }
    let head = match direction {
        Direction::HeadOutward(rules) => rules.head_child(node),
        Direction::Left | Direction::Right => 0,
    };
    Frame { children, intermediate, head, split_off: Vec::new() }
}

fn open_intermediate(builder: &mut TreeBuilder, frame: &Frame<'_>, horizontal: Horizontal) {
    builder.open(&frame.intermediate);
    let order = match horizontal {
        Horizontal::Order(order) => order,
        Horizontal::Unlimited => usize::MAX,
    };
    for &sibling in frame.split_off.iter().rev().take(order) {
        builder.extend_label(SIBLING.encode_utf8(&mut [0; 4]));
        builder.extend_label(marks::chain_top(frame.children[sibling].text()));
    }
}

/// The inverse of [`binarize`], whatever the direction and order.
pub fn unbinarize(tree: &Tree) -> Tree {
    let mut builder = TreeBuilder::like(tree);
    let stays = |node: NodeRef<'_>| node.index() == 0 || !marks::is_intermediate(node.text());
    for visit in tree.walk() {
        match visit {
            Visit::Open(node) if stays(node) => builder.open(node.text()),
            Visit::Close(node) if stays(node) => builder.close(),
            Visit::Word(node) => builder.word(node.text()),
            Visit::Open(_) | Visit::Close(_) => {}
        }
    }
    builder.finish().expect("a tree was walked in order")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, direction: Direction, horizontal: Horizontal, expected: &str) {
        let tree: Tree = text.parse().unwrap();
        let binary = binarize(&tree, &direction, horizontal);
        assert_eq!(binary.to_string(), expected);
        assert_eq!(unbinarize(&binary), tree);
    }

    #[test]
    fn left_right_and_unlimited() {
        let text = "(X (A a) (B b) (C c) (D d))";
        check(text, Direction::Left, Horizontal::Order(0), "(X (@X (@X (A a) (B b)) (C c)) (D d))");
        check(text, Direction::Left, Horizontal::Order(1), "(X (@X~D (@X~C (A a) (B b)) (C c)) (D d))");
        check(text, Direction::Right, Horizontal::Order(1), "(X (A a) (@X~A (B b) (@X~B (C c) (D d))))");
        check(text, Direction::Right, Horizontal::Unlimited, "(X (A a) (@X~A (B b) (@X~B~A (C c) (D d))))");
    }

    #[test]
    fn the_head_is_deepest() {
        let direction = || Direction::HeadOutward(HeadRules::english());
        check(
            "(VP (RB not) (VBD saw) (NP (NN a)) (PP (IN of)))",
            direction(),
            Horizontal::Order(1),
            "(VP (RB not) (@VP~RB (@VP~PP (VBD saw) (NP (NN a))) (PP (IN of))))",
        );
    }

    #[test]
    fn chains_and_ancestors_in_labels() {
        check(
            "(S|VP^NP (A|B a) (B b) (C (A|B d) (B b) (C c)))",
            Direction::Right,
            Horizontal::Order(1),
            "(S|VP^NP (A|B a) (@VP^NP~A (B b) (C (A|B d) (@C~A (B b) (C c)))))",
        );
    }
}
