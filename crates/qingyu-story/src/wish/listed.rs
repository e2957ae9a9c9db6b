//! Wishes listed in a request for a new book, with or without numbers: `I want: (1) …; (2) …`, `要求：一、…；二、…`.

use std::ops::Range;

use super::reader::Quotes;
use super::request::sentences;
use crate::excerpt::sentence_ends;
use crate::language::has_any;
use crate::numerals::{is_digit_or_numeral, read_chinese};

/// Words before a list that make its items wishes.
#[rustfmt::skip]
const ANNOUNCING: &[&str] = &[
    "i want", "we want", "i wish", "i would like", "i'd like", "i need", "must", "should", "please", "requirement", "requirements", "requests", "required",
    "wishes", "conditions",
    "要求", "希望", "想要", "我要", "必须", "务必", "需要", "请", "注意", "条件", "要写", "要有",
];
/// Clauses before a colon, the rest of whose line is a list of wishes without numbers.
#[rustfmt::skip]
const HEADINGS: &[&str] = &[
    "requirements", "my requirements", "wishes", "my wishes", "conditions",
    "要求", "我的要求", "写作要求", "创作要求", "具体要求", "基本要求", "其他要求",
];
/// Marks that end the clause before the words that announce a list.
const CLAUSE_ENDS: [char; 13] = ['\n', '。', '！', '？', '；', '，', ';', '.', '!', '?', ',', ':', '：'];

/// How the numbers of a list are written; one list has one style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NumberStyle {
    /// `(1)`, `（一）`.
    Brackets,
    /// `①`.
    Circle,
    /// `1.`, `1)`, `一、`.
    Plain,
}

/// The number of an item of a list.
#[derive(Debug)]
struct ItemNumber {
    style: NumberStyle,
    number: u32,
    range: Range<usize>,
}

/// Splits a request into its listed wishes, in order, and the rest of its text without the lists.
pub(super) fn split(said: &str) -> (Vec<String>, String) {
    let (mut wishes, mut blocks): (Vec<String>, Vec<Range<usize>>) = (Vec::new(), Vec::new());
    for list in lists(said) {
        let Some(begin) = beginning_of(said, &list[0]) else { continue };
        let begin = blocks.last().map_or(begin, |before| begin.max(before.end));
        let end = end_of(said, &list);
        let ends = list[1..].iter().map(|next| next.range.start).chain([end]);
        wishes.extend(list.iter().zip(ends).map(|(item, end)| cleaned(&said[item.range.end..end])));
        blocks.push(begin..end);
    }
    let rest = without(said, &blocks);
    let blocks = headed(&rest);
    let items = blocks.iter().flat_map(|(heading, block)| sentences(&rest[*heading..block.end]));
    wishes.extend(items.map(cleaned));
    wishes.retain(|wish| !wish.is_empty());
    let blocks: Vec<Range<usize>> = blocks.into_iter().map(|(_, block)| block).collect();
    (wishes, without(&rest, &blocks))
}

/// Returns the numbered lists of a text: two numbers of one style or more, each one higher than the one before, from 1.
fn lists(said: &str) -> Vec<Vec<ItemNumber>> {
    let mut lists: Vec<Vec<ItemNumber>> = Vec::new();
    let mut quoted = Quotes::default();
    for (at, letter) in said.char_indices() {
        if letter == '\n' {
            quoted = Quotes::default();
        }
        quoted.pass(letter);
        let Some(item) = number_at(said, at).filter(|_| !quoted.inside()) else { continue };
        let open = lists.iter_mut().rev().find(|list| list[0].style == item.style);
        match open {
            Some(list) if list.last().is_some_and(|last| last.number + 1 == item.number) => list.push(item),
            _ if item.number == 1 => lists.push(vec![item]),
            _ => {}
        }
    }
    lists.retain(|list| list.len() > 1);
    // A list within an item of another one is part of the item.
    let ends: Vec<Range<usize>> = lists.iter().map(|list| list[0].range.start..end_of(said, list)).collect();
    let is_inner = |list: &[ItemNumber]| {
        let start = list[0].range.start;
        ends.iter().any(|outer| outer.start < start && start < outer.end)
    };
    lists.retain(|list| !is_inner(list));
    lists
}

