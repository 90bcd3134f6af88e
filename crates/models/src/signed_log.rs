//! Logarithms of signed numbers.

/// A signed number, possibly too small or large for floating point: its sign and the natural logarithm of its absolute
/// value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SignedLog {
    /// −1, 0 or 1.
    pub sign: i8,
    /// Logarithm of the absolute value; minus infinity for 0.
    pub log: f64,
}

impl Default for SignedLog {
    fn default() -> Self {
        Self::ZERO
    }
}

impl SignedLog {
    /// Zero.
    pub const ZERO: SignedLog = SignedLog { sign: 0, log: f64::NEG_INFINITY };

    /// The number `value · e^log`.
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

    /// The number itself; 0 if it underflows.
    pub fn value(self) -> f64 {
        f64::from(self.sign) * self.log.exp()
    }
}
