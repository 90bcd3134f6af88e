//! The order of training examples.

/// A fixed order of `items` in which adjacent blocks come from different places of the text. The items of a block stay
/// together, as they do in memory. The seed selects one of the orders.
pub fn shuffled_blocks(items: usize, block: usize, seed: u64) -> Vec<u32> {
    let mut blocks: Vec<usize> = (0..items.div_ceil(block)).collect();
    let mut state = seed;
    for at in (1..blocks.len()).rev() {
        // The multiplier and increment of Knuth's linear congruential generator.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        blocks.swap(at, (state >> 33) as usize % (at + 1));
    }
    let items_of = |number: usize| number * block..((number + 1) * block).min(items);
    blocks.into_iter().flat_map(items_of).map(|item| item as u32).collect()
}
