//! A map from feature names to consecutive numbers, with open addressing.

const EMPTY: u32 = u32::MAX;

/// Numbers 32-bit names in the order of their insertion.
#[derive(Clone, Debug, Default)]
pub struct KeyTable {
    /// Name and number; `EMPTY` marks an unused slot. The length is zero or a power of two, and at least half the slots
    /// are unused.
    slots: Vec<(u32, u32)>,
    len: usize,
}

impl KeyTable {
    /// Creates an empty table with room for `names`.
    pub fn with_capacity(names: usize) -> Self {
        Self { slots: vec![(0, EMPTY); (2 * names).next_power_of_two().max(16)], len: 0 }
    }

    /// Number of names.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Names are already hashes: their upper bits give the first slot to look at.
    fn slot(&self, name: u32) -> usize {
        let last = self.slots.len() - 1;
        let bits = self.slots.len().trailing_zeros();
        let mut at = (u64::from(name) << bits >> 32) as usize & last;
        loop {
            let (there, number) = self.slots[at];
            if number == EMPTY || there == name {
                return at;
            }
            at = (at + 1) & last;
        }
    }

    /// The number of a name.
    pub fn get(&self, name: u32) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        let (_, number) = self.slots[self.slot(name)];
        (number != EMPTY).then_some(number as usize)
    }

    /// The number of a name; a new name gets the next number.
    pub fn insert(&mut self, name: u32) -> usize {
        if self.slots.len() < 2 * (self.len + 1) {
            self.grow();
        }
        let at = self.slot(name);
        if self.slots[at].1 == EMPTY {
            self.slots[at] = (name, self.len as u32);
            self.len += 1;
        }
        self.slots[at].1 as usize
    }

    fn grow(&mut self) {
        let mut larger = Self::with_capacity(2 * (self.len + 1));
        larger.len = self.len;
        for &(name, number) in self.slots.iter().filter(|(_, number)| *number != EMPTY) {
            let at = larger.slot(name);
            larger.slots[at] = (name, number);
        }
        *self = larger;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_order_of_insertion_through_growth() {
        let mut table = KeyTable::default();
        assert_eq!(table.get(5), None);
        let name = |n: u32| n.wrapping_mul(0x9E37_79B9) >> (n % 3 * 10);
        let mut expected = Vec::new();
        for n in 0..5000 {
            let number = table.insert(name(n));
            if number == expected.len() {
                expected.push(name(n));
            }
            assert_eq!(expected[number], name(n));
        }
        assert_eq!(table.len(), expected.len());
        assert!(expected.iter().enumerate().all(|(number, &name)| table.get(name) == Some(number)));
        assert_eq!(table.get(u32::MAX), None);
    }
}