/// Returns the number of an item that begins at the byte `at`, if one does.
fn number_at(said: &str, at: usize) -> Option<ItemNumber> {
    let rest = &said[at..];
    let first = rest.chars().next()?;
    let found = |style: NumberStyle, number: u32, length: usize| ItemNumber { style, number, range: at..at + length };
    if let '①'..='⑳' = first {
        return Some(found(NumberStyle::Circle, u32::from(first) - u32::from('①') + 1, first.len_utf8()));
    }
    let read = |numeral: &str| u32::try_from(read_chinese(numeral)?).ok();
    if let '(' | '（' = first {
        let close = rest.find([')', '）'])?;
        let number = read(rest[first.len_utf8()..close].trim())?;
        let length = close + rest[close..].chars().next()?.len_utf8();
        return Some(found(NumberStyle::Brackets, number, length));
    }
    if !is_digit_or_numeral(first) || !begins_clause(&said[..at]) {
        return None;
    }
    let numeral = rest.find(|c: char| !is_digit_or_numeral(c))?;
    let mark = rest[numeral..].chars().next()?;
    let length = numeral + mark.len_utf8();
    let is_mark = match mark {
        '、' | '．' | ')' | '）' => true,
        '.' => rest[length..].starts_with(char::is_whitespace),
        _ => false,
    };
    is_mark.then(|| found(NumberStyle::Plain, read(&rest[..numeral]).unwrap_or(0), length))
}

/// Returns whether a clause begins behind `before`.
fn begins_clause(before: &str) -> bool {
    let spaces = |c: char| c.is_whitespace() && c != '\n';
    let bare = before.trim_end_matches(spaces);
    match bare.chars().next_back() {
        None => true,
        // Otherwise it is a number with a point or a comma, or a time of day.
        Some('.' | ',' | ':') => bare.len() < before.len(),
        Some(last) => CLAUSE_ENDS.contains(&last),
    }
}

/// Returns whether the items of a list begin lines.
fn begins_lines(said: &str, list: &[ItemNumber]) -> bool {
    list.iter().skip(1).all(|item| said[..item.range.start].trim_end_matches([' ', '\t', '\u{3000}']).ends_with('\n'))
}

/// Returns where a list ends: with the last line, or with the last sentence.
fn end_of(said: &str, list: &[ItemNumber]) -> usize {
    let start = list.last().map_or(0, |last| last.range.end);
    let rest = &said[start..];
    let line = rest.find('\n').unwrap_or(rest.len());
    let sentence = sentence_ends(rest).first().copied().filter(|_| !begins_lines(said, list));
    start + sentence.map_or(line, |sentence| sentence.min(line))
}

/// Returns where the words begin that announce a list; `None` if they make its items something else than wishes, such as
/// chapters. A list without words before it is one of wishes.
fn beginning_of(said: &str, first: &ItemNumber) -> Option<usize> {
    let start = first.range.start;
    let before = said[..start].trim_end();
    let is_announced = before.ends_with([':', '：']);
    if !is_announced && said[before.len()..start].contains('\n') {
        return Some(start);
    }
    let clause = before.trim_end_matches([':', '：']);
    let begin = last_clause(clause);
    let words = clause[begin..].trim();
    (words.is_empty() || has_any(&words.replace('’', "'"), ANNOUNCING)).then_some(begin)
}

/// Returns where the last clause of a text begins.
fn last_clause(text: &str) -> usize {
    let end = text.char_indices().rev().find(|(_, letter)| CLAUSE_ENDS.contains(letter));
    end.map_or(0, |(at, letter)| at + letter.len_utf8())
}

