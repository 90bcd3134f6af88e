//! Statements: categories, rules, word lists, declarations.

use hashbrown::{HashMap, HashSet};

use super::scan::{Token, scan};
use crate::error::Position;
use crate::synthetic::error::{GrammarError, GrammarProblem};
use crate::synthetic::lpcfg::Capitalization;

/// A feature as it is written.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Feature {
    Value(String),
    Variable(String),
}

/// Kind of a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    Category,
    Fragment,
}

/// A category or fragment, possibly with variables.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub(super) kind: Kind,
    pub(super) label: String,
    pub(super) features: Vec<Feature>,
    /// The only word of a category of the form `IN=of`.
    pub(super) literal: Option<String>,
    pub(super) position: Position,
}

#[derive(Clone, Debug)]
pub(super) struct Alternative {
    pub(super) weight: f64,
    pub(super) items: Vec<Pattern>,
    pub(super) position: Position,
}

/// The right side of a definition.
#[derive(Debug)]
pub(super) enum Body {
    Rules(Vec<Alternative>),
    Words(Vec<(String, f64)>),
}

/// One left side and its right side.
#[derive(Debug)]
pub(super) struct Definition {
    pub(super) left: Pattern,
    pub(super) body: Body,
    /// Number of the statement it comes from; columns of a word list share one.
    pub(super) statement: usize,
}

/// Values of a variable.
#[derive(Debug)]
pub(super) enum Values {
    /// Anything.
    Any,
    /// These values, with weights that sum to 1.
    Listed(Vec<(String, f64)>),
}

impl Values {
    pub(super) fn admit(&self, value: &str) -> bool {
        match self {
            Values::Any => true,
            Values::Listed(list) => list.iter().any(|(listed, _)| listed == value),
        }
    }
}

/// A parsed grammar text.
#[derive(Debug, Default)]
pub(super) struct Statements {
    pub(super) capitalization: Capitalization,
    pub(super) variables: HashMap<String, Values>,
    pub(super) roots: Vec<Alternative>,
    pub(super) definitions: Vec<Definition>,
}

/// Parses a grammar text.
pub(super) fn statements(text: &str) -> Result<Statements, GrammarError> {
    let mut result = Statements::default();
    for (number, tokens) in scan(text)?.iter().enumerate() {
        let [first, rest @ ..] = &tokens[..] else { continue };
        match first.text {
            "%root" => result.roots.extend(alternatives(*first, rest)?),
            "%capitalize" => result.capitalization = capitalization(*first, rest)?,
            "%var" => {
                let (name, values) = variable(*first, rest)?;
                result.variables.insert(name, values);
            }
            directive if directive.starts_with('%') => {
                return Err(first.unexpected("%root, %var or %capitalize"));
            }
            _ => definition(number, *first, rest, &mut result.definitions)?,
        }
    }
    Ok(result)
}

fn capitalization(first: Token<'_>, rest: &[Token<'_>]) -> Result<Capitalization, GrammarError> {
    match rest {
        [choice] if choice.text == "first-word" => Ok(Capitalization::FirstWord),
        [choice] if choice.text == "as-written" => Ok(Capitalization::AsWritten),
        _ => Err(rest.first().copied().unwrap_or(first).unexpected("first-word or as-written")),
    }
}

fn variable(first: Token<'_>, rest: &[Token<'_>]) -> Result<(String, Values), GrammarError> {
    let [name, equals, values @ ..] = rest else {
        return Err(first.unexpected("a declaration such as `%var n = sg:2 pl`"));
    };
    if equals.text != "=" {
        return Err(equals.unexpected("="));
    }
    if values.is_empty() {
        return Err(equals.unexpected("at least one value"));
    }
    if let [Token { text: "*", .. }] = values {
        return Ok((name.text.to_owned(), Values::Any));
    }
    let mut list: Vec<(String, f64)> = Vec::new();
    for token in values {
        let (forms, weight) = entry(*token)?;
        let [value] = &forms[..] else { return Err(token.unexpected("a value without `/`")) };
        if list.iter().any(|(seen, _)| seen == value) {
            return Err(GrammarProblem::DuplicateWord { word: value.clone() }.at(Some(token.position)));
        }
        list.push((value.clone(), weight));
    }
    let total: f64 = list.iter().map(|(_, weight)| weight).sum();
    list.iter_mut().for_each(|(_, weight)| *weight /= total);
    Ok((name.text.to_owned(), Values::Listed(list)))
}

