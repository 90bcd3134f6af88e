//! Stretches of text that are one token: addresses, numbers and emoticons.
//!
//! A treebank has too few addresses to learn from: after `http://example.com/x?` most of them would end a sentence. So
//! within such a stretch a token continues, whatever the weights say. Treebanks differ in what they divide, so a kind of
//! stretch is protected only if the treebank divides few of its own.

use serde::{Deserialize, Serialize};

use super::features::Characters;

/// A kind of stretch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// `http://example.com/x?y=1`, `www.example.com`, `example.com/x`.
    Address,
    /// `someone@example.com`.
    Mail,
    /// Digits with stops, commas or colons between them: `1,234.50`, `10:30`.
    Number,
    /// `:-)`, `;)`, `:D`, `<3`, `^_^`.
    Emoticon,
}

impl Kind {
    pub(super) const ALL: [Self; 4] = [Kind::Address, Kind::Mail, Kind::Number, Kind::Emoticon];

    /// The kind of a word that is an address or an emoticon as a whole. Numbers are known by their shapes.
    pub(crate) fn of_word(word: &str) -> Option<Self> {
        if word.len() > LONGEST || word.chars().all(char::is_alphanumeric) {
            return None;
        }
        let letters: Vec<char> = word.chars().collect();
        let whole = |range: Option<std::ops::Range<usize>>| range == Some(0..letters.len());
        if whole(address(&letters)) {
            Some(Kind::Address)
        } else if whole(mail(&letters)) {
            Some(Kind::Mail)
        } else {
            (letters.len() > 1 && whole(emoticon(&letters))).then_some(Kind::Emoticon)
        }
    }
}

/// Longer chunks are not searched for addresses: nobody writes them, and each search takes time that grows with the
/// length.
const LONGEST: usize = 2048;

/// A kind is protected if at most this share of its stretches in the treebank is divided.
const DIVIDED_SHARE: f64 = 0.25;

/// Characters that are no part of an address.
const OUTSIDE_ADDRESS: [char; 14] = ['<', '>', '"', '“', '”', '„', '«', '»', '|', '{', '}', '\\', '^', '`'];
/// Marks at the end of an address that belong to the sentence.
const AFTER_ADDRESS: [char; 12] = ['.', ',', ';', ':', '!', '?', '\'', '’', '…', '*', ']', '。'];

const EYES: [char; 3] = [':', ';', '='];
const NOSES: [char; 4] = ['-', 'o', '\'', '^'];
const MOUTHS: [char; 15] = [')', '(', 'D', 'P', 'p', '/', '\\', '|', ']', '[', '3', 'O', 'S', '*', '@'];
const OTHER_EMOTICONS: [&str; 9] = ["<3", "</3", "^_^", "^^", "-_-", "o_O", "O_o", "T_T", "\\o/"];

/// For each character, whether the token certainly continues after it.
#[derive(Clone, Debug, Default)]
pub(super) struct Protected(Vec<bool>);

impl Protected {
    /// Finds the stretches of these kinds.
    pub(super) fn read(&mut self, characters: &Characters, kinds: &[Kind]) {
        self.0.clear();
        self.0.resize(characters.all.len(), false);
        each_stretch(characters, kinds, |_, stretch| self.0[stretch.start..stretch.end - 1].fill(true));
    }

    #[inline]
    pub(super) fn holds(&self, at: usize) -> bool {
        self.0.get(at).copied().unwrap_or(false)
    }
}

/// How often each kind occurs in a treebank, and how often it is divided.
#[derive(Debug, Default)]
pub(super) struct KindCounts([(u32, u32); Kind::ALL.len()]);

impl KindCounts {
    /// Counts the stretches of a text; `divides` says whether a token ends after a character.
    pub(super) fn see(&mut self, characters: &Characters, divides: impl Fn(usize) -> bool) {
        each_stretch(characters, &Kind::ALL, |kind, stretch| {
            let count = &mut self.0[kind as usize];
            count.0 += 1;
            count.1 += u32::from((stretch.start..stretch.end - 1).any(&divides));
        });
    }

    /// The kinds that the treebank hardly ever divides.
    pub(super) fn whole(&self) -> Vec<Kind> {
        let is_whole = |kind: &Kind| {
            let (all, divided) = self.0[*kind as usize];
            f64::from(divided) <= DIVIDED_SHARE * f64::from(all)
        };
        Kind::ALL.into_iter().filter(is_whole).collect()
    }
}

