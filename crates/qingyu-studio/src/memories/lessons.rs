//! Lessons from the author's decisions: answers to a run, waivers, undone changes.
//!
//! Lessons apply to a single project. Rules for all further writing in the author's own words apply immediately; a hint stays
//! a proposal until repeated often enough.

use std::collections::BTreeSet;

use jiff::Timestamp;
use qingyu_agents::pipeline::{HUMAN_REVIEW, HumanReviewAnswer, HumanReviewRequest};
use qingyu_agents::preference::{PreferenceHint, RewrittenField, general_rules, rewritten};
use qingyu_memory::Memory;
use qingyu_memory::learning::Lesson;
use qingyu_memory::long_term::{Evidence, Kind, LONGEST_TEXT, Source, What};
use qingyu_store::{Run, StoredChange, StoryChange};
use qingyu_story::{Issue, Language, Waiver, ids, rules};

use crate::stories::saved::PERSON;

/// The number of waivers until a rule counts as accepted by the author.
const TO_ACCEPT: u32 = 3;
/// The number of repetitions until any other hint applies.
const TO_HOLD: u32 = 2;

/// Returns the lessons of an answer to a run.
pub(crate) fn of_answer(
    run: &Run,
    asked: &HumanReviewRequest,
    answer: &HumanReviewAnswer,
    at: Timestamp,
) -> Vec<Lesson> {
    let language = asked.story.language;
    let project = &run.project;
    let place = format!("{}/{}", run.id, asked.iteration);
    match answer {
        HumanReviewAnswer::Direct { .. } => Vec::new(),
        // A comment on the material at hand is no preference; the run has already received it.
        HumanReviewAnswer::Reject { feedback } => {
            let lesson = |rule: String| {
                let words: String = rule.chars().take(LONGEST_TEXT).collect();
                let evidence = Evidence::new(at, What::Rejected, &place).words(feedback);
                Lesson { topic: words.clone(), text: words, needed: 1, ..learnt(project, evidence) }
            };
            general_rules(feedback, &asked.story).into_iter().map(lesson).collect()
        }
        HumanReviewAnswer::Approve => {
            let open = asked.report.issues.iter().filter(|issue| issue.waived.is_none());
            let open = open.filter_map(|issue| Some((issue.code.clone()?, issue)));
            let mut seen = BTreeSet::new();
            let lessons = open.filter(|(code, _)| seen.insert(code.clone())).filter_map(|(code, issue)| {
                let hint = accepted(&code, language)?;
                let evidence = Evidence::new(at, What::Approved, &place).words(&issue.root_cause);
                Some(hinted(&hint, project, language, evidence, TO_ACCEPT))
            });
            lessons.collect()
        }
        HumanReviewAnswer::Edit { story } => {
            let mut after = story.as_ref().clone();
            ids::adopt(&asked.story, &mut after);
            let lesson = |RewrittenField { hint, piece, before, after }| {
                let evidence =
                    Evidence { before, after, ..Evidence::new(at, What::Edited, format!("{place}/{piece}")) };
                hinted(&hint, project, language, evidence, TO_HOLD)
            };
            rewritten(&asked.story, &after).into_iter().map(lesson).collect()
        }
    }
}

/// Returns the lessons of a waiver of `issue`; no lessons for a model's finding, or one that is no matter of taste. A waiver
/// for all findings of a rule applies immediately.
pub(crate) fn of_waiver(
    project: &str,
    waiver: &Waiver,
    issue: &Issue,
    language: Language,
    at: Timestamp,
) -> Option<Lesson> {
    let code = issue.code.as_deref()?;
    let is_for_all = code.eq_ignore_ascii_case(&waiver.finding);
    let hint = accepted(code, language)?;
    let evidence = Evidence::new(at, What::Waived, format!("{project}/{}", waiver.finding)).words(&waiver.reason);
    Some(hinted(&hint, project, language, evidence, if is_for_all { 1 } else { TO_ACCEPT }))
}

