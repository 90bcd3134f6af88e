//! Reports the progress of training to the page. Cancelling needs nothing here: the page ends the worker.

use eigentree::learn::Observer;

#[cfg(target_arch = "wasm32")]
#[link(wasm_import_module = "eigentree")]
unsafe extern "C" {
    /// Hears of the stage with this name; a total below 0 is unknown.
    fn progress(name: *const u8, length: usize, done: f64, total: f64);
}

/// Passes stages and counts on.
#[derive(Default)]
pub(crate) struct Reporter {
    stage: String,
    done: u64,
    total: Option<u64>,
}

impl Reporter {
    fn report(&self) {
        #[cfg(target_arch = "wasm32")]
        // SAFETY: the page reads `length` bytes at `name` before it returns, and the name lives until then.
        unsafe {
            let total = self.total.map_or(-1.0, |total| total as f64);
            progress(self.stage.as_ptr(), self.stage.len(), self.done as f64, total);
        }
        // Elsewhere, as in tests, nobody listens.
        #[cfg(not(target_arch = "wasm32"))]
        let _ = (&self.stage, self.done, self.total);
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
