//! Model file sections of a dependency parser.

use corpus::dependency::pseudo_projective::PseudoLabels;

use super::clusters::ClusterPaths;
use super::config::Structure;
use super::labels::Labeler;
use super::model::{Form, Mst};
use super::network::{self, Networks};
use super::pruner::{Pruner, Reach};
use super::weights::Bits;
use models::log_linear::RoundedWeights;
use models::persist::{Container, ContainerWriter, LoadError, ModelFile, Storage};

/// The quantisation step of each table.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
struct Steps {
    pruner: f32,
    parser: f32,
    labels: f32,
}

/// Far beyond any use: no model is read that chooses among more trees per sentence.
const MOST_TREES: usize = 10_000;

impl ModelFile for Mst {
    const FAMILY: &'static str = "mst";
    // The version of the sections below, and of the hashes and templates that say where weights are.
    const FORMAT: u32 = 3;
    const DESCRIPTION: &'static str = "a dependency parser";

    fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        writer.json("form", &self.form);
        let steps = Steps {
            pruner: self.pruner.weights.step,
            parser: self.weights.step,
            labels: self.labeler.weights.step,
        };
        writer.json("steps", &steps);
        writer.vocab("labels", &self.labels);
        writer.array("reach", &self.pruner.reach.distances[..]);
        writer.array("pruner", &self.pruner.weights.values[..]);
        writer.array("weights", &self.weights.values[..]);
        writer.array("label_weights", &self.labeler.weights.values[..]);
        if let Some(clusters) = &self.clusters {
            writer.scope("clusters", |writer| clusters.save(writer));
        }
        if let Some(networks) = &self.networks {
            writer.scope("networks", |writer| networks.save(writer));
        }
    }

    fn load_sections(container: &Container) -> Result<Self, LoadError> {
        let form: Form = container.json("form")?;
        if !(form.temperature > 0.0 && form.label_temperature > 0.0 && form.pruning.ratio > 0.0) {
            return Err(LoadError::invalid("form", "a temperature or a threshold is not above 0"));
        }
        if !form.odds.is_sound() {
            return Err(LoadError::invalid("form", "the odds of confidences are out of range"));
        }
        if !(form.choice.weight >= 0.0 && form.choice.weight.is_finite()) {
            return Err(LoadError::invalid("form", "the weight of the labels is below 0 or not a number"));
        }
        if form.choice.trees > MOST_TREES {
            return Err(LoadError::invalid("form", format!("a choice among {} trees", form.choice.trees)));
        }
        let steps: Steps = container.json("steps")?;
        if ![steps.pruner, steps.parser, steps.labels].into_iter().all(|step| step > 0.0 && step.is_finite())
        {
            return Err(LoadError::invalid("steps", "a quantisation step is not above 0"));
        }
        let labels = container.vocab("labels")?;
        if labels.is_empty() {
            return Err(LoadError::invalid("labels", "there are no labels"));
        }
        let pruner: Storage<i16> = container.array("pruner")?;
        let weights: Storage<i16> = container.array("weights")?;
        let label_weights: Storage<i16> = container.array("label_weights")?;
        let reach = Reach { distances: container.array("reach")?.into_vec() };
        if reach.distances.len() != Reach::PLACES {
            return Err(LoadError::invalid("reach", "its length is not the one of this version"));
        }
        let pruner_bits = bits("pruner", pruner.len())?;
        if bits("weights", weights.len())?.0 != form.bits {
            return Err(LoadError::invalid("weights", "the number of weights does not match the form"));
        }
        let row_starts = label_weights.len().checked_sub(labels.len());
        let label_bits = bits("label_weights", row_starts.unwrap_or(0))?;
        let pseudo = match form.structure {
            Structure::PseudoProjective => Some(
                PseudoLabels::of_vocab(&labels)
                    .map_err(|error| LoadError::invalid("labels", error.to_string()))?,
            ),
            Structure::Projective | Structure::NonProjective => None,
        };
        let clusters = if container.contains("clusters/words.text") {
            Some(ClusterPaths::load(&container.scope("clusters"))?)
        } else {
            None
        };
        let networks = if container.contains(&format!("networks/{}", network::PRESENT)) {
            Some(Networks::load(&container.scope("networks"), labels.len())?)
        } else {
            None
        };
        Ok(Self {
            form,
            pseudo,
            clusters,
            pruner: Pruner {
                reach,
                weights: RoundedWeights { values: pruner, step: steps.pruner },
                bits: pruner_bits,
            },
            weights: RoundedWeights { values: weights, step: steps.parser },
            labeler: Labeler {
                weights: RoundedWeights { values: label_weights, step: steps.labels },
                bits: label_bits,
                labels: labels.len(),
            },
            labels,
            networks,
        })
    }
}

/// The bits of a table of this length, which must be a power of two that holds a cache line.
fn bits(section: &str, length: usize) -> Result<Bits, LoadError> {
    if length.is_power_of_two() && length >= 16 && length.ilog2() <= 31 {
        Ok(Bits(length.ilog2()))
    } else {
        Err(LoadError::invalid(section, "its length is not a power of two"))
    }
}
