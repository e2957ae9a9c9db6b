//! Comparison of statements: certain overlap in time, and certain contradiction in content.

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap};

use serde_json::{Value, json};

use super::material::target;
use super::{FindingDraft, RuleMaterial};
use crate::fact_time::TimeCertainty;
use crate::names::fold;
use crate::piece::PieceKind;
use crate::place_names::{are_two_of_a_kind, is_named};
use crate::predicate::{self, PredicateRole, ValueKind};
use crate::truth::{Entity, GroundTruth, PointId, PredicateTerm, StatementBasis, TruthStatement};
use crate::{Action, Fact, time};

/// Two contradictory statements, in telling order.
pub(super) type StatementPair<'t, 's> = (&'t TruthStatement<'s>, &'t TruthStatement<'s>);

/// Returns the narrated statements of a group in telling order.
pub(super) fn narrated<'t, 's>(truth: &'t GroundTruth<'s>, group: &[usize]) -> Vec<&'t TruthStatement<'s>> {
    let mut all: Vec<&TruthStatement<'s>> = group.iter().map(|index| &truth.statements[*index]).collect();
    all.retain(|statement| statement.is_narrated());
    in_telling_order(truth, &mut all);
    all
}

/// Returns the narrated statements with a predicate about each character with several statements, in telling order.
pub(super) fn narrated_of_people<'t, 's>(
    truth: &'t GroundTruth<'s>,
    predicate: &str,
) -> impl Iterator<Item = Vec<&'t TruthStatement<'s>>> {
    let word = truth.term(predicate);
    let is_meant = move |(subject, term, group): &(Entity, PredicateTerm, &[usize])| {
        subject.kind == Some(PieceKind::Character) && Some(*term) == word && group.len() > 1
    };
    truth.by_subject().filter(is_meant).map(move |(.., group)| narrated(truth, group))
}

/// Sorts statements in telling order; statements of unknown position come last.
pub(super) fn in_telling_order<'s>(truth: &GroundTruth<'s>, statements: &mut [&TruthStatement<'s>]) {
    if statements.len() > 1 {
        statements.sort_by_key(|one| (one.order.unwrap_or(u32::MAX), one.basis.key(truth.story), one.basis));
    }
}

/// Returns, for each statement, the first earlier statement contradicting the statement at a moment certainly common to
/// both.
///
/// The callback `is_same` decides which starting points are the same moment. Large groups are compared along their time
/// line.
pub(super) fn contradictions<'t, 's>(
    truth: &'t GroundTruth<'s>,
    statements: &[&'t TruthStatement<'s>],
    is_same: impl Fn(PointId, PointId) -> bool,
    contradicts: impl Fn(&TruthStatement<'s>, &TruthStatement<'s>) -> bool,
) -> Vec<StatementPair<'t, 's>> {
    let overlaps = |first: usize, second: usize| {
        let (first, second) = (statements[first], statements[second]);
        first.span.overlaps(second.span, &truth.timeline, &is_same) && contradicts(first, second)
    };
    let mut found: HashMap<usize, usize> = HashMap::new();
    for (first, second) in candidates(truth, statements) {
        let (first, second) = (first.min(second), first.max(second));
        if found.get(&second).is_none_or(|known| first < *known) && overlaps(first, second) {
            found.insert(second, first);
        }
    }
    found.into_iter().map(|(second, first)| (statements[first], statements[second])).collect()
}

