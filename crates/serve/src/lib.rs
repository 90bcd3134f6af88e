//! The HTTP service of Eigentree: annotation, a look inside models, evaluation and training as JSON; the protocols of two servers
//! that people already call; and the playground, a page that uses all of it.
//!
//! ```no_run
//! use eigentree_serve::{Config, Log, ModelFile, Server};
//! let server = Server::bind(Config::default(), &[ModelFile::new("en.eig")], Log::silent())?;
//! println!("listening on http://{}", server.address());
//! server.run(|| false)?;
//! # Ok::<(), eigentree_serve::ServeError>(())
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `server`, `connection`, `tape` | accepts, cuts slow clients, stops gracefully; connections in memory |
//! | `router`, `guard` | addresses; identity, origin, token, log and metrics of every request |
//! | `pool` | the bounded queues in front of the threads that annotate |
//! | `registry` | models by name, loaded again when their files change |
//! | `jobs` | training |
//! | `api` | the JSON interface, which `openapi.json` describes |
//! | `stages`, `corenlp`, `udpipe` | the protocols of other servers |
//! | `assets` | the files of the page |
//!
//! The crate prints nothing and writes no file. What happens goes to a [`Log`].

mod api;
mod assets;
mod body;
mod config;
mod connection;
mod corenlp;
mod failure;
mod guard;
mod jobs;
mod log;
mod memory;
mod metrics;
mod openapi;
mod pool;
mod registry;
mod router;
mod server;
mod service;
mod stages;
mod tape;
mod udpipe;

pub use config::{Config, Limits, Origins, Token};
pub use log::{Event, Log};
pub use registry::ModelFile;
pub use server::{ServeError, Server};
