//! Configurations can grow: code outside a crate must be able to make one without naming every field.

use crate::tree::SourceFile;

/// Checks that every public `…Config` has `Default`, a constructor or `#[non_exhaustive]`, in any file of its crate.
pub(super) fn check(files: &[SourceFile], breaches: &mut Vec<String>) {
    for file in files.iter().filter(|file| is_library(&file.path)) {
        let text = file.text.as_deref().unwrap_or_default();
        let krate = file.path.split("/src/").next().unwrap_or_default();
        for (attributes, name) in configs(text) {
            let mut siblings = files
                .iter()
                .filter(|other| is_library(&other.path) && other.path.split("/src/").next() == Some(krate));
            let grows = attributes.contains("Default")
                || attributes.contains("non_exhaustive")
                || siblings.any(|other| makes(other.text.as_deref().unwrap_or_default(), name));
            if !grows {
                breaches.push(format!(
                    "{}: {name} has no `Default` and no constructor, so that a new field breaks all who make one",
                    file.path
                ));
            }
        }
    }
}

fn is_library(path: &str) -> bool {
    path.starts_with("crates/") && path.contains("/src/") && path.ends_with(".rs")
}

/// The public structs whose names end in `Config`, each with its attributes.
fn configs(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut from = 0;
    text.match_indices("\npub struct ").filter_map(move |(at, start)| {
        let rest = &text[at + start.len()..];
        let name = &rest[..rest.find(|sign: char| !sign.is_alphanumeric())?];
        // The attributes stand between the item before and the struct.
        let attributes = &text[text[from..at].rfind("\n\n").map_or(from, |blank| from + blank)..at];
        from = at;
        (name.len() > "Config".len() && name.ends_with("Config")).then_some((attributes, name))
    })
}

/// Whether a file implements `Default` for a type, or a public function that makes one.
fn makes(text: &str, name: &str) -> bool {
    let block_of = |head: &str| {
        let start = text.find(head)?;
        let after = text[start + head.len()..].chars().next()?;
        let end = text[start..].find("\n}").map_or(text.len(), |end| start + end);
        matches!(after, ' ' | '<').then(|| &text[start..end])
    };
    block_of(&format!("impl Default for {name}")).is_some()
        || block_of(&format!("impl {name}")).is_some_and(|block| {
            block.lines().any(|line| line.contains("pub fn") && line.contains("-> Self"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breaches_of(text: &str) -> Vec<String> {
        let path = "crates/x/src/config.rs".to_owned();
        let file = SourceFile { path, bytes: text.len() as u64, text: Some(text.to_owned()) };
        let mut breaches = Vec::new();
        check(&[file], &mut breaches);
        breaches
    }

    #[test]
    fn closed_configurations_are_found() {
        let open = "//! X\n\n/// Y\n#[derive(Clone)]\npub struct AConfig {\n    pub a: u8,\n}\n";
        assert_eq!(breaches_of(open).len(), 1);
        assert_eq!(
            breaches_of(&format!("{open}\nimpl BConfig {{\n    pub fn new() -> Self {{}}\n}}\n")).len(),
            1
        );
        assert!(
            breaches_of(&format!("{open}\nimpl AConfig {{\n    pub fn new() -> Self {{}}\n}}\n")).is_empty()
        );
        assert!(breaches_of(&format!("{open}\nimpl Default for AConfig {{\n}}\n")).is_empty());
        assert!(breaches_of(&open.replace("Clone", "Clone, Default")).is_empty());
        assert!(breaches_of(&open.replace("#[derive(Clone)]", "#[non_exhaustive]")).is_empty());
    }
}