/// Calls `each` with the stretches of some kinds, of at least two characters.
fn each_stretch(characters: &Characters, kinds: &[Kind], mut each: impl FnMut(Kind, std::ops::Range<usize>)) {
    let mut chunk: Vec<char> = Vec::new();
    let mut at = 0;
    while at < characters.all.len() {
        if characters.is_space(at) {
            at += 1;
            continue;
        }
        chunk.clear();
        chunk.extend(characters.all[at..].iter().map(|own| own.0).take_while(|c| !c.is_whitespace()));
        // Most chunks are words.
        if chunk.len() <= LONGEST && chunk.iter().any(|c| !c.is_alphabetic()) {
            for &kind in kinds {
                let mut give = |range: std::ops::Range<usize>| {
                    if range.len() > 1 {
                        each(kind, at + range.start..at + range.end);
                    }
                };
                match kind {
                    Kind::Address => address(&chunk).into_iter().for_each(give),
                    Kind::Mail => mail(&chunk).into_iter().for_each(give),
                    Kind::Number => numbers(&chunk, &mut give),
                    Kind::Emoticon => emoticon(&chunk).into_iter().for_each(give),
                }
            }
        }
        at += chunk.len();
    }
}

fn starts_with(chunk: &[char], at: usize, text: &str) -> bool {
    let mut rest = chunk[at..].iter();
    text.chars().all(|c| rest.next().is_some_and(|own| own.eq_ignore_ascii_case(&c)))
}

/// The address in a chunk, if there is one.
fn address(chunk: &[char]) -> Option<std::ops::Range<usize>> {
    let scheme = (1..chunk.len()).find(|&at| starts_with(chunk, at, "://")).and_then(|at| {
        let letters = chunk[..at].iter().rev().take_while(|c| c.is_ascii_alphabetic()).count();
        (letters > 0).then_some(at - letters)
    });
    let is_free = |at: usize| at == 0 || !chunk[at - 1].is_alphanumeric();
    let plain = || (0..chunk.len()).find(|&at| is_free(at) && starts_with(chunk, at, "www."));
    let start = scheme.or_else(plain).or_else(|| host_with_path(chunk))?;
    let mut end =
        chunk[start..].iter().position(|c| OUTSIDE_ADDRESS.contains(c)).map_or(chunk.len(), |at| start + at);
    while end > start {
        let last = chunk[end - 1];
        let opened = || chunk[start..end].iter().filter(|c| **c == '(').count();
        let closed = || chunk[start..end].iter().filter(|c| **c == ')').count();
        if AFTER_ADDRESS.contains(&last) || (last == ')' && closed() > opened()) {
            end -= 1;
        } else {
            break;
        }
    }
    Some(start..end)
}

/// The start of `example.com/path`: labels with stops between them, the last of letters, then a slash and more.
fn host_with_path(chunk: &[char]) -> Option<usize> {
    let slash = chunk.iter().position(|c| *c == '/')?;
    let is_host = |c: &&char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    let length = chunk[..slash].iter().rev().take_while(is_host).count();
    let host: String = chunk[slash - length..slash].iter().collect();
    let (name, top) = host.rsplit_once('.')?;
    let labels = name.split('.').all(|label| label.len() > 1);
    let top = (2..=6).contains(&top.len()) && top.chars().all(|c| c.is_ascii_lowercase());
    let path = chunk.get(slash + 1).is_some_and(|c| c.is_alphanumeric());
    (labels && top && path).then_some(slash - length)
}

fn mail(chunk: &[char]) -> Option<std::ops::Range<usize>> {
    let sign = chunk.iter().position(|c| *c == '@')?;
    let is_local = |c: &&char| c.is_alphanumeric() || matches!(c, '.' | '_' | '%' | '+' | '-');
    let is_host = |c: &&char| c.is_alphanumeric() || matches!(c, '.' | '-');
    let start = sign - chunk[..sign].iter().rev().take_while(is_local).count();
    let mut end = sign + 1 + chunk[sign + 1..].iter().take_while(is_host).count();
    while end > sign + 1 && !chunk[end - 1].is_alphanumeric() {
        end -= 1;
    }
    let has_stop = chunk[sign + 1..end].contains(&'.');
    (start < sign && has_stop).then_some(start..end)
}

fn numbers(chunk: &[char], give: &mut impl FnMut(std::ops::Range<usize>)) {
    let digit = |at: usize| chunk.get(at).is_some_and(|c| c.is_numeric());
    let mut at = 0;
    while at < chunk.len() {
        if !digit(at) || (at > 0 && chunk[at - 1].is_alphabetic()) {
            at += 1;
            continue;
        }
        let start = at;
        while digit(at) || (matches!(chunk.get(at), Some('.' | ',' | ':')) && digit(at + 1)) {
            at += 1;
        }
        give(start..at);
    }
}

