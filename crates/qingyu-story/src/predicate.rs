//! The vocabulary of predicates: the meaning of fact words for the checker.
//!
//! The words are defined in `predicate/predicates.toml`, each with Chinese and English names. A fact may use any other
//! word; unknown words never contradict anything.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::RelationKind;
use crate::language::{Language, is_han};
use crate::names::{fold, fold_word};
use crate::numerals::{is_plain_numeral, read_chinese};

/// A word of the vocabulary.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Predicate {
    /// The name, such as `is_at`.
    pub name: String,
    /// Other names, Chinese and English.
    pub aliases: Vec<String>,
    /// The kind of the object.
    pub value: ValueKind,
    /// Whether only one value holds at a time.
    #[serde(default)]
    pub single: bool,
    /// Whether the value never changes.
    #[serde(default)]
    pub immutable: bool,
    /// Whether the value stays constant within a day, and without a time for the whole story.
    #[serde(default)]
    pub steady: bool,
    /// Whether the object has only one subject at a time.
    #[serde(default)]
    pub exclusive: bool,
    /// Whether the predicate holds in both directions.
    #[serde(default)]
    pub symmetric: bool,
    /// The inverse predicate.
    pub inverse: Option<String>,
    /// The role in checking.
    pub role: Option<PredicateRole>,
}

/// The kind of a predicate's object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueKind {
    /// A character, place, thing, organisation or event.
    Entity,
    /// A fact.
    Fact,
    /// A number, with an optional unit.
    Number,
    /// A text.
    Text,
    /// A colour.
    Colour,
    /// A time in the story's words.
    Time,
    /// A text compared letter by letter.
    Code,
    /// A truth value.
    Flag,
}

/// The role of a predicate in checking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PredicateRole {
    /// The subject is at the object.
    Place,
    /// The subject, a place, is part of the object.
    Within,
    /// The subject has the object.
    Holding,
    /// The subject receives the object.
    Getting,
    /// The subject loses or gives away the object.
    Parting,
    /// The subject uses the object.
    Use,
    /// The object, or the subject by default, is destroyed.
    Destruction,
    /// The object, or the subject by default, is repaired.
    Repair,
    /// The subject has the given amount.
    Amount,
    /// The subject gains the given amount.
    Gain,
    /// The subject spends the given amount.
    Spending,
    /// The subject knows the object.
    Knowing,
    /// The subject learns the object.
    Learning,
    /// The subject forgets the object.
    Forgetting,
    /// The subject speaks of the object or acts on the knowledge.
    Speaking,
    /// The subject denies the object.
    Denial,
    /// The subject dies.
    Death,
    /// The subject is revived, or was never dead.
    Revival,
    /// The subject kills the object.
    Killing,
    /// The subject has the given age in years.
    Age,
    /// The subject originates from the object.
    Origin,
    /// The subject is a member of the object.
    Membership,
    /// The subject falls on a ladder.
    Fall,
    /// The subject's power is sealed.
    Seal,
    /// The subject takes several steps of a ladder at once.
    Leap,
    /// The subject wins against the object.
    Victory,
    /// The subject is weakened.
    Weakness,
    /// The subject wins by the given means.
    Means,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VocabularySource {
    predicate: Vec<Predicate>,
    unit: Vec<MeasureUnit>,
    same: Vec<SynonymGroup>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MeasureUnit {
    base: String,
    sizes: BTreeMap<String, f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SynonymGroup {
    words: Vec<String>,
}

struct PredicateVocabulary {
    predicates: Vec<Predicate>,
    by_name: HashMap<String, usize>,
    units: HashMap<String, (f64, String)>,
    /// Synonyms, folded, with their group number.
    groups: Vec<(String, usize)>,
}

static VOCABULARY: LazyLock<PredicateVocabulary> = LazyLock::new(|| {
    let source: VocabularySource =
        toml::from_str(include_str!("predicate/predicates.toml")).expect("the vocabulary is part of the program");
    let names = |(index, predicate): (usize, &Predicate)| {
        let all = predicate.aliases.iter().chain([&predicate.name]);
        all.map(|name| (fold_word(name), index)).collect::<Vec<_>>()
    };
    let by_name = source.predicate.iter().enumerate().flat_map(names).collect();
    let sizes =
        |unit: MeasureUnit| unit.sizes.into_iter().map(move |(name, size)| (fold(&name), (size, unit.base.clone())));
    let words = |(group, same): (usize, SynonymGroup)| same.words.into_iter().map(move |word| (fold(&word), group));
    PredicateVocabulary {
        by_name,
        units: source.unit.into_iter().flat_map(sizes).collect(),
        groups: source.same.into_iter().enumerate().flat_map(words).collect(),
        predicates: source.predicate,
    }
});

/// Returns all words, in vocabulary order.
pub fn all() -> &'static [Predicate] {
    &VOCABULARY.predicates
}

/// Returns who dies by a statement: the subject of a death, the victim of a killing; `None` for other statements.
pub(crate) fn victim<'f>(word: &str, subject: &'f str, object: Option<&'f str>, value: &'f Value) -> Option<&'f str> {
    let word = find(word).filter(|_| *value != Value::Bool(false))?;
    match word.role? {
        PredicateRole::Death => Some(subject),
        // The same death from the victim's side.
        PredicateRole::Killing if word.name == "killed_by" => Some(subject),
        PredicateRole::Killing => object.or(value.as_str()),
        _ => None,
    }
}