/// Returns the pairs of statements with possibly overlapping periods.
fn candidates(truth: &GroundTruth<'_>, statements: &[&TruthStatement<'_>]) -> Vec<(usize, usize)> {
    const FEW: usize = 24;
    let count = statements.len();
    if count <= FEW {
        return (0..count).flat_map(|second| (0..second).map(move |first| (first, second))).collect();
    }
    let place = |point: Option<PointId>| point.and_then(|point| truth.timeline.place(point));
    let mut beginnings: HashMap<_, Vec<usize>> = HashMap::new();
    let mut ends: Vec<((usize, i64), usize)> = Vec::new();
    let mut adrift = Vec::new();
    let mut stretches = Vec::new();
    for (index, statement) in statements.iter().enumerate() {
        let span = statement.span;
        if let Some(from) = span.from {
            let key = truth.timeline.place(from).ok_or(from);
            beginnings.entry(key).or_default().push(index);
        }
        for (line, start, _) in [span.from, span.until].into_iter().filter_map(place) {
            ends.push(((line, start), index));
        }
        match (place(span.from), place(span.until)) {
            _ if span.is_moment() || span.until.is_none() => {}
            (Some((line, start, _)), Some((other, _, end))) if line == other && start <= end => {
                stretches.push((index, (line, start), (line, end)));
            }
            // The ends are on different time lines, or the end precedes the beginning.
            _ => adrift.push(index),
        }
    }
    ends.sort_unstable();
    let together = beginnings.values().flat_map(|group| {
        group.iter().enumerate().flat_map(|(at, second)| group[..at].iter().map(move |first| (*first, *second)))
    });
    let within = stretches.iter().flat_map(|(index, start, end)| {
        let from = ends.partition_point(|(at, _)| at < start);
        ends[from..].iter().take_while(move |(at, _)| at <= end).map(move |(_, other)| (*index, *other))
    });
    let unplaced = adrift.iter().flat_map(|index| (0..count).map(move |other| (*index, other)));
    together.chain(within).chain(unplaced).filter(|(first, second)| first != second).collect()
}

/// Returns whether two statements certainly say different things about one subject.
pub(super) fn differ(material: &RuleMaterial<'_>, a: &TruthStatement<'_>, b: &TruthStatement<'_>) -> bool {
    let truth = material.truth();
    let word = truth.predicate(a.predicate);
    let counted = a.number().is_some() && b.number().is_some();
    let role = word.and_then(|word| word.role);
    if let (Some(one), Some(other), false) = (a.object, b.object, counted) {
        let is_place = matches!(role, Some(PredicateRole::Place | PredicateRole::Within | PredicateRole::Origin));
        return are_apart(material, one, other, is_place);
    }
    if let Some(role @ (PredicateRole::Place | PredicateRole::Origin)) = role
        && let Some((one, other)) = place_name(truth, a).zip(place_name(truth, b))
    {
        let are_pieces = [a, b].map(|said| said.object.is_some());
        return are_places_apart(material, [one, other], are_pieces, role);
    }
    if let (Some(one), Some(other)) = (a.number(), b.number()) {
        return predicate::numbers_differ(one, other);
    }
    let kind = word.map_or(ValueKind::Text, |word| word.value);
    match (a.text(), b.text()) {
        (Some(one), Some(other)) if kind == ValueKind::Time => {
            // Neither date has a year, as in birthdays: their months and days are compared.
            if time::is_day_of_year(one) && time::is_day_of_year(other) {
                return time::day_of(one) != time::day_of(other);
            }
            let moments = time::parse(one).moment().zip(time::parse(other).moment());
            moments.is_some_and(|(one, other)| one.is_before(&other) || other.is_before(&one))
        }
        (Some(one), Some(other)) => predicate::texts_differ(kind, one, other),
        _ => a.is_flag() && b.is_flag() && a.is_denied() != b.is_denied(),
    }
}

/// Returns the name of the place that a statement says.
fn place_name<'s>(truth: &GroundTruth<'s>, said: &TruthStatement<'s>) -> Option<&'s str> {
    said.object.map(|object| truth.registry.name(object)).or_else(|| said.text())
}

/// Returns whether two places, of which at most one is a piece, are different and neither lies in the other as far as known.
///
/// Words for a place are compared with a piece only if they are a name. Somebody who is in a place may be in a smaller one
/// within, so a stay needs two names of one kind.
fn are_places_apart(
    material: &RuleMaterial<'_>,
    [one, other]: [&str; 2],
    are_pieces: [bool; 2],
    role: PredicateRole,
) -> bool {
    let truth = material.truth();
    let is_one = || {
        let known = truth.registry.known(one).zip(truth.registry.known(other));
        material.is_one_place(one, other) || known.is_some_and(|(one, other)| !are_apart(material, one, other, true))
    };
    let are_named = || [one, other].into_iter().zip(are_pieces).all(|(name, is_piece)| is_piece || is_named(name));
    let is_comparable = are_pieces == [false, false] || role == PredicateRole::Origin && are_named();
    let are_different = is_comparable && predicate::texts_differ(ValueKind::Entity, one, other);
    (are_different || are_two_of_a_kind(one, other)) && !is_one()
}

