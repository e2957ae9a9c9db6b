//! Words that have one value at a time.

use super::Material;
use super::claims::{Pair, contradictions, differ, narrated};
use crate::piece::PieceKind;
use crate::predicate::{Predicate, Role};
use crate::truth::{Basis, Statement};

/// The pairs of narrated statements that give such a word two values at one moment.
///
/// A steady word without any time is meant for the whole story. Where things are is left to another rule, and so is
/// what two events say.
pub(super) fn clashes<'t, 's>(material: &'t Material<'s>, is_meant: impl Fn(&Predicate) -> bool) -> Vec<Pair<'t, 's>> {
    let truth = material.truth();
    let mut pairs = Vec::new();
    for (subject, term, group) in truth.by_subject() {
        let Some(word) = truth.predicate(term).filter(|word| word.single && !word.immutable && is_meant(word)) else {
            continue;
        };
        let is_thing_somewhere = word.role == Some(Role::Place) && subject.kind == Some(PieceKind::Item);
        if group.len() < 2 || is_thing_somewhere || !truth.registry.is_clear(subject) {
            continue;
        }
        let statements = narrated(truth, group);
        let is_same = |a, b| match word.steady {
            true => truth.timeline.is_same_day(a, b),
            false => truth.timeline.is_same(a, b),
        };
        let apart = |a: &Statement<'s>, b: &Statement<'s>| {
            let of_events = matches!((a.basis, b.basis), (Basis::Event(..), Basis::Event(..)));
            a.object_of_count() == b.object_of_count() && !of_events && differ(material, a, b)
        };
        pairs.extend(contradictions(truth, &statements, is_same, apart));
        if word.steady {
            let mut timeless =
                statements.iter().filter(|one| one.span.is_open() && matches!(one.basis, Basis::Fact(_)));
            if let Some(first) = timeless.next() {
                pairs.extend(timeless.filter(|other| apart(first, other)).map(|other| (*first, *other)));
            }
        }
    }
    pairs
}
