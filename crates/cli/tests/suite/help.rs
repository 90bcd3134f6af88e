//! What the program says about itself.

use crate::place::Place;

const COMMANDS: [&str; 32] = [
    "demo",
    "train",
    "train lpcfg",
    "train mst",
    "train ner",
    "train pcfg",
    "train pipeline",
    "train head-automata",
    "train tagger",
    "parse",
    "tag",
    "eval",
    "check",
    "select",
    "curve",
    "crossval",
    "compare",
    "compare select",
    "compare lpcfg",
    "compare clusters",
    "compare dependency",
    "compare head-automata",
    "compare tagging",
    "convert",
    "cluster",
    "count",
    "merge",
    "score",
    "sample",
    "inspect",
    "completions",
    "man",
];

#[test]
fn every_command_teaches_by_example() {
    let place = Place::new();
    for command in COMMANDS.iter().chain(&[""]) {
        let help = place.run(&format!("{command} --help")).succeeds().stdout();
        let start = format!("eigentree {command}");
        assert!(help.contains("EXAMPLES") && help.contains(start.trim()), "{command}:\n{help}");
    }
}

/// Splits at blanks outside single quotes.
fn words_of(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, piece) in line.split('\'').enumerate() {
        match index % 2 {
            0 => words.extend(piece.split_whitespace().map(str::to_owned)),
            _ => words.push(piece.to_owned()),
        }
    }
    words
}

#[test]
fn every_example_is_understood() {
    // An example may fail for want of its files, but never as wrong usage.
    let place = Place::new();
    let mut examples = 0;
    for command in COMMANDS {
        let help = place.run(&format!("{command} --help")).stdout();
        for line in help.lines().skip_while(|line| !line.starts_with("EXAMPLES")) {
            for part in line.split(['|', '>']).map(str::trim).filter(|part| part.starts_with("eigentree ")) {
                let arguments = words_of(part);
                if arguments[1] == "demo" {
                    continue;
                }
                let ran = crate::place::Ran(place.command("").args(&arguments[1..]).output().unwrap());
                assert_ne!(ran.code(), 2, "{part}\n{}", ran.stderr());
                examples += 1;
            }
        }
    }
    assert!(examples >= 25, "{examples}");
}

/// The lines of commands below EXAMPLES, as they are written.
fn examples(help: &str) -> impl Iterator<Item = &str> {
    let lines = help.lines().skip_while(|line| !line.starts_with("EXAMPLES")).map(str::trim);
    lines.filter(|line| ["eigentree ", "echo ", "head "].iter().any(|start| line.starts_with(start)))
}

