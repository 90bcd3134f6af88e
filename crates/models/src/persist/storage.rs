//! Numbers of a model, either owned or viewed in the file.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, Range};
use std::sync::Arc;

use memmap2::Mmap;

use super::kind::Element;

/// The bytes of a container, aligned for every [`Element`].
pub(super) enum Bytes {
    Map(Mmap),
    /// `vec.as_ptr()` is a multiple of [`WORD`].
    Vec(Vec<u8>),
    /// The first `len` bytes of the words.
    Words {
        words: Vec<u64>,
        len: usize,
    },
}

const WORD: usize = size_of::<u64>();

impl Bytes {
    /// Takes ownership of the vector if it is aligned, as it is with the usual allocators.
    pub(super) fn from_vec(vec: Vec<u8>) -> Self {
        if vec.as_ptr().addr().is_multiple_of(WORD) { Bytes::Vec(vec) } else { Self::from_slice(&vec) }
    }

    pub(super) fn from_slice(slice: &[u8]) -> Self {
        let mut words = vec![0_u64; slice.len().div_ceil(WORD)];
        bytemuck::cast_slice_mut(&mut words)[..slice.len()].copy_from_slice(slice);
        Bytes::Words { words, len: slice.len() }
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        match self {
            Bytes::Map(map) => map,
            Bytes::Vec(vec) => vec,
            Bytes::Words { words, len } => &bytemuck::cast_slice(words)[..*len],
        }
    }
}

/// A slice of numbers that is either owned or a view into a container, which it keeps alive.
///
/// A learner creates one from a `Vec`; [`Container::tensor`](super::Container::tensor) creates one without a copy.
/// Models work with either. It dereferences to `[T]`; take `&storage[..]` once before a hot loop.
pub struct Storage<T> {
    source: Source<T>,
}

#[derive(Clone)]
enum Source<T> {
    Owned(Vec<T>),
    /// `bytes.as_slice()[range]` is aligned for `T` and a whole number of `T`s long.
    Viewed {
        bytes: Arc<Bytes>,
        range: Range<usize>,
        item: PhantomData<T>,
    },
}

impl<T: Element> Storage<T> {
    /// A view of `bytes[range]`, or `None` if that is not an aligned slice of `T`s.
    pub(super) fn view(bytes: Arc<Bytes>, range: Range<usize>) -> Option<Self> {
        let slice = bytes.as_slice().get(range.clone())?;
        bytemuck::try_cast_slice::<u8, T>(slice).ok()?;
        Some(Self { source: Source::Viewed { bytes, range, item: PhantomData } })
    }

    /// The numbers, copied out of the file if they are not owned.
    pub fn into_vec(self) -> Vec<T> {
        match self.source {
            Source::Owned(vec) => vec,
            Source::Viewed { .. } => self.to_vec(),
        }
    }
}

impl<T: Element> Deref for Storage<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match &self.source {
            Source::Owned(vec) => vec,
            Source::Viewed { bytes, range, .. } => bytemuck::cast_slice(&bytes.as_slice()[range.clone()]),
        }
    }
}

impl<T: Element> AsRef<[T]> for Storage<T> {
    fn as_ref(&self) -> &[T] {
        self
    }
}

impl<T> From<Vec<T>> for Storage<T> {
    fn from(vec: Vec<T>) -> Self {
        Self { source: Source::Owned(vec) }
    }
}

impl<T> Default for Storage<T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<T> FromIterator<T> for Storage<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Vec::from_iter(items).into()
    }
}

impl<T: Clone> Clone for Storage<T> {
    fn clone(&self) -> Self {
        Self { source: self.source.clone() }
    }
}

impl<T: Element + PartialEq> PartialEq for Storage<T> {
    /// Compares the numbers, wherever they are stored.
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Element> fmt::Debug for Storage<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misaligned_and_odd_ranges_are_refused() {
        let bytes = Arc::new(Bytes::from_slice(&[0; 30]));
        assert!(Storage::<u32>::view(bytes.clone(), 4..12).is_some());
        assert!(Storage::<u32>::view(bytes.clone(), 2..10).is_none());
        assert!(Storage::<u32>::view(bytes.clone(), 4..10).is_none());
        assert!(Storage::<u32>::view(bytes.clone(), 28..32).is_none());
        assert!(Storage::<u64>::view(bytes, 8..16).is_some());
    }

    #[test]
    fn bytes_at_an_odd_address_are_copied_to_an_even_one() {
        let raw: Vec<u8> = (0..=64).collect();
        let bytes = Arc::new(Bytes::from_slice(&raw[1..]));
        let view = Storage::<u16>::view(bytes, 0..64).expect("copied to a word boundary");
        assert_eq!(view[0], u16::from_le_bytes([1, 2]));
        assert_eq!(view[31], u16::from_le_bytes([63, 64]));
    }

    #[test]
    fn owned_and_viewed_are_equal_and_shareable() {
        fn assert_shareable<T: Send + Sync + 'static>(_: &T) {}
        let bytes = Arc::new(Bytes::from_slice(bytemuck::cast_slice(&[1.5_f32, -2.0])));
        let viewed = Storage::<f32>::view(bytes, 0..8).expect("aligned");
        assert_shareable(&viewed);
        assert_eq!(viewed, Storage::from(vec![1.5, -2.0]));
        assert_eq!(viewed.clone().into_vec(), [1.5, -2.0]);
    }
}
