//! Clients that make mistakes, attack or vanish. After each of them the service answers as before.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::time::{Duration, Instant};

use eigentree::training::TrainingFamily::{Lpcfg, Pcfg};
use serde_json::json;

use crate::client::{LONG, Reply, Service, head};

fn still_answers(service: &Service) {
    service.post("/api/v1/annotate", r#"{"text": "the dog barks ."}"#).expect(200);
}

#[test]
fn bodies_texts_sentences_and_batches_beyond_their_limits_are_refused() {
    let service = Service::start(&[Pcfg], |config| {
        config.limits.body_bytes = 10_000;
        config.limits.text_bytes = 1000;
        config.limits.words = 20;
        config.limits.batch = 3;
        config.limits.nbest = 5;
    });
    for (body, status, code) in [
        (json!({ "text": "a ".repeat(10_000) }), 413, "too_large"),
        (json!({ "text": "a ".repeat(600) }), 413, "too_large"),
        (json!({ "tokens": [vec!["a"; 21]] }), 413, "too_large"),
        (json!({ "texts": ["a", "b", "c", "d"] }), 413, "too_large"),
        (json!({ "text": "a", "nbest": 6 }), 400, "bad_request"),
        (json!({ "text": "a", "model": "none" }), 404, "not_found"),
        (json!({ "text": "a", "path": "/etc/passwd" }), 400, "bad_request"),
        (json!({ "text": "a", "tokens": [["a"]] }), 400, "bad_request"),
        (json!({ "tokens": [["a", " "]] }), 422, "unprocessable"),
        (json!({ "conllu": "1\tonly\n\n" }), 422, "unprocessable"),
        (json!({}), 400, "bad_request"),
    ] {
        let reply = service.post("/api/v1/annotate", &body.to_string()).expect(status);
        assert_eq!(reply.code(), code, "{}", reply.text());
    }
    // A length that is only announced is refused by what arrives.
    let mut stream = service.connect();
    stream.write_all(&head("POST", "/api/v1/annotate", &[], 1 << 40)).unwrap();
    let _ = stream.write_all(&vec![b' '; 20_000]);
    assert_eq!(Reply::read(&mut stream).unwrap().status, 413);
    still_answers(&service);
}

#[test]
fn bad_json_and_bad_utf8_are_told_apart() {
    let service = Service::start(&[Pcfg], |_| {});
    for body in ["", "{", "[]", "\"text\"", "{\"text\": 5}", "nul\0l", &"[".repeat(100_000)] {
        let reply = service.post("/api/v1/annotate", body).expect(400);
        assert_eq!(reply.code(), "bad_request", "{body:.20}");
    }
    let reply = service.request("POST", "/api/v1/annotate", &[], b"{\"text\": \"\xff\xfe\"}").expect(400);
    assert!(reply.text().contains("UTF-8"), "{}", reply.text());
    let reply = service.request("POST", "/?properties={}", &[], b"caf\xe9").expect(400);
    assert!(reply.text().contains("UTF-8"), "{}", reply.text());
    let reply =
        service.request("POST", "/process", &[("Content-Type", "multipart/form-data")], b"x").expect(400);
    assert_eq!(reply.code(), "bad_request");
    still_answers(&service);
}

#[test]
fn slow_clients_are_cut_off() {
    let service = Service::start(&[Pcfg], |config| config.limits.client_seconds = 0.5);
    let begun = Instant::now();
    // Never finishes its head.
    let mut headless = service.connect();
    headless.write_all(b"GET /health HTTP/1.1\r\nHost: localhost\r\n").unwrap();
    // Sends nothing at all.
    let mut silent = service.connect();
    // Never finishes its body.
    let mut bodiless = service.connect();
    bodiless.write_all(&head("POST", "/api/v1/annotate", &[], 1000)).unwrap();
    bodiless.write_all(b"{\"text\": ").unwrap();
    // Trickles its head byte by byte.
    let mut trickling = service.connect();
    for _ in 0..20 {
        std::thread::sleep(Duration::from_millis(100));
        if trickling.write_all(b"G").is_err() {
            break;
        }
    }
    let mut rest = Vec::new();
    let _ = headless.read_to_end(&mut rest);
    let _ = silent.read_to_end(&mut rest);
    let _ = trickling.read_to_end(&mut rest);
    assert_eq!(Reply::read(&mut bodiless).unwrap().status, 408);
    assert!(begun.elapsed() < LONG, "all of them were cut");
    still_answers(&service);
}

#[test]
fn many_idle_connections_do_not_lock_others_out() {
    let service = Service::start(&[Pcfg], |config| {
        config.limits.connections = 8;
        config.limits.client_seconds = 0.5;
    });
    let idle: Vec<_> = (0..20).map(|_| service.connect()).collect();
    still_answers(&service);
    drop(idle);
}

#[test]
fn a_client_that_does_not_read_its_stream_is_cut_off() {
    let service = Service::start(&[Pcfg], |config| config.limits.client_seconds = 0.5);
    let mut stream = service.connect();
    stream.set_write_timeout(Some(Duration::from_secs(20))).unwrap();
    let line = format!("{}\n", json!({ "text": "the dog saw a cat . ".repeat(10), "nbest_is": 1 }));
    stream
        .write_all(
            b"POST /api/v1/annotate/stream HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n",
        )
        .unwrap();
    // Writes for ever and reads nothing: back-pressure stops the writing, then the service hangs up.
    let begun = Instant::now();
    let chunk = format!("{:x}\r\n{line}\r\n", line.len());
    while stream.write_all(chunk.as_bytes()).is_ok() {
        assert!(begun.elapsed() < LONG, "the service reads without end");
    }
    still_answers(&service);
}

#[test]
fn clients_that_vanish_leave_nothing_behind() {
    // Who is gone may only have closed its sending side, so it has the time of a client.
    let service = Service::start(&[Lpcfg], |config| config.limits.client_seconds = 1.0);
    let body = json!({ "text": "the dog saw a cat .\n".repeat(20_000) }).to_string();
    for _ in 0..4 {
        let mut stream = service.connect();
        stream.write_all(&head("POST", "/api/v1/annotate", &[], body.len())).unwrap();
        stream.write_all(body.as_bytes()).unwrap();
        service.wait("the work", |service| gauge(service, "eigentree_tasks_running{lane=\"long\"}") > 0.0);
        let _ = stream.shutdown(Shutdown::Both);
    }
    // The work would take minutes; nobody wants it any more.
    service.wait("the end of unwanted work", |service| {
        gauge(service, "eigentree_tasks_running{lane=\"long\"}") == 0.0
            && gauge(service, "eigentree_tasks_waiting{lane=\"long\"}") == 0.0
    });
    still_answers(&service);
}

#[test]
fn clients_that_close_their_sending_side_get_their_answers() {
    let service = Service::start(&[Lpcfg], |_| {});
    let text = "the dog saw a cat .\n".repeat(200);
    for (path, body) in [
        ("/health", String::new()),
        ("/api/v1/annotate", json!({ "text": text }).to_string()),
        ("/api/v1/annotate/stream", format!("{}\n", json!({ "text": text })).repeat(20)),
    ] {
        let method = if body.is_empty() { "GET" } else { "POST" };
        let expected = service.request(method, path, &[], body.as_bytes()).expect(200).text();
        for _ in 0..5 {
            let mut stream = service.connect();
            stream.write_all(&head(method, path, &[], body.len())).unwrap();
            stream.write_all(body.as_bytes()).unwrap();
            stream.shutdown(Shutdown::Write).unwrap();
            assert_eq!(Reply::read(&mut stream).expect("an answer").expect(200).text(), expected, "{path}");
        }
    }
    // A connection that is closed between two requests is gone at once.
    service.wait("the end of connections", |service| gauge(service, "eigentree_connections") <= 1.0);
}

fn gauge(service: &Service, name: &str) -> f64 {
    let metrics = service.get("/metrics").text();
    let line =
        metrics.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name} in {metrics}"));
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

#[test]
fn a_request_that_takes_too_long_is_answered_and_stopped() {
    let service = Service::start(&[Lpcfg], |config| config.limits.seconds = 0.3);
    let body = json!({ "text": "the dog saw a cat .\n".repeat(20_000) }).to_string();
    assert_eq!(service.post("/api/v1/annotate", &body).expect(503).code(), "timeout");
    service.wait("the end of the work", |service| {
        gauge(service, "eigentree_tasks_running{lane=\"long\"}") == 0.0
    });
}
