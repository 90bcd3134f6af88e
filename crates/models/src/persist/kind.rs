//! Contents of a section: numbers of one type, text, or JSON.

use std::fmt;

/// The type of a section's contents. The codes are part of the file format and never change their meaning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// Unsigned bytes.
    U8 = 1,
    /// Unsigned 16-bit numbers.
    U16 = 2,
    /// Unsigned 32-bit numbers.
    U32 = 3,
    /// Unsigned 64-bit numbers.
    U64 = 4,
    /// Signed 32-bit numbers.
    I32 = 5,
    /// 32-bit floating-point numbers.
    F32 = 6,
    /// 64-bit floating-point numbers.
    F64 = 7,
    /// Signed 16-bit numbers.
    I16 = 8,
    /// UTF-8 text.
    Text = 16,
    /// One JSON value in UTF-8.
    Json = 17,
}

impl Kind {
    const ALL: [Kind; 10] = [
        Kind::U8,
        Kind::U16,
        Kind::U32,
        Kind::U64,
        Kind::I32,
        Kind::F32,
        Kind::F64,
        Kind::I16,
        Kind::Text,
        Kind::Json,
    ];

    /// The kind with this code in the file, if this build knows it.
    pub(super) fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }

    pub(super) fn code(self) -> u8 {
        self as u8
    }

    /// Size of one item in bytes.
    pub fn item_size(self) -> usize {
        match self {
            Kind::U8 | Kind::Text | Kind::Json => 1,
            Kind::U16 | Kind::I16 => 2,
            Kind::U32 | Kind::I32 | Kind::F32 => 4,
            Kind::U64 | Kind::F64 => 8,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::U8 => "u8",
            Kind::U16 => "u16",
            Kind::U32 => "u32",
            Kind::U64 => "u64",
            Kind::I16 => "i16",
            Kind::I32 => "i32",
            Kind::F32 => "f32",
            Kind::F64 => "f64",
            Kind::Text => "text",
            Kind::Json => "json",
        })
    }
}

mod sealed {
    pub trait Sealed {}
}

/// A number type of tensors. Every bit pattern of such a type is a valid value, which makes views safe.
pub trait Element: bytemuck::Pod + Send + Sync + fmt::Debug + sealed::Sealed {
    /// The kind of a section with such numbers.
    const KIND: Kind;
}

macro_rules! elements {
    ($($number:ty => $kind:ident),+) => {$(
        impl sealed::Sealed for $number {}
        impl Element for $number {
            const KIND: Kind = Kind::$kind;
        }
    )+};
}

elements!(u8 => U8, u16 => U16, u32 => U32, u64 => U64, i16 => I16, i32 => I32, f32 => F32, f64 => F64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_back_and_unknown_ones_refused() {
        for kind in Kind::ALL {
            assert_eq!(Kind::from_code(kind.code()), Some(kind));
        }
        assert_eq!((0..=u8::MAX).filter_map(Kind::from_code).count(), Kind::ALL.len());
    }

    #[test]
    fn item_sizes_are_those_of_the_types() {
        fn check<T: Element>() {
            assert_eq!(T::KIND.item_size(), size_of::<T>());
        }
        check::<u8>();
        check::<u16>();
        check::<u32>();
        check::<u64>();
        check::<i16>();
        check::<i32>();
        check::<f32>();
        check::<f64>();
    }
}
