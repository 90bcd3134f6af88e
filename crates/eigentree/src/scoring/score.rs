//! Scores one prediction.

use corpus::error::{ReadError, SyntaxError};
use corpus::format::bio::{BioReader, BioSentence};
use corpus::format::conllu::{ConlluReader, Sentence};
use corpus::format::conllx::ConllxReader;
use corpus::format::penn::{Entry, PennReader};
use eval::alignment::{AlignedScores, score_aligned};
use eval::attachment::{AttachmentScores, score_pair};
use eval::brackets::{BracketScorer, BracketScores};
use eval::entities::EntityScores;
use eval::error::EvalError;
use eval::report::{AttachmentReport, Report, TagReport};
use eval::tagging::{ColumnScores, Familiarity};

use super::config::{Punctuation, ScoringConfig, Tokens};
use super::in_step::in_step;
use crate::Error;
use crate::reading::{Forgiving, Format, Source};

/// The scores, by the kind of annotation.
#[derive(Clone, Debug)]
pub enum Scores {
    /// Scores of trees.
    Brackets(BracketScores),
    /// Scores of dependencies, with tags.
    Attachment {
        /// Heads and relations.
        attachment: AttachmentScores,
        /// Tags.
        tags: ColumnScores,
    },
    /// Scores of dependencies over different tokens.
    Aligned(AlignedScores),
    /// Scores of entities.
    Entities(EntityScores),
}

/// The result of scoring.
#[derive(Clone, Debug)]
pub struct Scored {
    /// The records of all sentences.
    pub scores: Scores,
    /// Sentences that could not be read on either side.
    pub skipped: Vec<SyntaxError>,
    punctuation: Punctuation,
}

impl Scored {
    /// The report.
    pub fn report(&self) -> Report {
        let attachment = |report: AttachmentReport| {
            Some(match self.punctuation {
                Punctuation::Counts => report,
                Punctuation::LeftOut => {
                    AttachmentReport { uas: report.uas_no_punct, las: report.las_no_punct, ..report }
                }
            })
        };
        match &self.scores {
            Scores::Brackets(scores) => Report { brackets: Some(scores.into()), ..Report::default() },
            Scores::Attachment { attachment: scores, tags } => Report {
                attachment: attachment(scores.into()),
                tags: Some(TagReport::from(tags)),
                ..Report::default()
            },
            Scores::Aligned(scores) => Report { attachment: attachment(scores.into()), ..Report::default() },
            Scores::Entities(scores) => Report { entities: Some(scores.into()), ..Report::default() },
        }
    }
}

/// Scores texts in memory. The format is detected from the gold text unless given.
pub fn score_texts(
    gold: &str,
    predicted: &str,
    format: Option<Format>,
    config: &ScoringConfig,
) -> Result<Scored, Error> {
    let gold = Source::from_text(gold, "gold", format);
    let format = gold.format();
    score(gold, Source::from_text(predicted, "predicted", Some(format)), config)
}

/// Scores `predicted` against `gold`, which must be of the same kind.
pub fn score(gold: Source, predicted: Source, config: &ScoringConfig) -> Result<Scored, Error> {
    let (gold_name, predicted_name) = (gold.name().to_owned(), predicted.name().to_owned());
    score_sources(gold, predicted, config).map_err(|error| match error {
        // Errors of reading already name their file.
        Error::Eval(error) if !matches!(error, EvalError::Read(_)) => {
            Error::Comparison { gold: gold_name, predicted: predicted_name, error: Box::new(error) }
        }
        error => error,
    })
}

fn score_sources(gold: Source, predicted: Source, config: &ScoringConfig) -> Result<Scored, Error> {
    let (scores, skipped) = match (gold.format(), predicted.format()) {
        (Format::Ptb, Format::Ptb) => score_brackets(gold, predicted, config)?,
        (Format::Conllu | Format::Conllx, Format::Conllu | Format::Conllx) => match config.tokens {
            Tokens::Same => score_attachment(gold, predicted, config)?,
            Tokens::Align => align(gold, predicted, config)?,
        },
        (Format::Bio, Format::Bio) => score_entities(gold, predicted, config)?,
        (one, other) => return Err(incomparable(&gold, one, &predicted, other)),
    };
    Ok(Scored { scores, skipped, punctuation: config.punctuation })
}

fn incomparable(gold: &Source, one: Format, predicted: &Source, other: Format) -> Error {
    Error::Data(format!(
        "cannot compare {} ({one}) with {} ({other}): both must be trees (ptb), both dependencies (conllu), or both \
         entities (bio); if a format was detected wrongly, name it",
        gold.name(),
        predicted.name()
    ))
}

type ScoreResult = Result<(Scores, Vec<SyntaxError>), Error>;

fn check_gold(name: &str, sentences: usize, skipped: &[SyntaxError]) -> Result<(), Error> {
    match (sentences, skipped.is_empty()) {
        (0, true) => Err(Error::Empty { name: name.to_owned(), wanted: "gold sentences to compare with" }),
        (0, false) => Err(Error::NothingReadable { skipped: skipped.to_vec() }),
        _ => Ok(()),
    }
}

