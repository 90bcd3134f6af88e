//! Options of `serve`.

use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use eigentree::files::Input;
use serve::{Config, ModelFile, Origins, Token};

use crate::failure::UsageError;

/// Serve models over HTTP: a playground in the browser, a JSON interface, and the protocols of CoreNLP and UDPipe
///
/// The page at / parses text, shows what models have learnt, and trains new ones. The JSON interface below /api/v1 is
/// described by /api/v1/openapi.json. Clients of the CoreNLP server (NLTK, stanza) and of UDPipe's REST service work
/// unchanged. A model file that changes is loaded again, without a pause. Only this machine is served unless --host says
/// otherwise. SIGTERM or Ctrl-C stops the service after the requests that run.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  The playground without a model; train one there:
    eigentree serve
  Two models, one of them under another name:
    eigentree serve en.eig german=models/de-2.eig --port 9000
  Annotate:
    curl -s localhost:8080/api/v1/annotate -d '{\"text\": \"Dogs bark.\"}'
  For other machines, with a token:
    eigentree serve en.eig --host 0.0.0.0 --token-file token.txt")]
pub(crate) struct ServeArgs {
    /// Model files, as FILE or NAME=FILE; the first is used where a request names none
    #[arg(value_name = "MODEL")]
    models: Vec<String>,
    /// Address to listen on; 0.0.0.0 or :: serves other machines
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    host: String,
    /// Port to listen on; 0 takes any free one
    #[arg(long, value_name = "PORT", default_value_t = 8080)]
    port: u16,
    /// Format of the log on standard error [default: json, or off with --quiet]
    #[arg(long, value_enum, value_name = "FORMAT")]
    log: Option<LogFormat>,

    /// File with a token that requests must carry as `Authorization: Bearer TOKEN`
    #[arg(long, value_name = "FILE", help_heading = "Access")]
    token_file: Option<PathBuf>,
    /// Let pages of this origin call the service, such as https://example.org; `*` lets all
    #[arg(long, value_name = "ORIGIN", help_heading = "Access")]
    cors: Vec<String>,
    /// A further name of this service, for example behind a proxy
    #[arg(long, value_name = "NAME", help_heading = "Access")]
    allow_host: Vec<String>,
    /// Refuse to train models
    #[arg(long, help_heading = "Access")]
    no_training: bool,

    /// Longest text, in bytes
    #[arg(long, value_name = "BYTES", help_heading = "Limits")]
    max_text: Option<usize>,
    /// Largest body of a request, in bytes
    #[arg(long, value_name = "BYTES", help_heading = "Limits")]
    max_body: Option<usize>,
    /// Longest sentence of given tokens, in words
    #[arg(long, value_name = "WORDS", help_heading = "Limits")]
    max_words: Option<usize>,
    /// Most texts of a batch
    #[arg(long, value_name = "N", help_heading = "Limits")]
    max_batch: Option<usize>,
    /// Most open connections
    #[arg(long, value_name = "N", help_heading = "Limits")]
    max_connections: Option<usize>,
    /// Memory for the bodies of all requests at once, in bytes
    #[arg(long, value_name = "BYTES", help_heading = "Limits")]
    max_memory: Option<usize>,
    /// Requests that may wait for a thread; further ones are answered 429
    #[arg(long, value_name = "N", help_heading = "Limits")]
    queue: Option<usize>,
    /// Seconds for one request
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    timeout: Option<f64>,
    /// Seconds that a client may take to send a request or to read some of an answer
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    client_timeout: Option<f64>,
    /// Seconds that running requests get when the service stops
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    stop_timeout: Option<f64>,
    /// Largest training data, in bytes
    #[arg(long, value_name = "BYTES", help_heading = "Limits")]
    max_training: Option<usize>,
    /// Seconds for one training job
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    training_timeout: Option<f64>,
    /// Seconds between two looks at the model files; 0 never looks again
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, value_parser = seconds_or_never, help_heading = "Limits")]
    reload: f64,

    /// Folder to read the files of the page from, while editing them
    #[arg(long, value_name = "FOLDER", hide = true)]
    assets: Option<PathBuf>,
}

/// Format of the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum LogFormat {
    /// One JSON object per event
    Json,
    /// Nothing
    Off,
}

/// More than a week: whoever wants longer wants for ever.
const MAX_SECONDS: f64 = 1e6;

fn seconds(text: &str) -> Result<f64, String> {
    match seconds_or_never(text) {
        Ok(seconds) if seconds > 0.0 => Ok(seconds),
        _ => Err("expected a number of seconds above 0, at most 1000000".to_owned()),
    }
}

fn seconds_or_never(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=MAX_SECONDS).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds from 0 to 1000000".to_owned()),
    }
}

/// Validated options of `serve`.
pub(crate) struct ServeJob {
    pub(crate) config: Config,
    pub(crate) models: Vec<ModelFile>,
    pub(crate) log: LogFormat,
}

impl ServeArgs {
    pub(crate) fn build(self, threads: usize, seed: u64, usual_log: LogFormat) -> anyhow::Result<ServeJob> {
        let mut config = Config::default();
        config.address = address(&self.host, self.port)?;
        config.token = self.token()?;
        config.origins = match &self.cors[..] {
            [] => Origins::Own,
            all if all.iter().any(|origin| origin == "*") => Origins::Any,
            _ => Origins::Listed(self.cors),
        };
        config.host_names = self.allow_host;
        config.threads = threads;
        config.seed = seed;
        config.assets = self.assets;
        config.reload_interval = (self.reload > 0.0).then(|| Duration::from_secs_f64(self.reload));
        let limits = &mut config.limits;
        for (limit, given) in [
            (&mut limits.text_bytes, self.max_text),
            (&mut limits.body_bytes, self.max_body),
            (&mut limits.words, self.max_words),
            (&mut limits.batch, self.max_batch),
            (&mut limits.connections, self.max_connections),
            (&mut limits.memory_bytes, self.max_memory),
            (&mut limits.queue, self.queue),
            (&mut limits.training_bytes, self.max_training),
        ] {
            *limit = given.unwrap_or(*limit);
        }
        for (limit, given) in [
            (&mut limits.seconds, self.timeout),
            (&mut limits.client_seconds, self.client_timeout),
            (&mut limits.stop_seconds, self.stop_timeout),
            (&mut limits.training_seconds, self.training_timeout),
        ] {
            *limit = given.unwrap_or(*limit);
        }
        if self.no_training {
            limits.training_bytes = 0;
        }
        let models = self.models.iter().map(|argument| ModelFile::new(argument)).collect();
        Ok(ServeJob { config, models, log: self.log.unwrap_or(usual_log) })
    }

    fn token(&self) -> anyhow::Result<Option<Token>> {
        let Some(path) = &self.token_file else { return Ok(None) };
        let text = io::read_to_string(Input::open(path)?)?;
        let token = Token::new(&text).ok_or_else(|| {
            UsageError(format!("{} must hold one token of visible ASCII characters", path.display()))
        })?;
        Ok(Some(token))
    }
}

/// The address of a host by number or name.
fn address(host: &str, port: u16) -> Result<SocketAddr, UsageError> {
    if let Ok(ip) = host.trim_matches(['[', ']']).parse::<IpAddr>() {
        return Ok(SocketAddr::new(ip, port));
    }
    let found = (host, port).to_socket_addrs().ok().and_then(|mut found| found.next());
    found.ok_or_else(|| UsageError(format!("--host {host} is not an address of this machine")))
}
