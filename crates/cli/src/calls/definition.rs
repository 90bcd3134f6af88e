//! The options of a command, for programs that offer them under names of their own.

use std::any::TypeId;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Arg, ArgAction, Command, CommandFactory};
use serde::Serialize;

use crate::args::Cli;

/// One option or argument of a command.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OptionDefinition {
    /// Name, such as `em-steps`; for arguments without dashes, what they stand for, such as `TREES`.
    pub name: String,
    /// Its description.
    pub help: String,
    /// The heading that groups it with others; empty for the main options.
    pub heading: String,
    /// Whether it is an argument without dashes.
    pub positional: bool,
    /// Whether it must be given.
    pub required: bool,
    /// Whether it may be given several times, or takes a list.
    pub repeated: bool,
    /// Its values.
    pub values: OptionValues,
    /// Default value, if it is fixed. The description names a default that depends on other options.
    pub default: Option<String>,
}

/// The values of an option.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OptionValues {
    /// It takes no value.
    Flag,
    /// One of these words.
    Choice(Vec<String>),
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// The name of a file.
    Path,
    /// Anything else.
    Text,
}

/// The description and the options of the command with this path of names, such as `["train", "lpcfg"]`. Options that
/// all commands have come last. `None` if there is no such command.
pub fn definition(path: &[&str]) -> Option<(String, Vec<OptionDefinition>)> {
    let mut whole = Cli::command();
    whole.build();
    let command = path.iter().try_fold(&whole, |command, name| command.find_subcommand(name))?;
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    let (shared, own): (Vec<&Arg>, Vec<&Arg>) = shown(command).partition(|arg| arg.is_global_set());
    Some((about, own.into_iter().chain(shared).map(define).collect()))
}

fn shown(command: &Command) -> impl Iterator<Item = &Arg> {
    let helps = |arg: &&Arg| !matches!(arg.get_id().as_str(), "help" | "version");
    command.get_arguments().filter(|arg| !arg.is_hide_set()).filter(helps)
}

fn define(arg: &Arg) -> OptionDefinition {
    let placeholder = || arg.get_value_names().and_then(|names| names.first()).map(ToString::to_string);
    let name = arg.get_long().map(str::to_owned).or_else(placeholder);
    let defaults: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    let takes_values = arg.get_action().takes_values();
    OptionDefinition {
        name: name.unwrap_or_else(|| arg.get_id().to_string()),
        help: arg.get_help().map(ToString::to_string).unwrap_or_default(),
        heading: arg.get_help_heading().unwrap_or_default().to_owned(),
        positional: arg.is_positional(),
        required: arg.is_required_set(),
        repeated: matches!(arg.get_action(), ArgAction::Append) || arg.get_value_delimiter().is_some(),
        values: values(arg),
        default: (takes_values && !defaults.is_empty()).then(|| defaults.join(",")),
    }
}

fn values(arg: &Arg) -> OptionValues {
    if !arg.get_action().takes_values() {
        return OptionValues::Flag;
    }
    let possible: Vec<String> =
        arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    if !possible.is_empty() {
        return OptionValues::Choice(possible);
    }
    let parsed = arg.get_value_parser().type_id();
    let is = |types: &[TypeId]| types.iter().any(|of| parsed == *of);
    if is(&[of::<u8>(), of::<u16>(), of::<u32>(), of::<u64>(), of::<usize>(), of::<NonZeroUsize>()]) {
        OptionValues::Integer
    } else if is(&[of::<f32>(), of::<f64>()]) {
        OptionValues::Number
    } else if is(&[of::<PathBuf>()]) {
        OptionValues::Path
    } else {
        OptionValues::Text
    }
}

fn of<T: 'static>() -> TypeId {
    TypeId::of::<T>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_described_as_the_program_takes_them() {
        let (about, options) = definition(&["train", "lpcfg"]).unwrap();
        assert!(about.starts_with("Train a grammar with latent states"));
        let option = |name: &str| options.iter().find(|option| option.name == name).unwrap();
        assert!(option("TREES").positional && option("TREES").required && option("TREES").repeated);
        assert_eq!(option("TREES").values, OptionValues::Path);
        assert_eq!(option("states").values, OptionValues::Integer);
        assert_eq!(option("strip").default.as_deref(), Some("remove"));
        assert_eq!(option("tune").values, OptionValues::Flag);
        let levels = ["fast", "balanced", "best"].map(str::to_owned).to_vec();
        assert_eq!(option("quality").values, OptionValues::Choice(levels));
        assert_eq!(options.last().map(|option| option.heading.as_str()), Some("General"));
        assert!(definition(&["train", "nothing"]).is_none());
    }

    /// The options of a command and of those below it that take numbers, each with the names that lead to it.
    fn numeric(command: &Command, path: &[String], found: &mut Vec<(Vec<String>, String, OptionValues)>) {
        for arg in shown(command).filter(|arg| !arg.is_positional()) {
            let OptionDefinition { name, values, .. } = define(arg);
            if matches!(values, OptionValues::Integer | OptionValues::Number) {
                found.push((path.to_vec(), name, values));
            }
        }
        for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
            let mut path = path.to_vec();
            path.push(below.get_name().to_owned());
            numeric(below, &path, found);
        }
    }

    #[test]
    fn every_numeric_option_names_itself_when_it_refuses_a_value() {
        let mut whole = Cli::command();
        whole.build();
        let mut found = Vec::new();
        numeric(&whole, &["eigentree".to_owned()], &mut found);
        assert!(found.len() > 200, "{}", found.len());
        let mut taken = Vec::new();
        for (path, name, values) in found {
            let wrong: &[&str] = match values {
                OptionValues::Integer => &["", "x", "-1", "0.5", "NaN", "18446744073709551616"],
                _ => &["", "x", "NaN", "inf", "-inf", "1e400"],
            };
            for value in wrong {
                let arguments = path.iter().cloned().chain([format!("--{name}={value}")]);
                // Values are read before anything that is missing is noticed.
                match Cli::command().try_get_matches_from(arguments) {
                    Err(error) if error.to_string().contains(&format!("--{name}")) => {}
                    _ => taken.push(format!("{} --{name}={value}", path.join(" "))),
                }
            }
        }
        assert!(taken.is_empty(), "{taken:#?}");
    }
}
