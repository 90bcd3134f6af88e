//! SPDX expressions, such as `(MIT OR Apache-2.0) AND Unicode-3.0`.

use anyhow::{Result, bail};

/// Whether the allowed licences satisfy an expression. `/` is an old spelling of `OR`.
pub(super) fn satisfied(expression: &str, allowed: &[String]) -> Result<bool> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut words = spaced.split_whitespace().peekable();
    let result = any(&mut words, allowed);
    match (result, words.next()) {
        (Some(result), None) => Ok(result),
        _ => bail!("the licence `{expression}` is not an SPDX expression"),
    }
}

type Words<'a, 'b> = &'a mut std::iter::Peekable<std::str::SplitWhitespace<'b>>;

/// `A OR B OR …`
fn any(words: Words<'_, '_>, allowed: &[String]) -> Option<bool> {
    let mut result = all(words, allowed)?;
    while words.next_if_eq(&"OR").is_some() {
        result |= all(words, allowed)?;
    }
    Some(result)
}

/// `A AND B AND …`
fn all(words: Words<'_, '_>, allowed: &[String]) -> Option<bool> {
    let mut result = one(words, allowed)?;
    while words.next_if_eq(&"AND").is_some() {
        result &= one(words, allowed)?;
    }
    Some(result)
}

/// A licence, one with an exception, or an expression in brackets.
fn one(words: Words<'_, '_>, allowed: &[String]) -> Option<bool> {
    match words.next()? {
        "(" => {
            let result = any(words, allowed)?;
            (words.next()? == ")").then_some(result)
        }
        ")" | "OR" | "AND" | "WITH" => None,
        name => {
            let exception = if words.next_if_eq(&"WITH").is_some() { Some(words.next()?) } else { None };
            let whole =
                exception.map_or_else(|| name.to_owned(), |exception| format!("{name} WITH {exception}"));
            Some(allowed.contains(&whole))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::satisfied;

    #[test]
    fn expressions_are_evaluated() {
        let allowed = ["MIT".to_owned(), "Unicode-3.0".to_owned()];
        for (expression, expected) in [
            ("MIT", true),
            ("GPL-3.0", false),
            ("MIT/Apache-2.0", true),
            ("GPL-3.0 OR MIT", true),
            ("GPL-3.0 AND MIT", false),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("MIT AND (Apache-2.0 OR GPL-3.0)", false),
            ("MIT WITH LLVM-exception", false),
            ("Apache-2.0 WITH LLVM-exception OR MIT", true),
        ] {
            assert_eq!(satisfied(expression, &allowed).unwrap(), expected, "{expression}");
        }
        for wrong in ["", "MIT OR", "(MIT", "MIT Apache-2.0", "AND MIT", "MIT)"] {
            assert!(satisfied(wrong, &allowed).is_err(), "{wrong}");
        }
    }
}
