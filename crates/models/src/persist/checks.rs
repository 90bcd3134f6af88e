//! Checks of sections that several families need.

use super::{Container, Element, LoadError, Storage};

/// A floating-point number of a section.
pub trait Real: Element {
    /// Whether it is neither infinite nor undefined.
    fn finite(self) -> bool;
}

impl Real for f32 {
    fn finite(self) -> bool {
        self.is_finite()
    }
}

impl Real for f64 {
    fn finite(self) -> bool {
        self.is_finite()
    }
}

impl Container {
    /// The numbers of section `name`, which must have this shape and be finite.
    pub fn finite<T: Real>(&self, name: &str, shape: &[usize]) -> Result<Storage<T>, LoadError> {
        let values = self.tensor::<T>(name, shape)?;
        if values.iter().all(|value| value.finite()) {
            Ok(values)
        } else {
            Err(LoadError::invalid(name, "a value is not finite"))
        }
    }

    /// The numbers of section `name`, which must have this shape, be finite and not be negative.
    pub fn non_negative(&self, name: &str, shape: &[usize]) -> Result<Storage<f64>, LoadError> {
        let values = self.tensor::<f64>(name, shape)?;
        if values.iter().all(|value| value.is_finite() && *value >= 0.0) {
            Ok(values)
        } else {
            Err(LoadError::invalid(name, "a value is negative or not finite"))
        }
    }
}

/// Whether `starts` divides `items` items into `rows` compressed rows: it starts at 0, never falls, and ends at the last item.
pub fn rows_fit(starts: &[u32], rows: usize, items: usize) -> bool {
    starts.len() == rows + 1
        && starts.first() == Some(&0)
        && starts.is_sorted()
        && starts.last().map(|&end| end as usize) == Some(items)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::persist::{ContainerWriter, Metadata};

    #[test]
    fn numbers_that_are_none_are_refused() {
        let mut writer = ContainerWriter::new(&Metadata::new("test", 1));
        writer.array("good", vec![0.0, 1.5]);
        writer.array("negative", vec![0.0, -1.5]);
        writer.array("undefined", vec![0.0, f64::NAN]);
        let mut bytes = Vec::new();
        writer.write_to(&mut bytes).unwrap();
        let container = Container::from_bytes(bytes).unwrap();
        assert_eq!(container.finite::<f64>("negative", &[2]).unwrap()[..], [0.0, -1.5]);
        assert_eq!(container.non_negative("good", &[2]).unwrap()[..], [0.0, 1.5]);
        assert!(container.finite::<f64>("good", &[3]).is_err());
        assert!(container.finite::<f64>("undefined", &[2]).is_err());
        assert!(container.non_negative("negative", &[2]).is_err());
        assert!(container.non_negative("undefined", &[2]).is_err());
    }

    #[test]
    fn rows_that_do_not_fit_are_noticed() {
        assert!(rows_fit(&[0, 2, 2, 3], 3, 3));
        assert!(!rows_fit(&[], 0, 0));
        assert!(!rows_fit(&[0, 2, 1, 3], 3, 3));
        assert!(!rows_fit(&[1, 2, 2, 3], 3, 3));
        assert!(!rows_fit(&[0, 2, 2, 3], 3, 4));
        assert!(!rows_fit(&[0, 2, 3], 3, 3));
    }
}
