//! The sections of weights.

use super::key_table::KeyTable;
use super::weights::SparseWeights;
use crate::persist::{Container, ContainerWriter, LoadError};

impl SparseWeights {
    pub(crate) fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        writer.json("step", &self.step);
        writer.array("names", &self.names[..]);
        writer.array("starts", &self.starts[..]);
        writer.array("labels", &self.labels[..]);
        // Containers have no signed bytes: these are the same bits.
        writer.array("weights", self.weights.iter().map(|&weight| weight as u8).collect::<Vec<u8>>());
    }

    /// `labels` is how many labels there are.
    pub(crate) fn load(container: &Container, labels: usize) -> Result<Self, LoadError> {
        let mut model = Self {
            step: container.json("step")?,
            names: container.array("names")?.into_vec(),
            starts: container.array("starts")?.into_vec(),
            labels: container.array("labels")?.into_vec(),
            weights: container.array::<u8>("weights")?.iter().map(|&byte| byte as i8).collect(),
            index: KeyTable::default(),
        };
        let end = model.starts.last().map(|&end| end as usize);
        let sound = model.starts.len() == model.names.len() + 1
            && model.starts.first() == Some(&0)
            && model.starts.is_sorted()
            && end == Some(model.labels.len())
            && model.weights.len() == model.labels.len()
            && model.labels.iter().all(|&label| usize::from(label) < labels);
        if !sound {
            return Err(LoadError::invalid("labels", "the features and labels of a table do not fit"));
        }
        if !(model.step.is_finite() && model.step >= 0.0) {
            return Err(LoadError::invalid("step", "the weights have no scale"));
        }
        model.index = KeyTable::with_capacity(model.names.len());
        model.names.iter().for_each(|&name| {
            model.index.insert(name);
        });
        if model.index.len() != model.names.len() {
            return Err(LoadError::invalid("names", "a feature stands in it twice"));
        }
        Ok(model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::persist::Metadata;

    fn saved(model: &SparseWeights) -> Container {
        let mut writer = ContainerWriter::new(&Metadata::new("test", 1));
        model.save(&mut writer);
        let mut bytes = Vec::new();
        writer.write_to(&mut bytes).unwrap();
        Container::from_bytes(bytes).unwrap()
    }

    fn model() -> SparseWeights {
        SparseWeights {
            names: vec![7, 3],
            starts: vec![0, 1, 3],
            labels: vec![0, 0, 2],
            weights: vec![-128, 5, 127],
            step: 0.5,
            index: KeyTable::default(),
        }
    }

    #[test]
    fn saved_weights_come_back() {
        let loaded = SparseWeights::load(&saved(&model()), 3).unwrap();
        assert_eq!((loaded.names, loaded.starts), (model().names, model().starts));
        assert_eq!((loaded.labels, loaded.weights, loaded.step), (model().labels, model().weights, 0.5));
        assert_eq!((loaded.index.get(3), loaded.index.get(4)), (Some(1), None));
    }

    #[test]
    fn tables_that_do_not_fit_are_refused() {
        assert!(SparseWeights::load(&saved(&model()), 2).is_err(), "a label that there is not");
        let broken: [fn(&mut SparseWeights); 6] = [
            |model| model.names[1] = 7,
            |model| model.starts[1] = 9,
            |model| model.starts[2] = 2,
            |model| model.weights.truncate(1),
            |model| model.step = -1.0,
            |model| model.starts.clear(),
        ];
        for (number, breaking) in broken.iter().enumerate() {
            let mut model = model();
            breaking(&mut model);
            assert!(SparseWeights::load(&saved(&model), 3).is_err(), "case {number}");
        }
    }
}
