//! Edit scripts: how a form becomes its lemma.

use std::fmt;

use super::accents::is_mark;

/// Pairs of form and lemma with more characters than this have no script unless they are equal.
const LONGEST: usize = 100;

/// The case of the letters that a script starts from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Casing {
    /// Lower case.
    Lower,
    /// As in the form.
    Keep,
    /// Lower case, with the first letter of the lemma in upper case.
    Title,
    /// The lemma is in upper case.
    Upper,
}

impl Casing {
    const ALL: [Self; 4] = [Casing::Lower, Casing::Keep, Casing::Title, Casing::Upper];

    fn letter(self) -> char {
        match self {
            Casing::Lower => 'l',
            Casing::Keep => 'k',
            Casing::Title => 't',
            Casing::Upper => 'u',
        }
    }
}

/// One step of a script.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Edit {
    /// Copies a character.
    Keep,
    /// Removes this character; the script does not fit if there is another one.
    Delete(char),
    Insert(char),
}

/// How a form becomes its lemma.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Script {
    /// The lemma is `_`, whatever the form.
    Blank,
    /// The beginning and the end are edited; what lies between them stays.
    Edits {
        casing: Casing,
        /// From the first character on.
        prefix: Vec<Edit>,
        /// From the last character on, backwards.
        suffix: Vec<Edit>,
    },
}

/// A form with its characters as they are and in lower case.
#[derive(Clone, Debug, Default)]
pub(super) struct Letters {
    own: Vec<char>,
    lower: Vec<char>,
}

impl Letters {
    pub(super) fn read(&mut self, form: &str) {
        self.own.clear();
        self.own.extend(form.chars());
        self.lower.clear();
        self.lower.extend(form.to_lowercase().chars());
    }

    pub(super) fn of(form: &str) -> Self {
        let mut letters = Self::default();
        letters.read(form);
        letters
    }

    /// Its characters in lower case.
    pub(super) fn lower(&self) -> &[char] {
        &self.lower
    }

    fn start(&self, casing: Casing) -> &[char] {
        if casing == Casing::Keep { &self.own } else { &self.lower }
    }
}

impl Script {
    /// The shortest script from a form to a lemma. `None` if they have nothing in common: such lemmas can only be
    /// looked up.
    pub(super) fn of(form: &Letters, lemma: &str) -> Option<Self> {
        if lemma == "_" {
            return Some(Script::Blank);
        }
        let chars: Vec<char> = lemma.chars().collect();
        let is_long = form.own.len().max(form.lower.len()).max(chars.len()) > LONGEST;
        if is_long && form.own != chars && form.lower != chars {
            return None;
        }
        let mut best: Option<(usize, Self)> = None;
        for casing in Casing::ALL {
            let Some((edits, script)) = Self::with_casing(casing, form, &chars) else { continue };
            let shorter = best.as_ref().is_none_or(|(least, _)| edits < *least);
            if shorter && script.apply(form).as_deref() == Some(lemma) {
                best = Some((edits, script));
            }
        }
        best.map(|(_, script)| script)
    }

    fn with_casing(casing: Casing, form: &Letters, lemma: &[char]) -> Option<(usize, Self)> {
        let from = form.start(casing);
        let lower: Vec<char>;
        let to = match casing {
            Casing::Lower | Casing::Keep => lemma,
            Casing::Title | Casing::Upper => {
                lower = lemma.iter().collect::<String>().to_lowercase().chars().collect();
                &lower
            }
        };
        let root = common_substring(from, to)?;
        let prefix = trimmed(edits(from[..root.from].iter(), to[..root.to].iter()));
        let suffix = trimmed(edits(
            from[root.from + root.length..].iter().rev(),
            to[root.to + root.length..].iter().rev(),
        ));
        let changes = prefix.iter().chain(&suffix).filter(|edit| **edit != Edit::Keep).count();
        Some((changes, Script::Edits { casing, prefix, suffix }))
    }

