//! Configuration of a service: where it listens, whom it serves, and how much it takes.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

/// Configuration of a service. The defaults are safe: this machine only, no other origins, every resource bounded.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Config {
    /// The address to listen on; port 0 takes any free port.
    pub address: SocketAddr,
    /// The origins of pages that may call the service from a browser, such as `https://example.org`. The service's own
    /// page always may.
    pub origins: Origins,
    /// Names under which the service is reached, besides its address and, on a loopback address, `localhost`.
    pub host_names: Vec<String>,
    /// The token that every request must carry, except for the page, its files and `/health`.
    pub token: Option<Token>,
    /// Number of threads that annotate.
    pub threads: usize,
    /// Limits.
    pub limits: Limits,
    /// The time between two looks at the model files; `None` never looks.
    pub reload_interval: Option<Duration>,
    /// A folder to read the files of the page from, instead of the embedded ones, while editing them.
    pub assets: Option<PathBuf>,
    /// Seed of training.
    pub seed: u64,
}

/// The pages that may call the service from a browser.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Origins {
    /// Only the service's own page.
    #[default]
    Own,
    /// These as well.
    Listed(Vec<String>),
    /// All of them.
    Any,
}

/// A secret that requests must carry. It does not show itself in logs.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Makes a token of a text without surrounding white space; `None` if it is empty or not visible ASCII.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let visible = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        visible.then(|| Self(text.to_owned()))
    }

    /// Whether `given` is the token. The time does not depend on where the two differ.
    pub(crate) fn matches(&self, given: &str) -> bool {
        let (own, given) = (self.0.as_bytes(), given.as_bytes());
        let differing = own.iter().zip(given).fold(0, |sum, (one, other)| sum | (one ^ other));
        own.len() == given.len() && differing == 0
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

/// What the service takes at most. Requests beyond a limit are refused with a message that names it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of the body of a request, but for training and streams.
    pub body_bytes: usize,
    /// Bytes of one text.
    pub text_bytes: usize,
    /// Words of one sentence.
    pub words: usize,
    /// Texts of a batch.
    pub batch: usize,
    /// Alternatives per sentence.
    pub nbest: usize,
    /// Bytes of the bodies of all requests at once.
    pub memory_bytes: usize,
    /// Open connections.
    pub connections: usize,
    /// Requests that wait for a thread; more are answered 429.
    pub queue: usize,
    /// Seconds for one request, or one line of a stream, waiting included.
    pub seconds: f64,
    /// Seconds that a client may take to send the head of a request, to send its body, or to read some of an answer.
    pub client_seconds: f64,
    /// Seconds that requests get to finish when the service stops.
    pub stop_seconds: f64,
    /// Bytes of the data of a training job; 0 turns training off.
    pub training_bytes: usize,
    /// Seconds of a training job.
    pub training_seconds: f64,
    /// Training jobs that wait.
    pub training_queue: usize,
    /// Models trained here that are kept; the oldest is dropped for a new one.
    pub trained_models: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 8 << 20,
            text_bytes: 1 << 20,
            // Charts grow with the square of the length and work with the cube. The command line has the same limit for grammars.
            words: 1000,
            batch: 1000,
            nbest: 100,
            memory_bytes: 256 << 20,
            connections: 1024,
            queue: 64,
            seconds: 30.0,
            client_seconds: 15.0,
            stop_seconds: 30.0,
            training_bytes: 32 << 20,
            training_seconds: 600.0,
            training_queue: 4,
            trained_models: 8,
        }
    }
}

impl Limits {
    pub(crate) fn request_time(&self) -> Duration {
        Duration::from_secs_f64(self.seconds)
    }

    pub(crate) fn client_time(&self) -> Duration {
        Duration::from_secs_f64(self.client_seconds)
    }
}

impl Default for Config {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8080),
            origins: Origins::Own,
            host_names: Vec::new(),
            token: None,
            threads,
            limits: Limits::default(),
            reload_interval: Some(Duration::from_secs(2)),
            assets: None,
            seed: 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_match_themselves_only_and_stay_secret() {
        let token = Token::new(" s3cret\n").unwrap();
        assert!(token.matches("s3cret"));
        for other in ["", "s3cre", "s3cret2", "S3cret"] {
            assert!(!token.matches(other), "{other}");
        }
        assert!(!format!("{token:?}").contains("s3cret"));
        assert!(Token::new(" \n").is_none() && Token::new("a b").is_none());
    }

    #[test]
    fn by_default_only_this_machine_is_served() {
        let config = Config::default();
        assert!(config.address.ip().is_loopback());
        assert_eq!(config.origins, Origins::Own);
    }
}
