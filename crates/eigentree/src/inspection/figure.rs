//! Numbers as JSON.

use serde_json::{Map, Value, json};

/// A number for JSON: counts become integers.
pub(crate) fn figure(value: f64) -> Value {
    // Above this, f64 cannot represent every integer.
    const EXACT: f64 = 9e15;
    if value.fract() == 0.0 && value.abs() < EXACT { json!(value as i64) } else { json!(value) }
}

/// Named numbers as an object.
pub(crate) fn figures(named: &[(&'static str, f64)]) -> Map<String, Value> {
    named.iter().map(|&(name, value)| (name.to_owned(), figure(value))).collect()
}
