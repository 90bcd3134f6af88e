//! Features of an arc with its neighbours: the inner sibling, the arc above it, both; and of the end of a head's
//! modifiers.
//!
//! A search asks for an arc with all its possible siblings and grandparents. Most features of a neighbour differ from
//! those of the next one in the slot of its tag alone, so what an arc shares with all of them is hashed once
//! ([`Siblings`], [`Grandparents`], [`GrandSiblings`]).

use super::hashing::{cross, pair};
use super::weights::Bits;
use super::words::View::{Feats, Form, FormTag, Tag, Upos};
use super::words::{View, Views, distance_class};
use crate::arcs::{Around, Need, Part, Side};

/// Stands for a missing neighbour.
const NOBODY: u64 = 0x6e6f_626f_6479;

/// The first id of the features of each kind of part.
mod purpose {
    pub(super) const SIBLING: u64 = 1000;
    pub(super) const END: u64 = 1100;
    pub(super) const GRANDPARENT: u64 = 1200;
    pub(super) const GRAND_SIBLING: u64 = 1300;
}

/// The place of a feature in the table, by the kind of part and the directions of its arcs.
#[derive(Clone, Copy, Debug)]
struct Places {
    bits: Bits,
    /// The first id of this kind of part.
    purpose: u64,
    /// Directions, conjoined with every feature.
    shape: u64,
}

impl Places {
    /// The position of the feature with this number.
    #[inline]
    fn at(self, number: u64, left: u64, right: u64) -> u32 {
        self.bits.place(cross(left ^ self.shape, right, self.purpose + number))
    }

    /// The first position of the group of weights that neighbours with different tags share.
    #[inline]
    fn group(self, number: u64, left: u64, right: u64) -> u32 {
        self.bits.in_group(cross(left ^ self.shape, right, self.purpose + number), 0)
    }
}

/// The views of a word that neighbours are combined with.
#[derive(Clone, Copy, Debug)]
struct Facts {
    tag: u64,
    upos: u64,
    form: u64,
}

impl Facts {
    #[inline]
    fn of(views: &Views, at: u32) -> Self {
        let of = |view: View| views.of(at as usize, view);
        Self { tag: of(Tag), upos: of(Upos), form: of(Form) }
    }

    /// Those of a word that may be missing: the root is never a sibling, so its number stands for that.
    #[inline]
    fn of_neighbour(views: &Views, at: u32) -> Self {
        if at == 0 { Self { tag: NOBODY, upos: NOBODY, form: NOBODY } } else { Self::of(views, at) }
    }
}

/// The slots of a sibling, or none: of its universal tag and of its tag.
#[inline]
fn slots(views: &Views, at: u32) -> (u32, u32) {
    if at == 0 { (0, 0) } else { (views.upos_slot(at), views.tag_slot(at)) }
}

#[inline]
fn direction(from: u32, to: u32) -> u64 {
    u64::from(from < to)
}

/// An arc, to be combined with any inner sibling.
struct Siblings<'v> {
    views: &'v Views,
    places: Places,
    head: u32,
    modifier: u32,
    of_head: Facts,
    of_modifier: Facts,
    by_tag: [u32; 2],
    by_upos: [u32; 3],
}

impl<'v> Siblings<'v> {
    #[inline]
    fn new(views: &'v Views, head: u32, modifier: u32, bits: Bits) -> Self {
        let shape = (direction(head, modifier) + 2) << 40;
        let places = Places { bits, purpose: purpose::SIBLING, shape };
        let (h, m) = (Facts::of(views, head), Facts::of(views, modifier));
        let by_tag = [places.group(1, h.tag, m.tag), places.group(4, h.form, m.tag)];
        let by_upos = [
            places.group(2, h.upos, m.upos),
            places.group(3, h.form, m.upos),
            places.group(6, h.upos, m.form),
        ];
        Self { views, places, head, modifier, of_head: h, of_modifier: m, by_tag, by_upos }
    }

    #[inline]
    fn put(&self, sibling: u32, to: &mut Vec<u32>) {
        let Self { views, places, of_head: h, of_modifier: m, by_tag, by_upos, .. } = self;
        let s = Facts::of_neighbour(views, sibling);
        let (upos_slot, tag_slot) = slots(views, sibling);
        let both = [
            by_tag[0] | tag_slot,
            by_upos[0] | upos_slot,
            by_upos[1] | upos_slot,
            by_tag[1] | tag_slot,
            places.at(5, h.upos, pair(s.form, m.upos)),
            by_upos[2] | upos_slot,
        ];
        to.extend_from_slice(&both);
        let of = |at: u32, view: View| views.of(at as usize, view);
        if sibling > 0 {
            let (low, high) = (sibling.min(self.modifier) as usize, sibling.max(self.modifier) as usize);
            to.extend_from_slice(&[
                places.at(7, NOBODY, pair(s.tag, m.tag)),
                places.at(8, s.form, m.tag),
                places.at(9, s.tag, m.form),
                places.at(10, s.form, m.form),
                places.at(11, h.upos, pair(of(sibling, Feats), of(self.modifier, Feats))),
                places.at(12, pair(h.upos, pair(s.upos, m.upos)), distance_class(low, high)),
            ]);
        } else {
            to.extend_from_slice(&[
                places.at(7, h.tag, of(self.modifier, FormTag)),
                places.at(8, of(self.head, FormTag), m.tag),
            ]);
        }
    }
}

