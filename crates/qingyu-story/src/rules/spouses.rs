//! Two living spouses of one person.

use std::collections::{BTreeMap, BTreeSet};

use super::claims::in_telling_order;
use super::kinship_facts::{draft, is_fact, is_of_others, quote_of};
use super::{FindingDraft, RuleMaterial};
use crate::Severity;
use crate::language::{has_any, is_han};
use crate::piece::PieceKind;
use crate::predicate::PredicateRole;
use crate::truth::{Entity, GroundTruth, TruthStatement};

/// Words by which a sentence says that two people are married.
const MARRIED: &[&str] = &[
    "嫁",
    "娶",
    "成亲",
    "成了亲",
    "成婚",
    "成了婚",
    "结婚",
    "结了婚",
    "完婚",
    "完了婚",
    "拜堂",
    "拜了堂",
    "夫妻",
    "夫妇",
    "丈夫",
    "妻",
    "媳妇",
    "太太",
    "老婆",
    "连理",
    "领了证",
    "husband",
    "wife",
    "married",
    "wed",
    "wedded",
    "bride",
];
/// Words of books in which a man may have several wives.
const SEVERAL: &[&str] = &[
    "妾",
    "纳",
    "侧室",
    "偏房",
    "平妻",
    "妃",
    "嫔",
    "后宫",
    "姨太",
    "二房",
    "三房",
    "通房",
    "皇帝",
    "皇上",
    "陛下",
    "一夫多妻",
    "concubine",
    "concubines",
    "harem",
    "wives",
    "polygamy",
    "sultan",
];
/// Words outside the vocabulary for the end of a marriage.
const DIVORCE: &[&str] = &["离婚", "和离", "休妻", "休了", "离异", "divorces", "divorced", "divorce", "separated"];

/// Returns a draft for each person who is married to two people of whom neither is dead or divorced.
///
/// A man with two wives in a Chinese book is only asked about, and not where the book speaks of concubines.
pub(super) fn two_spouses(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut by_one: BTreeMap<Entity, Vec<(Entity, &TruthStatement<'_>)>> = BTreeMap::new();
    let all = truth.term("married_to").into_iter().flat_map(|term| truth.with_term(term));
    for one in all.filter(|one| is_fact(one) && one.is_narrated()) {
        if let Some(object) = one.object.filter(|object| *object != one.subject) {
            by_one.entry(one.subject).or_default().push((object, one));
            by_one.entry(object).or_default().push((one.subject, one));
        }
    }
    by_one.into_iter().filter_map(|(who, said)| second_marriage(material, who, &said)).collect()
}

/// Returns the draft for two living spouses of `who`; `said` lists the statements with the spouse of each.
fn second_marriage<'s>(
    material: &RuleMaterial<'s>,
    who: Entity,
    said: &[(Entity, &TruthStatement<'s>)],
) -> Option<FindingDraft> {
    let truth = material.truth();
    let is_end =
        |one: &TruthStatement<'_>| one.is_denied() || one.span.until.is_some() || is_of_others(&quote_of(truth, one));
    let is_over =
        |spouse: Entity| is_dead(truth, spouse) || said.iter().any(|(other, one)| *other == spouse && is_end(one));
    let of_now = said.iter().filter(|(spouse, one)| has_any(&quote_of(truth, one), MARRIED) && !is_over(*spouse));
    let mut told: Vec<&TruthStatement<'s>> = of_now.map(|(_, one)| *one).collect();
    in_telling_order(truth, &mut told);
    let spouse = |one: &TruthStatement<'_>| spouse_of(who, one);
    let first = *told.first()?;
    let second = told.iter().copied().find(|one| spouse(one) != spouse(first))?;
    if is_divorced(truth, who) {
        return None;
    }
    let is_chinese = |one: &TruthStatement<'_>| quote_of(truth, one).chars().any(is_han);
    let is_one_husband = |one: &TruthStatement<'_>| !is_chinese(one) || is_wife(material, who, one) == Some(true);
    let found = draft(truth, first, second);
    if is_one_husband(first) && is_one_husband(second) {
        return Some(found);
    }
    let spouses: BTreeSet<Option<Entity>> = told.iter().map(|one| spouse(one)).collect();
    let is_custom = spouses.len() > 2
        || told.iter().any(|one| has_any(&quote_of(truth, one), SEVERAL))
        || material.story.world_rules().iter().any(|rule| has_any(&rule.statement, SEVERAL));
    (!is_custom).then(|| found.with_severity(Severity::Low))
}

/// Returns the other person of a marriage of `who`.
fn spouse_of(who: Entity, one: &TruthStatement<'_>) -> Option<Entity> {
    if one.subject == who { one.object } else { Some(one.subject) }
}

/// Returns whether the marriage makes `who` a wife: by the gender on the cards, or by the words of the sentence. `None` if
/// neither says so.
fn is_wife(material: &RuleMaterial<'_>, who: Entity, one: &TruthStatement<'_>) -> Option<bool> {
    let truth = material.truth();
    let is_male = |one: Entity| {
        let is_person = one.kind == Some(PieceKind::Character);
        is_person.then(|| material.story.characters[one.index].is_male()).flatten()
    };
    let spouse = spouse_of(who, one);
    if let Some(is_male) = is_male(who).or_else(|| spouse.and_then(is_male).map(|is_male| !is_male)) {
        return Some(!is_male);
    }
    let quote = quote_of(truth, one);
    let has_husband = |who: Entity| {
        let name = truth.registry.name(who).to_lowercase();
        ["的丈夫", "的男人", "丈夫"].iter().any(|word| quote.contains(&format!("{name}{word}")))
    };
    match (quote.contains('嫁'), quote.contains('娶')) {
        (true, false) => Some(one.subject == who),
        (false, true) => Some(one.subject != who),
        _ if has_husband(who) => Some(true),
        _ if spouse.is_some_and(has_husband) => Some(false),
        _ => None,
    }
}

fn is_dead(truth: &GroundTruth<'_>, who: Entity) -> bool {
    let mut killed = truth.of_role(who, PredicateRole::Killing).filter(|one| one.object == Some(who));
    truth.of_role_by(who, PredicateRole::Death).any(|one| !one.is_denied()) || killed.any(|one| !one.is_denied())
}

/// Returns whether a word of the story's own says that a marriage of the person has ended.
fn is_divorced(truth: &GroundTruth<'_>, who: Entity) -> bool {
    let is_of_one = |one: &&TruthStatement<'_>| one.subject == who || one.object == Some(who);
    let is_own = |one: &&TruthStatement<'_>| truth.predicate(one.predicate).is_none();
    let mut own = truth.statements.iter().filter(is_own).filter(is_of_one);
    own.any(|one| is_divorce(truth.word(one.predicate)))
}

/// Returns whether a predicate outside the vocabulary says that a marriage ends.
pub(crate) fn is_divorce(word: &str) -> bool {
    has_any(&word.replace('_', " "), DIVORCE)
}
