//! Finds out where a prediction is wrong.

use std::path::Path;

use corpus::drawing::{ArcSentence, NodeLook, SvgDocument, push_escaped};
use corpus::error::SyntaxError;
use corpus::format::bio::{BioReader, BioSentence, lenient_entities};
use corpus::format::conllu::Sentence;
use corpus::format::penn::{Entry, PennReader};
use corpus::tree::Tree;
use eval::diagnosis::{self, Diagnosis, Known, known_entities, known_words, wrong_brackets};
use eval::report::{DiagnosisReport, ErrorPage, Report, ShownSentence};

use super::config::{ScoringConfig, Tokens};
use super::in_step::in_step;
use super::score::{sentences, unannotated};
use crate::Error;
use crate::reading::{Forgiving, Format, Source};

/// Gold and predicted sentences.
#[derive(Clone, Debug)]
enum Pairs {
    Dependencies(Vec<(Sentence, Sentence)>),
    Trees(Vec<(Tree, Option<Tree>)>),
    Entities(Vec<(BioSentence, BioSentence)>),
}

/// Where a prediction is wrong, with the sentences to show it.
#[derive(Clone, Debug)]
pub struct Diagnosed {
    /// The analysis.
    pub diagnosis: Diagnosis,
    /// Sentences that could not be read.
    pub skipped: Vec<SyntaxError>,
    pairs: Pairs,
}

/// Analyses `predicted` against `gold`. Words of the file `train` are known words; entities of it known entities.
///
/// ```
/// use eigentree::reading::Source;
/// use eigentree::scoring::{ScoringConfig, diagnose};
/// let folder = tempfile::tempdir()?;
/// let (gold, predicted) = (folder.path().join("gold.ptb"), folder.path().join("predicted.ptb"));
/// std::fs::write(&gold, "(S (NP (NN time)) (VP (VBZ flies)))\n")?;
/// std::fs::write(&predicted, "(S (NP (NN time) (NNS flies)))\n")?;
/// let config = ScoringConfig::default();
/// let found = diagnose(Source::open(gold, None)?, Source::open(predicted, None)?, None, &config)?;
/// assert_eq!(found.diagnosis.confusions[1].count("VBZ", "NNS"), 1);
/// assert!(found.page("Errors", Vec::new(), &Default::default(), 10).contains("<svg"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn diagnose(
    gold: Source,
    predicted: Source,
    train: Option<&Path>,
    config: &ScoringConfig,
) -> Result<Diagnosed, Error> {
    let names = (gold.name().to_owned(), predicted.name().to_owned());
    diagnose_sources(gold, predicted, train, config).map_err(|error| match error {
        Error::Eval(error) if !matches!(error, eval::error::EvalError::Read(_)) => {
            Error::Comparison { gold: names.0, predicted: names.1, error: Box::new(error) }
        }
        error => error,
    })
}

fn diagnose_sources(
    gold: Source,
    predicted: Source,
    train: Option<&Path>,
    config: &ScoringConfig,
) -> Result<Diagnosed, Error> {
    if config.tokens == Tokens::Align {
        return Err(Error::Data(
            "errors are analysed word by word, so both files must have the same tokens; annotate the gold tokens \
             (CoNLL-U input) instead of aligning"
                .to_owned(),
        ));
    }
    let formats = (gold.format(), predicted.format());
    let known = train.map(|path| known(path, gold.format(), config)).transpose()?;
    let (gold_name, predicted_name) = (gold.name().to_owned(), predicted.name().to_owned());
    let bad_items = config.bad_items;
    match formats {
        (Format::Ptb, Format::Ptb) => {
            let mut predicted = PennReader::new(predicted, predicted_name);
            let entries = std::iter::from_fn(|| predicted.next_entry());
            let mut pairs: Vec<(Tree, Option<Tree>)> = Vec::new();
            let skipped = in_step(PennReader::new(gold, gold_name), entries, bad_items, |_, gold, entry| {
                let tree = match entry {
                    Some(Entry::Tree(tree)) => Some(tree),
                    Some(Entry::Empty) | None => None,
                };
                pairs.push((gold, tree));
                Ok(())
            })?;
            let diagnosis = diagnosis::trees(&pairs, known.as_ref(), &config.brackets)?;
            Ok(Diagnosed { diagnosis, skipped, pairs: Pairs::Trees(pairs) })
        }
        (Format::Conllu | Format::Conllx, Format::Conllu | Format::Conllx) => {
            let mut pairs: Vec<(Sentence, Sentence)> = Vec::new();
            let skipped = in_step(sentences(gold), sentences(predicted), bad_items, |_, gold, predicted| {
                let predicted = predicted.unwrap_or_else(|| unannotated(&gold));
                pairs.push((gold, predicted));
                Ok(())
            })?;
            let diagnosis = diagnosis::dependencies(&pairs, known.as_ref(), &config.attachment)?;
            Ok(Diagnosed { diagnosis, skipped, pairs: Pairs::Dependencies(pairs) })
        }
        (Format::Bio, Format::Bio) => {
            let mut pairs: Vec<(BioSentence, BioSentence)> = Vec::new();
            let (gold, predicted) =
                (BioReader::new(gold, gold_name), BioReader::new(predicted, predicted_name));
            let skipped = in_step(gold, predicted, bad_items, |_, gold, predicted| {
                if let Some(predicted) = predicted {
                    pairs.push((gold, predicted));
                }
                Ok(())
            })?;
            let diagnosis = diagnosis::entities(&pairs, known.as_ref())?;
            Ok(Diagnosed { diagnosis, skipped, pairs: Pairs::Entities(pairs) })
        }
        _ => Err(Error::Data(format!(
            "errors can be analysed in trees (ptb), dependencies (conllu) and entities (bio), not in {gold_name} and \
             {predicted_name}"
        ))),
    }
}

