//! Sends requests to a service, over a connection in memory.

use std::sync::LazyLock;

use serve::{Config, Log, ModelFile, Server};

use crate::samples;

/// Requests to start from, one for each kind of answer.
pub const EXAMPLES: [&str; 12] = [
    "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\nGET /health HTTP/1.0\r\n\r\n",
    "POST /api/v1/annotate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 44\r\n\r\n{\"text\": \"the dog barks .\", \"format\": \"ptb\"}",
    "POST /api/v1/annotate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 55\r\n\r\n{\"tokens\": [[\"a\", \"dog\"]], \"nbest\": 2, \"model\": \"pcfg\"}",
    "POST /api/v1/annotate HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n16\r\n{\"texts\": [\"a b\", \"\"]}\r\n0\r\n\r\n",
    "POST /api/v1/annotate/stream?format=conllu HTTP/1.1\r\nHost: localhost\r\nContent-Length: 36\r\n\r\n{\"text\": \"a dog\"}\n\n{\"text\": \"barks\"}",
    "POST /?properties=%7B%22annotators%22%3A%22parse%22%7D HTTP/1.1\r\nHost: localhost\r\nContent-Length: 15\r\n\r\nthe dog barks .",
    "POST /process HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 38\r\n\r\ntokenizer=&tagger=&parser=&data=a+dog.",
    "GET /api/v1/models/pcfg/inspect?symbol=NP&top=3 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET /api/v1/models/clusters/clusters?prefix=2&word=dog HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "POST /api/v1/evaluate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 58\r\n\r\n{\"gold\": \"(S (N a))\\n\", \"predicted\": \"(S (N a))\\n\", \"a\":1}",
    "DELETE /api/v1/jobs/1 HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: a\r\n\r\nOPTIONS * HTTP/1.1\r\n\r\n",
];

/// A service with a model of some families, on any port of this machine. Nobody connects to it.
static SERVICE: LazyLock<Server> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let files: Vec<ModelFile> = samples::files()
        .into_iter()
        .filter(|(name, _)| ["pcfg", "pipeline", "clusters"].contains(name))
        .map(|(name, bytes)| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).expect("the folder can be written");
            ModelFile { name: name.to_owned(), path }
        })
        .collect();
    let mut config = Config::default();
    config.address.set_port(0);
    (config.threads, config.reload_interval) = (1, None);
    // Training would go on after the answer.
    config.limits.training_bytes = 0;
    Server::bind(config, &files, Log::silent()).expect("the service starts")
});

/// Sends these bytes on a new connection.
///
/// # Panics
/// If the answer is neither HTTP nor empty, or says that the service is at fault.
pub fn attempt(sent: &[u8]) {
    let answer = SERVICE.answer(sent);
    let start = String::from_utf8_lossy(&answer[..answer.len().min(60)]);
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1."), "an answer that is not HTTP: {start}");
    assert!(!answer.windows(13).any(|part| part == b"HTTP/1.1 500 "), "the service is at fault");
}
