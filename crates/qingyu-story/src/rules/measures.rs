//! Distances and durations that two chapters tell differently.

use std::collections::BTreeMap;

use super::RuleMaterial;
use super::claims::{StatementPair, in_telling_order, narrated};
use crate::fact::with_unit;
use crate::fact_time::TimeCertainty;
use crate::language::has_any;
use crate::predicate;
use crate::time::{TimeLength, length};
use crate::truth::{Entity, GroundTruth, PredicateTerm, TruthStatement};

/// The predicates of measures that stay as they are, so that a statement without a time of its own is about the whole story.
const MEASURES: [&str; 2] = ["distance", "duration"];
/// Words by which a sentence says how somebody travels.
const MEANS: [&[&str]; 4] = [
    &["骑", "马", "ride", "riding", "rode", "horse", "horses", "horseback"],
    &["步行", "徒步", "脚程", "foot", "walk", "walking", "walked"],
    &["船", "舟", "水路", "boat", "boats", "ship", "sail", "sailing", "sailed"],
    &["车", "cart", "coach", "carriage", "wagon", "drive", "driving", "drove", "train"],
];

/// Returns the pairs of narrated statements of two chapters that give other measures of one thing, or between the same two
/// ends. A statement with a time of its own tells a change.
pub(super) fn drifts<'t, 's>(material: &'t RuleMaterial<'s>) -> Vec<StatementPair<'t, 's>> {
    let truth = material.truth();
    let mut told: BTreeMap<(PredicateTerm, Entity, Option<Entity>), Vec<&'t TruthStatement<'s>>> = BTreeMap::new();
    for (subject, term, group) in truth.by_subject() {
        let is_measure = truth.predicate(term).is_some_and(|word| MEASURES.contains(&word.name.as_str()));
        if !is_measure || !truth.registry.is_clear(subject) {
            continue;
        }
        for one in narrated(truth, group) {
            let is_clear = one.object.is_none_or(|object| truth.registry.is_clear(object));
            if !is_clear || truth.time_certainty(one) == TimeCertainty::Told {
                continue;
            }
            let (first, second) = match one.object {
                Some(object) => (subject.min(object), Some(subject.max(object))),
                None => (subject, None),
            };
            told.entry((term, first, second)).or_default().push(one);
        }
    }
    let mut pairs = Vec::new();
    for mut statements in told.into_values() {
        in_telling_order(truth, &mut statements);
        let Some((first, others)) = statements.split_first() else { continue };
        pairs.extend(others.iter().filter(|other| differ(truth, first, other)).map(|other| (*first, *other)));
    }
    pairs
}

/// Returns whether two statements of different texts certainly give different measures.
fn differ<'s>(truth: &GroundTruth<'s>, one: &TruthStatement<'s>, other: &TruthStatement<'s>) -> bool {
    let sources = [one, other].map(|said| truth.asserting(said).and_then(|fact| fact.source.as_ref()));
    let [Some(first), Some(second)] = sources else { return false };
    if first.document.trim() == second.document.trim() {
        return false;
    }
    if let Some((one, other)) =
        one.number().zip(other.number()).filter(|(one, other)| predicate::numbers_differ(*one, *other))
        && [one, other].iter().all(|(_, unit)| predicate::in_base_unit(1.0, unit).is_some())
    {
        return true;
    }
    // The way back may take longer.
    let are_times = one.subject == other.subject
        && time_of(one).zip(time_of(other)).is_some_and(|(one, other)| is_apart(one, other));
    are_times && !are_other_means(&first.quote, &second.quote)
}

/// Returns the time that a statement gives, such as `2 days` of `two days' ride`.
fn time_of(said: &TruthStatement<'_>) -> Option<TimeLength> {
    let words = match said.number() {
        Some((number, unit)) => with_unit(&number.to_string(), unit),
        None => said.text()?.to_owned(),
    };
    let words = words.trim().to_lowercase();
    let is_whole = |end: &usize| !words[*end..].starts_with(|c: char| c.is_ascii_alphanumeric());
    let ends = words.char_indices().map(|(at, _)| at).chain([words.len()]).rev();
    ends.filter(is_whole).find_map(|end| length(words[..end].trim_end()))
}

