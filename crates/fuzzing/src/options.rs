//! Calls commands with options that make no sense.

use std::ffi::OsStr;
use std::sync::LazyLock;

use eigentree::learn::Observer;
use eigentree_cli::calls::{CallError, OptionDefinition, OptionValues, call, definition};
use rand::Rng;

/// The commands that read files. `serve` and those that only print are left out.
const COMMANDS: [&[&str]; 32] = [
    &["train", "pcfg"],
    &["train", "lpcfg"],
    &["train", "mst"],
    &["train", "tagger"],
    &["train", "ner"],
    &["train", "pipeline"],
    &["train", "head-automata"],
    &["train", "deptree"],
    &["train", "reranker"],
    &["train", "hmm"],
    &["train", "automaton"],
    &["parse"],
    &["tag"],
    &["eval"],
    &["check"],
    &["select"],
    &["curve"],
    &["crossval"],
    &["convert"],
    &["cluster"],
    &["count"],
    &["merge"],
    &["rerank"],
    &["score"],
    &["predict"],
    &["sample"],
    &["inspect"],
    &["compare", "lpcfg"],
    &["compare", "clusters"],
    &["compare", "sequence"],
    &["compare", "head-automata"],
    &["compare", "deptree"],
];

const NUMBERS: [&str; 24] = [
    "0",
    "1",
    "-1",
    "2",
    "255",
    "256",
    "65535",
    "65536",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "1e309",
    "-1e308",
    "1e-320",
    "NaN",
    "inf",
    "-inf",
    "0.5",
    "1.0000001",
    "0x10",
    "",
];

const TEXTS: [&str; 10] = ["", "-", "--", "\u{0}", "a,b,,c", ",", "\u{1b}]0;x\u{7}", "é猫", "1..2", "../.."];

/// Stops all work at the first step: what is tried here is what comes before it.
struct Stop;

impl Observer for Stop {
    fn cancelled(&self) -> bool {
        true
    }
}

type Options = Vec<OptionDefinition>;

/// The commands of this build with their options.
static DEFINITIONS: LazyLock<Vec<(&[&str], Options)>> =
    LazyLock::new(|| COMMANDS.iter().filter_map(|path| Some((*path, definition(path)?.1))).collect());

fn value(option: &OptionDefinition, rng: &mut impl Rng) -> String {
    let mut one_of = |values: &[&str]| values[rng.random_range(0..values.len())].to_owned();
    match &option.values {
        OptionValues::Integer | OptionValues::Number => one_of(&NUMBERS),
        // Nothing that is written, and nothing that one waits for.
        OptionValues::Path => "no-such-folder/no-such-file".to_owned(),
        OptionValues::Choice(words) => {
            let words: Vec<&str> = words.iter().map(String::as_str).chain(["nonsense"]).collect();
            one_of(&words)
        }
        OptionValues::Flag | OptionValues::Text => {
            let all: Vec<&str> = NUMBERS.into_iter().chain(TEXTS).collect();
            one_of(&all)
        }
    }
}

/// The arguments of a call with one to three options. Its files do not exist.
pub fn arguments(rng: &mut impl Rng) -> Vec<String> {
    let (path, options) = &DEFINITIONS[rng.random_range(0..DEFINITIONS.len())];
    let mut arguments: Vec<String> = path.iter().map(|&name| name.to_owned()).collect();
    let named: Vec<&OptionDefinition> = options.iter().filter(|option| !option.positional).collect();
    for _ in 0..rng.random_range(1..=3) {
        let option = named[rng.random_range(0..named.len())];
        match option.values {
            OptionValues::Flag => arguments.push(format!("--{}", option.name)),
            _ => arguments.push(format!("--{}={}", option.name, value(option, rng))),
        }
    }
    let is_output = |argument: &String| argument.starts_with("--output=");
    if named.iter().any(|option| option.name == "output") && !arguments.iter().any(is_output) {
        arguments.push("--output=no-such-folder/out".to_owned());
    }
    arguments.extend(options.iter().filter(|option| option.positional).map(|_| "no-such-file".to_owned()));
    arguments
}

/// Calls a command. The files are missing and the work is stopped at its first step, so nothing but the options is tried.
pub fn attempt(arguments: &[String]) -> Result<(), CallError> {
    let given: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
    call(&given, Box::new(Stop)).map(drop)
}
