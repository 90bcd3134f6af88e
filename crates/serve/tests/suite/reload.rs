//! Model files that change while they are served.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use eigentree::training::TrainingFamily::{Lpcfg, Pcfg};

use crate::client::{Service, model_bytes, overwrite};

const BODY: &str = r#"{"text": "the dog saw a cat .", "format": "ptb"}"#;

fn counter(service: &Service, name: &str) -> u64 {
    let metrics = service.get("/metrics").text();
    metrics.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok()).unwrap()
}

fn start() -> Service {
    Service::start(&[Pcfg], |config| config.reload_interval = Some(Duration::from_millis(30)))
}

#[test]
fn a_replaced_file_is_loaded_without_dropping_requests() {
    let service = start();
    let family = || service.get("/api/v1/models").expect(200).json()["models"][0]["family"].clone();
    assert_eq!(family(), "pcfg");
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let asking = scope.spawn(|| {
            let mut asked = 0;
            while !ended.load(Ordering::Relaxed) {
                service.post("/api/v1/annotate", BODY).expect(200);
                asked += 1;
            }
            asked
        });
        for bytes in [model_bytes(Lpcfg), model_bytes(Pcfg), model_bytes(Lpcfg)] {
            let before = counter(&service, "eigentree_reloads_total");
            let new = service.folder.path().join("new");
            overwrite(&new, bytes);
            std::fs::rename(&new, service.path_of(Pcfg)).unwrap();
            service.wait("loading", |service| counter(service, "eigentree_reloads_total") > before);
        }
        ended.store(true, Ordering::Relaxed);
        assert!(asking.join().unwrap() > 0);
    });
    assert_eq!(family(), "lpcfg");
}

#[test]
fn a_file_that_is_cut_short_or_overwritten_does_no_harm() {
    let service = start();
    let expected = service.post("/api/v1/annotate", BODY).expect(200).text();
    let path = service.path_of(Pcfg);
    let whole = model_bytes(Pcfg);
    for bytes in [&whole[..whole.len() / 2], b"", b"not a model", &whole[..10]] {
        let before = counter(&service, "eigentree_failed_reloads_total");
        overwrite(&path, bytes);
        service.wait("the refusal", |service| counter(service, "eigentree_failed_reloads_total") > before);
        assert_eq!(service.post("/api/v1/annotate", BODY).expect(200).text(), expected);
    }
    std::fs::remove_file(&path).unwrap();
    assert_eq!(service.post("/api/v1/annotate", BODY).expect(200).text(), expected);
    let before = counter(&service, "eigentree_reloads_total");
    overwrite(&path, whole);
    service.wait("recovery", |service| counter(service, "eigentree_reloads_total") > before);
    assert_eq!(service.post("/api/v1/annotate", BODY).expect(200).text(), expected);
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_file_does_not_stop_the_reloading_of_others() {
    let service = Service::start(&[Pcfg, Lpcfg], |config| {
        config.reload_interval = Some(Duration::from_millis(30));
    });
    let path = service.path_of(Pcfg);
    std::fs::remove_file(&path).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    // Nobody writes into the pipe: who opens it waits for ever.
    std::thread::sleep(Duration::from_millis(100));
    let before = counter(&service, "eigentree_reloads_total");
    let new = service.folder.path().join("new");
    overwrite(&new, model_bytes(Lpcfg));
    std::fs::rename(&new, service.path_of(Lpcfg)).unwrap();
    service.wait("loading", |service| counter(service, "eigentree_reloads_total") > before);
    service.post("/api/v1/annotate", BODY).expect(200);
    std::fs::remove_file(&path).unwrap();
    overwrite(&path, model_bytes(Lpcfg));
    service.wait("loading", |service| counter(service, "eigentree_reloads_total") > before + 1);
}
