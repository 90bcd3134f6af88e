//! The service as a program: stopped by a signal in the midst of its work.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::place::Place;

/// The status and the whole answer to one request; `None` if the service takes no more.
fn ask(address: &str, text: &str) -> Option<(u16, String)> {
    let mut stream = TcpStream::connect(address).ok()?;
    let body = serde_json::json!({ "text": text, "format": "ptb" }).to_string();
    let head = format!(
        "POST /api/v1/annotate HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all((head + &body).as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let status = answer.split(' ').nth(1)?.parse().ok()?;
    let body = answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned());
    Some((status, body.unwrap_or_default()))
}

#[test]
fn a_service_that_is_terminated_under_load_finishes_what_it_has_begun() {
    let place = Place::new();
    place.sample("train.ptb", 300, 1);
    place.run("train pcfg train.ptb -o m.eig").succeeds();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("eigentree"))
        .args(["serve", "m.eig", "--port", "0", "--log", "off"])
        .current_dir(place.path(""))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    told.read_line(&mut line).unwrap();
    let address = line.split("http://").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    let text = "the dog saw a cat .\n".repeat(300);
    let (_, expected) = ask(&address, &text).unwrap();
    let answered = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                // Whoever gets an answer gets the whole of it; others are refused before they are heard.
                while let Some((status, body)) = ask(&address, &text) {
                    assert!(status == 200 && body == expected || status == 429 || status == 503, "{status}");
                    answered.fetch_add(usize::from(status == 200), Ordering::Relaxed);
                }
            });
        }
        while answered.load(Ordering::Relaxed) < 12 {
            std::thread::sleep(Duration::from_millis(5));
        }
        kill(Pid::from_raw(child.id() as i32), Signal::SIGTERM).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0));
    });
    let mut rest = String::new();
    told.read_to_string(&mut rest).unwrap();
    assert!(rest.ends_with("stopped\n"), "{rest}");
    assert!(TcpStream::connect(&address).is_err());
}
