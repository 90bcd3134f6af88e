//! Limits on what a run may use.

use crate::place::Place;

#[cfg(unix)]
#[test]
fn a_run_that_needs_more_memory_than_allowed_ends_and_leaves_nothing() {
    let place = Place::new();
    place.run("sample english -n 400 -o a.mrg").succeeds();
    let told = "more than the 10 MB that --max-memory allows";
    place.run("train lpcfg a.mrg -o a.eig --max-memory 10M").fails(1, told);
    assert_eq!(place.names(), ["a.mrg"]);
    place.run("train pcfg a.mrg -o a.eig --max-memory 2G").succeeds();
}

#[cfg(unix)]
#[test]
fn a_very_long_sentence_is_announced_before_it_is_parsed() {
    let place = Place::new();
    place.sample("a.mrg", 60, 1);
    place.run("train pcfg a.mrg -o a.eig").succeeds();
    place.put("long.words", format!("the dog sleeps\n{}\n", "dog ".repeat(30_000)));
    let ran = place.run("parse a.eig long.words --max-words 30000 --max-memory 300M --threads 1");
    let told = ran.fails(1, "--max-memory allows").stderr();
    assert!(told.contains("a sentence of 30000 words takes roughly"), "{told}");
    assert!(told.contains(" GB of memory; a smaller --max-words leaves it out"), "{told}");
    // What is not parsed takes no time.
    let told = place.run("parse a.eig long.words").succeeds().stderr();
    assert!(!told.contains("takes roughly"), "{told}");
}

#[cfg(target_os = "linux")]
#[test]
fn memory_that_will_not_be_enough_is_announced_before_the_work() {
    let place = Place::new();
    place.sample("a.mrg", 300, 1);
    place
        .put("a.txt", (0..3000).map(|word| format!("w{} w{}\n", word % 400, word % 397)).collect::<String>());
    for (command, less) in [
        (
            "train lpcfg a.mrg --quality fast --spans off --learner spectral --nodes-per-state 0 --states 200 -o m",
            "--states",
        ),
        ("train automaton a.txt --rank 300 -o m", "fewer states or symbols"),
        ("cluster a.txt --method brown --clusters 10 -o m", ""),
        ("count a.txt -o m", ""),
    ] {
        let ran = place.run(&format!("{command} --max-memory 60M --threads 1 --json"));
        let told = ran.stderr();
        assert!(ran.code() == 0 || told.contains("that --max-memory allows"), "{command}: {told}");
        let announced =
            told.contains("this will probably need about ") && told.contains("and --max-memory leaves");
        assert_eq!(announced, !less.is_empty(), "{command}: {told}");
        assert!(told.contains(less), "{command}: {told}");
        // Without a limit nothing needs to be said, and the summary has the number.
        let told = place.run(&format!("{command} --json")).succeeds();
        assert!(!told.stderr().contains("will probably need"), "{command}: {}", told.stderr());
        assert!(told.json()["expected_memory_mb"].as_f64().unwrap() > 0.0, "{command}");
    }
}

#[test]
fn limits_are_sizes() {
    let place = Place::new();
    place.run("demo --max-memory much").fails(2, "as in 4G");
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_is_no_success() {
    use std::fs::File;
    use std::process::Command;
    let place = Place::new();
    place.sample("a.mrg", 5, 1);
    for arguments in
        ["--version", "--help", "train --help", "convert a.mrg --to words", "inspect a.mrg --json"]
    {
        let ended = Command::new(assert_cmd::cargo::cargo_bin("eigentree"))
            .args(arguments.split(' '))
            .current_dir(place.path(""))
            .stdout(File::options().write(true).open("/dev/full").unwrap())
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(1), "{arguments}: {told}");
        assert!(told.contains("standard output"), "{arguments}: {told}");
    }
}

#[test]
fn an_empty_standard_input_is_called_so() {
    let place = Place::new();
    place.run_with("convert -", "").fails(1, "standard input is empty: expected at least one sentence");
}

#[cfg(all(unix, feature = "serve"))]
#[test]
fn a_service_that_cannot_start_does_not_say_that_it_listens() {
    use std::io::Read;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let program = assert_cmd::cargo::cargo_bin("eigentree");
    let mut refused = 0;
    for files in 4..16 {
        let line =
            format!("ulimit -n {files} && exec {} serve --port 0 --threads 1 --log off", program.display());
        let mut child = Command::new("sh")
            .args(["-c", &line])
            .stderr(Stdio::piped())
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let begun = Instant::now();
        while child.try_wait().unwrap().is_none() && begun.elapsed() < Duration::from_secs(2) {
            std::thread::sleep(Duration::from_millis(20));
        }
        let failed = child.try_wait().unwrap().is_some();
        let _ = child.kill();
        child.wait().unwrap();
        let mut told = String::new();
        child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
        if failed {
            assert!(!told.contains("listening") && !told.contains("panicked"), "{files} files: {told}");
            assert!(!told.trim().is_empty(), "{files} files");
            refused += 1;
        } else {
            assert!(told.contains("listening"), "{files} files: {told}");
            break;
        }
    }
    assert!(refused > 0, "with four files the service runs");
}

/// The matrix library panics where memory ends; the program must not.
#[cfg(target_os = "linux")]
#[test]
fn memory_that_ends_anywhere_is_a_failure_and_no_panic() {
    use std::process::Command;
    let place = Place::new();
    if Command::new("prlimit").arg("--version").output().is_err() {
        println!("SKIPPED: there is no prlimit");
        return;
    }
    place.put("t.txt", "a b\nb a c\na b c\n".repeat(20));
    let program = assert_cmd::cargo::cargo_bin("eigentree");
    // Code 124 is that of a program that waits for ever.
    let limited = |kilobytes: usize, arguments: &str| {
        let mut command = Command::new("timeout");
        command.args(["60", "prlimit", "--core=0"]).arg(format!("--as={}", kilobytes << 10)).arg(&program);
        command.args(arguments.split(' ')).current_dir(place.path(""));
        command.env("RUST_BACKTRACE", "1").env_remove("LD_LIBRARY_PATH").output().unwrap()
    };
    let least = (1024..).step_by(1024).find(|&size| limited(size, "--version").status.success()).unwrap();
    let mut in_a_library = 0;
    let mut succeeded = 0;
    for size in (least..).step_by(512) {
        let ended = limited(size, "train automaton t.txt --rank 3 -o out --quiet --threads 1");
        let told = String::from_utf8_lossy(&ended.stderr).into_owned();
        match ended.status.code() {
            Some(0) => succeeded += 1,
            Some(1) => assert!(told.starts_with("eigentree: error: "), "{size} kB: {told}"),
            // The standard library ends the program by a signal: 128 and its number.
            Some(134) | None => assert!(told.contains("memory"), "{size} kB: {told}"),
            code => panic!("{size} kB: code {code:?}: {told}"),
        }
        in_a_library += usize::from(told.contains("memory does not suffice"));
        if succeeded == 3 {
            break;
        }
    }
    println!("memory ended {in_a_library} times in a library");
}
