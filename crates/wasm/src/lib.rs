//! Eigentree inside a web page.
//!
//! A [`Session`] holds the models of the page and answers requests in JSON, those of the HTTP interface of `eigentree serve`;
//! model files are bytes. Compiled for WebAssembly, the crate exports the few functions of `boundary`, which
//! `assets/worker.js` calls. `cargo xtask site` builds it, as a module rather than a Rust library.

#[cfg(target_arch = "wasm32")]
mod boundary;
mod session;

pub use session::{Answer, Session};
