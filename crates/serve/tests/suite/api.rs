//! The JSON interface.

use eigentree::Model;
use eigentree::training::TrainingFamily::{Clusters, HeadAutomata, Lpcfg, Pcfg, Pipeline};
use eigentree_serve::{Origins, Token};
use serde_json::{Value, json};

use crate::client::{Service, model_bytes};

const TEXT: &str = "the dog saw a cat .\nthe cat sleeps .";

#[test]
fn annotation_is_that_of_the_library_in_every_form() {
    let service = Service::start(&[Pcfg, Pipeline], |_| {});
    let model = Model::from_bytes(model_bytes(Pcfg).to_vec(), "pcfg").unwrap();
    let document = model.annotator().unwrap().annotate(TEXT).unwrap();

    let answer = service.post("/api/v1/annotate", &json!({ "text": TEXT }).to_string()).expect(200).json();
    assert_eq!(answer, json!({ "model": "pcfg", "document": document.to_json() }));
    let body = json!({ "model": "pcfg", "text": TEXT, "format": "conllu" });
    let answer = service.post("/api/v1/annotate", &body.to_string()).expect(200).json();
    assert_eq!(answer["output"], document.to_conllu());
    let body = json!({ "texts": [TEXT, "the dog barks ."], "format": "ptb" });
    let answer = service.post("/api/v1/annotate", &body.to_string()).expect(200).json();
    assert_eq!(answer["outputs"][0].as_str().unwrap().lines().count(), 2);
    assert!(answer["outputs"][1].as_str().unwrap().contains("(NN dog)"));
    let body = json!({ "tokens": [["the", "dog", "barks", "."]], "nbest": 3, "confidences": true });
    let answer = service.post("/api/v1/annotate", &body.to_string()).expect(200).json();
    let sentence = &answer["document"]["sentences"][0];
    assert!(sentence["nbest"].as_array().is_some_and(|list| list.len() > 1), "{sentence}");
    let body = json!({ "model": "pipeline", "text": "The dog barks. A cat sleeps." });
    let answer = service.post("/api/v1/annotate", &body.to_string()).expect(200).json();
    assert_eq!(answer["document"]["text"], "The dog barks. A cat sleeps.");
    service.join();
}

#[test]
fn a_stream_answers_line_by_line_in_order_and_survives_bad_lines() {
    let service = Service::start(&[Pcfg], |_| {});
    let mut lines: Vec<String> =
        (0..50).map(|id| json!({ "id": id, "text": "the dog barks ." }).to_string()).collect();
    lines.insert(10, "not JSON".to_owned());
    lines.insert(20, String::new());
    let reply = service.post("/api/v1/annotate/stream?format=ptb", &lines.join("\n")).expect(200);
    assert!(reply.headers.contains("application/x-ndjson"));
    let text = reply.text();
    let answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 51);
    assert_eq!(answers[10]["error"]["code"], "bad_request");
    let ids: Vec<i64> = answers.iter().filter_map(|answer| answer["id"].as_i64()).collect();
    assert_eq!(ids, (0..50).collect::<Vec<_>>());
    assert!(answers[50]["output"].as_str().unwrap().starts_with('('));
}

#[test]
fn models_show_what_is_inside() {
    let service = Service::start(&[Lpcfg, HeadAutomata, Clusters], |_| {});
    let models = service.get("/api/v1/models").expect(200).json();
    assert_eq!(models["models"].as_array().unwrap().len(), 3);
    assert_eq!(models["default"], "lpcfg");
    let shown = service.get("/api/v1/models/lpcfg/inspect?top=5").expect(200).json();
    assert!(shown["latent"][0]["spectrum"]["noise"].is_number(), "{shown}");
    let shown = service.get("/api/v1/models/lpcfg/states?symbol=NP&member=2&top=3").expect(200).json();
    assert!(shown["latent"][0]["latent_states"][0]["share"].is_number(), "{shown}");
    assert_eq!(service.get("/api/v1/models/lpcfg/states?symbol=XYZ").expect(422).code(), "unprocessable");
    let body = json!({ "text": "the dog saw a cat ." }).to_string();
    let shown = service.post("/api/v1/states", &body).expect(200).json();
    let nodes = shown["sentences"][0]["nodes"].as_array().unwrap();
    assert!(
        nodes.len() > 6 && nodes.iter().all(|node| node["states"][0]["probability"].is_number()),
        "{shown}"
    );
    let shown = service.get("/api/v1/models/head-automata/automata").expect(200).json();
    let head = shown["heads"][0].as_str().unwrap().to_owned();
    let shown = service
        .get(&format!("/api/v1/models/head-automata/automata?head={head}&direction=left"))
        .expect(200)
        .json();
    assert!(shown["automata"][0]["svg"].as_str().unwrap().contains("<svg"), "{shown}");
    let shown = service.get("/api/v1/models/clusters/clusters?word=dog&neighbours=3").expect(200).json();
    assert!(shown["known"] == true && shown["clusters"].as_array().unwrap().len() == 3, "{shown}");
    let path = shown["path"].as_str().unwrap()[..1].to_owned();
    let shown = service.get(&format!("/api/v1/models/clusters/clusters?prefix={path}")).expect(200).json();
    assert!(
        shown["clusters"]
            .as_array()
            .unwrap()
            .iter()
            .all(|group| group["path"].as_str().unwrap().starts_with(&path))
    );
    service.get("/api/v1/models/clusters/clusters?prefix=012").expect(400);
    service.get("/api/v1/models/lpcfg/clusters").expect(422);
}

