//! Model file sections of networks.

use super::ensemble::{Mix, Networks};
use super::layers::{Layers, Shape};
use super::model::Network;
use models::log_linear::RoundedWeights;
use models::persist::{Container, ContainerWriter, LoadError, Storage};

/// What is not a table.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Form {
    shape: Shape,
    mix: Mix,
    /// The quantisation step of each network's embeddings.
    steps: Vec<f32>,
}

/// Bounds far beyond any use, within which no score overflows.
const MOST_NUMBERS: usize = 1024;
const MOST_BITS: u32 = 24;
const MOST_MEMBERS: usize = 64;
const LARGEST: f32 = 1e4;
const LARGEST_STEP: f32 = 1.0;

/// The name of the section that only files with networks have.
pub(in super::super) const PRESENT: &str = "form";

impl Networks {
    pub(in super::super) fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        let Some(first) = self.members.first() else { return };
        let steps = self.members.iter().map(|member| member.embeddings.step).collect();
        writer.json(PRESENT, &Form { shape: first.shape, mix: self.mix, steps });
        for (number, member) in self.members.iter().enumerate() {
            writer.array(&format!("embeddings_{number}"), &member.embeddings.values[..]);
            for (name, table) in Layers::NAMES.iter().zip(member.layers.tables()) {
                writer.array(&format!("{name}_{number}"), &table[..]);
            }
        }
    }

    pub(in super::super) fn load(container: &Container, labels: usize) -> Result<Self, LoadError> {
        let Form { shape, mix, steps } = container.json(PRESENT)?;
        let small = |numbers: usize| (1..=MOST_NUMBERS).contains(&numbers);
        if !small(shape.embedded) || !small(shape.hidden) || shape.bits > MOST_BITS || shape.labels != labels
        {
            return Err(LoadError::invalid(PRESENT, "the sizes of the network are out of range"));
        }
        let sound = |weight: f32| (0.0..=LARGEST).contains(&weight);
        if ![mix.arcs, mix.labels, mix.margin].into_iter().chain(mix.sure).all(sound) {
            return Err(LoadError::invalid(PRESENT, "a weight of the network is out of range"));
        }
        if steps.is_empty() || steps.len() > MOST_MEMBERS {
            return Err(LoadError::invalid(PRESENT, format!("{} networks", steps.len())));
        }
        let members = steps.iter().enumerate().map(|(number, &step)| {
            if !(step > 0.0 && step <= LARGEST_STEP) {
                return Err(LoadError::invalid(PRESENT, "a quantisation step is out of range"));
            }
            let section = format!("embeddings_{number}");
            let values: Storage<i16> = container.array(&section)?;
            if values.len() != shape.embedded << shape.bits {
                return Err(LoadError::invalid(&section, "its length does not match the form"));
            }
            let mut tables = Layers::lengths(shape).map(|_| Vec::new());
            for ((table, name), length) in tables.iter_mut().zip(Layers::NAMES).zip(Layers::lengths(shape)) {
                let section = format!("{name}_{number}");
                let read: Storage<f32> = container.array(&section)?;
                if read.len() != length || !read.iter().all(|value| value.abs() <= LARGEST) {
                    return Err(LoadError::invalid(&section, "its length or a value is out of range"));
                }
                *table = read.into_vec();
            }
            Ok(Network::new(shape, RoundedWeights { values, step }, Layers::from_tables(tables)))
        });
        Ok(Self { members: members.collect::<Result<_, _>>()?, mix })
    }
}
