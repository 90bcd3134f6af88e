//! The command reference of the book, written by the program itself.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::program;
use crate::tree::Checkout;

/// Path of the page in the book.
const PAGE: &str = "docs/reference/commands.md";

/// Writes the page.
pub(crate) fn write(checkout: &Checkout) -> Result<()> {
    let path = checkout.root().join(PAGE);
    fs::write(&path, text(checkout)?).with_context(|| format!("cannot write {}", path.display()))?;
    println!("{PAGE} written");
    Ok(())
}

/// Fails if the page differs from what the program would write.
pub(crate) fn check(checkout: &Checkout) -> Result<()> {
    let path = checkout.root().join(PAGE);
    let page = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    if let Some(difference) = first_difference(&page, &text(checkout)?) {
        println!("{PAGE}:{difference}");
        bail!("{PAGE} is out of date; run `cargo xtask reference` to update it");
    }
    println!("{PAGE} is up to date");
    Ok(())
}

fn text(checkout: &Checkout) -> Result<String> {
    program::output_of(Command::new(program::build(checkout)?).arg("reference"))
}

/// The first line that differs, with both versions.
fn first_difference(old: &str, new: &str) -> Option<String> {
    let count = old.lines().count().max(new.lines().count());
    let at = |text: &str, index: usize| text.lines().nth(index).unwrap_or("(end of file)").to_owned();
    let index = (0..count).find(|&index| at(old, index) != at(new, index))?;
    Some(format!("{}:\n  is         {}\n  should be  {}", index + 1, at(old, index), at(new, index)))
}

#[cfg(test)]
mod tests {
    use super::first_difference;

    #[test]
    fn differences_are_found_to_the_end() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        assert!(first_difference("a\nb\n", "a\nc\n").is_some_and(|text| text.starts_with("2:")));
        assert!(first_difference("a\n", "a\nb\n").is_some_and(|text| text.contains("(end of file)")));
    }
}
