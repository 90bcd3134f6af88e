//! The jobs, and what they are attacked with.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::job::{Job, fresh};
use super::numbers;
use crate::program;
use crate::tree::Checkout;

/// What the jobs read, made by the program itself.
const INPUTS: [&str; 10] = [
    "sample english -n 30 -o t.mrg",
    "convert t.mrg --to conllu -o t.conllu",
    "convert t.mrg --to words -o t.txt",
    "train pcfg t.mrg -o pcfg.eig",
    "train tagger t.conllu -o tagger.eig",
    "count t.txt -o a.eigc",
    "train mst t.conllu --quality fast -o mst.eig",
    "parse mst.eig t.conllu --nbest 3 -o t.nbest",
    "train reranker t.conllu -o reranker.eig",
    "train automaton t.txt --rank 3 -o automaton.eig",
];

/// Named entities, which the program samples none of.
const ENTITIES: &str =
    "The\tO\ndog\tO\nsees\tO\nAnna\tB-PER\n.\tO\n\nIn\tO\nNew\tB-LOC\nYork\tI-LOC\n.\tO\n\n";

/// The jobs, by name.
const JOBS: [(&str, &str); 27] = [
    ("sample", "sample english -n 20 -o out"),
    ("convert", "convert t.mrg --to svg -o out.svg"),
    ("pcfg", "train pcfg t.mrg -o out"),
    ("lpcfg", "train lpcfg t.mrg --quality fast -o out"),
    ("mst", "train mst t.conllu --quality fast -o out"),
    ("tagger", "train tagger t.conllu -o out"),
    ("pipeline", "train pipeline t.conllu --parser fast -o out"),
    ("head-automata", "train head-automata t.conllu -o out"),
    ("deptree", "train deptree t.conllu -o out"),
    ("hmm", "train hmm t.txt --rank 3 -o out"),
    ("cluster", "cluster t.txt --clusters 5 -o out --model out.eig --vectors out.vec"),
    ("count", "count t.txt -o out"),
    ("merge", "merge a.eigc a.eigc -o out"),
    ("parse", "parse pcfg.eig t.txt -o out"),
    ("compressed", "parse pcfg.eig t.txt -o out.gz"),
    ("tag", "tag tagger.eig t.txt -o out"),
    ("eval", "eval t.mrg t.mrg --html out.html"),
    ("ner", "train ner t.bio -o out"),
    ("reranker", "train reranker t.conllu -o out"),
    ("automaton", "train automaton t.txt --rank 3 -o out"),
    ("rerank", "rerank reranker.eig t.nbest -o out"),
    ("score", "score automaton.eig t.txt -o out"),
    ("predict", "predict automaton.eig t.txt -o out"),
    ("select", "select mst.eig t.conllu -o out"),
    ("check", "check t.conllu -o out"),
    ("curve", "curve pcfg t.mrg -o out"),
    ("crossval", "crossval pcfg t.mrg --folds 2 -o out"),
];

/// What the jobs are attacked with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attack {
    /// System calls that fail, files and memory that end.
    Faults,
    /// Numbers that make no sense, as values of options.
    Numbers,
}

/// Attacks the jobs with the given names, or all. After `--program` comes a program that has been built, such as a release.
pub(crate) fn run(checkout: &Checkout, attack: Attack, arguments: &[String]) -> Result<()> {
    let (given, names) = match arguments {
        [option, program, names @ ..] if option == "--program" => (Some(PathBuf::from(program)), names),
        names => (None, names),
    };
    if Command::new("strace").arg("-V").output().is_err() {
        bail!("there is no strace; install it, for example with `apt-get install strace`");
    }
    if let Some(unknown) = names.iter().find(|name| JOBS.iter().all(|(job, _)| job != name)) {
        let known: Vec<&str> = JOBS.iter().map(|(job, _)| *job).collect();
        bail!("there is no job `{unknown}`; choose from {}", known.join(", "));
    }
    let folder = checkout.root().join(match attack {
        Attack::Faults => "target/faults",
        Attack::Numbers => "target/numbers",
    });
    let inputs = folder.join("inputs");
    fresh(&inputs)?;
    // A copy, which no other build changes meanwhile.
    let program = folder.join("eigentree");
    let built = given.map_or_else(|| program::build(checkout), Ok)?;
    fs::copy(&built, &program).with_context(|| format!("cannot copy {}", built.display()))?;
    fs::write(inputs.join("t.bio"), ENTITIES.repeat(10))?;
    for arguments in INPUTS {
        let mut command = Command::new(&program);
        program::succeed(command.args(arguments.split(' ')).arg("--quiet").current_dir(&inputs))?;
    }
    let (mut runs, mut defects) = (0, 0);
    for (name, arguments) in JOBS {
        if names.is_empty() || names.iter().any(|chosen| chosen == name) {
            let job = Job { program: &program, inputs: &inputs, place: folder.join("place"), arguments };
            let (tried, found) = match attack {
                Attack::Faults => job.attack(name)?,
                Attack::Numbers => {
                    let numbers::Tried { runs, long, defects } = job.try_numbers()?;
                    defects.iter().for_each(|defect| println!("{name}: {defect}"));
                    println!("{name}: {long} runs took long");
                    (runs, defects.len())
                }
            };
            println!("{name}: {tried} runs, {found} defects");
            runs += tried;
            defects += found;
        }
    }
    println!("{runs} runs, {defects} defects");
    if defects > 0 {
        bail!("an attack shows a defect");
    }
    Ok(())
}
