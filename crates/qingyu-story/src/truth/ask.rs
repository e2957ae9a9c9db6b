//! Answers to a question, with one line for each death, and for what a relation and a fact both say.

use std::collections::{BTreeMap, BTreeSet};

use super::GroundTruth;
use super::answer::{Answer, KINSHIP, KnownBy, Question, Standing, UnknownWord};
use crate::predicate::{self, PredicateRole};
use crate::settlement::as_told;
use crate::telling::Telling;
use crate::{Evidence, Mode, Story};

/// Returns the statements of `story` matching a question, with the times, places and people of events as the texts tell
/// them, where they tell them otherwise than planned. If nothing holds, returns what held before, each with
/// [`over_since`](Answer::over_since). One death is one line, with its further sources, and so is a kinship that a relation and
/// a fact state. Otherwise as [`GroundTruth::ask`].
pub fn ask(story: &Story, question: &Question) -> Result<Vec<Answer>, UnknownWord> {
    let story = as_told(story);
    let truth = GroundTruth::of(&story);
    let held = truth.ask(question)?;
    if held.is_empty() {
        return truth.answers(question, Standing::Over);
    }
    Ok(by_kinship(by_death(held, &revived(&truth))))
}

/// Returns the names of those who are revived; they may die twice.
fn revived(truth: &GroundTruth<'_>) -> BTreeSet<String> {
    let is_revival =
        |predicate: &str| predicate::find(predicate).is_some_and(|word| word.role == Some(PredicateRole::Revival));
    let facts = truth.story.facts.iter().filter(|fact| is_revival(&fact.predicate));
    facts.map(|fact| truth.name_of(&fact.subject)).collect()
}

/// Merges the statements of each death into the most certain one, and a death into the statement of the killing if the same
/// people know both and the killing is told as well.
fn by_death(answers: Vec<Answer>, revived: &BTreeSet<String>) -> Vec<Answer> {
    let mut deaths: BTreeMap<(String, Option<String>), Vec<usize>> = BTreeMap::new();
    for (at, answer) in answers.iter().enumerate() {
        if let Some(death) = death_of(answer).filter(|(victim, _)| !revived.contains(victim)) {
            deaths.entry(death).or_default().push(at);
        }
    }
    let mut lines: Vec<Option<Answer>> = answers.into_iter().map(Some).collect();
    let mut told: BTreeMap<String, Vec<(bool, usize)>> = BTreeMap::new();
    for ((victim, killer), mut same) in deaths {
        same.sort_by_key(|at| (lines[*at].as_ref().map(certainty), *at));
        merge(&mut lines, &same);
        told.entry(victim).or_default().push((killer.is_some(), same[0]));
    }
    for same in told.values() {
        // Without a killer first, by the order of the keys.
        let [(false, death), (true, killing)] = same.as_slice() else { continue };
        let [Some(dies), Some(kills)] = [&lines[*death], &lines[*killing]] else { continue };
        if knowers(dies) == knowers(kills) && telling_rank(kills) <= telling_rank(dies) {
            merge(&mut lines, &[*killing, *death]);
        }
    }
    lines.into_iter().flatten().collect()
}

/// Merges what relations state of kinship by birth into the facts that state the same, from either side.
fn by_kinship(answers: Vec<Answer>) -> Vec<Answer> {
    let mut told: BTreeMap<(String, String, String), usize> = BTreeMap::new();
    for (at, answer) in answers.iter().enumerate().filter(|(_, answer)| answer.fact.is_some()) {
        if let Some(kinship) = kinship_of(answer) {
            told.entry(kinship).or_insert(at);
        }
    }
    let is_stated = |answer: &Answer| kinship_of(answer).filter(|_| answer.fact.is_none());
    let same = answers.iter().enumerate().filter_map(|(at, answer)| Some((*told.get(&is_stated(answer)?)?, at)));
    let same: Vec<(usize, usize)> = same.collect();
    let mut lines: Vec<Option<Answer>> = answers.into_iter().map(Some).collect();
    for (fact, relation) in same {
        merge(&mut lines, &[fact, relation]);
    }
    lines.into_iter().flatten().collect()
}

/// Returns the kinship by birth that an answer states and the two people, in one order for a word that is the same from both
/// sides; `None` for other statements, and for what is only said, believed or planned.
fn kinship_of(answer: &Answer) -> Option<(String, String, String)> {
    let word = predicate::find(&answer.predicate).filter(|word| KINSHIP.contains(&word.name.as_str()))?;
    let (one, other) = (answer.subject.clone(), answer.object.clone()?);
    let (one, other) = if word.symmetric && other < one { (other, one) } else { (one, other) };
    matches!(answer.mode, Mode::Narrated | Mode::Flashback).then(|| (word.name.clone(), one, other))
}

/// Returns who dies by an answer, and the killer if it names one; `None` for other statements, and for what is only said,
/// believed or planned.
fn death_of(answer: &Answer) -> Option<(String, Option<String>)> {
    let object = answer.object.as_deref();
    let word = predicate::find(&answer.predicate)?;
    let victim = predicate::victim(&answer.predicate, &answer.subject, object, &answer.value)?;
    let other = if victim == answer.subject { object.or(answer.value.as_str()) } else { Some(answer.subject.as_str()) };
    let killer = other.filter(|_| word.role == Some(PredicateRole::Killing));
    let is_so = matches!(answer.mode, Mode::Narrated | Mode::Flashback);
    is_so.then(|| (victim.to_owned(), killer.map(str::to_owned)))
}

/// Returns the rank of a statement among others of the same death, lower for more certain ones: told before planned,
/// facts before events.
fn certainty(answer: &Answer) -> (u8, bool, bool) {
    (telling_rank(answer), answer.fact.is_none(), answer.mode != Mode::Narrated)
}

