//! The end of an earlier book, read from its story, and its people in the book under check.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::RuleMaterial;
use super::claims::in_telling_order;
use super::kinship::{is_unbounded, shown};
use super::mortality::{SettledDeath, deaths, is_back, time_words};
use super::telling::the_dead_may_return;
use crate::earlier::{EarlierBook, EarlierDeath, EarlierKind, EarlierNote, EarlierPerson, EarlierTie};
use crate::holdings::{Holdings, order_of_text};
use crate::names::Names;
use crate::piece::PieceKind;
use crate::predicate::{self, PredicateRole};
use crate::settlement::as_told;
use crate::truth::{Entity, GroundTruth, StatementBasis, TruthStatement};
use crate::{Character, Fact, Mode, Story, time};

#[cfg(test)]
mod tests;

/// Words of permanent kinship.
const KINSHIP: [&str; 3] = ["parent_of", "sibling_of", "married_to"];

/// Maximum numbers of entries, and of characters in a text.
mod limit {
    pub(super) const PEOPLE: usize = 300;
    pub(super) const TIES: usize = 600;
    pub(super) const NOTES: usize = 80;
    pub(super) const STATE: usize = 4;
    pub(super) const TEXT: usize = 160;
}

/// A statement of kinship between two characters, by their positions.
#[derive(Debug, Clone, Copy)]
pub(super) struct KinStatement<'t, 's> {
    /// One of the words of permanent kinship.
    pub(super) word: &'static str,
    /// Of a parent and a child, the parent.
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) statement: &'t TruthStatement<'s>,
}

/// Returns the end of a book, for the books after it, without an id. Lists and texts are cut to a constant size.
pub fn earlier_book(title: &str, kind: EarlierKind, gap: &str, story: &Story) -> EarlierBook {
    // Until the author decides, what a text tells of a planned event counts, and not the plan.
    let as_told = as_told(story);
    let story = &*as_told;
    let material = RuleMaterial::with(story, Vec::new());
    let told = deaths(&material);
    let names = Names::of(story);
    let ended = Holdings::of(story, &names, |at| order_of_text(story, &names, at)).ended;
    let cast = story.characters.iter().enumerate().filter(|(_, card)| !card.name.trim().is_empty());
    let person = |(position, card): (usize, &Character)| EarlierPerson {
        name: card.name.trim().to_owned(),
        alias: card.alias.iter().map(|alias| alias.trim().to_owned()).collect(),
        occupation: cut(&card.occupation),
        birth: card.birth.as_deref().unwrap_or_default().trim().to_owned(),
        death: death(&material, &told, position),
        is_back: is_back(&material, position, 0),
        state: state(&material, &ended, position),
    };
    EarlierBook {
        id: String::new(),
        title: title.trim().to_owned(),
        kind,
        gap: gap.trim().to_owned(),
        has_return: the_dead_may_return(&material),
        people: cast.take(limit::PEOPLE).map(person).collect(),
        ties: ties(&material),
        rules: notes(story.world_rules().iter().map(|rule| {
            let limit = rule.limit.trim();
            let text =
                if limit.is_empty() { rule.statement.clone() } else { format!("{} {limit}", rule.statement.trim()) };
            (rule.name.as_str(), text)
        })),
        settings: {
            let places = story.locations().iter().map(|one| (one.name.as_str(), one.description.clone()));
            let powers = story.organisations().iter().map(|one| (one.name.as_str(), one.description.clone()));
            let things = story.items().iter().map(|one| (one.name.as_str(), one.description.clone()));
            notes(places.chain(powers).chain(things))
        },
        ladders: notes(story.ladders().iter().map(|ladder| {
            let steps: Vec<&str> = ladder.steps.iter().map(|step| step.name.trim()).collect();
            let text = if steps.is_empty() { ladder.description.clone() } else { steps.join(" < ") };
            (ladder.name.as_str(), text)
        })),
        promises: {
            let open = story.promises.iter().filter(|promise| promise.is_open());
            notes(open.map(|promise| (promise.name.as_str(), promise.description.clone())))
        },
    }
}

fn notes<'s>(entries: impl Iterator<Item = (&'s str, String)>) -> Vec<EarlierNote> {
    let named = entries.filter(|(name, _)| !name.trim().is_empty());
    named
        .take(limit::NOTES)
        .map(|(name, text)| EarlierNote { name: name.trim().to_owned(), text: cut(&text) })
        .collect()
}

/// Returns the first characters of a text.
fn cut(text: &str) -> String {
    text.trim().chars().take(limit::TEXT).collect()
}

