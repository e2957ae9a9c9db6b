//! Means, deviations and intervals, each by a published formula.

/// Returns the mean; `None` for no values.
pub(crate) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| sum(values) / count(values.len()))
}

/// Returns the standard deviation of a sample, with Bessel's correction; `None` for fewer than two values.
pub(crate) fn deviation(values: &[f64]) -> Option<f64> {
    let mean = mean(values).filter(|_| values.len() > 1)?;
    let squares: Vec<f64> = values.iter().map(|value| (value - mean).powi(2)).collect();
    Some((sum(&squares) / count(values.len() - 1)).sqrt())
}

/// Returns the sum, independent of the order of values.
pub(crate) fn sum(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.iter().sum()
}

/// Converts a count to a float.
pub(crate) fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

/// Rounds to four decimals, so that equal values look equal.
pub(crate) fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

/// Returns the 95 % confidence interval of a share, given `hits` of `all` (E. B. Wilson, "Probable inference, the law
/// of succession, and statistical inference", Journal of the American Statistical Association 22, 1927); `None` for no
/// values.
pub(crate) fn wilson(hits: f64, all: usize) -> Option<(f64, f64)> {
    const Z: f64 = 1.959_964;
    let n = Some(count(all)).filter(|n| *n > 0.0)?;
    let share = hits / n;
    let middle = share + Z * Z / (2.0 * n);
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let whole = 1.0 + Z * Z / n;
    Some((((middle - half) / whole).max(0.0), ((middle + half) / whole).min(1.0)))
}

/// Returns the maximum difference of two means by chance, at 95 % confidence (B. L. Welch, "The generalization of
/// 'Student's' problem when several different population variances are involved", Biometrika 34, 1947); `None` if
/// either has fewer than two values.
///
/// Scores are integers: each variance is increased by the twelfth caused by rounding (W. F. Sheppard, Proceedings of
/// the London Mathematical Society 29, 1898), so that runs equal only by rounding do not look exact.
pub(crate) fn welch(a: (f64, usize), b: (f64, usize)) -> Option<f64> {
    if a.1 < 2 || b.1 < 2 {
        return None;
    }
    let part = |(deviation, n): (f64, usize)| (deviation.powi(2) + 1.0 / 12.0) / count(n);
    let (one, other) = (part(a), part(b));
    let freedom = (one + other).powi(2) / (one.powi(2) / count(a.1 - 1) + other.powi(2) / count(b.1 - 1));
    Some(student(freedom) * (one + other).sqrt())
}

/// Returns the two-sided 95 % quantile of Student's distribution, at the next lower tabulated integer degree of
/// freedom.
fn student(freedom: f64) -> f64 {
    const TABLE: [(f64, f64); 24] = [
        (1.0, 12.706),
        (2.0, 4.303),
        (3.0, 3.182),
        (4.0, 2.776),
        (5.0, 2.571),
        (6.0, 2.447),
        (7.0, 2.365),
        (8.0, 2.306),
        (9.0, 2.262),
        (10.0, 2.228),
        (11.0, 2.201),
        (12.0, 2.179),
        (13.0, 2.160),
        (14.0, 2.145),
        (15.0, 2.131),
        (16.0, 2.120),
        (17.0, 2.110),
        (18.0, 2.101),
        (19.0, 2.093),
        (20.0, 2.086),
        (25.0, 2.060),
        (30.0, 2.042),
        (60.0, 2.000),
        (120.0, 1.980),
    ];
    // An epsilon, so that 4 minus a rounding error counts as 4.
    let row = TABLE.iter().rev().find(|(tabled, _)| *tabled <= freedom + 1e-9);
    row.unwrap_or(&TABLE[0]).1
}
