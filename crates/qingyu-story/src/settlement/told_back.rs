//! Whether a sentence tells of a weekday as of one that is past.

use crate::time::{WEEKDAYS, split_at_chinese_weekday};

/// Words of what was over by then, in the clause of a Chinese weekday.
const OVER: [&str; 6] = ["已", "早就", "早在", "曾", "那天", "当时"];

/// Words before a weekday on which the telling goes on: `到礼拜五他才…了`.
const GOING_ON: [&str; 9] = ["到", "直到", "等到", "转眼", "第二天", "这天", "又是", "接着", "随后"];

/// Words after `had` that do not make it a pluperfect: `had to leave on Friday`, `had a cold on Friday`.
const OWNED: [&str; 19] = [
    "to", "a", "an", "the", "no", "his", "her", "their", "its", "my", "our", "your", "some", "any", "little",
    "nothing", "only", "on", "it",
];

/// Returns whether the narrator looks back on the weekday that a sentence names: `二商局礼拜五翻了老账`, `They had opened it on
/// Friday`. A weekday with which the sentence begins is where the telling goes on: `礼拜五，他来了`.
pub(super) fn is_told_back(quote: &str) -> bool {
    let is_end = |c: char| "，。！？；：“”‘’\n".contains(c);
    quote.split(is_end).any(is_past_clause) || is_pluperfect(quote)
}

fn is_past_clause(clause: &str) -> bool {
    let Some((before, _, after)) = split_at_chinese_weekday(clause) else { return false };
    let before = before.trim();
    let goes_on = before.is_empty() || GOING_ON.iter().any(|word| before.starts_with(word));
    OVER.iter().any(|word| clause.contains(word)) || !goes_on && after.contains(['了', '过'])
}

fn is_pluperfect(quote: &str) -> bool {
    let is_end = |c: char| ".;!?:“”\"—\n".contains(c);
    quote.split(is_end).any(|clause| {
        let lower = clause.to_lowercase();
        let words: Vec<&str> = lower.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).collect();
        let is_weekday = |word: &&str| WEEKDAYS.iter().any(|name| name.eq_ignore_ascii_case(word));
        let is_over = |pair: &[&str]| pair[0] == "had" && !OWNED.contains(&pair[1]) && !is_weekday(&pair[1]);
        words.iter().any(is_weekday) && words.windows(2).any(is_over)
    })
}

#[cfg(test)]
mod tests {
    use super::is_told_back;

    #[test]
    fn a_past_weekday_is_told_with_a_past_aspect() {
        for (quote, expected) in [
            ("二商局礼拜五翻了老账，翻出八三年那张收条的存根。", true),
            ("他礼拜五去过寄卖行。", true),
            ("礼拜五那天，他把表押了出去。", true),
            ("礼拜五他已经把表押了出去。", true),
            ("礼拜五，他来了。", false),
            ("到礼拜五他才来了一趟。", false),
            ("他走了，说好礼拜五回来。", false),
            ("礼拜五他翻了老账。", false),
            ("They had opened the ledger on Friday.", true),
            ("On Friday Tom had already seen it.", true),
            ("It had been closed since Friday.", true),
            ("On Friday he came back.", false),
            ("He had to leave on Friday.", false),
            ("He had a cold on Friday.", false),
            ("He had opened it. On Friday he came back.", false),
            ("", false),
        ] {
            assert_eq!(is_told_back(quote), expected, "{quote}");
        }
    }
}
