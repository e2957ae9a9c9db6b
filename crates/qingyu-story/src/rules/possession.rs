//! Ends of possession, and later uses of the thing.

use serde_json::json;

use super::FindingDraft;
use super::claims::{begin, contradiction, fix_fact, in_telling_order};
use super::steady_chapters::SteadyChapters;
use crate::Action;
use crate::language::has_any;
use crate::piece::PieceKind;
use crate::predicate::PredicateRole;
use crate::truth::{Entity, GroundTruth, PointId, StatementBasis, TruthStatement};

/// Returns the thing of a statement: the object, by default the subject.
pub(super) fn thing(statement: &TruthStatement<'_>) -> Entity {
    statement.object.unwrap_or(statement.subject)
}

/// Returns the narrated statements about a thing with the role.
pub(super) fn of_thing<'t, 's>(
    truth: &'t GroundTruth<'s>,
    thing: Entity,
    role: PredicateRole,
) -> impl Iterator<Item = &'t TruthStatement<'s>> {
    truth.of_role(thing, role).filter(|one| one.is_narrated() && !one.is_denied())
}

/// Returns the statements certainly using or holding a thing after `end`: starting later, or lasting beyond.
pub(super) fn later<'t, 's>(truth: &'t GroundTruth<'s>, thing: Entity, end: PointId) -> Vec<&'t TruthStatement<'s>> {
    let timeline = &truth.timeline;
    let begins_later = |one: &&TruthStatement<'s>| one.span.from.is_some_and(|from| timeline.is_before(end, from));
    let uses = of_thing(truth, thing, PredicateRole::Use).filter(begins_later);
    // A holding starting later counts as getting the thing back, unless observed at a single moment only.
    let seen = of_thing(truth, thing, PredicateRole::Holding).filter(|one| one.span.is_moment()).filter(begins_later);
    let lasting = of_thing(truth, thing, PredicateRole::Holding).filter(|one| one.span.holds(end, timeline));
    let mut all: Vec<_> = uses.chain(seen).chain(lasting).collect();
    in_telling_order(truth, &mut all);
    all
}

/// Returns the statements certainly giving away or losing a thing after `end`, for a single thing only, not for a
/// quantity.
pub(super) fn parted_again<'t, 's>(
    truth: &'t GroundTruth<'s>,
    thing: Entity,
    end: PointId,
) -> impl Iterator<Item = &'t TruthStatement<'s>> {
    let is_one = thing.kind == Some(PieceKind::Item);
    let partings = of_thing(truth, thing, PredicateRole::Parting).filter(move |one| is_one && one.number().is_none());
    partings.filter(move |one| one.span.from.is_some_and(|from| truth.timeline.is_before(end, from)))
}

/// Returns the holdings certainly starting after `end`, except observations at a single moment.
pub(super) fn held_later<'t, 's>(
    truth: &'t GroundTruth<'s>,
    thing: Entity,
    end: PointId,
) -> impl Iterator<Item = &'t TruthStatement<'s>> {
    let held = of_thing(truth, thing, PredicateRole::Holding).filter(|one| !one.span.is_moment());
    held.filter(move |one| one.span.from.is_some_and(|from| truth.timeline.is_before(end, from)))
}

/// Words of a sentence about another thing of the kind, or a copy.
const OTHER_THING: &[&str] = &[
    "另",
    "仿",
    "假的",
    "同样",
    "一模一样",
    "新的",
    "新打",
    "another",
    "copy",
    "second",
    "new",
    "other",
    "replica",
    "spare",
];

/// Words of a sentence about a thing that came back.
const RETURNED: &[&str] = &[
    "还给",
    "还了",
    "归还",
    "夺回",
    "拿回",
    "取回",
    "找回",
    "要回",
    "送回",
    "赎回",
    "失而复得",
    "物归原主",
    "returned",
    "back",
    "regained",
    "recovered",
];

