//! Exact time differences with strict bounds.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Neg, Sub};

/// A difference between two points in time: seconds plus a count of infinitesimal steps. Sums of fewer than 2^31 steps
/// stay below a second, so strict bounds stay strict along every chain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Limit(i128);

const STEPS: i128 = 1 << 32;

impl Limit {
    /// Greater than any distance between two points.
    pub(in crate::time) const FAR: Self = Self(i128::MAX / 4);

    /// Returns a limit of exactly the given seconds.
    pub(crate) const fn exactly(seconds: i64) -> Self {
        Self(seconds as i128 * STEPS)
    }

    /// Returns a strict limit, infinitesimally less than the given seconds.
    pub(crate) const fn below(seconds: i64) -> Self {
        Self(seconds as i128 * STEPS - 1)
    }

    /// Returns a strict limit, infinitesimally more than the given seconds.
    pub(crate) const fn above(seconds: i64) -> Self {
        Self(seconds as i128 * STEPS + 1)
    }

    /// Returns the seconds without the infinitesimal steps.
    pub(crate) fn seconds(self) -> i64 {
        let seconds = (self.0 + STEPS / 2).div_euclid(STEPS);
        i64::try_from(seconds).unwrap_or(if seconds < 0 { i64::MIN } else { i64::MAX })
    }

    /// Returns whether the limit excludes the seconds themselves.
    pub(crate) fn is_open(self) -> bool {
        self.0.rem_euclid(STEPS) != 0
    }

    /// Returns whether the limit is below zero, even infinitesimally.
    pub(crate) fn is_negative(self) -> bool {
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
