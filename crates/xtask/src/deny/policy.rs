//! The rules of `deny.toml` that are applied here.
//!
//! Only arrays of strings are read, with comments between them, so that no TOML library has to be built.

use anyhow::{Context, Result, bail};

/// The allowed licences, duplicates and registries.
#[derive(Debug)]
pub(super) struct Policy {
    /// SPDX names: `allow` in `[licenses]`.
    pub(super) licences: Vec<String>,
    /// Unavoidable second versions, as `name@version`: `skip` in `[bans]`.
    pub(super) duplicates: Vec<String>,
    /// Addresses of registries: `allow-registry` in `[sources]`.
    pub(super) registries: Vec<String>,
}

impl Policy {
    /// Reads the file.
    pub(super) fn read(text: &str) -> Result<Self> {
        let policy = Self {
            licences: strings(text, "licenses", "allow")?,
            duplicates: strings(text, "bans", "skip")?,
            registries: strings(text, "sources", "allow-registry")?,
        };
        if policy.licences.is_empty() || policy.registries.is_empty() {
            bail!("deny.toml allows no licence or no registry");
        }
        Ok(policy)
    }
}

/// The strings of the array `key` in a section.
fn strings(text: &str, section: &str, key: &str) -> Result<Vec<String>> {
    let header = format!("[{section}]");
    let missing = || format!("deny.toml has no array `{key}` in {header}");
    let mut lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim())
        .skip_while(|line| *line != header)
        .skip(1)
        .take_while(|line| !(line.starts_with('[') && line.ends_with(']') && !line.contains('"')))
        .skip_while(|line| line.split('=').next().map(str::trim) != Some(key));
    let first = lines.next().with_context(missing)?;
    let mut array = first.split_once('=').map(|(_, value)| value.trim()).with_context(missing)?.to_owned();
    while !array.ends_with(']') {
        array.push_str(lines.next().with_context(missing)?);
    }
    Ok(array.split('"').skip(1).step_by(2).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_read_and_missing_ones_refused() {
        let text = "# A policy.\n[licenses]\nallow = [\n  # common\n  \"MIT\",\n  \"Zlib\", # small\n]\n\n[bans]\nskip = []\n\n\
                    [sources]\nallow-registry = [\"https://example.org\"]\n";
        let policy = Policy::read(text).unwrap();
        assert_eq!(policy.licences, ["MIT", "Zlib"]);
        assert!(policy.duplicates.is_empty());
        assert_eq!(policy.registries, ["https://example.org"]);
        assert!(Policy::read(&text.replace("skip", "other")).is_err());
        assert!(
            Policy::read(&text.replace("[\n  # common\n  \"MIT\",\n  \"Zlib\", # small\n]", "[]")).is_err()
        );
    }
}
