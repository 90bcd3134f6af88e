//! Requests to the service, as they come over a connection.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    eigentree_fuzzing::requests::attempt(data);
});
