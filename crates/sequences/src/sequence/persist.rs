//! Model file sections of a sequence model.
//!
//! | section | content |
//! |---|---|
//! | `form` | number of symbols, order of n-grams, names of the automata, whether symbols are words |
//! | `words` | the words, if symbols are words |
//! | `weights`, `spectrum` | weights of the mixture; singular values |
//! | `ngrams/histories`, `/offsets`, `/seen`, `/counts` | shorter history and the symbol before it; continuations |
//! | `automaton0/initial`, `/terminal`, `/operators`, `/next`, … | each automaton |

use corpus::ids::WordId;
use corpus::vocab::Vocab;
use serde::{Deserialize, Serialize};

use super::component::Component;
use super::model::{Alphabet, SequenceModel};
use super::ngram::NgramModel;
use crate::automaton::Automaton;
use models::persist::{Container, ContainerWriter, LoadError, Metadata, ModelFile};

#[derive(Serialize, Deserialize)]
struct Form {
    symbols: usize,
    order: usize,
    automata: Vec<String>,
    words: bool,
}

impl ModelFile for SequenceModel {
    const FAMILY: &'static str = "sequence";
    const FORMAT: u32 = 1;
    const DESCRIPTION: &'static str = "a model of sequences";

    fn metadata(&self) -> Metadata {
        let states: Vec<usize> = self.components.iter().map(|part| part.automaton.states()).collect();
        Metadata::new(Self::FAMILY, Self::FORMAT)
            .with_note("symbols", self.symbols())
            .with_note("states", states)
            .with_note("order", self.ngram.order())
    }

    fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        let words = match &self.alphabet {
            Alphabet::Words(vocab) => Some(vocab),
            Alphabet::Numbers(_) => None,
        };
        let automata = self.components.iter().map(|part| part.name.clone()).collect();
        let (symbols, order) = (self.symbols(), self.ngram.order);
        writer.json("form", &Form { symbols, order, automata, words: words.is_some() });
        if let Some(vocab) = words {
            writer.vocab("words", vocab);
        }
        writer.array("weights", &self.weights[..]);
        writer.array("spectrum", &self.spectrum[..]);
        writer.scope("ngrams", |writer| {
            let histories = self.ngram.histories.as_flattened();
            writer.tensor("histories", &[self.ngram.histories.len(), 2], histories);
            writer.array("offsets", &self.ngram.offsets[..]);
            writer.array("seen", &self.ngram.seen[..]);
            writer.array("counts", &self.ngram.counts[..]);
        });
        for (index, part) in self.components.iter().enumerate() {
            writer.scope(&format!("automaton{index}"), |writer| {
                writer.array("initial", part.automaton.initial());
                writer.array("terminal", part.automaton.terminal());
                writer.array("operators", part.automaton.operators());
                writer.array("next", &part.next[..]);
            });
        }
    }

    fn load_sections(container: &Container) -> Result<Self, LoadError> {
        let form: Form = container.json("form")?;
        let alphabet = if form.words {
            let vocab: Vocab<WordId> = container.vocab("words")?;
            Alphabet::Words(vocab)
        } else {
            Alphabet::Numbers(form.symbols)
        };
        if alphabet.len() != form.symbols {
            return Err(LoadError::invalid(
                "words",
                "the number of words differs from the number of symbols",
            ));
        }
        let ngrams = container.scope("ngrams");
        let flat = ngrams.array::<u32>("histories")?;
        let (histories, rest) = flat.as_chunks::<2>();
        let ngram = NgramModel::from_parts(
            form.symbols,
            form.order,
            histories.to_vec(),
            ngrams.array("offsets")?.into_vec(),
            ngrams.array("seen")?.into_vec(),
            ngrams.array("counts")?.into_vec(),
        );
        let ngram = ngram
            .filter(|_| rest.is_empty())
            .ok_or_else(|| LoadError::invalid("ngrams", "histories and counts do not match"))?;
        let mut components = Vec::new();
        for (index, name) in form.automata.into_iter().enumerate() {
            let section = format!("automaton{index}");
            let scope = container.scope(&section);
            let automaton = Automaton::new(
                scope.array("initial")?.into_vec(),
                scope.array("terminal")?.into_vec(),
                scope.array("operators")?.into_vec(),
                form.symbols,
            )
            .map_err(|error| LoadError::invalid(section.as_str(), error.to_string()))?;
            let component = Component::from_parts(name, automaton, scope.array("next")?.into_vec());
            components.push(component.ok_or_else(|| {
                LoadError::invalid(section.as_str(), "the number of values one symbol ahead is wrong")
            })?);
        }
        let (weights, spectrum) =
            (container.array("weights")?.into_vec(), container.array("spectrum")?.into_vec());
        Self::new(alphabet, ngram, components, weights, spectrum)
            .ok_or_else(|| LoadError::invalid("weights", "the parts and weights do not match"))
    }
}
