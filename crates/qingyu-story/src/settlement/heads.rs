//! Likeness of names of things, places and organisations: one noun with other words before it.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::Story;
use crate::language::is_han;
use crate::names::fold;

/// Chinese characters for what a thing is made of.
const MATERIALS: &str = "金银铜铁锡铅钢铝玉石木竹瓷陶纸布皮骨革锦缎绸丝铂";
/// Chinese characters for the colour of a thing.
const COLOURS: &str = "红黑白黄青蓝绿紫灰褐赤朱碧";
/// Chinese characters for the state or size of a thing.
const STATES: &str = "旧新老破小大古残断碎祖传那这半只枚块的色制质";
/// Chinese characters that tell things of one kind apart.
const ORDINALS: &str = "一二三四五六七八九十甲乙丙丁左右东西南北上下前后";
/// English words for what a thing is made of.
const MADE_OF: [&str; 18] = [
    "brass", "bronze", "copper", "silver", "gold", "golden", "iron", "steel", "tin", "lead", "wooden", "leather",
    "paper", "glass", "stone", "jade", "bone", "ivory",
];
/// English words for the colour of a thing.
const COLOURED: [&str; 10] = ["red", "black", "white", "yellow", "blue", "green", "purple", "grey", "gray", "brown"];
/// English words for the state or size of a thing.
const WORN: [&str; 18] = [
    "old",
    "new",
    "worn",
    "small",
    "little",
    "big",
    "large",
    "battered",
    "broken",
    "ancient",
    "rusty",
    "rusted",
    "that",
    "this",
    "dented",
    "tarnished",
    "faded",
    "heavy",
];
/// English words that tell things of one kind apart.
const COUNTED: [&str; 13] =
    ["first", "second", "third", "fourth", "last", "other", "left", "right", "upper", "lower", "north", "south", "one"];
/// Words of which a thing has one or the other.
const OPPOSITES: [(&str, &str); 6] =
    [("旧", "新"), ("老", "新"), ("大", "小"), ("old", "new"), ("small", "big"), ("small", "large")];

/// English words of the names of places and organisations that tell none of them apart.
const SMALL: [&str; 17] = [
    "the", "a", "an", "of", "at", "in", "on", "and", "&", "company", "co", "co.", "ltd", "ltd.", "limited", "sons",
    "firm",
];
/// Words behind which a name says where something is or whose (`the mill at Dean`).
const BELONGING: [&str; 4] = ["of", "at", "in", "on"];

/// Ends of Chinese names of places that say only what kind of place it is.
const PLACE_ENDS: &str = "省市县府州郡城镇乡村寨庄";
/// The same for English.
const PLACE_WORDS: [&str; 6] = ["county", "city", "town", "village", "province", "district"];

/// Returns the positions of the items that a text may speak of in other words: it has the noun at the end of their name
/// (`罗盘` of `旧罗盘`, `compass` of `the old compass`).
pub fn likely_items(story: &Story, text: &str) -> Vec<usize> {
    let text = fold(text);
    let words: FxHashSet<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    let is_told = |name: &str| match noun(name) {
        Some(noun) if noun.chars().all(is_han) => text.contains(noun),
        Some(noun) => words.contains(noun),
        None => false,
    };
    let items = story.items().iter().enumerate();
    items.filter(|(_, item)| is_told(&fold(&item.name))).map(|(position, _)| position).collect()
}

/// Returns whether two different names of things may mean one thing: they end in the same noun, and the words before it
/// describe the thing (`旧罗盘`, `黄铜罗盘`, `罗盘`) without a contradiction (`铜钥匙`, `银钥匙`). Names must be folded.
pub(super) fn may_be_one_thing(a: &str, b: &str) -> bool {
    let Some((a, b)) = before_the_noun(a, b) else { return false };
    let contradict = |words: &dyn Fn(&str) -> bool, may_lack: bool| {
        let of = |parts: &BTreeSet<String>| parts.iter().filter(|part| words(part)).cloned().collect::<BTreeSet<_>>();
        let (one, other) = (of(&a), of(&b));
        let both = !one.is_empty() && !other.is_empty();
        (both || !may_lack) && one != other && one.is_disjoint(&other)
    };
    let is_material = |part: &str| MATERIALS.contains(part) || MADE_OF.contains(&part);
    let is_colour = |part: &str| COLOURS.contains(part) || COLOURED.contains(&part);
    let is_state = |part: &str| STATES.contains(part) || WORN.contains(&part);
    let is_ordinal =
        |part: &str| ORDINALS.contains(part) || COUNTED.contains(&part) || part.chars().all(|c| c.is_ascii_digit());
    let is_opposite = OPPOSITES
        .iter()
        .any(|(one, other)| a.contains(*one) && b.contains(*other) || a.contains(*other) && b.contains(*one));
    let is_apart =
        is_opposite || contradict(&is_material, true) || contradict(&is_colour, true) || contradict(&is_ordinal, false);
    let describes =
        |parts: &BTreeSet<String>| parts.iter().all(|part| is_material(part) || is_colour(part) || is_state(part));
    !is_apart && (describes(&a) || describes(&b))
}

