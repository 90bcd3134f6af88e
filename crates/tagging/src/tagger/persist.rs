//! Model file sections of a tagger.
//!
//! | section | content |
//! |---|---|
//! | `config` | the training configuration |
//! | `columns` | names and kinds of the columns |
//! | `odds` | the change of the confidences of each column; missing in older files and if there is none |
//! | `labels/0`, `labels/1`, … | the labels of each column |
//! | `dictionary/` | words with the labels that they were seen with |
//! | `weights/` | θ: features with weights for labels |
//! | `layers` | the columns and factors of each layer; missing if each column is a layer of its own |
//! | `bundles/0`, … | the labels of the bundles of each layer, if it is joint |
//! | `transitions/0`, … | τ of each layer with a single column |
//! | `transitions/0/0`, `transitions/0/1`, … | τ of each factor of a joint layer |
//! | `vector_weights` | θ for the components of vectors: position, label, dimension |
//! | `network/` | embeddings and weights of networks, if any |
//! | `lemmatizer/` | the model of lemmas, if any |
//! | `clusters/`, `vectors/`, `gazetteer/` | paths and vectors of words, lists of names; if any |

use serde::{Deserialize, Serialize};

use super::closed::ClosedWords;
use super::config::TaggerConfig;
use super::data::Resources;
use super::dictionary::Dictionary;
use super::gazetteer::Gazetteer;
use super::labels::{ColumnKind, LabelColumn};
use super::layer::{Factor, Layer, LayerKind};
use super::model::Tagger;
use super::network::Networks;
use super::transitions::Transitions;
use super::vectors::VectorWeights;
use models::confidence::Odds;
use models::log_linear::SparseWeights;
use models::persist::{Container, ContainerWriter, LoadError, Metadata, ModelFile};
use models::representations::{ClusterPaths, VectorTable};

#[derive(Serialize, Deserialize)]
struct SavedColumn {
    name: String,
    kind: ColumnKind,
}

/// A layer in the file.
#[derive(Serialize, Deserialize)]
struct SavedLayer {
    columns: Vec<usize>,
    /// The names of the factors of a joint layer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    factors: Option<Vec<String>>,
}

impl SavedLayer {
    fn of(layer: &Layer) -> Self {
        let names = || layer.factors().iter().map(|factor| factor.name.clone()).collect();
        Self { columns: layer.columns.clone(), factors: (layer.kind == LayerKind::Joint).then(names) }
    }

    fn load(
        self,
        number: usize,
        container: &Container,
        columns: &[LabelColumn],
        first: usize,
    ) -> Result<Layer, LoadError> {
        let bad = |what: &str| LoadError::invalid("layers", what);
        if self.columns.is_empty() || self.columns.iter().any(|&column| column >= columns.len()) {
            return Err(bad("a layer has a column that does not exist, or none"));
        }
        let Some(factors) = self.factors else {
            let [column] = self.columns[..] else { return Err(bad("a single layer has several columns")) };
            return Ok(Layer::single(column, &columns[column], first));
        };
        let name = format!("bundles/{number}");
        let labels: Vec<u16> = container.array(&name)?.into_vec();
        let width = self.columns.len();
        let in_range = |bundle: &[u16]| {
            bundle
                .iter()
                .zip(&self.columns)
                .all(|(&label, &column)| usize::from(label) < columns[column].len())
        };
        let sound = !labels.is_empty()
            && labels.len().is_multiple_of(width)
            && labels.len() / width <= usize::from(u16::MAX)
            && labels.chunks_exact(width).all(in_range);
        if !sound {
            return Err(LoadError::invalid(&name, "the bundles do not match the labels"));
        }
        if factors.is_empty() || factors.len() > MOST_FACTORS {
            return Err(bad("a layer has no factors or too many"));
        }
        Layer::joint(self.columns, columns, labels, &factors, first)
            .map_err(|_| bad("a layer has too many parts"))
    }
}

/// Maximum number of factors of a layer in a file.
const MOST_FACTORS: usize = 64;

/// The section of the transitions of a factor.
fn section(kind: LayerKind, layer: usize, factor: usize) -> String {
    match kind {
        LayerKind::Single => format!("transitions/{layer}"),
        LayerKind::Joint => format!("transitions/{layer}/{factor}"),
    }
}

