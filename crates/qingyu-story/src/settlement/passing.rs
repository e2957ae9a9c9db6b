//! Words in a chapter for passing or past years.

use crate::Prose;
use crate::numerals::read_chinese;

/// Returns the words of `text` for passing years or for going back, in order; ignores speech.
///
/// A birthday counts, since it changes an age.
pub(super) fn years(text: &str) -> Vec<String> {
    let prose = Prose::of(text);
    let mut found = Vec::new();
    for sentence in &prose.sentences {
        let words = &text[sentence.range.clone()];
        let at = |offset: usize| sentence.range.start + offset;
        let lower = words.to_lowercase();
        let is_told = |offset: usize| !prose.is_spoken(at(offset));
        let chinese = chinese(words).filter(|(offset, _)| is_told(*offset)).map(|(_, words)| words);
        found.extend(chinese);
        let same_length = lower.len() == words.len();
        let english = ENGLISH.iter().filter_map(|sought| {
            let offset = lower.find(sought)?;
            (!same_length || is_told(offset)).then(|| (*sought).to_owned())
        });
        found.extend(english);
    }
    found.dedup();
    found
}

const ENGLISH: [&str; 20] = [
    "years later",
    "year later",
    "years passed",
    "years went by",
    "year passed",
    "years had passed",
    "a year had passed",
    "birthday",
    "years on,",
    "decade later",
    "decades later",
    "next year",
    "following year",
    "the year after",
    "new year",
    "years ago",
    "years earlier",
    "years before",
    "year before",
    "year ago",
];

/// Parses `五年后`, `过了三年`, `转眼十年`, `第二年`, `生日`.
fn chinese(words: &str) -> impl Iterator<Item = (usize, String)> {
    const AFTER: [&str; 12] = [
        "年前",
        "年以前",
        "年之前",
        "年后",
        "年之后",
        "年以后",
        "年过去",
        "年来",
        "载后",
        "年匆匆",
        "年光阴",
        "载过去",
    ];
    const WHOLE: [&str; 18] = [
        "那年",
        "那一年",
        "当年",
        "小时候",
        "从前",
        "去年",
        "第二年",
        "次年",
        "翌年",
        "来年",
        "生日",
        "过了年",
        "年复一年",
        "新年",
        "除夕",
        "春节",
        "岁月如梭",
        "多年以后",
    ];
    let whole = WHOLE.iter().filter_map(|sought| Some((words.find(sought)?, (*sought).to_owned())));
    let counted = AFTER.iter().filter_map(|sought| {
        let at = words.find(sought)?;
        let number: String = words[..at]
            .chars()
            .rev()
            .take_while(|c| "零一二两三四五六七八九十百千几数半多".contains(*c) || c.is_ascii_digit())
            .collect();
        let number: String = number.chars().rev().collect();
        let counts = read_chinese(&number).is_some_and(|years| years > 0) || number.parse::<u32>().is_ok();
        let counts = counts || number.ends_with(['几', '数', '多']);
        counts.then(|| (at - number.len(), format!("{number}{sought}")))
    });
    let passed = words.find("过了").and_then(|at| {
        let rest = &words[at + "过了".len()..];
        let end = rest.find('年')?;
        let number = &rest[..end];
        let counts = number.chars().count() <= 3
            && (read_chinese(number).is_some()
                || number.parse::<u32>().is_ok()
                || matches!(number, "几" | "数" | "好几" | "多"));
        counts.then(|| (at, format!("过了{number}年")))
    });
    whole.chain(counted).chain(passed).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use super::years;

    #[test]
    fn years_that_pass_are_told_from_years_that_are_spoken_of() {
        assert_eq!(years("五年后，林深回到旧港。"), ["五年后"]);
        assert_eq!(years("转眼过了三年。"), ["过了三年"]);
        assert_eq!(years("次年春天，他走了。"), ["次年"]);
        assert_eq!(years("“五年后我回来。”他说。"), Vec::<String>::new());
        assert_eq!(years("三天后，雨停了。"), Vec::<String>::new());
        assert_eq!(years("Five years later, Mara came home."), ["years later"]);
        assert_eq!(years("“Years later,” she said, “you will see.”"), Vec::<String>::new());
        assert_eq!(years("Three days later it rained."), Vec::<String>::new());
    }
}
