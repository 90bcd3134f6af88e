//! Every loader of models, behind right checksums: the first byte chooses the family, the others what is changed in its sample.

#![no_main]

use eigentree_fuzzing::forge::{Forgery, Script};
use eigentree_fuzzing::{exercise, samples};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&choice, changes)) = data.split_first() else { return };
    let files = samples::files();
    let (_, file) = files[usize::from(choice) % files.len()];
    let mut forgery = Forgery::open(file).expect("the sample is a model file");
    let mut script = Script::new(changes);
    while !script.is_over() && forgery.change(&mut script).is_some() {}
    exercise::file(forgery.seal());
});
