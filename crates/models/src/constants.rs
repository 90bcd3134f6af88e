//! The constants of a configuration by name, and where two configurations differ.
//!
//! Reports name all constants of a learner, so that a result can be repeated. Configurations that follow a publication
//! are told from those that extend it by comparing the two lists.

use std::fmt;

/// Whose method a configuration follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Preset {
    /// Ours, with all extensions.
    #[default]
    Own,
    /// Exactly the published one.
    Paper,
}

/// Whether a publication fixes a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It is part of the method.
    Fixed,
    /// It is chosen for the data at hand, such as the number of states or a seed.
    Chosen,
}

/// One constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constant {
    /// Its name.
    pub name: &'static str,
    /// Its value, as a report shows it.
    pub value: String,
    /// Whether a publication fixes it.
    pub origin: Origin,
}

/// A constant that differs from that of another configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Departure {
    /// The name of the constant.
    pub name: &'static str,
    /// Its value.
    pub value: String,
    /// Its value in the other configuration.
    pub other: String,
}

/// The constants of a configuration, in order.
///
/// ```
/// use eigentree_models::constants::Constants;
/// let published = Constants::default().chosen("states", 8).fixed("scaling", 5.0);
/// let ours = Constants::default().chosen("states", 16).fixed("scaling", 20.0);
/// assert_eq!(ours.to_string(), "states 16, scaling 20");
/// let departures = ours.departures(&published);
/// assert_eq!((departures.len(), departures[0].name, &departures[0].other[..]), (1, "scaling", "5"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Constants(Vec<Constant>);

impl Constants {
    /// Adds a constant that a publication fixes.
    pub fn fixed(mut self, name: &'static str, value: impl fmt::Display) -> Self {
        self.0.push(Constant { name, value: value.to_string(), origin: Origin::Fixed });
        self
    }

    /// Adds a constant that is chosen for the data.
    pub fn chosen(mut self, name: &'static str, value: impl fmt::Display) -> Self {
        self.0.push(Constant { name, value: value.to_string(), origin: Origin::Chosen });
        self
    }

    /// These constants and others after them.
    pub fn and(mut self, others: Self) -> Self {
        self.0.extend(others.0);
        self
    }

    /// The constants.
    pub fn iter(&self) -> impl Iterator<Item = &Constant> {
        self.0.iter()
    }

    /// The fixed constants whose values differ from those of `other`. One that only one side has is `–` on the other.
    pub fn departures(&self, other: &Self) -> Vec<Departure> {
        const ABSENT: &str = "–";
        let fixed = |list: &Self| -> Vec<(&'static str, String)> {
            let of_method = list.0.iter().filter(|constant| constant.origin == Origin::Fixed);
            of_method.map(|constant| (constant.name, constant.value.clone())).collect()
        };
        let (own, others) = (fixed(self), fixed(other));
        let value = |list: &[(&str, String)], name: &str| {
            list.iter().find(|(other, _)| *other == name).map_or(ABSENT, |(_, value)| value).to_owned()
        };
        let missing = others.iter().filter(|(name, _)| own.iter().all(|(own, _)| own != name));
        let names = own.iter().chain(missing).map(|(name, _)| *name);
        let departures =
            names.map(|name| Departure { name, value: value(&own, name), other: value(&others, name) });
        departures.filter(|departure| departure.value != departure.other).collect()
    }
}

impl fmt::Display for Constants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, constant) in self.0.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}{} {}", constant.name, constant.value)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_of_one_side_alone_is_a_departure() {
        let ours = Constants::default().fixed("a", 1).fixed("b", 2);
        let published = Constants::default().fixed("a", 1).fixed("c", 3).chosen("d", 4);
        let departures = ours.departures(&published);
        let shown: Vec<_> = departures.iter().map(|d| (d.name, &d.value[..], &d.other[..])).collect();
        assert_eq!(shown, [("b", "2", "–"), ("c", "–", "3")]);
        assert!(published.departures(&published).is_empty());
    }
}
