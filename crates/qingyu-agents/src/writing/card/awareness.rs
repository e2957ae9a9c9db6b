//! People who must know a fact although the text does not list them: its teller, those told the same, and those who took part.

use std::collections::BTreeSet;

use qingyu_production::topic::terms;
use qingyu_story::language::has_words;
use serde_json::Value;

use super::told::{RETOLD, ToldText};

/// Words in the field `how` of a knower whom another person told the fact.
const SAYS: [&str; 25] = [
    "说",
    "讲",
    "告诉",
    "告知",
    "念",
    "承认",
    "透露",
    "转述",
    "复述",
    "口中",
    "says",
    "said",
    "tells",
    "told",
    "admits",
    "admitted",
    "confesses",
    "confessed",
    "reads",
    "read out",
    "repeats",
    "repeated",
    "hears",
    "heard",
    "from",
];
/// Nouns for something that somebody said.
const WORDS: [&str; 14] = [
    "话",
    "口供",
    "供词",
    "证词",
    "说法",
    "遗言",
    "words",
    "story",
    "account",
    "confession",
    "statement",
    "testimony",
    "warning",
    "hint",
];
/// Words that mark a fact as unknown to the people whom its sentence does not name.
const UNTOLD: [&str; 24] = [
    "瞒",
    "秘密",
    "没有告诉",
    "没告诉",
    "从没说",
    "从未说",
    "没有说过",
    "没人知道",
    "没有人知道",
    "无人知",
    "不知道",
    "不晓得",
    "secret",
    "secretly",
    "never told",
    "told nobody",
    "told no one",
    "had not told",
    "nobody knew",
    "no one knew",
    "did not know",
    "didn't know",
    "knew nothing",
    "hid it from",
];
/// Words that deny.
const DENIALS: [&str; 8] = ["不", "没", "未", "非", "not", "never", "no", "nobody"];

/// Returns whether `text` has one of the words; Latin words only as whole words.
fn says(text: &str, words: &[&str]) -> bool {
    let lower = text.to_lowercase();
    words.iter().any(|word| has_words(&lower, word))
}

/// Returns the texts of a key of the knowers of a fact.
fn of_knowers<'f>(fact: &'f Value, key: &str) -> Vec<&'f str> {
    let knowers = fact["known_by"].as_array().into_iter().flatten();
    knowers.filter_map(|knower| knower[key].as_str()).map(str::trim).filter(|text| !text.is_empty()).collect()
}

/// Returns how knowers of a fact were told it: `听宋启山说`; without other ways to know it.
fn tellings(fact: &Value) -> Vec<&str> {
    of_knowers(fact, "how").into_iter().filter(|how| says(how, &SAYS)).collect()
}

/// Returns the people who tell a fact to its knowers.
pub(super) fn tellers(fact: &Value, people: &[String]) -> Vec<String> {
    let told = tellings(fact);
    let is_named = |who: &&String| !who.trim().is_empty() && told.iter().any(|how| how.contains(who.trim()));
    people.iter().filter(is_named).cloned().collect()
}

/// Returns the person whose words a known statement is: `宋启山的半句话`, `Hay's account of the night`, `what Hay said`.
pub(super) fn speaker_of(content: &str) -> Option<&str> {
    let content = content.trim();
    let said = || Some(content.strip_prefix("what ")?.split_once(" said")?.0);
    let owned = ["的", "'s ", "’s "].into_iter().find_map(|mark| {
        let (who, what) = content.split_once(mark)?;
        says(what, &WORDS).then_some(who)
    });
    owned.or_else(said).map(str::trim).filter(|who| !who.is_empty())
}

/// Words behind a name by which a statement describes the person, who need not know it, instead of telling a deed.
const NOT_DONE: [&str; 20] = [
    "是", "不是", "被", "会", "将", "快", "要", "已", "死", "的", "可能", "也许", "'s", "’s", " is ", " was ",
    " will ", " has ", " had ", " may ",
];

