//! Exact differences of time that can be just missed.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Neg, Sub};

/// A difference of two points in time: seconds, and how far beside them in steps that are smaller than any time. Sums of
/// fewer than 2^31 steps are still smaller than a second, so strict bounds stay strict along every chain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Limit(i128);

const STEPS: i128 = 1 << 32;

impl Limit {
    /// More than any two points can be apart.
    pub(in crate::time) const FAR: Self = Self(i128::MAX / 4);

    /// The seconds themselves.
    pub const fn exactly(seconds: i64) -> Self {
        Self(seconds as i128 * STEPS)
    }

    /// Less than the seconds, by less than any time.
    pub const fn below(seconds: i64) -> Self {
        Self(seconds as i128 * STEPS - 1)
    }

    /// More than the seconds, by less than any time.
    pub const fn above(seconds: i64) -> Self {
        Self(seconds as i128 * STEPS + 1)
    }

    /// The seconds without the steps beside them.
    pub fn seconds(self) -> i64 {
        let seconds = (self.0 + STEPS / 2).div_euclid(STEPS);
        i64::try_from(seconds).unwrap_or(if seconds < 0 { i64::MIN } else { i64::MAX })
    }

    /// Whether the seconds themselves are just missed.
    pub fn is_open(self) -> bool {
        self.0.rem_euclid(STEPS) != 0
    }

    /// Whether it is before zero, if only just.
    pub fn is_negative(self) -> bool {
        self.0 < 0
    }
}

impl Add for Limit {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Limit {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Limit {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Sum for Limit {
    fn sum<I: Iterator<Item = Self>>(limits: I) -> Self {
        limits.fold(Self::default(), Add::add)
    }
}

impl fmt::Debug for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.seconds();
        let beside = self.0 - i128::from(seconds) * STEPS;
        if beside == 0 { write!(f, "{seconds}s") } else { write!(f, "{seconds}s{beside:+}") }
    }
}
