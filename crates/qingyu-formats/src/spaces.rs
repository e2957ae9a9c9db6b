//! Spaces of any kind, and lines without needless ones.

/// Returns whether `c` is a space of any kind, including zero-width spaces.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}')
}

/// Returns `line` without surrounding spaces, including wide spaces.
pub(crate) fn trim(line: &str) -> &str {
    line.trim_matches(is_blank)
}

/// Returns `line` with every run of spaces replaced by a single space.
pub(crate) fn tidy(line: &str) -> String {
    line.split(is_blank).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
