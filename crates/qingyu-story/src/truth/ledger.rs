//! The panels of characters: their numbers and steps as of a time, with the sentences that state them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::answer::time_of;
use super::{Entity, GroundTruth, TruthStatement, UnknownWord};
use crate::ladder::standing::LadderPlace;
use crate::panel::change_of;
use crate::piece::PieceKind;
use crate::predicate::{self, PredicateRole};
use crate::{Evidence, Fact, Ladder, Mode};

/// The numbers and steps of a character.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CharacterPanel {
    /// The name.
    pub who: String,
    /// The rows: places on ladders, attributes, resources, skills.
    pub rows: Vec<PanelRow>,
}

/// A row of a panel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PanelRow {
    /// The kind of the row.
    pub kind: RowKind,
    /// The name of the ladder, attribute, resource or skill.
    pub key: String,
    /// The step, or the number with all changes since it was last stated; `+5` if only changes are known.
    pub value: Value,
    /// The unit of the number.
    pub unit: String,
    /// How it is told; `disguised` for what only looks so.
    pub mode: Mode,
    /// The sentences: the last that states it, then the changes since.
    pub says: Vec<Evidence>,
}

/// The kind of a row of a panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RowKind {
    /// A place on a ladder.
    Ladder,
    /// An attribute, such as strength.
    Attribute,
    /// Something that is gained and spent.
    Resource,
    /// A skill with its level.
    Skill,
}

/// A number stated by a fact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum LedgerNumber {
    /// The whole amount.
    Amount(f64),
    /// A gain, or a loss if negative.
    Change(f64),
}

/// Returns the number that a statement under a word of its own states; `None` if it states none.
pub(crate) fn ledger_number<'s>(truth: &GroundTruth<'s>, statement: &TruthStatement<'s>) -> Option<LedgerNumber> {
    let fact = truth.asserting(statement).filter(|fact| fact.object.is_none())?;
    let change = change_of(&fact.value).map(LedgerNumber::Change);
    change.or_else(|| predicate::number(&fact.value).map(LedgerNumber::Amount))
}

/// The units of the level of a skill.
const OF_SKILLS: [&str; 8] = ["级", "級", "层", "層", "重", "level", "levels", "lv"];

/// The statements of one row, by its owner, its key and its mode.
type RowStatements<'t, 's> = BTreeMap<(Entity, String, bool), Vec<(&'t TruthStatement<'s>, Option<LedgerNumber>)>>;

impl<'s> GroundTruth<'s> {
    /// Returns the panels of the characters with numbers or steps, or of `who` alone; as of `at`, an event, a time, or a
    /// chapter for what has been told by its end.
    ///
    /// Fails if the story knows no such character or time.
    pub fn panels(&self, who: Option<&str>, at: Option<&str>) -> Result<Vec<CharacterPanel>, UnknownWord> {
        let named = |words: &&str| !words.trim().is_empty();
        let who = who.filter(named).map(|name| {
            let found = self.registry_lookup(name);
            if found.is_empty() { Err(UnknownWord::About(name.to_owned())) } else { Ok(found) }
        });
        let who = who.transpose()?;
        let now = at.filter(named).map(|words| {
            let clock = self.clock();
            time_of(&clock, words).map(|now| (clock, now))
        });
        let now = now.transpose()?;
        let mut rows: RowStatements<'_, 's> = BTreeMap::new();
        for statement in &self.statements {
            let is_asked = match &who {
                Some(who) => who.contains(&statement.subject),
                None => statement.subject.kind == Some(PieceKind::Character),
            };
            let is_told = matches!(statement.mode, Mode::Narrated | Mode::Disguised);
            if !is_asked || !is_told || now.as_ref().is_some_and(|(clock, now)| !clock.may_hold(statement, now)) {
                continue;
            }
            if let Some((key, number)) = self.row_of(statement) {
                let row = (statement.subject, key, statement.mode == Mode::Disguised);
                rows.entry(row).or_default().push((statement, number));
            }
        }
        let mut panels: BTreeMap<Entity, Vec<PanelRow>> = BTreeMap::new();
        for ((subject, key, is_disguise), statements) in rows {
            let mode = if is_disguise { Mode::Disguised } else { Mode::Narrated };
            panels.entry(subject).or_default().extend(self.row(key, mode, &statements));
        }
        let panel = |(subject, mut rows): (Entity, Vec<PanelRow>)| {
            rows.sort_by_key(|row| row.kind);
            CharacterPanel { who: self.registry.name(subject).to_owned(), rows }
        };
        Ok(panels.into_iter().filter(|(_, rows)| !rows.is_empty()).map(panel).collect())
    }

    /// Returns the place on the ladder where a statement puts its subject, by its object or its value; `None` if it names no
    /// step.
    pub(crate) fn ladder_place(&self, ladder: &Ladder, statement: &TruthStatement<'s>) -> Option<LadderPlace> {
        ladder.place(&step_value(self.asserting(statement)?))
    }

