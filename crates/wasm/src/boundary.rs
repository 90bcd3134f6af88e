//! The functions that the page sees. By hand: there are seven, and all data are bytes, so that no generator is needed.
//!
//! ```text
//! page                              library
//! input(length)             ──────► room for the request
//! file(length)              ──────► room for a model file, if the request comes with one
//! call()                    ──────► Session::answer ──► eigentree
//!                           ◄────── progress(stage, done, total), many times
//! output(), output_length() ◄────── the answer
//! output_file(), output_file_length() ◄── a model file
//! ```
//!
//! Cancelling needs nothing here: the page ends the worker.

use std::cell::RefCell;

use eigentree::learn::Observer;

use crate::{Answer, Session};

/// What lies in memory between two calls.
#[derive(Default)]
struct Desk {
    session: Session,
    input: Vec<u8>,
    file: Vec<u8>,
    output: Vec<u8>,
    output_file: Vec<u8>,
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
}

fn with_desk<R>(action: impl FnOnce(&mut Desk) -> R) -> R {
    DESK.with_borrow_mut(action)
}

// SAFETY of all exports: no other symbol of the module has these names, and none of the functions takes a pointer.

/// Makes room for a request of this many bytes and returns its address.
#[unsafe(no_mangle)]
extern "C" fn input(length: usize) -> *mut u8 {
    with_desk(|desk| room(&mut desk.input, length))
}

/// Makes room for a model file of this many bytes and returns its address.
#[unsafe(no_mangle)]
extern "C" fn file(length: usize) -> *mut u8 {
    with_desk(|desk| room(&mut desk.file, length))
}

fn room(bytes: &mut Vec<u8>, length: usize) -> *mut u8 {
    bytes.clear();
    bytes.resize(length, 0);
    bytes.as_mut_ptr()
}

/// Answers the request.
#[unsafe(no_mangle)]
extern "C" fn call() {
    with_desk(|desk| {
        // Dropped here rather than at the next answer: a model file is large.
        desk.output_file = Vec::new();
        let file = std::mem::take(&mut desk.file);
        let Answer { json, file } = desk.session.answer(&desk.input, file, &mut Reporter::default());
        (desk.output, desk.output_file) = (json.to_string().into_bytes(), file);
    });
}

/// The address of the answer.
#[unsafe(no_mangle)]
extern "C" fn output() -> *const u8 {
    with_desk(|desk| desk.output.as_ptr())
}

/// The length of the answer.
#[unsafe(no_mangle)]
extern "C" fn output_length() -> usize {
    with_desk(|desk| desk.output.len())
}

/// The address of the model file that comes with the answer.
#[unsafe(no_mangle)]
extern "C" fn output_file() -> *const u8 {
    with_desk(|desk| desk.output_file.as_ptr())
}

/// The length of that model file; 0 if there is none.
#[unsafe(no_mangle)]
extern "C" fn output_file_length() -> usize {
    with_desk(|desk| desk.output_file.len())
}

#[link(wasm_import_module = "eigentree")]
unsafe extern "C" {
    /// Hears of the stage with this name; a total below 0 is unknown.
    fn progress(name: *const u8, length: usize, done: f64, total: f64);
}

/// Passes stages and counts on to the page.
#[derive(Default)]
struct Reporter {
    stage: String,
    done: u64,
    total: Option<u64>,
}

impl Reporter {
    fn report(&self) {
        let total = self.total.map_or(-1.0, |total| total as f64);
        // SAFETY: the page reads `length` bytes at `name` before it returns, and the name lives until then.
        unsafe { progress(self.stage.as_ptr(), self.stage.len(), self.done as f64, total) };
    }
}

impl Observer for Reporter {
    fn stage(&mut self, name: &str, total: Option<u64>) {
        *self = Self { stage: name.to_owned(), done: 0, total };
        self.report();
    }

    fn advance(&mut self, units: u64) {
        self.done += units;
        self.report();
    }
}
