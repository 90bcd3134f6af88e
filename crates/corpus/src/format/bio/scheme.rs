//! Conversion of tags to entity spans, and back.
//!
//! | scheme | first of several | inside | last of several | alone |
//! |---|---|---|---|---|
//! | [`Scheme::Iob1`] | `I`, or `B` right after an entity of the same class | `I` | `I` | as first |
//! | [`Scheme::Iob2`] | `B` | `I` | `I` | `B` |
//! | [`Scheme::Bioes`] | `B` | `I` | `E` | `S` |

/// A tagging scheme for spans.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Scheme {
    /// `B` only where two entities of one class are adjacent (CoNLL-2003 as distributed).
    Iob1,
    /// Every entity begins with `B`.
    #[default]
    Iob2,
    /// The last token and single tokens are marked as well.
    Bioes,
}

/// A span of tokens with a class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Entity<'a> {
    /// Index of its first token.
    pub start: usize,
    /// Index after its last token.
    pub end: usize,
    /// Its class.
    pub class: &'a str,
}

/// A tag that is not allowed in its position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the tag {tag:?} of token {} is not allowed there in the scheme {scheme:?}: expected {expected}", index + 1)]
pub struct TagError {
    /// Index of the token, counted from 0; the number of tokens if the sentence ends too early.
    pub index: usize,
    /// The tag found.
    pub tag: String,
    /// The scheme.
    pub scheme: Scheme,
    /// What would be allowed.
    pub expected: String,
}

/// Why spans cannot be written as tags.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpanError {
    /// The span is empty or exceeds the sentence.
    #[error("the span {start}..{end} is empty or exceeds the sentence of {length} tokens")]
    Bounds {
        /// First token.
        start: usize,
        /// After the last token.
        end: usize,
        /// Number of tokens in the sentence.
        length: usize,
    },
    /// Tags cannot express nesting or overlap, and spans must be in order.
    #[error("the span that begins at token {start} overlaps the previous one, or is out of order")]
    Overlap {
        /// First token.
        start: usize,
    },
    /// A class must not be empty or contain a tab, CR or LF.
    #[error("{class:?} cannot be the class of an entity")]
    Class {
        /// The class.
        class: String,
    },
}

/// The parts of a tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tag<'a> {
    Outside,
    Chunk(Prefix, &'a str),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Prefix {
    Begin,
    Inside,
    End,
    Single,
}