    /// Returns the key of the row of a statement, with its number unless the row is a ladder with steps.
    fn row_of(&self, statement: &TruthStatement<'s>) -> Option<(String, Option<LedgerNumber>)> {
        let fact = self.asserting(statement)?;
        let word = self.word(statement.predicate);
        if let Some(ladder) = self.story.ladders().iter().find(|ladder| ladder.is_called(word)) {
            let number = ledger_number(self, statement).filter(|_| ladder.steps.is_empty());
            let is_on = self.ladder_place(ladder, statement).is_some();
            return (is_on || number.is_some()).then(|| (ladder.name.trim().to_owned(), number));
        }
        let counted = |sign: f64| {
            let (number, _) = statement.number()?;
            let object = statement.object.map(|object| self.registry.name(object).to_owned());
            let key = object.or_else(|| Some(fact.unit.trim().to_owned()).filter(|unit| !unit.is_empty()));
            let number = if sign == 0.0 { LedgerNumber::Amount(number) } else { LedgerNumber::Change(sign * number) };
            Some((key.unwrap_or_else(|| predicate::shown("amount", self.story.language)), Some(number)))
        };
        match self.predicate(statement.predicate).map(|word| word.role) {
            Some(Some(PredicateRole::Amount)) => counted(0.0),
            Some(Some(PredicateRole::Gain)) => counted(1.0),
            Some(Some(PredicateRole::Spending)) => counted(-1.0),
            Some(_) => None,
            None => ledger_number(self, statement).map(|number| (word.to_owned(), Some(number))),
        }
    }

    fn row(
        &self,
        key: String,
        mode: Mode,
        statements: &[(&TruthStatement<'s>, Option<LedgerNumber>)],
    ) -> Option<PanelRow> {
        let is_change = |number: &Option<LedgerNumber>| matches!(number, Some(LedgerNumber::Change(_)));
        let stated = statements.iter().filter(|(_, number)| !is_change(number)).map(|(one, number)| (*one, *number));
        // Of two statements of unknown order, the one that is told later counts.
        let last = stated.reduce(|last, next| {
            let is_later = self.begins_earlier(last.0, next.0)
                || !self.begins_earlier(next.0, last.0) && self.told(next.0) >= self.told(last.0);
            if is_later { next } else { last }
        });
        let since = |one: &TruthStatement<'s>| last.is_none_or(|(last, _)| self.begins_earlier(last, one));
        let changes = statements.iter().filter_map(|(one, number)| match number {
            Some(LedgerNumber::Change(by)) if since(one) => Some((*one, *by)),
            _ => None,
        });
        let mut changes: Vec<(&TruthStatement<'s>, f64)> = changes.collect();
        changes.sort_by_key(|(one, _)| self.told(one));
        let sum: f64 = changes.iter().map(|(_, by)| by).sum();
        let (value, unit) = match last {
            Some((statement, Some(LedgerNumber::Amount(number)))) => {
                (plain(number + sum), self.asserting(statement).map_or("", |fact| fact.unit.trim()))
            }
            Some((statement, _)) => (step_value(self.asserting(statement)?), ""),
            None if changes.is_empty() => return None,
            None => (signed(sum), ""),
        };
        let kind = match () {
            () if self.story.ladders().iter().any(|ladder| ladder.is_called(&key)) => RowKind::Ladder,
            () if OF_SKILLS.contains(&unit.to_lowercase().as_str()) => RowKind::Skill,
            () if statements.iter().any(|(one, number)| self.is_of_resource(one, *number)) => RowKind::Resource,
            () => RowKind::Attribute,
        };
        let said = last.into_iter().map(|(one, _)| one).chain(changes.into_iter().map(|(one, _)| one));
        let says = said.map(|one| one.evidence(self)).collect();
        Some(PanelRow { kind, unit: unit.to_owned(), key, value, mode, says })
    }

    /// Returns whether a number belongs to something that is spent: it falls, has a unit, or is an amount of a thing.
    fn is_of_resource(&self, statement: &TruthStatement<'s>, number: Option<LedgerNumber>) -> bool {
        let has_unit = self.asserting(statement).is_some_and(|fact| !fact.unit.trim().is_empty());
        let falls = matches!(number, Some(LedgerNumber::Change(by)) if by < 0.0);
        falls || has_unit || self.predicate(statement.predicate).is_some()
    }
}

/// Returns the step that a fact names: its object, or its value.
fn step_value(fact: &Fact) -> Value {
    fact.object.as_ref().map_or_else(|| fact.value.clone(), |object| Value::String(object.clone()))
}

/// Returns a change as JSON text with its sign, such as `+5`.
pub(crate) fn signed(by: f64) -> Value {
    format!("{}{}", if by < 0.0 { "" } else { "+" }, plain(by)).into()
}

/// Returns a number as JSON, without a fraction if it has none.
pub(crate) fn plain(number: f64) -> Value {
    let number = (number * 1e6).round() / 1e6;
    match number.fract() == 0.0 && number.abs() < 1e15 {
        true => (number as i64).into(),
        false => number.into(),
    }
}
