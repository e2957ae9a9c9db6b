//! QY205: by a fact, somebody does something after their death.

use super::claims::{contradiction, take_out, written};
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

fn run(material: &Material<'_>) -> Vec<Draft> {
    if the_dead_may_return(material) {
        return Vec::new();
    }
    let truth = material.truth();
    let mut drafts = Vec::new();
    for index in 0..material.story.characters.len() {
        let who = Entity { kind: Some(PieceKind::Character), index };
        let mut dead: Vec<_> = deaths(truth, who).collect();
        if dead.is_empty() {
            continue;
        }
        dead.sort_by_key(|(_, one)| one.basis.key(truth.story));
        for deed in DEEDS.into_iter().flat_map(|role| truth.of_role_by(who, role)) {
            if let Some(death) = death_before(truth, who, &dead, deed).filter(|_| !is_by_the_dead(truth, deed)) {
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
