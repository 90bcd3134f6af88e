//! Lets system calls fail, one at a time, in small jobs of all families.
//!
//! `strace` makes the N-th call of a kind return an error, for every N up to the number of such calls in the whole job: a full
//! disk, a file that cannot be opened, a rename that is refused, an interrupted read. Whatever fails, the program must end by
//! itself: with success and the files of an undisturbed run, or with a message, and then each output is complete or absent.
//!
//! Calls before the program's own code, those of the loader, are counted too; it may fail in its own words there.
//!
//! The same must hold when files or memory come to an end (see [`limits`]), but for one thing: a program in Rust that gets no
//! memory ends at once, with a message, and leaves what it was writing under a name that the next run removes.

mod attack;
mod calls;
mod job;
mod limits;
mod numbers;

pub(crate) use attack::{Attack, run};
