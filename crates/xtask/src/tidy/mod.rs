//! The house rules, checked on the files of the project without building anything.

mod configs;
mod documents;
mod layers;
mod sources;
mod unsafety;

use anyhow::{Result, bail};

use crate::tree::Checkout;

/// Checks all rules and lists every violation.
pub(crate) fn run(checkout: &Checkout) -> Result<()> {
    let files = checkout.files()?;
    let mut breaches = Vec::new();
    for file in &files {
        sources::check(file, &mut breaches);
        documents::check(file, &files, &mut breaches);
        layers::check(file, &mut breaches);
    }
    configs::check(&files, &mut breaches);
    unsafety::check(&files, &mut breaches);
    for breach in &breaches {
        println!("{breach}");
    }
    println!("checked {} files", files.len());
    match breaches.len() {
        0 => Ok(()),
        1 => bail!("1 violation of the house rules"),
        many => bail!("{many} violations of the house rules"),
    }
}
