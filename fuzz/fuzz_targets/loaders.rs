//! Every loader of models, as the target `models` but without the use of what is loaded, which takes most of the time there.

#![no_main]

use eigentree_fuzzing::forge::Script;
use eigentree_fuzzing::{exercise, samples};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&choice, changes)) = data.split_first() else { return };
    let forgeries = samples::forgeries();
    let mut forgery = forgeries[usize::from(choice) % forgeries.len()].clone();
    forgery.follow(Script::new(changes));
    exercise::load(forgery.seal());
});
