//! The parts of a person's name that people are called by: the given name of a Chinese name, the words of another.

use super::fold::fold;
use crate::language::is_han;
use crate::marks::is_abbreviation;

/// Family names of two characters.
pub(crate) const DOUBLE_SURNAMES: [&str; 30] = [
    "欧阳", "上官", "司马", "司徒", "诸葛", "夏侯", "皇甫", "尉迟", "公孙", "慕容", "令狐", "宇文", "长孙", "南宫",
    "东方", "独孤", "西门", "端木", "百里", "轩辕", "呼延", "钟离", "闻人", "澹台", "赫连", "司空", "纳兰", "完颜",
    "拓跋", "耶律",
];

/// Titles before a name, which mean nobody alone.
pub(crate) const TITLES_BEFORE: [&str; 52] = [
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
    "madam",
    "madame",
    "mme.",
    "mme",
    "monsieur",
    "detective",
    "inspector",
    "constable",
    "sergeant",
    "sgt.",
    "sgt",
    "lieutenant",
    "lt.",
    "lt",
    "capt.",
    "capt",
    "major",
    "colonel",
    "col.",
    "col",
    "general",
    "reverend",
    "rev.",
    "rev",
    "nurse",
    "judge",
    "widow",
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
pub(crate) const TITLES_BEHIND: [&str; 59] = [
    "捕头", "道长", "大侠", "少爷", "老爷", "护士", "先生", "小姐", "女士", "老师", "博士", "医生", "大夫", "教授",
    "队长", "警官", "师傅", "师父", "师兄", "师姐", "师弟", "师妹", "掌门", "将军", "大人", "公子", "姑娘", "夫人",
    "太太", "老板", "局长", "处长", "科长", "校长", "院长", "所长", "主任", "经理", "律师", "记者", "船长", "长老",
    "前辈", "同学", "侦探", "法医", "大哥", "大姐", "大叔", "大娘", "哥", "姐", "叔", "伯", "婶", "姨", "爷", "总",
    "老",
];

/// Words for relatives, which mean another person for everybody who says them.
const KIN: [&str; 24] = [
    "奶奶", "爷爷", "婆婆", "公公", "外婆", "外公", "姥姥", "姥爷", "爸爸", "妈妈", "父亲", "母亲", "叔叔", "伯伯",
    "阿姨", "姑姑", "舅舅", "婶婶", "大妈", "大爷", "大伯", "大婶", "媳妇", "姐姐",
];

/// Given names that are common words too: alone in a text, they say nothing of a person.
const PLAIN_WORDS: [&str; 20] = [
    "明月", "天明", "黎明", "清风", "春风", "东风", "白云", "春雨", "平安", "太平", "和平", "光明", "文明", "建设",
    "国庆", "胜利", "天下", "大海", "小雨", "长生",
];

/// English names that begin sentences as common words.
const FIRST_WORDS: [&str; 30] = [
    "will", "hope", "grace", "faith", "joy", "mark", "rose", "dawn", "bill", "art", "frank", "grant", "chance",
    "chase", "rich", "long", "stone", "hill", "woods", "rivers", "brown", "black", "white", "green", "gray", "grey",
    "day", "night", "summer", "winter",
];

/// Names of months, which are in capitals everywhere.
const MONTHS: [&str; 4] = ["april", "may", "june", "august"];

/// Words in capitals behind or inside of a name that mean nobody alone.
pub(super) const SUFFIXES: [&str; 10] = ["jr.", "sr.", "esq.", "iii", "von", "van", "der", "man", "woman", "girl"];

/// Middle dots between the parts of a foreign name in Chinese.
pub(super) const DOTS: [char; 6] = ['·', '•', '・', '‧', '∙', '⋅'];

/// Returns the parts of a name: the given name of a Chinese name, if it has two characters or more; the parts of a foreign
/// name in Chinese, between its dots; the words of a name in an alphabet.
pub(crate) fn parts(name: &str) -> impl Iterator<Item = &str> {
    let name = name.trim();
    let is_part = |part: &&str| part.chars().count() >= 2 && part.chars().all(is_han);
    let dotted = Some(name).filter(|name| name.contains(DOTS)).into_iter().flat_map(|name| name.split(DOTS));
    let is_double = DOUBLE_SURNAMES.iter().any(|surname| name.starts_with(surname));
    let given = name.char_indices().nth(if is_double { 2 } else { 1 }).map(|(at, _)| &name[at..]);
    let words = name.split_whitespace().filter(|word| word.len() >= 3 && !word.chars().any(is_han));
    given.into_iter().chain(dotted).filter(is_part).chain(words)
}

/// Returns whether a part of a name can mean its bearer: a given name, or a word in capitals that is no title.
pub(super) fn is_call(part: &str) -> bool {
    match part.chars().next() {
        Some(first) if is_han(first) => !TITLES_BEHIND.contains(&part) && !KIN.contains(&part),
        Some(first) if first.is_uppercase() => {
            let folded = fold(part);
            !TITLES_BEFORE.iter().chain(&RANKS_BEFORE).chain(&SUFFIXES).any(|title| *title == folded)
        }
        _ => false,
    }
}

/// Returns whether a text is searched for a folded part of `name`: not for a common word, and not for what is left of a
/// description, such as 胡子 of 大胡子.
pub(super) fn is_sought(part: &str, name: &str) -> bool {
    let is_whole = !part.starts_with(is_han) || name.contains(DOTS);
    let is_description = !is_whole && name.trim().starts_with(['老', '小', '大', '女', '男', '阿']);
    !is_description && !PLAIN_WORDS.contains(&part) && !MONTHS.contains(&part)
}

/// Returns the parts of `name` that mean its bearer wherever they stand, in capitals or not: no title and no common word.
pub(crate) fn clear_parts(name: &str) -> impl Iterator<Item = &str> {
    parts(name).filter(move |part| {
        let folded = fold(part);
        is_call(part) && is_sought(&folded, name) && !FIRST_WORDS.contains(&folded.as_str())
    })
}

/// Returns whether a name at byte `start` of a text may be a common word that begins a sentence: `Will you come?`
pub(super) fn may_be_first_word(text: &str, start: usize, part: &str) -> bool {
    let behind = text[start + part.len()..].chars().next();
    let is_name = behind.is_some_and(|c| matches!(c, '\'' | '’') || is_han(c));
    if is_name || !FIRST_WORDS.contains(&fold(part).as_str()) {
        return false;
    }
    let is_quote = |c: char| matches!(c, '"' | '\'' | '“' | '”' | '‘' | '’');
    let before = text[..start].trim_end_matches(|c: char| c == ' ' || is_quote(c));
    let word = before.strip_suffix('.').and_then(|before| before.rsplit(|c: char| !c.is_alphanumeric()).next());
    if word.is_some_and(is_abbreviation) {
        return false;
    }
    let ends = |c: char| matches!(c, '.' | '!' | '?' | ':' | '…' | '—' | '\n' | '。' | '！' | '？');
    before.chars().next_back().is_none_or(ends)
}

/// Returns the family name of a Chinese name, of one or two characters; `None` for other names.
pub(super) fn family_name(name: &str) -> Option<String> {
    let first = name.trim().chars().next().filter(|first| is_han(*first))?;
    let double = DOUBLE_SURNAMES.iter().find(|surname| name.trim().starts_with(**surname));
    Some(double.map_or_else(|| first.to_string(), |surname| (*surname).to_owned()))
}

/// Returns whether a Chinese text addresses somebody by the family name of `name` and a title: 沈大人, 老沈.
pub(super) fn is_addressed(text: &str, name: &str) -> bool {
    let Some(surname) = family_name(name) else { return false };
    text.match_indices(&surname).any(|(at, _)| {
        let behind = &text[at + surname.len()..];
        let is_titled = TITLES_BEHIND.iter().any(|title| title.chars().count() > 1 && behind.starts_with(title));
        is_titled || text[..at].ends_with(['老', '小', '阿'])
    })
}

#[cfg(test)]
mod tests {
    use super::{clear_parts, is_addressed, is_call, is_sought, may_be_first_word, parts};

    #[test]
    fn a_name_has_parts_that_people_are_called_by() {
        let cases: [(&str, &[&str]); 11] = [
            ("沈砚秋", &["砚秋"]),
            ("欧阳知远", &["知远"]),
            ("欧阳锋", &[]),
            ("独孤长风", &["长风"]),
            ("艾琳·沃斯", &["艾琳", "沃斯"]),
            ("让•瓦尔让", &["瓦尔让"]),
            ("林青（侦探）", &[]),
            ("林青", &[]),
            ("Mara Voss", &["Mara", "Voss"]),
            ("Al Voss", &["Voss"]),
            ("", &[]),
        ];
        for (name, expected) in cases {
            assert_eq!(parts(name).collect::<Vec<_>>(), expected, "{name}");
        }
        assert!(["砚秋", "Mara"].into_iter().all(is_call));
        assert!(!["师傅", "奶奶", "Captain", "van", "Jr.", ""].into_iter().any(is_call));
    }

    #[test]
    fn a_common_word_in_a_text_means_nobody() {
        assert!(is_sought("砚秋", "沈砚秋") && is_sought("mara", "Mara Voss"));
        assert!(is_sought("大卫", "大卫·科波"), "the parts of a foreign name are whole");
        assert!(!is_sought("天明", "林天明") && !is_sought("胡子", "大胡子") && !is_sought("may", "May Voss"));
        assert_eq!(clear_parts("Captain Will Pyke").collect::<Vec<_>>(), ["Pyke"]);
        assert_eq!(clear_parts("沈砚秋").chain(clear_parts("林天明")).collect::<Vec<_>>(), ["砚秋"]);
        for (text, part, expected) in [
            ("Will you come?", "Will", true),
            ("It rained. \"Will you come?\"", "Will", true),
            ("Then Will came.", "Will", false),
            ("Will's coat was wet.", "Will", false),
            ("“Go,” Will said.", "Will", false),
            ("Will走了。", "Will", false),
            ("Where is Mrs. Brown?", "Brown", false),
            ("It rained. Brown leaves fell.", "Brown", true),
            ("Mara came.", "Mara", false),
        ] {
            let start = text.find(part).unwrap();
            assert_eq!(may_be_first_word(text, start, part), expected, "{text}");
        }
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
