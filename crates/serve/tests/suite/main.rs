//! The service from outside: every address, every fault.

#![allow(clippy::unwrap_used, reason = "a test ends where it fails")]

mod api;
mod client;
mod faults;
mod load;
mod protocols;
mod reload;
mod training;
