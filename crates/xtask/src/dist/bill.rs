//! The bill of materials: every crate in the program, with its version, licence and checksum, as CycloneDX.
//!
//! cargo knows the crates of one platform, and `Cargo.lock` their checksums. Nothing in the file depends on when or where it was
//! written.

use std::collections::BTreeMap;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::VERSION;
use crate::program::output_of;
use crate::tree::Checkout;

/// Between the fields of a crate in cargo's list; no licence contains it.
const SEPARATOR: char = '|';

/// The bill of the program for the target.
pub(super) fn of_materials(checkout: &Checkout, target: &str) -> Result<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["tree", "--locked", "--package", "eigentree-cli", "--edges", "normal", "--prefix", "none"]);
    command.args(["--target", target, "--format", &format!("{{p}}{SEPARATOR}{{l}}")]);
    let listed = output_of(command.current_dir(checkout.root()))?;
    let lock = checkout.root().join("Cargo.lock");
    let lock = std::fs::read_to_string(&lock).with_context(|| format!("cannot read {}", lock.display()))?;
    let bill = bill(&listed, &checksums(&lock), target);
    Ok(serde_json::to_string_pretty(&bill)? + "\n")
}

fn bill(listed: &str, checksums: &BTreeMap<(&str, &str), &str>, target: &str) -> Value {
    let crates: BTreeMap<(&str, &str), &str> = listed.lines().filter_map(listed_crate).collect();
    let components: Vec<Value> = crates
        .iter()
        .map(|(&(name, version), &licence)| {
            let purl = format!("pkg:cargo/{name}@{version}");
            let mut component = json!({
                "type": "library",
                "bom-ref": purl,
                "name": name,
                "version": version,
                "purl": purl,
                "licenses": [{ "expression": licence.replace('/', " OR ") }],
            });
            if let Some(sum) = checksums.get(&(name, version)) {
                component["hashes"] = json!([{ "alg": "SHA-256", "content": sum }]);
            }
            component
        })
        .collect();
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": { "type": "application", "bom-ref": "eigentree", "name": "eigentree", "version": VERSION },
            "properties": [{ "name": "target", "value": target }],
        },
        "components": components,
    })
}

/// A line `name v1.2.3 (where or what)|licence`; lines that repeat a crate end in `(*)`.
fn listed_crate(line: &str) -> Option<((&str, &str), &str)> {
    let (package, licence) = line.trim_end_matches(" (*)").split_once(SEPARATOR)?;
    let mut words = package.split(' ');
    let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
    Some(((name, version), licence))
}

/// The checksums in a `Cargo.lock`, by name and version. Crates of the workspace have none.
fn checksums(lock: &str) -> BTreeMap<(&str, &str), &str> {
    let field = |package: &'_ str, name: &str| {
        let start = package.find(&format!("{name} = \""))? + name.len() + " = \"".len();
        Some(start..start + package[start..].find('"')?)
    };
    lock.split("[[package]]")
        .filter_map(|package| {
            let [name, version, sum] = ["name", "version", "checksum"].map(|name| field(package, name));
            Some(((&package[name?], &package[version?]), &package[sum?]))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = "version = 4\n\n[[package]]\nname = \"eigentree-cli\"\nversion = \"0.2.0\"\n\n[[package]]\n\
                        name = \"memchr\"\nversion = \"2.8.3\"\nsource = \"registry\"\nchecksum = \"ab12\"\n";

    #[test]
    fn every_crate_is_listed_once_with_its_checksum() {
        let listed = "eigentree-cli v0.2.0 (/somewhere)|MIT OR Apache-2.0\nmemchr v2.8.3|Unlicense/MIT\n\
                      memchr v2.8.3|Unlicense/MIT (*)\n";
        let bill = bill(listed, &checksums(LOCK), "x86_64-unknown-linux-gnu");
        let components = bill["components"].as_array().unwrap();
        assert_eq!(components.len(), 2);
        assert!(components[0].get("hashes").is_none());
        assert_eq!(components[1]["purl"], "pkg:cargo/memchr@2.8.3");
        assert_eq!(components[1]["hashes"][0]["content"], "ab12");
        assert_eq!(components[1]["licenses"][0]["expression"], "Unlicense OR MIT");
    }
}
