//! Positions of a story's facts by subject, predicate and start, kept from chapter to chapter while a book is settled.

use rustc_hash::FxHashMap;

use crate::edit::{AppliedEdit, EditStep};
use crate::piece::Piece;
use crate::predicate::word;
use crate::{Fact, Story};

/// Facts by vocabulary word of the predicate.
type PositionsByWord = FxHashMap<String, FactPositions>;

/// Positions of facts, ascending.
#[derive(Debug, Clone, Default)]
pub(super) struct FactPositions {
    all: Vec<usize>,
    /// By start, without spaces around it: a leading character has a fact of a kind in nearly every chapter.
    by_start: FxHashMap<String, Vec<usize>>,
}

impl FactPositions {
    /// Returns all positions.
    pub(super) fn all(&self) -> &[usize] {
        &self.all
    }

    /// Returns the positions of the facts with a start.
    pub(super) fn starting(&self, from: &str) -> &[usize] {
        self.by_start.get(from).map(Vec::as_slice).unwrap_or_default()
    }
}

/// An index of facts. Settling a book would otherwise look at all earlier facts for each chapter.
#[derive(Debug, Clone, Default)]
pub(super) struct SubjectFacts {
    /// The facts of each subject, by the name written in the facts.
    by_subject: FxHashMap<String, PositionsByWord>,
    /// The number of indexed facts.
    count: usize,
}

impl SubjectFacts {
    /// Indexes the facts appended to `story` since the last call.
    pub(super) fn extend(&mut self, story: &Story) {
        if story.facts.len() < self.count {
            *self = Self::default();
        }
        let mut words: FxHashMap<&str, String> = FxHashMap::default();
        for (position, fact) in story.facts.iter().enumerate().skip(self.count) {
            let word = words.entry(fact.predicate.as_str()).or_insert_with(|| word(&fact.predicate));
            let of_subject = self.by_subject.entry(fact.subject.clone()).or_default();
            let positions = of_subject.entry(word.clone()).or_default();
            positions.all.push(position);
            positions.by_start.entry(fact.from.trim().to_owned()).or_default().push(position);
        }
        self.count = story.facts.len();
    }

    /// Clears the index if a change moved indexed facts, or replaced the subject, predicate or start of one.
    pub(super) fn note(&mut self, change: &AppliedEdit) {
        let count = self.count;
        let moves = |step: &EditStep| match (&step.before, &step.after) {
            (Some(Piece::Fact(before)), Some(Piece::Fact(after))) => {
                let key = |fact: &Fact| (fact.subject.clone(), fact.predicate.clone(), fact.from.clone());
                key(before) != key(after)
            }
            (Some(Piece::Fact(_)), _) => true,
            (None, Some(Piece::Fact(_))) => step.position < count,
            _ => false,
        };
        if change.steps.iter().any(moves) {
            *self = Self::default();
        }
    }

    /// Returns the positions of the facts of the subject, as it is written in the facts.
    pub(super) fn of(&self, subject: &str) -> Option<&PositionsByWord> {
        self.by_subject.get(subject)
    }

    /// Iterates over the subjects with the positions of their facts, unordered.
    pub(super) fn subjects(&self) -> impl Iterator<Item = (&str, &PositionsByWord)> {
        self.by_subject.iter().map(|(subject, positions)| (subject.as_str(), positions))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fact(subject: &str, predicate: &str) -> Fact {
        Fact { subject: subject.into(), predicate: predicate.into(), ..Fact::default() }
    }

    fn told(index: &SubjectFacts) -> Vec<(String, String, Vec<usize>)> {
        let words = |(subject, words): (&str, &PositionsByWord)| {
            words.iter().map(|(word, at)| (subject.to_owned(), word.clone(), at.all.clone())).collect::<Vec<_>>()
        };
        let mut told: Vec<_> = index.subjects().flat_map(words).collect();
        told.sort();
        told
    }

    fn step_of(position: usize, before: &Fact, after: &Fact) -> EditStep {
        let piece = |one: &Fact| Some(Piece::Fact(one.clone()));
        EditStep { position, before: piece(before), after: piece(after) }
    }

    #[test]
    fn appended_facts_are_added_and_moved_facts_forgotten() {
        let mut story = Story { facts: vec![fact("林", "age"), fact("周", "age")], ..Story::default() };
        let mut index = SubjectFacts::default();
        index.extend(&story);
        story.facts.push(fact("林", "age"));
        index.extend(&story);
        let age = word("age");
        assert_eq!(told(&index), [("周".to_owned(), age.clone(), vec![1]), ("林".to_owned(), age.clone(), vec![0, 2])]);
        let step = |position, before, after| EditStep { position, before, after };
        let piece = |one: &Fact| Some(Piece::Fact(one.clone()));
        story.facts.push(Fact { from: " 第二章 ".into(), ..fact("林", "age") });
        index.extend(&story);
        let of_lin = index.of("林").and_then(|words| words.get(&age)).unwrap();
        assert_eq!(
            (of_lin.all(), of_lin.starting("第二章"), of_lin.starting("")),
            (&[0, 2, 3][..], &[3][..], &[0, 2][..])
        );
        let later = Fact { from: "第三章".into(), ..story.facts[3].clone() };
        index.note(&AppliedEdit { steps: vec![step_of(3, &story.facts[3], &later)] });
        assert!(told(&index).is_empty(), "another start");
        story.facts.truncate(3);
        index.extend(&story);
        let appended = AppliedEdit { steps: vec![step(3, None, piece(&fact("周", "age")))] };
        index.note(&appended);
        assert_eq!(told(&index).len(), 2);
        let removed = AppliedEdit { steps: vec![step(0, piece(&story.facts[0]), None)] };
        index.note(&removed);
        story.facts.remove(0);
        index.extend(&story);
        assert_eq!(told(&index), [("周".to_owned(), age.clone(), vec![0]), ("林".to_owned(), age, vec![1])]);
    }
}