/// Returns the first statement of the roles told in a later chapter than the `end` of a possession, unless its
/// time is before, a year may pass between, or one of `undoing` is told between.
pub(super) fn told_later<'t, 's>(
    truth: &'t GroundTruth<'s>,
    chapters: &SteadyChapters,
    end: &TruthStatement<'s>,
    roles: &[PredicateRole],
    is_meant: impl Fn(&TruthStatement<'s>) -> bool,
    undoing: &[&TruthStatement<'s>],
) -> Option<&'t TruthStatement<'s>> {
    let item = thing(end);
    let first = place(truth, end)?;
    let is_fact = |one: &TruthStatement<'s>| matches!(one.basis, StatementBasis::Fact(_));
    let is_single = |one: &TruthStatement<'s>| is_fact(one) && one.number().is_none();
    let is_other = |one: &TruthStatement<'s>| has_any(truth.quote(one), OTHER_THING);
    if item.kind != Some(PieceKind::Item) || !truth.registry.is_clear(item) || !is_single(end) || is_other(end) {
        return None;
    }
    let all = roles.iter().flat_map(|role| of_thing(truth, item, *role));
    let is_over =
        |one: &TruthStatement<'s>| end.span.from.is_some_and(|point| one.span.ends_by(point, &truth.timeline));
    let told = all.filter(|one| is_single(one) && is_meant(one) && !is_over(one));
    let told = told.filter_map(|one| Some((place(truth, one)?, one)));
    let is_soon = |chapter: u32| chapter > first.0 && chapters.are_one_year(first.0, chapter);
    let mut late: Vec<_> = told.filter(|((chapter, _), _)| is_soon(*chapter)).collect();
    late.sort_by_key(|(place, one)| (*place, one.basis));
    let (last, late) = late.into_iter().next()?;
    let lies_between = |one: &&TruthStatement<'s>| place(truth, one).is_none_or(|place| place > first && place <= last);
    let is_undone = undoing.iter().any(lies_between);
    let is_returned = has_any(truth.quote(late), RETURNED);
    (!is_undone && !begins_before(truth, late, end) && !is_returned && !is_other(late)).then_some(late)
}

/// Returns whether `first` certainly begins before `second` by their times.
pub(super) fn begins_before(truth: &GroundTruth<'_>, first: &TruthStatement<'_>, second: &TruthStatement<'_>) -> bool {
    first.span.from.zip(second.span.from).is_some_and(|(first, second)| truth.timeline.is_before(first, second))
}

/// Returns the place of a statement in the order of telling: its chapter, and where its sentence begins.
pub(super) fn place<'s>(truth: &GroundTruth<'s>, one: &TruthStatement<'s>) -> Option<(u32, u32)> {
    Some((one.order?, truth.sentence_of(one)?.1))
}

/// Returns whether one of `undoing` may lie between the `end` of a possession and `late`.
///
/// A statement told before the end in the same chapter undoes the end only if its time is certainly later. The same holds for
/// one that lasts no longer than to the end.
pub(super) fn may_be_undone<'t, 's: 't>(
    truth: &GroundTruth<'s>,
    (end, late): (&TruthStatement<'s>, &TruthStatement<'s>),
    mut undoing: impl Iterator<Item = &'t TruthStatement<'s>>,
) -> bool {
    let timeline = &truth.timeline;
    let Some(point) = end.span.from else { return false };
    let lasts_over = late.span.holds(point, timeline);
    let told = truth.sentence_of(end);
    let is_told_first = |one: &TruthStatement<'s>| {
        let sentences = told.zip(truth.sentence_of(one));
        let is_above = sentences.is_some_and(|((chapter, end), (other, start))| chapter == other && start < end);
        is_above && one.span.from.is_none_or(|from| timeline.is_ordered_by_telling(from, point))
    };
    let fits = |one: &TruthStatement<'s>| {
        let from = one.span.from;
        let is_earlier = from.is_some_and(|from| timeline.is_before(from, point));
        let is_later = from.is_some_and(|from| timeline.is_before(point, from));
        let is_too_late = from.zip(late.span.from).is_some_and(|(from, late)| timeline.is_before(late, from));
        !is_earlier && !is_too_late && (is_later || !is_told_first(one) && !one.span.ends_by(point, timeline))
    };
    !lasts_over && undoing.any(fits)
}

/// Returns whether the thing of a parting may have gone to `who`: not if its sentence tells that only others got it.
pub(super) fn may_reach<'s>(truth: &GroundTruth<'s>, parting: &TruthStatement<'s>, who: Entity) -> bool {
    let Some(sentence) = truth.sentence_of(parting) else { return true };
    let gets = of_thing(truth, thing(parting), PredicateRole::Getting);
    let others = gets.filter(|one| one.subject != parting.subject && truth.sentence_of(one) == Some(sentence));
    let receivers: Vec<Entity> = others.map(|one| one.subject).collect();
    receivers.is_empty() || receivers.contains(&who)
}

/// Returns the partings of others with the thing of `parting` that may have given it back to the person who parted with it.
pub(super) fn given_back<'t, 's>(
    truth: &'t GroundTruth<'s>,
    parting: &'t TruthStatement<'s>,
) -> impl Iterator<Item = &'t TruthStatement<'s>> {
    of_thing(truth, thing(parting), PredicateRole::Parting).filter(move |one| may_be_given_back(truth, parting, one))
}

/// Returns whether `other` is another person's parting, by which the thing may have gone back to the person of `parting`.
pub(super) fn may_be_given_back<'s>(
    truth: &GroundTruth<'s>,
    parting: &TruthStatement<'s>,
    other: &TruthStatement<'s>,
) -> bool {
    other.subject != parting.subject && may_reach(truth, other, parting.subject)
}

/// Returns the draft of a use after an end, with a fix inserting a fact to undo the end, or a fix ending the holding.
pub(super) fn draft<'s>(
    truth: &GroundTruth<'s>,
    (end, late): (&TruthStatement<'s>, &TruthStatement<'s>),
    undo: (&'static str, serde_json::Value),
) -> FindingDraft {
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
