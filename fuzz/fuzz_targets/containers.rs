//! The container of all files, as it comes and with right checksums.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    eigentree_fuzzing::containers::attempt(data);
});
