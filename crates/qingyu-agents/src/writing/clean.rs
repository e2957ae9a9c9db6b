//! Removes everything that is not prose from a model's answer: fences, headings, chatter, certain slips.

use std::ops::Range;

use qingyu_story::prose::{Prose, SlipKind, editors_count};
use qingyu_story::{Language, marks};
use qingyu_text::floor::talk;

use super::notice::WritingNotice;

/// Slips with a certain correction, fixed without asking.
const CERTAIN: [SlipKind; 9] = [
    SlipKind::Markup,
    SlipKind::Bold,
    SlipKind::HalfWidth,
    SlipKind::DoubledMark,
    SlipKind::EllipsisOrDash,
    SlipKind::SpaceInChinese,
    SlipKind::DoubledWord,
    SlipKind::SpaceBeforeMark,
    SlipKind::MixedQuotes,
];

/// The prose of an answer, with removed and doubtful text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct CleanedProse {
    /// The prose; empty if the answer has none.
    pub(crate) text: String,
    /// Removed text beside title and markup, in order of removal.
    pub(crate) taken: Vec<String>,
    /// Kept text that may not be prose.
    pub(crate) doubts: Vec<String>,
}

/// Returns the prose in `answer`, for a chapter named `title`.
///
/// Paragraphs are lines; blank lines are removed. Fences, headings, the title and the model's chatter before and after
/// the prose are removed, and slips with a certain correction are fixed; nothing else changes.
pub(crate) fn clean(answer: &str, title: &str) -> CleanedProse {
    let text = answer.replace("\r\n", "\n").replace('\u{feff}', "");
    let mut cleaned = CleanedProse::default();
    let mut lines = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("```")) {
        let hashes = line.bytes().take_while(|byte| *byte == b'#').count();
        let is_heading = (1..=6).contains(&hashes) && line[hashes..].starts_with(' ');
        let is_rule = line.len() >= 3 && line.chars().all(|c| matches!(c, '-' | '*' | '=' | '_'));
        if is_heading && !is_title(line[hashes..].trim(), title) {
            cleaned.taken.push(line.to_owned());
        }
        if !is_heading && !is_rule {
            lines.push(line);
        }
    }
    let mut text = lines.join("\n");
    // Text around the prose may be nested.
    loop {
        let bare = without_title(&text, title);
        let parted = talk::part(bare);
        cleaned.taken.extend(parted.taken);
        cleaned.doubts = parted.doubts;
        let bare = bare[parted.prose].to_owned();
        if bare == text {
            cleaned.text = mended(&text);
            return cleaned;
        }
        text = bare;
    }
}

impl CleanedProse {
    /// Returns the removed text in quotation marks; `None` if nothing was removed.
    pub(crate) fn told(&self) -> Option<String> {
        const SHOWN: usize = 80;
        let shown = |taken: &String| match taken.char_indices().nth(SHOWN) {
            Some((end, _)) => format!("「{}…」", &taken[..end]),
            None => format!("「{taken}」"),
        };
        (!self.taken.is_empty()).then(|| self.taken.iter().map(shown).collect())
    }
}

/// Returns warnings about a cleaned answer.
pub(crate) fn notices(cleaned: &CleanedProse, language: Language) -> Vec<String> {
    let taken = cleaned.told().filter(|_| !cleaned.text.is_empty());
    let taken = taken.map(|taken| WritingNotice::TalkTaken { taken: &taken }.text(language));
    let doubts = cleaned.doubts.iter().map(|words| WritingNotice::TalkDoubted { words }.text(language));
    taken.into_iter().chain(doubts).collect()
}

/// Returns the text without title lines at its beginning.
fn without_title<'t>(text: &'t str, title: &str) -> &'t str {
    let mut text = text;
    while let Some(line) = text.lines().next().filter(|line| is_title(line, title)) {
        text = text[line.len()..].trim_start();
    }
    text
}

