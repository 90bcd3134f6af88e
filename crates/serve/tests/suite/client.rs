//! A service under test, and a client as plain as possible: bytes over TCP, so that tests can misbehave.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use eigentree::learn::Silent;
use eigentree::training::{TrainingFamily, TrainingRequest};
use eigentree_serve::{Config, Log, ModelFile, Server};
use serde_json::{Value, json};

/// Nothing here takes as long, unless it hangs.
pub(crate) const LONG: Duration = Duration::from_secs(60);

/// The bytes of a small model of a family, learnt once.
pub(crate) fn model_bytes(family: TrainingFamily) -> &'static [u8] {
    static PCFG: LazyLock<Vec<u8>> = LazyLock::new(|| learnt(TrainingFamily::Pcfg, 300));
    static LPCFG: LazyLock<Vec<u8>> = LazyLock::new(|| learnt(TrainingFamily::Lpcfg, 300));
    static PIPELINE: LazyLock<Vec<u8>> = LazyLock::new(|| learnt(TrainingFamily::Pipeline, 200));
    static AUTOMATA: LazyLock<Vec<u8>> = LazyLock::new(|| learnt(TrainingFamily::HeadAutomata, 200));
    static CLUSTERS: LazyLock<Vec<u8>> = LazyLock::new(|| learnt(TrainingFamily::Clusters, 200));
    match family {
        TrainingFamily::Pcfg => &PCFG,
        TrainingFamily::Lpcfg => &LPCFG,
        TrainingFamily::HeadAutomata => &AUTOMATA,
        TrainingFamily::Clusters => &CLUSTERS,
        _ => &PIPELINE,
    }
}

fn learnt(family: TrainingFamily, trees: usize) -> Vec<u8> {
    let mut request = TrainingRequest::sample(family);
    request.options.trees = Some(trees);
    if family == TrainingFamily::Clusters {
        request.options.clusters = Some(16);
    }
    request.run(&mut Silent).unwrap().to_bytes().unwrap()
}

/// A running service with its models in a folder.
pub(crate) struct Service {
    pub(crate) address: SocketAddr,
    pub(crate) folder: tempfile::TempDir,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Service {
    /// Starts a service with models of these families, each called like its family, on any port.
    pub(crate) fn start(families: &[TrainingFamily], change: impl FnOnce(&mut Config)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let files: Vec<ModelFile> = families
            .iter()
            .map(|family| {
                let path = folder.path().join(format!("{}.eig", family.name()));
                std::fs::write(&path, model_bytes(*family)).unwrap();
                ModelFile { name: family.name().to_owned(), path }
            })
            .collect();
        let mut config = Config::default();
        config.address.set_port(0);
        config.threads = 2;
        change(&mut config);
        let server = Server::bind(config, &files, Log::silent()).unwrap();
        let address = server.address();
        let stop = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&stop);
        let thread = std::thread::spawn(move || server.run(|| asked.load(Ordering::Relaxed)).unwrap());
        Self { address, folder, stop, thread: Some(thread) }
    }

    pub(crate) fn path_of(&self, family: TrainingFamily) -> PathBuf {
        self.folder.path().join(format!("{}.eig", family.name()))
    }

    pub(crate) fn ask_to_stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Waits until the service has stopped.
    pub(crate) fn join(mut self) {
        self.ask_to_stop();
        self.thread.take().unwrap().join().unwrap();
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        stream
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.request("GET", path, &[], b"")
    }

    pub(crate) fn post(&self, path: &str, body: &str) -> Reply {
        self.request("POST", path, &[], body.as_bytes())
    }

    /// Sends a request and reads the whole answer.
    pub(crate) fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let mut stream = self.connect();
        // The service may refuse a request, and close, before it has read all of it.
        let _ = stream.write_all(&head(method, path, headers, body.len()));
        let _ = stream.write_all(body);
        Reply::read(&mut stream).expect("an answer")
    }

    /// Sends a long request to be annotated and returns its connection and number of sentences while it runs. How long the work
    /// takes depends on the machine: a text that is answered before the gauges show it is sent again, twice as long.
    pub(crate) fn occupy(&self, mut sentences: usize, model: &str) -> (TcpStream, usize) {
        loop {
            let text = "the dog saw a cat .\n".repeat(sentences);
            let body = json!({ "model": model, "text": text, "format": "ptb" }).to_string();
            let mut stream = self.connect();
            stream.write_all(&head("POST", "/api/v1/annotate", &[], body.len())).unwrap();
            stream.write_all(body.as_bytes()).unwrap();
            let mut runs = false;
            self.wait("the long request", |service| {
                runs = service.long_request_runs();
                runs || has_arrived(&stream)
            });
            if runs {
                return (stream, sentences);
            }
            Reply::read(&mut stream).expect("an answer").expect(200);
            sentences *= 2;
        }
    }

    /// Whether exactly one long request runs.
    pub(crate) fn long_request_runs(&self) -> bool {
        self.get("/metrics").text().contains("eigentree_tasks_running{lane=\"long\"} 1")
    }

    /// Waits until `done` holds.
    pub(crate) fn wait(&self, what: &str, mut done: impl FnMut(&Self) -> bool) {
        let begun = Instant::now();
        while !done(self) {
            assert!(begun.elapsed() < LONG, "{what} did not happen");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Whether the first bytes of an answer are there to be read.
fn has_arrived(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    let arrived = stream.peek(&mut [0]).is_ok();
    stream.set_nonblocking(false).unwrap();
    arrived
}

impl Drop for Service {
    fn drop(&mut self) {
        self.ask_to_stop();
    }
}

/// The head of a request that closes its connection.
pub(crate) fn head(method: &str, path: &str, headers: &[(&str, &str)], length: usize) -> Vec<u8> {
    let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {length}\r\n");
    if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
        text.push_str("Host: localhost\r\n");
    }
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str("\r\n");
    text.into_bytes()
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: String,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    /// Reads to the end of the connection; `None` if there is no answer.
    pub(crate) fn read(stream: &mut TcpStream) -> Option<Self> {
        let mut bytes = Vec::new();
        // A connection that is reset after its answer has still answered.
        let _ = stream.read_to_end(&mut bytes);
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
        let headers = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
        let status = headers.split(' ').nth(1)?.parse().ok()?;
        let body = bytes[end + 4..].to_vec();
        let body = if headers.contains("transfer-encoding: chunked") { unchunked(&body) } else { body };
        Some(Self { status, headers, body })
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// The code of a refusal.
    pub(crate) fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }

    /// Asserts the status.
    pub(crate) fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}\n{}", self.headers, self.text());
        self
    }
}

fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|window| window == b"\r\n") {
        let size = usize::from_str_radix(&String::from_utf8_lossy(&rest[..end]), 16).unwrap_or(0);
        rest = &rest[end + 2..];
        if size == 0 || rest.len() < size {
            break;
        }
        body.extend_from_slice(&rest[..size]);
        rest = rest.get(size + 2..).unwrap_or_default();
    }
    body
}

/// Overwrites a file in place, as careless programs do.
pub(crate) fn overwrite(path: &Path, bytes: &[u8]) {
    std::fs::write(path, bytes).unwrap();
}
