//! What a model leaves around and in prose that is none: fences, headings, talk of itself, certain slips.

use std::ops::Range;

use qingyu_story::prose::{Prose, SlipKind};

/// Words with which a model ends a chapter, and no author.
const ENDS: [&str; 8] =
    ["本章完", "全文完", "未完待续", "待续", "完", "end of chapter", "to be continued", "the end of the chapter"];
/// Slips that certainly should be something else, and are mended without asking anybody.
const CERTAIN: [SlipKind; 8] = [
    SlipKind::Markup,
    SlipKind::HalfWidth,
    SlipKind::DoubledMark,
    SlipKind::EllipsisOrDash,
    SlipKind::SpaceInChinese,
    SlipKind::DoubledWord,
    SlipKind::SpaceBeforeMark,
    SlipKind::MixedQuotes,
];

/// The prose in `answer`, for a chapter called `title`.
///
/// Paragraphs are lines; blank lines between them go. Fences, headings, the title, a model's talk of itself at the
/// beginning and the end, and slips of which it is certain what should stand there, are mended; nothing else changes.
pub(crate) fn clean(answer: &str, title: &str) -> String {
    let text = answer.replace("\r\n", "\n").replace('\u{feff}', "");
    let is_fence = |line: &&str| line.trim_start().starts_with("```");
    let is_heading = |line: &str| {
        let hashes = line.bytes().take_while(|byte| *byte == b'#').count();
        (1..=6).contains(&hashes) && line[hashes..].starts_with(' ')
    };
    let is_rule = |line: &str| line.len() >= 3 && line.chars().all(|c| matches!(c, '-' | '*' | '=' | '_'));
    let lines = text.lines().filter(|line| !is_fence(line)).map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.filter(|line| !is_heading(line) && !is_rule(line)).collect();
    let mut text = lines.join("\n");
    // What stands around the prose may stand in layers.
    loop {
        let bare = without_talk(without_frame(&text, title));
        if bare == text {
            return mended(&text);
        }
        text = bare;
    }
}

/// The text without lines at its beginning that only say which chapter it is, and at its end that it is over.
fn without_frame<'t>(text: &'t str, title: &str) -> &'t str {
    let mut text = text;
    while let Some(line) = text.lines().next().filter(|line| is_title(line, title)) {
        text = text[line.len()..].trim_start();
    }
    while let Some(line) = text.lines().next_back().filter(|line| is_end(line)) {
        text = text[..text.len() - line.len()].trim_end();
    }
    text
}

/// Whether the line only says which chapter it is.
fn is_title(line: &str, title: &str) -> bool {
    let bare =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let (line_bare, title_bare) = (bare(line), bare(title));
    if !title_bare.is_empty() && line_bare == title_bare {
        return true;
    }
    let is_short = line.chars().count() <= 40 && !line.ends_with(['。', '.', '！', '!', '？', '?', '”', '"', '…']);
    let numbered = line.starts_with('第') && line.chars().take(8).any(|c| matches!(c, '章' | '回' | '节'));
    let chapter = line.to_lowercase().starts_with("chapter ");
    is_short && (numbered || chapter)
}

/// Whether the line only says that the chapter ends.
fn is_end(line: &str) -> bool {
    let is_frame = |c: char| {
        c.is_whitespace() || matches!(c, '（' | '）' | '(' | ')' | '【' | '】' | '—' | '-' | '*' | '。' | '.' | '…')
    };
    let word = line.trim_matches(is_frame).to_lowercase();
    ENDS.contains(&word.as_str()) && line.trim() != word || word == "未完待续"
}

/// The text without paragraphs at its beginning and end in which a model speaks of its work.
fn without_talk(text: &str) -> String {
    let prose = Prose::of(text);
    let talks = prose.slips(SlipKind::MachineTalk);
    let is_talk =
        |range: &Range<usize>| talks.iter().any(|slip| range.start <= slip.range.start && slip.range.end <= range.end);
    let mut kept: Vec<&Range<usize>> = prose.paragraphs.iter().map(|paragraph| &paragraph.range).collect();
    while kept.first().is_some_and(|range| is_talk(range)) {
        kept.remove(0);
    }
    while kept.last().is_some_and(|range| is_talk(range)) {
        kept.pop();
    }
    match (kept.first(), kept.last()) {
        (Some(first), Some(last)) => text[first.start..last.end].to_owned(),
        _ => String::new(),
    }
}

