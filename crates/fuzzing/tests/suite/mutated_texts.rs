//! Texts of every format with bytes changed, cut and repeated: each reader returns.

use eigentree_fuzzing::readers::TARGETS;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const ATTACKS: u64 = 2_000;

#[test]
fn readers_return_whatever_they_are_given() {
    for target in TARGETS {
        (target.read)(target.example.as_bytes());
        for seed in 0..ATTACKS {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut text: Vec<u8> = target.example.bytes().take(2_000).collect();
            for _ in 0..rng.random_range(1..=6) {
                mutate(&mut text, &mut rng);
            }
            (target.read)(&text);
        }
    }
}

pub(crate) fn mutate(text: &mut Vec<u8>, rng: &mut impl Rng) {
    const TOKENS: [&[u8]; 14] = [
        b"(",
        b")",
        b"\t",
        b"\n",
        b"\n\n",
        b" ",
        b"\0",
        b"\xff",
        b"\x1b]0;x\x07",
        b"4294967296",
        b"-1",
        b"1-2",
        b"1.1",
        b"#",
    ];
    let at = rng.random_range(0..=text.len());
    match rng.random_range(0..4) {
        0 => drop(text.splice(at..at, TOKENS[rng.random_range(0..TOKENS.len())].iter().copied())),
        1 => text.truncate(at),
        2 if at < text.len() => text[at] = rng.random(),
        _ => {
            let end = rng.random_range(at..=text.len());
            let piece = text[at..end].to_vec();
            drop(text.splice(at..at, piece));
        }
    }
}