impl<'a> Tag<'a> {
    pub(super) fn parse(text: &'a str) -> Option<Tag<'a>> {
        if text == "O" {
            return Some(Tag::Outside);
        }
        let (prefix, class) = text.split_once('-')?;
        let prefix = match prefix {
            "B" => Prefix::Begin,
            "I" => Prefix::Inside,
            "E" => Prefix::End,
            "S" => Prefix::Single,
            _ => return None,
        };
        (!class.is_empty()).then_some(Tag::Chunk(prefix, class))
    }
}

impl Scheme {
    /// The entities of `tags`, if these follow the scheme.
    ///
    /// ```
    /// use eigentree_corpus::format::bio::{Entity, Scheme};
    /// let entities = Scheme::Iob2.entities(["B-PER", "I-PER", "O", "B-LOC"])?;
    /// assert_eq!(entities[0], Entity { start: 0, end: 2, class: "PER" });
    /// assert!(Scheme::Iob2.entities(["O", "I-PER"]).is_err());
    /// # Ok::<(), eigentree_corpus::format::bio::TagError>(())
    /// ```
    pub fn entities<'a>(self, tags: impl IntoIterator<Item = &'a str>) -> Result<Vec<Entity<'a>>, TagError> {
        let mut entities: Vec<Entity<'a>> = Vec::new();
        // The class of the entity that the last token belongs to and that may continue.
        let mut open: Option<&'a str> = None;
        let mut length = 0;
        for (index, text) in tags.into_iter().enumerate() {
            length = index + 1;
            let fault = |expected: String| TagError { index, tag: text.to_owned(), scheme: self, expected };
            let tag = Tag::parse(text)
                .ok_or_else(|| fault("`O`, or `B`, `I`, `E` or `S` with `-` and a class".to_owned()))?;
            match (self, tag) {
                (Scheme::Bioes, Tag::Outside | Tag::Chunk(Prefix::Begin | Prefix::Single, _)) => {
                    if let Some(class) = open {
                        return Err(fault(format!(
                            "\"I-{class}\" or \"E-{class}\", since the entity has not ended"
                        )));
                    }
                }
                (Scheme::Iob1 | Scheme::Iob2, Tag::Chunk(Prefix::End | Prefix::Single, _)) => {
                    return Err(fault("`O`, `B-` or `I-`".to_owned()));
                }
                (Scheme::Iob1, Tag::Chunk(Prefix::Begin, class)) if open != Some(class) => {
                    return Err(fault(format!(
                        "\"I-{class}\", since no entity of this class ends before it"
                    )));
                }
                (Scheme::Iob2 | Scheme::Bioes, Tag::Chunk(Prefix::Inside | Prefix::End, class))
                    if open != Some(class) =>
                {
                    return Err(fault(format!(
                        "an entity of class {class} to continue; it must begin with \"B-{class}\""
                    )));
                }
                _ => {}
            }
            let Tag::Chunk(prefix, class) = tag else {
                open = None;
                continue;
            };
            let goes_on = matches!(prefix, Prefix::Inside | Prefix::End) && open == Some(class);
            match entities.last_mut() {
                Some(entity) if goes_on => entity.end = index + 1,
                _ => entities.push(Entity { start: index, end: index + 1, class }),
            }
            open = matches!(prefix, Prefix::Begin | Prefix::Inside).then_some(class);
        }
        match open {
            Some(class) if self == Scheme::Bioes => Err(TagError {
                index: length,
                tag: String::new(),
                scheme: self,
                expected: format!("\"E-{class}\" before the end of the sentence"),
            }),
            _ => Ok(entities),
        }
    }

    /// The tags of a sentence of `length` tokens with these entities, which must be in order and must not overlap.
    pub fn tags(self, entities: &[Entity<'_>], length: usize) -> Result<Vec<String>, SpanError> {
        let mut tags = vec!["O".to_owned(); length];
        let mut previous: Option<&Entity<'_>> = None;
        for entity in entities {
            let &Entity { start, end, class } = entity;
            if start >= end || end > length {
                return Err(SpanError::Bounds { start, end, length });
            }
            if previous.is_some_and(|previous| start < previous.end) {
                return Err(SpanError::Overlap { start });
            }
            if class.is_empty() || class.contains(['\t', '\r', '\n']) {
                return Err(SpanError::Class { class: class.to_owned() });
            }
            let touches = previous.is_some_and(|previous| previous.end == start && previous.class == class);
            for (index, tag) in tags.iter_mut().enumerate().take(end).skip(start) {
                let prefix = match (self, index == start, index + 1 == end) {
                    (Scheme::Iob1, true, _) => {
                        if touches {
                            "B"
                        } else {
                            "I"
                        }
                    }
                    (Scheme::Iob2, true, _) => "B",
                    (Scheme::Bioes, true, true) => "S",
                    (Scheme::Bioes, true, false) => "B",
                    (Scheme::Bioes, false, true) => "E",
                    (_, false, _) => "I",
                };
                *tag = format!("{prefix}-{class}");
            }
            previous = Some(entity);
        }
        Ok(tags)
    }
}

