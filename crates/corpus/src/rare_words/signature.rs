//! Construction of signatures.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// Level of detail of a signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Shape and a suffix of up to three letters.
    Ending,
    /// Shape and a suffix of one letter.
    ShortEnding,
    /// Shape only.
    Shape,
}

/// Position of a word in its sentence. A capital means little at the beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SentencePosition {
    /// The first word.
    First,
    /// Any other word.
    Later,
}

impl SentencePosition {
    /// The position of word number `index` (from 0).
    pub fn of(index: usize) -> Self {
        if index == 0 { Self::First } else { Self::Later }
    }
}

/// Counts of the kinds of characters in a word.
#[derive(Default)]
struct Shape {
    upper: usize,
    lower: usize,
    /// Letters of scripts without case.
    uncased: usize,
    digits: usize,
    dashes: usize,
    other: usize,
    chars: usize,
    starts_upper: bool,
}

impl Shape {
    fn of(word: &str) -> Self {
        let mut shape = Self::default();
        for (at, c) in word.chars().enumerate() {
            shape.chars += 1;
            match c.general_category() {
                GeneralCategory::UppercaseLetter | GeneralCategory::TitlecaseLetter => {
                    shape.upper += 1;
                    shape.starts_upper |= at == 0;
                }
                GeneralCategory::LowercaseLetter => shape.lower += 1,
                GeneralCategory::DecimalNumber
                | GeneralCategory::LetterNumber
                | GeneralCategory::OtherNumber => {
                    shape.digits += 1;
                }
                GeneralCategory::DashPunctuation => shape.dashes += 1,
                // Combining marks belong to the preceding letter.
                _ => match c.general_category_group() {
                    GeneralCategoryGroup::Letter => shape.uncased += 1,
                    GeneralCategoryGroup::Mark => {}
                    _ => shape.other += 1,
                },
            }
        }
        shape
    }

    fn letters(&self) -> usize {
        self.upper + self.lower + self.uncased
    }

    fn case(&self, position: SentencePosition) -> &'static str {
        match (self.upper, self.lower) {
            (0, 0) => "Unc",
            (0, _) => "Low",
            (1, 0) if self.chars == 1 => "Ini",
            (_, 0) => "Upp",
            (1, _) if self.starts_upper => match position {
                SentencePosition::First => "Fst",
                SentencePosition::Later => "Ttl",
            },
            _ if self.starts_upper => "Mix",
            _ => "Inn",
        }
    }
}

/// A coarse class of scripts by Unicode blocks: enough to distinguish foreign words from native ones.
fn script_class(c: char) -> &'static str {
    match u32::from(c) {
        0x0000..0x0250 | 0x1E00..0x1F00 | 0xFF21..0xFF5B => "Ltn",
        0x0370..0x0400 | 0x1F00..0x2000 => "Grk",
        0x0400..0x0530 => "Cyr",
        0x0530..0x0590 => "Arm",
        0x0590..0x0600 => "Heb",
        0x0600..0x0780 | 0x08A0..0x0900 | 0xFB50..0xFE00 | 0xFE70..0xFF00 => "Ara",
        0x0900..0x0E00 => "Ind",
        0x0E00..0x1000 => "Sea",
        0x10A0..0x1100 => "Geo",
        0x1100..0x1200 | 0x3130..0x3190 | 0xAC00..0xD7B0 => "Hgl",
        0x3040..0x30A0 => "Hir",
        0x30A0..0x3100 | 0x31F0..0x3200 | 0xFF66..0xFFA0 => "Kat",
        0x2E80..0x3040 | 0x3400..0xA000 | 0xF900..0xFB00 | 0x20000..0x32000 => "Han",
        _ => "Oth",
    }
}

/// The pattern of a word, character by character: `X` and `x` for cased letters, the class of the script for others
/// (`漢` for `Han`), `d` for digits, and other characters as they are. Runs of letters are written once (capitals up to
/// twice), runs of digits and of anything else up to four times. The pattern is cut after twelve characters.
///
/// ```
/// use eigentree_corpus::rare_words::letter_pattern;
/// let of = |word| letter_pattern(word).collect::<String>();
/// assert_eq!(of("McDonald's"), "XxXx'x");
/// assert_eq!(of("U.S."), "X.X.");
/// assert_eq!(of("12,345"), "dd,ddd");
/// ```
pub fn letter_pattern(word: &str) -> impl Iterator<Item = char> {
    let mut last = '\0';
    let mut run = 0;
    let classes = word.chars().filter_map(|c| match c.general_category() {
        GeneralCategory::UppercaseLetter | GeneralCategory::TitlecaseLetter => Some('X'),
        GeneralCategory::LowercaseLetter => Some('x'),
        GeneralCategory::DecimalNumber | GeneralCategory::LetterNumber | GeneralCategory::OtherNumber => {
            Some('d')
        }
        GeneralCategory::DashPunctuation => Some('-'),
        _ => match c.general_category_group() {
            GeneralCategoryGroup::Letter => Some(script_letter(c)),
            GeneralCategoryGroup::Mark => None,
            _ => Some(c),
        },
    });
    let runs = classes.filter(move |&class| {
        run = if class == last { run + 1 } else { 1 };
        last = class;
        let longest = match class {
            'X' => 2,
            'd' => 4,
            _ if class.is_alphabetic() => 1,
            _ => 4,
        };
        run <= longest
    });
    runs.take(12)
}

