//! The page: the options of every command, then one section per command.

use clap::builder::PossibleValue;
use clap::{Arg, Command};

use super::markdown::{code, escape, fill};

/// The heading of options without one.
const OPTIONS: &str = "Options";

/// Renders the commands of a built program.
pub(super) fn render(program: &Command) -> String {
    let mut page = String::from("# Commands\n\n");
    page.push_str(
        "<!-- Written by `cargo xtask reference`; edit the definitions in crates/cli/src/args. -->\n\n",
    );
    fill(&mut page, "", &long_about(program));
    let mut commands = Vec::new();
    collect(program, &mut commands);
    page.push_str("\n| command | purpose |\n|---|---|\n");
    for command in &commands {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        page.push_str(&format!(
            "| [{}](#{}) | {} |\n",
            code(name(command)),
            name(command).replace(' ', "-"),
            escape(&about).replace('|', "\\|")
        ));
    }
    page.push_str("\n## Options of every command\n\n");
    options(&mut page, program.get_arguments().filter(|arg| arg.is_global_set()));
    fill(&mut page, "- ", "`-h`, `--help`: Print a summary (`-h`) or the full help (`--help`)");
    fill(&mut page, "- ", "`-V`, `--version`: Print the version; without a command only");
    for command in commands {
        section(&mut page, command);
    }
    page
}

/// All leaf commands, in the order of the help. Commands that only have subcommands are not listed.
fn collect<'a>(command: &'a Command, commands: &mut Vec<&'a Command>) {
    for below in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        if !below.has_subcommands() {
            commands.push(below);
        }
        collect(below, commands);
    }
}

fn section(page: &mut String, command: &Command) {
    page.push_str(&format!("\n## {}\n\n", name(command)));
    for paragraph in long_about(command).split("\n\n") {
        fill(page, "", &escape(paragraph));
        page.push('\n');
    }
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim();
    page.push_str(&format!("```text\n{usage}\n```\n"));
    let aliases: Vec<String> = command.get_all_aliases().map(code).collect();
    if !aliases.is_empty() {
        page.push('\n');
        fill(page, "", &format!("Other name: {}.", aliases.join(", ")));
    }
    let own = || {
        command.get_arguments().filter(|arg| {
            !arg.is_global_set() && !arg.is_hide_set() && !matches!(arg.get_id().as_str(), "help" | "version")
        })
    };
    if own().any(Arg::is_positional) {
        page.push_str("\n### Arguments\n\n");
        options(page, own().filter(|arg| arg.is_positional()));
    }
    let mut headings: Vec<&str> = Vec::new();
    for heading in own().filter(|arg| !arg.is_positional()).map(heading) {
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    for wanted in headings {
        page.push_str(&format!("\n### {wanted}\n\n"));
        options(page, own().filter(|arg| !arg.is_positional() && heading(arg) == wanted));
    }
    if let Some(examples) = command.get_after_help() {
        let examples = examples.to_string();
        let examples = examples.trim_start().trim_start_matches("EXAMPLES").trim_matches('\n');
        page.push_str(&format!("\n### Examples\n\n```text\n{}\n```\n", without_indent(examples)));
    }
}

/// The words of a command, `train pcfg`.
fn name(command: &Command) -> &str {
    let whole = command.get_bin_name().unwrap_or_else(|| command.get_name());
    whole.strip_prefix("eigentree ").unwrap_or(whole)
}

fn long_about(command: &Command) -> String {
    command.get_long_about().or_else(|| command.get_about()).map(ToString::to_string).unwrap_or_default()
}

fn heading(arg: &Arg) -> &str {
    arg.get_help_heading().unwrap_or(OPTIONS)
}

/// A list of arguments or options, with defaults and values.
fn options<'a>(page: &mut String, args: impl Iterator<Item = &'a Arg>) {
    for arg in args {
        let help =
            arg.get_long_help().or_else(|| arg.get_help()).map(ToString::to_string).unwrap_or_default();
        let mut paragraphs = help.split("\n\n");
        let first = paragraphs.next().unwrap_or_default();
        fill(page, "- ", &format!("{}: {}{}", names(arg), escape(first), notes(arg)));
        for paragraph in paragraphs {
            page.push('\n');
            fill(page, "  ", &escape(paragraph));
        }
        for value in values(arg) {
            let text =
                value.get_help().map(|help| format!(": {}", escape(&help.to_string()))).unwrap_or_default();
            fill(page, "  - ", &format!("{}{text}", code(value.get_name())));
        }
    }
}

/// `-o`, `--output <FILE>`.
fn names(arg: &Arg) -> String {
    let short = arg.get_short().map(|short| format!("{}, ", code(&format!("-{short}")))).unwrap_or_default();
    format!("{short}{}", code(&arg.to_string()))
}

/// Defaults, aliases, and whether the option may be repeated or is required; appended to the help.
fn notes(arg: &Arg) -> String {
    let mut notes = String::new();
    let defaults: Vec<String> =
        arg.get_default_values().iter().map(|value| code(&value.to_string_lossy())).collect();
    if arg.get_action().takes_values() && !arg.is_hide_default_value_set() && !defaults.is_empty() {
        notes.push_str(&format!(" [default: {}]", defaults.join(" ")));
    }
    let aliases: Vec<String> =
        arg.get_all_aliases().unwrap_or_default().iter().map(|alias| code(&format!("--{alias}"))).collect();
    if !aliases.is_empty() {
        notes.push_str(&format!(" [also: {}]", aliases.join(", ")));
    }
    if arg.is_required_set() && !arg.is_positional() {
        notes.push_str(" [required]");
    }
    notes
}

/// The values that an option lists.
fn values(arg: &Arg) -> Vec<PossibleValue> {
    if !arg.get_action().takes_values() || arg.is_hide_possible_values_set() {
        return Vec::new();
    }
    arg.get_possible_values().into_iter().filter(|value| !value.is_hide_set()).collect()
}

/// Removes the indentation that all lines share.
fn without_indent(text: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let shared = text.lines().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    text.lines().map(|line| line.get(shared..).unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::args::Cli;

    #[test]
    fn every_command_and_option_has_its_place() {
        let mut program = Cli::command().disable_help_subcommand(true);
        program.build();
        let page = render(&program);
        let mut commands = Vec::new();
        collect(&program, &mut commands);
        assert!(commands.len() > 20, "{}", commands.len());
        for command in commands {
            let heading = format!("\n## {}\n", name(command));
            let (_, rest) = page.split_once(&heading).unwrap_or_else(|| panic!("no{heading}"));
            let section = rest.split("\n## ").next().unwrap_or(rest);
            let options = command.get_arguments().filter(|arg| !arg.is_hide_set() && !arg.is_global_set());
            for long in options.filter_map(Arg::get_long).filter(|long| !matches!(*long, "help" | "version"))
            {
                assert!(section.contains(&format!("`--{long}")), "{}: --{long}", name(command));
            }
        }
        assert!(page.contains("`--threads <N>`"));
        // Fenced text and tables keep their lines; prose is filled.
        let mut fenced = false;
        for line in page.lines() {
            fenced ^= line.starts_with("```");
            let free = fenced || line.starts_with('|') || !line.trim().contains(' ');
            assert!(free || line.chars().count() <= 123, "{line}");
        }
    }
}
