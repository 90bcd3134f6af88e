//! Every file with unsafe code is named, with its argument and its test, in one document.

use crate::tree::SourceFile;

/// The document.
const LIST: &str = "docs/reference/unsafe.md";
/// How a block begins. Split in two, so that this file does not match itself.
const BLOCK: &str = concat!("unsafe", " {");

/// Checks that the list and the sources name the same files.
pub(super) fn check(files: &[SourceFile], breaches: &mut Vec<String>) {
    let text = |path: &str| files.iter().find(|file| file.path == path).and_then(|file| file.text.as_deref());
    let list = text(LIST).unwrap_or_default();
    for file in files.iter().filter(|file| is_source(&file.path)) {
        let has_block = file.text.as_deref().is_some_and(|text| text.contains(BLOCK));
        match (has_block, list.contains(&format!("`{}`", file.path))) {
            (true, false) => {
                breaches.push(format!("{}: name it in {LIST}, with argument and test", file.path))
            }
            (false, true) => breaches.push(format!("{LIST}: {} has no unsafe code", file.path)),
            _ => {}
        }
    }
}

fn is_source(path: &str) -> bool {
    path.ends_with(".rs") && path.contains("/src/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_directions_are_checked() {
        let file = |path: &str, text: &str| SourceFile {
            path: path.to_owned(),
            bytes: text.len() as u64,
            text: Some(text.to_owned()),
        };
        let block = format!("fn f() {{ {BLOCK} g() }} }}");
        let files = [
            file(LIST, "| `crates/a/src/x.rs` | `crates/a/src/y.rs` |"),
            file("crates/a/src/x.rs", &block),
            file("crates/a/src/y.rs", "fn f() {}"),
            file("crates/a/src/z.rs", &block),
            file("crates/a/tests/z.rs", &block),
        ];
        let mut breaches = Vec::new();
        check(&files, &mut breaches);
        assert_eq!(
            breaches,
            [
                format!("{LIST}: crates/a/src/y.rs has no unsafe code"),
                format!("crates/a/src/z.rs: name it in {LIST}, with argument and test"),
            ]
        );
    }
}
