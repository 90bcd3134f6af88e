//! Model file sections of networks.

use super::layers::{Shape, Weights};
use super::model::{Network, Networks};
use models::network::stored::{self, LARGEST, Sizes};
use models::persist::{Container, ContainerWriter, LoadError};

/// What is not a table.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Form {
    shape: Shape,
    weight: f32,
    /// The quantisation step of each network's embeddings.
    steps: Vec<f32>,
}

/// The name of the section that only files with networks have.
const PRESENT: &str = "form";

impl Networks {
    pub(in super::super) fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        let Some(first) = self.members.first() else { return };
        let steps = self.members.iter().map(|member| member.embeddings.step).collect();
        writer.json(PRESENT, &Form { shape: first.shape, weight: self.weight, steps });
        for (number, member) in self.members.iter().enumerate() {
            writer.array(&stored::embeddings_section(number), &member.embeddings.values[..]);
            for (name, table) in Weights::NAMES.iter().zip(member.weights.tables()) {
                writer.array(&stored::table_section(name, number), &table[..]);
            }
        }
    }

    /// The networks of a file, if it has any; they must score this many parts.
    pub(in super::super) fn load(container: &Container, parts: usize) -> Result<Option<Self>, LoadError> {
        if !container.contains(PRESENT) {
            return Ok(None);
        }
        let Form { shape, weight, steps } = container.json(PRESENT)?;
        let sizes = Sizes { embedded: shape.embedded, hidden: shape.hidden, bits: shape.bits };
        stored::check(PRESENT, sizes, steps.len())?;
        if shape.parts != parts {
            return Err(LoadError::invalid(PRESENT, "its number of parts is not that of the labels"));
        }
        if !(0.0..=LARGEST).contains(&weight) {
            return Err(LoadError::invalid(PRESENT, "the weight of the network is out of range"));
        }
        let members = steps.iter().enumerate().map(|(number, &step)| {
            let embeddings = stored::embeddings(container, number, sizes, step)?;
            let tables = stored::tables(container, number, Weights::NAMES, Weights::lengths(shape))?;
            Ok(Network::new(shape, embeddings, Weights::from_tables(tables)))
        });
        Ok(Some(Self { members: members.collect::<Result<_, LoadError>>()?, weight }))
    }
}
