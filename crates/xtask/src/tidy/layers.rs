//! Which crate may depend on which. Cargo rejects cycles; this rejects shortcuts.

use crate::tree::SourceFile;

/// Each crate with the workspace crates that it may use.
const LAYERS: [(&str, &[&str]); 18] = [
    ("corpus", &[]),
    ("linalg", &[]),
    ("spectral", &["linalg"]),
    ("models", &["corpus"]),
    ("grammars", &["corpus", "linalg", "spectral", "models"]),
    ("sequences", &["corpus", "linalg", "spectral", "models"]),
    ("words", &["corpus", "linalg", "spectral", "models"]),
    ("dependency", &["corpus", "linalg", "spectral", "models", "sequences"]),
    ("tagging", &["corpus", "models"]),
    ("eval", &["corpus"]),
    ("plots", &["corpus"]),
    (
        "eigentree",
        &[
            "corpus",
            "linalg",
            "spectral",
            "models",
            "grammars",
            "sequences",
            "words",
            "dependency",
            "tagging",
            "eval",
            "plots",
        ],
    ),
    (
        "compare",
        &[
            "corpus",
            "spectral",
            "models",
            "grammars",
            "sequences",
            "words",
            "dependency",
            "tagging",
            "eval",
            "plots",
            "eigentree",
        ],
    ),
    ("serve", &["eigentree"]),
    ("wasm", &["eigentree"]),
    ("cli", &["eigentree", "compare", "serve"]),
    ("fuzzing", &["cli", "corpus", "eigentree", "models", "serve"]),
    ("xtask", &[]),
];

/// Checks the manifest of a crate; ignores other files.
pub(super) fn check(file: &SourceFile, breaches: &mut Vec<String>) {
    let Some(directory) = file.path.strip_prefix("crates/").and_then(|path| path.strip_suffix("/Cargo.toml"))
    else {
        return;
    };
    let Some(&(_, allowed)) = LAYERS.iter().find(|(name, _)| *name == directory) else {
        breaches.push(format!(
            "{}: add this crate to the table of layers in crates/xtask/src/tidy/layers.rs",
            file.path
        ));
        return;
    };
    for used in dependencies(file.text.as_deref().unwrap_or_default()) {
        let ours = LAYERS.iter().any(|(name, _)| *name == used);
        if ours && !allowed.contains(&used) {
            breaches.push(format!("{}: `{directory}` must not depend on `{used}`", file.path));
        }
    }
}

/// The keys under `[dependencies]`. Development dependencies are not restricted.
fn dependencies(manifest: &str) -> impl Iterator<Item = &str> {
    manifest
        .lines()
        .map(str::trim)
        .skip_while(|line| *line != "[dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter(|key| !key.is_empty() && !key.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_cut_is_refused_and_a_test_may_take_it() {
        let manifest = "[dependencies]\ncorpus.workspace = true\nmodels = { path = \"../models\" }\n\n\
                        [dev-dependencies]\nspectral.workspace = true\n";
        let file =
            SourceFile { path: "crates/eval/Cargo.toml".into(), bytes: 0, text: Some(manifest.into()) };
        let mut breaches = Vec::new();
        check(&file, &mut breaches);
        assert_eq!(breaches, ["crates/eval/Cargo.toml: `eval` must not depend on `models`"]);
    }
}
