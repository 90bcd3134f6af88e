//! The JSON interface below `/api/v1`.

pub(crate) mod annotate;
mod batch;
pub(crate) mod evaluate;
pub(crate) mod inspect;
pub(crate) mod models;
pub(crate) mod stream;
pub(crate) mod train;

use axum::response::{IntoResponse, Response};
use serde_json::Value;

use crate::router::json_header;

/// An answer in JSON.
pub(crate) fn json(value: &Value) -> Response {
    (json_header(), value.to_string()).into_response()
}

/// An answer that is JSON already.
fn json_text(text: String) -> Response {
    (json_header(), text).into_response()
}

/// An object with these fields, whose values are text in JSON, in the order in which others are written: by name.
fn object<const N: usize>(mut fields: [(&str, String); N]) -> String {
    fields.sort_unstable_by_key(|(name, _)| *name);
    // A document has megabytes: it is copied once.
    let bytes: usize = fields.iter().map(|(name, value)| name.len() + value.len() + 4).sum();
    let mut text = String::with_capacity(bytes + 2);
    for (number, (name, value)) in fields.iter().enumerate() {
        text.extend([if number == 0 { "{\"" } else { ",\"" }, name, "\":", value]);
    }
    text.push('}');
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn objects_are_those_of_values() {
        let fields = [("output", json!("a\"b").to_string()), ("model", json!("x").to_string())];
        assert_eq!(object(fields), json!({ "model": "x", "output": "a\"b" }).to_string());
    }
}
