//! Changes by position; all other bytes stay unchanged.

use std::ops::Range;

use qingyu_story::Language;

use super::context::Fix;
use crate::labels::worded;
use crate::service::proposal::Span;

/// Returns the byte range of `text` for a range of characters, by default the whole text; `None` if the range is
/// outside.
pub(super) fn place(text: &str, range: Option<(usize, usize)>) -> Option<Range<usize>> {
    let Some((from, to)) = range else { return (!text.is_empty()).then_some(0..text.len()) };
    let byte = |character: usize| {
        let mut ends = text.char_indices().map(|(byte, _)| byte).chain([text.len()]);
        ends.nth(character)
    };
    let (start, end) = (byte(from)?, byte(to).unwrap_or(text.len()));
    (start < end).then_some(start..end)
}

/// Returns at most `limit` characters of `text`, cut at the end of a paragraph if possible.
pub(super) fn bounded(text: &str, limit: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(limit) else { return text };
    let paragraph = text[..end].rfind('\n').filter(|end| *end > 0);
    &text[..paragraph.unwrap_or(end)]
}

/// Validates changes of `passage`; returns problems as text for the model.
pub(super) fn problems(fixes: &[Fix], passage: &str, language: Language) -> Vec<String> {
    let mut problems = Vec::new();
    let mut add = |place: &str, chinese: &str, english: &str| {
        problems.push(format!("{place}: {}", worded(language, chinese, english)));
    };
    if fixes.is_empty() {
        add("fixes", "一条也没有", "there are none");
    }
    let mut places: Vec<Range<usize>> = Vec::new();
    for (index, fix) in fixes.iter().enumerate() {
        let (find, place) = (&fix.find, format!("fixes/{index}/find"));
        match passage.matches(find).take(2).count() {
            _ if find.trim().is_empty() => add(&place, "是空的", "it is empty"),
            0 => {
                add(&place, &format!("正文里没有“{find}”"), &format!("\"{find}\" does not stand in the text"));
            }
            1 => {
                let start = passage.find(find).unwrap_or_default();
                let range = start..start + find.len();
                if places.iter().any(|other| other.start < range.end && range.start < other.end) {
                    add(&place, "和另一处重叠", "it overlaps with another");
                }
                places.push(range);
            }
            _ => {
                let chinese = format!("“{find}”在正文里不止一处");
                add(&place, &chinese, &format!("\"{find}\" stands in the text more than once"));
            }
        }
        if fix.find == fix.with {
            add(&format!("fixes/{index}/with"), "什么也没有改", "it changes nothing");
        }
    }
    problems
}

/// Returns the changes as places of the whole text; `within` is the range shown to the model.
pub(super) fn of(fixes: &[Fix], text: &str, within: Range<usize>) -> Vec<Span> {
    let passage = &text[within.clone()];
    let span = |fix: &Fix| {
        let start = within.start + passage.find(&fix.find)?;
        let end = start + fix.find.len();
        Some(Span { start, end, before: fix.find.clone(), after: fix.with.clone(), why: fix.why.clone() })
    };
    fixes.iter().filter_map(span).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fix(find: &str, with: &str) -> Fix {
        Fix { find: find.into(), with: with.into(), ..Fix::default() }
    }

    #[test]
    fn ranges_are_characters() {
        assert_eq!(place("雨停了。", Some((1, 3))), Some(3..9));
        assert_eq!(place("雨停了。", Some((1, 99))), Some(3..12));
        assert_eq!(place("雨停了。", Some((9, 12))), None);
        assert_eq!(place("雨停了。", None), Some(0..12));
        assert_eq!(place("", None), None);
        assert_eq!(bounded("一二三\n四五六", 5), "一二三");
        assert_eq!(bounded("一二三", 5), "一二三");
    }

    #[test]
    fn a_change_names_its_place_exactly() {
        let text = "雨。“走。”雨。";
        assert_eq!(problems(&[fix("“走。”", "“快走！”")], text, Language::Zh), [""; 0]);
        for (fixes, expected) in [
            (vec![fix("雨", "雪")], "more than once"),
            (vec![fix("风", "雪")], "does not stand"),
            (vec![fix("走。", "走！"), fix("“走", "“跑")], "overlaps"),
            (vec![fix("走", "走")], "changes nothing"),
            (vec![], "there are none"),
        ] {
            let found = problems(&fixes, text, Language::En).join("; ");
            assert!(found.contains(expected), "{found}");
        }
        let spans = of(&[fix("走", "跑")], text, 6..18);
        assert_eq!((spans[0].start, &text[spans[0].start..spans[0].end]), (9, "走"));
    }
}
