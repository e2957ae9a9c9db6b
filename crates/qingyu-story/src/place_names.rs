//! Names of places without a card.

use crate::language::is_han;

/// Ends of Chinese words for a place that are no names: 城里, 海边, 北方.
const NO_NAME_ENDS: [char; 16] =
    ['里', '边', '上', '下', '外', '方', '中', '家', '处', '地', '旁', '前', '后', '间', '头', '口'];
/// Beginnings of Chinese words for a place that are no names: 这座城, 一个小镇.
const NO_NAME_BEGINNINGS: [char; 12] = ['这', '那', '某', '一', '本', '此', '各', '他', '她', '我', '自', '小'];
/// Chinese words for kinds of places.
const KINDS: [&str; 16] = [
    "农村", "山村", "乡村", "渔村", "县城", "省城", "京城", "都城", "皇城", "城市", "古镇", "故乡", "家乡", "外乡",
    "异国", "海岛",
];
/// Last letters of Chinese names of places that do not lie in another of their kind.
const CHINESE_KINDS: [char; 19] =
    ['州', '市', '县', '镇', '村', '乡', '省', '郡', '国', '岛', '港', '寨', '庄', '街', '路', '巷', '桥', '寺', '庙'];
/// Last words of English names of places that do not lie in another of their kind.
const ENGLISH_KINDS: [&str; 14] = [
    "Street", "Road", "Lane", "Avenue", "Square", "Bridge", "Island", "County", "Castle", "Abbey", "Station", "Inn",
    "Village", "Farm",
];

/// Returns whether the words for a place are its name, and not only its kind: 杭州, `Baker Street`, but not 城里 and `the mill`.
pub(crate) fn is_named(place: &str) -> bool {
    let place = bare(place);
    if !place.chars().any(is_han) {
        let is_small = |word: &str| matches!(word, "of" | "the" | "on" | "upon" | "and" | "de" | "la");
        let mut words =
            place.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’').filter(|word| !word.is_empty());
        let mut has_word = false;
        return words.all(|word| {
            has_word |= !is_small(word);
            is_small(word) || word.starts_with(char::is_uppercase)
        }) && has_word;
    }
    let letters = place.chars().count();
    (2..=8).contains(&letters)
        && !place.contains('的')
        && !place.ends_with(NO_NAME_ENDS)
        && !place.starts_with(NO_NAME_BEGINNINGS)
        && !KINDS.contains(&place)
}

/// Returns whether two names are those of two places of one kind, neither of which lies in the other: 杭州 and 苏州,
/// `Baker Street` and `Ludgate Street`.
pub(crate) fn are_two_of_a_kind(one: &str, other: &str) -> bool {
    let (one, other) = (bare(one), bare(other));
    if one == other || !is_named(one) || !is_named(other) {
        return false;
    }
    let kind = |place: &str| place.chars().next_back().filter(|last| CHINESE_KINDS.contains(last));
    let last = last_of_words(one);
    let is_english = last.is_some_and(|last| ENGLISH_KINDS.contains(&last)) && last == last_of_words(other);
    is_english || kind(one).is_some() && kind(one) == kind(other)
}

/// Returns the last word of a name of several words.
fn last_of_words(place: &str) -> Option<&str> {
    place.split_whitespace().next_back().filter(|_| place.contains(' '))
}

fn bare(place: &str) -> &str {
    let place = place.trim();
    place.strip_prefix("the ").unwrap_or(place)
}

#[cfg(test)]
mod tests {
    use super::{are_two_of_a_kind, is_named};

    #[test]
    fn a_kind_of_place_is_no_name() {
        for name in ["杭州", "山西", "李家村", "Bristol", "Baker Street", "Stoke on Trent", "the Isle of Wight"]
        {
            assert!(is_named(name), "{name}");
        }
        for other in ["城里", "海边", "北方", "小镇", "县城", "那座城", "山里的村子", "the mill", "north country", ""]
        {
            assert!(!is_named(other), "{other}");
        }
    }

    #[test]
    fn two_streets_are_apart_and_a_town_may_lie_in_a_county() {
        for (one, other) in [("杭州", "苏州"), ("李家村", "王家村"), ("Baker Street", "Ludgate Street")] {
            assert!(are_two_of_a_kind(one, other), "{one} {other}");
        }
        for (one, other) in [
            ("杭州", "杭州"),
            ("绍兴", "浙江"),
            ("杭州", "李家村"),
            ("县城", "省城"),
            ("Truro", "Cornwall"),
            ("Baker Street", "London"),
            ("a street", "another street"),
        ] {
            assert!(!are_two_of_a_kind(one, other), "{one} {other}");
        }
    }
}
