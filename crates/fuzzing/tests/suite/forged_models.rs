//! Model files of every family, changed and sealed again: each is refused or works; nothing panics.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use eigentree::inspection::{SavedAgain, Verification};
use eigentree::models::persist::{Container, Kind};
use eigentree_fuzzing::exercise::{self, Verdict};
use eigentree_fuzzing::forge::Forgery;
use eigentree_fuzzing::samples;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const F32: u8 = Kind::F32 as u8;
const F64: u8 = Kind::F64 as u8;

/// Attacks per family; `EIGENTREE_ATTACKS` asks for another number.
const ATTACKS: u64 = 300;

fn attacks() -> u64 {
    std::env::var("EIGENTREE_ATTACKS").ok().and_then(|text| text.parse().ok()).unwrap_or(ATTACKS)
}

#[test]
fn forged_models_are_refused_or_work() {
    let mut panics: BTreeMap<String, String> = BTreeMap::new();
    let only = std::env::var("EIGENTREE_FAMILY").ok();
    for (family, file) in samples::files() {
        if only.as_deref().is_some_and(|only| only != family) {
            continue;
        }
        assert_eq!(exercise::file(file.clone()), Verdict::Accepted, "{family}: the sample itself works");
        let mut refused = 0;
        for seed in 0..attacks() {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut forgery = Forgery::open(file).expect("the sample is a model file");
            let changes: Vec<String> =
                (0..rng.random_range(1..=3)).map_while(|_| forgery.change(&mut rng)).collect();
            match catch_unwind(AssertUnwindSafe(|| exercise::file(forgery.seal()))) {
                Ok(Verdict::Accepted) => {}
                Ok(Verdict::Refused) => refused += 1,
                Err(payload) => {
                    let text = payload.downcast_ref::<String>().map(String::as_str);
                    let text = text.or(payload.downcast_ref::<&str>().copied()).unwrap_or("?").to_owned();
                    panics.entry(format!("{family}: {text}")).or_insert(format!("seed {seed}: {changes:?}"));
                }
            }
        }
        assert!(refused > 0, "{family}: some changes must be noticed");
    }
    assert!(panics.is_empty(), "{} kinds of panic: {panics:#?}", panics.len());
}

#[test]
fn the_samples_are_verified_and_undefined_numbers_are_found() {
    for (family, file) in samples::files() {
        let open = |bytes: Vec<u8>| Container::from_bytes(bytes).expect("the checksums are right");
        let verified = Verification::of(&open(file.clone()), family).expect(family);
        assert_ne!(verified.saved_again, SavedAgain::OtherBytes, "{family}");
        let mut forgery = Forgery::open(file).expect("the sample is a model file");
        let part =
            forgery.parts.iter_mut().find(|part| [F32, F64].contains(&part.kind) && !part.bytes.is_empty());
        assert_eq!(part.is_some(), verified.values > 0, "{family}");
        if let Some(part) = part {
            // All bits set are NaN, of both sizes.
            part.bytes.iter_mut().take(8).for_each(|byte| *byte = 0xff);
            let told = Verification::of(&open(forgery.seal()), family).unwrap_err().to_string();
            assert!(told.contains("not numbers (NaN)"), "{family}: {told}");
        }
    }
}

/// Parts of models that only some recipes have. A sample once lacked its span model, and nothing attacked one.
#[test]
fn the_samples_have_what_only_some_recipes_make() {
    let names: Vec<Vec<u8>> = samples::forgeries()
        .iter()
        .flat_map(|forgery| &forgery.parts)
        .map(|part| part.name.clone())
        .collect();
    for wanted in [
        "spans/form",
        "spans/weights",
        "member0/halves",
        "member1/dims",
        "boundary_context/weights",
        "clusters/paths.text",
    ] {
        let is_there = names.iter().any(|name| String::from_utf8_lossy(name).contains(wanted));
        assert!(is_there, "no sample has a section {wanted}");
    }
}