/// Returns whether two lengths certainly differ; numbers of one unit do if they are not equal, others beyond their tolerance.
fn is_apart(one: TimeLength, other: TimeLength) -> bool {
    let slack = if one.slack == other.slack { 0 } else { one.slack.max(other.slack) };
    one.most + slack < other.least || other.most + slack < one.least
}

/// Returns whether both sentences say how somebody travels, and in no common way.
fn are_other_means(one: &str, other: &str) -> bool {
    let means = |quote: &str| MEANS.map(|words| has_any(quote, words));
    let (one, other) = (means(one), means(other));
    let is_any = |means: &[bool]| means.contains(&true);
    is_any(&one) && is_any(&other) && !one.iter().zip(&other).any(|(one, other)| *one && *other)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::{Config, Severity, Story, findings};

    /// Returns whether two facts, each the only one of its chapter, are found to differ.
    fn differ(one: (Value, &str), other: (Value, &str)) -> bool {
        let fact = |id: &str, document: &str, (mut fact, quote): (Value, &str)| {
            fact["id"] = json!(id);
            fact["source"] = json!({ "document": document, "quote": quote });
            fact
        };
        let document =
            |id: &str, order: u32, text: &str| json!({ "id": id, "title": id, "order": order, "text": text });
        let story: Story = serde_json::from_value(json!({
            "worldview": { "locations": [{ "id": "l-1", "name": "渡口" }, { "id": "l-2", "name": "州城" }] },
            "documents": [document("d-1", 1, one.1), document("d-2", 2, other.1)],
            "facts": [fact("f-1", "d-1", one), fact("f-2", "d-2", other)],
        }))
        .unwrap();
        !findings(&story, &Config::only("QY407", Severity::Medium)).is_empty()
    }

    fn way(value: &Value, unit: &str) -> Value {
        json!({ "subject": "渡口", "predicate": "路程", "object": "州城", "value": value, "unit": unit })
    }

    #[test]
    fn a_journey_told_in_two_lengths_is_found() {
        let two = || (way(&json!(2), "天"), "从渡口到州城，两天的路。");
        assert!(differ(two(), (way(&json!(3), "天"), "州城离渡口有三天的路。")));
        assert!(differ(two(), (way(&json!("三天的路"), ""), "州城离渡口有三天的路。")));
        assert!(!differ(two(), (way(&json!(2), "日"), "州城离渡口有两日的路。")));
        assert!(!differ(two(), (way(&json!(60), "里"), "州城离渡口有六十里。")), "another measure");
        let (mut later, quote) = (way(&json!(3), "天"), "路断了以后，要走三天。");
        later["from"] = json!("2077-03-05");
        assert!(!differ(two(), (later, quote)), "a change");
        let english = || (way(&json!(2), "days' ride"), "It was two days' ride to the town.");
        assert!(differ(english(), (way(&json!(3), "days"), "They were three days on the road to the town.")));
        assert!(!differ(english(), (way(&json!(3), "days"), "It is three days on foot.")), "a walk is no ride");
    }

    #[test]
    fn the_way_back_is_as_long_but_may_take_longer() {
        let back = |value: i64, unit: &str| json!({ "subject": "州城", "predicate": "distance", "object": "渡口", "value": value, "unit": unit });
        let there = |value: i64, unit: &str| (way(&json!(value), unit), "从渡口到州城。");
        assert!(differ(there(60, "里"), (back(90, "里"), "从州城到渡口。")));
        assert!(!differ(there(2, "天"), (back(3, "天"), "从州城到渡口。")));
    }

    #[test]
    fn the_duration_of_one_thing_is_one() {
        let siege = |value: Value| json!({ "subject": "围城", "predicate": "历时", "value": value });
        assert!(differ((siege(json!("四十天")), "围城四十天。"), (siege(json!("三个月")), "围城三个月。")));
        let other = json!({ "subject": "守夜", "predicate": "历时", "value": "三个月" });
        assert!(!differ((siege(json!("四十天")), "围城四十天。"), (other, "守夜三个月。")));
    }
}