fn score_brackets(gold: Source, predicted: Source, config: &ScoringConfig) -> ScoreResult {
    let (gold_name, predicted_name) = (gold.name().to_owned(), predicted.name().to_owned());
    let mut scorer = BracketScorer::new(config.brackets.clone());
    let mut predicted = PennReader::new(predicted, predicted_name);
    let entries = std::iter::from_fn(|| predicted.next_entry());
    let skipped = in_step(PennReader::new(gold, &gold_name), entries, config.bad_items, |_, gold, entry| {
        scorer.score(&gold, &entry.unwrap_or(Entry::Empty))
    })?;
    let scores = scorer.finish();
    check_gold(&gold_name, scores.sentences.len(), &skipped)?;
    Ok((Scores::Brackets(scores), skipped))
}

pub(super) fn sentences(source: Source) -> Box<dyn Iterator<Item = Result<Sentence, ReadError>>> {
    let name = source.name().to_owned();
    match source.format() {
        Format::Conllx => Box::new(ConllxReader::new(source, name)),
        _ => Box::new(ConlluReader::new(source, name)),
    }
}

/// The sentence without annotation of its words: the value of a prediction that cannot be read.
pub(super) fn unannotated(sentence: &Sentence) -> Sentence {
    let mut blank = sentence.clone();
    for index in 0..sentence.len() {
        // The values are valid and the index is in range.
        let _ = blank.set_head(index, None);
        let _ = blank.set_deprel(index, "_");
        let _ = blank.set_upos(index, "_");
        let _ = blank.set_xpos(index, "_");
    }
    blank
}

fn score_attachment(gold: Source, predicted: Source, config: &ScoringConfig) -> ScoreResult {
    let name = gold.name().to_owned();
    let mut attachment = AttachmentScores::default();
    let mut tags = ColumnScores::default();
    let score = |number: usize, gold: Sentence, predicted: Option<Sentence>| -> Result<(), EvalError> {
        let predicted = predicted.unwrap_or_else(|| unannotated(&gold));
        attachment.sentences.push(score_pair(&gold, &predicted, number, &config.attachment)?);
        let upos = |sentence: &Sentence| -> Vec<String> {
            sentence.words().map(|word| word.upos().to_owned()).collect()
        };
        let xpos = |sentence: &Sentence| -> Vec<String> {
            sentence.words().map(|word| word.xpos().to_owned()).collect()
        };
        tags.upos.score(&upos(&gold), &upos(&predicted), |_| Familiarity::Known)?;
        tags.xpos.score(&xpos(&gold), &xpos(&predicted), |_| Familiarity::Known)
    };
    let skipped = in_step(sentences(gold), sentences(predicted), config.bad_items, score)?;
    check_gold(&name, attachment.sentences.len(), &skipped)?;
    Ok((Scores::Attachment { attachment, tags }, skipped))
}

fn align(gold: Source, predicted: Source, config: &ScoringConfig) -> ScoreResult {
    let name = gold.name().to_owned();
    let mut skipped = Vec::new();
    let mut read = |source: Source| -> Result<Vec<Sentence>, ReadError> {
        let mut items = Forgiving::new(sentences(source), config.bad_items);
        let sentences = items.by_ref().collect();
        skipped.append(&mut items.into_skipped());
        sentences
    };
    let (gold, predicted) = (read(gold)?, read(predicted)?);
    check_gold(&name, gold.len(), &skipped)?;
    Ok((Scores::Aligned(score_aligned(&gold, &predicted, &config.attachment)?), skipped))
}

fn score_entities(gold: Source, predicted: Source, config: &ScoringConfig) -> ScoreResult {
    let (gold_name, predicted_name) = (gold.name().to_owned(), predicted.name().to_owned());
    let mut scores = EntityScores::default();
    let score = |number: usize, gold: BioSentence, predicted: Option<BioSentence>| -> Result<(), EvalError> {
        let gold_tags: Vec<&str> = gold.tags().collect();
        let Some(predicted) = predicted else { return scores.score(&gold_tags, &vec!["O"; gold_tags.len()]) };
        let differ = gold.tokens().zip(predicted.tokens()).position(|(one, other)| one != other);
        if let Some((at, one)) = differ.and_then(|at| Some((at, gold.tokens().nth(at)?))) {
            return Err(EvalError::Word {
                sentence: number,
                word: at + 1,
                gold: one.to_owned(),
                predicted: predicted.tokens().nth(at).unwrap_or_default().to_owned(),
                gold_words: gold.len(),
                predicted_words: predicted.len(),
            });
        }
        scores.score(&gold_tags, &predicted.tags().collect::<Vec<_>>())
    };
    let (gold, predicted) = (BioReader::new(gold, &gold_name), BioReader::new(predicted, predicted_name));
    let skipped = in_step(gold, predicted, config.bad_items, score)?;
    check_gold(&gold_name, scores.sentences.len(), &skipped)?;
    Ok((Scores::Entities(scores), skipped))
}
