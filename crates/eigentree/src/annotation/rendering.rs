//! Annotated sentences as text, for streams.

use corpus::format::bio::{BioSentence, BioWriter, Scheme, lenient_entities};
use corpus::format::conllu::{Sentence, SentenceError};

use super::document::{is_newdoc, is_opening, unmade};
use super::places;
use super::sentence::AnnotatedSentence;
use super::tables::{SPAN_COLUMNS, WORD_COLUMNS};
use crate::Error;
use crate::conversion::Target;
use crate::pipeline::ENTITY_KEY;

/// The formats that annotators of words write. Grammars write [others](crate::parsing::ParseSink::FORMATS) too.
pub const FORMATS: [Target; 6] =
    [Target::Conllu, Target::Json, Target::Jsonl, Target::Tsv, Target::Spans, Target::Bio];

/// Some sentences as text, but for their numbers, which are known only when all sentences before them are.
#[derive(Debug, Default)]
pub(super) struct Rendered {
    pub(super) text: String,
    /// Where the number of which sentence, counted from 0, is missing.
    pub(super) numbers: Vec<(usize, u64)>,
    pub(super) sentences: u64,
}

/// What the comments of sentences in a stream say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comments<'n> {
    /// Whether sentences get `# sent_id` and `# text` if they have none.
    pub(super) missing: Missing,
    /// Whether the first sentence begins a document.
    pub(super) begins: Begins,
    /// The name of the document.
    pub(super) name: Option<&'n str>,
}

/// What happens to comments that are missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Missing {
    Add,
    Leave,
}

/// Whether a sentence is the first of a document that is marked by `# newdoc`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Begins {
    Document,
    Nothing,
}

/// Adds comments that a sentence lacks, `# sent_id` ending in `number`.
pub(super) fn complete(
    sentence: &mut Sentence,
    comments: Comments<'_>,
    number: &str,
) -> Result<(), SentenceError> {
    let opening = sentence.comments().take_while(|comment| is_opening(comment)).count();
    if comments.missing == Missing::Add {
        if sentence.text_comment().is_none() {
            let text = places::surface(sentence);
            sentence.insert_comment(opening, &format!("# text = {text}"))?;
        }
        if sentence.sent_id().is_none() {
            let id = comments.name.map(|name| format!("{name}-")).unwrap_or_default();
            sentence.insert_comment(opening, &format!("# sent_id = {id}{number}"))?;
        }
    }
    if comments.begins == Begins::Document && !sentence.comments().any(is_newdoc) {
        let newdoc =
            comments.name.map_or_else(|| "# newdoc".to_owned(), |name| format!("# newdoc id = {name}"));
        sentence.insert_comment(0, &newdoc)?;
    }
    Ok(())
}

/// Adds comments that a sentence of a stream without documents lacks.
pub(crate) fn complete_numbered(annotated: &mut AnnotatedSentence, number: u64) -> Result<(), Error> {
    let comments = Comments { missing: Missing::Add, begins: Begins::Nothing, name: None };
    annotated
        .try_for_each_sentence(|sentence| complete(sentence, comments, &number.to_string()))
        .map_err(|error| unmade(&error))
}

/// Renders sentences; those without an id get one from their place in the document.
pub(super) fn render(
    mut sentences: Vec<AnnotatedSentence>,
    comments: Comments<'_>,
    format: Target,
) -> Result<Rendered, Error> {
    sentences.retain(|sentence| !sentence.is_empty());
    let mark = mark(&sentences);
    let mut rendered = Rendered { sentences: sentences.len() as u64, ..Rendered::default() };
    for (number, annotated) in (0..).zip(&mut sentences) {
        let begins = if number == 0 { comments.begins } else { Begins::Nothing };
        annotated
            .try_for_each_sentence(|sentence| {
                complete(sentence, Comments { begins, ..comments }, &mark.to_string())
            })
            .map_err(|error| unmade(&error))?;
        if format == Target::Json && number > 0 {
            rendered.text.push_str(",\n");
        }
        let mut text = String::new();
        write(annotated, format, &mark.to_string(), &mut text)?;
        for part in text.split_inclusive(mark) {
            match part.strip_suffix(mark) {
                Some(before) => {
                    rendered.text.push_str(before);
                    rendered.numbers.push((rendered.text.len(), number));
                }
                None => rendered.text.push_str(part),
            }
        }
    }
    Ok(rendered)
}

/// A character that does not occur in the sentences, to stand for their numbers: one for private use.
fn mark(sentences: &[AnnotatedSentence]) -> char {
    let occurs = |mark: char| {
        let in_sentence = |sentence: &Sentence| {
            sentence.comments().any(|comment| comment.contains(mark))
                || sentence.tokens().any(|token| token.form().contains(mark) || token.misc().contains(mark))
        };
        sentences.iter().any(|annotated| in_sentence(annotated.sentence()))
    };
    ('\u{f0000}'..='\u{ffffd}').find(|&mark| !occurs(mark)).unwrap_or('\u{ffffd}')
}

/// What comes before the first sentence of an output.
pub(crate) fn header(format: Target) -> String {
    match format {
        Target::Tsv => format!("{WORD_COLUMNS}\n"),
        Target::Spans => format!("{SPAN_COLUMNS}\n"),
        _ => String::new(),
    }
}

/// Appends one sentence. `number` stands for the number of a sentence without an id.
pub(crate) fn write(
    sentence: &AnnotatedSentence,
    format: Target,
    number: &str,
    text: &mut String,
) -> Result<(), Error> {
    match format {
        Target::Json | Target::Jsonl => {
            text.push_str(&sentence.to_json().to_string());
            if format == Target::Jsonl {
                text.push('\n');
            }
        }
        Target::Tsv => sentence.write_tsv(number, text),
        Target::Spans => sentence.write_spans(number, text),
        Target::Bio => text.push_str(&bio(sentence.sentence())?),
        _ => {
            let mut bytes = Vec::new();
            sentence.write_conllu(&mut bytes);
            text.push_str(&String::from_utf8_lossy(&bytes));
        }
    }
    Ok(())
}

/// The entities of a sentence in two columns, in the scheme IOB2.
fn bio(sentence: &Sentence) -> Result<String, Error> {
    let tags: Vec<&str> = sentence.words().map(|word| word.misc_value(ENTITY_KEY).unwrap_or("O")).collect();
    let entities = lenient_entities(tags.iter().copied());
    let refused = |error: &dyn std::fmt::Display| Error::Data(format!("entities cannot be written: {error}"));
    let tags = Scheme::Iob2.tags(&entities, sentence.len()).map_err(|error| refused(&error))?;
    let mut row = BioSentence::new();
    for (word, tag) in sentence.words().zip(&tags) {
        row.push(word.form(), tag).map_err(|error| refused(&error))?;
    }
    let mut bytes = Vec::new();
    BioWriter::new(&mut bytes).write(&row).map_err(|error| refused(&error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
