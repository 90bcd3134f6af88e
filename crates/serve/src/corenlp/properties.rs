//! The properties of a request.

use std::collections::BTreeMap;

use crate::failure::{Answer, Failure};
use crate::stages::{Need, Needs, Sentences, Tokens};

/// Annotators that are understood.
const ANNOTATORS: [&str; 10] =
    ["tokenize", "cleanxml", "ssplit", "mwt", "pos", "lemma", "ner", "depparse", "parse", "entitymentions"];

/// The form of the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OutputFormat {
    Json,
    Conll,
    Conllu,
}

/// What a request asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Properties {
    annotators: Vec<String>,
    pub(super) output: OutputFormat,
    pub(super) sentences: Sentences,
    pub(super) tokens: Tokens,
    /// The model to use first. No property of CoreNLP's; clients that want one can send it.
    pub(super) model: Option<String>,
}

impl Properties {
    /// The properties in a query: those in `properties`, and those that stand alone.
    pub(super) fn of_query(query: &[(String, String)]) -> Answer<Self> {
        let mut all: BTreeMap<String, String> = query.iter().cloned().collect();
        if let Some(text) = all.remove("properties") {
            all.extend(parse(&text)?);
        }
        let get = |name: &str| all.get(name).map(String::as_str);
        let is = |name: &str| get(name).is_some_and(|value| value.eq_ignore_ascii_case("true"));
        let annotators: Vec<String> = get("annotators")
            .unwrap_or("tokenize,ssplit,pos,lemma,ner,depparse")
            .split([',', ' '])
            .filter(|name| !name.is_empty())
            .map(str::to_ascii_lowercase)
            .collect();
        if let Some(unknown) = annotators.iter().find(|name| !ANNOTATORS.contains(&name.as_str())) {
            return Err(Failure::bad_request(format!("the annotator `{unknown}` is not available"))
                .with_hint(format!("available annotators: {}", ANNOTATORS.join(", "))));
        }
        let output = match get("outputFormat").unwrap_or("json").to_ascii_lowercase().as_str() {
            "json" => OutputFormat::Json,
            "conll" => OutputFormat::Conll,
            "conllu" => OutputFormat::Conllu,
            other => {
                return Err(Failure::bad_request(format!("the output format `{other}` is not available"))
                    .with_hint("set outputFormat to json, conll or conllu"));
            }
        };
        let sentences = if is("ssplit.isOneSentence") {
            Sentences::One
        } else if is("ssplit.eolonly") {
            Sentences::Lines
        } else {
            Sentences::Found
        };
        let tokens = if is("tokenize.whitespace") { Tokens::Spaces } else { Tokens::Found };
        Ok(Self { annotators, output, sentences, tokens, model: get("model").map(str::to_owned) })
    }

    /// Whether an annotator was asked for.
    pub(super) fn has(&self, annotator: &str) -> bool {
        self.annotators.iter().any(|own| own == annotator)
    }

    pub(super) fn needs(&self) -> Needs {
        let must = |annotator| if self.has(annotator) { Need::Must } else { Need::No };
        let tags = if self.has("pos") || self.has("lemma") { Need::Wish } else { Need::No };
        Needs {
            // Dependency parsers rely on tags.
            tags: if self.has("depparse") && tags == Need::No { Need::Wish } else { tags },
            // By default everything is asked for, so models without entities are no reason to refuse.
            entities: if self.has("ner") { Need::Wish } else { Need::No },
            dependencies: must("depparse"),
            phrases: must("parse"),
        }
    }
}

/// Reads a map in JSON or as Python prints it: `{'annotators': 'tokenize', "timeout": 5, 'x': True}`.
fn parse(text: &str) -> Answer<BTreeMap<String, String>> {
    let fail = || {
        Failure::bad_request("the properties are not a map of names and values")
            .with_hint("send JSON, such as {\"annotators\": \"tokenize,ssplit,pos\"}")
    };
    let mut map = BTreeMap::new();
    let inner = text.trim().strip_prefix('{').and_then(|text| text.strip_suffix('}')).ok_or_else(fail)?;
    let mut rest = inner.trim_start();
    while !rest.is_empty() {
        let (name, after) = scalar(rest).ok_or_else(fail)?;
        let after = after.trim_start().strip_prefix([':', '=']).ok_or_else(fail)?;
        let (value, after) = value(after.trim_start()).ok_or_else(fail)?;
        map.insert(name, value);
        let after = after.trim_start();
        rest = match after.strip_prefix(',') {
            Some(after) => after.trim_start(),
            None if after.is_empty() => after,
            None => return Err(fail()),
        };
    }
    Ok(map)
}

/// A string, a word, or a list of them, which is joined by commas.
fn value(text: &str) -> Option<(String, &str)> {
    let Some(mut rest) = text.strip_prefix('[') else { return scalar(text) };
    let mut parts = Vec::new();
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix(']') {
            return Some((parts.join(","), after));
        }
        let (part, after) = scalar(rest)?;
        parts.push(part);
        rest = after.trim_start();
        rest = rest.strip_prefix(',').unwrap_or(rest);
    }
}

/// A string between quotes of either kind, or a word without quotes.
fn scalar(text: &str) -> Option<(String, &str)> {
    let quote = text.chars().next()?;
    if quote != '\'' && quote != '"' {
        let end = text.find([',', ':', '=', '}', ']']).unwrap_or(text.len());
        let word = text[..end].trim();
        return (!word.is_empty()).then(|| (word.to_owned(), &text[end..]));
    }
    let mut found = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => match chars.next()?.1 {
                'n' => found.push('\n'),
                't' => found.push('\t'),
                'u' => {
                    let digits: String = chars.by_ref().take(4).map(|(_, digit)| digit).collect();
                    found.push(char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?);
                }
                other => found.push(other),
            },
            c if c == quote => return Some((found, &text[at + 1..])),
            c => found.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_read_as_json_and_as_python_writes_them() {
        for text in [
            r#"{"annotators": "tokenize,pos", "n": 5, "ssplit.eolonly": "true"}"#,
            r#"{'annotators': 'tokenize,pos', 'n': 5, 'ssplit.eolonly': "true"}"#,
            r#" {"annotators":["tokenize", 'pos'],"n":5,"ssplit.eolonly":true} "#,
        ] {
            let map = parse(text).unwrap();
            assert_eq!(map["annotators"], "tokenize,pos", "{text}");
            assert_eq!((map["n"].as_str(), map["ssplit.eolonly"].as_str()), ("5", "true"), "{text}");
        }
        assert_eq!(parse("{}").unwrap().len(), 0);
        assert_eq!(parse(r#"{'a': 'it\'s', "b": "\u00e9\n"}"#).unwrap()["a"], "it's");
        for text in ["", "{", "{'a'}", "{'a': }", "{'a': 'b' 'c'}", "annotators", "{'a': ['b'}", "{'a': 'b"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_not_available_is_refused_with_what_is() {
        let of = |text: &str| Properties::of_query(&[("properties".to_owned(), text.to_owned())]);
        assert!(of(r#"{"annotators": "coref"}"#).unwrap_err().hint.unwrap().contains("depparse"));
        assert!(of(r#"{"outputFormat": "serialized"}"#).unwrap_err().hint.unwrap().contains("conllu"));
        let properties = of(r#"{"annotators": "tokenize,ssplit,pos,parse", "unknown": "x"}"#).unwrap();
        assert_eq!((properties.needs().phrases, properties.needs().dependencies), (Need::Must, Need::No));
    }
}
