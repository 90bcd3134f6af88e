//! A first guess which features are frequent.

/// Counters of features. Features that share one count together, so that a counter is never too low. Two bits each: all of them fit into
/// the memory next to the processor.
#[derive(Debug, Default)]
pub struct Counters(Vec<u8>);

impl Counters {
    /// Where counting ends.
    pub const MOST: u32 = 3;
    const BYTES: usize = 1 << 20;

    /// No name has been seen.
    pub fn new() -> Self {
        Self(vec![0; Self::BYTES])
    }

    /// The byte, and the place of the bits in it.
    fn place(name: u32) -> (usize, u32) {
        (name as usize % Self::BYTES, name >> 30 << 1)
    }

    /// Counts a name once more.
    pub fn add(&mut self, name: u32) {
        let (byte, shift) = Self::place(name);
        let below_most = u8::from(self.get(name) < Self::MOST);
        self.0[byte] += below_most << shift;
    }

    /// How often a name was seen, up to [`MOST`](Self::MOST).
    pub fn get(&self, name: u32) -> u32 {
        let (byte, shift) = Self::place(name);
        u32::from(self.0[byte]) >> shift & Self::MOST
    }
}
