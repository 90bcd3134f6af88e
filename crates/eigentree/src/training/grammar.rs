//! Shared by the jobs of grammars: preparation of trees, notes on the normal form, scores of brackets.

use corpus::tree::Tree;
use corpus::tree::binarize::{Direction, Horizontal};
use corpus::tree::normal_form::NormalForm;
use eval::brackets::BracketConfig;
use eval::report::BracketReport;
use models::learn::Observer;
use models::persist::Metadata;
use serde_json::Value;

use super::dev_scores::{Measure, describe};
use super::{Annotation, prepare};
use crate::Error;
use crate::parsing::{TagUse, TreeParser, parse_trees, score_parses};

/// The trees as they are learnt from.
pub(super) fn prepared(trees: &[Tree], annotation: Annotation, observer: &mut dyn Observer) -> Vec<Tree> {
    observer.stage("prepare", None);
    prepare(trees.to_vec(), annotation)
}

/// Notes on the normal form.
pub(super) fn with_form(metadata: Metadata, form: &NormalForm) -> Metadata {
    let horizontal = match form.horizontal {
        Horizontal::Order(order) => Value::from(order),
        Horizontal::Unlimited => Value::from("unlimited"),
    };
    let direction = match form.direction {
        Direction::Left => "left",
        Direction::Right => "right",
        Direction::HeadOutward(_) => "head",
    };
    metadata
        .with_note("horizontal", horizontal)
        .with_note("vertical", form.vertical)
        .with_note("binarize", direction)
}

/// Parses the words of trees, and scores the brackets.
pub(super) fn score_brackets<P: TreeParser>(
    parser: &P,
    dev: &[Tree],
    tags: TagUse,
    observer: &mut dyn Observer,
) -> Result<Measure, Error> {
    observer.stage(&format!("parse dev {}", describe(tags)), Some(dev.len() as u64));
    let parses = parse_trees(parser, dev, tags, observer)?;
    let scores = score_parses(dev, &parses, &BracketConfig::collins())?;
    Ok(Measure::Brackets(tags, Box::new(BracketReport::from(&scores))))
}
