//! Knowledge of characters: deaths, sources, and words explaining unusual ways of knowing.

use serde_json::{Value, json};

use super::claims::{fix_fact, in_telling_order};
use super::telling::{deaths, may_be_back};
use super::{FindingDraft, RuleMaterial};
use crate::language::has_any;
use crate::truth::{Entity, GroundTruth, KnowledgeSource, KnownFact, PointId};
use crate::{Evidence, Knower};

/// Words for messages across death and distance.
const MESSAGES: &[&str] = &[
    "来信",
    "书信",
    "信件",
    "信中",
    "信里",
    "信上",
    "密信",
    "遗信",
    "留信",
    "写信",
    "家信",
    "一封信",
    "旧信",
    "的信",
    "信函",
    "信笺",
    "信使",
    "日记",
    "遗书",
    "遗言",
    "遗嘱",
    "录音",
    "录像",
    "录影",
    "手札",
    "手记",
    "笔记",
    "字条",
    "纸条",
    "留言",
    "托梦",
    "梦",
    "鬼",
    "魂",
    "显灵",
    "复活",
    "letter",
    "letters",
    "diary",
    "diaries",
    "journal",
    "note",
    "notes",
    "last will",
    "testament",
    "the will",
    "his will",
    "her will",
    "record",
    "records",
    "recording",
    "recorded",
    "dream",
    "dreams",
    "dreamt",
    "ghost",
    "spirit",
    "vision",
    "message",
    "messages",
    "séance",
    "seance",
];

/// Words for knowledge of the future.
const FORESIGHT: &[&str] = &[
    "预言",
    "预知",
    "预感",
    "预见",
    "猜",
    "推测",
    "推断",
    "推演",
    "计划",
    "打算",
    "占卜",
    "卦",
    "梦",
    "阴谋",
    "预谋",
    "密谋",
    "谋划",
    "策划",
    "约定",
    "foresee",
    "foresees",
    "foresaw",
    "foreseen",
    "prophecy",
    "prophet",
    "prophesied",
    "guess",
    "guesses",
    "guessed",
    "plan",
    "plans",
    "planned",
    "planning",
    "plot",
    "plotted",
    "dream",
    "dreams",
    "dreamt",
    "dreamed",
    "vision",
    "visions",
    "predicts",
    "predicted",
    "prediction",
    "suspects",
    "suspected",
    "omen",
    "intends",
    "arranged",
];

/// Words for hearing known information again.
const AGAIN: &[&str] = &[
    "确认",
    "证实",
    "再次",
    "又一次",
    "重新",
    "回忆",
    "想起",
    "亲眼",
    "confirm",
    "confirms",
    "confirmed",
    "again",
    "reminded",
    "reminds",
    "remembers",
    "remembered",
    "recalls",
    "recalled",
    "proof",
    "proves",
    "proved",
    "sees it",
    "own eyes",
];

/// Returns whether the knowledge came by a message.
pub(super) fn is_by_message(how: &str) -> bool {
    has_any(how, MESSAGES)
}

/// Returns whether the knowledge was foreseen or planned.
pub(super) fn is_foreseen(how: &str) -> bool {
    has_any(how, FORESIGHT)
}

/// Returns whether the knowledge was known before.
pub(super) fn is_heard_again(how: &str) -> bool {
    has_any(how, AGAIN)
}

/// Returns the evidence of a character's death certainly before `point`, unless revived before.
pub(super) fn death_before(truth: &GroundTruth<'_>, who: Entity, point: PointId) -> Option<Evidence> {
    let before = deaths(truth, who).filter(|(death, _)| truth.timeline.is_before(*death, point));
    let before = before.filter(|(death, _)| !may_be_back(truth, who, Some(*death), point));
    let mut deaths: Vec<_> = before.map(|(_, death)| death).collect();
    in_telling_order(truth, &mut deaths);
    deaths.first().map(|death| death.evidence(truth))
}

/// Returns the draft of a finding about a character's knowledge of a fact.
pub(super) fn draft(truth: &GroundTruth<'_>, known: &KnownFact) -> FindingDraft {
    let fact = truth.of_fact(known.fact);
    let (said, evidence) = (fact.evidence(truth), known.evidence(truth));
    let who = truth.registry.name(known.who);
    let place = match known.basis {
        KnowledgeSource::Listed { .. } => evidence.quote.clone(),
        KnowledgeSource::Stated { position, .. } => truth.of_fact(position).basis.piece(truth.story).1,
    };
    FindingDraft::about([fact.basis.piece(truth.story).1, who.to_owned(), place])
        .say("who", who)
        .say("fact", said.quote.clone())
        .say("since", known.since_words(truth))
        .say("knows", evidence.quote.clone())
        .affects(who)
        .affects(truth.registry.name(fact.subject))
        .quote(said.anchor, said.quote)
        .quote(evidence.anchor, evidence.quote)
}

/// Adds a fix changing the knower's entry, or the fact stating the knowledge.
pub(super) fn fix_entry(
    truth: &GroundTruth<'_>,
    draft: FindingDraft,
    known: &KnownFact,
    text: &'static str,
    change: impl Fn(&mut Knower),
    fields: Value,
) -> FindingDraft {
    match known.basis {
        KnowledgeSource::Listed { index } => {
            let fact = &truth.story.facts[known.fact];
            let old = &fact.known_by[index];
            let mut new = old.clone();
            change(&mut new);
            fix_fact(draft, text, Some(fact), json!({ "remove_known_by": [old], "add_known_by": [new] }))
        }
        KnowledgeSource::Stated { position, .. } => fix_fact(draft, text, Some(&truth.story.facts[position]), fields),
    }
}

/// Adds a fix removing the knower's entry from the fact, or retracting the fact stating the knowledge.
pub(super) fn forget_entry(
    truth: &GroundTruth<'_>,
    draft: FindingDraft,
    known: &KnownFact,
    text: &'static str,
) -> FindingDraft {
    match known.basis {
        KnowledgeSource::Listed { index } => {
            let fact = &truth.story.facts[known.fact];
            fix_fact(draft, text, Some(fact), json!({ "remove_known_by": [fact.known_by[index]] }))
        }
        KnowledgeSource::Stated { position, .. } => {
            fix_fact(draft, text, Some(&truth.story.facts[position]), json!({ "mode": "retconned" }))
        }
    }
}

/// Returns the knowledge entries of a group with their times; `None` if a time is unknown.
pub(super) fn all_since<'t>(group: &[&'t KnownFact]) -> Option<Vec<(PointId, &'t KnownFact)>> {
    group.iter().map(|known| Some((known.since?, *known))).collect()
}

/// Iterates over all knowledge entries with a resolved knower and fact, skipping retracted facts.
pub(super) fn clear<'t>(material: &'t RuleMaterial<'_>) -> impl Iterator<Item = &'t KnownFact> {
    let truth = material.truth();
    truth.knowledge.iter().filter(move |known| {
        let fact = truth.of_fact(known.fact);
        truth.registry.is_clear(known.who) && fact.mode != crate::Mode::Retconned
    })
}

/// Returns the way of learning, as written.
pub(super) fn how<'s>(truth: &GroundTruth<'s>, known: &KnownFact) -> &'s str {
    match known.basis {
        KnowledgeSource::Listed { .. } => known.entry(truth).map_or("", |knower| knower.how.as_str()),
        KnowledgeSource::Stated { position, .. } => {
            truth.story.facts[position].source.as_ref().map_or("", |source| source.quote.as_str())
        }
    }
}
