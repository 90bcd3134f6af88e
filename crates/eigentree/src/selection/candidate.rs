//! Sentences with the doubts of a model.

use corpus::error::ReadError;
use corpus::format::conllu::{Columns, ConlluWriter, Sentence};
use corpus::format::penn;
use corpus::tree::Tree;
use models::confidence::Confidences;
use models::learn::Observer;
use tagging::tagger::{self, ColumnKind, Tagger};

use crate::conversion::Item;
use crate::one_sentence::Parser;
use crate::pipeline::column_of;
use crate::streaming::map_in_memory;
use crate::{Error, Model};

/// A sentence that can be picked: its words in lower case, and one doubt per word, from 0 to 1.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Candidate {
    /// Words in lower case.
    pub words: Vec<String>,
    /// The probability of an error at each word.
    pub doubts: Vec<f64>,
}

/// A sentence with the annotation of a model, for correction.
#[derive(Clone, Debug)]
pub enum Annotated {
    /// Columns of CoNLL-U.
    Sentence(Sentence),
    /// A constituency tree.
    Tree(Tree),
}

/// A model that annotates and says how sure it is.
pub enum Preannotator<'m> {
    /// A parser of any family, or a pipeline with one.
    Parser(Box<Parser<'m>>, Option<&'m Tagger>),
    /// A tagger.
    Tagger(&'m Tagger),
}

impl<'m> Preannotator<'m> {
    /// The view of a model that can tell how sure it is.
    pub fn of(model: &'m Model) -> Result<Self, Error> {
        let parser = || -> Result<Box<Parser<'m>>, Error> {
            Ok(Box::new(model.parser()?.with_confidences(Confidences::Compute)))
        };
        match model {
            Model::Tagger(tagger) => Ok(Preannotator::Tagger(tagger)),
            Model::Pipeline(pipeline) => match &pipeline.tagger {
                Some(tagger) if pipeline.parser.is_none() && pipeline.grammar.is_none() => {
                    Ok(Preannotator::Tagger(tagger))
                }
                tagger => Ok(Preannotator::Parser(parser()?, tagger.as_ref())),
            },
            _ => Ok(Preannotator::Parser(parser()?, None)),
        }
    }

    /// Annotates one sentence.
    pub fn annotate(
        &self,
        sentence: &Sentence,
        scratch: &mut tagger::Scratch,
    ) -> Result<(Candidate, Annotated), Error> {
        match self {
            Preannotator::Tagger(tagger) => tagged(tagger, sentence.clone(), scratch),
            Preannotator::Parser(parser, tagger) => {
                let parse = parser.parse_sentence(sentence)?;
                let annotated = match (parse.tree(), parse.sentence()) {
                    (Some(tree), _) => Annotated::Tree(tree.clone()),
                    (_, Some(sentence)) => Annotated::Sentence(sentence.clone()),
                    (None, None) => Annotated::Sentence(sentence.clone()),
                };
                let mut candidate = match &annotated {
                    // Nodes are more than words; each word has the mean doubt of the tree.
                    Annotated::Tree(tree) => {
                        let doubt = 1.0 - f64::from(parse.confidence().unwrap_or(0.5));
                        let words: Vec<String> = tree.words().map(str::to_lowercase).collect();
                        Candidate { doubts: vec![doubt; words.len()], words }
                    }
                    Annotated::Sentence(sentence) => candidate(sentence, parse.confidences()),
                };
                if let Some(tagger) = tagger {
                    let words: Vec<&str> = sentence.words().map(|word| word.form()).collect();
                    let (_, confidences) = tagger.tag_with_confidence(&words, scratch);
                    for column in confidences.iter().take(1) {
                        // An arc is right with the tag it was built on, or by luck.
                        for (doubt, confidence) in candidate.doubts.iter_mut().zip(column) {
                            *doubt = 1.0 - (1.0 - *doubt) * f64::from(*confidence);
                        }
                    }
                }
                Ok((candidate, annotated))
            }
        }
    }

    /// Annotates a pool on all threads, in order. The caller must have started a stage.
    pub fn annotate_all(
        &self,
        pool: &[Sentence],
        observer: &mut dyn Observer,
    ) -> Result<Vec<(Candidate, Annotated)>, Error> {
        let annotated = map_in_memory(pool, observer, |sentence, scratch: &mut tagger::Scratch| {
            self.annotate(sentence, scratch)
        })?;
        annotated.into_iter().collect()
    }
}

