//! The vocabulary of predicates: what the words of facts mean to the checker.
//!
//! The words stand in `predicate/predicates.toml`, each with its names in Chinese and English. A fact may use any other
//! word; of such a word nothing is known, so it never contradicts anything.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::language::is_han;
use crate::names::fold;
use crate::numerals::{is_plain_numeral, read_chinese};

/// A word of the vocabulary.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Predicate {
    /// The name, such as `is_at`.
    pub name: String,
    /// Other names, Chinese and English.
    pub aliases: Vec<String>,
    /// What stands on the other side.
    pub value: ValueKind,
    /// Whether there is one value at a time.
    #[serde(default)]
    pub single: bool,
    /// Whether the value never changes.
    #[serde(default)]
    pub immutable: bool,
    /// Whether the value stays within a day, and, without a time, for the whole story.
    #[serde(default)]
    pub steady: bool,
    /// Whether the object has one subject at a time.
    #[serde(default)]
    pub exclusive: bool,
    /// Whether it holds in both directions.
    #[serde(default)]
    pub symmetric: bool,
    /// The same from the other side.
    pub inverse: Option<String>,
    /// What the checker uses it for.
    pub role: Option<Role>,
}

/// What stands on the other side of a predicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueKind {
    /// A character, place, thing, organisation or event.
    Entity,
    /// A fact.
    Fact,
    /// A number, with a unit if it needs one.
    Number,
    /// A text.
    Text,
    /// A colour.
    Colour,
    /// A time in the story's words.
    Time,
    /// A text that is compared letter by letter.
    Code,
    /// Whether it is so.
    Flag,
}

/// What the checker uses a predicate for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The object is where the subject is.
    Place,
    /// The subject, a place, lies in the object.
    Within,
    /// The subject has the object.
    Holding,
    /// The subject comes to have the object.
    Getting,
    /// The subject no longer has the object.
    Parting,
    /// The subject uses the object.
    Use,
    /// The object, or the subject if there is none, is no more.
    Destruction,
    /// The object, or the subject if there is none, is whole again.
    Repair,
    /// The subject has so many.
    Amount,
    /// The subject has so many more.
    Gain,
    /// The subject has so many less.
    Spending,
    /// The subject knows the object.
    Knowing,
    /// The subject comes to know the object.
    Learning,
    /// The subject no longer knows the object.
    Forgetting,
    /// The subject speaks of the object or acts on it.
    Speaking,
    /// The subject says that the object is not so.
    Denial,
    /// The subject dies.
    Death,
    /// The subject is back from the dead, or was never dead.
    Revival,
    /// The object dies by the subject.
    Killing,
    /// The subject is so many years old.
    Age,
    /// The subject comes from the object.
    Origin,
    /// The subject belongs to the object.
    Membership,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    predicate: Vec<Predicate>,
    unit: Vec<Unit>,
    same: Vec<Same>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unit {
    base: String,
    sizes: BTreeMap<String, f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Same {
    words: Vec<String>,
}

struct Vocabulary {
    predicates: Vec<Predicate>,
    by_name: HashMap<String, usize>,
    units: HashMap<String, (f64, String)>,
    /// Words that say the same, folded, with the number of their group.
    groups: Vec<(String, usize)>,
}

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let source: Source =
        toml::from_str(include_str!("predicate/predicates.toml")).expect("the vocabulary is part of the program");
    let names = |(index, predicate): (usize, &Predicate)| {
        let all = predicate.aliases.iter().chain([&predicate.name]);
        all.map(|name| (key(name), index)).collect::<Vec<_>>()
    };
    let by_name = source.predicate.iter().enumerate().flat_map(names).collect();
    let sizes = |unit: Unit| unit.sizes.into_iter().map(move |(name, size)| (fold(&name), (size, unit.base.clone())));
    let words = |(group, same): (usize, Same)| same.words.into_iter().map(move |word| (fold(&word), group));
    Vocabulary {
        by_name,
        units: source.unit.into_iter().flat_map(sizes).collect(),
        groups: source.same.into_iter().enumerate().flat_map(words).collect(),
        predicates: source.predicate,
    }
});

/// All words, in the order of the vocabulary.
pub fn all() -> &'static [Predicate] {
    &VOCABULARY.predicates
}

/// The word of that name, under any of its names.
pub fn find(name: &str) -> Option<&'static Predicate> {
    position(name).map(|position| &all()[position])
}

/// The place of that word in [`all`].
pub(crate) fn position(name: &str) -> Option<usize> {
    VOCABULARY.by_name.get(&key(name)).copied()
}

/// A predicate's name in the form in which names are compared: as [`fold`] makes it, words joined by `_`.
pub fn key(name: &str) -> String {
    fold(name).replace([' ', '-'], "_")
}

/// The number in its base unit, and that unit; `None` if the unit is not in the vocabulary.
pub fn in_base_unit(number: f64, unit: &str) -> Option<(f64, &'static str)> {
    VOCABULARY.units.get(&fold(unit)).map(|(size, base)| (number * size, base.as_str()))
}

