//! Clauses without a subject: the topic of the sentence is read before them, and adverbs behind a subject are left out.

use std::collections::BTreeMap;
use std::ops::Range;

use regex::Regex;
use serde::Deserialize;

use super::line::{CLAUSE_MARKS, LineEdit, MaskedSentence, is_person};
use super::slots::compile;

/// The words by which a topic is carried on.
#[derive(Debug)]
pub(super) struct Topics {
    subject: Regex,
    openers: Regex,
    others: Regex,
    strangers: Regex,
    bare_kin: Regex,
    observes: Regex,
    adverbs: Regex,
}

/// Words behind a subject by which a clause says who that is.
const IDENTITY: [&str; 5] = ["是", "就是", "正是", "乃", "系"];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TopicSource {
    /// The beginning of a clause up to its subject, the group `who`, perhaps with whose kin that is, the group `kin`.
    subject: String,
    /// The beginning of a clause that says something of the topic.
    openers: String,
    /// Words for people without a name and for animals: what follows may be about them.
    others: String,
    /// Further words for people, and pronouns: a pronoun in the next sentence may mean one of them.
    strangers: String,
    /// The beginning of a clause that names a relative, without whose relative that is.
    bare_kin: String,
    /// Words for what somebody sees or learns: what follows may be about that.
    observes: String,
    /// Adverbs behind a subject that change nothing.
    adverbs: Vec<String>,
}

impl Topics {
    pub(super) fn new(source: &TopicSource, slots: &BTreeMap<String, String>) -> Self {
        let parse = |pattern: &str| compile(pattern, slots);
        Self {
            subject: parse(&format!("^{}", source.subject)),
            openers: parse(&format!("^(?:{})", source.openers)),
            others: parse(&source.others),
            strangers: parse(&source.strangers),
            bare_kin: parse(&format!("^{}", source.bare_kin)),
            observes: parse(&source.observes),
            adverbs: parse(&format!("^(?:{})+", source.adverbs.join("|"))),
        }
    }

    /// Returns whether a sentence speaks of people without a name, or of animals.
    pub(super) fn has_others(&self, text: &str) -> bool {
        self.others.is_match(text)
    }

    /// Returns whether a sentence has further words for people whom a later pronoun may mean.
    pub(super) fn names_strangers(&self, text: &str) -> bool {
        self.strangers.is_match(text)
    }

    /// Returns the sentence with its topic before each clause without a subject, and without adverbs behind the subjects;
    /// `None` if nothing changes.
    pub(super) fn carried<'m>(&self, line: &MaskedSentence<'m>) -> Option<MaskedSentence<'m>> {
        let mut edits: Vec<LineEdit> = Vec::new();
        let cut = |range: Range<usize>| (range, String::new());
        let mut topic: Option<char> = None;
        // The last subject before which no relative stands: whose relatives later clauses name.
        let mut owner: Option<char> = None;
        for clause in clauses(&line.text) {
            let words = &line.text[clause.clone()];
            let mut is_identity = false;
            let adverbs = |at: usize| self.adverbs.find(&line.text[at..clause.end]).map(|found| at..at + found.end());
            let subject = self.subject.captures(words);
            match subject.as_ref().and_then(|captures| captures.name("who")) {
                Some(who) => {
                    let from = clause.start + who.end();
                    topic = who.as_str().chars().next();
                    let is_relative = self.bare_kin.is_match(words);
                    if let Some(owner) = owner.filter(|owner| is_relative && topic != Some(*owner)) {
                        let pronoun =
                            ["自己的", "他的", "她的", "他", "她"].iter().find(|word| words.starts_with(**word));
                        let end = clause.start + pronoun.map_or(0, |word| word.len());
                        edits.push((clause.start..end, owner.to_string()));
                    }
                    owner = if is_relative { owner } else { topic };
                    let is_kin = subject.as_ref().is_some_and(|captures| captures.name("kin").is_some());
                    is_identity = is_kin || IDENTITY.iter().any(|word| line.text[from..clause.end].starts_with(word));
                    edits.extend(adverbs(from).map(cut));
                }
                None => {
                    let skipped = adverbs(clause.start);
                    let from = skipped.as_ref().map_or(clause.start, |skipped| skipped.end);
                    let is_carried = self.openers.is_match(&line.text[from..clause.end]);
                    topic = topic.filter(|topic| is_carried || !names_other(words, *topic));
                    if let Some(topic) = topic.filter(|_| is_carried) {
                        edits.push((from..from, topic.to_string()));
                        edits.extend(skipped.map(cut));
                    }
                }
            }
            let is_left = |topic: char| names_other(words, topic) || self.has_others(words);
            topic = topic.filter(|topic| (is_identity || !is_left(*topic)) && !self.observes.is_match(words));
        }
        (!edits.is_empty()).then(|| line.edited(&edits))
    }
}

/// Returns whether a clause names another person: `人都叫他林深` is still about the same one.
fn names_other(clause: &str, person: char) -> bool {
    clause.chars().any(|c| is_person(c) && c != person)
}

/// Returns the clauses of a sentence with their closing marks.
fn clauses(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let parts = text.split_inclusive(CLAUSE_MARKS);
    let ranges = parts.map(|part| {
        let range = start..start + part.len();
        start = range.end;
        range
    });
    ranges.collect()
}

#[cfg(test)]
mod tests {
    use super::super::forms::Forms;
    use super::super::forms::tests::names;
    use super::super::line::MaskedSentence;
    use super::super::{mentions, stretches};
    use crate::{Language, Prose};

    /// The sentence as it is read, with its names.
    fn carried(text: &str) -> Option<String> {
        let names = names();
        let (prose, mentions) = (Prose::of(text), mentions(&names, text));
        let (sentences, _) = stretches::stretches(text, &prose, &mentions, |_| true);
        let topics = Forms::of(Language::Zh).topics.as_ref().expect("Chinese has topics");
        let line: MaskedSentence<'_> = topics.carried(&sentences[0].line)?;
        Some(line.words(0..line.text.len()))
    }

    #[test]
    fn the_topic_is_carried_over_commas() {
        for (text, expected) in [
            ("林深在家里排行老三，后来娶了苏敏。", "林深在家里排行老三，林深娶了苏敏。"),
            ("新任守备顾长风，川北人氏，这一年四十有二。", "新任守备顾长风，川北人氏，顾长风这一年四十有二。"),
            ("林深的妹妹苏敏，今年十九岁。", "林深的妹妹苏敏，苏敏今年十九岁。"),
            ("林深是苏敏的哥哥，今年二十六岁。", "林深是苏敏的哥哥，林深今年二十六岁。"),
            ("苏敏走到窗前，左脸上有一道疤。", "苏敏走到窗前，苏敏左脸上有一道疤。"),
            ("沈墨出身将门，父亲周建国镇守边关。", "沈墨出身将门，沈墨父亲周建国镇守边关。"),
            ("周建国虽然已经五十岁，腰却不弯。", "周建国五十岁，腰却不弯。"),
        ] {
            assert_eq!(carried(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_clause_that_may_be_about_somebody_else_keeps_its_words() {
        for text in [
            "林深有个妹妹，今年六岁。",
            "林深比苏敏小，今年六岁。",
            "林深养了一条狗，今年三岁。",
            "林深的父亲排行老三，娶了苏敏。",
            "林深看见黑影倒下，死在地上。",
            "风吹倒了林深，住在城西的人都来了。",
        ] {
            assert_eq!(carried(text), None, "{text}");
        }
    }
}
