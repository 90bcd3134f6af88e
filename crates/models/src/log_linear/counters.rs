//! Approximate counts of features, to find the frequent ones.

/// Counters of features. Features may share a counter, so a count may be too high but never too low. With two bits per
/// counter, all of them fit into the processor cache.
#[derive(Debug, Default)]
pub struct Counters(Vec<u8>);

impl Counters {
    /// Maximum count.
    pub const MOST: u32 = 3;
    const BYTES: usize = 1 << 20;

    /// Creates counters of zero.
    pub fn new() -> Self {
        Self(vec![0; Self::BYTES])
    }

    /// The byte of a counter, and the position of its bits.
    fn place(name: u32) -> (usize, u32) {
        (name as usize % Self::BYTES, name >> 30 << 1)
    }

    /// Increments the counter of a name.
    pub fn add(&mut self, name: u32) {
        let (byte, shift) = Self::place(name);
        let below_most = u8::from(self.get(name) < Self::MOST);
        self.0[byte] += below_most << shift;
    }

    /// Count of a name, up to [`MOST`](Self::MOST).
    pub fn get(&self, name: u32) -> u32 {
        let (byte, shift) = Self::place(name);
        u32::from(self.0[byte]) >> shift & Self::MOST
    }
}
