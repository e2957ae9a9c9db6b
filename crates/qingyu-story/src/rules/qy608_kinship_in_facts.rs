//! QY608: facts with mutually exclusive kinship of two characters.

use std::collections::BTreeMap;

use super::claims::{contradiction, in_telling_order, take_out};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::kinship::{FATHER, MOTHER};
use crate::piece::PieceKind;
use crate::truth::{Entity, PointSpan, StatementBasis, TruthStatement};
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy608_kinship_in_facts.toml");
    Rule::new("QY608", (Severity::High, Category::Consistency, "relation"), texts, run)
}

/// Pairs of mutually exclusive relations.
const EXCLUSIVE: [(&str, &str); 5] = [
    ("parent_of", "sibling_of"),
    ("parent_of", "married_to"),
    ("sibling_of", "married_to"),
    ("friend_of", "enemy_of"),
    ("ally_of", "enemy_of"),
];

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let words = ["parent_of", "sibling_of", "married_to", "friend_of", "enemy_of", "ally_of"];
    let mut pairs: BTreeMap<(Entity, Entity), Vec<(&str, &TruthStatement<'_>)>> = BTreeMap::new();
    for word in words {
        let said = truth.term(word).into_iter().flat_map(|term| truth.with_term(term));
        for one in said.filter(|one| one.is_narrated() && !one.is_denied()) {
            let is_character = |entity: Entity| entity.kind == Some(PieceKind::Character);
            if let Some(object) = one.object.filter(|object| is_character(*object) && is_character(one.subject)) {
                let key = (one.subject.min(object), one.subject.max(object));
                pairs.entry(key).or_default().push((word, one));
            }
        }
    }
    let mut drafts = Vec::new();
    for said in pairs.into_values().filter(|said| said.iter().any(|(_, one)| is_fact(one))) {
        let of = |word: &str| {
            let mut all: Vec<_> = said.iter().filter(|(other, _)| *other == word).map(|(_, one)| *one).collect();
            in_telling_order(truth, &mut all);
            all
        };
        // Parenthood is permanent.
        let parents = of("parent_of");
        let turned = parents.iter().find(|one| one.subject != parents[0].subject).map(|other| (parents[0], *other));
        let clash = EXCLUSIVE.into_iter().filter_map(|(one, other)| {
            let others = of(other);
            let hold = |first: &TruthStatement<'_>, second: &TruthStatement<'_>| {
                hold_together(material, first.span, second.span)
            };
            of(one).into_iter().find_map(|first| Some((first, *others.iter().find(|second| hold(first, second))?)))
        });
        let clashes = turned.into_iter().chain(clash).filter(|(first, second)| is_fact(first) || is_fact(second));
        for (first, second) in clashes {
            let draft = contradiction(truth, (first, second))
                .say("one", truth.registry.name(first.subject))
                .say("other", first.object.map(|object| truth.registry.name(object)).unwrap_or_default());
            drafts.push(take_out(truth, draft, [second, first]));
        }
    }
    drafts.extend(two_of_a_kind(material));
    drafts
}

/// Words for additional parents, and for former spouses.
pub(super) const OTHERS: &[&str] = &[
    "养", "继", "义", "岳", "干爹", "干妈", "干娘", "公公", "婆婆", "师父", "教父", "祖", "养父", "前妻", "前夫",
    "改嫁", "再嫁", "离婚", "休了", "亡夫", "亡妻", "续弦", "step", "foster", "adopt", "in-law", "grand", "god",
    "divorce", "former", "ex-", "widow", "first", "second", "third", "late",
];
/// Words identifying a wife's husband. In some books a husband may have several wives.
const HUSBAND: &[&str] = &["嫁", "丈夫", "husband", "wife", "married", "wed"];

/// Returns drafts for two fathers, two mothers or two husbands of one character, by sentences with the respective
/// words.
fn two_of_a_kind(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let quote = |one: &TruthStatement<'_>| {
        let source = truth.asserting(one).and_then(|fact| fact.source.as_ref());
        source.map(|source| source.quote.to_lowercase()).unwrap_or_default()
    };
    let has = |text: &str, words: &[&str]| words.iter().any(|word| text.contains(word));
    let mut drafts = Vec::new();
    for (word, kind) in [("parent_of", FATHER), ("parent_of", MOTHER), ("married_to", HUSBAND)] {
        let mut by_one: BTreeMap<Entity, Vec<(Entity, &TruthStatement<'_>)>> = BTreeMap::new();
        for one in truth.term(word).into_iter().flat_map(|term| truth.with_term(term)) {
            let Some(object) = one.object.filter(|_| is_fact(one) && one.is_narrated() && !one.is_denied()) else {
                continue;
            };
            let quote = quote(one);
            let other = if std::ptr::eq(kind, FATHER) { MOTHER } else { FATHER };
            let is_both = word == "parent_of" && has(&quote, other);
            if quote.is_empty() || is_both || !has(&quote, kind) || has(&quote, OTHERS) {
                continue;
            }
            // 嫁 and 丈夫 refer to the wife; in an English marriage either spouse may be the duplicate.
            let is_wife = word == "married_to" && quote.chars().any(crate::language::is_han);
            if !is_wife {
                by_one.entry(object).or_default().push((one.subject, one));
            }
            if word == "married_to" {
                by_one.entry(one.subject).or_default().push((object, one));
            }
        }
        for said in by_one.into_values() {
            let mut told: Vec<&TruthStatement<'_>> = said.iter().map(|(_, one)| *one).collect();
            in_telling_order(truth, &mut told);
            let of = |one: &TruthStatement<'_>| {
                said.iter().find(|(_, other)| std::ptr::eq(*other, one)).map(|(who, _)| *who)
            };
            let Some(first) = told.first() else { continue };
            let is_dead = |who: Option<Entity>| {
                word == "married_to" && who.is_some_and(|who| super::telling::deaths(truth, who).next().is_some())
            };
            let second = told.iter().find(|one| of(one) != of(first) && !is_dead(of(first)));
            if let Some(second) = second {
                let draft = contradiction(truth, (first, second))
                    .say("one", truth.registry.name(first.subject))
                    .say("other", first.object.map(|object| truth.registry.name(object)).unwrap_or_default());
                drafts.push(take_out(truth, draft, [second, first]));
            }
        }
    }
    drafts
}

fn is_fact(one: &TruthStatement<'_>) -> bool {
    matches!(one.basis, StatementBasis::Fact(_))
}

/// Returns whether both periods are unbounded, or certainly overlap.
fn hold_together(material: &RuleMaterial<'_>, a: PointSpan, b: PointSpan) -> bool {
    let timeline = &material.truth().timeline;
    a.is_open() && b.is_open() || a.overlaps(b, timeline, |one, other| timeline.is_same(one, other))
}
