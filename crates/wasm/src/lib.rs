//! Eigentree inside a web page.
//!
//! The page puts a request in memory, calls [`call`] and reads the answer. Requests and answers are JSON, as in the HTTP
//! interface of `eigentree serve`; model files are bytes. The glue on the other side is `crates/serve/assets/worker.js`,
//! by hand: eight functions need no generator.
//!
//! ```text
//! page                      library
//! input(length) ─────────► room for the request
//! file(length)  ─────────► room for a model file, if the request comes with one
//! call()        ─────────► Session::answer ──► eigentree
//!               ◄───────── progress(stage, done, total), many times
//! output(), output_length() ◄── the answer;  output_file(), output_file_length() ◄── a model file
//! ```

mod progress;
mod session;

pub use session::{Answer, Session};

use std::cell::RefCell;

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

/// Makes room for a request of this many bytes and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    with_desk(|desk| room(&mut desk.input, length))
}

/// Makes room for a model file of this many bytes and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn file(length: usize) -> *mut u8 {
    with_desk(|desk| room(&mut desk.file, length))
}

fn room(bytes: &mut Vec<u8>, length: usize) -> *mut u8 {
    bytes.clear();
    bytes.resize(length, 0);
    bytes.as_mut_ptr()
}

/// Answers the request.
#[unsafe(no_mangle)]
pub extern "C" fn call() {
    with_desk(|desk| {
        let file = std::mem::take(&mut desk.file);
        let Answer { json, file } =
            desk.session.answer(&desk.input, file, &mut progress::Reporter::default());
        (desk.output, desk.output_file) = (json.to_string().into_bytes(), file);
    });
}

/// The address of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    with_desk(|desk| desk.output.as_ptr())
}

/// The length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> usize {
    with_desk(|desk| desk.output.len())
}

/// The address of the model file that comes with the answer.
#[unsafe(no_mangle)]
pub extern "C" fn output_file() -> *const u8 {
    with_desk(|desk| desk.output_file.as_ptr())
}

/// The length of that model file; 0 if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn output_file_length() -> usize {
    with_desk(|desk| desk.output_file.len())
}
