//! Features of an arc with its neighbours: the inner sibling, the arc above it, both; and of the end of a head's
//! modifiers.

use super::hashing::{cross, pair};
use super::weights::Bits;
use super::words::View::{Feats, Form, FormTag, Tag, Upos};
use super::words::{View, Views, distance_class};
use crate::arcs::{Part, Side};

/// Stands for a missing neighbour.
const NOBODY: u64 = 0x6e6f_626f_6479;

/// The first id of the features of each kind of part.
mod purpose {
    pub(super) const SIBLING: u64 = 1000;
    pub(super) const END: u64 = 1100;
    pub(super) const GRANDPARENT: u64 = 1200;
    pub(super) const GRAND_SIBLING: u64 = 1300;
}

/// Adds features to `places`, with consecutive ids.
struct Put<'a> {
    views: &'a Views,
    bits: Bits,
    number: u64,
    /// Directions, conjoined with every feature.
    shape: u64,
    places: &'a mut Vec<u32>,
}

impl Put<'_> {
    #[inline]
    fn of(&self, at: u32, view: View) -> u64 {
        // The root is never a sibling, so its number can stand for a missing one.
        self.views.of(at as usize, view)
    }

    #[inline]
    fn neighbour(&self, at: u32, view: View) -> u64 {
        if at == 0 { NOBODY } else { self.of(at, view) }
    }

    /// The slots of a neighbour: of its universal tag and of its tag.
    #[inline]
    fn slots(&self, at: u32) -> (u32, u32) {
        if at == 0 { (0, 0) } else { (self.views.upos_slot(at), self.views.tag_slot(at)) }
    }

    /// A feature that combines what all neighbours of a batch share with one neighbour, which has a slot.
    #[inline]
    fn put_in(&mut self, left: u64, right: u64, slot: u32) {
        self.number += 1;
        self.places.push(self.bits.in_group(cross(left ^ self.shape, right, self.number), slot));
    }

    #[inline]
    fn put(&mut self, left: u64, right: u64) {
        self.number += 1;
        self.places.push(self.bits.place(cross(left ^ self.shape, right, self.number)));
    }
}

/// Adds the table positions of all features of a part other than a single arc.
pub(super) fn neighbours(views: &Views, part: Part, bits: Bits, places: &mut Vec<u32>) {
    let direction = |from: u32, to: u32| u64::from(from < to);
    match part {
        Part::Arc { .. } => {}
        Part::Sibling { head, sibling, modifier } => {
            let shape = (direction(head, modifier) + 2) << 40;
            let mut put = Put { views, bits, number: purpose::SIBLING, shape, places };
            let (tag, upos, form) = (put.of(modifier, Tag), put.of(modifier, Upos), put.of(modifier, Form));
            let (tag_s, upos_s, form_s) =
                (put.neighbour(sibling, Tag), put.neighbour(sibling, Upos), put.neighbour(sibling, Form));
            let (tag_h, upos_h, form_h) = (put.of(head, Tag), put.of(head, Upos), put.of(head, Form));
            let tags = pair(tag_s, tag);
            let coarse = pair(upos_s, upos);
            let (upos_slot, tag_slot) = put.slots(sibling);
            put.put_in(tag_h, tag, tag_slot);
            put.put_in(upos_h, upos, upos_slot);
            put.put_in(form_h, upos, upos_slot);
            put.put_in(form_h, tag, tag_slot);
            put.put(upos_h, pair(form_s, upos));
            put.put_in(upos_h, form, upos_slot);
            if sibling > 0 {
                put.put(NOBODY, tags);
                put.put(form_s, tag);
                put.put(tag_s, form);
                put.put(form_s, form);
                put.put(upos_h, pair(put.of(sibling, Feats), put.of(modifier, Feats)));
                let (low, high) = (sibling.min(modifier) as usize, sibling.max(modifier) as usize);
                put.put(pair(upos_h, coarse), distance_class(low, high));
            } else {
                put.put(tag_h, put.of(modifier, FormTag));
                put.put(put.of(head, FormTag), tag);
            }
        }
        Part::End { head, last, side } => {
            let shape = (u64::from(side == Side::Right) + 2) << 40;
            let mut put = Put { views, bits, number: purpose::END, shape, places };
            let (tag_l, upos_l, form_l) =
                (put.neighbour(last, Tag), put.neighbour(last, Upos), put.neighbour(last, Form));
            let (tag_h, upos_h, form_h) = (put.of(head, Tag), put.of(head, Upos), put.of(head, Form));
            put.put(tag_h, tag_l);
            put.put(upos_h, upos_l);
            put.put(form_h, tag_l);
            put.put(form_h, upos_l);
            put.put(upos_h, form_l);
            put.put(put.of(head, Feats), upos_l);
            // The word next to the head, if it is not its modifier, says more than the head alone.
            put.put(put.of(head, if side == Side::Right { View::TagAfter } else { View::BeforeTag }), upos_l);
        }
        Part::Grandparent { grandparent, head, modifier } => {
            let shape = (direction(grandparent, head)
                + 2 * direction(head, modifier)
                + 4 * direction(grandparent, modifier)
                + 8)
                << 40;
            let mut put = Put { views, bits, number: purpose::GRANDPARENT, shape, places };
            let (tag, upos, form) = (put.of(modifier, Tag), put.of(modifier, Upos), put.of(modifier, Form));
            let form_g = put.of(grandparent, Form);
            let (tag_h, upos_h, form_h) = (put.of(head, Tag), put.of(head, Upos), put.of(head, Form));
            let (upos_slot, tag_slot) = (views.upos_slot(grandparent), views.tag_slot(grandparent));
            put.put_in(tag_h, tag, tag_slot);
            put.put_in(upos_h, upos, upos_slot);
            put.put_in(0, tag, tag_slot);
            put.put(form_g, tag);
            put.put_in(0, form, tag_slot);
            put.put(form_g, form);
            put.put(form_g, pair(upos_h, upos));
            put.put_in(form_h, upos, upos_slot);
            put.put_in(upos_h, form, upos_slot);
            put.put_in(form_h, form, upos_slot);
            put.put_in(upos_h, put.of(modifier, Feats), upos_slot);
        }
        Part::GrandSibling { grandparent, head, sibling, modifier } => {
            let shape = (direction(grandparent, head) + 2 * direction(head, modifier) + 4) << 40;
            let mut put = Put { views, bits, number: purpose::GRAND_SIBLING, shape, places };
            let (upos_slot, tag_slot) = put.slots(sibling);
            let (upos, tag) = (put.of(modifier, Upos), put.of(modifier, Tag));
            let upos_g = put.of(grandparent, Upos);
            put.put_in(pair(upos_g, put.of(head, Upos)), upos, upos_slot);
            put.put_in(pair(put.of(grandparent, Tag), put.of(head, Tag)), tag, tag_slot);
            put.put_in(upos_g, upos, upos_slot);
        }
    }
}