fn definition(
    statement: usize,
    first: Token<'_>,
    rest: &[Token<'_>],
    into: &mut Vec<Definition>,
) -> Result<(), GrammarError> {
    let Some((arrow, right)) = rest.split_first() else {
        return Err(first.unexpected("a definition such as `NP -> DT NN`"));
    };
    match arrow.text {
        "->" => {
            let left = pattern(first)?;
            if left.literal.is_some() {
                return Err(first.unexpected("a category without `=`, which defines itself"));
            }
            let body = Body::Rules(alternatives(*arrow, right)?);
            into.push(Definition { left, body, statement });
        }
        "=>" => word_lists(statement, first, *arrow, right, |_| 1.0, into)?,
        "~>" => word_lists(statement, first, *arrow, right, |rank| 1.0 / (rank as f64 + 2.0), into)?,
        _ => return Err(arrow.unexpected("->, => or ~>")),
    }
    Ok(())
}

fn alternatives(before: Token<'_>, tokens: &[Token<'_>]) -> Result<Vec<Alternative>, GrammarError> {
    let mut result = Vec::new();
    let mut last = before;
    for part in tokens.split(|token| token.text == "|") {
        let Some(&head) = part.first() else { return Err(last.unexpected("an alternative after this")) };
        let (weight, items) = match number(head)? {
            Some(weight) => (weight, &part[1..]),
            None => (1.0, part),
        };
        if items.is_empty() {
            return Err(head.unexpected("a weight with categories after it, or `()`"));
        }
        let items = match items {
            [only] if only.text == "()" => Vec::new(),
            items => items.iter().map(|&token| pattern(token)).collect::<Result<_, _>>()?,
        };
        result.push(Alternative { weight, items, position: head.position });
        last = *part.last().unwrap_or(&head);
    }
    Ok(result)
}

/// The weight, if the token looks like a number.
fn number(token: Token<'_>) -> Result<Option<f64>, GrammarError> {
    if !token.text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | '+' | '-')) {
        return Ok(None);
    }
    token.text.parse().ok().map(|weight| check(weight, token.text, token.position)).transpose()
}

fn check(weight: f64, text: &str, position: Position) -> Result<f64, GrammarError> {
    if weight > 0.0 && weight.is_finite() {
        Ok(weight)
    } else {
        Err(GrammarProblem::Weight { text: text.into() }.at(Some(position)))
    }
}

/// A category or fragment with optional features or an optional literal word.
fn pattern(token: Token<'_>) -> Result<Pattern, GrammarError> {
    let (kind, name) = match token.text.strip_prefix('&') {
        Some(name) if !name.is_empty() => (Kind::Fragment, name),
        _ => (Kind::Category, token.text),
    };
    if name == "()" {
        return Err(token.unexpected("`()` alone in its alternative"));
    }
    let mut pattern = Pattern {
        kind,
        label: name.to_owned(),
        features: Vec::new(),
        literal: None,
        position: token.position,
    };
    let after_first = name.chars().next().map_or(0, char::len_utf8);
    let Some(at) = name[after_first..].find(['[', '=']).map(|at| at + after_first) else {
        return Ok(pattern);
    };
    let (label, rest) = name.split_at(at);
    pattern.label = label.to_owned();
    if let Some(word) = rest.strip_prefix('=') {
        if word.is_empty() || kind == Kind::Fragment {
            return Err(token.unexpected("a tag and its word, as in `IN=of`"));
        }
        pattern.literal = Some(word.to_owned());
        return Ok(pattern);
    }
    let inner = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let inner = inner.ok_or_else(|| token.unexpected("features in brackets, as in `NP[sg,person]`"))?;
    for feature in inner.split(',') {
        let is_name = |text: &str| !text.is_empty() && !text.contains(['[', ']', '$']);
        pattern.features.push(match feature.strip_prefix('$') {
            Some(name) if is_name(name) => Feature::Variable(name.to_owned()),
            None if is_name(feature) => Feature::Value(feature.to_owned()),
            _ => return Err(token.unexpected("features in brackets, as in `NP[sg,$class]`")),
        });
    }
    Ok(pattern)
}

