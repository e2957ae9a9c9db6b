//! QY609: kinship that contradicts an earlier book.

use std::collections::BTreeMap;

use serde_json::json;

use super::kinship_facts::is_of_others;
use super::material::{relation_target, target};
use super::series::{KinStatement, kinship};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::earlier::{EarlierBook, EarlierTie};
use crate::kinship::{FATHER, MOTHER};
use crate::part::handle;
use crate::piece::PieceKind;
use crate::truth::StatementBasis;
use crate::{Action, Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy609_kinship_in_earlier_book.toml");
    Rule::new("QY609", (Severity::High, Category::Consistency, "relation"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let own = kinship(material.truth());
    let mut drafts: BTreeMap<(usize, usize, &str), FindingDraft> = BTreeMap::new();
    for book in material.earlier().iter() {
        let people = book.shared(&material.names);
        for kin in &own {
            let quote = kin.statement.evidence(material.truth()).quote;
            let clash = book.ties.iter().find(|told| {
                let ends = people.get(told.from.as_str()).zip(people.get(told.to.as_str()));
                ends.is_some_and(|(from, to)| contradicts((kin, quote.as_str()), told, (*from, *to)))
            });
            if let Some(told) = clash {
                let key = (kin.from.min(kin.to), kin.from.max(kin.to), book.key());
                drafts.entry(key).or_insert_with(|| draft(material, kin, told, book));
            }
        }
    }
    drafts.into_values().collect()
}

/// Returns whether a statement excludes what an earlier book tells of `from` and `to`: other kinship of the two, or another
/// father or mother. Foster, step and former relatives exclude nothing.
fn contradicts((kin, quote): (&KinStatement<'_, '_>, &str), told: &EarlierTie, (from, to): (usize, usize)) -> bool {
    let (quote, line) = (quote.to_lowercase(), told.line.to_lowercase());
    let has = |text: &str, words: &[&str]| words.iter().any(|word| text.contains(word));
    if told.kinship.is_empty() || is_of_others(&quote) || is_of_others(&line) {
        return false;
    }
    let are_parents = kin.word == "parent_of" && told.kinship == "parent_of";
    match ((kin.from, kin.to) == (from, to), (kin.from, kin.to) == (to, from)) {
        (true, _) => kin.word != told.kinship,
        (_, true) => kin.word != told.kinship || are_parents,
        (false, false) => {
            let speaks = |words: &[&str], others: &[&str]| {
                [&quote, &line].into_iter().all(|text| has(text, words) && !has(text, others))
            };
            are_parents && kin.to == to && (speaks(FATHER, MOTHER) || speaks(MOTHER, FATHER))
        }
    }
}

fn draft<'s>(
    material: &RuleMaterial<'s>,
    kin: &KinStatement<'_, 's>,
    told: &EarlierTie,
    book: &EarlierBook,
) -> FindingDraft {
    let (story, truth) = (material.story, material.truth());
    let (one, other) = (&story.characters[kin.from], &story.characters[kin.to]);
    let evidence = kin.statement.evidence(truth);
    let mut people = [handle(one), handle(other)];
    people.sort();
    let draft = FindingDraft::about(people.into_iter().chain([book.key().to_owned()]))
        .say("one", one.name.trim())
        .say("other", other.name.trim())
        .say("book", &book.title)
        .say("told", &told.line)
        .say("now", &evidence.quote)
        .affects(one.name.trim())
        .affects(other.name.trim())
        .quote(evidence.anchor, evidence.quote);
    match kin.statement.basis {
        StatementBasis::Fact(position) => {
            let fact = &story.facts[position];
            draft.fix("take_out", Action::Delete, PieceKind::Fact, target(fact, json!({})))
        }
        StatementBasis::Relation(position) => {
            let relation = &story.character_relations[position];
            draft.fix("take_out", Action::Delete, PieceKind::Relation, relation_target(relation, json!({})))
        }
        StatementBasis::Character(..) | StatementBasis::Item(_) | StatementBasis::Event(..) => draft,
    }
}
