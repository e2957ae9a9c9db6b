//! How much room a text takes, without asking a font.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The width of a Latin letter in pixels; the font is monospaced. A Chinese one counts double.
const COLUMN: i64 = 8;
/// Longer names are cut.
const LONGEST: usize = 40;

/// The pixels that `text` takes at most.
pub(super) fn width(text: &str) -> i64 {
    let columns = i64::try_from(text.width()).expect("a text in memory is shorter than that");
    columns * COLUMN
}

/// The beginning of `name` that is shown.
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
