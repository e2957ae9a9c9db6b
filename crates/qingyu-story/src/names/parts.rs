//! The parts of a person's name that people are called by: the given name of a Chinese name, the words of another.

use super::fold::fold;
use crate::language::is_han;

/// Family names of two characters.
pub(crate) const DOUBLE_SURNAMES: [&str; 14] =
    ["欧阳", "上官", "司马", "司徒", "诸葛", "夏侯", "皇甫", "尉迟", "公孙", "慕容", "令狐", "宇文", "长孙", "南宫"];

/// Titles before a name, which mean nobody alone.
pub(crate) const TITLES_BEFORE: [&str; 30] = [
    "mr.",
    "mr",
    "mrs.",
    "mrs",
    "ms.",
    "ms",
    "miss",
    "dr.",
    "dr",
    "doctor",
    "professor",
    "prof.",
    "captain",
    "sir",
    "lady",
    "lord",
    "master",
    "detective",
    "inspector",
    "sergeant",
    "colonel",
    "general",
    "father",
    "sister",
    "brother",
    "aunt",
    "uncle",
    "old",
    "young",
    "the",
];

/// More of them, which are words of places too.
const RANKS_BEFORE: [&str; 5] = ["king", "queen", "prince", "princess", "mother"];

/// Titles behind a Chinese name, which mean nobody alone.
pub(crate) const TITLES_BEHIND: [&str; 53] = [
    "先生", "小姐", "女士", "老师", "博士", "医生", "大夫", "教授", "队长", "警官", "师傅", "师父", "师兄", "师姐",
    "师弟", "师妹", "掌门", "将军", "大人", "公子", "姑娘", "夫人", "太太", "老板", "局长", "处长", "科长", "校长",
    "院长", "所长", "主任", "经理", "律师", "记者", "船长", "长老", "前辈", "同学", "侦探", "法医", "大哥", "大姐",
    "大叔", "大娘", "哥", "姐", "叔", "伯", "婶", "姨", "爷", "总", "老",
];

/// Returns the parts of a name: the given name of a Chinese name, if it has two characters or more; the words of a name in
/// an alphabet.
pub(crate) fn parts(name: &str) -> impl Iterator<Item = &str> {
    let name = name.trim();
    let is_double = DOUBLE_SURNAMES.iter().any(|surname| name.starts_with(surname));
    let given = name.char_indices().nth(if is_double { 2 } else { 1 }).map(|(at, _)| &name[at..]);
    let given = given.filter(|given| given.chars().count() >= 2 && given.chars().all(is_han));
    let words = name.split_whitespace().filter(|word| word.len() >= 3 && !word.chars().any(is_han));
    given.into_iter().chain(words)
}

/// Returns whether a part of a name can mean its bearer: a given name, or a word in capitals that is no title.
pub(super) fn is_call(part: &str) -> bool {
    match part.chars().next() {
        Some(first) if is_han(first) => !TITLES_BEHIND.contains(&part),
        Some(first) if first.is_uppercase() => {
            let folded = fold(part);
            !TITLES_BEFORE.iter().chain(&RANKS_BEFORE).any(|title| *title == folded)
        }
        _ => false,
    }
}

/// Returns whether a Chinese text addresses somebody by the family name of `name` and a title: 沈大人, 老沈.
pub(super) fn is_addressed(text: &str, name: &str) -> bool {
    let Some(first) = name.trim().chars().next().filter(|first| is_han(*first)) else { return false };
    let double = DOUBLE_SURNAMES.iter().find(|surname| name.trim().starts_with(**surname));
    let surname = double.map_or_else(|| first.to_string(), |surname| (*surname).to_owned());
    text.match_indices(&surname).any(|(at, _)| {
        let behind = &text[at + surname.len()..];
        let is_titled = TITLES_BEHIND.iter().any(|title| title.chars().count() > 1 && behind.starts_with(title));
        is_titled || text[..at].ends_with(['老', '小', '阿'])
    })
}

#[cfg(test)]
mod tests {
    use super::{is_addressed, is_call, parts};

    #[test]
    fn a_name_has_parts_that_people_are_called_by() {
        let cases: [(&str, &[&str]); 7] = [
            ("沈砚秋", &["砚秋"]),
            ("欧阳知远", &["知远"]),
            ("欧阳锋", &[]),
            ("林青", &[]),
            ("Mara Voss", &["Mara", "Voss"]),
            ("Al Voss", &["Voss"]),
            ("", &[]),
        ];
        for (name, expected) in cases {
            assert_eq!(parts(name).collect::<Vec<_>>(), expected, "{name}");
        }
        assert!(["砚秋", "Mara"].into_iter().all(is_call));
        assert!(!["师傅", "Captain", "van", ""].into_iter().any(is_call));
    }

    #[test]
    fn a_family_name_with_a_title_addresses_all_of_the_family() {
        assert!(is_addressed("“沈大人请坐。”", "沈砚秋"));
        assert!(is_addressed("老沈没有说话。", "沈伯安"));
        assert!(is_addressed("欧阳先生来了。", "欧阳锋"));
        assert!(!is_addressed("沈家的门开着。", "沈砚秋"));
        assert!(!is_addressed("Captain Voss", "Mara Voss"));
    }
}
