//! Ids as newtypes, so that an index says what it refers to.

/// An index into a [`Vocab`](crate::vocab::Vocab).
pub trait Id: Copy + Eq + Ord + std::hash::Hash + std::fmt::Debug + Send + Sync + 'static {
    /// The id with this index, or `None` beyond `u32::MAX - 1`.
    fn new(index: usize) -> Option<Self>;
    /// The index of this id.
    fn index(self) -> usize;
}

/// Declares ids over `u32` with a checked constructor.
#[macro_export]
macro_rules! define_ids {
    ($($(#[$doc:meta])* $name:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(transparent)]
        pub struct $name(u32);

        impl $crate::ids::Id for $name {
            #[inline]
            fn new(index: usize) -> Option<Self> {
                u32::try_from(index).ok().filter(|&raw| raw != u32::MAX).map(Self)
            }

            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    )+};
}

define_ids! {
    /// A word form.
    WordId;
    /// A part-of-speech tag.
    TagId;
    /// A phrase or dependency label.
    LabelId;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_value_is_refused() {
        assert_eq!(WordId::new(7).map(Id::index), Some(7));
        assert!(WordId::new(u32::MAX as usize).is_none());
    }
}
