//! Slips of Chinese punctuation. A mark counts as Chinese after a Chinese character.

use std::ops::Range;

use super::{Prose, SlipKind};
use crate::language::is_han;
use crate::marks;

/// The maximum distance between matching brackets, in characters.
const MOST_IN_BRACKETS: usize = 80;

pub(super) fn look(text: &str, prose: &mut Prose) {
    for number in 0..prose.paragraphs.len() {
        let range = prose.paragraphs[number].range.clone();
        look_at_paragraph(text, range, prose);
    }
    straight_quotes(text, prose);
    mixed_quotes(text, prose);
}

fn look_at_paragraph(text: &str, paragraph: Range<usize>, prose: &mut Prose) {
    let line = &text[paragraph.clone()];
    // In a line without a sentence end, spaces separate parts of a heading or a verse.
    let is_prose = line.contains(marks::is_full_stop);
    let mut before = '\n';
    let mut skip_until = 0;
    for (offset, c) in line.char_indices() {
        let rest = &line[offset..];
        if offset >= skip_until {
            let at = paragraph.start + offset;
            skip_until = offset + place(text, at, before, c, rest, is_prose, prose);
        }
        before = c;
    }
}

/// Checks the mark `c` at `at`, and returns the number of bytes to skip.
fn place(text: &str, at: usize, before: char, c: char, rest: &str, is_prose: bool, prose: &mut Prose) -> usize {
    let is_chinese = is_han(before) || marks::only_closes(before);
    let run = |marks: &[char]| rest.len() - rest.trim_start_matches(marks).len();
    match c {
        '.' | '。' if rest[c.len_utf8()..].starts_with(c) && is_chinese => {
            let length = run(&[c]);
            let (kind, with) = if length / c.len_utf8() > 2 {
                (SlipKind::EllipsisOrDash, "……")
            } else {
                (SlipKind::DoubledMark, "。")
            };
            prose.slip(kind, at..at + length, with.to_owned());
            length
        }
        '…' if is_chinese => {
            let length = run(&['…']);
            if matches!(length / c.len_utf8(), 1 | 3) {
                prose.slip(SlipKind::EllipsisOrDash, at..at + length, "……".to_owned());
            }
            length
        }
        '-' | '—' | '－' if is_han(before) => {
            let length = run(&[c]);
            let followed = rest[length..].chars().next().is_some_and(is_han);
            let count = length / c.len_utf8();
            let wrong = if c == '—' { count == 1 } else { count == 2 };
            if wrong && followed {
                prose.slip(SlipKind::EllipsisOrDash, at..at + length, "——".to_owned());
            }
            length
        }
        '，' | '、' | '；' | '：' => {
            let length = run(&['，', '、', '；', '：', '。']);
            if length > c.len_utf8() {
                let last = rest[..length].chars().next_back().expect("the run has a mark");
                // A full stop takes precedence over adjacent marks.
                let with = if rest[..length].contains('。') { '。' } else { last };
                prose.slip(SlipKind::DoubledMark, at..at + length, with.to_string());
            }
            length
        }
        '。' => {
            let length =
                c.len_utf8() + rest[c.len_utf8()..].chars().take_while(|c| matches!(c, '，' | '、')).count() * 3;
            if length > c.len_utf8() && is_chinese {
                prose.slip(SlipKind::DoubledMark, at..at + length, "。".to_owned());
            }
            length
        }
        ',' | '.' | '!' | '?' | ';' | ':' if is_han(before) && !is_within_token(rest) => {
            let full = match c {
                ',' => "，",
                '.' => "。",
                '!' => "！",
                '?' => "？",
                ';' => "；",
                _ => "：",
            };
            prose.slip(SlipKind::HalfWidth, at..at + 1, full.to_owned());
            1
        }
        '(' if rest[1..].starts_with(is_han) => {
            let Some((close, _)) = rest.char_indices().take(MOST_IN_BRACKETS).find(|(_, c)| *c == ')') else {
                return 1;
            };
            let inside = &rest[1..close];
            let chinese_inside = inside.ends_with(|c| is_han(c) || c == '。');
            if chinese_inside && !inside.contains('(') {
                prose.slip(SlipKind::HalfWidth, at..at + 1, "（".to_owned());
                prose.slip(SlipKind::HalfWidth, at + close..at + close + 1, "）".to_owned());
            }
            1
        }
        ' ' | '　' if is_prose && (is_han(before) || is_mark(before)) => {
            let length = run(&[' ', '　']);
            let next = text[at + length..].chars().next();
            let between = next.is_some_and(|next| {
                (is_han(before) && (is_han(next) || is_mark(next))) || (is_mark(before) && is_han(next))
            });
            if between {
                prose.slip(SlipKind::SpaceInChinese, at..at + length, String::new());
            }
            length
        }
        _ => c.len_utf8(),
    }
}

