//! What ends somebody's having a thing, and what is done with it later.

use serde_json::json;

use super::Draft;
use super::claims::{begin, contradiction, fix_fact, in_telling_order};
use crate::Action;
use crate::piece::PieceKind;
use crate::predicate::Role;
use crate::truth::{Entity, GroundTruth, PointId, Statement};

/// The thing that a statement is about: its object, or the subject if it has none.
pub(super) fn thing(statement: &Statement<'_>) -> Entity {
    statement.object.unwrap_or(statement.subject)
}

/// The narrated statements about a thing whose word has that role.
pub(super) fn of_thing<'t, 's>(
    truth: &'t GroundTruth<'s>,
    thing: Entity,
    role: Role,
) -> impl Iterator<Item = &'t Statement<'s>> {
    truth.of_role(thing, role).filter(|one| one.is_narrated() && !one.is_denied())
}

/// What certainly uses or holds a thing after `end`: by beginning after it, or by lasting over it.
pub(super) fn later<'t, 's>(truth: &'t GroundTruth<'s>, thing: Entity, end: PointId) -> Vec<&'t Statement<'s>> {
    let timeline = &truth.timeline;
    let begins_later = |one: &&Statement<'s>| one.span.from.is_some_and(|from| timeline.is_before(end, from));
    let uses = of_thing(truth, thing, Role::Use).filter(begins_later);
    // A holding that begins later is a way of getting the thing back, unless it is seen at one moment only.
    let seen = of_thing(truth, thing, Role::Holding).filter(|one| one.span.is_moment()).filter(begins_later);
    let lasting = of_thing(truth, thing, Role::Holding).filter(|one| one.span.holds(end, timeline));
    let mut all: Vec<_> = uses.chain(seen).chain(lasting).collect();
    in_telling_order(truth, &mut all);
    all
}

/// What certainly gives a thing away or loses it after `end`, if it is one thing and not so many of a kind.
pub(super) fn parted_again<'t, 's>(
    truth: &'t GroundTruth<'s>,
    thing: Entity,
    end: PointId,
) -> impl Iterator<Item = &'t Statement<'s>> {
    let is_one = thing.kind == Some(PieceKind::Item);
    let partings = of_thing(truth, thing, Role::Parting).filter(move |one| is_one && one.number().is_none());
    partings.filter(move |one| one.span.from.is_some_and(|from| truth.timeline.is_before(end, from)))
}

/// What begins to hold a thing after `end` without saying for how long.
pub(super) fn held_later<'t, 's>(
    truth: &'t GroundTruth<'s>,
    thing: Entity,
    end: PointId,
) -> impl Iterator<Item = &'t Statement<'s>> {
    let held = of_thing(truth, thing, Role::Holding).filter(|one| !one.span.is_moment());
    held.filter(move |one| one.span.from.is_some_and(|from| truth.timeline.is_before(end, from)))
}

/// Whether something of what would undo the end may have happened between `end` and `late`.
pub(super) fn may_be_undone<'t, 's: 't>(
    truth: &GroundTruth<'s>,
    (end, late): (PointId, &Statement<'s>),
    mut undoing: impl Iterator<Item = &'t Statement<'s>>,
) -> bool {
    let timeline = &truth.timeline;
    let lasts_over = late.span.holds(end, timeline);
    let fits = |one: &Statement<'s>| {
        one.span.from.is_none_or(|from| {
            let before = timeline.is_before(from, end);
            let after = late.span.from.is_some_and(|late| timeline.is_before(late, from));
            !before && !after
        })
    };
    !lasts_over && undoing.any(fits)
}

/// The draft of a use after an end, with a fact that undoes the end, or an end of the holding that lasts over it.
pub(super) fn draft<'s>(
    truth: &GroundTruth<'s>,
    (end, late): (&Statement<'s>, &Statement<'s>),
    undo: (&'static str, serde_json::Value),
) -> Draft {
    let item = thing(end);
    let draft = contradiction(truth, (end, late))
        .say("thing", truth.registry.name(item))
        .say("who", truth.registry.name(late.subject));
    let lasts_over = end.span.from.is_some_and(|end| late.span.holds(end, &truth.timeline));
    if lasts_over {
        return match begin(truth, end) {
            Some(until) => fix_fact(draft, "end", truth.asserting(late), json!({ "until": until })),
            None => draft,
        };
    }
    let (text, mut parameters) = undo;
    match begin(truth, late) {
        Some(from) => {
            parameters["from"] = from.into();
            draft.fix(text, Action::Create, PieceKind::Fact, parameters)
        }
        None => draft,
    }
}
