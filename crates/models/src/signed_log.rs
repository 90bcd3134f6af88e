//! Numbers that may be negative and need not fit any floating-point number.

/// A number that may be negative, or too small to be written down: its sign and the natural logarithm of its size.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SignedLog {
    /// −1, 0 or 1.
    pub sign: i8,
    /// The logarithm of the absolute value; minus infinity for 0.
    pub log: f64,
}

impl SignedLog {
    /// Nothing at all.
    pub const ZERO: SignedLog = SignedLog { sign: 0, log: f64::NEG_INFINITY };

    /// Of a number times `e^log`.
    pub fn new(value: f64, log: f64) -> Self {
        match value {
            v if v > 0.0 => Self { sign: 1, log: v.ln() + log },
            v if v < 0.0 => Self { sign: -1, log: (-v).ln() + log },
            _ => Self::ZERO,
        }
    }

    /// The product of two.
    pub fn times(self, other: Self) -> Self {
        Self { sign: self.sign * other.sign, log: self.log + other.log }
    }

    /// The number itself; 0 where it is too small.
    pub fn value(self) -> f64 {
        f64::from(self.sign) * self.log.exp()
    }
}
