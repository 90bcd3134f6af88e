//! Options that contradict one another.

use std::fmt;

/// An option that cannot be used together with others. Surfaces show its name in their own way: `--states`, `states=`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionError {
    option: &'static str,
    reason: String,
}

impl OptionError {
    pub(super) fn new(option: &'static str, reason: impl Into<String>) -> Self {
        Self { option, reason: reason.into() }
    }

    /// The name of the option, such as `em-steps`.
    pub fn option(&self) -> &'static str {
        self.option
    }

    /// The problem and its solution, as a sentence that continues the name.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.option, self.reason)
    }
}

impl std::error::Error for OptionError {}