/// Returns whether two names certainly mean different pieces; for places, also neither within the other.
pub(super) fn are_apart(material: &RuleMaterial<'_>, a: Entity, b: Entity, is_place: bool) -> bool {
    let truth = material.truth();
    if a == b || !truth.registry.is_clear(a) || !truth.registry.is_clear(b) {
        return false;
    }
    let (a_name, b_name) = (truth.registry.name(a), truth.registry.name(b));
    if is_place {
        let nested = lies_in(truth, a, b) || lies_in(truth, b, a);
        return !nested && !material.is_one_place(a_name, b_name);
    }
    if a.kind.is_some() && b.kind.is_some() {
        return true;
    }
    let (a_name, b_name) = (fold(a_name), fold(b_name));
    !(a_name.contains(&b_name) || b_name.contains(&a_name))
}

/// Returns whether a place equals `region` or, by facts, is part of the region.
pub(super) fn lies_in(truth: &GroundTruth<'_>, place: Entity, region: Entity) -> bool {
    place == region || regions_of(truth, place).contains(&region)
}

/// Returns the place and all places enclosing the place by facts.
pub(super) fn regions_of(truth: &GroundTruth<'_>, place: Entity) -> BTreeSet<Entity> {
    let Some(within) = truth.term("within") else { return BTreeSet::from([place]) };
    let is_at = truth.term("is_at");
    let mut open = vec![place];
    let mut seen = BTreeSet::new();
    while let Some(place) = open.pop() {
        if seen.insert(place) {
            let is_location = place.kind == Some(PieceKind::Location);
            let stands = is_at.filter(|_| is_location).into_iter().flat_map(|term| truth.about(place, term));
            let around = truth.about(place, within).chain(stands).filter(|one| one.is_narrated() && !one.is_denied());
            open.extend(around.filter_map(|one| one.object));
        }
    }
    seen
}

/// Returns whether a character is a member of an organisation at any time.
pub(super) fn is_member(truth: &GroundTruth<'_>, who: Entity, organisation: Entity) -> bool {
    let memberships = truth.term("member_of").into_iter().flat_map(|term| truth.about(who, term));
    who == organisation
        || memberships.into_iter().any(|one| one.object == Some(organisation) && one.is_narrated() && !one.is_denied())
}

/// Returns the draft of a contradiction between two statements: the subject, and both sentences.
pub(super) fn contradiction<'s>(truth: &GroundTruth<'s>, (first, second): StatementPair<'_, 's>) -> FindingDraft {
    let mut handles = [first, second].map(|one| one.basis.piece(truth.story).1);
    handles.sort();
    let (a, b) = (first.evidence(truth), second.evidence(truth));
    FindingDraft::about(handles)
        .say("subject", truth.registry.name(first.subject))
        .say("predicate", written(truth, second))
        .say("first", a.quote.clone())
        .say("second", b.quote.clone())
        .affects(truth.registry.name(first.subject))
        .affects(truth.registry.name(second.subject))
        .affects(first.object.map(|object| truth.registry.name(object)).unwrap_or_default())
        .affects(second.object.map(|object| truth.registry.name(object)).unwrap_or_default())
        .quote(a.anchor, a.quote)
        .quote(b.anchor, b.quote)
}

/// Same as [`contradiction`], with the value of each statement as `one` and `other`.
pub(super) fn value_contradiction<'s>(truth: &GroundTruth<'s>, pair: StatementPair<'_, 's>) -> FindingDraft {
    contradiction(truth, pair).say("one", pair.0.shown(truth)).say("other", pair.1.shown(truth))
}