/// Returns where the wishes behind each heading of a list without numbers begin, and the range of the list with the heading.
fn headed(said: &str) -> Vec<(usize, Range<usize>)> {
    let mut found: Vec<(usize, Range<usize>)> = Vec::new();
    for (at, colon) in said.match_indices([':', '：']) {
        let clause = &said[..at];
        let begin = last_clause(clause);
        let is_heading = HEADINGS.contains(&clause[begin..].trim().to_lowercase().as_str());
        if !is_heading || found.last().is_some_and(|(_, block)| begin < block.end) {
            continue;
        }
        let start = at + colon.len();
        let end = said[start..].find('\n').map_or(said.len(), |line| start + line);
        if !said[start..end].trim().is_empty() {
            found.push((start, begin..end));
        }
    }
    found
}

/// Returns a text without the `blocks`, which are in order; the sentence before a block ends there.
fn without(said: &str, blocks: &[Range<usize>]) -> String {
    let (mut rest, mut at) = (String::new(), 0);
    for block in blocks {
        rest.push_str(said[at..block.start].trim_end_matches([' ', ',', '，', ':', '：']));
        rest.push('\n');
        at = block.end;
    }
    rest.push_str(&said[at..]);
    rest
}

/// Returns the words of an item in one line, without the marks and the `and` before the next one.
fn cleaned(item: &str) -> String {
    let is_end = |c: char| c.is_whitespace() || "；;，,。.、".contains(c);
    let item = item.split_whitespace().collect::<Vec<_>>().join(" ");
    let bare = item.trim_matches(is_end);
    let bare = bare.strip_suffix(" and").unwrap_or(bare).trim_end_matches(is_end);
    bare.to_owned()
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn numbered_wishes_are_split_where_their_numbers_stand() {
        let en = "A mystery on Ceres. I want: (1) the paper is false; it is shown to be; (2) the disc passes from A to B, and \
                  (3) one flashback. Mark time by days.";
        let (wishes, rest) = split(en);
        assert_eq!(wishes, ["the paper is false; it is shown to be", "the disc passes from A to B", "one flashback"]);
        assert_eq!(rest, "A mystery on Ceres.\n Mark time by days.");
        let zh = "川江上的命案，三章。她的年纪是假的。要求：一、日子用农历记；二、刀伤写到结痂，钱要对得上；三、结尾说破凶手。不要鬼神。";
        let (wishes, rest) = split(zh);
        assert_eq!(wishes, ["日子用农历记", "刀伤写到结痂，钱要对得上", "结尾说破凶手"]);
        assert_eq!(rest, "川江上的命案，三章。她的年纪是假的。\n不要鬼神。");
        let lines = "写一个灯塔的故事\n我的要求：\n1. 第一人称。只写他看见的。\n2. 结尾下雪\n（一）灯塔";
        assert_eq!(split(lines).0, ["第一人称。只写他看见的", "结尾下雪"]);
        assert_eq!(split("Three chapters, and please:\n1) it snows\n2) he leaves").0, ["it snows", "he leaves"]);
    }

    #[test]
    fn wishes_behind_a_heading_need_no_numbers() {
        let (wishes, rest) = split("一个灯塔的故事。要求：日子用农历；刀伤写到结痂。\n他叫林深。");
        assert_eq!(wishes, ["日子用农历", "刀伤写到结痂"]);
        assert_eq!(rest, "一个灯塔的故事。\n\n他叫林深。");
        let (wishes, _) = split("A lighthouse. Requirements: dates as in a log; no ghosts.");
        assert_eq!(wishes, ["dates as in a log", "no ghosts"]);
    }

    #[test]
    fn other_lists_and_numbers_stay_in_the_text() {
        for said in [
            "三章：一、开船；二、命案；三、靠岸。",
            "The chapters: (1) she sails; (2) he dies.",
            "绑匪的要求：一百万。",
            "上海、三、四两地。一、二月间下雪。",
            "He is 34, she 1.5 years older; 2 brothers. (1805)",
            "他说：“要求：一、不许动；二、放下枪。”",
            "I want: (1) only this one.",
        ] {
            let (wishes, rest) = split(said);
            assert!(wishes.is_empty() && rest == said, "{said}: {wishes:?} {rest}");
        }
    }
}
