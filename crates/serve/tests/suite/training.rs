//! Training jobs.

use eigentree::Model;
use serde_json::{Value, json};

use crate::client::Service;

fn train(service: &Service, body: &Value) -> String {
    let accepted = service.post("/api/v1/train", &body.to_string()).expect(202).json();
    accepted["job"].as_str().unwrap().to_owned()
}

fn ended(service: &Service, job: &str) -> Value {
    let mut shown = Value::Null;
    service.wait("the job", |service| {
        shown = service.get(&format!("/api/v1/jobs/{job}")).expect(200).json();
        !["queued", "running"].contains(&shown["state"].as_str().unwrap())
    });
    shown
}

#[test]
fn a_trained_model_parses_and_can_be_downloaded_and_forgotten() {
    let service = Service::start(&[], |_| {});
    service.post("/api/v1/annotate", r#"{"text": "a"}"#).expect(404);
    let job = train(
        &service,
        &json!({ "family": "pcfg", "sample": true, "options": { "trees": 300 }, "name": "mine" }),
    );
    // The events end with the final state.
    let events = service.get(&format!("/api/v1/jobs/{job}/events")).expect(200);
    assert!(events.headers.contains("text/event-stream"));
    let text = events.text();
    let last = text.lines().filter_map(|line| line.strip_prefix("data: ")).next_back().unwrap();
    let last: Value = serde_json::from_str(last).unwrap();
    assert_eq!((&last["state"], &last["model"]), (&json!("done"), &json!("mine")));
    assert!(last["scores"]["dev_f1"].is_number() || last["scores"].to_string().contains("f1"), "{last}");
    let body = json!({ "model": "mine", "text": "the dog barks .", "format": "ptb" }).to_string();
    let parsed = service.post("/api/v1/annotate", &body).expect(200).json();
    let file = service.get(&format!("/api/v1/jobs/{job}/model")).expect(200);
    assert!(file.headers.contains("filename=\"mine.eig\""), "{}", file.headers);
    let model = Model::from_bytes(file.body, "download").unwrap();
    let tree = model.parser().unwrap().parse("the dog barks .").unwrap().to_string();
    assert_eq!(parsed["output"].as_str().unwrap().trim(), tree);
    // Nothing is left on disk.
    assert_eq!(std::fs::read_dir(service.folder.path()).unwrap().count(), 0);
    service.request("DELETE", "/api/v1/models/mine", &[], b"").expect(204);
    service.get(&format!("/api/v1/jobs/{job}/model")).expect(404);
}

#[test]
fn jobs_can_be_cancelled_and_are_limited() {
    let service = Service::start(&[], |config| {
        config.limits.training_bytes = 10_000;
        config.limits.training_queue = 1;
    });
    let big = json!({ "family": "lpcfg", "sample": true, "options": { "trees": 20_000, "quality": "best" } });
    let running = train(&service, &big);
    service.wait("the start", |service| {
        service.get(&format!("/api/v1/jobs/{running}")).json()["state"] == "running"
    });
    let waiting = train(&service, &big);
    assert_eq!(service.post("/api/v1/train", &big.to_string()).expect(429).code(), "busy");
    service.get(&format!("/api/v1/jobs/{running}/model")).expect(409);
    for job in [&waiting, &running] {
        service.request("DELETE", &format!("/api/v1/jobs/{job}"), &[], b"").expect(200);
        assert_eq!(ended(&service, job)["state"], "cancelled");
    }
    let large = json!({ "family": "pcfg", "data": "(S (NP a) (VP b))\n".repeat(1000) });
    assert_eq!(service.post("/api/v1/train", &large.to_string()).expect(413).code(), "too_large");
    let bad = train(&service, &json!({ "family": "pcfg", "data": "(S (NP" }));
    let shown = ended(&service, &bad);
    assert!(
        shown["state"] == "failed" && shown["error"].as_str().is_some_and(|error| error.contains("data:1:1")),
        "{shown}"
    );
    for body in [
        json!({ "family": "none" }),
        json!({ "family": "pcfg" }),
        json!({ "family": "pcfg", "sample": true, "name": "../x" }),
    ] {
        service.post("/api/v1/train", &body.to_string()).expect(400);
    }
}

#[test]
fn training_can_be_turned_off_and_ends_in_time() {
    let service = Service::start(&[], |config| config.limits.training_bytes = 0);
    service.post("/api/v1/train", r#"{"family": "pcfg", "sample": true}"#).expect(403);
    let service = Service::start(&[], |config| config.limits.training_seconds = 0.2);
    let job = train(&service, &json!({ "family": "lpcfg", "sample": true, "options": { "trees": 20_000 } }));
    let shown = ended(&service, &job);
    assert!(shown["state"] == "failed" && shown["error"].as_str().unwrap().contains("longer"), "{shown}");
}
