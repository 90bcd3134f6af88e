//! Model file sections of networks.
//!
//! ```text
//! form                  sizes, weight, the quantisation steps
//! embeddings_0, …       the embeddings of each network, in steps
//! labels_0, rules_0, …  the weights of labels and of rules, in steps
//! window_0, …           the other tables, one section each
//! ```

use serde::{Deserialize, Serialize};

use super::layers::{Shape, Weights};
use super::model::{Network, Networks};
use models::log_linear::RoundedWeights;
use models::network::stored::{self, LARGEST, Sizes};
use models::persist::{Container, ContainerWriter, LoadError};

/// What is not a table.
#[derive(Serialize, Deserialize)]
struct Form {
    shape: Shape,
    weight: f32,
    /// The quantisation steps of each network: of embeddings, labels and rules.
    steps: Vec<[f32; 3]>,
}

/// The name of the section that only files with networks have.
const PRESENT: &str = "form";
const LABELS: &str = "labels";
const RULES: &str = "rules";

impl Networks {
    pub(in super::super) fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        let Some(first) = self.members.first() else { return };
        let steps =
            |member: &Network| [&member.embeddings, &member.labels, &member.rules].map(|table| table.step);
        let steps = self.members.iter().map(steps).collect();
        writer.json(PRESENT, &Form { shape: first.shape, weight: self.weight, steps });
        for (number, member) in self.members.iter().enumerate() {
            writer.array(&stored::embeddings_section(number), &member.embeddings.values[..]);
            writer.array(&stored::table_section(LABELS, number), &member.labels.values[..]);
            writer.array(&stored::table_section(RULES, number), &member.rules.values[..]);
            for (name, table) in Weights::NAMES.iter().zip(member.weights.tables()) {
                writer.array(&stored::table_section(name, number), &table[..]);
            }
        }
    }

    /// The networks of a file, if it has any.
    pub(in super::super) fn load(container: &Container) -> Result<Option<Self>, LoadError> {
        if !container.contains(PRESENT) {
            return Ok(None);
        }
        let Form { shape, weight, steps } = container.json(PRESENT)?;
        let Shape { embedded, hidden, part, bits, label_bits } = shape;
        stored::check(PRESENT, Sizes { embedded, hidden, bits }, steps.len())?;
        let of_parts = Sizes { embedded: part, hidden: part, bits: label_bits };
        stored::check(PRESENT, of_parts, steps.len())?;
        if !(0.0..=LARGEST).contains(&weight) {
            return Err(LoadError::invalid(PRESENT, "the weight of the networks is out of range"));
        }
        let members = steps.iter().enumerate().map(|(number, steps)| {
            let rounded = |section: String, sizes: Sizes, step: f32| -> Result<RoundedWeights, LoadError> {
                stored::rounded(container, &section, sizes, step)
            };
            let embeddings =
                rounded(stored::embeddings_section(number), Sizes { embedded, hidden, bits }, steps[0])?;
            let labels = rounded(stored::table_section(LABELS, number), of_parts, steps[1])?;
            let rules = rounded(stored::table_section(RULES, number), of_parts, steps[2])?;
            let tables = stored::tables(container, number, Weights::NAMES, Weights::lengths(shape))?;
            Ok(Network::new(shape, [embeddings, labels, rules], Weights::from_tables(tables)))
        });
        Ok(Some(Self { members: members.collect::<Result<_, LoadError>>()?, weight }))
    }
}
