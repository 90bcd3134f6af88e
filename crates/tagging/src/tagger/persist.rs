//! Model file sections of a tagger.
//!
//! | section | content |
//! |---|---|
//! | `config` | the training configuration |
//! | `columns` | names and kinds of the columns |
//! | `labels/0`, `labels/1`, … | the labels of each column |
//! | `dictionary/` | words with the labels that they were seen with |
//! | `weights/` | θ: features with weights for labels |
//! | `transitions/0`, … | τ of each column |
//! | `vector_weights` | θ for the components of vectors: position, label, dimension |
//! | `lemmatizer/` | the model of lemmas, if any |
//! | `clusters/`, `vectors/`, `gazetteer/` | paths and vectors of words, lists of names; if any |

use serde::{Deserialize, Serialize};

use super::config::TaggerConfig;
use super::data::Resources;
use super::dictionary::Dictionary;
use super::gazetteer::Gazetteer;
use super::labels::{ColumnKind, LabelColumn};
use super::model::Tagger;
use super::transitions::Transitions;
use super::vectors::VectorWeights;
use models::log_linear::SparseWeights;
use models::persist::{Container, ContainerWriter, LoadError, Metadata, ModelFile};
use models::representations::{ClusterPaths, VectorTable};

#[derive(Serialize, Deserialize)]
struct SavedColumn {
    name: String,
    kind: ColumnKind,
}

impl ModelFile for Tagger {
    const FAMILY: &'static str = "tagger";
    const FORMAT: u32 = 2;
    const DESCRIPTION: &'static str = "a tagger";

    fn metadata(&self) -> Metadata {
        let lemma = self.lemmatizer.as_ref().map(|_| "lemma");
        let names: Vec<&str> = self.columns.iter().map(LabelColumn::name).chain(lemma).collect();
        Metadata::new(Self::FAMILY, Self::FORMAT).with_note("columns", names.join(","))
    }

    fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        writer.json("config", &self.config);
        let columns: Vec<SavedColumn> = self
            .columns
            .iter()
            .map(|column| SavedColumn { name: column.name.clone(), kind: column.kind })
            .collect();
        writer.json("columns", &columns);
        for (number, column) in self.columns.iter().enumerate() {
            writer.vocab(&format!("labels/{number}"), &column.labels);
        }
        writer.scope("dictionary", |writer| self.dictionary.save(writer));
        writer.scope("weights", |writer| self.weights.save(writer));
        for (number, transitions) in self.transitions.iter().enumerate() {
            let side = transitions.end() + 1;
            writer.tensor(&format!("transitions/{number}"), &[side, side], transitions.weights());
        }
        if let Some(clusters) = &self.resources.clusters {
            writer.scope("clusters", |writer| clusters.save(writer));
        }
        if let Some(vectors) = &self.resources.vectors {
            writer.scope("vectors", |writer| vectors.save(writer));
        }
        if let Some(weights) = &self.vector_weights {
            weights.save(writer);
        }
        if let Some(lemmatizer) = &self.lemmatizer {
            writer.model("lemmatizer", lemmatizer);
        }
        if let Some(gazetteer) = &self.resources.gazetteer {
            writer.scope("gazetteer", |writer| gazetteer.save(writer));
        }
    }

    fn load_sections(container: &Container) -> Result<Self, LoadError> {
        let config: TaggerConfig = container.json("config")?;
        let saved: Vec<SavedColumn> = container.json("columns")?;
        let mut columns: Vec<LabelColumn> = Vec::new();
        let mut transitions = Vec::new();
        for (number, SavedColumn { name, kind }) in saved.into_iter().enumerate() {
            let labels = container.vocab(&format!("labels/{number}"))?;
            let first = columns.last().map_or(0, |column| column.range().end);
            let first = u16::try_from(first)
                .ok()
                .filter(|&first| {
                    usize::from(first) + labels.len() <= usize::from(u16::MAX) && !labels.is_empty()
                })
                .ok_or_else(|| LoadError::invalid("columns", "a column has no labels or too many"))?;
            let section = format!("transitions/{number}");
            let weights = container.array::<f32>(&section)?.into_vec();
            transitions
                .push(Transitions::from_weights(labels.len(), weights).ok_or_else(|| {
                    LoadError::invalid(&section, "the transitions do not match the labels")
                })?);
            columns.push(LabelColumn { name, kind, labels, first });
        }
        let lemmatizer = container.optional_model("lemmatizer")?;
        if (columns.is_empty() && lemmatizer.is_none()) || config.candidates == 0 {
            return Err(LoadError::invalid("columns", "there are no columns"));
        }
        let all = columns.last().map_or(0, |column| column.range().end);
        let clusters = container.scope("clusters");
        let vectors = container.scope("vectors");
        let gazetteer = container.scope("gazetteer");
        let resources = Resources {
            clusters: clusters.contains("words.text").then(|| ClusterPaths::load(&clusters)).transpose()?,
            vectors: vectors.contains("vectors").then(|| VectorTable::load(&vectors)).transpose()?,
            gazetteer: gazetteer.contains("members").then(|| Gazetteer::load(&gazetteer)).transpose()?,
            lexicon: None,
        };
        let dictionary = Dictionary::load(&container.scope("dictionary"), &columns, &config)?;
        if dictionary.incomplete(&columns) {
            return Err(LoadError::invalid("dictionary", "a word has no label in some column"));
        }
        let weights = SparseWeights::load(&container.scope("weights"), all)?;
        let vector_weights = VectorWeights::load(container, all, resources.vectors.as_ref())?;
        Ok(Self { config, columns, dictionary, resources, weights, vector_weights, transitions, lemmatizer })
    }
}
