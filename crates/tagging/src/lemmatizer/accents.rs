//! Greek accents apart from the letters.
//!
//! The accent of a Greek word moves when the word is inflected: `ἄνθρωπος` has the genitive `ἀνθρώπου`. As letters, every place of the
//! accent needs edit scripts of its own. Here a word is written as a mark, which says where its accent is, and the letters without it;
//! then a script changes the ending and the mark, whatever the word. The place is counted in syllables from the end, as the accent
//! itself is.
//!
//! Words without Greek vowels, and words with several accents, keep their letters.

use std::borrow::Cow;

use super::config::Accents;

/// The marks are characters for private use: this one says that no accent is apart.
const NONE: u32 = 0xE000;
/// Accents further from the end stay with their letters.
const SYLLABLES: usize = 16;
/// One past the last mark.
const END: u32 = NONE + 1 + (SYLLABLES * 2 * ACCENTS.len()) as u32;

/// For each accent the vowels with it, and the same without it.
const ACCENTS: [(&str, &str); 3] = [
    (
        "ΆΈΉΊΌΎΏΐάέήίΰόύώἄἅἌἍἔἕἜἝἤἥἬἭἴἵἼἽὄὅὌὍὔὕὝὤὥὬὭᾄᾅᾌᾍᾔᾕᾜᾝᾤᾥᾬᾭᾴῄῴ",
        "ΑΕΗΙΟΥΩϊαεηιϋουωἀἁἈἉἐἑἘἙἠἡἨἩἰἱἸἹὀὁὈὉὐὑὙὠὡὨὩᾀᾁᾈᾉᾐᾑᾘᾙᾠᾡᾨᾩᾳῃῳ",
    ),
    (
        "ἂἃἊἋἒἓἚἛἢἣἪἫἲἳἺἻὂὃὊὋὒὓὛὢὣὪὫὰὲὴὶὸὺὼᾂᾃᾊᾋᾒᾓᾚᾛᾢᾣᾪᾫᾲᾺῂῈῊῒῚῢῪῲῸῺ",
        "ἀἁἈἉἐἑἘἙἠἡἨἩἰἱἸἹὀὁὈὉὐὑὙὠὡὨὩαεηιουωᾀᾁᾈᾉᾐᾑᾘᾙᾠᾡᾨᾩᾳΑῃΕΗϊΙϋΥῳΟΩ",
    ),
    ("ἆἇἎἏἦἧἮἯἶἷἾἿὖὗὟὦὧὮὯᾆᾇᾎᾏᾖᾗᾞᾟᾦᾧᾮᾯᾶᾷῆῇῖῗῦῧῶῷ", "ἀἁἈἉἠἡἨἩἰἱἸἹὐὑὙὠὡὨὩᾀᾁᾈᾉᾐᾑᾘᾙᾠᾡᾨᾩαᾳηῃιϊυϋωῳ"),
];

/// Vowels without accents, by what they are without anything else.
const VOWELS: [(char, &str); 7] = [
    ('α', "ΑαἀἁἈἉᾀᾁᾈᾉᾰᾱᾳᾸᾹᾼ"),
    ('ε', "ΕεἐἑἘἙ"),
    ('η', "ΗηἠἡἨἩᾐᾑᾘᾙῃῌ"),
    ('ι', "ΙΪιϊἰἱἸἹιῐῑῘῙ"),
    ('ο', "ΟοὀὁὈὉ"),
    ('υ', "ΥΫυϋὐὑὙῠῡῨῩ"),
    ('ω', "ΩωὠὡὨὩᾠᾡᾨᾩῳῼ"),
];

fn is_greek(c: char) -> bool {
    matches!(c, '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}')
}

pub(super) fn is_mark(c: char) -> bool {
    (NONE..END).contains(&u32::from(c))
}

/// A vowel without its accent, and which accent that is.
fn apart(c: char) -> Option<(char, usize)> {
    let places =
        ACCENTS.iter().map(|(with, without)| with.chars().zip(without.chars()).find(|own| own.0 == c));
    places.enumerate().find_map(|(accent, found)| Some((found?.1, accent)))
}

fn together(c: char, accent: usize) -> Option<char> {
    let (with, without) = ACCENTS.get(accent)?;
    without.chars().zip(with.chars()).find(|own| own.0 == c).map(|own| own.1)
}

fn vowel(c: char) -> Option<char> {
    VOWELS.iter().find(|(_, all)| is_greek(c) && all.contains(c)).map(|own| own.0)
}