/// The text with certain slips mended.
fn mended(text: &str) -> String {
    let prose = Prose::of(text);
    let slips = prose.slips.iter().filter(|slip| CERTAIN.contains(&slip.kind));
    let mut mends: Vec<(Range<usize>, &str)> =
        slips.filter_map(|slip| Some((slip.range.clone(), slip.with.as_deref()?))).collect();
    mends.sort_by_key(|(range, _)| (range.start, range.end));
    let mut mended = String::with_capacity(text.len());
    let mut copied = 0;
    for (range, with) in mends {
        if range.start < copied {
            continue;
        }
        mended.push_str(&text[copied..range.start]);
        mended.push_str(with);
        copied = range.end;
    }
    mended.push_str(&text[copied..]);
    mended
}

/// The last `count` characters of a text, from the beginning of a sentence where there is one.
pub(crate) fn ending(text: &str, count: usize) -> &str {
    let text = text.trim_end();
    let Some((start, _)) = text.char_indices().rev().nth(count.saturating_sub(1)) else { return text };
    if start == 0 {
        return text;
    }
    let tail = &text[start..];
    let sentence = tail.char_indices().find(|(_, c)| matches!(c, '。' | '！' | '？' | '\n' | '.' | '!' | '?' | '”'));
    match sentence {
        Some((at, mark)) if at + mark.len_utf8() < tail.len() / 2 => tail[at + mark.len_utf8()..].trim_start(),
        _ => tail,
    }
}

/// The first `count` characters of a text.
pub(crate) fn beginning(text: &str, count: usize) -> &str {
    let text = text.trim_start();
    text.char_indices().nth(count).map_or(text, |(end, _)| &text[..end])
}

/// Chinese characters and English words.
pub(crate) fn words(text: &str) -> u32 {
    u32::try_from(Prose::of(text).length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_no_prose_goes() {
        let answer = "好的，以下是本章正文：\n\n```\n# 第三章 夜雨\n\n第三章 夜雨\n\n雨下了一夜，**林青**没有睡。\n\n---\n\n他听见脚步声。\n```\n\n（本章完）\n\n希望这一章符合您的要求，如需修改请告诉我。";
        assert_eq!(clean(answer, "第三章 夜雨"), "雨下了一夜，林青没有睡。\n他听见脚步声。");
        let answer =
            "Here is the revised chapter:\n\n## Chapter 3: Night Rain\n\nIt rained all night.\n\nTO BE CONTINUED...\n";
        assert_eq!(clean(answer, "Night Rain"), "It rained all night.");
    }

    #[test]
    fn certain_slips_are_mended_and_the_rest_stays() {
        assert_eq!(clean("他说,雨停了.", "雨"), "他说，雨停了。");
        let text = "“你来了。”她说。\n他没有回答……\n第七章的手稿还在桌上。";
        assert_eq!(clean(text, "雨"), text);
    }

    #[test]
    fn endings_begin_with_a_sentence() {
        assert_eq!(ending("他走了。雨停了。天亮了，街上没有人。", 12), "天亮了，街上没有人。");
        assert_eq!(ending("短。", 500), "短。");
        assert_eq!(beginning("雨停了", 2), "雨停");
    }

    proptest! {
        #[test]
        fn cleaning_twice_changes_nothing_more(lines in prop::collection::vec("[雨夜林青，。“”a-z #*\\-`]{0,20}", 0..12)) {
            let once = clean(&lines.join("\n"), "雨夜");
            let twice = clean(&once, "雨夜");
            // Marks that were freed by a mend may need one more.
            prop_assert_eq!(clean(&twice, "雨夜"), clean(&clean(&twice, "雨夜"), "雨夜"));
            prop_assert!(once.lines().all(|line| !line.trim().is_empty()));
        }
    }
}
