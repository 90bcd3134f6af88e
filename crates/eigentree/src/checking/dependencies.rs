//! Checks of sentences in CoNLL-U.

use std::collections::{BTreeMap, HashMap};

use corpus::dependency::{DependencyTree, RootRule, TreeError};
use corpus::format::conllu::{Sentence, TokenId};

use super::finding::Severity;
use super::item::{Checked, CheckedItem};

/// Layers of words.
pub(super) const LAYERS: [&str; 3] = ["UPOS", "XPOS", "DEPREL"];

/// The tags of Universal Dependencies.
const UPOS: [&str; 17] = [
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT",
    "SCONJ", "SYM", "VERB", "X",
];

/// The relations of Universal Dependencies, without subtypes.
const RELATIONS: [&str; 37] = [
    "acl",
    "advcl",
    "advmod",
    "amod",
    "appos",
    "aux",
    "case",
    "cc",
    "ccomp",
    "clf",
    "compound",
    "conj",
    "cop",
    "csubj",
    "dep",
    "det",
    "discourse",
    "dislocated",
    "expl",
    "fixed",
    "flat",
    "goeswith",
    "iobj",
    "list",
    "mark",
    "nmod",
    "nsubj",
    "nummod",
    "obj",
    "obl",
    "orphan",
    "parataxis",
    "punct",
    "reparandum",
    "root",
    "vocative",
    "xcomp",
];

/// Checks the sentences of one file.
pub(super) fn sentences(checked: &mut Checked, file: usize, sentences: &[Sentence]) {
    let mut ids: HashMap<&str, u64> = HashMap::new();
    let (mut crossing, mut trees, mut unnamed) = (0usize, 0usize, 0usize);
    let mut foreign: BTreeMap<(&'static str, String), (usize, usize)> = BTreeMap::new();
    for (number, sentence) in (1..).zip(sentences) {
        let item = item(file, number, sentence);
        match DependencyTree::from_sentence(sentence, RootRule::Single) {
            Ok(tree) => {
                trees += 1;
                crossing += usize::from(!tree.is_projective());
            }
            Err(error) => {
                let kind = kind_of(&error);
                // A treebank without any heads is for taggers.
                if !(kind == "missing-head" && sentence.words().all(|word| word.head().is_none())) {
                    checked.report(Severity::Error, kind, &item, error.to_string());
                }
            }
        }
        for (index, word) in (1..).zip(sentence.words()) {
            let is_root = word.head().is_some_and(|head| head.is_root());
            if word.head().is_some() && is_root != (word.universal_deprel() == "root") {
                let message = format!(
                    "word {index} (`{}`) has the relation {} but the head {}",
                    word.form(),
                    word.deprel(),
                    word.head().map_or(0, |head| head.number())
                );
                checked.report(Severity::Warning, "root-relation", &item, message);
            }
            let mut note = |layer, label: &str| {
                let entry = foreign.entry((layer, label.to_owned())).or_insert((0, checked.items.len()));
                entry.0 += 1;
            };
            if word.upos() != "_" && !UPOS.contains(&word.upos()) {
                note("UPOS", word.upos());
            }
            if word.deprel() != "_" && !RELATIONS.contains(&word.universal_deprel()) {
                note("DEPREL", word.universal_deprel());
            }
        }
        if let Some(text) = sentence.text_comment().filter(|text| !matches(text, sentence)) {
            let message = format!("the tokens do not spell the text `{}`", shortened(text));
            checked.report(Severity::Warning, "text-mismatch", &item, message);
        }
        match sentence.sent_id() {
            None => unnamed += 1,
            Some(id) => {
                if let Some(line) = ids.insert(id, item.line) {
                    let message = format!("the id {id} is also that of the sentence at line {line}");
                    checked.report(Severity::Warning, "duplicate-id", &item, message);
                }
            }
        }
        checked.items.push(item);
    }
    for ((layer, label), (count, first)) in foreign {
        let item = checked.items[first].clone();
        let message = format!("{layer} `{label}` ({count}×) is not one of Universal Dependencies");
        checked.report(Severity::Note, "not-universal", &item, message);
    }
    if unnamed > 0 {
        let message = format!("{unnamed} of {} sentences have no sent_id", sentences.len());
        checked.report_file(Severity::Note, "no-id", file, message);
    }
    if crossing > 0 {
        let share = 100.0 * crossing as f64 / trees.max(1) as f64;
        let message = format!("{crossing} of {trees} trees ({share:.1} %) have crossing arcs");
        checked.report_file(Severity::Note, "crossing-arcs", file, message);
    }
}

fn item(file: usize, number: usize, sentence: &Sentence) -> CheckedItem {
    let layer = |column: fn(&corpus::format::conllu::Token<'_>) -> String| {
        sentence.words().map(|word| column(&word)).collect::<Vec<_>>()
    };
    let upos = layer(|word| word.upos().to_owned());
    let xpos = layer(|word| word.xpos().to_owned());
    let relations = layer(|word| word.deprel().to_owned());
    let heads: Vec<String> =
        sentence.words().map(|word| word.head().map_or(String::new(), |head| head.to_string())).collect();
    CheckedItem {
        file,
        line: sentence.first_line(),
        name: sentence.sent_id().map_or_else(|| number.to_string(), str::to_owned),
        words: layer(|word| word.form().to_owned()),
        annotation: [&upos, &xpos, &heads, &relations].map(|layer| layer.join(" ")).join("\n"),
        layers: vec![upos, xpos, relations],
        phrases: Vec::new(),
    }
}

fn kind_of(error: &TreeError) -> &'static str {
    match error {
        TreeError::Empty => "empty-sentence",
        TreeError::MissingHead { .. } => "missing-head",
        TreeError::HeadOutOfRange { .. } => "head-out-of-range",
        TreeError::Cycle { .. } => "cycle",
        TreeError::SeveralRoots { .. } => "several-roots",
        TreeError::LabelCount { .. } => "label-count",
    }
}

/// Whether the tokens spell a text, up to white space.
fn matches(text: &str, sentence: &Sentence) -> bool {
    let mut covered = 0;
    let mut spelt = String::new();
    for token in sentence.tokens() {
        match token.id() {
            TokenId::Range { last, .. } => {
                spelt.push_str(token.form());
                covered = last;
            }
            TokenId::Word(number) if number > covered => spelt.push_str(token.form()),
            _ => {}
        }
    }
    let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    letters(&spelt) == letters(text)
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(50) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