/// For each vowel of a word without accents: its place, its syllable counted from the first one, and whether it is the second vowel of
/// a diphthong.
fn vowels(letters: &[char]) -> Vec<(usize, usize, bool)> {
    let mut all: Vec<(usize, usize, bool)> = Vec::new();
    let mut before = None;
    for (place, own) in letters.iter().map(|&c| vowel(c)).enumerate() {
        let diphthong = matches!(
            (before, own),
            (Some('α' | 'ε' | 'ο' | 'υ'), Some('ι')) | (Some('α' | 'ε' | 'ο' | 'η'), Some('υ'))
        );
        if own.is_some() {
            let syllables = all.last().map_or(0, |last| last.1 + 1);
            all.push((place, syllables - usize::from(diphthong), diphthong));
        }
        before = own.filter(|_| !diphthong);
    }
    all
}

/// What scripts see of a word.
pub(super) fn seen(word: &str, accents: Accents) -> Cow<'_, str> {
    match accents {
        Accents::Letters => Cow::Borrowed(word),
        Accents::Apart => encode(word).map_or(Cow::Borrowed(word), Cow::Owned),
    }
}

/// The word with its accent as a mark before the letters; `None` for words that have no Greek vowels, or marks already.
fn encode(word: &str) -> Option<String> {
    if !word.chars().any(is_greek) || word.chars().any(is_mark) {
        return None;
    }
    let mut accents = word.chars().enumerate().filter_map(|(place, c)| Some((place, apart(c)?)));
    let (accent, more) = (accents.next(), accents.next());
    let mut letters: Vec<char> = word.chars().collect();
    let mut mark = NONE;
    if let (Some((place, (plain, accent))), None) = (accent, more) {
        let own = letters[place];
        letters[place] = plain;
        let all = vowels(&letters);
        let last = all.last().map_or(0, |last| last.1);
        let found = all.iter().find(|own| own.0 == place).filter(|own| last - own.1 < SYLLABLES);
        match found {
            Some(&(_, syllable, second)) => {
                let place = (last - syllable) * 2 + usize::from(second);
                mark += 1 + (place * ACCENTS.len() + accent) as u32;
            }
            None => letters[place] = own,
        }
    }
    let has_vowels = letters.iter().any(|&c| vowel(c).is_some());
    let mark = char::from_u32(mark).filter(|_| has_vowels)?;
    Some(std::iter::once(mark).chain(letters).collect())
}

/// The word that [`encode`] wrote. A mark of a place beyond the word is left out.
pub(super) fn decode(text: &str) -> String {
    let mark = text.chars().next().filter(|&c| is_mark(c)).map_or(NONE, u32::from);
    let mut letters: Vec<char> = text.chars().filter(|&c| !is_mark(c)).collect();
    if let Some(number) = mark.checked_sub(NONE + 1) {
        let (place, accent) = (number as usize / ACCENTS.len(), number as usize % ACCENTS.len());
        let all = vowels(&letters);
        let last = all.last().map_or(0, |last| last.1);
        let found = all.iter().find(|own| last - own.1 == place / 2 && own.2 == (place % 2 == 1));
        if let Some(&(place, ..)) = found
            && let Some(with) = together(letters[place], accent)
        {
            letters[place] = with;
        }
    }
    letters.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_can_be_undone() {
        for word in [
            "ἄνθρωπος",
            "ἀνθρώπου",
            "τοὺς",
            "αὐτοῖς",
            "οἱ",
            "Ἰακώβ",
            "εἶπεν",
            "ἄνθρωπός",
            "ΐ",
            "παιδί",
            "Αθήνα",
            "ΑΘΗΝΑ",
        ] {
            let text = encode(word).unwrap();
            assert!(text.chars().next().is_some_and(is_mark));
            assert_eq!(decode(&text), word);
        }
        for word in ["dog", "", "2000", "β", "\u{e000}α", "café"] {
            assert_eq!(encode(word), None, "{word}");
        }
        for (with, without) in ACCENTS {
            assert_eq!(with.chars().count(), without.chars().count());
            assert!(without.chars().all(|c| vowel(c).is_some()), "{without}");
        }
    }

    #[test]
    fn words_accented_at_the_same_syllable_have_the_same_mark() {
        let mark = |word: &str| encode(word).unwrap().chars().next();
        assert_eq!(mark("λόγος"), mark("ἄρτος"));
        assert_eq!(mark("λόγου"), mark("λόγος"));
        assert_ne!(mark("ἀνθρώπου"), mark("ἄνθρωπος"));
        assert_ne!(mark("τοῖς"), mark("τοὺς"));
        // A place beyond the word.
        assert_eq!(decode(&encode("ἄνθρωπος").unwrap().replace("ἀνθρωπος", "ἀν")), "ἀν");
    }
}
