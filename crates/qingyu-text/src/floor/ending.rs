//! Detects a text which stops in the middle of a sentence.

use qingyu_story::language::is_han;

use super::lexicon::{has, plain, words};

/// Marks which end a sentence, close a bracket or quotation, or break off on purpose.
const ENDS: &str = "。！？…．.!?—―–‒-~～∼”’」』﹂﹄）】》〉〕］)]}>\"'＂＇♪☆★※◇◆○●*_=+#·・⋯｡";
/// Marks within a sentence.
const INNER: &str = "，、；：,;:（【《「『“‘([{<";
/// The most characters of a signature, date or verse line.
const SHORT: usize = 40;
/// The number of lines inspected before the last line.
const BEFORE: usize = 3;

/// Returns the last line of the text, if cut off in the middle of a sentence.
pub(super) fn unfinished(text: &str) -> Option<&str> {
    let mut lines = text.lines().rev().map(str::trim).filter(|line| !line.is_empty());
    let last = lines.next()?;
    let mark = last.chars().next_back()?;
    if ENDS.contains(mark) || !(INNER.contains(mark) || mark.is_alphanumeric()) {
        return None;
    }
    let before: Vec<&str> = lines.take(BEFORE).collect();
    let is_left_open = INNER.contains(mark) && !is_verse(last, &before);
    (is_left_open || !stands_alone(last, &before)).then_some(last)
}

/// Returns whether the line needs no final mark: a date, a signature, a verse, or a word for the end of the text.
fn stands_alone(line: &str, before: &[&str]) -> bool {
    if line.chars().count() > SHORT {
        return false;
    }
    let plain = plain(line);
    let lists = &words().ending;
    let bare = plain.trim_matches(|c: char| !c.is_alphanumeric());
    if lists.closed.iter().any(|word| bare == word || (word.ends_with(" of") && bare.starts_with(word.as_str()))) {
        return true;
    }
    is_date(line) || is_signature(line, &plain, before, &lists.signed) || is_verse(line, before)
}

/// Returns whether the line is a date, or a place and a date: a four-digit year, or a day of a month, with hardly
/// anything else.
fn is_date(line: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit() || "〇零一二三四五六七八九十".contains(c);
    let numbers: Vec<&str> = line.split(|c: char| !is_digit(c)).filter(|number| !number.is_empty()).collect();
    let has_year = numbers.iter().any(|number| number.chars().count() == 4);
    let has_day = line.contains('月') && !numbers.is_empty() && !line.contains(['，', '。', '他', '她', '我', '的']);
    let is_narrated = line.contains(['他', '她', '我', '。']);
    has_day || (has_year && !is_narrated)
}

/// Returns whether the line is the signature of a letter: a name after a dash or after a farewell, or the farewell
/// itself.
fn is_signature(line: &str, plain: &str, before: &[&str], signed: &[String]) -> bool {
    let is_dashed = line.starts_with(['—', '―', '–', '-', '─']);
    let says_farewell = |plain: &str| {
        let plain = plain.trim_end_matches([',', '，', '.', '。', '!', '！']);
        plain.chars().count() <= SHORT / 2 && signed.iter().any(|word| plain.ends_with(word.as_str()))
    };
    let is_latin_name = !line.chars().any(is_han)
        && line.split_whitespace().count() <= 4
        && line.split_whitespace().all(|word| word.starts_with(char::is_uppercase));
    let follows = before.iter().take(2).any(|line| {
        let plain = super::lexicon::plain(line);
        says_farewell(&plain) || (plain.ends_with([',', '，']) && has(&plain, signed))
    });
    let is_short = line.chars().count() <= 12;
    is_dashed || says_farewell(plain) || (follows && (is_latin_name || is_short))
}

/// Returns whether the preceding lines look like the line: short, without final marks.
fn is_verse(line: &str, before: &[&str]) -> bool {
    let is_bare = |line: &&str| {
        line.chars().count() <= SHORT
            && line
                .chars()
                .next_back()
                .is_some_and(|c| c.is_alphanumeric() || matches!(c, '，' | ',' | '；' | ';' | '、'))
    };
    before.len() >= 2 && before[..2].iter().all(is_bare) && is_bare(&line)
}
