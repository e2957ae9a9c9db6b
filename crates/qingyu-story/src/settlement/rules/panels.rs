//! The numbers and steps in a chapter's panels, as statements about their owners.

use std::collections::BTreeSet;
use std::ops::Range;

use serde_json::Value;

use super::cast::KnownCast;
use super::mention::NamedMention;
use super::told::SURE;
use crate::panel::blocks::panels;
use crate::panel::{Panel, PanelEntry, PanelValue, PanelWords, change_of};
use crate::piece::PieceKind;
use crate::predicate::{self, PredicateRole};
use crate::settlement::extraction::ToldFact;
use crate::truth::{plain, signed};
use crate::{Mode, Prose};

/// The longest stretch of narration before a panel that says whose it is, in characters.
const LONGEST_INTRODUCTION: usize = 160;
/// The most lines put before a line to tell it from an equal line.
const MOST_CONTEXT: usize = 4;

/// A chapter whose panels are read.
pub(super) struct PanelChapter<'c> {
    pub(super) cast: &'c KnownCast<'c>,
    pub(super) text: &'c str,
    pub(super) prose: &'c Prose,
    pub(super) mentions: &'c [NamedMention],
    /// The paragraphs of dreams and memories.
    pub(super) apart: &'c [Range<usize>],
}

/// A number or step of somebody, with its words.
struct PanelStatement {
    who: String,
    key: String,
    value: Value,
    unit: String,
    mode: Mode,
    range: Range<usize>,
}

impl PanelChapter<'_> {
    /// Returns the statements of the panels that begin in a paragraph accepted by `is_meant`.
    ///
    /// Panels of unknown owners, of another time, or of something other than a person are skipped. Of a value that
    /// returns within the chapter, only the last is kept, since the changes between could not be distinguished.
    pub(super) fn read(&self, is_meant: impl Fn(&Range<usize>) -> bool) -> Vec<ToldFact> {
        let all = panels(self.text);
        if all.is_empty() {
            return Vec::new();
        }
        let words = PanelWords::for_text(self.text);
        let mut said: Vec<PanelStatement> = Vec::new();
        for (at, panel) in all.iter().enumerate() {
            let paragraph =
                self.prose.paragraphs.iter().map(|one| &one.range).find(|range| range.end > panel.range.start);
            if !paragraph.is_some_and(&is_meant) {
                continue;
            }
            let Some((who, mode)) = self.owner(words, &all[..at], panel) else { continue };
            said.extend(panel.entries.iter().filter_map(|entry| self.statement(entry, &who, mode)));
        }
        if self.is_by_hand(words, &all) {
            said.retain(|one| change_of(&one.value).is_none());
        }
        without_returns(said).into_iter().map(|one| self.told(one)).collect()
    }

    /// Returns the owner of a panel, and the mode of its statements; `None` if the panel is skipped.
    fn owner(&self, words: &PanelWords, before: &[Panel], panel: &Panel) -> Option<(String, Mode)> {
        let start = panel.range.start;
        if self.prose.is_spoken(start) || self.apart.iter().any(|range| range.contains(&start)) {
            return None;
        }
        let introduction = self.introduction(before, start);
        let told = format!("{} {}", &self.text[introduction.clone()], panel.title);
        if words.is_not_now(&told) {
            return None;
        }
        let mode = if words.is_disguised(&told) { Mode::Disguised } else { Mode::Narrated };
        let character =
            |name: &str| self.cast.names.resolve(PieceKind::Character, name).map(|named| named.name.clone());
        // A name with a note is somebody's double or shade.
        if panel.owner.contains(['（', '(']) {
            return None;
        }
        if !panel.owner.is_empty() {
            return character(&panel.owner).map(|name| (name, mode));
        }
        let title: Vec<&NamedMention> = self.people(panel.range.start..panel.range.end).collect();
        let titled: BTreeSet<&str> = title
            .iter()
            .filter(|one| panel.title.contains(&self.text[one.start..one.end]))
            .map(|one| one.name.as_str())
            .collect();
        match titled.into_iter().collect::<Vec<_>>().as_slice() {
            [] => {}
            [one] => return Some(((*one).to_owned(), mode)),
            _ => return None,
        }
        let named: Vec<&NamedMention> = self.people(introduction.clone()).collect();
        let owners: BTreeSet<&str> = named
            .iter()
            .filter(|one| words.begins_title(&self.text[one.end..introduction.end]))
            .map(|one| one.name.as_str())
            .collect();
        if let [one] = owners.into_iter().collect::<Vec<_>>().as_slice() {
            return Some(((*one).to_owned(), mode));
        }
        if words.is_of_stranger(&told) {
            return None;
        }
        let people: BTreeSet<&str> = named.iter().map(|one| one.name.as_str()).collect();
        let is_lead_alone = people.iter().all(|name| Some(*name) == self.cast.lead);
        self.cast.lead.filter(|_| is_lead_alone).map(|lead| (lead.to_owned(), mode))
    }

    /// Returns the narration before a panel: the words before it in its line, and the paragraph before.
    fn introduction(&self, before: &[Panel], start: usize) -> Range<usize> {
        let floor = before.last().map_or(0, |panel| panel.range.end);
        let mut from = start;
        while from > floor {
            let line =
                self.text[..from].trim_end_matches(['\n', '\r', ' ', '\u{3000}']).rfind('\n').map_or(0, |at| at + 1);
            from = line.max(floor);
            if self.text[from..start].chars().filter(|c| c.is_alphanumeric()).count() > 1 {
                break;
            }
        }
        let words = &self.text[from..start];
        let skipped = words.chars().count().saturating_sub(LONGEST_INTRODUCTION);
        from + words.char_indices().nth(skipped).map_or(0, |(at, _)| at)..start
    }

    fn people(&self, range: Range<usize>) -> impl Iterator<Item = &NamedMention> {
        let is_person = |one: &&NamedMention| one.kind == PieceKind::Character;
        self.mentions.iter().filter(move |one| range.start <= one.start && one.end <= range.end).filter(is_person)
    }

    fn statement(&self, entry: &PanelEntry, who: &str, mode: Mode) -> Option<PanelStatement> {
        let named = self.cast.ladders.iter().find(|ladder| ladder.is_called(&entry.key));
        let (key, value, unit) = match &entry.value {
            PanelValue::Text(text) => {
                // `炼气九层→筑基一层` ends where it points.
                let value: Value = text.rsplit(['→', '⇒', '➔']).next()?.trim().into();
                let is_on = |ladder: &&crate::Ladder| !ladder.steps.is_empty() && ladder.place(&value).is_some();
                let ladder = match (named, entry.key.is_empty()) {
                    (Some(ladder), _) => Some(ladder).filter(|ladder| ladder.place(&value).is_some()),
                    (None, true) => self.cast.ladders.iter().find(is_on),
                    (None, false) => None,
                }?;
                (ladder.name.clone(), value, String::new())
            }
            PanelValue::Amount { now, unit, .. } => {
                let counted = || self.cast.ladders.iter().find(|ladder| ladder.steps.is_empty());
                let ladder = named.or_else(|| entry.key.is_empty().then(counted).flatten());
                // `修为：300` counts experience, and is no step.
                if ladder.is_some_and(|ladder| !ladder.steps.is_empty()) {
                    return None;
                }
                let key = ladder.map_or_else(|| entry.key.clone(), |ladder| ladder.name.clone());
                let unit = if ladder.is_some() || is_point(unit) { String::new() } else { unit.clone() };
                (key, plain(*now), unit)
            }
            PanelValue::Change { by, .. } => {
                let key = named.map_or_else(|| entry.key.clone(), |ladder| ladder.name.clone());
                (key, signed(*by), String::new())
            }
        };
        let known = predicate::find(&key).filter(|_| named.is_none());
        let is_key = key.chars().any(char::is_alphabetic) && !self.cast.names.knows(PieceKind::Character, &key);
        let is_counted = known.is_none_or(|word| word.role == Some(PredicateRole::Age));
        let range = entry.range.clone();
        (is_key && is_counted).then(|| PanelStatement { who: who.to_owned(), key, value, unit, mode, range })
    }

    /// Returns whether the narration mentions points that somebody distributes without a notice.
    fn is_by_hand(&self, words: &PanelWords, panels: &[Panel]) -> bool {
        let mut at = 0;
        let mut outside = String::new();
        for panel in panels {
            outside.push_str(&self.text[at..panel.range.start.max(at)]);
            at = panel.range.end.max(at);
        }
        outside.push_str(&self.text[at..]);
        words.is_by_hand(&outside)
    }

    /// Returns the statement with its quote: the line, and lines before it until it is found once only.
    fn told(&self, one: PanelStatement) -> ToldFact {
        let mut from = one.range.start;
        for _ in 0..MOST_CONTEXT {
            let quote = self.text[from..one.range.end].trim();
            if self.text.matches(quote).nth(1).is_none() {
                break;
            }
            let before = self.text[..from].trim_end();
            from = before.rfind('\n').map_or(0, |at| at + 1);
        }
        ToldFact {
            subject: one.who,
            predicate: one.key,
            value: one.value,
            unit: one.unit,
            mode: one.mode,
            quote: self.text[from..one.range.end].trim().to_owned(),
            confidence: SURE,
            ..ToldFact::default()
        }
    }
}

