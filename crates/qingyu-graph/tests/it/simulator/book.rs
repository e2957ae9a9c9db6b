//! What the world knows of the threads, beside what the store knows.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use super::referee::Referee;
use crate::random::{End, Heard};

/// Which threads have ended and how, and what was answered.
#[derive(Debug)]
pub(crate) struct Book(Mutex<Pages>);

#[derive(Debug)]
struct Pages {
    ends: BTreeMap<String, Option<End>>,
    is_disturbed: bool,
    answers: u64,
    accepted: BTreeSet<(String, u64)>,
    heard: BTreeMap<(String, Heard), u64>,
}

impl Book {
    pub(crate) fn new(threads: impl Iterator<Item = String>) -> Self {
        let ends = threads.map(|thread| (thread, None)).collect();
        let (accepted, heard) = Default::default();
        Self(Mutex::new(Pages { ends, is_disturbed: true, answers: 0, accepted, heard }))
    }

    /// The threads that have not come to their end.
    pub(crate) fn open(&self) -> Vec<String> {
        let pages = self.0.lock().unwrap();
        pages.ends.iter().filter(|(_, end)| end.is_none()).map(|(name, _)| name.clone()).collect()
    }

    pub(crate) fn is_disturbed(&self) -> bool {
        self.0.lock().unwrap().is_disturbed
    }

    /// From now on nobody cancels anything.
    pub(crate) fn calm(&self) {
        self.0.lock().unwrap().is_disturbed = false;
    }

    /// A thread has come to its end; it cannot come to another.
    pub(crate) fn end(&self, name: &str, end: &End, referee: &Referee) {
        let mut pages = self.0.lock().unwrap();
        let before = pages.ends.insert(name.to_owned(), Some(end.clone())).flatten();
        if let Some(before) = before.filter(|before| before != end) {
            referee.blame(format!("P6: {name} came to two ends: {before:?} and {end:?}"));
        }
    }

    pub(crate) fn ends(&self) -> BTreeMap<String, Option<End>> {
        self.0.lock().unwrap().ends.clone()
    }

    /// An answer like no other.
    pub(crate) fn new_answer(&self) -> u64 {
        let mut pages = self.0.lock().unwrap();
        pages.answers += 1;
        pages.answers
    }

    /// Somebody was told that these answers count.
    pub(crate) fn accepted(&self, name: &str, answers: impl Iterator<Item = u64>) {
        let mut pages = self.0.lock().unwrap();
        pages.accepted.extend(answers.map(|answer| (name.to_owned(), answer)));
    }

    /// A node got an answer.
    pub(crate) fn heard(&self, name: &str, heard: &Heard, referee: &Referee) {
        let answer = heard.answer;
        let before =
            self.0.lock().unwrap().heard.insert((name.to_owned(), Heard { answer: 0, ..heard.clone() }), answer);
        if before.is_some_and(|before| before != answer) {
            referee.blame(format!("P10: in {name}, {:?} had the answers {before:?} and {answer}", heard.task));
        }
    }

    /// Whether every answer that was accepted has come to its node.
    pub(crate) fn check_answers(&self, referee: &Referee) {
        let pages = self.0.lock().unwrap();
        let heard: BTreeSet<_> = pages.heard.iter().map(|((name, _), answer)| (name.clone(), *answer)).collect();
        if let Some((name, answer)) = pages.accepted.difference(&heard).next() {
            referee.blame(format!("P10: {name} accepted the answer {answer}, and no node had it"));
        }
    }
}