/// Returns whether a half-width mark is part of a number, file name, address or row of marks.
fn is_within_token(rest: &str) -> bool {
    let next = rest.chars().nth(1);
    next.is_some_and(|next| next.is_ascii_alphanumeric() || next.is_ascii_punctuation() && !matches!(next, '"' | '\''))
}

fn is_mark(c: char) -> bool {
    matches!(c, '，' | '。' | '、' | '；' | '：' | '！' | '？')
}

/// Reports paired straight quotes around Chinese speech.
fn straight_quotes(text: &str, prose: &mut Prose) {
    let style = main_style(prose).unwrap_or('“');
    let straight: Vec<Range<usize>> = prose
        .speeches
        .iter()
        .filter(|speech| speech.opener == '"' && text[speech.range.start + 1..].starts_with(is_han))
        .map(|speech| speech.range.clone())
        .collect();
    for range in straight {
        change_quotes(prose, SlipKind::HalfWidth, &range, 1, style);
    }
}

/// Reports tagged speech in a style of quotation marks different from the rest of the text.
fn mixed_quotes(text: &str, prose: &mut Prose) {
    let Some(main) = main_style(prose) else { return };
    let is_other = |c: char| c != main && matches!(c, '“' | '「');
    let tagged: Vec<Range<usize>> = prose
        .speeches
        .iter()
        .filter(|speech| is_other(speech.opener) && is_tagged(text, &speech.range))
        .map(|speech| speech.range.clone())
        .collect();
    let most = prose.speeches.iter().filter(|speech| speech.opener == main).count();
    if tagged.len() >= 2 && most >= tagged.len() * 2 {
        for range in tagged {
            change_quotes(prose, SlipKind::MixedQuotes, &range, '“'.len_utf8(), main);
        }
    }
}

fn change_quotes(prose: &mut Prose, kind: SlipKind, range: &Range<usize>, width: usize, opener: char) {
    let closer = marks::closer_of(opener).expect("the main style has two halves");
    prose.slip(kind, range.start..range.start + width, opener.to_string());
    prose.slip(kind, range.end - width..range.end, closer.to_string());
}

/// Returns the mark opening most speeches.
fn main_style(prose: &Prose) -> Option<char> {
    let count = |mark| prose.speeches.iter().filter(|speech| speech.opener == mark).count();
    let (curved, cornered) = (count('“'), count('「'));
    match curved.cmp(&cornered) {
        std::cmp::Ordering::Greater => Some('“'),
        std::cmp::Ordering::Less => Some('「'),
        std::cmp::Ordering::Equal => None,
    }
}

/// Returns whether the words around the speech form a speech tag.
fn is_tagged(text: &str, speech: &Range<usize>) -> bool {
    text[..speech.start].ends_with('：')
        || text[speech.end..].chars().take(8).take_while(|c| is_han(*c)).any(|c| matches!(c, '说' | '道' | '问' | '喊'))
}