/// Returns whether two different names of places may mean one: one only adds what kind of place it is (`青阳`, `青阳县`).
/// Names must be folded.
pub(super) fn may_be_one_place(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let Some(rest) = long.strip_prefix(short).filter(|rest| !rest.is_empty()) else { return false };
    match short.chars().all(is_han) {
        true => short.chars().count() >= 2 && rest.chars().all(|c| PLACE_ENDS.contains(c)),
        false => rest.strip_prefix(' ').is_some_and(|rest| PLACE_WORDS.contains(&rest)),
    }
}

/// Returns whether two different names of places or organisations may mean one: they end in the same word for its kind, and
/// the longer one has all words of the shorter one, which are not for the kind alone (`Dean mill`, `the Dean paper mill`;
/// `永昌当铺`, `永昌记当铺`). Names must be folded.
pub(super) fn may_be_one_body(a: &str, b: &str) -> bool {
    let (short, long) = if a.chars().count() <= b.chars().count() { (a, b) } else { (b, a) };
    if a.chars().chain(b.chars()).all(is_han) {
        let count = short.chars().count();
        let begins = short.chars().zip(long.chars()).take_while(|(one, other)| one == other).count();
        let ends = short.chars().rev().zip(long.chars().rev()).take_while(|(one, other)| one == other).count();
        let mut added = long.chars().skip(begins).take(long.chars().count().saturating_sub(count));
        return begins >= 2 && ends >= 1 && begins + ends >= count && !added.any(|c| ORDINALS.contains(c));
    }
    let words = |name: &str| {
        let words = name.split_whitespace().map(|word| word.strip_suffix("'s").unwrap_or(word).to_owned());
        words.filter(|word| !SMALL.contains(&word.as_str())).collect::<BTreeSet<String>>()
    };
    let kind = |name: &str| {
        let named = name.split_whitespace().take_while(|word| !BELONGING.contains(word));
        named.filter(|word| !SMALL.contains(word)).last().map(str::to_owned)
    };
    let (one, other) = (words(a), words(b));
    let (few, many) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let tells_apart = |word: &String| COUNTED.contains(&word.as_str()) || word.contains(|c: char| c.is_ascii_digit());
    kind(a).is_some_and(|kind_of_a| kind(b) == Some(kind_of_a))
        && few.len() >= 2
        && few.is_subset(&many)
        && !many.difference(&few).any(tells_apart)
}

/// Returns the end of a name that says what the thing is: the last two Chinese characters, or the last word. `None` if
/// the name is shorter or has nothing before it.
fn noun(name: &str) -> Option<&str> {
    if name.chars().all(is_han) {
        let (at, _) = name.char_indices().rev().nth(1)?;
        return Some(&name[at..]).filter(|noun| noun.len() < name.len());
    }
    name.rsplit_once(' ').map(|(_, noun)| noun).filter(|noun| noun.len() > 2)
}

