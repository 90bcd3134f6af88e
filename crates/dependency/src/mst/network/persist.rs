//! Model file sections of networks.

use super::ensemble::{Mix, Networks};
use super::layers::{Layers, Shape};
use super::model::Network;
use models::network::stored::{self, LARGEST, Sizes};
use models::persist::{Container, ContainerWriter, LoadError};

/// What is not a table.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Form {
    shape: Shape,
    mix: Mix,
    /// The quantisation step of each network's embeddings.
    steps: Vec<f32>,
}

/// The name of the section that only files with networks have.
pub(in super::super) const PRESENT: &str = "form";

impl Networks {
    pub(in super::super) fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        let Some(first) = self.members.first() else { return };
        let steps = self.members.iter().map(|member| member.embeddings.step).collect();
        writer.json(PRESENT, &Form { shape: first.shape, mix: self.mix, steps });
        for (number, member) in self.members.iter().enumerate() {
            writer.array(&stored::embeddings_section(number), &member.embeddings.values[..]);
            for (name, table) in Layers::NAMES.iter().zip(member.layers.tables()) {
                writer.array(&stored::table_section(name, number), &table[..]);
            }
        }
    }

    pub(in super::super) fn load(container: &Container, labels: usize) -> Result<Self, LoadError> {
        let Form { shape, mix, steps } = container.json(PRESENT)?;
        let sizes = Sizes { embedded: shape.embedded, hidden: shape.hidden, bits: shape.bits };
        stored::check(PRESENT, sizes, steps.len())?;
        if shape.labels != labels {
            return Err(LoadError::invalid(PRESENT, "its number of labels is not that of the parser"));
        }
        let sound = |weight: f32| (0.0..=LARGEST).contains(&weight);
        if ![mix.arcs, mix.labels, mix.margin].into_iter().chain(mix.sure).all(sound) {
            return Err(LoadError::invalid(PRESENT, "a weight of the network is out of range"));
        }
        let members = steps.iter().enumerate().map(|(number, &step)| {
            let embeddings = stored::embeddings(container, number, sizes, step)?;
            let tables = stored::tables(container, number, Layers::NAMES, Layers::lengths(shape))?;
            Ok(Network::new(shape, embeddings, Layers::from_tables(tables)))
        });
        Ok(Self { members: members.collect::<Result<_, LoadError>>()?, mix })
    }
}
