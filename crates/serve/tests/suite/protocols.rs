//! The protocols of other servers, byte by byte. `scripts/check_serve.py` runs the real clients.

use eigentree::training::TrainingFamily::{Lpcfg, Pipeline};
use serde_json::Value;

use crate::client::Service;

fn properties(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let escaped: String = text
        .bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect();
    format!("/?properties={escaped}")
}

#[test]
fn corenlp_clients_get_tokens_trees_and_heads() {
    let service = Service::start(&[Pipeline, Lpcfg], |_| {});
    let ask = |text: &str, wanted: &str| service.post(&properties(wanted), text);
    let wanted = r#"{"outputFormat": "json", "annotators": "tokenize,pos,lemma,ssplit,parse", "ssplit.eolonly": "true"}"#;
    let answer = ask("the dog saw a cat .\nthe cat sleeps .", wanted).expect(200).json();
    let sentences = answer["sentences"].as_array().unwrap();
    assert_eq!(sentences.len(), 2);
    assert!(sentences[0]["parse"].as_str().unwrap().starts_with("(ROOT "), "{answer}");
    assert_eq!(sentences[1]["tokens"][1]["word"], "cat");
    assert_eq!(sentences[1]["tokens"][1]["characterOffsetBegin"], 24);

    // As stanza's client writes its properties.
    let wanted = "{'annotators': 'tokenize,ssplit,pos,depparse', 'outputFormat': 'json'}";
    let answer = ask("the dog saw a cat .", wanted).expect(200).json();
    let arcs = answer["sentences"][0]["basicDependencies"].as_array().unwrap();
    assert_eq!(arcs.len(), 6);
    assert_eq!((&arcs[0]["dep"], &arcs[0]["governor"]), (&Value::from("ROOT"), &Value::from(0)));

    let answer = ask("the dog barks .", r#"{"outputFormat": "conll"}"#).expect(200).text();
    assert!(answer.lines().next().unwrap().split('\t').count() == 7, "{answer}");
    let answer = ask("the dog barks .", r#"{"outputFormat": "conllu"}"#).expect(200).text();
    assert!(answer.lines().any(|line| line.starts_with("2\tdog\t")), "{answer}");
    ask("x", r#"{"annotators": "coref"}"#).expect(400);
    ask("x", r#"{"outputFormat": "serialized"}"#).expect(400);
    ask("x", "nonsense").expect(400);
    assert_eq!(service.get("/ping").expect(200).text(), "pong\n");
}

#[test]
fn udpipe_clients_get_conllu() {
    let service = Service::start(&[Pipeline, Lpcfg], |_| {});
    let models = service.get("/models").expect(200).json();
    assert_eq!(models["default_model"], "pipeline");
    assert_eq!(models["models"]["pipeline"], serde_json::json!(["tokenizer", "tagger", "parser"]));
    let form = [("Content-Type", "application/x-www-form-urlencoded")];
    let body = b"data=The+dog+barks.%0A%0AA+cat+sleeps.&tokenizer=&tagger=&parser=";
    let answer = service.request("POST", "/process", &form, body).expect(200).json();
    let result = answer["result"].as_str().unwrap();
    assert_eq!(result.lines().filter(|line| line.contains("\troot\t")).count(), 2, "{result}");
    let ids: Vec<&str> = result.lines().filter_map(|line| line.strip_prefix("# sent_id = ")).collect();
    assert_eq!(ids, ["1", "2"], "{result}");
    let answer = service.get("/process?data=The+dog+barks.&tokenizer=ranges").expect(200).json();
    let result = answer["result"].as_str().unwrap();
    assert!(result.contains("1\tThe\t_\t_\t_\t_\t_\t_\t_\tTokenRange=0:3"), "{result}");
    let multipart = [("Content-Type", "multipart/form-data; boundary=XX")];
    let part = |name: &str, value: &str| {
        format!("--XX\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    let body = format!(
        "{}{}{}--XX--\r\n",
        part("data", "the dog"),
        part("input", "horizontal"),
        part("output", "vertical")
    );
    let answer = service.request("POST", "/process", &multipart, body.as_bytes()).expect(200).json();
    assert_eq!(answer["result"], "the\ndog\n\n");
    service.get("/process").expect(400);
    service.get("/process?data=a&model=none&tokenizer=").expect(404);
}
