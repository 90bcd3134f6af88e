//! A folder of one's own and the program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use tempfile::TempDir;

/// A fresh folder in which the program runs.
pub(crate) struct Place {
    folder: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn put(&self, name: &str, contents: impl AsRef<[u8]>) -> &Self {
        fs::write(self.path(name), contents).unwrap();
        self
    }

    pub(crate) fn get(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names of all files, hidden ones included.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// The program with arguments between blanks.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::cargo_bin("eigentree").unwrap();
        command.current_dir(self.folder.path()).args(arguments.split_whitespace());
        command
    }

    pub(crate) fn run(&self, arguments: &str) -> Ran {
        Ran(self.command(arguments).output().unwrap())
    }

    pub(crate) fn run_with(&self, arguments: &str, input: impl Into<Vec<u8>>) -> Ran {
        Ran(self.command(arguments).write_stdin(input).output().unwrap())
    }

    /// Trees from the embedded grammar.
    pub(crate) fn sample(&self, name: &str, count: usize, seed: u64) -> &Self {
        self.run(&format!("sample english -n {count} --seed {seed} -o {name}")).succeeds();
        self
    }
}

/// What a run left.
pub(crate) struct Ran(pub(crate) Output);

impl Ran {
    pub(crate) fn stdout(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).unwrap()
    }

    pub(crate) fn stderr(&self) -> String {
        String::from_utf8(self.0.stderr.clone()).unwrap()
    }

    pub(crate) fn code(&self) -> i32 {
        self.0.status.code().unwrap_or(-1)
    }

    pub(crate) fn succeeds(self) -> Self {
        assert_eq!(self.code(), 0, "{}", self.stderr());
        self
    }

    pub(crate) fn fails(self, code: i32, told: &str) -> Self {
        assert_eq!(self.code(), code, "{}", self.stderr());
        assert!(self.stderr().contains(told), "{}\nshould contain\n{told}", self.stderr());
        self
    }

    /// The object in the last line.
    pub(crate) fn json(&self) -> serde_json::Value {
        // On standard error if standard output has data.
        let stderr = self.stderr();
        let last = stderr.lines().last().filter(|line| line.starts_with('{')).map(str::to_owned);
        serde_json::from_str(&last.unwrap_or_else(|| self.stdout().lines().last().unwrap().to_owned()))
            .unwrap()
    }
}

/// The folder of texts, if there is one.
pub(crate) fn texts() -> Option<PathBuf> {
    let root = std::env::var_os("EIGENTREE_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let folder = root.join("text");
    if !folder.is_dir() {
        eprintln!("SKIPPED: no {} (set EIGENTREE_DATA to run this test)", folder.display());
        return None;
    }
    Some(folder.canonicalize().unwrap())
}

/// Sentences such as "the dog with a hat often saw a cat today .": nouns and verbs have words on both sides.
pub(crate) fn treebank(count: usize) -> String {
    let (nouns, verbs) = (["dog", "cat", "bird", "man", "tree"], ["saw", "heard", "liked"]);
    let mut text = String::new();
    for number in 0..count {
        // Words with tag, label, and where the head stands among them.
        let mut rows: Vec<(&str, &str, &str, usize)> = Vec::new();
        let noun = |rows: &mut Vec<(&'static str, &'static str, &'static str, usize)>,
                    which: usize,
                    longer: bool| {
            let start = rows.len();
            rows.push(("the", "DET", "det", start + 2));
            rows.push((nouns[which % 5], "NOUN", "", 0));
            if longer {
                rows.push(("with", "ADP", "case", start + 5));
                rows.push(("a", "DET", "det", start + 5));
                rows.push((nouns[(which / 5) % 5], "NOUN", "nmod", start + 2));
            }
            start
        };
        let subject = noun(&mut rows, number, number % 3 == 0);
        if number % 2 == 0 || number % 5 == 0 {
            rows.push(("often", "ADV", "advmod", rows.len() + 2));
        }
        let verb = rows.len() + 1;
        rows.push((verbs[number % 3], "VERB", "root", 0));
        (rows[subject + 1].2, rows[subject + 1].3) = ("nsubj", verb);
        if number % 5 != 0 {
            let object = noun(&mut rows, 3 * number + 1, number % 4 == 1);
            (rows[object + 1].2, rows[object + 1].3) = ("obj", verb);
        }
        if number % 4 == 0 {
            rows.push(("today", "ADV", "advmod", verb));
        }
        rows.push((".", "PUNCT", "punct", verb));
        text.push_str(&format!("# sent_id = s{number}\n"));
        for (at, (form, tag, label, head)) in rows.iter().enumerate() {
            text.push_str(&format!("{}\t{form}\t_\t{tag}\t_\t_\t{head}\t{label}\t_\t_\n", at + 1));
        }
        text.push('\n');
    }
    text
}