/// A sentence with these confidences in its words. A word without one is as doubtful as a coin.
pub fn candidate(sentence: &Sentence, confidences: &[f32]) -> Candidate {
    let doubt = |index: usize| 1.0 - confidences.get(index).map_or(0.5, |&confidence| f64::from(confidence));
    Candidate {
        words: sentence.words().map(|word| word.form().to_lowercase()).collect(),
        doubts: (0..sentence.len()).map(doubt).collect(),
    }
}

/// A sentence with the labels of a tagger, as doubtful as its least certain column.
fn tagged(
    tagger: &Tagger,
    mut sentence: Sentence,
    scratch: &mut tagger::Scratch,
) -> Result<(Candidate, Annotated), Error> {
    let words: Vec<String> = sentence.words().map(|word| word.form().to_owned()).collect();
    let (tagging, confidences) = tagger.tag_with_confidence(&words, scratch);
    let refused = |error: corpus::format::conllu::SentenceError| Error::Data(error.to_string());
    for (number, column) in tagger.columns().iter().enumerate() {
        for (index, label) in tagging.labels(number).enumerate() {
            match column_of(column.name()) {
                Some(target) => sentence.set_column(index, target, label).map_err(refused)?,
                None if column.kind() == ColumnKind::Spans && label != "O" => {
                    sentence.add_misc(index, &format!("NER={label}")).map_err(refused)?;
                }
                None => {}
            }
        }
    }
    let mut least = vec![1.0f32; words.len()];
    for column in &confidences {
        least.iter_mut().zip(column).for_each(|(least, &confidence)| *least = least.min(confidence));
    }
    Ok((candidate(&sentence, &least), Annotated::Sentence(sentence)))
}

/// The sentences of a corpus of any format as words to annotate. Sentences without words are left out.
pub fn pool_of(items: impl Iterator<Item = Result<Item, ReadError>>) -> Result<Vec<Sentence>, Error> {
    let mut pool = Vec::new();
    for item in items {
        let sentence = match item? {
            Item::Dependencies(sentence) => sentence,
            Item::Tree(tree) => words(tree.words())?,
            Item::Entities(sentence) => words(sentence.tokens())?,
            Item::Plain(sentence) => words(sentence.words())?,
        };
        if !sentence.is_empty() {
            pool.push(sentence);
        }
    }
    Ok(pool)
}

fn words<'w>(forms: impl Iterator<Item = &'w str>) -> Result<Sentence, Error> {
    let mut sentence = Sentence::new();
    for form in forms {
        let columns = Columns { form, ..Columns::default() };
        sentence.push_word(columns).map_err(|error| Error::Data(error.to_string()))?;
    }
    Ok(sentence)
}

/// The picked sentences with their annotation, best first, as text. CoNLL-U has the comments `# select_rank` and
/// `# expected_errors`; trees stand one per line.
pub fn write_selected(
    picked: &[usize],
    candidates: &[Candidate],
    annotated: &[Annotated],
) -> Result<Vec<u8>, Error> {
    let mut text = Vec::new();
    for (rank, &index) in (1..).zip(picked) {
        let (Some(candidate), Some(annotated)) = (candidates.get(index), annotated.get(index)) else {
            continue;
        };
        let refused = |error: std::io::Error| Error::Data(format!("a sentence cannot be written: {error}"));
        match annotated {
            Annotated::Tree(tree) => penn::write_tree(&mut text, tree).map_err(refused)?,
            Annotated::Sentence(sentence) => {
                let ending = sentence.line_ending().as_str();
                let errors: f64 = candidate.doubts.iter().sum();
                let comments =
                    format!("# select_rank = {rank}{ending}# expected_errors = {errors:.2}{ending}");
                text.extend_from_slice(comments.as_bytes());
                ConlluWriter::new(&mut text).write(sentence).map_err(refused)?;
            }
        }
    }
    Ok(text)
}
