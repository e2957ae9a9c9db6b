//! QY205: by a fact, or by the prose, a character acts after death.

use std::collections::BTreeSet;

use super::claims::{contradiction, take_out, written};
use super::deeds_in_prose::DeedTexts;
use super::telling::{ALIVE, RETURN, deaths, may_be_back, speaks_of_remains, the_dead_may_return};
use super::told::{correct, source};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::language::has_any;
use crate::piece::PieceKind;
use crate::predicate::PredicateRole;
use crate::truth::{Entity, GroundTruth, PointId, StatementBasis, TruthStatement};
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy205_dead_in_facts.toml");
    Rule::new("QY205", (Severity::High, Category::Consistency, "plot"), texts, run)
}

/// The roles restricted to the living.
const DEEDS: [PredicateRole; 8] = [
    PredicateRole::Use,
    PredicateRole::Getting,
    PredicateRole::Parting,
    PredicateRole::Speaking,
    PredicateRole::Killing,
    PredicateRole::Destruction,
    PredicateRole::Repair,
    PredicateRole::Denial,
];

/// Predicates of states entered only by the living.
const WORDS: [&str; 3] = ["is_at", "takes_part", "member_of"];

/// Places of the dead.
const RESTING: &[&str] = &[
    "墓",
    "坟",
    "陵",
    "祠",
    "灵堂",
    "义庄",
    "停尸",
    "太平间",
    "葬",
    "冢",
    "地府",
    "阴间",
    "冥",
    "黄泉",
    "天堂",
    "地狱",
    "morgue",
    "mortuary",
    "cemetery",
    "graveyard",
    "grave",
    "tomb",
    "crypt",
    "mausoleum",
    "chapel",
    "church",
    "churchyard",
    "vault",
    "heaven",
    "hell",
    "underworld",
    "afterlife",
];

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    if the_dead_may_return(material) {
        return Vec::new();
    }
    let truth = material.truth();
    let (mut drafts, texts) = (Vec::new(), DeedTexts::of(material));
    for index in material.cast() {
        let who = Entity { kind: Some(PieceKind::Character), index };
        let mut dead: Vec<_> = deaths(truth, who).collect();
        if dead.is_empty() {
            continue;
        }
        dead.sort_by_key(|(_, one)| one.basis.key(truth.story));
        let found: Vec<_> = deeds(truth, who)
            .filter_map(|deed| Some((death_before(truth, who, &dead, deed)?, deed)))
            .filter(|(death, deed)| !rests(material, death, deed))
            .collect();
        if is_misread(truth, &found) {
            continue;
        }
        for (death, deed) in found {
            let draft = contradiction(truth, (death, deed))
                .say("who", truth.registry.name(who))
                .say("word", written(truth, deed));
            let text = truth.asserting(deed).and_then(|fact| source(material, fact));
            drafts.push(match text {
                Some(text) => correct(draft, text),
                None => take_out(truth, draft, [deed, death]),
            });
        }
        drafts.extend(texts.deeds(index, &dead));
    }
    drafts
}

/// Iterates over the narrated statements by which a character does what only the living do, except those whose sentences
/// speak of ghosts, messages and the like.
pub(super) fn deeds<'t, 's>(truth: &'t GroundTruth<'s>, who: Entity) -> impl Iterator<Item = &'t TruthStatement<'s>> {
    let deeds = DEEDS.into_iter().flat_map(move |role| truth.of_role_by(who, role));
    let words = WORDS.into_iter().filter_map(move |word| truth.term(word));
    let states = words.flat_map(move |term| truth.about(who, term)).filter(|one| one.is_narrated());
    let weds = truth.term("married_to").into_iter().flat_map(move |term| truth.with_term(term));
    let weds = weds.filter(move |one| {
        one.is_narrated() && (one.subject == who || one.object == Some(who)) && is_wedding(truth, one)
    });
    let all = deeds.chain(states).chain(weds);
    all.filter(move |deed| is_deed(truth, deed) && !is_by_the_dead(truth, deed))
}

