//! The features of a form with its tags.

use models::log_linear::{Key, Namer};

use super::data::SEPARATOR;

/// Name space of features, distinct from those of taggers and tokenizers.
const KIND: u64 = 4 << 32;

/// Length of the longest ending, in characters.
const ENDINGS: usize = 8;
/// Length of the longest beginning.
const BEGINNINGS: usize = 4;
/// Endings up to this length are combined with single attributes.
const SHORT_ENDINGS: usize = 3;

/// Whether the letters of a form are capitals: none, the first, all, others.
fn case(form: &str) -> u64 {
    let mut letters = form.chars().filter(|c| c.is_alphabetic());
    let first = letters.next().is_some_and(char::is_uppercase);
    let (mut upper, mut lower) = (0, 0);
    letters.for_each(|c| if c.is_uppercase() { upper += 1 } else { lower += 1 });
    match (first, upper, lower) {
        (false, 0, _) => 1,
        (true, 0, 0) => 2,
        (true, 0, _) => 3,
        (true, _, 0) => 4,
        _ => 5,
    }
}

/// Calls `feature` with the names of all features.
pub(super) fn features(form: &str, lower: &[char], context: &str, feature: impl FnMut(u32)) {
    let mut name = Namer::new(KIND, feature);
    let text = |kind: u64, text: &str| match text {
        "" => 0,
        _ => Key::of(kind).chars(text.chars()).value(),
    };
    let mut tags = context.split(SEPARATOR);
    let first = text(40, tags.next().unwrap_or_default());
    let all = text(41, context);
    let case = case(form);
    name.feature([first]);
    name.feature([all]);
    name.feature([case]);
    name.feature([case, first]);
    name.feature([case, all]);
    let mut endings = [0; ENDINGS];
    let mut key = Key::of(42);
    for (value, &c) in endings.iter_mut().zip(lower.iter().rev()) {
        key = key.with(u64::from(c));
        *value = key.value();
    }
    // The whole form is an ending of its own.
    if let Some(last) = endings.get_mut(lower.len()) {
        *last = key.with(1).value();
    }
    for ending in endings {
        name.feature([ending]);
        name.feature([ending, first]);
        name.feature([ending, all]);
    }
    let mut key = Key::of(43);
    for place in 0..BEGINNINGS {
        let beginning = lower.get(place).map_or(0, |&c| {
            key = key.with(u64::from(c));
            key.value()
        });
        name.feature([beginning]);
        name.feature([beginning, first]);
    }
    name.feature([lower.len().min(6) as u64 + 1, endings[0], first]);
    // Single attributes: the position of a feature must not depend on how many there are.
    let attributes = tags.flat_map(|tag| tag.split('|')).filter(|attribute| !attribute.is_empty());
    for attribute in attributes {
        let attribute = text(44, attribute);
        let mut own = name.again();
        own.feature([attribute, first]);
        for ending in endings.into_iter().take(SHORT_ENDINGS) {
            own.feature([ending, attribute, first]);
        }
    }
}