/// A letter that represents the script of `c`.
fn script_letter(c: char) -> char {
    match script_class(c) {
        "Han" => '漢',
        "Hir" => 'か',
        "Kat" => 'カ',
        "Hgl" => '한',
        "Ara" => 'ع',
        "Heb" => 'א',
        "Ind" => 'अ',
        "Sea" => 'ก',
        _ => 'o',
    }
}

/// The signature of `word`.
///
/// ```
/// use eigentree_corpus::rare_words::{Detail, SentencePosition, signature};
/// let of = |word| signature(word, SentencePosition::Later, Detail::Ending);
/// assert_eq!(of("walking"), "Ltn-Low-~ing");
/// assert_eq!(of("Müller"), "Ltn-Ttl-~ler");
/// assert_eq!(of("1,234"), "Num-4dg-pct");
/// assert_eq!(of("東京"), "Han-Unc-~京");
/// ```
pub fn signature(word: &str, position: SentencePosition, detail: Detail) -> String {
    let shape = Shape::of(word);
    let mut out = String::with_capacity(24);
    if shape.letters() == 0 {
        if shape.digits > 0 {
            // Numbers of one, two and four digits behave like numerals, days and years; beyond that the exact count
            // does not matter.
            out.push_str(match shape.digits {
                1 => "Num-1dg",
                2 => "Num-2dg",
                3 => "Num-3dg",
                4 => "Num-4dg",
                _ => "Num-5dg",
            });
        } else {
            out.push_str("Sym");
            if detail != Detail::Shape {
                out.push('-');
                out.extend(word.chars().next());
            }
        }
    } else {
        let first = word.chars().find(|c| c.general_category_group() == GeneralCategoryGroup::Letter);
        out.push_str(first.map_or("Oth", script_class));
        out.push('-');
        out.push_str(shape.case(position));
        if shape.digits > 0 {
            out.push_str("-dig");
        }
    }
    if shape.dashes > 0 && shape.chars > 1 {
        out.push_str("-dsh");
    }
    if shape.other > 0 && shape.chars > shape.other {
        out.push_str("-pct");
    }
    if shape.letters() > 0 {
        push_ending(&mut out, word, &shape, detail);
    }
    out
}

fn push_ending(out: &mut String, word: &str, shape: &Shape, detail: Detail) {
    let length = match detail {
        Detail::Shape => return,
        Detail::ShortEnding => 1,
        // A suffix needs a stem before it. In scripts without case the last character is most informative.
        Detail::Ending if shape.uncased > 0 && shape.chars < 4 => 1,
        Detail::Ending => shape.chars.saturating_sub(2).clamp(1, 3),
    };
    out.push_str("-~");
    let skip = shape.chars - length.min(shape.chars);
    out.extend(word.chars().skip(skip).flat_map(char::to_lowercase));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn later(word: &str, detail: Detail) -> String {
        signature(word, SentencePosition::Later, detail)
    }

    #[test]
    fn levels_of_detail() {
        assert_eq!(later("unhappiness", Detail::Ending), "Ltn-Low-~ess");
        assert_eq!(later("unhappiness", Detail::ShortEnding), "Ltn-Low-~s");
        assert_eq!(later("unhappiness", Detail::Shape), "Ltn-Low");
        assert_eq!(later("...", Detail::Shape), "Sym");
    }

    #[test]
    fn scripts_case_and_digits() {
        let cases = [
            ("ΑΘΗΝΑ", "Grk-Upp-~ηνα"),
            ("Москва", "Cyr-Ttl-~ква"),
            ("كتاب", "Ara-Unc-~اب"),
            ("トロッコ", "Kat-Unc-~ッコ"),
            ("F-16", "Ltn-Upp-dig-dsh-~16"),
            ("iPhone", "Ltn-Inn-~one"),
            ("McCoy", "Ltn-Mix-~coy"),
            ("X", "Ltn-Ini-~x"),
            ("3.5", "Num-2dg-pct"),
            ("$", "Sym-$"),
            ("", "Sym-"),
        ];
        for (word, expected) in cases {
            assert_eq!(later(word, Detail::Ending), expected, "{word}");
        }
    }

    #[test]
    fn capitals_at_the_beginning_say_little() {
        assert_eq!(signature("The", SentencePosition::First, Detail::Shape), "Ltn-Fst");
        assert_eq!(signature("NASA", SentencePosition::First, Detail::Shape), "Ltn-Upp");
    }
}