/// Returns whether a fact tells of a deed. Destruction and repair are statements about the thing; only with an object the
/// subject acts.
fn is_deed(truth: &GroundTruth<'_>, deed: &TruthStatement<'_>) -> bool {
    let is_fact = matches!(deed.basis, StatementBasis::Fact(_)) && !deed.is_denied();
    is_fact && (deed.object.is_some() || is_stay(truth, deed) && deed.text().is_some())
}

/// Returns whether the dead are alive in so many later chapters that rather the death was misread: a figure of speech,
/// another person of the name, or a book in which the dead return.
fn is_misread(truth: &GroundTruth<'_>, found: &[(&TruthStatement<'_>, &TruthStatement<'_>)]) -> bool {
    const CHAPTERS: usize = 4;
    let document = |statement: &TruthStatement<'_>| {
        truth.asserting(statement).and_then(|fact| fact.source.as_ref()).map(|source| source.document.clone())
    };
    let chapters: BTreeSet<String> = found.iter().filter_map(|(_, deed)| document(deed)).collect();
    chapters.len() >= CHAPTERS && found.iter().all(|(death, _)| document(death).is_some())
}

/// Returns the death certainly before the deed, unless the character is revived before.
fn death_before<'t, 's>(
    truth: &GroundTruth<'s>,
    who: Entity,
    dead: &[(PointId, &'t TruthStatement<'s>)],
    deed: &TruthStatement<'s>,
) -> Option<&'t TruthStatement<'s>> {
    let then = deed.span.from?;
    let before = dead
        .iter()
        .find(|(death, _)| truth.timeline.is_before(*death, then) && !may_be_back(truth, who, Some(*death), then));
    before.map(|(_, death)| *death)
}

/// Returns whether the statement tells of a wedding: a sentence may name the husband or the wife of the dead.
fn is_wedding(truth: &GroundTruth<'_>, statement: &TruthStatement<'_>) -> bool {
    const ZH: [&str; 9] = ["嫁", "娶", "成亲", "成婚", "结婚", "结了婚", "完婚", "拜堂", "结为"];
    let quote = truth.quote(statement);
    if quote.trim().is_empty() {
        return true;
    }
    let plain: String = quote.chars().map(crate::language::simplified).collect();
    let is_state = plain.contains("been married") || plain.contains(" married to");
    ZH.iter().any(|word| plain.contains(word)) || !is_state && has_any(&plain, &["married", "wed", "wedded", "to wife"])
}

/// Returns whether the statement places somebody.
fn is_stay(truth: &GroundTruth<'_>, statement: &TruthStatement<'_>) -> bool {
    truth.predicate(statement.predicate).is_some_and(|word| word.role == Some(PredicateRole::Place))
}

fn is_by_the_dead(truth: &GroundTruth<'_>, deed: &TruthStatement<'_>) -> bool {
    let quote = truth.quote(deed);
    speaks_of_remains(quote) || has_any(quote, RETURN) || super::minds::is_by_message(quote)
}

/// Returns whether the sentence of a fact about a place tells of coming or staying as only the living do.
fn is_alive_there(truth: &GroundTruth<'_>, deed: &TruthStatement<'_>) -> bool {
    has_any(truth.quote(deed), ALIVE)
}

/// Returns whether the fact only says where somebody is: a body may lie anywhere.
pub(super) fn only_places(truth: &GroundTruth<'_>, deed: &TruthStatement<'_>) -> bool {
    is_stay(truth, deed) && !is_alive_there(truth, deed)
}

/// Returns whether the fact only places the body: where the character died, or at a place of the dead.
fn rests(material: &RuleMaterial<'_>, death: &TruthStatement<'_>, deed: &TruthStatement<'_>) -> bool {
    let truth = material.truth();
    let place = deed.object.filter(|place| place.kind != Some(PieceKind::Fact)).map(|place| truth.registry.name(place));
    let Some(name) = place.or_else(|| deed.text()) else { return false };
    let died_at = death.span.from.and_then(|from| truth.timeline.event(from));
    let died_at = died_at.and_then(|event| material.story.timeline_events[event].location.as_deref());
    let acts = is_alive_there(truth, deed);
    let is_there = died_at.is_none_or(|there| material.is_one_place(there, name));
    is_stay(truth, deed) && (is_there && !acts || has_any(name, RESTING))
}