/// Returns the predicate as written in the story; a name of the vocabulary in the language of the story.
pub(super) fn written<'s>(truth: &GroundTruth<'s>, statement: &TruthStatement<'s>) -> String {
    let own = truth.asserting(statement).map(|fact| fact.predicate.trim());
    let own = own.unwrap_or_else(|| truth.word(statement.predicate));
    match predicate::find(own) {
        Some(word) if word.name == own => predicate::shown(own, truth.story.language),
        _ => own.to_owned(),
    }
}

/// Adds a fix changing the fact behind a statement; no fix without a fact or without its id.
pub(super) fn fix_fact(draft: FindingDraft, text: &'static str, fact: Option<&Fact>, fields: Value) -> FindingDraft {
    match fact.filter(|fact| !fact.id.trim().is_empty()) {
        Some(fact) => draft.fix(text, Action::Update, PieceKind::Fact, target(fact, fields)),
        None => draft,
    }
}

/// Adds a fix that the author must decide: the fact behind a statement is wrong, or only somebody's words. No field is set,
/// so it is never applied by itself: a fact marked as said would hide what the prose still tells.
pub(super) fn doubt_fact(draft: FindingDraft, text: &'static str, fact: Option<&Fact>) -> FindingDraft {
    fix_fact(draft, text, fact, json!({}))
}

/// Returns whether a contradiction rests on a guess of when two statements hold: neither has a time, or one has only that of
/// its chapter or a guessed year. What lasts for the whole story rests on no time.
pub(super) fn rests_on_guess<'s>(truth: &GroundTruth<'s>, (first, second): StatementPair<'_, 's>) -> bool {
    let lasts =
        |one: &TruthStatement<'s>| truth.predicate(one.predicate).is_some_and(|word| word.immutable || word.steady);
    let sure = [first, second].map(|one| truth.time_certainty(one));
    let is_guess = |one: &TimeCertainty| matches!(one, TimeCertainty::OfChapter | TimeCertainty::GuessedYear);
    let is_lasting = lasts(first) && lasts(second);
    !is_lasting && (sure.iter().any(is_guess) || sure == [TimeCertainty::Unknown; 2])
}

/// Makes the finding a question to the author, and adds the fix of the second statement as one that the author must decide.
pub(super) fn question<'s>(
    truth: &GroundTruth<'s>,
    draft: FindingDraft,
    text: &'static str,
    pair: StatementPair<'_, 's>,
) -> FindingDraft {
    doubt_second(truth, draft.into_question(), text, pair)
}

/// Adds a fix of the second statement that the author must decide; without a fact behind it, of the first.
pub(super) fn doubt_second<'s>(
    truth: &GroundTruth<'s>,
    draft: FindingDraft,
    text: &'static str,
    (first, second): StatementPair<'_, 's>,
) -> FindingDraft {
    let named = |one: &TruthStatement<'s>| truth.asserting(one).filter(|fact| !fact.id.trim().is_empty());
    match [second, first].into_iter().find_map(named) {
        Some(fact) => doubt_fact(draft, text, Some(fact)).fix_says("fact", fact.id.trim()),
        None => draft,
    }
}

/// Adds a fix ending the earlier fact where the later begins; without an earlier fact, a fix deleting the later. A
/// contradiction that rests on a guess of when the facts hold is a question instead.
pub(super) fn fix_span<'s>(
    truth: &GroundTruth<'s>,
    draft: FindingDraft,
    (first, second): StatementPair<'_, 's>,
) -> FindingDraft {
    if rests_on_guess(truth, (first, second)) {
        return question(truth, draft, "take_out", (first, second));
    }
    let timeline = &truth.timeline;
    let begins_first = |a: &TruthStatement<'s>, b: &TruthStatement<'s>| matches!((a.span.from, b.span.from), (Some(a), Some(b)) if timeline.is_before(a, b));
    let ordered = match () {
        () if begins_first(first, second) => Some((first, second)),
        () if begins_first(second, first) => Some((second, first)),
        () => None,
    };
    let facts = ordered.and_then(|(early, late)| Some((truth.asserting(early)?, begin(truth, late)?)));
    if let Some((early, until)) = facts.filter(|_| !first.span.is_moment() && !second.span.is_moment()) {
        return fix_fact(draft, "end", Some(early), json!({ "until": until }));
    }
    take_out(truth, draft, [second, first])
}

