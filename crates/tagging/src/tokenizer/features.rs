//! The features of the decision after a character.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

use super::chunks::Chunks;
use super::config::Features;
use models::log_linear::{Key, Namer};

/// The characters of a text with the properties used by features.
#[derive(Clone, Debug, Default)]
pub(super) struct Characters {
    /// The character, its start in the text, its class.
    pub(super) all: Vec<(char, usize, u8)>,
    /// For each character the hash of the text since the last space, itself included, and of the text up to the next
    /// space.
    left: Vec<u64>,
    right: Vec<u64>,
    /// For each character, the start of the next chunk (text between spaces).
    next: Vec<u32>,
    /// For each character, the start of its own chunk.
    own: Vec<u32>,
    /// What the chunks tell; empty for older models.
    pub(super) chunks: Chunks,
}

const SPACE: u8 = 1;
/// Stands for the positions beyond the ends of the text.
const EDGE: u8 = 0;

/// Name space of features, distinct from those of taggers.
const KIND: u64 = 3 << 32;

/// Chunks are distinguished up to this length.
const LONGEST: usize = 12;

fn class(c: char) -> u8 {
    if c.is_whitespace() {
        return SPACE;
    }
    match c.general_category() {
        GeneralCategory::UppercaseLetter | GeneralCategory::TitlecaseLetter => 2,
        GeneralCategory::LowercaseLetter => 3,
        GeneralCategory::DecimalNumber => 4,
        GeneralCategory::DashPunctuation => 5,
        GeneralCategory::OpenPunctuation | GeneralCategory::InitialPunctuation => 6,
        GeneralCategory::ClosePunctuation | GeneralCategory::FinalPunctuation => 7,
        GeneralCategory::OtherPunctuation | GeneralCategory::ConnectorPunctuation => 8,
        GeneralCategory::CurrencySymbol => 9,
        _ => match c.general_category_group() {
            GeneralCategoryGroup::Letter => 10,
            GeneralCategoryGroup::Mark => 11,
            GeneralCategoryGroup::Number => 12,
            GeneralCategoryGroup::Symbol => 13,
            _ => 14,
        },
    }
}

pub(super) fn is_letter(class: u8) -> bool {
    matches!(class, 2 | 3 | 10 | 11)
}

pub(super) fn is_mark(class: u8) -> bool {
    matches!(class, 5..=9 | 13)
}

impl Characters {
    /// Reads a text for models with these features.
    pub(super) fn read(&mut self, text: &str, features: Features) {
        self.all.clear();
        self.all.extend(text.char_indices().map(|(at, c)| (c, at, class(c))));
        // The end of the text is the end of a line.
        if self.all.last().is_some_and(|last| last.2 != SPACE) {
            self.all.push(('\n', text.len(), SPACE));
        }
        let length = self.all.len();
        self.left.clear();
        self.own.clear();
        let (mut key, mut start) = (Key::of(30), 0);
        for (at, &(c, _, class)) in self.all.iter().enumerate() {
            if class == SPACE {
                (key, start) = (Key::of(30), at as u32 + 1);
            } else if at as u32 - start < LONGEST as u32 {
                key = key.chars(c.to_lowercase());
            } else {
                // Long chunks are distinguished by their ends only.
                key = Key::of(32).with(u64::from(c));
            }
            self.left.push(key.value());
            self.own.push(start);
        }
        match features {
            Features::Characters => self.chunks.clear(),
            Features::Chunks => self.chunks.read(&self.all),
        }
        self.right.clear();
        self.right.resize(length, 0);
        self.next.clear();
        self.next.resize(length, length as u32);
        let (mut key, mut next, mut piece) = (Key::of(31), length as u32, length as u32);
        for at in (0..length).rev() {
            let (c, _, class) = self.all[at];
            if class == SPACE {
                if self.all.get(at + 1).is_some_and(|after| after.2 != SPACE) {
                    piece = at as u32 + 1;
                }
                key = Key::of(31);
                next = piece;
            }
            self.right[at] = key.value();
            self.next[at] = next;
            if class != SPACE {
                key = key.chars(c.to_lowercase());
            }
        }
    }

    pub(super) fn class(&self, at: usize) -> u8 {
        self.all.get(at).map_or(EDGE, |own| own.2)
    }

    pub(super) fn is_space(&self, at: usize) -> bool {
        self.class(at) == SPACE
    }

    /// The hashes of the text of the chunk up to the character at `at`, and from there on.
    pub(super) fn sides(&self, at: usize) -> (u64, u64) {
        (self.left[at], self.right[at])
    }

    /// A character and its class, at an offset; beyond the text both are 1.
    pub(super) fn near(&self, at: usize, offset: isize) -> (u64, u64) {
        let own = at.checked_add_signed(offset).and_then(|at| self.all.get(at));
        own.map_or((1, 1), |&(c, _, class)| {
            let c = if class == SPACE { ' ' } else { c };
            (u64::from(c) + 2, u64::from(class) + 2)
        })
    }

    /// The names of the features of the decision after the character at `at`.
    pub(super) fn features(&self, at: usize, mut feature: impl FnMut(u32)) {
        if !self.chunks.is_empty() {
            self.chunk_features(at, &mut feature);
        }
        let mut name = Namer::new(KIND, feature);
        let [p2, p1, own, n1, n2, n3] = [-2, -1, 0, 1, 2, 3].map(|offset| self.near(at, offset));
        name.feature([own.0]);
        name.feature([n1.0]);
        name.feature([own.0, n1.0]);
        name.feature([p1.0, own.0, n1.0]);
        name.feature([own.0, n1.0, n2.0]);
        name.feature([own.0, n1.0, n2.1, n3.1]);
        name.feature([p2.0, p1.0, own.0, n1.0]);
        name.feature([p1.0, own.0, n1.0, n2.0]);
        name.feature([p1.1, own.1, n1.1]);
        name.feature([p2.1, p1.1, own.1, n1.1, n2.1]);
        name.feature([p1.1, own.1, n1.1, n2.1, n3.1]);
        let (left, right) = (self.left[at], self.right[at]);
        name.feature([left, n1.1]);
        name.feature([own.1, right]);
        name.feature([left, right]);
        name.feature([own.0, n1.1, right]);
        // The next chunk and the previous one, for the ends of sentences.
        let next = self.next[at] as usize;
        let (first, first_class) = self.near(next, 0);
        let whole = self.all.get(next).map_or(1, |_| self.right_of_piece(next));
        name.feature([own.0, n1.1, first_class]);
        name.feature([own.0, n1.1, first]);
        name.feature([left, n1.1, first_class]);
        name.feature([own.0, n1.1, whole]);
        name.feature([own.1, n1.1, whole]);
        let start = self.own[at] as usize;
        let length = (at + 1 - start).min(6) as u64 + 1;
        name.feature([own.0, n1.1, first_class, length]);
        let before = start.checked_sub(2).map_or(1, |end| self.left[end]);
        name.feature([before, own.0, n1.1]);
        name.feature([before, left, n1.1]);
    }

    /// The hash of the chunk that begins at `at`.
    fn right_of_piece(&self, at: usize) -> u64 {
        Key::of(33).with(u64::from(self.all[at].0)).with(self.right[at]).value()
    }
}
