//! Protection of outputs from each other, and of everything from the summary.

use std::fs;
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use eigentree::files::STANDARD_STREAM;

/// Options that name a file to write, in every command that has them.
const OUTPUTS: [&str; 6] = ["output", "summary", "html", "sentences", "plot", "picture"];
/// More of them in `cluster`. Elsewhere these name inputs.
const OF_CLUSTER: [&str; 4] = ["model", "vectors", "tree", "counts"];
const SUMMARY: &str = "summary";

/// Two arguments that name the same file, one of them to be written, in words.
pub(crate) fn collision(matches: &ArgMatches) -> Option<String> {
    let (mut matches, mut command) = (matches, "");
    while let Some((name, inner)) = matches.subcommand() {
        (matches, command) = (inner, name);
    }
    let is_output = |id: &str| OUTPUTS.contains(&id) || (command == "cluster" && OF_CLUSTER.contains(&id));
    let mut named: Vec<(&str, PathBuf)> = Vec::new();
    for id in matches.ids() {
        // Groups of options have no values of their own.
        let Ok(Some(values)) = matches.try_get_raw(id.as_str()) else { continue };
        for value in values {
            // What is not there yet can only be an output.
            if !is_output(id.as_str()) && !Path::new(value).exists() {
                continue;
            }
            let Some(place) = place(Path::new(value)) else { continue };
            let other = named.iter().find(|(earlier, taken)| {
                let both = is_output(id.as_str()) && is_output(earlier);
                *earlier != id.as_str()
                    && *taken == place
                    && (both || [*earlier, id.as_str()].contains(&SUMMARY))
            });
            if let Some((earlier, _)) = other {
                let name = value.display();
                let [one, other] = [earlier, id.as_str()].map(|id| spelt(id, is_output(id)));
                let outputs =
                    if is_output(earlier) && is_output(id.as_str()) { " are two outputs that" } else { "" };
                return Some(format!(
                    "{one} and {other}{outputs} both name the file `{name}`; give one of them another name"
                ));
            }
            named.push((id.as_str(), place));
        }
    }
    None
}

fn spelt(id: &str, output: bool) -> String {
    if output { format!("--{}", id.replace('_', "-")) } else { "an input".to_owned() }
}

/// Where a file is or would be, whatever its name; `None` for what is not a file.
fn place(path: &Path) -> Option<PathBuf> {
    if path.as_os_str() == STANDARD_STREAM {
        return None;
    }
    match fs::metadata(path) {
        Ok(data) => {
            if data.is_file() {
                fs::canonicalize(path).ok()
            } else {
                None
            }
        }
        Err(_) => {
            let folder =
                path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
        }
    }
}
