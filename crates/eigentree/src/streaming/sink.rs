//! Where the results of a stream go.

use std::io::Write;

use models::learn::Observer;

use crate::Error;
use crate::files::Output;

/// Takes results in the order of the input.
pub(crate) trait Sink {
    /// The result for one item.
    type Entry: Send;

    /// Takes one result.
    fn write(&mut self, entry: Self::Entry) -> Result<(), Error>;

    /// Takes note of an item that could not be read. By default it leaves no trace.
    fn write_skipped(&mut self) -> Result<(), Error> {
        Ok(())
    }

    /// Tells the observer what a round of so many items was worth: by default their number.
    fn advance(&mut self, items: u64, observer: &mut dyn Observer) {
        observer.advance(items);
    }

    /// Passes on what was written so far, so that whoever waits at the other end of a pipe has it at once.
    fn flush(&mut self) -> Result<(), Error>;
}

/// Text that the threads have written already.
impl Sink for Output {
    type Entry = Vec<u8>;

    fn write(&mut self, entry: Vec<u8>) -> Result<(), Error> {
        self.write_all(&entry).map_err(|error| self.error(error).into())
    }

    fn flush(&mut self) -> Result<(), Error> {
        Write::flush(self).map_err(|error| self.error(error).into())
    }
}
