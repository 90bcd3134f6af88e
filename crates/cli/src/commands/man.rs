//! `man`.

use std::io::Write;
use std::path::Path;

use clap::CommandFactory;
use clap_mangen::Man;
use eigentree::files::{Output, create_folder};

use crate::args::{Cli, ManArgs};

pub(super) fn run(args: &ManArgs) -> anyhow::Result<()> {
    create_folder(&args.dir)?;
    let mut program = Cli::command().disable_help_subcommand(true);
    // Names such as `eigentree-train-pcfg` and the options of every command are filled in here.
    program.build();
    write_pages(&program, &args.dir)
}

/// Writes the page of a command and those of the commands below it.
fn write_pages(command: &clap::Command, folder: &Path) -> anyhow::Result<()> {
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    man.render(&mut page)?;
    let mut output = Output::create(folder.join(man.get_filename()))?;
    output.write_all(&with_examples(page)).map_err(|error| output.error(error))?;
    output.finish()?;
    command
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
        .try_for_each(|command| write_pages(command, folder))
}

/// clap_mangen puts what follows the options into a section `EXTRA`. Here it has its own heading already, and lines that stay
/// as they are.
fn with_examples(page: Vec<u8>) -> Vec<u8> {
    const EXTRA: &str = ".SH EXTRA\nEXAMPLES\n";
    let page = match String::from_utf8(page) {
        Ok(page) => page,
        Err(error) => return error.into_bytes(),
    };
    let Some((before, examples)) = page.split_once(EXTRA) else { return page.into_bytes() };
    let end = examples.find("\n.SH ").map_or(examples.len(), |at| at + 1);
    let (examples, after) = examples.split_at(end);
    format!("{before}.SH EXAMPLES\n.nf\n{}\n.fi\n{after}", examples.trim_end()).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_with_its_options() {
        let place = tempfile::tempdir().unwrap();
        let dir = place.path().join("man1");
        run(&ManArgs { dir: dir.clone() }).unwrap();
        for (page, words) in [
            ("eigentree.1", [".fi\n.SH VERSION", "demo"]),
            ("eigentree-parse.1", ["nbest", "threads"]),
            ("eigentree-train-pcfg.1", ["dev", ".SH EXAMPLES\n.nf\n"]),
        ] {
            let text = std::fs::read_to_string(dir.join(page)).unwrap();
            assert!(text.starts_with(".") && words.iter().all(|word| text.contains(word)), "{page}:\n{text}");
        }
        assert!(!dir.join("eigentree-reference.1").exists());
    }
}