/// Adds a fix deleting the first statement backed by a fact.
pub(super) fn take_out<'s>(
    truth: &GroundTruth<'s>,
    draft: FindingDraft,
    statements: [&TruthStatement<'s>; 2],
) -> FindingDraft {
    let fact = statements.into_iter().find_map(|one| truth.asserting(one).filter(|fact| !fact.id.trim().is_empty()));
    match fact {
        Some(fact) => draft
            .fix("take_out", Action::Delete, PieceKind::Fact, target(fact, json!({})))
            .fix_says("fact", fact.id.trim()),
        None => draft,
    }
}

/// Returns the beginning of a statement's period, as written.
pub(super) fn begin<'s>(truth: &GroundTruth<'s>, statement: &TruthStatement<'s>) -> Option<&'s str> {
    let words = match statement.basis {
        StatementBasis::Fact(position) => truth.story.facts[position].from.trim(),
        _ => "",
    };
    Some(words).filter(|words| !words.is_empty())
}

/// Adds a fix copying the first statement's value to the second; reversed if no fact is behind the second.
pub(super) fn fix_value<'s>(
    truth: &GroundTruth<'s>,
    draft: FindingDraft,
    (first, second): StatementPair<'_, 's>,
) -> FindingDraft {
    let facts = truth.asserting(first).zip(truth.asserting(second));
    match facts {
        Some((right, wrong)) => {
            let fields = json!({ "value": right.value, "unit": right.unit, "object": right.object });
            fix_fact(draft, "same", Some(wrong), without_nulls(fields))
        }
        None => take_out(truth, draft, [second, first]),
    }
}

/// `null` clears an object, but leaves other fields open.
fn without_nulls(mut fields: Value) -> Value {
    if let Value::Object(fields) = &mut fields {
        fields.retain(|_, value| !value.is_null());
    }
    fields
}

/// Returns the statements of a group in order, if certain; `None` if the order of any two is unknown.
pub(super) fn in_order<'t, 's>(
    truth: &GroundTruth<'s>,
    mut statements: Vec<&'t TruthStatement<'s>>,
) -> Option<Vec<&'t TruthStatement<'s>>> {
    let timeline = &truth.timeline;
    if statements.iter().any(|one| one.span.from.is_none()) {
        return None;
    }
    let before = |a: &TruthStatement<'s>, b: &TruthStatement<'s>| matches!((a.span.from, b.span.from), (Some(a), Some(b)) if timeline.is_before(a, b));
    let place = |one: &TruthStatement<'s>| one.span.from.and_then(|from| timeline.place(from));
    let line = statements.first().and_then(|one| place(one)).map(|(line, ..)| line);
    if line.is_some() && statements.iter().all(|one| place(one).map(|(line, ..)| line) == line) {
        statements.sort_by_key(|one| (place(one), one.basis.key(truth.story)));
    } else {
        statements = sorted_topologically(&statements, before)?;
    }
    statements.windows(2).all(|pair| before(pair[0], pair[1])).then_some(statements)
}

/// Sorts topologically; returns `None` for a cycle. Tests each pair twice instead of storing pairs, so that memory
/// stays linear.
fn sorted_topologically<T: Copy>(all: &[T], is_before: impl Fn(T, T) -> bool) -> Option<Vec<T>> {
    let earlier = |one: &T| all.iter().filter(|other| is_before(**other, *one)).count();
    let mut earlier: Vec<Option<usize>> = all.iter().map(|one| Some(earlier(one))).collect();
    let mut sorted = Vec::with_capacity(all.len());
    while sorted.len() < all.len() {
        let next = earlier.iter().position(|earlier| *earlier == Some(0))?;
        earlier[next] = None;
        sorted.push(all[next]);
        for (earlier, other) in earlier.iter_mut().zip(all) {
            *earlier = earlier.map(|count| count - usize::from(is_before(all[next], *other)));
        }
    }
    Some(sorted)
}
