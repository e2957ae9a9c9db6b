//! Positions of a story's facts by subject and predicate, kept from chapter to chapter while a book is settled.

use rustc_hash::FxHashMap;

use crate::Story;
use crate::edit::{AppliedEdit, EditStep};
use crate::piece::Piece;
use crate::predicate::word;

/// Positions of facts, ascending, by vocabulary word of the predicate.
type PositionsByWord = FxHashMap<String, Vec<usize>>;

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
            of_subject.entry(word.clone()).or_default().push(position);
        }
        self.count = story.facts.len();
    }

    /// Clears the index if a change moved indexed facts, or replaced the subject or predicate of one.
    pub(super) fn note(&mut self, change: &AppliedEdit) {
        let count = self.count;
        let moves = |step: &EditStep| match (&step.before, &step.after) {
            (Some(Piece::Fact(before)), Some(Piece::Fact(after))) => {
                before.subject != after.subject || before.predicate != after.predicate
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
    use crate::Fact;

    fn fact(subject: &str, predicate: &str) -> Fact {
        Fact { subject: subject.into(), predicate: predicate.into(), ..Fact::default() }
    }

    fn told(index: &SubjectFacts) -> Vec<(String, String, Vec<usize>)> {
        let words = |(subject, words): (&str, &PositionsByWord)| {
            words.iter().map(|(word, at)| (subject.to_owned(), word.clone(), at.clone())).collect::<Vec<_>>()
        };
        let mut told: Vec<_> = index.subjects().flat_map(words).collect();
        told.sort();
        told
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
