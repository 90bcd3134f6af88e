//! Options with values that make no sense, by the thousand: each call ends, without a panic and with a message.

use std::panic::{AssertUnwindSafe, catch_unwind};

use eigentree_cli::calls::CallError;
use eigentree_fuzzing::options;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

const ATTACKS: u64 = 4_000;

#[test]
fn options_with_any_values_are_refused_or_taken() {
    let (mut refused, mut panics) = (0, Vec::new());
    for seed in 0..ATTACKS {
        let arguments = options::arguments(&mut ChaCha8Rng::seed_from_u64(seed));
        match catch_unwind(AssertUnwindSafe(|| options::attempt(&arguments))) {
            Ok(Err(error)) => {
                assert!(!error.to_string().is_empty(), "{arguments:?}");
                refused += u64::from(matches!(error, CallError::Usage(_)));
            }
            Ok(Ok(())) => {}
            Err(_) => panics.push(arguments.join(" ")),
        }
    }
    assert!(panics.is_empty(), "{panics:#?}");
    assert!(refused > ATTACKS / 4, "{refused} were refused");
}
