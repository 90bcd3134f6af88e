//! Options of all commands: the bytes choose the command, the options and their values.

#![no_main]

use eigentree_fuzzing::forge::Script;
use eigentree_fuzzing::options;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let arguments = options::arguments(&mut Script::new(data));
    let _ = options::attempt(&arguments);
});
