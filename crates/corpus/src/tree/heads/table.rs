//! The text format of head rules.

use hashbrown::HashMap;

/// Direction in which children are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Left,
    Right,
}

/// What decides among several candidates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Preference {
    /// The order of the candidates.
    Candidate,
    /// The position of the children.
    Position,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Clause {
    pub(super) side: Side,
    pub(super) preference: Preference,
    /// `*` matches any label.
    pub(super) candidates: Vec<String>,
}

pub(super) type Table = HashMap<String, Vec<Clause>>;

/// An invalid line of a head table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("head rules, line {line}: {problem}; a line has the form `LABEL : left A B ; right-any C D`")]
pub struct HeadTableError {
    /// Line number, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: String,
}

pub(super) fn parse(text: &str) -> Result<Table, HeadTableError> {
    let mut table = Table::new();
    for (index, line) in text.lines().enumerate() {
        let content = line.trim();
        // A comment has a line of its own, since `#` is also a Penn tag.
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let error = |problem: String| HeadTableError { line: index + 1, problem };
        // The colon is surrounded by spaces, since labels may contain one.
        let (label, clauses) =
            content.split_once(" : ").ok_or_else(|| error("no ` : ` after the label".to_owned()))?;
        let clauses: Vec<Clause> =
            clauses.split(';').map(|text| clause(text).map_err(error)).collect::<Result<_, _>>()?;
        if table.insert(label.trim().to_owned(), clauses).is_some() {
            return Err(error(format!("a second line for `{}`", label.trim())));
        }
    }
    Ok(table)
}

fn clause(text: &str) -> Result<Clause, String> {
    let mut words = text.split_whitespace();
    let (side, preference) = match words.next() {
        Some("left") => (Side::Left, Preference::Candidate),
        Some("right") => (Side::Right, Preference::Candidate),
        Some("left-any") => (Side::Left, Preference::Position),
        Some("right-any") => (Side::Right, Preference::Position),
        Some(other) => return Err(format!("`{other}` is not one of left, right, left-any, right-any")),
        None => return Err("an empty clause".to_owned()),
    };
    let candidates: Vec<String> = words.map(str::to_owned).collect();
    if candidates.is_empty() {
        return Err("a clause without candidates".to_owned());
    }
    Ok(Clause { side, preference, candidates })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_line() {
        assert_eq!(parse("# x\nNP right NN").unwrap_err().line, 2);
        assert!(parse("NP : up NN").unwrap_err().problem.contains("`up`"));
        assert!(parse("NP : left").unwrap_err().problem.contains("candidates"));
        assert!(parse("NP : left A\nNP : left B").unwrap_err().problem.contains("second"));
    }
}
