//! Several models as one: the protocols of other servers ask for annotators, not for models.
//!
//! Raw text is divided by the tokeniser of a pipeline, or by rules where there is no pipeline. Then each model that is needed for
//! what was asked annotates the sentences in turn: one that tags, one that finds heads, one that builds phrases. Often one
//! pipeline is all of them.

use std::sync::Arc;

use eigentree::Model;
use eigentree::annotation::{AnnotatedSentence, PhraseTrees};
use eigentree::corpus::format::conllu::{Columns, TokenId};
use eigentree::corpus::format::raw_text::{Opening, Piece, RawTextReader};
use eigentree::corpus::tree::Tree;
use eigentree::data::Sentence;
use eigentree::models::pipeline::{Pipeline, Scratch};
use eigentree::models::tokenizer::Tokenizer;

use crate::failure::{Answer, Failure};
use crate::pool::Wanted;
use crate::registry::{Annotation, Loaded, Registry};

/// What to annotate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Needs {
    pub(crate) tags: Need,
    pub(crate) entities: Need,
    pub(crate) dependencies: Need,
    pub(crate) phrases: Need,
}

/// How much something is needed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug, Default)]
pub(crate) enum Need {
    /// Not at all.
    #[default]
    No,
    /// If a model has it.
    Wish,
    /// Without it the request is refused.
    Must,
}

/// How raw text is divided into sentences.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Sentences {
    /// By the tokeniser.
    #[default]
    Found,
    /// Each line is one.
    Lines,
    /// The whole text is one.
    One,
}

/// How raw text is divided into tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Tokens {
    /// By the tokeniser.
    #[default]
    Found,
    /// By white space.
    Spaces,
}

/// The models of one request.
pub(crate) struct Stages {
    /// The pipeline whose tokeniser divides raw text.
    front: Option<Arc<Loaded>>,
    /// In the order in which they run.
    models: Vec<(Arc<Loaded>, PhraseTrees)>,
}

/// An annotated sentence, with its tree if one was asked for.
pub(crate) struct Staged {
    pub(crate) sentence: AnnotatedSentence,
    pub(crate) tree: Option<Tree>,
}

impl Stages {
    /// Chooses models: the one that was asked for or the default first, then the others by name.
    pub(crate) fn choose(registry: &Registry, asked: Option<&str>, needs: Needs) -> Answer<Self> {
        let mut candidates = match (asked, registry.default_name()) {
            (Some(name), _) => vec![registry.get(Some(name))?],
            (None, Some(_)) => vec![registry.get(None)?],
            (None, None) => return Err(registry.get(None).err().unwrap_or_else(Failure::internal)),
        };
        let first = candidates[0].name.clone();
        candidates.extend(registry.all().into_iter().filter(|loaded| loaded.name != first));
        let front = candidates.iter().find(|loaded| matches!(*loaded.model, Model::Pipeline(_))).cloned();
        let mut models: Vec<(Arc<Loaded>, PhraseTrees)> = Vec::new();
        for (need, ability, word) in [
            (needs.tags, "tags", "tag words"),
            (needs.entities, "entities", "find entities"),
            (needs.dependencies, "dependencies", "find dependencies"),
            (needs.phrases, "phrases", "build trees of phrases"),
        ] {
            if need == Need::No {
                continue;
            }
            let able = |loaded: &&Arc<Loaded>| loaded.model.abilities().contains(&ability);
            // Grammars tag as they parse, which takes long: a tagger goes first.
            let slow = |loaded: &&Arc<Loaded>| ability == "tags" && loaded.model.grammar().is_some();
            let found = candidates.iter().filter(able).find(|loaded| !slow(loaded));
            let Some(found) = found.or_else(|| candidates.iter().find(able)) else {
                if need == Need::Wish {
                    continue;
                }
                return Err(Failure::bad_request(format!("no model of this service can {word}"))
                    .with_hint("GET /api/v1/models lists what each of them can do"));
            };
            let phrases = if ability == "phrases" { PhraseTrees::Build } else { PhraseTrees::Skip };
            match models.iter_mut().find(|(loaded, _)| loaded.name == found.name) {
                Some((_, own)) if ability == "phrases" => *own = PhraseTrees::Build,
                Some(_) => {}
                None => models.push((Arc::clone(found), phrases)),
            }
        }
        Ok(Self { front, models })
    }

    /// Divides raw text.
    pub(crate) fn divide(&self, text: &str, sentences: Sentences, tokens: Tokens) -> Answer<Vec<Sentence>> {
        let tokenizer = match self.front.as_ref().map(|loaded| &*loaded.model) {
            Some(Model::Pipeline(pipeline)) => pipeline.tokenizer.clone(),
            _ => Tokenizer::rules(),
        };
        let front = Pipeline { tokenizer, tagger: None, entities: None, parser: None, grammar: None };
        let mut scratch = Scratch::default();
        let mut found = Vec::new();
        let mut chars = 0;
        let parts: Vec<&str> = match sentences {
            Sentences::Found | Sentences::One => vec![text],
            Sentences::Lines => text.split_inclusive('\n').collect(),
        };
        for part in parts {
            let mut own = match tokens {
                Tokens::Spaces => vec![by_spaces(part, chars)?],
                Tokens::Found if sentences == Sentences::Lines => {
                    let piece =
                        Piece { text: part.to_owned(), first_char: chars, opening: Opening::Paragraph };
                    front.tokenize(&piece, &mut scratch).map_err(unmade)?
                }
                Tokens::Found => pieces(&front, part, &mut scratch)?,
            };
            if sentences != Sentences::Found && own.len() > 1 {
                own = vec![joined(&own)?];
            }
            found.extend(own.into_iter().filter(|sentence| !sentence.is_empty()));
            chars += part.chars().count() as u64;
        }
        Ok(found)
    }

