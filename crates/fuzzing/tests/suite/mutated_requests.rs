//! Requests with bytes changed, cut and repeated: each connection ends, with answers in HTTP and without a fault of the service.

use eigentree_fuzzing::requests::{EXAMPLES, attempt};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::mutated_texts::mutate;

const ATTACKS: u64 = 300;

#[test]
fn requests_are_answered_or_refused() {
    for example in EXAMPLES {
        attempt(example.as_bytes());
        for seed in 0..ATTACKS {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut request = example.as_bytes().to_vec();
            for _ in 0..rng.random_range(1..=4) {
                mutate(&mut request, &mut rng);
            }
            attempt(&request);
        }
    }
}