    /// The lemma of a form, if the script fits it.
    pub(super) fn apply(&self, form: &Letters) -> Option<String> {
        let Script::Edits { casing, prefix, suffix } = self else { return Some("_".to_owned()) };
        let mut rest = form.start(*casing);
        let mut head = Vec::new();
        for edit in prefix {
            match edit {
                Edit::Insert(c) => head.push(*c),
                Edit::Keep => head.push(*rest.split_off_first()?),
                Edit::Delete(c) => {
                    rest.split_off_first().filter(|other| *other == c)?;
                }
            }
        }
        let mut tail = Vec::new();
        for edit in suffix {
            match edit {
                Edit::Insert(c) => tail.push(*c),
                Edit::Keep => tail.push(*rest.split_off_last()?),
                Edit::Delete(c) => {
                    rest.split_off_last().filter(|other| *other == c)?;
                }
            }
        }
        // Something of the form must stay, and columns neither begin nor end with white space.
        if rest.is_empty() {
            return None;
        }
        let lemma: String = head.iter().chain(rest).chain(tail.iter().rev()).collect();
        let ends_in_space = lemma.trim().len() != lemma.len();
        if ends_in_space {
            return None;
        }
        Some(match casing {
            Casing::Lower | Casing::Keep => lemma,
            Casing::Upper => lemma.to_uppercase(),
            Casing::Title => {
                let mark = lemma.chars().next().filter(|&c| is_mark(c));
                let mut chars = lemma.chars().skip(usize::from(mark.is_some()));
                let first = chars.next().into_iter().flat_map(char::to_uppercase);
                mark.into_iter().chain(first).chain(chars).collect()
            }
        })
    }

    /// Reads a script as [`Display`](fmt::Display) writes it.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if text == "_" {
            return Some(Script::Blank);
        }
        let mut chars = text.chars();
        let letter = chars.next()?;
        let casing = Casing::ALL.into_iter().find(|casing| casing.letter() == letter)?;
        let (mut prefix, mut suffix) = (Vec::new(), Vec::new());
        let mut side = &mut prefix;
        let mut divided = false;
        while let Some(c) = chars.next() {
            match c {
                '=' => side.push(Edit::Keep),
                '-' => side.push(Edit::Delete(chars.next()?)),
                '+' => side.push(Edit::Insert(chars.next()?)),
                '|' if !divided => {
                    divided = true;
                    side = &mut suffix;
                }
                _ => return None,
            }
        }
        divided.then_some(Script::Edits { casing, prefix, suffix })
    }
}

/// The casing, the edits of the beginning, `|`, the edits of the end: `l|-s` removes a final s.
impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Script::Edits { casing, prefix, suffix } = self else { return f.write_str("_") };
        let write = |edits: &[Edit], f: &mut fmt::Formatter<'_>| {
            edits.iter().try_for_each(|edit| match edit {
                Edit::Keep => f.write_str("="),
                Edit::Delete(c) => write!(f, "-{c}"),
                Edit::Insert(c) => write!(f, "+{c}"),
            })
        };
        write!(f, "{}", casing.letter())?;
        write(prefix, f)?;
        f.write_str("|")?;
        write(suffix, f)
    }
}

/// A substring that two words share.
struct Common {
    from: usize,
    to: usize,
    length: usize,
}

/// The first of the longest common substrings.
fn common_substring(from: &[char], to: &[char]) -> Option<Common> {
    if from == to {
        return (!from.is_empty()).then_some(Common { from: 0, to: 0, length: from.len() });
    }
    if from.len().max(to.len()) > LONGEST {
        return None;
    }
    // `row[j]` is the length of the common suffix of `from[..i]` and `to[..j]`.
    let mut row = vec![0usize; to.len() + 1];
    let mut best = Common { from: 0, to: 0, length: 0 };
    for (i, one) in from.iter().enumerate() {
        let mut diagonal = 0;
        for (j, other) in to.iter().enumerate() {
            let above = std::mem::replace(&mut diagonal, row[j + 1]);
            row[j + 1] = if one == other { above + 1 } else { 0 };
            if row[j + 1] > best.length {
                let length = row[j + 1];
                best = Common { from: i + 1 - length, to: j + 1 - length, length };
            }
        }
    }
    (best.length > 0).then_some(best)
}

