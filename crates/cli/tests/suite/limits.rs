//! Limits on what a run may use.

use crate::place::Place;

#[cfg(unix)]
#[test]
fn a_run_that_needs_more_memory_than_allowed_ends_and_leaves_nothing() {
    let place = Place::new();
    place.run("sample english -n 400 -o a.mrg").succeeds();
    let told = "more than the 10 MB that --max-memory allows";
    place.run("train lpcfg a.mrg -o a.eig --max-memory 10M").fails(1, told);
    assert_eq!(place.names(), ["a.mrg"]);
    place.run("train pcfg a.mrg -o a.eig --max-memory 2G").succeeds();
}

#[test]
fn limits_are_sizes() {
    let place = Place::new();
    place.run("demo --max-memory much").fails(2, "as in 4G");
}
