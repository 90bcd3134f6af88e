//! The container of all files, as it comes.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    eigentree_fuzzing::exercise::file(data.to_vec());
});
