//! Curves and bars made of block characters.

const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Returns a line of blocks for `values`, scaled so that `low` is the lowest and `high` the highest block.
pub(crate) fn sparkline(values: impl IntoIterator<Item = f64>, low: f64, high: f64) -> String {
    let span = (high - low).max(f64::EPSILON);
    let block = |value: f64| {
        let step = ((value - low) / span * LEVELS.len() as f64).floor();
        LEVELS[(step.max(0.0) as usize).min(LEVELS.len() - 1)]
    };
    values.into_iter().map(block).collect()
}

/// Returns a bar of at most `width` columns, exact to an eighth of a column; values above 0 are always visible.
pub(crate) fn bar(value: f64, most: f64, width: usize) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    if most <= 0.0 || value <= 0.0 {
        return String::new();
    }
    let eighths = ((value / most).min(1.0) * width as f64 * 8.0).round() as usize;
    let eighths = eighths.max(1);
    format!("{}{}", "█".repeat(eighths / 8), PARTS[eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_and_bars() {
        assert_eq!(sparkline([0.0, 0.5, 1.0, 2.0, -1.0], 0.0, 1.0), "▁▅██▁");
        assert_eq!(sparkline([-1.0, 0.0, 1.0], -1.0, 1.0), "▁▅█");
        assert_eq!(sparkline([3.0, 3.0], 3.0, 3.0), "▁▁");
        assert_eq!(bar(5.0, 10.0, 8), "████");
        assert_eq!(bar(0.01, 10.0, 8), "▏");
        assert_eq!(bar(99.0, 10.0, 3), "███");
        assert_eq!((bar(0.0, 10.0, 8), bar(1.0, 0.0, 8)), (String::new(), String::new()));
    }
}
