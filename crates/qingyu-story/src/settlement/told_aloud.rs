//! Whether somebody tells aloud of a weekday.

use super::told_days::range_of;
use crate::Prose;
use crate::language::has_words;
use crate::prose::paragraphs_around;
use crate::time::{MONTHS, WEEKDAYS, split_at_chinese_weekday};

/// Returns the paragraph of a sentence in which somebody tells aloud of a weekday: `I had this from your brother on Friday
/// night`. `None` if the narrator tells of it. `text` is in lower case.
pub(super) fn told_aloud<'t>(text: &'t str, quote: &str) -> Option<&'t str> {
    let range = range_of(text, quote)?;
    let weekday = weekday_at(&text[range.clone()])?;
    let around = paragraphs_around(text, &range);
    let paragraph = &text[around.clone()];
    Prose::of(paragraph).is_spoken(range.start + weekday - around.start).then_some(paragraph)
}

/// Returns whether a text in lower case speaks of months, years or times long past: it may mean any weekday.
pub(super) fn speaks_of_long_time(text: &str) -> bool {
    const WORDS: [&str; 19] = [
        "week",
        "weeks",
        "month",
        "months",
        "year",
        "years",
        "ago",
        "once",
        "when i was",
        "used to",
        "in those days",
        "spring",
        "summer",
        "autumn",
        "winter",
        "before he died",
        "before she died",
        "funeral",
        "the war",
    ];
    const CHINESE: [&str; 9] = ["年", "月", "从前", "以前", "小时候", "那时", "那会", "当初", "那阵"];
    let is_month = |name: &&str| has_words(text, &name.to_lowercase());
    MONTHS.iter().any(is_month)
        || WORDS.iter().any(|words| has_words(text, words))
        || CHINESE.iter().any(|word| text.contains(word))
}

/// Returns the byte position of a weekday in a text in lower case.
fn weekday_at(text: &str) -> Option<usize> {
    let english = || WEEKDAYS.iter().find_map(|name| text.find(&name.to_lowercase()));
    split_at_chinese_weekday(text).map(|(before, ..)| before.len()).or_else(english)
}
