//! Rounding and fractions.

/// Rounds a number to three decimals for display and serialization, without negative zero.
pub(crate) fn rounded(number: f64) -> f64 {
    if number.is_finite() { (number * 1000.0).round() / 1000.0 + 0.0 } else { 0.0 }
}

/// Returns `part` as a fraction of `whole`, from 0 to 1; defaults to 0 for an empty whole.
pub(crate) fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { rounded(part as f64 / whole as f64) }
}