/// Removes repetitions: equal values in a row, and all but the last amount of a value that returns.
fn without_returns(said: Vec<PanelStatement>) -> Vec<PanelStatement> {
    let mut groups: Vec<Vec<PanelStatement>> = Vec::new();
    for one in said {
        let of_one = |group: &&mut Vec<PanelStatement>| {
            group.first().is_some_and(|first| (&first.who, &first.key, first.mode) == (&one.who, &one.key, one.mode))
        };
        match groups.iter_mut().find(of_one) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    let mut kept = Vec::new();
    for mut group in groups {
        let is_amount = |one: &PanelStatement| change_of(&one.value).is_none();
        group.dedup_by(|later, earlier| is_amount(later) && later.value == earlier.value);
        // Two equal gains are no return: they add up.
        if returns(&group) {
            group = summed(group);
        }
        match returns(&group) {
            false => kept.extend(group),
            true => kept.extend(group.into_iter().rev().find(is_amount)),
        }
    }
    kept.sort_by_key(|one| one.range.start);
    kept
}

/// Returns whether a value occurs twice in the group.
fn returns(group: &[PanelStatement]) -> bool {
    (1..group.len()).any(|at| group[..at].iter().any(|one| one.value == group[at].value))
}

/// Adds up changes that follow each other without an amount between them; the sum has the line of the last.
fn summed(group: Vec<PanelStatement>) -> Vec<PanelStatement> {
    let mut merged: Vec<PanelStatement> = Vec::with_capacity(group.len());
    for one in group {
        let sum = |last: &PanelStatement| Some(change_of(&last.value)? + change_of(&one.value)?);
        match merged.last_mut().and_then(|last| Some((sum(last)?, last))) {
            Some((sum, last)) => *last = PanelStatement { value: signed(sum), ..one },
            None => merged.push(one),
        }
    }
    merged
}

fn is_point(unit: &str) -> bool {
    ["点", "點", "pt", "pts", "point", "points"].contains(&unit)
}
