//! Every reader of text: the first byte chooses the format, the others are the file.

#![no_main]

use eigentree_fuzzing::readers::TARGETS;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Some((&choice, file)) = data.split_first() {
        (TARGETS[usize::from(choice) % TARGETS.len()].read)(file);
    }
});
