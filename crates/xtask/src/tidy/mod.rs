//! The house rules as checks over the files of the project. None of them builds anything.

mod documents;
mod layers;
mod sources;

use anyhow::{Result, bail};

use crate::tree::Checkout;

/// Checks all rules and lists every breach.
pub(crate) fn run(checkout: &Checkout) -> Result<()> {
    let files = checkout.files()?;
    let mut breaches = Vec::new();
    for file in &files {
        sources::check(file, &mut breaches);
        documents::check(file, &files, &mut breaches);
        layers::check(file, &mut breaches);
    }
    for breach in &breaches {
        println!("{breach}");
    }
    println!("{} files looked at", files.len());
    match breaches.len() {
        0 => Ok(()),
        1 => bail!("1 breach of the house rules"),
        many => bail!("{many} breaches of the house rules"),
    }
}
