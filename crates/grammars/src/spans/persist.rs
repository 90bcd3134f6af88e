//! Model file sections of a span model.
//!
//! ```text
//! form       the weights of what the grammar says, thresholds, the value of a step
//! weights    the weights of the hashed features, in steps
//! networks/… networks beside the features, if there are any
//! ```

use serde::{Deserialize, Serialize};

use super::calibration::Calibration;
use super::features::Templates;
use super::model::{GrammarWeights, SpanModel};
use super::network::Networks;
use crate::lexicon::Lexicon;
use models::log_linear::RoundedWeights;
use models::persist::{Container, ContainerWriter, LoadError, Storage};

/// The part of the model that is not an array.
#[derive(Serialize, Deserialize)]
struct Form {
    /// The version of hashes and templates, which say where weights are.
    templates: u32,
    grammar: GrammarWeights,
    /// Missing in older files.
    #[serde(default)]
    calibration: Calibration,
    least_posterior: f32,
    frequent: f64,
    step: f32,
}

const NETWORKS: &str = "networks";

/// The version of a form. Programs that know no networks must refuse files with them.
fn version(templates: Templates, networks: bool) -> u32 {
    templates.version() + if networks { 2 } else { 0 }
}

impl SpanModel {
    /// Writes the sections.
    pub(crate) fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        let Self { templates, weights, grammar, networks, calibration, least_posterior, frequent } = self;
        let form = Form {
            templates: version(*templates, networks.is_some()),
            grammar: *grammar,
            calibration: *calibration,
            least_posterior: *least_posterior,
            frequent: *frequent,
            step: weights.step,
        };
        writer.json("form", &form);
        writer.array("weights", &weights.values[..]);
        if let Some(networks) = networks {
            writer.scope(NETWORKS, |writer| networks.save(writer));
        }
    }

    /// Reads the sections, if there are any. The words of the lexicon have clusters if the features need them.
    pub(crate) fn load(container: &Container, lexicon: &Lexicon) -> Result<Option<Self>, LoadError> {
        if !container.contains("form") {
            return Ok(None);
        }
        let form: Form = container.json("form")?;
        let templates = Templates::of(lexicon);
        let networks = Networks::load(&container.scope(NETWORKS))?;
        if form.templates != version(templates, networks.is_some()) {
            let what = "its features are those of another version, or clusters are missing";
            return Err(LoadError::invalid("form", what));
        }
        let probability = form.least_posterior > 0.0 && form.least_posterior < 1.0;
        let rises = form.calibration.words.is_sound() && form.calibration.phrases.is_sound();
        let sound =
            probability && rises && form.frequent.is_finite() && form.step > 0.0 && form.step.is_finite();
        if !sound {
            return Err(LoadError::invalid("form", "a threshold or the step is out of range"));
        }
        if !form.grammar.array().iter().all(|weight| weight.is_finite()) {
            return Err(LoadError::invalid("form", "a weight is not finite"));
        }
        let values: Storage<i16> = container.array("weights")?;
        let length = values.len();
        if !length.is_power_of_two() || !Self::BITS.contains(&length.ilog2()) {
            return Err(LoadError::invalid("weights", "its length is not a power of two in range"));
        }
        Ok(Some(Self {
            templates,
            weights: RoundedWeights { values, step: form.step },
            grammar: form.grammar,
            networks,
            calibration: form.calibration,
            least_posterior: form.least_posterior,
            frequent: form.frequent,
        }))
    }
}