/// The layers of a file. Each column must belong to exactly one.
fn load_layers(container: &Container, columns: &[LabelColumn]) -> Result<Vec<Layer>, LoadError> {
    let saved: Vec<SavedLayer> = match container.contains("layers") {
        true => container.json("layers")?,
        false => {
            (0..columns.len()).map(|column| SavedLayer { columns: vec![column], factors: None }).collect()
        }
    };
    let mut members: Vec<usize> = saved.iter().flat_map(|layer| layer.columns.iter().copied()).collect();
    members.sort_unstable();
    if !members.iter().copied().eq(0..columns.len()) {
        return Err(LoadError::invalid("layers", "a column is in no layer or in several"));
    }
    let mut layers: Vec<Layer> = Vec::new();
    for (number, layer) in saved.into_iter().enumerate() {
        let first = layers.last().map_or(0, Layer::end);
        layers.push(layer.load(number, container, columns, first)?);
    }
    Ok(layers)
}

/// The transitions of all factors of a layer.
fn load_transitions(
    container: &Container,
    number: usize,
    layer: &Layer,
) -> Result<Vec<Transitions>, LoadError> {
    let of_factor = |(place, factor): (usize, &Factor)| {
        let section = section(layer.kind, number, place);
        let weights = container.array::<f32>(&section)?.into_vec();
        Transitions::from_weights(factor.len, weights)
            .ok_or_else(|| LoadError::invalid(&section, "the transitions do not match the labels"))
    };
    layer.factors().iter().enumerate().map(of_factor).collect()
}

impl ModelFile for Tagger {
    const FAMILY: &'static str = "tagger";
    const FORMAT: u32 = 5;
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
        if self.odds.iter().any(|&odds| odds != Odds::UNCHANGED) {
            writer.json("odds", &self.odds);
        }
        writer.scope("dictionary", |writer| self.dictionary.save(writer));
        writer.scope("weights", |writer| self.weights.save(writer));
        if self.layers.iter().any(|layer| layer.kind == LayerKind::Joint) {
            writer.json("layers", &self.layers.iter().map(SavedLayer::of).collect::<Vec<_>>());
        }
        for (number, (layer, transitions)) in self.layers.iter().zip(&self.transitions).enumerate() {
            if layer.kind == LayerKind::Joint {
                writer.array(&format!("bundles/{number}"), layer.labels());
            }
            for (factor, transitions) in transitions.iter().enumerate() {
                let side = transitions.end() + 1;
                writer.tensor(&section(layer.kind, number, factor), &[side, side], transitions.weights());
            }
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
        if let Some(networks) = &self.networks {
            writer.scope("network", |writer| networks.save(writer));
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
        for (number, SavedColumn { name, kind }) in saved.into_iter().enumerate() {
            let labels = container.vocab(&format!("labels/{number}"))?;
            let first = columns.last().map_or(0, |column| column.range().end);
            let first = u16::try_from(first)
                .ok()
                .filter(|&first| {
                    usize::from(first) + labels.len() <= usize::from(u16::MAX) && !labels.is_empty()
                })
                .ok_or_else(|| LoadError::invalid("columns", "a column has no labels or too many"))?;
            columns.push(LabelColumn { name, kind, labels, first });
        }
        let lemmatizer = container.optional_model("lemmatizer")?;
        if (columns.is_empty() && lemmatizer.is_none()) || config.candidates == 0 {
            return Err(LoadError::invalid("columns", "there are no columns"));
        }
        // With a negative beam or none at all, a word would be left without candidates.
        if config.beam.is_nan() || config.beam < 0.0 {
            return Err(LoadError::invalid("config", format!("invalid beam {}", config.beam)));
        }
        let odds: Vec<Odds> = match container.contains("odds") {
            true => container.json("odds")?,
            false => vec![Odds::UNCHANGED; columns.len()],
        };
        if odds.len() != columns.len() || !odds.iter().all(|odds| odds.is_sound()) {
            return Err(LoadError::invalid("odds", "the odds of confidences are out of range"));
        }
        let layers = load_layers(container, &columns)?;
        let all = layers.last().map_or(0, Layer::end);
        let transitions = layers.iter().enumerate();
        let transitions = transitions
            .map(|(number, layer)| load_transitions(container, number, layer))
            .collect::<Result<_, _>>()?;
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
        let networks = Networks::load(&container.scope("network"), all)?;
        let closed = ClosedWords::of(&config, &dictionary, &columns, &layers);
        Ok(Self {
            config,
            columns,
            odds,
            dictionary,
            resources,
            weights,
            vector_weights,
            layers,
            transitions,
            closed,
            networks,
            lemmatizer,
        })
    }
}
