//! Model file sections of a lemmatizer.
//!
//! | section | content |
//! |---|---|
//! | `config` | the training configuration |
//! | `table/` | forms, tags and lemmas; the entries of each form: tags, lemma, count |
//! | `scripts` | edit scripts as text, the most frequent one first |
//! | `candidates/` | endings of forms with the scripts seen with them |
//! | `weights/` | θ: features with weights for scripts |

use corpus::ids::WordId;
use corpus::vocab::{Vocab, VocabBuilder};

use super::candidates::Candidates;
use super::model::Lemmatizer;
use super::script::Script;
use super::table::Table;
use models::log_linear::SparseWeights;
use models::persist::{Container, ContainerWriter, LoadError, ModelFile};

impl ModelFile for Lemmatizer {
    const FAMILY: &'static str = "lemmatizer";
    const FORMAT: u32 = 2;
    const DESCRIPTION: &'static str = "a lemmatizer";

    fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        writer.json("config", &self.config);
        writer.scope("table", |writer| self.table.save(writer));
        let mut scripts: VocabBuilder<WordId> = VocabBuilder::new();
        self.scripts.iter().for_each(|script| {
            scripts.intern(&script.to_string());
        });
        writer.vocab("scripts", &scripts.freeze());
        writer.scope("candidates", |writer| self.candidates.save(writer));
        writer.scope("weights", |writer| self.weights.save(writer));
    }

    fn load_sections(container: &Container) -> Result<Self, LoadError> {
        let texts: Vocab<WordId> = container.vocab("scripts")?;
        let scripts: Vec<Script> = texts
            .iter()
            .map(|(_, text)| Script::parse(text))
            .collect::<Option<_>>()
            .filter(|scripts: &Vec<Script>| scripts.len() <= usize::from(u16::MAX))
            .ok_or_else(|| {
                LoadError::invalid("scripts", "a text is no edit script, or there are too many")
            })?;
        Ok(Self {
            config: container.json("config")?,
            table: Table::load(&container.scope("table"))?,
            candidates: Candidates::load(&container.scope("candidates"), scripts.len())?,
            weights: SparseWeights::load(&container.scope("weights"), scripts.len())?,
            scripts,
        })
    }
}
