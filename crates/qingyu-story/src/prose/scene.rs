//! The scenes of a text: its parts between headings and separators.

use std::ops::Range;

use crate::marks::is_quote;

/// Returns the part of a text around the byte `at`, between two headings or separators such as `* * *`.
pub(crate) fn scene_at(text: &str, at: usize) -> Range<usize> {
    let (mut begin, mut end) = (0, 0);
    for line in text.split_inclusive('\n') {
        let next = end + line.len();
        if is_separator(line.trim()) {
            if end > at {
                break;
            }
            begin = next;
        }
        end = next;
    }
    begin..end
}

/// Returns the paragraphs of a text that have the bytes of `range`, without the last line break.
pub(crate) fn paragraphs_around(text: &str, range: &Range<usize>) -> Range<usize> {
    let begin = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[range.end..].find('\n').map_or(text.len(), |at| range.end + at);
    begin..end
}

/// Returns whether a trimmed line parts two scenes. A line of speech without words does not.
fn is_separator(line: &str) -> bool {
    let is_mark = |c: char| !c.is_alphanumeric() && !is_quote(c);
    line.starts_with('#') || !line.is_empty() && line.chars().all(is_mark)
}

#[cfg(test)]
mod tests {
    use super::scene_at;

    #[test]
    fn a_scene_ends_at_a_separator() {
        let text = "# 一\n堂上。\n“……”\n堂下。\n\n***\n河边。\n";
        let scene = |words: &str| &text[scene_at(text, text.find(words).unwrap())];
        assert_eq!(scene("堂下"), "堂上。\n“……”\n堂下。\n\n");
        assert_eq!(scene("河边"), "河边。\n");
        assert_eq!(scene_at("", 0), 0..0);
    }
}
