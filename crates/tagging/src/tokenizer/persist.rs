//! Model file sections of a tokenizer: `config`; `weights/`, `bonds` and `whole` (what is not divided) unless it uses rules; `multiword`, the words of
//! tokens.

use serde::{Deserialize, Serialize};

use super::bonds::Bonds;
use super::contexts::{Contexts, OUTCOMES};
use super::model::{DECISIONS, Tokenizer};
use super::multiword::Multiword;
use super::protected::Kind;
use super::suffixes::Suffixes;
use models::log_linear::SparseWeights;
use models::persist::{Container, ContainerWriter, LoadError, ModelFile};

#[derive(Serialize, Deserialize)]
struct SavedMultiword {
    forms: std::collections::BTreeMap<String, Vec<String>>,
    /// Only older files have some.
    #[serde(default)]
    endings: Vec<String>,
    /// Only newer files have some.
    #[serde(default)]
    suffixes: Suffixes,
    whole: std::collections::BTreeSet<String>,
    /// Words of ambiguous tokens, for `contexts/`.
    #[serde(default, skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    ambiguous: std::collections::BTreeMap<String, Vec<String>>,
}

impl ModelFile for Tokenizer {
    const FAMILY: &'static str = "tokenizer";
    const FORMAT: u32 = 4;
    const DESCRIPTION: &'static str = "a tokeniser";

    fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        writer.json("config", &self.config);
        if let Some(weights) = &self.weights {
            writer.array("bonds", self.bonds.letters());
            writer.json("whole", &self.whole);
            writer.scope("weights", |writer| weights.save(writer));
        }
        let Multiword { forms, endings, suffixes, whole, contexts } = &self.multiword;
        if !contexts.words.is_empty() {
            writer.scope("contexts", |writer| contexts.weights.save(writer));
        }
        let saved = SavedMultiword {
            forms: forms.clone(),
            endings: endings.clone(),
            suffixes: suffixes.clone(),
            whole: whole.clone(),
            ambiguous: contexts.words.clone(),
        };
        writer.json("multiword", &saved);
    }

    fn load_sections(container: &Container) -> Result<Self, LoadError> {
        let scope = container.scope("weights");
        let weights = scope.contains("names").then(|| SparseWeights::load(&scope, DECISIONS)).transpose()?;
        let bonds = match weights {
            Some(_) => Bonds::from_letters(&container.array::<u32>("bonds")?)?,
            None => Bonds::default(),
        };
        let SavedMultiword { forms, endings, suffixes, whole, ambiguous } = container.json("multiword")?;
        let mut all = forms.values().chain(ambiguous.values());
        let broken = all.any(|words| words.is_empty() || words.iter().any(String::is_empty))
            || endings.iter().any(String::is_empty)
            || !suffixes.is_sound();
        if broken {
            return Err(LoadError::invalid("multiword", "a token is split into no words"));
        }
        let contexts = match ambiguous.is_empty() {
            true => Contexts::default(),
            false => Contexts {
                words: ambiguous,
                weights: SparseWeights::load(&container.scope("contexts"), OUTCOMES)?,
            },
        };
        let kinds = match container.contains("whole") {
            true => container.json("whole")?,
            false => Kind::ALL.to_vec(),
        };
        Ok(Self {
            config: container.json("config")?,
            weights,
            bonds,
            whole: kinds,
            multiword: Multiword { forms, endings, suffixes, whole, contexts },
        })
    }
}