/// What the training data makes known.
fn known(path: &Path, format: Format, config: &ScoringConfig) -> Result<Known, Error> {
    let source = Source::open(path, Some(format))?;
    let name = source.name().to_owned();
    Ok(match format {
        Format::Ptb => {
            let trees = Forgiving::new(PennReader::new(source, name), config.bad_items);
            let mut known = Known::new();
            for tree in trees {
                known.extend(tree?.words().map(str::to_owned));
            }
            known
        }
        Format::Bio => {
            let read = Forgiving::new(BioReader::new(source, name), config.bad_items);
            known_entities(&read.collect::<Result<Vec<_>, _>>()?)
        }
        _ => {
            let read = Forgiving::new(sentences(source), config.bad_items);
            known_words(&read.collect::<Result<Vec<_>, _>>()?)
        }
    })
}

impl Diagnosed {
    /// The analysis as tables and JSON, with this number of sentences named.
    pub fn report(&self, worst: usize) -> DiagnosisReport<'_> {
        DiagnosisReport { diagnosis: &self.diagnosis, worst }
    }

    /// The analysis as a self-contained HTML page, with the worst sentences drawn. `report` has the main figures.
    pub fn page(&self, title: &str, introduction: Vec<String>, report: &Report, worst: usize) -> String {
        let shown = self.diagnosis.worst(worst).into_iter().map(|sentence| {
            let (gold, predicted) = self.drawn(sentence);
            ShownSentence { sentence, gold, predicted }
        });
        let page = ErrorPage {
            title: title.to_owned(),
            introduction,
            tables: report.tables(),
            diagnosis: &self.diagnosis,
            worst: shown.collect(),
        };
        page.to_html()
    }

    /// Both sides of a sentence as pictures.
    fn drawn(&self, sentence: usize) -> (String, String) {
        match &self.pairs {
            Pairs::Dependencies(pairs) => {
                let (gold, predicted) = &pairs[sentence];
                let (gold, predicted) = (ArcSentence::of_sentence(gold), ArcSentence::of_sentence(predicted));
                let svg = |one: &ArcSentence, other: &ArcSentence| {
                    let mut document = SvgDocument::new();
                    document.push_arcs(&one.clone().marked_against(other));
                    document.finish()
                };
                (svg(&gold, &predicted), svg(&predicted, &gold))
            }
            Pairs::Trees(pairs) => {
                let (gold, predicted) = &pairs[sentence];
                let svg = |one: &Tree, other: &Tree| {
                    let look = |wrong| if wrong { NodeLook::Wrong } else { NodeLook::Plain };
                    let looks: Vec<NodeLook> = wrong_brackets(one, other).into_iter().map(look).collect();
                    let mut document = SvgDocument::new();
                    document.push_with(one, &looks);
                    document.finish()
                };
                match predicted {
                    Some(predicted) => (svg(gold, predicted), svg(predicted, gold)),
                    None => (svg(gold, gold), "<p>no tree</p>".to_owned()),
                }
            }
            Pairs::Entities(pairs) => {
                let (gold, predicted) = &pairs[sentence];
                (marked(gold, predicted), marked(predicted, gold))
            }
        }
    }
}

/// A sentence with its entities marked, those that `other` does not have as errors.
fn marked(sentence: &BioSentence, other: &BioSentence) -> String {
    let tokens: Vec<&str> = sentence.tokens().collect();
    let (entities, others) = (lenient_entities(sentence.tags()), lenient_entities(other.tags()));
    let mut html = "<p>".to_owned();
    let mut at = 0;
    for entity in &entities {
        tokens[at..entity.start].iter().for_each(|token| push_word(&mut html, token));
        let class = if others.contains(entity) { "" } else { " class=\"wrong\"" };
        html.push_str(&format!("<mark{class}>"));
        tokens[entity.start..entity.end].iter().for_each(|token| push_word(&mut html, token));
        html.push_str("<small>");
        push_escaped(&mut html, entity.class);
        html.push_str("</small></mark> ");
        at = entity.end;
    }
    tokens[at..].iter().for_each(|token| push_word(&mut html, token));
    html.push_str("</p>");
    html
}

fn push_word(html: &mut String, word: &str) {
    push_escaped(html, word);
    html.push(' ');
}