/// The entities of any sequence of tags, in whatever scheme and however invalid, by the rules of the conlleval scorer:
/// an entity begins at `B`, `S`, or at an `I` or `E` that cannot continue the previous one; it ends after `E` or `S`,
/// and before `O`, `B`, `S` or another class. A tag of unknown form counts as `O`.
pub fn lenient_entities<'a>(tags: impl IntoIterator<Item = &'a str>) -> Vec<Entity<'a>> {
    let mut entities: Vec<Entity<'a>> = Vec::new();
    let mut open: Option<&'a str> = None;
    for (index, text) in tags.into_iter().enumerate() {
        let Tag::Chunk(prefix, class) = Tag::parse(text).unwrap_or(Tag::Outside) else {
            open = None;
            continue;
        };
        let goes_on = matches!(prefix, Prefix::Inside | Prefix::End) && open == Some(class);
        match entities.last_mut() {
            Some(entity) if goes_on => entity.end = index + 1,
            _ => entities.push(Entity { start: index, end: index + 1, class }),
        }
        open = matches!(prefix, Prefix::Begin | Prefix::Inside).then_some(class);
    }
    entities
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMES: [Scheme; 3] = [Scheme::Iob1, Scheme::Iob2, Scheme::Bioes];

    fn entity(start: usize, end: usize, class: &str) -> Entity<'_> {
        Entity { start, end, class }
    }

    #[test]
    fn one_set_of_spans_in_three_schemes() {
        let spans = [entity(0, 2, "A"), entity(2, 3, "A"), entity(3, 4, "B"), entity(5, 8, "A-B")];
        let expected = [
            "I-A I-A B-A I-B O I-A-B I-A-B I-A-B",
            "B-A I-A B-A B-B O B-A-B I-A-B I-A-B",
            "B-A E-A S-A S-B O B-A-B I-A-B E-A-B",
        ];
        for (scheme, expected) in SCHEMES.into_iter().zip(expected) {
            let tags = scheme.tags(&spans, 8).unwrap();
            assert_eq!(tags.join(" "), expected);
            assert_eq!(scheme.entities(tags.iter().map(String::as_str)).unwrap(), spans);
            assert_eq!(lenient_entities(tags.iter().map(String::as_str)), spans);
        }
    }

    #[test]
    fn wrong_orders_are_found_where_they_are() {
        let fault = |scheme: Scheme, tags: &str| scheme.entities(tags.split(' ')).unwrap_err().index;
        assert_eq!(fault(Scheme::Iob2, "O I-A"), 1);
        assert_eq!(fault(Scheme::Iob2, "B-A I-B"), 1);
        assert_eq!(fault(Scheme::Iob2, "B-A E-A"), 1);
        assert_eq!(fault(Scheme::Iob1, "O B-A"), 1);
        assert_eq!(fault(Scheme::Iob1, "I-B B-A"), 1);
        assert_eq!(fault(Scheme::Bioes, "B-A O"), 1);
        assert_eq!(fault(Scheme::Bioes, "S-A E-A"), 1);
        assert_eq!(fault(Scheme::Bioes, "S-A B-A"), 2);
        assert_eq!(fault(Scheme::Iob2, "O X-A"), 1);
        assert_eq!(fault(Scheme::Iob2, "O B-"), 1);
    }

    #[test]
    fn lenience_follows_conlleval() {
        let spans = |tags: &str| -> Vec<(usize, usize)> {
            lenient_entities(tags.split(' ')).iter().map(|entity| (entity.start, entity.end)).collect()
        };
        assert_eq!(spans("O I-A I-A I-B"), [(1, 3), (3, 4)]);
        assert_eq!(spans("B-A E-A E-A"), [(0, 2), (2, 3)]);
        assert_eq!(spans("S-A I-A"), [(0, 1), (1, 2)]);
        assert_eq!(spans("B-A ? I-A"), [(0, 1), (2, 3)]);
    }

    #[test]
    fn every_valid_sequence_comes_back() {
        // All sequences of five tags over two classes: those that a scheme accepts are written back unchanged.
        let alphabet = ["O", "B-A", "I-A", "E-A", "S-A", "B-B", "I-B", "E-B", "S-B"];
        for scheme in SCHEMES {
            let mut valid = 0;
            for code in 0..alphabet.len().pow(5) {
                let tags: Vec<&str> =
                    (0..5).map(|place| alphabet[code / alphabet.len().pow(place) % alphabet.len()]).collect();
                if let Ok(entities) = scheme.entities(tags.iter().copied()) {
                    assert_eq!(scheme.tags(&entities, 5).unwrap(), tags, "{scheme:?}");
                    assert_eq!(lenient_entities(tags.iter().copied()), entities, "{scheme:?} {tags:?}");
                    valid += 1;
                }
            }
            // Sets of disjoint spans over n tokens with two classes: a(n) = 4 a(n-1) - a(n-2) = 1, 3, 11, 41, 153, 571.
            assert_eq!(valid, 571, "{scheme:?}");
        }
    }

    #[test]
    fn spans_that_tags_cannot_express_are_refused() {
        let scheme = Scheme::Iob2;
        assert!(matches!(scheme.tags(&[entity(1, 1, "A")], 2), Err(SpanError::Bounds { .. })));
        assert!(matches!(scheme.tags(&[entity(1, 3, "A")], 2), Err(SpanError::Bounds { .. })));
        assert!(matches!(
            scheme.tags(&[entity(0, 2, "A"), entity(1, 2, "B")], 2),
            Err(SpanError::Overlap { start: 1 })
        ));
        assert!(matches!(scheme.tags(&[entity(0, 1, "")], 1), Err(SpanError::Class { .. })));
    }
}
