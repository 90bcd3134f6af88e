//! Contents of a model of word clusters.

use std::fmt::Write as _;

use eigentree::clustering::{Group, groups_at, groups_below, neighbours_of};
use eigentree::models::clusters::BrownModel;
use serde_json::{Value, json};

use crate::args::InspectJob;
use crate::session::Session;

/// Default depth at which the tree is cut.
const PREFIX: usize = 4;

/// Shows the requested clusters, or the top of the tree.
pub(super) fn put(
    text: &mut String,
    model: &BrownModel,
    job: &InspectJob,
    session: &mut Session,
) -> anyhow::Result<()> {
    let file = job.file.display();
    let asked = &job.clusters;
    let mut shown = Vec::new();
    if asked.prefix.is_some() || asked.asked().is_empty() {
        let bits = asked.prefix.unwrap_or(PREFIX);
        let _ = writeln!(text, "clusters, cut after {bits} bits");
        let groups = groups_at(model, bits);
        put_groups(text, model, &groups, job.top);
        shown.push(json!({ "prefix": bits, "clusters": json_of(model, &groups, job.top) }));
    }
    for bits in &asked.clusters {
        let groups = groups_below(model, bits);
        if groups.is_empty() {
            anyhow::bail!(
                "no cluster path of {file} begins with `{bits}`; `inspect {file} --prefix 6` lists some"
            );
        }
        let _ = writeln!(text, "clusters that begin with {bits}");
        put_groups(text, model, &groups, job.top);
        shown.push(json!({ "below": bits, "clusters": json_of(model, &groups, job.top) }));
    }
    for word in &asked.words {
        let Some(groups) = neighbours_of(model, word, job.top) else {
            anyhow::bail!(
                "the word `{word}` is not in the vocabulary of {file}, and there is no class of other words"
            );
        };
        let known = model.vocab().get(word).is_some();
        let note = if known { "" } else { ", which is not in the vocabulary" };
        let _ = writeln!(text, "the cluster of {word}{note}, and its neighbours in the tree");
        put_groups(text, model, &groups, job.top);
        shown.push(json!({ "word": word, "known": known, "clusters": json_of(model, &groups, job.top) }));
    }
    session.field("shown", shown);
    Ok(())
}

fn put_groups(text: &mut String, model: &BrownModel, groups: &[Group], top: usize) {
    let width = groups.iter().map(|group| group.bits.len()).max().unwrap_or(0);
    for group in groups {
        let words: Vec<&str> = group.words.iter().take(top).map(|&word| model.vocab().text(word)).collect();
        let more = if group.words.len() > top { " …" } else { "" };
        let _ = writeln!(
            text,
            "  {:width$}  {:>5} words  {:>9}  {}{more}",
            group.bits,
            group.words.len(),
            group.count,
            words.join(" ")
        );
    }
}

fn json_of(model: &BrownModel, groups: &[Group], top: usize) -> Vec<Value> {
    let one = |group: &Group| {
        let words: Vec<&str> = group.words.iter().take(top).map(|&word| model.vocab().text(word)).collect();
        json!({ "path": group.bits, "clusters": group.clusters, "words": group.words.len(), "count": group.count, "top": words })
    };
    groups.iter().map(one).collect()
}