#[test]
fn predictions_are_scored() {
    let service = Service::start(&[], |_| {});
    let body = json!({ "gold": "(S (NP (NN time)) (VP (VBZ flies)))", "predicted": "(S (NP (NN time) (NNS flies)))" });
    let scores = service.post("/api/v1/evaluate", &body.to_string()).expect(200).json();
    assert_eq!(scores["brackets"]["matched"], 1);
    let body = json!({ "gold": "(S", "predicted": "(S" });
    assert_eq!(service.post("/api/v1/evaluate", &body.to_string()).expect(422).code(), "unprocessable");
}

#[test]
fn every_described_address_answers_and_no_other_exists() {
    let service = Service::start(&[Pcfg], |_| {});
    let described = service.get("/api/v1/openapi.json").expect(200).json();
    for (path, operations) in described["paths"].as_object().unwrap() {
        let filled = path.replace("{name}", "pcfg").replace("{id}", "1");
        for method in operations.as_object().unwrap().keys() {
            let reply = service.request(&method.to_uppercase(), &filled, &[], b"{}");
            let known = &operations[method]["responses"];
            assert!(!known[reply.status.to_string()].is_null(), "{method} {path}: {}", reply.status);
            let unknown_address = reply.status == 404 && reply.text().contains("there is nothing at");
            assert!(!unknown_address && reply.status != 405, "{method} {path}: {}", reply.text());
        }
        service.request("PUT", &filled, &[], b"").expect(405);
    }
    assert_eq!(service.get("/api/v1/none").expect(404).code(), "not_found");
    service.get("/../../etc/passwd").expect(404);
    service.get("/api/v1/models/..%2f..%2fetc%2fpasswd/inspect").expect(404);
}

#[test]
fn the_page_is_guarded_and_cached() {
    let service = Service::start(&[], |_| {});
    let reply = service.get("/").expect(200);
    assert!(reply.headers.contains("content-security-policy: default-src 'none'"), "{}", reply.headers);
    assert!(reply.headers.contains("x-content-type-options: nosniff"));
    let tag = reply.headers.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_owned();
    let reply = service.request("GET", "/", &[("If-None-Match", &tag)], b"").expect(304);
    assert!(reply.body.is_empty());
}

#[test]
fn requests_have_ids_and_are_counted() {
    let service = Service::start(&[Pcfg], |_| {});
    let reply = service.request("GET", "/health", &[("X-Request-Id", "abc-1")], b"").expect(200);
    assert!(reply.headers.contains("x-request-id: abc-1"));
    let reply = service.request("GET", "/health", &[("X-Request-Id", "a b\"")], b"").expect(200);
    assert!(reply.headers.contains("x-request-id: ") && !reply.headers.contains("a b"), "{}", reply.headers);
    service.post("/api/v1/annotate", r#"{"text": "the dog barks ."}"#).expect(200);
    let metrics = service.get("/metrics").expect(200).text();
    assert!(
        metrics.contains("eigentree_requests_total{route=\"/health\",method=\"GET\",status=\"200\"} 2"),
        "{metrics}"
    );
    assert!(metrics.contains("eigentree_words_total 4\n"), "{metrics}");
}

#[test]
fn tokens_and_origins_are_checked() {
    let service = Service::start(&[Pcfg], |config| config.token = Token::new("s3cret"));
    assert_eq!(service.get("/api/v1/models").expect(401).code(), "unauthorized");
    service.request("GET", "/api/v1/models", &[("Authorization", "Bearer wrong")], b"").expect(401);
    service.request("GET", "/api/v1/models", &[("Authorization", "Bearer s3cret")], b"").expect(200);
    service.get("/metrics").expect(401);
    service.post("/", "the dog barks .").expect(401);
    service.get("/health").expect(200);
    service.get("/").expect(200);

    let service = Service::start(&[Pcfg], |_| {});
    for headers in [("Host", "evil.example"), ("Origin", "https://evil.example"), ("Origin", "null")] {
        assert_eq!(service.request("GET", "/api/v1/models", &[headers], b"").expect(403).code(), "forbidden");
    }
    let reply = service.get("/api/v1/models").expect(200);
    assert!(!reply.headers.contains("access-control-allow-origin"), "{}", reply.headers);

    let origins = Origins::Listed(vec!["https://good.example".to_owned()]);
    let service = Service::start(&[Pcfg], |config| config.origins = origins);
    let reply =
        service.request("GET", "/api/v1/models", &[("Origin", "https://good.example")], b"").expect(200);
    assert!(reply.headers.contains("access-control-allow-origin: https://good.example"), "{}", reply.headers);
    service.request("GET", "/api/v1/models", &[("Origin", "https://evil.example")], b"").expect(403);
}
