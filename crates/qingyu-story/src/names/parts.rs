//! The parts of a person's name that people are called by: the given name of a Chinese name, the words of another.

use std::ops::Range;

use super::fold::fold;
use crate::language::is_han;
use crate::marks::is_abbreviation;

/// A family name that one character alone has.
#[derive(Debug, Clone)]
pub(super) struct OwnFamilyName {
    pub(super) family: String,
    /// The index of the character.
    pub(super) index: usize,
}

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

/// Words that begin English sentences before a name: `When Laity came`. Another word in capitals before a name belongs to it.
const WORDS_BEFORE: [&str; 80] = [
    "a", "after", "again", "all", "although", "and", "another", "as", "asked", "at", "because", "before", "behind",
    "beside", "both", "but", "by", "can", "could", "dear", "did", "do", "does", "even", "every", "for", "from", "had",
    "has", "have", "he", "her", "here", "his", "how", "if", "in", "into", "is", "it", "just", "like", "little",
    "maybe", "my", "neither", "no", "nor", "not", "now", "of", "on", "once", "only", "or", "our", "perhaps", "poor",
    "said", "she", "should", "since", "so", "still", "that", "their", "then", "there", "they", "this", "though", "to",
    "until", "was", "what", "when", "where", "while", "with", "would",
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
    let before = text[..start].trim_end_matches(|c: char| c == ' ' || is_quote(c));
    let word = before.strip_suffix('.').and_then(|before| before.rsplit(|c: char| !c.is_alphanumeric()).next());
    if word.is_some_and(is_abbreviation) {
        return false;
    }
    before.chars().next_back().is_none_or(ends_sentence)
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '“' | '”' | '‘' | '’')
}

fn ends_sentence(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | ':' | '…' | '—' | '\n' | '。' | '！' | '？')
}

/// Returns the title directly before a name at byte `start` of a text, folded, with its first byte.
pub(super) fn title_before(text: &str, start: usize) -> Option<(usize, String)> {
    let (at, word) = word_before(text, start)?;
    let title = fold(word);
    TITLES_BEFORE.contains(&title.as_str()).then_some((at, title))
}

/// Returns whether the word in an alphabet at a place of a text belongs to a longer name than `own`: another given name or
/// family name stands beside it, or it is that of a street.
pub(super) fn is_of_longer_name(text: &str, place: &Range<usize>, own: &str) -> bool {
    let is_own = |word: &str| own.split_whitespace().any(|part| fold(part) == fold(word));
    let is_name = |word: &str| word.starts_with(char::is_uppercase) && word != "I" && !is_own(word);
    let behind = text[place.end..].strip_prefix(' ');
    let behind = behind.and_then(|rest| rest.split(|c: char| !c.is_alphanumeric()).next()).unwrap_or_default();
    if is_name(behind) {
        return true;
    }
    let Some((at, word)) = word_before(text, place.start).filter(|(_, word)| is_name(word)) else { return false };
    let folded = fold(word);
    let is_title = TITLES_BEFORE.iter().chain(&RANKS_BEFORE).any(|title| *title == folded);
    let is_common = WORDS_BEFORE.contains(&folded.as_str()) || folded.ends_with("ly");
    !(is_title || is_common && begins_sentence(text, at))
}

/// Returns the word before a byte of a text with only a space between, with its first byte.
fn word_before(text: &str, start: usize) -> Option<(usize, &str)> {
    let before = text[..start].strip_suffix(' ')?;
    let bare = before.strip_suffix('.').unwrap_or(before);
    let at = bare
        .rfind(|c: char| !c.is_alphanumeric())
        .map_or(0, |at| at + bare[at..].chars().next().map_or(1, char::len_utf8));
    let (word, whole) = (&bare[at..], &before[at..]);
    // A full stop that ends no abbreviation ends a sentence.
    let is_word = !word.is_empty() && (word.len() == whole.len() || is_abbreviation(word));
    is_word.then_some((at, whole))
}

/// Returns whether a sentence or a speech begins at byte `start` of a text.
fn begins_sentence(text: &str, start: usize) -> bool {
    let before = text[..start].trim_end_matches(|c: char| c == ' ' || is_quote(c));
    text[..start].ends_with(is_quote) || before.chars().next_back().is_none_or(ends_sentence)
}

/// Returns the family name of a Chinese name, of one or two characters; `None` for other names.
pub(super) fn family_name(name: &str) -> Option<String> {
    let first = name.trim().chars().next().filter(|first| is_han(*first))?;
    let double = DOUBLE_SURNAMES.iter().find(|surname| name.trim().starts_with(**surname));
    Some(double.map_or_else(|| first.to_string(), |surname| (*surname).to_owned()))
}

/// Returns whether a Chinese text addresses somebody by the family name of `name` and a title: 沈大人, 老沈.
pub(super) fn is_addressed(text: &str, name: &str) -> bool {
    family_name(name).is_some_and(|family| addressed_at(text, &family).next().is_some())
}

/// Returns the places where a Chinese text has a family name with a title behind it (沈大人), or with 老, 小 or 阿 before it,
/// each with the title behind.
pub(super) fn addressed_at<'t>(
    text: &'t str,
    family: &'t str,
) -> impl Iterator<Item = (Range<usize>, Option<&'static str>)> + 't {
    text.match_indices(family).filter_map(move |(at, _)| {
        let end = at + family.len();
        let mut titles = TITLES_BEHIND.iter().filter(|title| title.chars().count() > 1);
        if let Some(title) = titles.find(|title| text[end..].starts_with(**title)) {
            return Some((at..end + title.len(), Some(*title)));
        }
        let before = text[..at].chars().next_back().filter(|before| matches!(before, '老' | '小' | '阿'))?;
        Some((at - before.len_utf8()..end, None))
    })
}

/// Returns whether 老, 小 or 阿 with a family name at a place of a text is a part of another word: 古老王国, 小王子.
pub(super) fn is_nickname_word(text: &str, place: &Range<usize>) -> bool {
    const BEFORE: [char; 14] = ['古', '大', '衰', '苍', '幼', '从', '弱', '矮', '瘦', '渺', '长', '元', '养', '父'];
    const BEHIND: [char; 8] = ['子', '国', '家', '府', '氏', '儿', '二', '三'];
    text[..place.start].ends_with(BEFORE) || text[place.end..].starts_with(BEHIND)
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