    /// Runs all models.
    pub(crate) fn annotate(&self, sentences: Vec<Sentence>, wanted: &Wanted) -> Answer<Vec<Staged>> {
        let mut sentences = sentences;
        let mut trees: Vec<Option<Tree>> = vec![None; sentences.len()];
        let mut annotated: Vec<AnnotatedSentence> =
            sentences.iter().cloned().map(AnnotatedSentence::new).collect();
        for (loaded, phrases) in &self.models {
            wanted.check()?;
            let annotation = Annotation { phrases: *phrases, ..Annotation::default() };
            let annotator = loaded.annotator(annotation)?;
            let document = annotator.borrow_dependent().annotate_sentences(sentences)?;
            annotated = document.sentences().to_vec();
            for (tree, sentence) in trees.iter_mut().zip(&annotated) {
                if let Some(own) = sentence.phrases() {
                    *tree = Some(own.tree().clone());
                }
            }
            sentences = annotated.iter().map(|sentence| sentence.sentence().clone()).collect();
        }
        let staged = annotated.into_iter().zip(trees);
        Ok(staged.map(|(sentence, tree)| Staged { sentence, tree }).collect())
    }
}

fn unmade(error: impl std::fmt::Display) -> Failure {
    Failure::unprocessable(format!("the text cannot be divided: {error}"))
}

fn pieces(front: &Pipeline, text: &str, scratch: &mut Scratch) -> Answer<Vec<Sentence>> {
    let mut found = Vec::new();
    for piece in RawTextReader::new(text.as_bytes(), "text") {
        found.append(&mut front.tokenize(&piece.map_err(unmade)?, scratch).map_err(unmade)?);
    }
    Ok(found)
}

/// One sentence of tokens between white space. `first` is the number of its first character.
fn by_spaces(text: &str, first: u64) -> Answer<Sentence> {
    let mut sentence = Sentence::new();
    let (mut char, mut byte) = (first, 0);
    for form in text.split_whitespace() {
        // Parts of a string are slices of it, so their addresses tell where they stand.
        let start = form.as_ptr() as usize - text.as_ptr() as usize;
        char += text[byte..start].chars().count() as u64;
        let end = char + form.chars().count() as u64;
        let misc = format!("start_char={char}|end_char={end}");
        sentence.push_word(Columns { form, misc: &misc, ..Columns::default() }).map_err(unmade)?;
        (char, byte) = (end, start + form.len());
    }
    Ok(sentence)
}

/// One sentence of the words of several.
fn joined(sentences: &[Sentence]) -> Answer<Sentence> {
    let mut whole = Sentence::new();
    for sentence in sentences {
        let before = whole.len() as u32;
        for token in sentence.tokens() {
            let columns = Columns { form: token.form(), misc: token.misc(), ..Columns::default() };
            match token.id() {
                TokenId::Range { first, last } => {
                    let id = TokenId::Range { first: first + before, last: last + before };
                    whole.push_token(id, columns).map_err(unmade)?;
                }
                _ => whole.push_word(columns).map_err(unmade)?,
            }
        }
    }
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn divided(text: &str, sentences: Sentences, tokens: Tokens) -> Vec<Vec<String>> {
        let stages = Stages { front: None, models: Vec::new() };
        let found = stages.divide(text, sentences, tokens).unwrap();
        let chars: Vec<char> = text.chars().collect();
        for word in found.iter().flat_map(Sentence::words) {
            let at = |key| word.misc_value(key).unwrap().parse::<usize>().unwrap();
            let own: String = chars[at("start_char")..at("end_char")].iter().collect();
            assert_eq!(own, word.form(), "offsets of {text:?}");
        }
        found.iter().map(|one| one.words().map(|word| word.form().to_owned()).collect()).collect()
    }

    #[test]
    fn text_is_divided_as_asked() {
        let text = "Dogs bark. Cats élan.\n\nTime flies.";
        let found = divided(text, Sentences::Found, Tokens::Found);
        assert_eq!(found, [vec!["Dogs", "bark", "."], vec!["Cats", "élan", "."], vec!["Time", "flies", "."]]);
        let lines = divided(text, Sentences::Lines, Tokens::Found);
        assert_eq!(lines.iter().map(Vec::len).collect::<Vec<_>>(), [6, 3]);
        let one = divided(text, Sentences::One, Tokens::Found);
        assert_eq!(one.iter().map(Vec::len).collect::<Vec<_>>(), [9]);
        assert_eq!(divided(text, Sentences::Lines, Tokens::Spaces)[1], ["Time", "flies."]);
    }
}
