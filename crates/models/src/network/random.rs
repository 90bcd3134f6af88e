//! Random numbers for first weights and for dropout.

/// A sequence of random numbers (G. Steele, D. Lea and C. Flood, SplitMix, OOPSLA 2014), from a seed.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// A number between 0 and 1.
    pub fn uniform(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1_u64 << 24) as f32
    }

    /// Writes 0 for this share of numbers and the same number for all others, so that they are 1 on average.
    pub fn masks(&mut self, dropout: f32, length: usize, masks: &mut Vec<f32>) {
        masks.clear();
        let (kept, bound) = (1.0 / (1.0 - dropout), (dropout * 65536.0) as u64);
        while masks.len() < length {
            let bits = self.next();
            masks.extend((0..4).map(|at| if (bits >> (16 * at)) & 0xffff < bound { 0.0 } else { kept }));
        }
        masks.truncate(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_one_on_average() {
        let (mut random, mut masks) = (Random(3), Vec::new());
        random.masks(0.25, 20_001, &mut masks);
        assert_eq!(masks.len(), 20_001);
        let dropped = masks.iter().filter(|&&mask| mask == 0.0).count();
        assert!((4_700..5_300).contains(&dropped), "{dropped}");
        let mean = masks.iter().sum::<f32>() / masks.len() as f32;
        assert!((mean - 1.0).abs() < 0.03, "{mean}");
        random.masks(0.0, 7, &mut masks);
        assert_eq!(masks, [1.0; 7]);
    }
}
