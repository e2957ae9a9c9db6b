//! How much a line that has the form of a heading looks like a sentence all the same.

use qingyu_story::language::is_han;

use super::BETWEEN;

/// How much a line looks like a sentence. Where there is doubt, its number and its layout must fit the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Doubt {
    /// It does not.
    None,
    /// It ends as one, or is as long as one.
    Some,
    /// It reads like one.
    Much,
}

/// Titles that cling to their number are longer than this only in sentences, in characters.
const CLINGING: usize = 20;
/// Lines longer than these are doubtful, in characters.
const LONG: usize = 60;
const VERY_LONG: usize = 120;
/// Words that go on with a sentence behind `第三章`.
const GOING_ON: &[char] =
    &['的', '里', '裡', '中', '是', '了', '在', '就', '都', '也', '才', '，', '。', '与', '和', '时'];

/// Whether a line can be the last one of a sentence.
pub(crate) fn ends_a_sentence(line: &str) -> bool {
    line.ends_with(|c| "。！？…”’」』》）)!?.．\"':：;；—*~～〞﹂﹄».".contains(c))
}

/// The doubt about a Chinese heading; `rest` is what stands behind number and unit.
pub(super) fn chinese(line: &str, rest: &str) -> Doubt {
    let doubt = length(line);
    if rest.is_empty() {
        return doubt;
    }
    let quotes = rest.contains(['“', '”', '「', '」', '"']);
    let is_parted = rest.starts_with(BETWEEN) || rest.starts_with(['（', '(', '【', '《', '】', '〖', ']']);
    let own = if is_parted {
        match () {
            () if rest.ends_with(['，', ',', '；', ';', '：', ':', '、']) => Doubt::Much,
            () if rest.ends_with(['。', '…', '”', '」', '"']) || quotes && rest.contains('：') => Doubt::Some,
            () => Doubt::None,
        }
    } else {
        match () {
            () if rest.starts_with(GOING_ON) => Doubt::Much,
            () if quotes || rest.ends_with(['。', '，', '；', ',', ';', '…']) => Doubt::Much,
            () if rest.contains(['，', '。', '；', ',', ';', '！', '？', '…']) || rest.chars().count() > CLINGING => {
                Doubt::Some
            }
            () => Doubt::None,
        }
    };
    doubt.max(own)
}

/// The doubt about an English heading; `None` if it is none at all.
pub(super) fn english(line: &str, rest: &str, is_counted: bool) -> Option<Doubt> {
    let doubt = length(line);
    if !line.starts_with(|c: char| c.is_uppercase() || c.is_numeric() || c == '§') {
        return None;
    }
    let behind = rest.trim_start();
    if behind.is_empty() {
        return Some(doubt);
    }
    let is_parted = behind.starts_with(BETWEEN) || behind.starts_with(['(', ')', '[']);
    let begins_title =
        behind.starts_with(|c: char| c.is_uppercase() || c.is_numeric() || is_han(c) || "“\"‘'«《".contains(c));
    let own = match () {
        () if is_parted => {
            let title = behind.trim_start_matches(BETWEEN);
            if is_counted && title.starts_with(|c: char| c.is_lowercase()) { Doubt::Some } else { Doubt::None }
        }
        // Chapter 3 Rain, but not: Chapter 3 was the longest.
        () if rest.starts_with(' ') && begins_title => {
            if behind.ends_with(['.', ',', ';']) && behind.chars().any(char::is_lowercase) {
                Doubt::Much
            } else {
                Doubt::None
            }
        }
        () => return None,
    };
    let open = if behind.ends_with([',', ';']) { Doubt::Some } else { Doubt::None };
    Some(doubt.max(own).max(open))
}

/// The doubt about a line that is a number and perhaps a title; `None` if it is a sentence or an entry of a list.
pub(super) fn bare(number: &str, rest: &str) -> Option<Doubt> {
    const TITLE: usize = 40;
    let behind = rest.trim_start_matches(|c: char| BETWEEN.contains(&c) || matches!(c, ')' | '）'));
    if behind.is_empty() {
        return Some(Doubt::None);
    }
    // L. M. Nobody is a name.
    let is_initial =
        |text: &str| text.len() >= 2 && text.as_bytes()[0].is_ascii_uppercase() && text.as_bytes()[1] == b'.';
    if number.len() == 1 && is_initial(behind) {
        return None;
    }
    let is_chinese = behind.chars().any(is_han);
    if is_chinese {
        let is_sentence = behind.ends_with(['。', '，', '；', '：', ',', ';', '…', '”', '」', '、'])
            || behind.contains(['。', '“', '「']);
        return (!is_sentence && behind.chars().count() <= TITLE).then_some(Doubt::None);
    }
    let is_loud = !behind.chars().any(char::is_lowercase) && behind.chars().any(char::is_alphabetic);
    if is_loud {
        return Some(Doubt::None);
    }
    // I had been there: a number only if a mark parts it from its title.
    let is_parted = rest.trim_start().starts_with(BETWEEN) || number.chars().all(|c| c.is_ascii_digit());
    let begins_title = behind.starts_with(|c: char| c.is_uppercase() || c.is_numeric() || "“\"‘'".contains(c));
    let is_short = behind.chars().count() <= 2 * TITLE && !behind.ends_with([',', ';', ':', '?', '!', '”', '"']);
    let is_sentence = behind.ends_with('.') && behind.split_whitespace().count() > 8;
    (is_parted && begins_title && is_short).then_some(if is_sentence { Doubt::Much } else { Doubt::None })
}

fn length(line: &str) -> Doubt {
    match line.chars().count() {
        0..=LONG => Doubt::None,
        count if count <= VERY_LONG => Doubt::Some,
        _ => Doubt::Much,
    }
}