/// Returns the lessons of an undone change; no lessons for a change by a person.
pub(crate) fn of_undo(project: &str, change: &StoryChange, language: Language, at: Timestamp) -> Vec<Lesson> {
    let agent = change.provenance.agent.as_str();
    if [PERSON, HUMAN_REVIEW, ""].contains(&agent) {
        return Vec::new();
    }
    let kinds: BTreeSet<&str> = change.changes.iter().map(|change| change.names().0.name()).collect();
    let lessons = kinds.into_iter().map(|kind| {
        let of_kind = change.changes.iter().filter(|change| change.names().0.name() == kind);
        let names: Vec<String> = of_kind.map(name).collect();
        let evidence = Evidence::new(at, What::Undid, format!("{project}/{}", change.seq)).words(names.join(", "));
        let hint = PreferenceHint::TakesBack { agent: agent.into(), kind: kind.into() };
        hinted(&hint, project, language, evidence, TO_HOLD)
    });
    lessons.collect()
}

fn name(change: &StoredChange) -> String {
    match change {
        StoredChange::Put(piece) => piece.name(),
        StoredChange::Remove { id, .. } => id.clone(),
    }
}

/// Returns the hint that the author accepts what a rule minds; `None` unless the rule is a matter of taste: a waived finding
/// about facts, time or the plan says nothing about other places.
fn accepted(code: &str, language: Language) -> Option<PreferenceHint> {
    let rule = rules::rule(code)?;
    let habit = rule.habit(language)?.to_owned();
    Some(PreferenceHint::Accepts { code: rule.code.to_owned(), habit })
}

/// Returns the text of a memory for agents. A lesson of an earlier version about a rule has the rule's code in its text: it
/// is told in words, or not at all if the rule is no matter of taste.
pub(crate) fn text_for_agents(memory: &Memory, language: Language) -> Option<String> {
    let code = memory.topic.strip_prefix("accepts ").filter(|_| memory.source == Source::Learnt);
    let Some(code) = code else { return Some(memory.text.clone()) };
    let hint = accepted(code, language)?;
    Some(if memory.text.contains(code) { hint.text(language) } else { memory.text.clone() })
}

fn hinted(hint: &PreferenceHint, project: &str, language: Language, evidence: Evidence, needed: u32) -> Lesson {
    Lesson { topic: hint.topic(), text: hint.text(language), needed, ..learnt(project, evidence) }
}

fn learnt(project: &str, evidence: Evidence) -> Lesson {
    Lesson {
        kind: Kind::Preference,
        project: Some(project.into()),
        topic: String::new(),
        text: String::new(),
        evidence,
        source: Source::Learnt,
        needed: 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waived(code: &str, finding: &str, language: Language) -> Option<Lesson> {
        let issue = Issue { code: Some(code.into()), ..Issue::default() };
        let waiver =
            Waiver { finding: finding.into(), reason: "有意".into(), owner: "作者".into(), ..Waiver::default() };
        of_waiver("p-1", &waiver, &issue, language, Timestamp::UNIX_EPOCH)
    }

    #[test]
    fn only_a_waiver_of_a_matter_of_taste_is_a_preference() {
        let text = |code: &str, language| waived(code, &format!("{code}-5f2a91"), language).map(|lesson| lesson.text);
        assert_eq!(text("QS023", Language::Zh).as_deref(), Some("不介意很长的句子，不必为此改动"));
        let english = "does not mind very long sentences; nothing need be changed for it";
        assert_eq!(text("QS023", Language::En).as_deref(), Some(english));
        for code in ["QY101", "QY201", "QY302", "QY316", "QY402", "QY905", "QS011", "QS073", "nothing"] {
            assert_eq!(text(code, Language::Zh), None, "{code}");
            assert_eq!(text(code, Language::En), None, "{code}");
        }
        let needed = |finding: &str| waived("QS023", finding, Language::Zh).map(|lesson| lesson.needed);
        assert_eq!((needed("qs023"), needed("QS023-5f2a91")), (Some(1), Some(TO_ACCEPT)));
    }
}
