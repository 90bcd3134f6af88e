//! The parts of a lattice, and their scores given the numbers of the places between words.

use super::super::inference::Scores;
use super::super::lattice::{Lattice, SymbolName};
use super::layers::{Role, Shape};
use models::network::kernels::{dot, zeros};

/// The rows of the weights of a name and of its coarser name.
pub(super) type Rows = [u32; 2];

/// A part of a tree.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// A label over a span: its node, its ends, its rows.
    Label(usize, [usize; 2], Rows),
    /// A rule application: its branch, its beginning, split point and end, its rows.
    Rule(usize, [usize; 3], Rows),
}

/// All parts of a lattice. The labels of a span follow each other, but for the rule applications below them.
pub(super) fn parts(lattice: &Lattice, bits: u32) -> impl Iterator<Item = Part> + '_ {
    lattice.nodes.iter().enumerate().flat_map(move |(number, own)| {
        let [start, end] = [own.start as usize, own.end as usize];
        let label = Part::Label(number, [start, end], label_rows(own.name, bits));
        let rules = lattice.range(number).map(move |at| {
            let branch = lattice.branches[at];
            let [left, right] = [branch.left, branch.right].map(|child| &lattice.nodes[child as usize]);
            Part::Rule(
                at,
                [start, left.end as usize, end],
                rule_rows([own.name, left.name, right.name], bits),
            )
        });
        std::iter::once(label).chain(rules)
    })
}

fn row(name: u64, bits: u32) -> u32 {
    let mixed = (name ^ (name >> 31)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    ((mixed ^ (mixed >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits)) as u32
}

/// The rows of a label: its own and that of its top.
fn label_rows(name: SymbolName, bits: u32) -> Rows {
    [row(name.label, bits), row(name.top, bits)]
}

/// The rows of a rule: its own and that of the top of its left side.
fn rule_rows([parent, left, right]: [SymbolName; 3], bits: u32) -> Rows {
    let rule = [left.label, right.label]
        .into_iter()
        .fold(parent.label, |hash, name| hash.rotate_left(23).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ name);
    [row(rule, bits), row(parent.top ^ 77, bits)]
}

/// The numbers of a place in a role.
#[inline(always)]
fn of(roles: &[f32], shape: Shape, place: usize, role: Role) -> &[f32] {
    &roles[place * shape.roles() + role as usize * shape.part..][..shape.part]
}

/// The same, to be changed.
#[inline(always)]
pub(super) fn of_mut(roles: &mut [f32], shape: Shape, place: usize, role: Role) -> &mut [f32] {
    &mut roles[place * shape.roles() + role as usize * shape.part..][..shape.part]
}

/// The hidden numbers of a label's span.
#[inline(always)]
pub(super) fn span_numbers(
    roles: &[f32],
    shape: Shape,
    [start, end]: [usize; 2],
    bias: &[f32],
    out: &mut [f32],
) {
    let (start, end) = (of(roles, shape, start, Role::SpanStart), of(roles, shape, end, Role::SpanEnd));
    for (((out, start), end), bias) in out.iter_mut().zip(start).zip(end).zip(bias) {
        *out = (start + end + bias).max(0.0);
    }
}

/// The hidden numbers of a rule application.
#[inline(always)]
pub(super) fn rule_numbers(
    roles: &[f32],
    shape: Shape,
    [start, split, end]: [usize; 3],
    bias: &[f32],
    out: &mut [f32],
) {
    let (start, split, end) = (
        of(roles, shape, start, Role::RuleStart),
        of(roles, shape, split, Role::RuleSplit),
        of(roles, shape, end, Role::RuleEnd),
    );
    for ((((out, start), split), end), bias) in out.iter_mut().zip(start).zip(split).zip(end).zip(bias) {
        *out = (start + split + end + bias).max(0.0);
    }
}

/// Adds the weighted scores of all parts. `tables` are the weights of labels and of rules, row by row; `numbers` is scratch memory.
#[inline(always)]
pub(super) fn add_scores(
    lattice: &Lattice,
    (shape, roles, [span_bias, rule_bias]): (Shape, &[f32], [&[f32]; 2]),
    tables: [&[f32]; 2],
    weight: f32,
    numbers: &mut Vec<f32>,
    scores: &mut Scores,
) {
    let sum = |table: &[f32], rows: Rows, numbers: &[f32]| {
        let row = |row: u32| &table[row as usize * shape.part..][..shape.part];
        weight * rows.iter().map(|&at| dot(row(at), numbers)).sum::<f32>()
    };
    zeros(numbers, 2 * shape.part);
    let (span, rule) = numbers.split_at_mut(shape.part);
    let mut last = None;
    for part in parts(lattice, shape.label_bits) {
        match part {
            Part::Label(node, ends, of_label) => {
                if last.replace(ends) != Some(ends) {
                    span_numbers(roles, shape, ends, span_bias, span);
                }
                scores.nodes[node] += sum(tables[0], of_label, span);
            }
            Part::Rule(branch, places, of_rule) => {
                rule_numbers(roles, shape, places, rule_bias, rule);
                scores.branches[branch] += sum(tables[1], of_rule, rule);
            }
        }
    }
}

/// Joins the numbers of the words before and after every place between words; beyond the sentence they are 0, as `places`
/// must be before.
pub(super) fn fill_places(context: &[f32], width: usize, places: &mut [f32]) {
    let words = context.len() / width;
    for (at, place) in places.chunks_exact_mut(2 * width).enumerate() {
        if at > 0 {
            place[..width].copy_from_slice(&context[(at - 1) * width..at * width]);
        }
        if at < words {
            place[width..].copy_from_slice(&context[at * width..(at + 1) * width]);
        }
    }
}
