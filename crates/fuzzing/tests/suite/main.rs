//! A fixed number of attacks from fixed seeds.

mod forged_models;
mod mutated_requests;
mod mutated_texts;
mod options;