/// Splits a left side such as `VB+VBP/VBZ[tr]` into columns of tags.
fn columns(token: Token<'_>) -> Result<Vec<Vec<Pattern>>, GrammarError> {
    let mut columns = Vec::new();
    for column in token.text.split('/') {
        let tags = column.split('+').map(|text| pattern(Token { text, ..token }));
        columns.push(tags.collect::<Result<Vec<_>, _>>()?);
    }
    let all = columns.iter().flatten();
    if all.clone().any(|tag| tag.label.is_empty() || tag.kind == Kind::Fragment || tag.literal.is_some()) {
        return Err(token.unexpected("a tag, or several as in `NN/NNS[animal]`"));
    }
    let shared = all.last().map(|tag| tag.features.clone()).unwrap_or_default();
    for tag in columns.iter_mut().flatten().filter(|tag| tag.features.is_empty()) {
        tag.features = shared.clone();
    }
    Ok(columns)
}

fn word_lists(
    statement: usize,
    left: Token<'_>,
    arrow: Token<'_>,
    right: &[Token<'_>],
    base_weight: impl Fn(usize) -> f64,
    into: &mut Vec<Definition>,
) -> Result<(), GrammarError> {
    let columns = columns(left)?;
    if right.is_empty() {
        return Err(arrow.unexpected("at least one word after this"));
    }
    let mut lists: Vec<Vec<(String, f64)>> = vec![Vec::new(); columns.len()];
    let mut seen = HashSet::new();
    let mut factor = 1.0;
    for &token in right {
        if let Some(Ok(value)) = token.text.strip_prefix('*').map(str::parse) {
            factor = check(value, token.text, token.position)?;
            continue;
        }
        let rank = seen.len();
        let (forms, weight) = entry(token)?;
        if forms.len() != columns.len() {
            let (expected, found) = (columns.len(), forms.len());
            let problem = GrammarProblem::Columns { entry: token.text.into(), expected, found };
            return Err(problem.at(Some(token.position)));
        }
        if !seen.insert(forms.clone()) {
            return Err(GrammarProblem::DuplicateWord { word: token.text.into() }.at(Some(token.position)));
        }
        for (list, form) in lists.iter_mut().zip(forms) {
            list.push((form, factor * weight * base_weight(rank)));
        }
    }
    for (tags, list) in columns.into_iter().zip(lists) {
        for left in tags {
            into.push(Definition { left, body: Body::Words(list.clone()), statement });
        }
    }
    Ok(())
}

/// The forms of an entry and its weight: `see/sees/saw:3`.
fn entry(token: Token<'_>) -> Result<(Vec<String>, f64), GrammarError> {
    let mut forms = vec![String::new()];
    let mut chars = token.text.char_indices();
    let mut weight = 1.0;
    while let Some((at, c)) = chars.next() {
        let form = forms.last_mut().expect("there is always a form");
        match c {
            '\\' => form.extend(chars.next().map(|(_, c)| c)),
            '/' => forms.push(String::new()),
            ':' => {
                let text = &token.text[at + 1..];
                let value = text
                    .parse()
                    .map_err(|_| token.unexpected("a weight after `:`, or `\\:` for a literal colon"))?;
                weight = check(value, text, token.position)?;
                break;
            }
            c => form.push(c),
        }
    }
    if forms.iter().any(String::is_empty) {
        return Err(token.unexpected("a word, with `\\` before special characters in it"));
    }
    Ok((forms, weight))
}