/// An arc, to be combined with any grandparent in the same directions.
struct Grandparents<'v> {
    views: &'v Views,
    places: Places,
    of_modifier: Facts,
    coarse: u64,
    by_tag: [u32; 3],
    by_upos: [u32; 5],
}

impl<'v> Grandparents<'v> {
    /// The directions of the arcs of a part.
    #[inline]
    fn shape(grandparent: u32, head: u32, modifier: u32) -> u64 {
        (direction(grandparent, head)
            + 2 * direction(head, modifier)
            + 4 * direction(grandparent, modifier)
            + 8)
            << 40
    }

    #[inline]
    fn new(views: &'v Views, shape: u64, head: u32, modifier: u32, bits: Bits) -> Self {
        let places = Places { bits, purpose: purpose::GRANDPARENT, shape };
        let (h, m) = (Facts::of(views, head), Facts::of(views, modifier));
        let by_tag = [places.group(1, h.tag, m.tag), places.group(3, 0, m.tag), places.group(5, 0, m.form)];
        let by_upos = [
            places.group(2, h.upos, m.upos),
            places.group(8, h.form, m.upos),
            places.group(9, h.upos, m.form),
            places.group(10, h.form, m.form),
            places.group(11, h.upos, views.of(modifier as usize, Feats)),
        ];
        Self { views, places, of_modifier: m, coarse: pair(h.upos, m.upos), by_tag, by_upos }
    }

    #[inline]
    fn put(&self, grandparent: u32, to: &mut Vec<u32>) {
        let Self { views, places, of_modifier: m, coarse, by_tag, by_upos } = self;
        let form = views.of(grandparent as usize, Form);
        let (upos_slot, tag_slot) = (views.upos_slot(grandparent), views.tag_slot(grandparent));
        to.extend_from_slice(&[
            by_tag[0] | tag_slot,
            by_upos[0] | upos_slot,
            by_tag[1] | tag_slot,
            places.at(4, form, m.tag),
            by_tag[2] | tag_slot,
            places.at(6, form, m.form),
            places.at(7, form, *coarse),
            by_upos[1] | upos_slot,
            by_upos[2] | upos_slot,
            by_upos[3] | upos_slot,
            by_upos[4] | upos_slot,
        ]);
    }
}

/// An arc with the arc above it, to be combined with any inner sibling.
struct GrandSiblings<'v> {
    views: &'v Views,
    groups: [u32; 3],
}

impl<'v> GrandSiblings<'v> {
    #[inline]
    fn new(views: &'v Views, grandparent: u32, head: u32, modifier: u32, bits: Bits) -> Self {
        let shape = (direction(grandparent, head) + 2 * direction(head, modifier) + 4) << 40;
        let places = Places { bits, purpose: purpose::GRAND_SIBLING, shape };
        let of = |at: u32, view: View| views.of(at as usize, view);
        let (upos, tag, upos_g) = (of(modifier, Upos), of(modifier, Tag), of(grandparent, Upos));
        let groups = [
            places.group(1, pair(upos_g, of(head, Upos)), upos),
            places.group(2, pair(of(grandparent, Tag), of(head, Tag)), tag),
            places.group(3, upos_g, upos),
        ];
        Self { views, groups }
    }

    #[inline]
    fn put(&self, sibling: u32, to: &mut Vec<u32>) {
        let (upos_slot, tag_slot) = slots(self.views, sibling);
        let [coarse, fine, without_head] = self.groups;
        to.extend_from_slice(&[coarse | upos_slot, fine | tag_slot, without_head | upos_slot]);
    }
}

fn end(views: &Views, head: u32, last: u32, side: Side, bits: Bits, to: &mut Vec<u32>) {
    let shape = (u64::from(side == Side::Right) + 2) << 40;
    let places = Places { bits, purpose: purpose::END, shape };
    let (h, l) = (Facts::of(views, head), Facts::of_neighbour(views, last));
    // The word next to the head, if it is not its modifier, says more than the head alone.
    let next = if side == Side::Right { View::TagAfter } else { View::BeforeTag };
    to.extend_from_slice(&[
        places.at(1, h.tag, l.tag),
        places.at(2, h.upos, l.upos),
        places.at(3, h.form, l.tag),
        places.at(4, h.form, l.upos),
        places.at(5, h.upos, l.form),
        places.at(6, views.of(head as usize, Feats), l.upos),
        places.at(7, views.of(head as usize, next), l.upos),
    ]);
}

