//! The file sections of weights.

use super::key_table::KeyTable;
use super::weights::{Entry, SparseWeights};
use crate::persist::{Container, ContainerWriter, LoadError, rows_fit};

impl SparseWeights {
    /// Writes the sections `step`, `names`, `starts`, `labels` and `weights`.
    pub fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        writer.json("step", &self.step);
        writer.array("names", &self.names[..]);
        writer.array("starts", &self.starts[..]);
        writer.array("labels", self.entries.iter().map(|entry| entry.label).collect::<Vec<u16>>());
        // Containers have no signed bytes, so the bits are stored as unsigned ones.
        writer.array("weights", self.entries.iter().map(|entry| entry.weight as u8).collect::<Vec<u8>>());
    }

    /// Reads the sections. `labels` is the number of labels.
    pub fn load(container: &Container, labels: usize) -> Result<Self, LoadError> {
        let rows = container.array::<u16>("labels")?;
        let weights = container.array::<u8>("weights")?;
        let entry = |(&label, &byte): (&u16, &u8)| Entry { label, weight: byte as i8 };
        let mut model = Self {
            step: container.json("step")?,
            names: container.array("names")?.into_vec(),
            starts: container.array("starts")?.into_vec(),
            entries: rows.iter().zip(weights.iter()).map(entry).collect(),
            index: KeyTable::default(),
        };
        let sound = rows_fit(&model.starts, model.names.len(), rows.len())
            && weights.len() == rows.len()
            && rows.iter().all(|&label| usize::from(label) < labels);
        if !sound {
            return Err(LoadError::invalid("labels", "the features and labels do not match"));
        }
        if !(model.step.is_finite() && model.step >= 0.0) {
            return Err(LoadError::invalid("step", "the scale of the weights is not a positive number"));
        }
        model.index = KeyTable::with_capacity(model.names.len());
        model.names.iter().for_each(|&name| {
            model.index.insert(name);
        });
        if model.index.len() != model.names.len() {
            return Err(LoadError::invalid("names", "a feature occurs twice"));
        }
        Ok(model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log_linear::Lookup;
    use crate::persist::Metadata;

    /// The sections of a file.
    struct Sections {
        names: Vec<u32>,
        starts: Vec<u32>,
        labels: Vec<u16>,
        weights: Vec<u8>,
        step: f32,
    }

    fn sections() -> Sections {
        Sections {
            names: vec![7, 3],
            starts: vec![0, 1, 3],
            labels: vec![0, 0, 2],
            weights: vec![128, 5, 127],
            step: 0.5,
        }
    }

    fn container<'a>(write: impl FnOnce(&mut ContainerWriter<'a>)) -> Container {
        let mut writer = ContainerWriter::new(&Metadata::new("test", 1));
        write(&mut writer);
        let mut bytes = Vec::new();
        writer.write_to(&mut bytes).unwrap();
        Container::from_bytes(bytes).unwrap()
    }

    fn saved(sections: Sections) -> Container {
        container(|writer| {
            writer.json("step", &sections.step);
            writer.array("names", sections.names);
            writer.array("starts", sections.starts);
            writer.array("labels", sections.labels);
            writer.array("weights", sections.weights);
        })
    }

    #[test]
    fn saved_weights_come_back() {
        let loaded = SparseWeights::load(&saved(sections()), 3).unwrap();
        let again = container(|writer| loaded.save(writer));
        for loaded in [&loaded, &SparseWeights::load(&again, 3).unwrap()] {
            assert_eq!((&loaded.names, &loaded.starts), (&sections().names, &sections().starts));
            let entries: Vec<(u16, i8)> =
                loaded.entries.iter().map(|entry| (entry.label, entry.weight)).collect();
            assert_eq!((entries, loaded.step), (vec![(0, -128), (0, 5), (2, 127)], 0.5));
            assert_eq!((loaded.index.get(3), loaded.index.get(4)), (Some(1), None));
        }
    }

    #[test]
    fn several_features_add_what_each_adds() {
        let model = SparseWeights::load(&saved(sections()), 3).unwrap();
        let mut lookup = Lookup::default();
        lookup.names.extend([3, 4, 7, 3]);
        let mut sums = [0; 3];
        model.add_all(&mut lookup, &mut sums);
        assert_eq!(sums, [5 - 128 + 5, 0, 127 + 127]);
        let mut one_by_one = [0; 3];
        lookup.names.iter().for_each(|&name| model.add(name, &mut one_by_one));
        assert_eq!(sums, one_by_one);
    }

    #[test]
    fn tables_that_do_not_fit_are_refused() {
        assert!(SparseWeights::load(&saved(sections()), 2).is_err(), "an unknown label");
        let broken: [fn(&mut Sections); 6] = [
            |sections| sections.names[1] = 7,
            |sections| sections.starts[1] = 9,
            |sections| sections.starts[2] = 2,
            |sections| sections.weights.truncate(1),
            |sections| sections.step = -1.0,
            |sections| sections.starts.clear(),
        ];
        for (number, breaking) in broken.iter().enumerate() {
            let mut sections = sections();
            breaking(&mut sections);
            assert!(SparseWeights::load(&saved(sections), 3).is_err(), "case {number}");
        }
    }
}
