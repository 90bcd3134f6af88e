//! The rules themselves. Packages come sorted by name.

use super::graph::Package;
use super::licence;
use super::policy::Policy;

/// Lists all violations of a policy.
pub(super) fn breaches(packages: &[Package], policy: &Policy) -> Vec<String> {
    let mut breaches = Vec::new();
    for package in packages {
        let Package { name, version, .. } = package;
        match &package.licence {
            None => breaches.push(format!("{name} {version}: no licence")),
            Some(licence) => match licence::satisfied(licence, &policy.licences) {
                Ok(true) => {}
                Ok(false) => breaches.push(format!("{name} {version}: the licence {licence} is not allowed")),
                Err(error) => breaches.push(format!("{name} {version}: {error:#}")),
            },
        }
        if let Some(source) = &package.source
            && !policy.registries.iter().any(|registry| source.strip_prefix("registry+") == Some(registry))
        {
            breaches.push(format!("{name} {version}: the source {source} is not allowed"));
        }
    }
    let skipped =
        |package: &&Package| policy.duplicates.contains(&format!("{}@{}", package.name, package.version));
    for versions in packages.chunk_by(|a, b| a.name == b.name) {
        let counted: Vec<&str> = versions
            .iter()
            .filter(|package| !skipped(package))
            .map(|package| package.version.as_str())
            .collect();
        if counted.len() > 1 {
            breaches.push(format!("{}: several versions, {}", versions[0].name, counted.join(" and ")));
        }
    }
    for skip in &policy.duplicates {
        let exists = packages.iter().any(|package| *skip == format!("{}@{}", package.name, package.version));
        if !exists {
            breaches.push(format!("deny.toml skips {skip}, which is no longer used"));
        }
    }
    breaches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_refuses_its_breach() {
        let crates_io = "https://github.com/rust-lang/crates.io-index";
        let policy = Policy {
            licences: vec!["MIT".into()],
            duplicates: vec!["old@1.0.0".into(), "gone@1.0.0".into()],
            registries: vec![crates_io.into()],
        };
        let package = |name: &str, version: &str, licence: Option<&str>, source: &str| Package {
            name: name.into(),
            version: version.into(),
            licence: licence.map(str::to_owned),
            source: Some(source.into()),
        };
        let index = format!("registry+{crates_io}");
        let packages = [
            package("free", "1.0.0", Some("MIT OR GPL-3.0"), &index),
            package("git", "1.0.0", Some("MIT"), "git+https://example.org/git"),
            package("none", "1.0.0", None, &index),
            package("old", "1.0.0", Some("MIT"), &index),
            package("old", "2.0.0", Some("MIT"), &index),
            package("strict", "1.0.0", Some("GPL-3.0"), &index),
            package("twice", "1.0.0", Some("MIT"), &index),
            package("twice", "2.0.0", Some("MIT"), &index),
        ];
        assert_eq!(
            breaches(&packages, &policy),
            [
                "git 1.0.0: the source git+https://example.org/git is not allowed",
                "none 1.0.0: no licence",
                "strict 1.0.0: the licence GPL-3.0 is not allowed",
                "twice: several versions, 1.0.0 and 2.0.0",
                "deny.toml skips gone@1.0.0, which is no longer used"
            ]
        );
    }
}