/// Returns the word with the name or alias.
pub fn find(name: &str) -> Option<&'static Predicate> {
    position(name).map(|position| &all()[position])
}

/// The word of a relation of people who know each other; a fact that somebody knows something has another.
const ACQUAINTED: &str = "acquainted_with";

/// Returns a word in the language of a reader: `eye_colour` is 瞳色 or `eye colour`, `ally_of` is 盟友 or `ally of`. A word
/// of the story's own stays as it is.
pub fn shown(name: &str, language: Language) -> String {
    let Some(word) = find(name) else {
        if name == ACQUAINTED && language == Language::Zh {
            return "相识".to_owned();
        }
        let relation = RelationKind::named(name).filter(|_| language == Language::Zh);
        return relation.map_or_else(|| name.replace('_', " "), |relation| relation.shown(language));
    };
    let chinese = word.aliases.iter().find(|alias| alias.chars().all(is_han));
    match chinese.filter(|_| language == Language::Zh) {
        Some(alias) => alias.clone(),
        None => word.name.replace('_', " "),
    }
}

/// Returns a word as it is written, if it is in the language, or else as [`shown`]: `职位` stays 职位 and is `rank`.
pub(crate) fn written_or_shown(name: &str, language: Language) -> String {
    let is_own = match language {
        Language::Zh => name.chars().all(is_han),
        Language::En => !name.chars().any(is_han),
    };
    if is_own { name.replace('_', " ") } else { shown(name, language) }
}

/// Returns the word of a truth value for a reader: `死亡` or 没有死亡, `dies` or `dies: no`. `word` is one of [`shown`].
pub fn whether(word: &str, is_so: bool, language: Language) -> String {
    match (is_so, language) {
        (true, _) => word.to_owned(),
        (false, Language::Zh) => format!("没有{word}"),
        (false, Language::En) => format!("{word}: no"),
    }
}

/// Returns the index of the word in [`all`].
pub(crate) fn position(name: &str) -> Option<usize> {
    VOCABULARY.by_name.get(&fold_word(name)).copied()
}

/// Returns the name of the vocabulary word, or another predicate in comparable form: the same for all spellings of one
/// predicate.
pub(crate) fn word(name: &str) -> String {
    find(name).map_or_else(|| fold_word(name), |word| word.name.clone())
}

/// Returns the number in its base unit, and the base unit; `None` if the unit is not in the vocabulary.
pub(crate) fn in_base_unit(number: f64, unit: &str) -> Option<(f64, &'static str)> {
    VOCABULARY.units.get(&fold(unit)).map(|(size, base)| (number * size, base.as_str()))
}

/// Returns whether two numbers certainly differ. Converted numbers may differ by a twentieth; numbers in inconvertible
/// units never differ.
pub(crate) fn numbers_differ((a, a_unit): (f64, &str), (b, b_unit): (f64, &str)) -> bool {
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

/// Returns the number of a value, given as a JSON number or in digits; `+5` is a change, and no number.
pub fn number(value: &Value) -> Option<f64> {
    let digits = |text: &str| text.parse().ok().filter(|_| !text.starts_with('+'));
    value.as_f64().or_else(|| digits(value.as_str()?.trim())).filter(|number| number.is_finite())
}

/// Returns the number of a value with its unit: `unit`, or the unit within the value (`182cm`, `八尺`).
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

/// Returns whether two texts certainly contradict each other.
///
/// Codes are compared by letters. Other texts differ if both contain vocabulary words but none in common, or if they
/// share no word and no Chinese character. Texts in different scripts are compared by vocabulary alone.
pub(crate) fn texts_differ(kind: ValueKind, a: &str, b: &str) -> bool {
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
    // `外门弟子` and `掌门`, `first mate` and `second mate`: neither contains the other, and they share little or have a
    // contrast.
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

/// Contrasting words: texts differing only by two of these words contradict each other.
const CONTRASTS: [&str; 38] = [
    "内", "外", "左", "右", "上", "中", "下", "大", "小", "少", "正", "副", "前", "后", "东", "西", "南", "北", "一",
    "二", "三", "四", "五", "六", "七", "八", "九", "first", "second", "third", "fourth", "fifth", "junior", "senior",
    "inner", "outer", "upper", "lower",
];

/// Returns the text with classifying words removed.
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

/// Returns the words and the single Chinese characters.
fn parts(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric() || is_han(c)).filter(|word| !word.is_empty());
    words.map(str::to_owned).chain(text.chars().filter(|c| is_han(*c)).map(String::from)).collect()
}