#[cfg(unix)]
#[test]
fn the_examples_work_as_they_are_written() {
    let place = Place::new();
    place
        .sample("train.ptb", 300, 1)
        .sample("dev.ptb", 20, 2)
        .sample("test.ptb", 20, 3)
        .put("heads.txt", "NP : right NN\n");
    place.run("train pcfg train.ptb -o en.eig").succeeds();
    place.run("train lpcfg train.ptb --quality fast -o latent.eig").succeeds();
    for treebank in ["treebanks/en_ewt", "treebanks/nl_lassysmall"] {
        std::fs::create_dir_all(place.path(treebank)).unwrap();
        for part in ["train", "dev", "test"] {
            place.run(&format!("convert dev.ptb -o {treebank}/{part}.conllu")).succeeds();
        }
    }
    for part in ["train", "dev", "test", "related"] {
        place.run(&format!("convert dev.ptb -o {part}.conllu")).succeeds();
    }
    place.run("train mst train.conllu --quality fast -o mst.eig").succeeds();
    place.run("train pipeline train.conllu --grammar latent.eig -o pipeline.eig").succeeds();
    place.put("raw.txt", "The dog barks. A cat sleeps.\n");
    place.run("train head-automata train.conllu -o heads.eig").succeeds();
    place.run("train deptree train.conllu -o deptree.eig").succeeds();
    place
        .put("1.pautomac.train", format!("40 2\n{}", "2 0 1\n1 0\n3 0 1 1\n0\n".repeat(10)))
        .put("1.pautomac.test", "2 2\n2 0 1\n1 0\n")
        .put("1.pautomac_solution.txt", "2\n0.5\n0.5\n");
    for (name, source) in
        [("part1.ptb.gz", "train.ptb"), ("part2.ptb.zst", "train.ptb"), ("wsj.mrg", "dev.ptb")]
    {
        place.run(&format!("convert {source} -o {name}")).succeeds();
    }
    for name in ["parsed-a.ptb", "parsed-b.ptb", "parsed.ptb"] {
        place.run(&format!("parse en.eig dev.ptb -o {name}")).succeeds();
    }
    std::fs::copy(place.path("dev.conllu"), place.path("parsed.conllu")).unwrap();
    for name in [
        "text.txt",
        "news.txt",
        "news.txt.zst",
        "wiki.txt.gz",
        "part1.txt",
        "part2.txt",
        "held-out.txt",
        "test.txt",
    ] {
        place.run(&format!("convert dev.ptb --to words -o {name}")).succeeds();
    }
    std::fs::create_dir(place.path("texts")).unwrap();
    place.put("texts/one.txt", "The dog sees a cat.\n");
    place.run("count news.txt -o part3.eigc").succeeds();
    place.run("cluster news.txt --vocab 50 --clusters 9 -o paths.txt --model clusters.eig").succeeds();

    let program = assert_cmd::cargo::cargo_bin("eigentree");
    let folder = program.parent().unwrap().to_str().unwrap();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap());
    let treebanks = ["train.ptb", "dev.ptb", "test.ptb"].map(|name| (name, place.get(name)));
    let mut run = 0;
    // The demonstration takes long, and completions go to the home of the user.
    for command in [
        "",
        "parse",
        "eval",
        "convert",
        "cluster",
        "count",
        "merge",
        "score",
        "sample",
        "inspect",
        "train pcfg",
        "train lpcfg",
        "train mst",
        "train head-automata",
        "compare",
        "compare lpcfg",
        "compare clusters",
        "compare dependency",
        "compare head-automata",
    ] {
        let help = place.run(&format!("{command} --help")).stdout();
        // Some examples write what others read: each command finds the small treebanks again.
        for (name, trees) in &treebanks {
            place.put(name, trees);
        }
        for line in examples(&help).filter(|line| !line.contains("eigentree demo")) {
            let line = line.split(" | jq").next().unwrap();
            let mut shell = assert_cmd::Command::new("sh");
            shell.args(["-c", line]).current_dir(place.path("")).env("PATH", &path);
            let ran = crate::place::Ran(shell.output().unwrap());
            assert_eq!(ran.code(), 0, "{line}\n{}", ran.stderr());
            run += 1;
        }
    }
    assert!(run >= 30, "{run}");
    assert_eq!(place.get("same-as-dev.ptb"), place.get("dev.ptb"));
}

#[test]
fn version_and_completions_are_written() {
    let place = Place::new();
    assert!(place.run("--version").succeeds().stdout().starts_with("eigentree 0."));
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = place.run(&format!("completions {shell}")).succeeds().stdout();
        assert!(script.contains("eigentree") && script.contains("skip-bad"), "{shell}");
    }
}

#[test]
fn wrong_usage_ends_with_code_2() {
    let place = Place::new();
    place.put("a.ptb", "(S (NN a))\n");
    for (arguments, told) in [
        ("", "Usage"),
        ("frobnicate", "unrecognized subcommand"),
        ("eval a.ptb", "required"),
        ("train pcfg -o x.eig", "required"),
        ("convert a.ptb --horizontal 1", "--binarize"),
        ("convert a.ptb --unbinarize --binarize left", "cannot be used with"),
        ("eval - -", "standard input can be read once"),
        ("eval - a.ptb --compare a.ptb", "standard input can be read once"),
        ("parse - -", "cannot both come from standard input"),
        ("parse m.eig a.txt --input words --tags given", "--input tagged"),
        ("parse m.eig a.txt --prune 2", "between 0 and 1"),
        ("inspect a.ptb --symbol NP", "--symbol applies only to models"),
    ] {
        place.run(arguments).fails(2, told);
    }
}

/// Scripts of earlier versions keep working: each old name is read as the new one.
#[test]
fn old_names_of_commands_and_options_still_work() {
    let place = Place::new();
    for (command, old, new) in [
        ("train shag", "--iterations", "--em-steps"),
        ("train automaton", "--iterations", "--em-steps"),
        ("compare shag", "--em-iterations", "--em-steps"),
        ("compare sequence", "--iterations", "--em-steps"),
        ("eval", "--max-length", "--max-words"),
    ] {
        // A wrong value is told under the name that the option has now.
        place.run(&format!("{command} {old} nonsense")).fails(2, &format!("'nonsense' for '{new}"));
    }
    for command in ["parse", "tag"] {
        let told = "'--confidence' cannot be used multiple times";
        place.run(&format!("{command} --marginals --confidence")).fails(2, told);
    }
}
