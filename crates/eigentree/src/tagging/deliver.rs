//! Items as they come, through work on all threads, to a writer in their order.

use std::io::{self, Write};

use corpus::error::{ReadError, SyntaxError};
use corpus::format::conllu::SentenceError;
use models::learn::Observer;

use crate::Error;
use crate::files::Output;
use crate::reading::BadItems;
use crate::rounds::{ScratchPool, in_rounds};

/// Works on items and hands what becomes of them to `write`, in their order. What cannot be read stops the work or is returned, as `bad_items` says.
pub(super) fn deliver<T: Send + 'static, S: Default + Send, R: Send>(
    items: impl Iterator<Item = Result<T, ReadError>> + Send + 'static,
    per_thread: usize,
    bad_items: BadItems,
    observer: &mut dyn Observer,
    output: &mut Output,
    work: impl Fn(T, &mut S) -> Result<R, SentenceError> + Sync,
    mut write: impl FnMut(R, &mut Output) -> io::Result<()>,
) -> Result<Vec<SyntaxError>, Error> {
    let pool = ScratchPool::<S>::new();
    let mut skipped = Vec::new();
    let work = |item: Result<T, ReadError>| item.map(|item| pool.lend(|scratch| work(item, scratch)));
    in_rounds(items, per_thread, observer, work, |result| {
        let Some(result) = result else { return output.flush().map_err(|error| output.error(error).into()) };
        match (result, bad_items) {
            (Ok(result), _) => {
                let result = result.map_err(|error| {
                    Error::Data(format!("a sentence cannot be written as CoNLL-U: {error}"))
                })?;
                write(result, output).map_err(|error| output.error(error).into())
            }
            (Err(ReadError::Syntax(error)), BadItems::Skip) => {
                skipped.push(error);
                Ok(())
            }
            (Err(error), _) => Err(error.into()),
        }
    })?;
    Ok(skipped)
}