/// Whether two numbers are certainly different. Converted ones may differ by a twentieth; those that cannot be converted
/// are not compared.
pub fn numbers_differ((a, a_unit): (f64, &str), (b, b_unit): (f64, &str)) -> bool {
    const ROUNDING: f64 = 0.05;
    const EXACT: f64 = 1e-9;
    let apart = |a: f64, b: f64, share: f64| (a - b).abs() > share * a.abs().max(b.abs());
    if fold(a_unit) == fold(b_unit) {
        return apart(a, b, EXACT);
    }
    match (in_base_unit(a, a_unit), in_base_unit(b, b_unit)) {
        (Some((a, a_base)), Some((b, b_base))) => a_base == b_base && apart(a, b, ROUNDING),
        _ => false,
    }
}

/// The number that a value is, written as one or in digits.
pub fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.trim().parse().ok()).filter(|number| number.is_finite())
}

/// The number that a value is, with its unit: `unit`, or the one that stands in the value itself (`182cm`, `八尺`).
pub fn quantity<'v>(value: &'v Value, unit: &'v str) -> Option<(f64, &'v str)> {
    let parts = || {
        let text = value.as_str().map(str::trim).filter(|_| unit.trim().is_empty())?;
        let is_latin = |c: char| c.is_ascii_digit() || c == '.';
        let end = text.find(|c| !is_latin(c)).unwrap_or(text.len());
        let end = if end > 0 { end } else { text.find(|c| !is_plain_numeral(c)).unwrap_or(text.len()) };
        let (number, unit) = (&text[..end], text[end..].trim());
        let number = number.parse().ok().or_else(|| read_chinese(number).map(|number| number as f64));
        number.filter(|_| VOCABULARY.units.contains_key(&fold(unit))).map(|number| (number, unit))
    };
    number(value).map(|number| (number, unit)).or_else(parts)
}

/// Whether two texts certainly say different things.
///
/// Codes differ if their letters do. Other texts differ if both hold words of the vocabulary and none in common, or if
/// they share no word and no Chinese character. Texts of different scripts are compared by the vocabulary alone.
pub fn texts_differ(kind: ValueKind, a: &str, b: &str) -> bool {
    let (a, b) = (bare(a), bare(b));
    if a.is_empty() || b.is_empty() || a == b {
        return false;
    }
    let (a_groups, b_groups) = (groups(&a), groups(&b));
    if !a_groups.is_empty() && !b_groups.is_empty() {
        return a_groups.is_disjoint(&b_groups);
    }
    let has_han = |text: &str| text.chars().any(is_han);
    if has_han(&a) != has_han(&b) {
        return false;
    }
    let (a_parts, b_parts) = (parts(&a), parts(&b));
    if kind == ValueKind::Code || a_parts.is_disjoint(&b_parts) {
        return true;
    }
    // `外门弟子` and `掌门`, `first mate` and `second mate`: not one within the other, and little in common or a contrast.
    let is_within = a.contains(&b) || b.contains(&a);
    let shared = a_parts.intersection(&b_parts).count();
    let is_little = has_han(&a) && shared * 3 <= a_parts.union(&b_parts).count();
    let own = |one: &BTreeSet<String>, other: &BTreeSet<String>| one.difference(other).cloned().collect::<Vec<_>>();
    let contrasts = |word: &String| CONTRASTS.contains(&word.as_str());
    let is_contrast = match (own(&a_parts, &b_parts).as_slice(), own(&b_parts, &a_parts).as_slice()) {
        ([one], [other]) => contrasts(one) && contrasts(other),
        _ => false,
    };
    kind == ValueKind::Text && !is_within && (is_little || is_contrast)
}

/// Words of which a text has one or another.
const CONTRASTS: [&str; 38] = [
    "内", "外", "左", "右", "上", "中", "下", "大", "小", "少", "正", "副", "前", "后", "东", "西", "南", "北", "一",
    "二", "三", "四", "五", "六", "七", "八", "九", "first", "second", "third", "fourth", "fifth", "junior", "senior",
    "inner", "outer", "upper", "lower",
];

/// The text without what says only of what kind it is.
fn bare(text: &str) -> String {
    let folded = fold(text);
    let text = folded.trim_end_matches('型').trim_end_matches('色').trim_end_matches("type");
    text.trim_start_matches("type").trim_matches([' ', '-']).to_owned()
}

fn groups(text: &str) -> BTreeSet<usize> {
    let holds = |word: &str| match word.chars().all(is_han) {
        true => text.contains(word),
        false => text.split(|c: char| !c.is_alphanumeric()).any(|part| part == word) || text == word,
    };
    VOCABULARY.groups.iter().filter(|(word, _)| holds(word)).map(|(_, group)| *group).collect()
}

/// Words, and single Chinese characters.
fn parts(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric() || is_han(c)).filter(|word| !word.is_empty());
    words.map(str::to_owned).chain(text.chars().filter(|c| is_han(*c)).map(String::from)).collect()
}