/// Returns the words before the common noun of two names, as single Chinese characters or English words; `None` if they
/// have no noun in common.
fn before_the_noun(a: &str, b: &str) -> Option<(BTreeSet<String>, BTreeSet<String>)> {
    if a.chars().all(is_han) && b.chars().all(is_han) {
        let common = a.chars().rev().zip(b.chars().rev()).take_while(|(one, other)| one == other).count();
        let before = |name: &str| {
            let count = name.chars().count() - common;
            name.chars().take(count).map(String::from).collect::<BTreeSet<_>>()
        };
        return (common >= 2).then(|| (before(a), before(b)));
    }
    let words = |name: &str| {
        let words = name.split_whitespace().filter(|word| !matches!(*word, "the" | "a" | "an"));
        words.map(str::to_owned).collect::<Vec<_>>()
    };
    let (mut a, mut b) = (words(a), words(b));
    let noun = a.pop().filter(|noun| noun.len() > 2)?;
    (b.pop()? == noun).then(|| (a.into_iter().collect(), b.into_iter().collect()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{likely_items, may_be_one_body, may_be_one_place, may_be_one_thing, noun};

    #[test]
    fn one_thing_under_two_descriptions_is_asked_about() {
        for (a, b) in [
            ("黄铜罗盘", "旧罗盘"),
            ("罗盘", "旧罗盘"),
            ("祖父的罗盘", "黄铜罗盘"),
            ("铜钥匙", "黄铜钥匙"),
            ("勃朗宁手枪", "旧手枪"),
            ("brass compass", "old compass"),
            ("mara's compass", "brass compass"),
            ("the ledger", "black ledger"),
        ] {
            assert!(may_be_one_thing(a, b) && may_be_one_thing(b, a), "{a} / {b}");
        }
    }

    #[test]
    fn things_that_only_share_a_noun_are_two() {
        for (a, b) in [
            ("铜钥匙", "银钥匙"),
            ("红铜钥匙", "黄铜钥匙"),
            ("新罗盘", "旧罗盘"),
            ("林深的罗盘", "苏曼的罗盘"),
            ("口供抄本", "账目抄本"),
            ("第一封信", "第二封信"),
            ("左门环", "门环"),
            ("罗盘", "算盘"),
            ("brass key", "silver key"),
            ("new compass", "old compass"),
            ("hale's ledger", "harbour ledger"),
            ("first letter", "old letter"),
            ("compass", "old map"),
        ] {
            assert!(!may_be_one_thing(a, b) && !may_be_one_thing(b, a), "{a} / {b}");
        }
    }

    #[test]
    fn a_place_may_add_what_kind_of_place_it_is() {
        for (a, b) in [("青阳", "青阳县"), ("青阳县城", "青阳县"), ("hale", "hale county")] {
            assert!(may_be_one_place(a, b) && may_be_one_place(b, a), "{a} / {b}");
        }
        for (a, b) in [("旧港", "旧港码头"), ("青阳县", "青阳镇"), ("东", "东城"), ("hale", "hale house")]
        {
            assert!(!may_be_one_place(a, b) && !may_be_one_place(b, a), "{a} / {b}");
        }
    }

    #[test]
    fn a_place_or_organisation_may_be_named_by_fewer_words() {
        for (a, b) in [
            ("dean mill", "the dean paper mill"),
            ("the mill at dean", "dean mill"),
            ("dean's mill company", "dean mill"),
            ("永昌记当铺", "永昌当铺"),
            ("汪家老宅", "汪家宅"),
        ] {
            assert!(may_be_one_body(a, b) && may_be_one_body(b, a), "{a} / {b}");
        }
        for (a, b) in [
            ("dean mill", "hay mill"),
            ("the mill", "dean mill"),
            ("dean mill", "dean mill house"),
            ("harbour road", "north harbour road"),
            ("永昌当铺", "永昌绸铺"),
            ("县衙大堂", "县衙后堂"),
            ("旧港", "旧港码头"),
            ("东城门", "东城南门"),
            ("当铺", "永昌当铺"),
        ] {
            assert!(!may_be_one_body(a, b) && !may_be_one_body(b, a), "{a} / {b}");
        }
    }

    #[test]
    fn the_noun_of_a_name_is_its_end() {
        assert_eq!((noun("黄铜罗盘"), noun("罗盘"), noun("剑")), (Some("罗盘"), None, None));
        assert_eq!((noun("brass compass"), noun("compass"), noun("an ox")), (Some("compass"), None, None));
        let items = json!([{"name": "旧罗盘"}, {"name": "The Old Compass"}, {"name": "剑"}]);
        let story = serde_json::from_value(json!({"worldview": {"items": items}})).expect("it is a story");
        assert_eq!(likely_items(&story, "她取出那只黄铜罗盘。"), [0]);
        assert_eq!(likely_items(&story, "A brass compass lay there; he encompassed it."), [1]);
        assert_eq!(likely_items(&story, "他盘起腿。The compasses were sold."), [0_usize; 0]);
    }
}
