//! Production leftovers: remarks of a language model, markup, placeholders.

use std::ops::Range;

use super::term::{SearchTerm, TermHit};
use super::{Prose, SentenceVoice, SlipKind};

/// Remarks of a language model about itself; certain outside of speech.
pub(super) const MACHINE_TALK: [&str; 17] = [
    "作为人工智能语言模型",
    "作为一个人工智能语言模型",
    "作为一名人工智能语言模型",
    "作为AI语言模型",
    "作为一个AI语言模型",
    "作为一名AI语言模型",
    "作为AI助手",
    "作为一个AI助手",
    "作为一名AI助手",
    "作为人工智能助手",
    "作为一个人工智能助手",
    "作为一个大语言模型",
    "作为大语言模型",
    "as an ai language model",
    "as an ai assistant",
    "as a language model",
    "as a large language model",
];
/// Possible remarks of a language model, or a story about a machine: certain only beside an apology.
pub(super) const PERHAPS_MACHINE_TALK: [&str; 5] =
    ["作为一个AI，", "作为一名AI，", "作为AI，", "作为一个人工智能，", "as an ai,"];
/// Placeholders for unwritten text. `〔待写〕` is a deliberate gap and excluded.
pub(super) const PLACEHOLDERS: [&str; 11] = [
    "TODO",
    "TBD",
    "FIXME",
    "XXX",
    "XXXX",
    "lorem ipsum",
    "[insert",
    "[placeholder",
    "（此处省略",
    "【此处",
    "（此处插入",
];
const EXCUSES: [&str; 11] =
    ["无法", "不能", "抱歉", "对不起", "为您", "为你", "cannot", "can't", "sorry", "unable", "I'm not able"];
/// Opening and closing remarks of an answer around the prose, each with other words of the paragraph.
const FRAMES: [(&[&str], &[&str]); 4] = [
    (
        &["好的，", "好的！", "好的。", "当然，", "当然可以", "没问题，", "以下是", "下面是", "这是"],
        &["正文", "本章", "改写", "续写", "重写", "润色", "修改后", "修改版", "为您", "为你写", "新版本"],
    ),
    (
        &["希望这", "如果您", "如果你", "如需", "以上就是", "以上是", "请告诉我"],
        &["修改", "调整", "正文", "本章", "续写", "改写", "润色"],
    ),
    (
        &["Certainly!", "Certainly,", "Sure!", "Sure,", "Of course!", "Of course,", "Here is", "Here's", "Below is"],
        &["revised", "rewritten", "continuation of", "updated version", "the next chapter"],
    ),
    (
        &["I hope this", "Let me know", "Would you like me", "If you'd like", "Feel free to"],
        &["revise", "adjust", "changes", "the chapter", "the scene", "this version", "further"],
    ),
];

pub(super) fn look(text: &str, prose: &mut Prose, found: &[TermHit]) {
    for found in found.iter().filter(|found| !prose.is_spoken(found.range.start)).cloned().collect::<Vec<_>>() {
        let range = found.range;
        match found.why {
            SearchTerm::MachineTalk => prose.slip(SlipKind::MachineTalk, range, None),
            SearchTerm::PerhapsMachineTalk if is_excused(text, range.start) => {
                prose.slip(SlipKind::MachineTalk, range, None);
            }
            SearchTerm::Placeholder if is_placeholder(&text[range.clone()]) && !is_roman_thirty(text, &range) => {
                prose.slip(SlipKind::Placeholder, range, None);
            }
            _ => {}
        }
    }
    frames(text, prose);
    markup(text, prose, found);
}

/// Lower-case `todo` may be an ordinary word.
fn is_placeholder(word: &str) -> bool {
    let is_code = word.bytes().all(|byte| byte.is_ascii_alphabetic());
    !is_code || word.bytes().all(|byte| byte.is_ascii_uppercase()) || word.bytes().all(|byte| byte == b'x')
}

/// Returns whether `XXX` is a Roman numeral: behind the name of a division, or in a text with its neighbours.
fn is_roman_thirty(text: &str, range: &Range<usize>) -> bool {
    const DIVISIONS: [&str; 12] =
        ["chapter", "book", "part", "volume", "vol.", "canto", "letter", "psalm", "section", "no.", "number", "sonnet"];
    if &text[range.clone()] != "XXX" {
        return false;
    }
    let before = text[..range.start].trim_end().to_lowercase();
    DIVISIONS.iter().any(|word| before.ends_with(word)) || text.contains("XXIX") || text.contains("XXXI")
}

/// Returns whether an apology follows shortly in the same paragraph.
fn is_excused(text: &str, at: usize) -> bool {
    const SOON: usize = 80;
    let rest = &text[at..];
    let end = rest.char_indices().take(SOON).take_while(|(_, c)| *c != '\n').last().map_or(0, |(end, _)| end);
    EXCUSES.iter().any(|excuse| rest[..end].contains(excuse))
}

/// Finds remarks around the prose, in the first and the last paragraph.
fn frames(text: &str, prose: &mut Prose) {
    let last = prose.paragraphs.len().saturating_sub(1);
    let ends: Vec<Range<usize>> = prose
        .paragraphs
        .iter()
        .enumerate()
        .filter(|(number, paragraph)| (*number == 0 || *number == last) && paragraph.length <= 60)
        .filter(|(_, paragraph)| {
            let voice = prose.sentences.get(paragraph.sentences.start).map(|sentence| sentence.voice);
            voice == Some(SentenceVoice::Narrated)
        })
        .map(|(_, paragraph)| paragraph.range.clone())
        .collect();
    for range in ends {
        let paragraph = &text[range.clone()];
        let frames = |(begins, says): &(&[&str], &[&str])| {
            begins.iter().any(|begin| paragraph.starts_with(begin)) && says.iter().any(|word| paragraph.contains(word))
        };
        if FRAMES.iter().any(frames) {
            prose.slip(SlipKind::MachineTalk, range, None);
        }
    }
}

/// Finds fences, headings and bold type.
fn markup(text: &str, prose: &mut Prose, found: &[TermHit]) {
    for number in 0..prose.paragraphs.len() {
        let Range { start, end } = prose.paragraphs[number].range;
        let line = &text[start..end];
        if line.starts_with("```") {
            prose.slip(SlipKind::Markup, start..end, String::new());
        } else if line.starts_with('#') {
            let hashes = line.bytes().take_while(|byte| *byte == b'#').count();
            if hashes <= 6 && line[hashes..].starts_with(' ') {
                prose.slip(SlipKind::Markup, start..start + hashes + 1, String::new());
            }
        }
    }
    let mut stars =
        found.iter().filter(|found| found.why == SearchTerm::Bold).map(|found| found.range.clone()).peekable();
    while let Some(open) = stars.next() {
        let Some(close) = stars.peek().cloned() else { break };
        let inside = text.get(open.end..close.start).unwrap_or("*");
        let is_bold = !inside.is_empty() && !inside.contains(['\n', '*']) && inside.trim() == inside;
        if is_bold && !text[..open.start].ends_with('*') && !text[close.end..].starts_with('*') {
            prose.slip(SlipKind::Bold, open, String::new());
            prose.slip(SlipKind::Bold, close, String::new());
            stars.next();
        }
    }
}
