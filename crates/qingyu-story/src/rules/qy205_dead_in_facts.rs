//! QY205: by a fact, somebody does something after their death.

use super::claims::{contradiction, take_out, written};
use super::qy203_two_places::is_one_place;
use super::telling::{REMAINS, RETURN, deaths, may_be_back, speaks_of, the_dead_may_return};
use super::{Draft, Material, Rule};
use crate::piece::PieceKind;
use crate::predicate::Role;
use crate::truth::{Basis, Entity, GroundTruth, PointId, Statement};
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy205_dead_in_facts.toml");
    Rule::new("QY205", (Severity::High, Category::Consistency, "plot"), texts, run)
}

/// What only the living do.
const DEEDS: [Role; 8] = [
    Role::Use,
    Role::Getting,
    Role::Parting,
    Role::Speaking,
    Role::Killing,
    Role::Destruction,
    Role::Repair,
    Role::Denial,
];

/// Words of states that only the living come into.
const WORDS: [&str; 3] = ["is_at", "takes_part", "member_of"];

/// Where the dead are.
const RESTING: &[&str] = &[
    "墓", "坟", "陵", "祠", "灵堂", "义庄", "停尸", "太平间", "葬", "冢", "地府", "阴间", "冥", "黄泉", "天堂", "地狱", "morgue",
    "mortuary", "cemetery", "graveyard", "grave", "tomb", "crypt", "mausoleum", "chapel", "church", "churchyard", "vault",
    "heaven", "hell", "underworld", "afterlife",
];

fn run(material: &Material<'_>) -> Vec<Draft> {
    if the_dead_may_return(material) {
        return Vec::new();
    }
    let truth = material.truth();
    let mut drafts = Vec::new();
    for index in material.cast() {
        let who = Entity { kind: Some(PieceKind::Character), index };
        let mut dead: Vec<_> = deaths(truth, who).collect();
        if dead.is_empty() {
            continue;
        }
        dead.sort_by_key(|(_, one)| one.basis.key(truth.story));
        let deeds = DEEDS.into_iter().flat_map(|role| truth.of_role_by(who, role));
        let words = WORDS.into_iter().filter_map(|word| truth.term(word));
        let states = words.flat_map(|term| truth.about(who, term)).filter(|one| one.is_narrated());
        let weds = truth.term("married_to").into_iter().flat_map(|term| truth.with_term(term));
        let weds = weds.filter(|one| one.is_narrated() && (one.subject == who || one.object == Some(who)));
        for deed in deeds.chain(states).chain(weds) {
            if let Some(death) = death_before(truth, who, &dead, deed).filter(|death| !is_by_the_dead(truth, deed) && !rests(material, death, deed)) {
                let draft = contradiction(truth, (death, deed))
                    .say("who", truth.registry.name(who))
                    .say("word", written(truth, deed));
                drafts.push(take_out(truth, draft, [deed, death]));
            }
        }
    }
    drafts
}

/// The death that is certainly before the deed, if the dead are not back by then.
fn death_before<'t, 's>(
    truth: &GroundTruth<'s>,
    who: Entity,
    dead: &[(PointId, &'t Statement<'s>)],
    deed: &Statement<'s>,
) -> Option<&'t Statement<'s>> {
    let then = deed.span.from?;
    let is_fact = matches!(deed.basis, Basis::Fact(_)) && !deed.is_denied();
    // That a thing is destroyed or mended is said of the thing; only with an object somebody does it.
    let is_deed = is_fact && deed.object.is_some();
    let before = dead.iter().find(|(death, _)| {
        truth.timeline.is_before(*death, then) && !may_be_back(truth, who, Some(*death), then)
    });
    before.map(|(_, death)| *death).filter(|_| is_deed)
}

fn is_by_the_dead(truth: &GroundTruth<'_>, deed: &Statement<'_>) -> bool {
    let source = truth.asserting(deed).and_then(|fact| fact.source.as_ref());
    let quote = source.map_or("", |source| source.quote.as_str());
    speaks_of(quote, REMAINS) || speaks_of(quote, RETURN) || super::minds::is_by_message(quote)
}

/// Whether the fact only says where the body is: where they died, or where the dead are.
fn rests(material: &Material<'_>, death: &Statement<'_>, deed: &Statement<'_>) -> bool {
    let truth = material.truth();
    let Some(place) = deed.object.filter(|place| place.kind != Some(PieceKind::Fact)) else { return false };
    let died_at = death.span.from.and_then(|from| truth.timeline.event(from));
    let died_at = died_at.and_then(|event| material.story.timeline_events[event].location.as_deref());
    let name = truth.registry.name(place);
    let is_there = died_at.is_none_or(|there| is_one_place(material, there, name));
    let is_stay = truth.predicate(deed.predicate).is_some_and(|word| word.role == Some(Role::Place));
    is_stay && (is_there || speaks_of(name, RESTING))
}
