//! Floods, and stopping under load.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use eigentree::training::TrainingFamily::{Lpcfg, Pcfg};
use serde_json::json;

use crate::client::{Reply, Service};

#[test]
fn a_flood_is_answered_200_or_429_and_the_answers_are_all_the_same() {
    let service = Arc::new(Service::start(&[Lpcfg], |config| {
        config.threads = 1;
        config.limits.queue = 2;
    }));
    let text = "the dog saw a cat .\n".repeat(40);
    let body = json!({ "text": text, "format": "ptb" }).to_string();
    let expected = service.post("/api/v1/annotate", &body).expect(200).text();
    let (fine, busy) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    std::thread::scope(|scope| {
        for _ in 0..12 {
            scope.spawn(|| {
                for _ in 0..5 {
                    let reply = service.post("/api/v1/annotate", &body);
                    match reply.status {
                        200 => {
                            assert_eq!(reply.text(), expected);
                            fine.fetch_add(1, Ordering::Relaxed);
                        }
                        429 => {
                            assert!(reply.headers.contains("retry-after: "), "{}", reply.headers);
                            busy.fetch_add(1, Ordering::Relaxed);
                        }
                        status => panic!("{status}: {}", reply.text()),
                    }
                }
            });
        }
    });
    let (fine, busy) = (fine.load(Ordering::Relaxed), busy.load(Ordering::Relaxed));
    assert_eq!(fine + busy, 60);
    assert!(fine > 0 && busy > 0, "{fine} answered, {busy} refused");
}

#[test]
fn short_requests_do_not_wait_for_long_ones() {
    let service = Service::start(&[Lpcfg, Pcfg], |config| {
        config.threads = 1;
        config.limits.seconds = 300.0;
    });
    let mut sentences = 5_000;
    // A machine may end the long request before the short ones were sent at all; one that keeps them waiting does so at any length.
    for _ in 0..4 {
        let (_long, sent) = service.occupy(sentences, "lpcfg");
        for _ in 0..5 {
            service.post("/api/v1/annotate", r#"{"model": "pcfg", "text": "the dog barks ."}"#).expect(200);
        }
        if service.long_request_runs() {
            return;
        }
        sentences = 2 * sent;
    }
    panic!("the long request ended before the short ones");
}

#[test]
fn stopping_finishes_what_runs_and_takes_no_more() {
    let service = Service::start(&[Lpcfg], |config| config.limits.seconds = 300.0);
    let (mut stream, sentences) = service.occupy(2_000, "lpcfg");
    let address = service.address;
    service.ask_to_stop();
    let reply = Reply::read(&mut stream).unwrap().expect(200);
    assert_eq!(reply.json()["output"].as_str().unwrap().lines().count(), sentences);
    let begun = Instant::now();
    service.join();
    assert!(begun.elapsed() < Duration::from_secs(20), "it waits for nobody");
    assert!(std::net::TcpStream::connect(address).is_err(), "the address is closed");
}