/// Returns whether the line is only a title.
fn is_title(line: &str, title: &str) -> bool {
    let bare =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let (line_bare, title_bare) = (bare(line), bare(title));
    if !title_bare.is_empty() && line_bare == title_bare {
        return true;
    }
    let is_short = line.chars().count() <= 40
        && !line.ends_with(marks::may_end_sentence)
        && !line.ends_with(marks::is_double_quote);
    let numbered = line.starts_with('第') && line.chars().take(8).any(|c| matches!(c, '章' | '回' | '节'));
    let chapter = line.to_lowercase().starts_with("chapter ");
    is_short && (numbered || chapter)
}

/// Returns the text with certain slips fixed.
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

/// Returns the length of a text of a book in `language`, as editors count.
pub(crate) fn words(text: &str, language: Language) -> u32 {
    u32::try_from(editors_count(text, language)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(answer: &str, title: &str) -> String {
        clean(answer, title).text
    }

    #[test]
    fn what_is_no_prose_goes_and_is_told() {
        let answer = "好的，以下是本章正文：\n\n```\n# 第三章 夜雨\n\n第三章 夜雨\n\n雨下了一夜，**林青**没有睡。\n\n---\n\n他听见脚步声。\n```\n\n（本章完，共1234字）\n\n希望这一章符合您的要求，如需修改请告诉我。\n\n【作者的话】求月票求推荐！";
        let cleaned = clean(answer, "第三章 夜雨");
        assert_eq!(cleaned.text, "雨下了一夜，林青没有睡。\n他听见脚步声。");
        let told = "「好的，以下是本章正文：」「（本章完，共1234字）」「希望这一章符合您的要求，如需修改请告诉我。」「【作者的话】求月票求推荐！」";
        assert_eq!(cleaned.told().as_deref(), Some(told));
        let answer =
            "Here is the revised chapter:\n\n## Chapter 3: Night Rain\n\nIt rained all night.\n\nTO BE CONTINUED...\n";
        assert_eq!(text(answer, "Night Rain"), "It rained all night.");
        assert_eq!(clean("雨停了。", "雨").told(), None);
    }

    #[test]
    fn prose_in_a_paragraph_with_talk_stays() {
        let cleaned = clean(
            "好的，以下是续写内容：雨停在天亮以前。沈砚推开库房的门。\n他走了。希望您满意这段续写，如需调整请告诉我。",
            "旧账",
        );
        assert_eq!(cleaned.text, "雨停在天亮以前。沈砚推开库房的门。\n他走了。");
        assert_eq!(cleaned.taken.len(), 2, "{cleaned:?}");
        let story = "以下是我在旧港听来的：那年雨很大。\n“好的，以下是正文：”他念道。";
        assert_eq!(clean(story, "旧账"), CleanedProse { text: story.into(), ..CleanedProse::default() });
    }

    #[test]
    fn certain_slips_are_mended_and_the_rest_stays() {
        assert_eq!(text("他说,雨停了.", "雨"), "他说，雨停了。");
        let whole = "“你来了。”她说。\n他没有回答……\n第七章的手稿还在桌上。";
        assert_eq!(text(whole, "雨"), whole);
    }

    #[test]
    fn a_draft_is_counted_in_the_unit_of_its_book() {
        // The floor counts in the language of the book, so the text's own language must not decide.
        for text in ["他说，雨停了。", "She read it: “雨停了，他走了，门开着。”", "Mara left. She did not look back."]
        {
            for language in [Language::Zh, Language::En] {
                assert_eq!(words(text, language) as usize, editors_count(text, language), "{text}");
            }
        }
        assert_eq!(words("She read: “雨停了”", Language::En), 2);
    }

    proptest! {
        #[test]
        fn cleaning_twice_changes_nothing_more(lines in prop::collection::vec("[雨夜林青，。“”a-z #*\\-`]{0,20}", 0..12)) {
            let once = text(&lines.join("\n"), "雨夜");
            let twice = text(&once, "雨夜");
            // A fix may expose marks for one more fix.
            prop_assert_eq!(text(&twice, "雨夜"), text(&text(&twice, "雨夜"), "雨夜"));
            prop_assert!(once.lines().all(|line| !line.trim().is_empty()));
        }
    }
}