/// An emoticon at the beginning of a chunk with nothing but marks of sentences after it.
fn emoticon(chunk: &[char]) -> Option<std::ops::Range<usize>> {
    let ends = |end: usize| chunk[end..].iter().all(|c| matches!(c, '.' | ',' | '!' | '?'));
    let listed =
        OTHER_EMOTICONS.iter().find(|text| starts_with(chunk, 0, text)).map(|text| text.chars().count());
    if let Some(end) = listed.filter(|&end| ends(end)) {
        return Some(0..end);
    }
    let (first, rest) = chunk.split_first()?;
    if !EYES.contains(first) {
        return None;
    }
    let nose = usize::from(rest.len() > 1 && NOSES.contains(&rest[0]) && MOUTHS.contains(&rest[1]));
    let mouth = *rest.get(nose).filter(|c| MOUTHS.contains(c))?;
    // `:)))`, but not `://`.
    let most = if matches!(mouth, ')' | '(' | 'D' | 'P') { rest.len() } else { 1 };
    let run = rest[nose..].iter().take_while(|c| **c == mouth).take(most).count();
    let end = 1 + nose + run;
    ends(end).then_some(0..end)
}

#[cfg(test)]
mod tests {
    use super::super::config::Features;
    use super::*;

    /// The stretches of a text.
    fn found(text: &str) -> Vec<(Kind, String)> {
        let mut characters = Characters::default();
        characters.read(text, Features::Characters);
        let all: Vec<char> = text.chars().collect();
        let mut found = Vec::new();
        each_stretch(&characters, &Kind::ALL, |kind, stretch| {
            found.push((kind, all[stretch].iter().collect()));
        });
        found.retain(|(kind, _)| *kind != Kind::Number || !text.contains('/'));
        found
    }

    #[test]
    fn addresses_end_before_the_marks_of_the_sentence() {
        let cases = [
            ("See http://example.com/x?y=1.", Kind::Address, "http://example.com/x?y=1"),
            (
                "(https://en.wikipedia.org/wiki/Tree_(graph))",
                Kind::Address,
                "https://en.wikipedia.org/wiki/Tree_(graph)",
            ),
            ("<http://a.b>,", Kind::Address, "http://a.b"),
            ("www.example.co.uk!", Kind::Address, "www.example.co.uk"),
            ("example.com/x?y", Kind::Address, "example.com/x?y"),
            ("mail jo.doe+x@mail.example.com.", Kind::Mail, "jo.doe+x@mail.example.com"),
            ("1,234.50", Kind::Number, "1,234.50"),
            ("at 10:30.", Kind::Number, "10:30"),
            (":-))", Kind::Emoticon, ":-))"),
            ("well ;)!", Kind::Emoticon, ";)"),
            ("<3", Kind::Emoticon, "<3"),
        ];
        for (text, kind, expected) in cases {
            assert_eq!(found(text), [(kind, expected.to_owned())], "{text}");
        }
        for text in [
            "and/or",
            "e.g./i.e.",
            "a@b",
            "(see 8)",
            "note:(x)",
            "U.S.",
            "x :",
            "://",
            "a.b/c",
            "3",
            "mp3.5x",
        ] {
            assert!(found(text).iter().all(|(kind, _)| *kind == Kind::Number), "{text}: {:?}", found(text));
        }
        assert_eq!(found("é".repeat(100_000).as_str()), []);
    }

    #[test]
    fn words_have_the_kind_that_they_are_as_a_whole() {
        let cases = [
            ("http://example.com/x?y=1", Some(Kind::Address)),
            ("jo.doe@example.com", Some(Kind::Mail)),
            (":-)", Some(Kind::Emoticon)),
            (":", None),
            ("10:30", None),
            ("and/or", None),
            ("sleeps", None),
            ("(www.example.com", None),
            ("", None),
        ];
        for (word, kind) in cases {
            assert_eq!(Kind::of_word(word), kind, "{word}");
        }
    }

    #[test]
    fn a_kind_that_the_treebank_divides_is_left_to_the_weights() {
        let mut characters = Characters::default();
        characters.read("10:30 at a@b.cd", Features::Characters);
        let mut counts = KindCounts::default();
        counts.see(&characters, |at| at < 3);
        assert_eq!(counts.whole(), [Kind::Address, Kind::Mail, Kind::Emoticon]);
    }
}