/// Returns the death of a character: as the text tells it, otherwise as an event, a fact or the card states it.
fn death(material: &RuleMaterial<'_>, told: &BTreeMap<usize, SettledDeath>, position: usize) -> Option<EarlierDeath> {
    let story = material.story;
    if let Some(death) = told.get(&position) {
        let chapter = story.documents[death.document].title.trim().to_owned();
        return Some(EarlierDeath { quote: cut(&death.quote), chapter, when: death.when.clone() });
    }
    if is_back(material, position, 0) {
        return None;
    }
    let truth = material.truth();
    let who = Entity { kind: Some(PieceKind::Character), index: position };
    let died = truth.of_role_by(who, PredicateRole::Death).filter(|one| !one.is_denied());
    let killed = truth.of_role(who, PredicateRole::Killing);
    let killed = killed.filter(|one| one.is_narrated() && !one.is_denied() && one.object == Some(who));
    let mut all: Vec<&TruthStatement<'_>> = died.chain(killed).collect();
    in_telling_order(truth, &mut all);
    let first = all.first()?;
    let when = match first.basis {
        StatementBasis::Character(..) => story.characters[position].death.as_deref().unwrap_or_default().trim(),
        basis => time_words(material, basis.times(story)[0]),
    };
    let quote = cut(&first.evidence(truth).quote);
    Some(EarlierDeath { quote, chapter: String::new(), when: when.to_owned() })
}

/// Returns the last statements about a character that hold at the end, the last in telling order first, without the
/// death and the facts in `ended`. Of a predicate with one value at a time, the last statement alone holds.
fn state(material: &RuleMaterial<'_>, ended: &FxHashMap<usize, usize>, position: usize) -> Vec<String> {
    let story = material.story;
    let holds = |fact: &Fact| {
        let is_about = material.character_position(&fact.subject) == Some(position);
        let role = predicate::find(&fact.predicate).and_then(|word| word.role);
        let is_death = role == Some(PredicateRole::Death);
        fact.mode == Mode::Narrated && fact.until.trim().is_empty() && is_about && !is_death
    };
    let order = |fact: usize| material.truth().of_fact(fact).order.unwrap_or(u32::MAX);
    let said = story.facts.iter().enumerate().filter(|(at, fact)| !ended.contains_key(at) && holds(fact));
    let mut said: Vec<(u32, usize)> = said.map(|(at, _)| (order(at), at)).collect();
    said.sort_unstable();
    let mut known: BTreeSet<&str> = BTreeSet::new();
    let is_last = |fact: &usize| {
        let single = predicate::find(&story.facts[*fact].predicate).filter(|word| word.single);
        single.is_none_or(|word| known.insert(word.name.as_str()))
    };
    let last = said.into_iter().rev().map(|(_, fact)| fact).filter(is_last).take(limit::STATE);
    last.map(|fact| cut(&story.facts[fact].sentence(story.language))).collect()
}

/// Returns the kinship by all statements, then the other relations that hold at the end.
fn ties(material: &RuleMaterial<'_>) -> Vec<EarlierTie> {
    let (story, truth) = (material.story, material.truth());
    let name = |position: usize| story.characters[position].name.trim().to_owned();
    let kin = kinship(truth).into_iter().map(|kin| EarlierTie {
        from: name(kin.from),
        to: name(kin.to),
        kinship: kin.word.to_owned(),
        line: cut(&kin.statement.evidence(truth).quote),
    });
    let others = story.character_relations.iter().filter(|relation| is_unbounded(relation)).filter_map(|relation| {
        let (from, to) = (material.character_position(&relation.from)?, material.character_position(&relation.to)?);
        let line = cut(&shown(relation, story));
        Some(EarlierTie { from: name(from), to: name(to), kinship: String::new(), line })
    });
    let mut ties: Vec<EarlierTie> = Vec::new();
    for tie in kin.chain(others) {
        // A relation of kinship is also a statement.
        if !ties.iter().any(|known| known.line == tie.line) && ties.len() < limit::TIES {
            ties.push(tie);
        }
    }
    ties
}

/// Returns the narrated statements of permanent kinship between two characters, in telling order.
pub(super) fn kinship<'t, 's>(truth: &'t GroundTruth<'s>) -> Vec<KinStatement<'t, 's>> {
    let character = |entity: Entity| (entity.kind == Some(PieceKind::Character)).then_some(entity.index);
    let mut found = Vec::new();
    for word in KINSHIP {
        let mut said: Vec<&TruthStatement<'s>> =
            truth.term(word).into_iter().flat_map(|term| truth.with_term(term)).collect();
        said.retain(|one| one.is_narrated() && !one.is_denied());
        in_telling_order(truth, &mut said);
        found.extend(said.into_iter().filter_map(|statement| {
            let (from, to) = (character(statement.subject)?, character(statement.object?)?);
            (from != to).then_some(KinStatement { word, from, to, statement })
        }));
    }
    found
}

/// Returns the characters who are dead when the book begins: the book and the death, by position.
pub(super) fn dead<'m>(material: &'m RuleMaterial<'_>) -> BTreeMap<usize, (&'m EarlierBook, &'m EarlierDeath)> {
    let dead = material.earlier().dead(&material.names).into_iter().filter(|(book, _)| !book.has_return);
    dead.filter_map(|(book, person)| Some((person.position(&material.names)?, (book, person.death.as_ref()?))))
        .collect()
}

/// Returns whether the time in `words` is certainly before a death. Days counted from the beginning of two books cannot be
/// compared.
pub(super) fn is_before_death(words: &str, death: &EarlierDeath) -> bool {
    let dated = |words: &str| time::parse(words).moment().filter(time::Moment::is_dated);
    matches!((dated(words), dated(&death.when)), (Some(then), Some(death)) if then.is_before(&death))
}
