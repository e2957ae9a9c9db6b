//! The estimated width of text, without font metrics.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The width of a Latin letter in pixels, in a monospaced font. A Chinese character counts double.
const COLUMN: i64 = 8;
/// The maximum length of a name, in columns; longer names are truncated.
const LONGEST: usize = 40;

/// Returns the maximum width of `text` in pixels.
pub(super) fn width(text: &str) -> i64 {
    let columns = i64::try_from(text.width()).expect("a text in memory is shorter than that");
    columns * COLUMN
}

/// Returns `name`, truncated if too long.
pub(super) fn shorten(name: &str) -> String {
    if name.width() <= LONGEST {
        return name.to_owned();
    }
    let mut columns = 0;
    let is_shown = |character: &char| {
        columns += character.width().unwrap_or(0);
        columns < LONGEST
    };
    let shown: String = name.chars().take_while(is_shown).collect();
    format!("{shown}…")
}
