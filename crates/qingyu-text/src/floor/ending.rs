//! Whether a text ends, or stops in the middle of a sentence.

use qingyu_story::language::is_han;

use super::lexicon::{has, plain, words};

/// Marks that end a sentence, close what was opened, or break off on purpose.
const ENDS: &str = "。！？…．.!?—―–‒-~～∼”’」』﹂﹄）】》〉〕］)]}>\"'＂＇♪☆★※◇◆○●*_=+#·・⋯｡";
/// Marks within a sentence.
const INNER: &str = "，、；：,;:（【《「『“‘([{<";
/// The most characters of a line that may be a signature, a date or a verse.
const SHORT: usize = 40;
/// How many lines before the last show what stands there.
const BEFORE: usize = 3;

/// The last line of the text, if it stops in the middle of a sentence.
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

/// Whether the line needs no mark at its end: a date, a signature, a verse, a word that says that the text is over.
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

/// Whether it is a date, or a place and a date: a year of four digits, or a day of a month, and hardly anything beside.
fn is_date(line: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit() || "〇零一二三四五六七八九十".contains(c);
    let numbers: Vec<&str> = line.split(|c: char| !is_digit(c)).filter(|number| !number.is_empty()).collect();
    let has_year = numbers.iter().any(|number| number.chars().count() == 4);
    let has_day = line.contains('月') && !numbers.is_empty() && !line.contains(['，', '。', '他', '她', '我', '的']);
    let is_narrated = line.contains(['他', '她', '我', '。']);
    has_day || (has_year && !is_narrated)
}

/// Whether a name ends a letter: behind a dash, behind a word of farewell, or as a word of farewell itself.
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

/// Whether the lines before it are of its kind: short, and without marks at their ends.
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