/// Returns the people whose deed a known statement tells: `沈仲和把钥匙交给陆景明`, `Hay gives the key to Nell`.
pub(super) fn actors(content: &str, people: &[String]) -> Vec<String> {
    let content = content.trim();
    let is_person = |who: &&String| !who.trim().is_empty();
    let acts = |who: &&String| {
        let rest = content.strip_prefix(who.trim());
        rest.is_some_and(|rest| !rest.is_empty() && !NOT_DONE.iter().any(|word| rest.starts_with(word)))
    };
    let Some(actor) = people.iter().filter(is_person).find(acts) else { return Vec::new() };
    let gets = |who: &&String| ["给", " to "].iter().any(|word| content.contains(&format!("{word}{}", who.trim())));
    let others = people.iter().filter(is_person).filter(|who| *who != actor).filter(gets);
    std::iter::once(actor).chain(others).cloned().collect()
}

/// Returns the people who learn in the same chapter what the teller of a fact has said.
pub(super) fn told_again(fact: &Value, found: &[Value], learns: impl Fn(&Value) -> bool) -> Vec<String> {
    let told = tellings(fact);
    if told.is_empty() {
        return Vec::new();
    }
    let since: BTreeSet<&str> = of_knowers(fact, "since").into_iter().collect();
    let is_told = |other: &&Value| {
        let source = other["value"].as_str().or_else(|| other["object"].as_str()).and_then(speaker_of);
        let is_here = || of_knowers(other, "since").into_iter().any(|when| since.contains(when));
        source.is_some_and(|who| told.iter().any(|how| how.contains(who))) && is_here() && learns(other)
    };
    found.iter().filter(is_told).filter_map(|other| Some(other["subject"].as_str()?.trim().to_owned())).collect()
}

/// Returns the people one of whose `deeds` a statement tells: both name one of the `things` and share another term.
pub(super) fn doers(statement: &str, things: &[&str], deeds: &[(&str, String)]) -> Vec<String> {
    let said = terms(statement);
    let lower = statement.to_lowercase();
    let named: Vec<String> = things.iter().map(|name| name.trim().to_lowercase()).collect();
    let named: Vec<&String> = named.iter().filter(|name| !name.is_empty() && lower.contains(name.as_str())).collect();
    if named.is_empty() {
        return Vec::new();
    }
    let is_told = |deed: &str| {
        let done = terms(deed);
        named.iter().any(|name| {
            let own = terms(name);
            deed.contains(name.as_str()) && said.intersection(&done).any(|term| !own.contains(term))
        })
    };
    deeds.iter().filter(|(_, deed)| is_told(deed)).map(|(who, _)| (*who).to_owned()).collect()
}

/// Returns the people whose secret a statement tells.
pub(super) fn bearers(statement: &str, secrets: &[(&str, ToldText)]) -> Vec<String> {
    let told = secrets.iter().filter(|(_, secret)| secret.says(statement, RETOLD));
    told.map(|(who, _)| (*who).to_owned()).collect()
}

/// Returns whether the sentence of a fact, or how people know it, says that others do not know.
pub(super) fn is_untold(fact: &Value) -> bool {
    let quote = fact["says"]["quote"].as_str().unwrap_or_default();
    says(quote, &UNTOLD) || of_knowers(fact, "how").into_iter().any(|how| says(how, &UNTOLD))
}

/// Returns the name, the time and the way of learning of each knower of a fact for whom all three are given.
pub(super) fn hearings(fact: &Value) -> BTreeSet<[String; 3]> {
    let text = |knower: &Value, key: &str| knower[key].as_str().unwrap_or_default().trim().to_owned();
    let knowers = fact["known_by"].as_array().into_iter().flatten();
    let heard = knowers.map(|knower| ["who", "since", "how"].map(|key| text(knower, key)));
    heard.filter(|heard| heard.iter().all(|text| !text.is_empty())).collect()
}

/// Returns whether two known statements are alike in their words, with the people in one order.
pub(super) fn are_alike(one: &str, other: &str, people: &[String]) -> bool {
    let named = |text: &str| {
        let places = people.iter().filter(|who| !who.is_empty());
        let places =
            places.flat_map(|who| text.match_indices(who.as_str()).map(|(at, _)| at).zip(std::iter::repeat(who)));
        let mut places: Vec<(usize, &String)> = places.collect();
        places.sort();
        places.into_iter().map(|(_, who)| who.clone()).collect::<Vec<String>>()
    };
    let is_said = |one: &str, other: &str| ToldText::of([one]).says(other, RETOLD);
    named(one) == named(other) && (is_said(one, other) || is_said(other, one))
}

/// Returns whether one statement denies and the other does not.
pub(super) fn is_denial_of_one(one: &str, other: &str) -> bool {
    says(one, &DENIALS) != says(other, &DENIALS)
}
