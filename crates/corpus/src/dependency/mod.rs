//! Dependency trees: heads, validity, projectivity, and the views of a tree that models learn from.

mod head;

pub use head::Head;