/// Adds the table positions of all features of a part other than a single arc.
pub(super) fn neighbours(views: &Views, part: Part, bits: Bits, places: &mut Vec<u32>) {
    match part {
        Part::Arc { .. } => {}
        Part::Sibling { head, sibling, modifier } => {
            Siblings::new(views, head, modifier, bits).put(sibling, places);
        }
        Part::End { head, last, side } => end(views, head, last, side, bits, places),
        Part::Grandparent { grandparent, head, modifier } => {
            let shape = Grandparents::shape(grandparent, head, modifier);
            Grandparents::new(views, shape, head, modifier, bits).put(grandparent, places);
        }
        Part::GrandSibling { grandparent, head, sibling, modifier } => {
            GrandSiblings::new(views, grandparent, head, modifier, bits).put(sibling, places);
        }
    }
}

/// Adds the table positions of an arc's neighbours, as [`neighbours`] does for each of [`Around::parts`] after the arc
/// itself, and calls `done` after each part with all positions so far.
#[inline]
pub(super) fn around(
    views: &Views,
    head: u32,
    modifier: u32,
    around: &Around,
    bits: Bits,
    places: &mut Vec<u32>,
    mut done: impl FnMut(&[u32]),
) {
    if around.needs.end == Need::Score {
        end(views, head, modifier, if head < modifier { Side::Right } else { Side::Left }, bits, places);
        done(places);
    }
    if around.needs.neighbours == Need::Nothing {
        return;
    }
    let siblings = Siblings::new(views, head, modifier, bits);
    for &sibling in &around.siblings {
        siblings.put(sibling, places);
        done(places);
    }
    let mut known: Option<Grandparents<'_>> = None;
    for &grandparent in &around.grandparents {
        let shape = Grandparents::shape(grandparent, head, modifier);
        let same = known.take().filter(|grandparents| grandparents.places.shape == shape);
        let grandparents = same.unwrap_or_else(|| Grandparents::new(views, shape, head, modifier, bits));
        grandparents.put(grandparent, places);
        done(places);
        known = Some(grandparents);
    }
    for &grandparent in &around.grandparents {
        let both = GrandSiblings::new(views, grandparent, head, modifier, bits);
        for &sibling in &around.siblings {
            both.put(sibling, places);
            done(places);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arcs::Word;
    use crate::mst::words::Lemmas;

    fn views() -> Views {
        let word = |form, upos, xpos| Word { form, lemma: form, upos, xpos, feats: "Number=Sing" };
        let mut views = Views::default();
        let words = [
            word("the", "DET", "DT"),
            word("old", "ADJ", "JJ"),
            word("dog", "NOUN", "NN"),
            word("barks", "VERB", "VBZ"),
            word("again", "ADV", "RB"),
        ];
        views.read(&words, Lemmas::Ignore, None);
        views
    }

    #[test]
    fn neighbours_together_are_those_one_by_one() {
        let views = views();
        let bits = Bits(22);
        let arcs =
            [(3, 1, vec![0, 2], vec![0, 4, 5]), (4, 5, vec![0], vec![0, 1, 2]), (4, 2, vec![0, 3], vec![5])];
        for (head, modifier, siblings, grandparents) in arcs {
            let asked = Around { siblings, grandparents, ..Around::default() };
            let (mut together, mut ends) = (Vec::new(), Vec::new());
            around(&views, head, modifier, &asked, bits, &mut together, |places| ends.push(places.len()));
            let (mut single, mut single_ends) = (Vec::new(), Vec::new());
            for part in asked.parts(head, modifier).skip(1) {
                neighbours(&views, part, bits, &mut single);
                single_ends.push(single.len());
            }
            assert_eq!((together, ends), (single, single_ends));
        }
    }

    /// Model files depend on these positions.
    #[test]
    fn positions_stay_what_they_are() {
        let views = views();
        let mut sum = 0_u64;
        let mut places = Vec::new();
        for part in [
            Part::Sibling { head: 4, sibling: 2, modifier: 1 },
            Part::Sibling { head: 4, sibling: 0, modifier: 3 },
            Part::End { head: 4, last: 5, side: Side::Right },
            Part::Grandparent { grandparent: 4, head: 3, modifier: 1 },
            Part::GrandSibling { grandparent: 4, head: 3, sibling: 2, modifier: 1 },
        ] {
            neighbours(&views, part, Bits(22), &mut places);
        }
        for &place in &places {
            sum = sum * 31 % 1_000_003 + u64::from(place);
        }
        assert_eq!((places.len(), sum), (41, 4221793));
    }
}
