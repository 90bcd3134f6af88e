//! (head comment follows)
fn main() {}
