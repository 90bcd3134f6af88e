//! The modifiers of every head, concatenated in one buffer.

use super::Head;

/// For each head its modifiers, from left to right, as word indices from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Children {
    /// `items[starts[h]..starts[h + 1]]` are the modifiers of head number `h`.
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Children {
    /// Counting sort of the words by head. Heads must be at most `heads.len()`.
    pub(super) fn of_heads(heads: &[Head]) -> Self {
        let mut starts = vec![0u32; heads.len() + 2];
        for head in heads {
            starts[head.number() + 1] += 1;
        }
        for head in 1..starts.len() {
            starts[head] += starts[head - 1];
        }
        let mut next = starts.clone();
        let mut items = vec![0u32; heads.len()];
        for (word, head) in heads.iter().enumerate() {
            let place = &mut next[head.number()];
            // Heads are 32-bit word numbers, so word indices fit too.
            items[*place as usize] = word as u32;
            *place += 1;
        }
        Self { starts, items }
    }

    /// The modifiers of `head`; none for a head outside the sentence.
    pub fn of(&self, head: Head) -> &[u32] {
        let number = head.number();
        match (self.starts.get(number), self.starts.get(number + 1)) {
            (Some(&start), Some(&end)) => &self.items[start as usize..end as usize],
            _ => &[],
        }
    }

    /// All words, each after its head, level by level and from left to right within the modifiers of a head.
    pub fn breadth_first(&self) -> Vec<u32> {
        let mut order = self.of(Head::ROOT).to_vec();
        let mut at = 0;
        while at < order.len() {
            let number = order[at] as usize + 1;
            order.extend_from_slice(
                &self.items[self.starts[number] as usize..self.starts[number + 1] as usize],
            );
            at += 1;
        }
        order
    }
}