/// The edits with the fewest insertions and deletions; deletions come before insertions.
fn edits<'c>(from: impl Iterator<Item = &'c char>, to: impl Iterator<Item = &'c char>) -> Vec<Edit> {
    let (from, to): (Vec<char>, Vec<char>) = (from.copied().collect(), to.copied().collect());
    let width = to.len() + 1;
    // `cost[i * width + j]` is the number of edits from `from[i..]` to `to[j..]`.
    let mut cost = vec![0usize; (from.len() + 1) * width];
    for i in (0..=from.len()).rev() {
        for j in (0..=to.len()).rev() {
            cost[i * width + j] = match (i == from.len(), j == to.len()) {
                (true, true) => 0,
                (true, false) => 1 + cost[i * width + j + 1],
                (false, true) => 1 + cost[(i + 1) * width + j],
                (false, false) if from[i] == to[j] => cost[(i + 1) * width + j + 1],
                (false, false) => 1 + cost[(i + 1) * width + j].min(cost[i * width + j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut edits = Vec::new();
    while i < from.len() || j < to.len() {
        let here = cost[i * width + j];
        if i < from.len() && j < to.len() && from[i] == to[j] {
            edits.push(Edit::Keep);
            (i, j) = (i + 1, j + 1);
        } else if i < from.len() && here == 1 + cost[(i + 1) * width + j] {
            edits.push(Edit::Delete(from[i]));
            i += 1;
        } else {
            edits.push(Edit::Insert(to[j]));
            j += 1;
        }
    }
    edits
}

/// Without the copies next to the part that stays.
fn trimmed(mut edits: Vec<Edit>) -> Vec<Edit> {
    while edits.last() == Some(&Edit::Keep) {
        edits.pop();
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(form: &str, lemma: &str) -> Option<Script> {
        Script::of(&Letters::of(form), lemma)
    }

    fn apply(script: &Script, form: &str) -> Option<String> {
        script.apply(&Letters::of(form))
    }

    #[test]
    fn scripts_are_as_short_as_they_can_be() {
        let cases = [
            ("dogs", "dog", "l|-s"),
            ("Dogs", "dog", "l|-s"),
            ("London", "London", "k|"),
            ("LONDON", "London", "t|"),
            ("bbc", "BBC", "u|"),
            ("abgeholt", "abholen", "l==-g-e|-t+n+e"),
            ("Häuser", "Haus", "k=-ä+a|-r-e"),
            ("x", "_", "_"),
            ("говорил", "говорить", "l|-л+ь+т"),
            ("القلم", "قلم", "l-ا-ل|"),
            ("you", "you", "l|"),
        ];
        for (form, lemma, text) in cases {
            assert_eq!(script(form, lemma).map(|script| script.to_string()).as_deref(), Some(text), "{form}");
        }
        assert_eq!(script("is", "be"), None);
        assert_eq!(script("went", "go"), None);
    }

    /// A script gives the lemma that it was made from, and its text gives the script.
    #[test]
    fn scripts_reproduce_their_lemmas() {
        let words =
            ["a", "Ab", "abc", "İstanbul", "ΟΔΟΣ", "οδός", "straße", "-", "+|=", "x y", "ﬁn", "漢字", "𝒳y"];
        for form in words {
            for lemma in words {
                let Some(script) = script(form, lemma) else { continue };
                assert_eq!(apply(&script, form).as_deref(), Some(lemma), "{form} {script}");
                assert_eq!(Script::parse(&script.to_string()), Some(script));
            }
        }
    }

    #[test]
    fn scripts_apply_only_where_they_fit() {
        let plural = script("dogs", "dog").expect("they share letters");
        assert_eq!(apply(&plural, "Cats").as_deref(), Some("cat"));
        assert_eq!(apply(&plural, "mice"), None);
        assert_eq!(apply(&plural, "s"), None);
        let participle = script("gesagt", "sagen").expect("they share letters");
        assert_eq!(apply(&participle, "gefragt").as_deref(), Some("fragen"));
        assert_eq!(apply(&participle, "befragt"), None);
        // What remains must not begin with a space.
        assert_eq!(apply(&script("xab", "ab").expect("they share letters"), "x b"), None);
    }

    #[test]
    fn texts_that_are_no_scripts_are_refused() {
        for text in ["", "l", "x|", "l|-", "l||", "l|s", "l-", "__"] {
            assert_eq!(Script::parse(text), None, "{text}");
        }
    }

    #[test]
    fn long_words_take_no_time() {
        let long = "x".repeat(1_000_000);
        assert_eq!(script(&long, &long).map(|script| script.to_string()).as_deref(), Some("l|"));
        assert_eq!(script(&long, "y"), None);
        assert_eq!(script(&long, &long[1..]), None);
    }
}
