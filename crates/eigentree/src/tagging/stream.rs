//! Labelling sentences of any format as they come.

use crate::pipeline::{annotate_columns_with, annotate_entities, best_columns, entity_tags};
use corpus::error::ReadError;
use corpus::format::bio::{BioSentence, BioWriter};
use corpus::format::conllu::{Columns, ConlluWriter, Sentence, SentenceError};
use models::learn::Observer;
use tagging::tagger::{ColumnKind, Scratch, Tagger};

use crate::Error;
use crate::conversion::{Item, Target};
use crate::files::Output;
use crate::reading::BadItems;
use crate::streaming::{Counts, Done, Job, Report, drive};

/// Sentences per thread and round.
const ROUND: usize = 256;

/// What is labelled how.
#[derive(Clone, Copy, Debug)]
pub struct TagConfig {
    /// CoNLL-U, which keeps all that was given, or two columns for entities.
    pub format: Target,
    /// How many sequences of labels a sentence gets at most, by its first column.
    pub nbest: usize,
    /// Whether MISC tells the probability of each label.
    pub confidences: crate::parsing::Confidences,
    /// What happens to sentences that cannot be read.
    pub bad_items: BadItems,
}

impl Default for TagConfig {
    fn default() -> Self {
        Self {
            format: Target::Conllu,
            nbest: 1,
            confidences: crate::parsing::Confidences::Skip,
            bad_items: BadItems::default(),
        }
    }
}

/// A sentence as it is written.
enum Labelled {
    Conllu(Vec<Sentence>),
    Bio(BioSentence),
}

/// Labels sentences as they come, and writes them in their order. The caller must have started a stage, and finishes the
/// output.
pub fn tag_stream(
    tagger: &Tagger,
    items: impl Iterator<Item = Result<Item, ReadError>> + Send + 'static,
    config: &TagConfig,
    observer: &mut dyn Observer,
    output: &mut Output,
) -> Result<Report, Error> {
    if !matches!(config.format, Target::Conllu | Target::Bio) {
        let asked = config.format.name();
        return Err(Error::Data(format!("labels cannot be written as {asked}; choose conllu or bio")));
    }
    let job = Job { per_thread: ROUND, bad_items: config.bad_items, length: Item::word_count };
    drive(items, &job, observer, output, |item, scratch| {
        let counts = Counts { sentences: 1, words: item.word_count() as u64, ..Counts::default() };
        let labelled = label(tagger, item, config, scratch).map_err(|error| unwritable(&error))?;
        Ok(Done { counts, entry: written(&labelled)? })
    })
}

/// The error of a sentence that has no form in the format to write.
pub(super) fn unwritable(error: &dyn std::fmt::Display) -> Error {
    Error::Data(format!("a sentence cannot be written as CoNLL-U: {error}"))
}

fn written(labelled: &Labelled) -> Result<Vec<u8>, Error> {
    match labelled {
        Labelled::Conllu(sentences) => conllu_text(sentences.iter().filter(|sentence| !sentence.is_empty())),
        Labelled::Bio(sentence) => {
            let mut text = Vec::new();
            if !sentence.is_empty() {
                BioWriter::new(&mut text).write(sentence).map_err(|error| unwritable(&error))?;
            }
            Ok(text)
        }
    }
}

/// Sentences as text.
pub(super) fn conllu_text<'s>(sentences: impl IntoIterator<Item = &'s Sentence>) -> Result<Vec<u8>, Error> {
    let mut text = Vec::new();
    let mut writer = ConlluWriter::new(&mut text);
    for sentence in sentences {
        writer.write(sentence).map_err(|error| unwritable(&error))?;
    }
    drop(writer);
    Ok(text)
}

fn label(
    tagger: &Tagger,
    item: Item,
    config: &TagConfig,
    scratch: &mut Scratch,
) -> Result<Labelled, SentenceError> {
    if config.format == Target::Bio {
        return Ok(Labelled::Bio(label_entities(tagger, &item, scratch)));
    }
    let mut sentence = sentence_of(item)?;
    let spans = tagger.columns().first().is_some_and(|column| column.kind() == ColumnKind::Spans);
    if spans {
        annotate_entities(tagger, &mut sentence, config.confidences, scratch)?;
        return Ok(Labelled::Conllu(vec![sentence]));
    }
    annotate_columns_with(tagger, &mut sentence, config.confidences, scratch)?;
    if config.nbest > 1 {
        return label_best(tagger, &sentence, config.nbest, scratch).map(Labelled::Conllu);
    }
    Ok(Labelled::Conllu(vec![sentence]))
}

/// The sentence as CoNLL-U has it.
pub(super) fn sentence_of(item: Item) -> Result<Sentence, SentenceError> {
    if let Item::Dependencies(sentence) = item {
        return Ok(sentence);
    }
    let mut sentence = Sentence::new();
    for form in words(&item) {
        sentence.push_word(Columns { form: &form, ..Columns::default() })?;
    }
    Ok(sentence)
}

fn words(item: &Item) -> Vec<String> {
    match item {
        Item::Tree(tree) => tree.words().map(str::to_owned).collect(),
        Item::Dependencies(sentence) => sentence.words().map(|word| word.form().to_owned()).collect(),
        Item::Entities(sentence) => sentence.tokens().map(str::to_owned).collect(),
        Item::Plain(sentence) => sentence.words().map(str::to_owned).collect(),
    }
}

fn label_entities(tagger: &Tagger, item: &Item, scratch: &mut Scratch) -> BioSentence {
    let words = words(item);
    let tags = entity_tags(tagger, &words, scratch);
    let mut sentence = BioSentence::new();
    for (word, tag) in words.iter().zip(&tags) {
        // Words that were read hold no TAB or end of a line, and tags come from the model.
        let _ = sentence.push(word, tag);
    }
    sentence
}

/// The sentence once for each sequence of labels, with comments that tell their ranks.
fn label_best(
    tagger: &Tagger,
    sentence: &Sentence,
    nbest: usize,
    scratch: &mut Scratch,
) -> Result<Vec<Sentence>, SentenceError> {
    let mut all = best_columns(tagger, sentence, nbest, scratch)?;
    for (rank, (copy, log_probability)) in (1..).zip(&mut all) {
        copy.insert_comment(usize::MAX, &format!("# rank = {rank}"))?;
        copy.insert_comment(usize::MAX, &format!("# log_probability = {log_probability:.4}"))?;
    }
    Ok(all.into_iter().map(|(copy, _)| copy).collect())
}