fn telling_rank(answer: &Answer) -> u8 {
    match answer.telling {
        Telling::Told { .. } => 0,
        Telling::Noted | Telling::Hidden => 1,
        Telling::Planned => 2,
    }
}

fn knowers(answer: &Answer) -> BTreeSet<&str> {
    answer.known_by.iter().map(|known| known.who.as_str()).collect()
}

/// Merges the lines at the positions into the first of them.
fn merge(lines: &mut [Option<Answer>], same: &[usize]) {
    let [first, others @ ..] = same else { return };
    for at in others {
        let Some(other) = lines[*at].take() else { continue };
        if let Some(line) = &mut lines[*first] {
            absorb(line, other);
        }
    }
}

/// Adds the sources and the knowers of another statement that says the same.
fn absorb(line: &mut Answer, other: Answer) {
    let sources: Vec<Evidence> = std::iter::once(other.says).chain(other.also).collect();
    for source in sources {
        if source != line.says && !line.also.contains(&source) {
            line.also.push(source);
        }
    }
    let new: Vec<KnownBy> =
        other.known_by.into_iter().filter(|known| line.known_by.iter().all(|old| old.who != known.who)).collect();
    line.known_by.extend(new);
    line.known_by.sort();
    line.certain |= other.certain;
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Question, Story, ask};

    /// A death that a fact, an event of the chapter and an event of the plan tell, with `more` facts.
    fn lines(more: &[Value]) -> Vec<String> {
        let dies = json!({"id": "f-1", "subject": "Amos Dean", "predicate": "dies", "value": true,
            "source": {"document": "d-1", "quote": "Dean was dead."}, "known_by": [{"who": "Ada Hay"}]});
        let facts: Vec<&Value> = std::iter::once(&dies).chain(more).collect();
        let story: Story = serde_json::from_value(json!({
            "language": "en",
            "characters": [{"id": "c-1", "name": "Amos Dean"}, {"id": "c-2", "name": "Ada Hay"}, {"id": "c-3", "name": "Rob Hay"}],
            "outline_nodes": [{"id": "o-1", "name": "One", "order": 1}, {"id": "o-2", "name": "Two", "order": 2}],
            "timeline_events": [
                {"id": "e-1", "title": "At the weir", "deaths": ["Amos Dean"], "outline_node": "o-1"},
                {"id": "e-2", "title": "The murder", "deaths": ["Amos Dean"], "outline_node": "o-2"}],
            "documents": [{"id": "d-1", "title": "One", "order": 1, "outline_node": "o-1", "text": "Dean was dead.",
                "settled": {"version": 1, "digest": "", "made": [
                    {"kind": "fact", "id": "f-1", "digest": ""},
                    {"kind": "event", "id": "e-1", "digest": "", "quote": "Dean was dead."}]}}],
            "facts": facts
        }))
        .unwrap();
        let question = Question { about: Some("Amos Dean".into()), ..Question::default() };
        let answers = ask(&story, &question).unwrap().into_iter();
        let line = |answer: super::Answer| {
            let sources = answer.also.iter().map(|source| source.anchor.as_str()).collect::<Vec<_>>().join(" ");
            format!("{} {} | {sources}", answer.subject, answer.predicate)
        };
        answers.map(line).collect()
    }

    #[test]
    fn a_kinship_that_a_relation_and_a_fact_state_is_one_line() {
        let story = |mode: &str| -> Story {
            serde_json::from_value(json!({
                "language": "en",
                "characters": [{"id": "c-1", "name": "Ned Hay"}, {"id": "c-2", "name": "Rob Hay"}],
                "character_relations": [{"id": "r-1", "from": "Ned Hay", "to": "Rob Hay", "type": "sibling"}],
                "documents": [{"id": "d-1", "title": "One", "order": 1, "text": "The brothers slept."}],
                "facts": [{"id": "f-1", "subject": "Rob Hay", "predicate": "sibling_of", "object": "Ned Hay", "mode": mode,
                    "source": {"document": "d-1", "quote": "The brothers slept."}}]
            }))
            .unwrap()
        };
        let question = Question { predicate: Some("sibling_of".into()), ..Question::default() };
        let answers = ask(&story("narrated"), &question).unwrap();
        let told: Vec<_> = answers.iter().map(|answer| (answer.fact.as_deref(), answer.also.len())).collect();
        assert_eq!(told, [(Some("f-1"), 1)]);
        assert_eq!(ask(&story("lied"), &question).unwrap().len(), 2, "a lie is no source");
    }

    #[test]
    fn one_death_is_one_line_with_its_sources() {
        let events = "timeline_events/e-1/deaths timeline_events/e-2/deaths";
        assert_eq!(lines(&[]), [format!("Amos Dean dies | {events}")]);
        let killing = |knower: &str| {
            json!({"id": "f-2", "subject": "Rob Hay", "predicate": "kills", "object": "Amos Dean",
                "source": {"document": "d-1", "quote": "Dean was dead."}, "known_by": [{"who": knower}]})
        };
        let one = lines(&[killing("Ada Hay")]);
        assert_eq!(one, [format!("Rob Hay kills | facts/f-1/source {events}")]);
        assert_eq!(lines(&[killing("Rob Hay")]).len(), 2, "the killer is known to others than the death");
        let said = json!({"id": "f-2", "subject": "Amos Dean", "predicate": "dies", "value": true, "mode": "said"});
        assert_eq!(lines(&[said]).len(), 2, "hearsay is another statement");
        let revived = json!({"id": "f-2", "subject": "Amos Dean", "predicate": "revives", "value": true});
        assert_eq!(lines(&[revived]).len(), 4, "somebody revived may die twice");
    }
}
