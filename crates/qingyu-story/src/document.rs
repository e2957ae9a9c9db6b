//! The prose: chapters and other texts.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::prose::Prose;
use crate::reading::{Dispute, ReadMark, Remark};
use crate::settlement::{Revealed, Settled};

/// A text of the book, in one version.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Document {
    /// Given by the studio, such as `d-3`; may be left empty.
    pub id: String,
    /// The title, such as `第三章 夜雨`; unique in a story.
    pub title: String,
    /// The place in reading order, counted from 1; 0 for a text that is not part of the book.
    pub order: u32,
    /// The name or id of the outline node that it tells.
    pub outline_node: Option<String>,
    /// Grows by one with every change of the text.
    pub version: u32,
    /// The prose; paragraphs are lines.
    pub text: String,
    /// What happens in it, in a few sentences; made when it was settled.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// What was settled from it; none if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settled: Option<Settled>,
    /// The newest reading by a model; of an earlier text if its digest is not that of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read: Option<ReadMark>,
    /// What was found wrong in it and nobody has mended since: by a model that read it, or when an earlier text lost what
    /// it rests on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<Remark>,
    /// The findings about it that an agent holds to be wrong; the author decides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub disputes: Vec<Dispute>,
    /// What the author asked for in it and a run carried out, the newest last; later corrections keep it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub instructions: Vec<AuthorInstruction>,
    /// The sentences that the author wrote into it by hand, the newest last; no run changes them without asking.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by_hand: Vec<String>,
    /// The author's answers to questions about it; they are not asked again until one of their sides changes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<AnsweredQuestion>,
}

/// Something that the author asked for in a text and a run carried out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AuthorInstruction {
    /// The author's words.
    pub text: String,
    /// The beginning of the passage that it was about; empty for the whole text.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub passage: String,
    /// Whether the author asked for it in words, or wrote the passage.
    #[serde(skip_serializing_if = "InstructionKind::is_request")]
    pub kind: InstructionKind,
}

/// How an author instructs a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InstructionKind {
    /// In words.
    #[default]
    Request,
    /// By a sentence written by hand, which is to stay; the passage is the sentence.
    KeptSentence,
}

impl InstructionKind {
    /// Returns whether the author asked in words.
    pub fn is_request(&self) -> bool {
        *self == Self::Request
    }
}

/// A question about a text that the author has answered.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AnsweredQuestion {
    /// A digest of both sides: the sentence of the text, and what it was held against.
    pub about: String,
    /// What the question was about, such as a name or a statement, in the form of names that are compared.
    pub subject: String,
    /// The words of the text; empty for a question about the outline.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub quote: String,
    /// Whether the author said that it is so.
    pub accepted: bool,
    /// The id of the piece that the author chose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<String>,
}

impl AuthorInstruction {
    /// Returns whether another instruction of the kind has the same words and the same passage, apart from spaces around
    /// them.
    pub fn is_same(&self, other: &Self) -> bool {
        self.kind == other.kind && self.text.trim() == other.text.trim() && self.passage.trim() == other.passage.trim()
    }
}

impl Document {
    /// Returns whether the settlement found the event with the id `event` in the text, in words that still stand there.
    pub fn tells(&self, event: &str) -> bool {
        let mut told = self.settled.iter().flat_map(|record| record.events.iter().flatten());
        told.any(|here| here.event == event && self.text.contains(here.quote.trim()))
    }

    /// Returns the ids of the events that the settlement found in the text, each in words that still stand there.
    pub fn told_events(&self) -> impl Iterator<Item = &str> {
        let told = self.settled.iter().flat_map(|record| record.events.iter().flatten());
        told.filter(|here| self.text.contains(here.quote.trim())).map(|here| here.event.as_str())
    }

    /// Returns the secrets that the settlement found given away, each in words that still stand in the text.
    pub fn reveals(&self) -> impl Iterator<Item = &Revealed> {
        let told = self.settled.iter().flat_map(|record| &record.revealed);
        told.filter(|told| self.text.contains(told.quote.trim()))
    }

    /// Returns the paragraph of the byte `at` of the text, from 1; blank lines are no paragraphs. Returns `None` outside of
    /// the text, and within a character.
    pub fn paragraph_at(&self, at: usize) -> Option<usize> {
        // The last part is the beginning of the paragraph itself.
        let whole = self.text.get(..at)?.split('\n').rev().skip(1);
        Some(whole.filter(|line| !line.trim().is_empty()).count() + 1)
    }

    /// Appends an instruction of the author; the same words given again for the same passage move to the end. Only the
    /// newest stay, so that prompts do not grow without bound.
    pub fn instruct(&mut self, instruction: AuthorInstruction) {
        if instruction.text.trim().is_empty() {
            return;
        }
        self.instructions.retain(|known| !known.is_same(&instruction));
        self.instructions.push(instruction);
        keep_newest(&mut self.instructions, INSTRUCTIONS);
    }

    /// Updates the passages of instructions after a change of the text from `before`: a passage that the text no longer has
    /// becomes the sentences now in its place. Does nothing if the number of sentences has changed.
    pub fn move_passages(&mut self, before: &str) {
        let text = &self.text;
        let is_moved = |one: &AuthorInstruction| {
            one.kind.is_request() && !one.passage.trim().is_empty() && !text.contains(one.passage.as_str())
        };
        if !self.instructions.iter().any(is_moved) {
            return;
        }
        let (old, new) = (Prose::of(before).sentences, Prose::of(text).sentences);
        if old.len() != new.len() {
            return;
        }
        for one in self.instructions.iter_mut().filter(|one| is_moved(one)) {
            let Some(at) = before.find(one.passage.as_str()) else { continue };
            let end = at + one.passage.len();
            let pairs = old.iter().zip(&new).filter(|(old, _)| old.range.start < end && at < old.range.end);
            let places: Vec<_> = pairs.map(|(_, new)| new.range.clone()).collect();
            if let (Some(first), Some(last)) = (places.first(), places.last()) {
                one.passage = text[first.start..last.end].trim().to_owned();
            }
        }
    }

    /// Keeps the sentences that a change of the text from `before` by the author's hand brought in. Sentences that the text no
    /// longer has go, and so do the oldest of very many.
    pub fn note_by_hand(&mut self, before: &str) {
        let sentences = |text: &str| {
            let prose = Prose::of(text);
            let sentences = prose.sentences.iter().map(|sentence| text[sentence.range.clone()].trim().to_owned());
            sentences.filter(|sentence| !sentence.is_empty()).collect::<Vec<String>>()
        };
        let known: BTreeSet<String> = sentences(before).into_iter().collect();
        for new in sentences(&self.text) {
            if !known.contains(&new) && !self.by_hand.contains(&new) {
                self.by_hand.push(new);
            }
        }
        let text = &self.text;
        self.by_hand.retain(|sentence| text.contains(sentence.as_str()));
        keep_newest(&mut self.by_hand, BY_HAND);
    }

    /// Keeps an answer of the author, in place of an earlier one to the same question. Answers about words that the text no
    /// longer has go, and so do the oldest of very many.
    pub fn answer(&mut self, answer: AnsweredQuestion) {
        let text = &self.text;
        let is_same = |known: &AnsweredQuestion| known.about == answer.about && known.subject == answer.subject;
        self.answers.retain(|known| !is_same(known) && text.contains(&known.quote));
        self.answers.push(answer);
        keep_newest(&mut self.answers, ANSWERS);
    }

    /// Keeps an agent's objection to a finding, in place of an earlier one. Objections about words that the text no longer
    /// has go, and so do the oldest of very many.
    pub fn dispute(&mut self, dispute: Dispute) {
        let text = &self.text;
        let is_same = |known: &Dispute| known.finding == dispute.finding && known.quote == dispute.quote;
        self.disputes.retain(|known| !is_same(known) && text.contains(known.quote.trim()));
        self.disputes.push(dispute);
        keep_newest(&mut self.disputes, DISPUTES);
    }

    /// Returns an agent's objection to the finding of a rule with the id `finding`, or to a remark of a reviewer, which has
    /// none, about the words `quote`; only as long as the text has the words.
    pub(crate) fn dispute_of(&self, finding: Option<&str>, quote: &str) -> Option<&Dispute> {
        let is_it = |one: &&Dispute| match finding {
            Some(finding) => one.finding == finding,
            None => one.finding.is_empty() && one.quote.trim() == quote.trim(),
        };
        let mut disputes = self.disputes.iter().filter(is_it);
        disputes.find(|one| self.text.contains(one.quote.trim()))
    }
}

/// Removes the oldest entries beyond `most`.
fn keep_newest<T>(entries: &mut Vec<T>, most: usize) {
    let surplus = entries.len().saturating_sub(most);
    entries.drain(..surplus);
}

/// Maximum number of answers kept with a text.
const ANSWERS: usize = 100;
/// Maximum number of sentences written by hand that are kept with a text.
const BY_HAND: usize = 24;
/// Maximum number of disputed findings kept with a text.
const DISPUTES: usize = 40;
/// Maximum number of instructions kept with a text.
const INSTRUCTIONS: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_instructions_stay_and_none_stands_twice() {
        let mut document = Document::default();
        let say = |text: &str| AuthorInstruction { text: text.into(), ..AuthorInstruction::default() };
        for number in 0..10 {
            document.instruct(say(&format!("要求{number}")));
        }
        document.instruct(say("要求5"));
        document.instruct(say("  "));
        let texts: Vec<&str> = document.instructions.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(texts, ["要求2", "要求3", "要求4", "要求6", "要求7", "要求8", "要求9", "要求5"]);
    }

    #[test]
    fn one_answer_is_kept_to_a_question_and_none_about_lost_words() {
        let mut document = Document { text: "雨停了。他走了。".into(), ..Document::default() };
        let answer = |about: &str, quote: &str, accepted| AnsweredQuestion {
            about: about.into(),
            quote: quote.into(),
            accepted,
            ..AnsweredQuestion::default()
        };
        document.answer(answer("a", "雨停了。", true));
        document.answer(answer("b", "他走了。", true));
        document.answer(answer("a", "雨停了。", false));
        document.text = "雨停了。".into();
        document.answer(answer("c", "", true));
        let kept: Vec<(&str, bool)> = document.answers.iter().map(|one| (one.about.as_str(), one.accepted)).collect();
        assert_eq!(kept, [("a", false), ("c", true)]);
    }

    #[test]
    fn sentences_written_by_hand_are_kept_as_long_as_they_stand() {
        let mut document =
            Document { text: "雨停了。他给了四两。门开了。".into(), ..Document::default() };
        document.note_by_hand("雨停了。他给了三两。门开了。");
        assert_eq!(document.by_hand, ["他给了四两。"]);
        let before = std::mem::replace(&mut document.text, "雨停了。他给了五两。门开了。".into());
        document.note_by_hand(&before);
        assert_eq!(document.by_hand, ["他给了五两。"], "the newest words count");
    }

    #[test]
    fn an_instruction_follows_the_sentence_that_it_changed() {
        let of = |passage: &str| AuthorInstruction {
            text: "都是五两".into(),
            passage: passage.into(),
            ..AuthorInstruction::default()
        };
        let before = "雨停了。他给了四两。门开了。";
        for (text, passage) in [
            ("雨停了。他给了五两。门开了。", "他给了五两。"),
            ("雨停了。他给了五两银子，走了。门关了。", "他给了五两银子，走了。"),
            ("雨停了。他给了五两。他走了。门开了。", "他给了四两。"),
        ] {
            let instructions = vec![of("他给了四两。"), of("雨停了。"), of("")];
            let mut document = Document { text: text.into(), instructions, ..Document::default() };
            document.move_passages(before);
            let passages: Vec<&str> = document.instructions.iter().map(|one| one.passage.as_str()).collect();
            assert_eq!(passages, [passage, "雨停了。", ""]);
        }
    }

    #[test]
    fn an_objection_holds_as_long_as_the_text_has_its_words() {
        let mut document = Document { text: "雨停了。他走了。".into(), ..Document::default() };
        let dispute = |finding: &str, quote: &str, reason: &str| Dispute {
            finding: finding.into(),
            quote: quote.into(),
            reason: reason.into(),
        };
        document.dispute(dispute("QY314-1", "他走了。", "一"));
        document.dispute(dispute("QY314-1", "他走了。", "二"));
        document.dispute(dispute("", "雨停了。", "三"));
        let reason = |document: &Document, finding: Option<&str>, quote: &str| {
            document.dispute_of(finding, quote).map(|one| one.reason.clone())
        };
        assert_eq!(reason(&document, Some("QY314-1"), "").as_deref(), Some("二"), "the newest reason counts");
        assert_eq!(reason(&document, Some("QY314-2"), "他走了。"), None, "another finding");
        assert_eq!(reason(&document, None, " 雨停了。 ").as_deref(), Some("三"));
        document.text = "雨停了。".into();
        assert_eq!(reason(&document, Some("QY314-1"), ""), None, "the words are gone");
        document.dispute(dispute("QY314-2", "", "四"));
        assert_eq!(document.disputes.len(), 2);
    }

    #[test]
    fn the_same_words_for_two_passages_are_two_instructions() {
        let mut document = Document::default();
        for passage in ["雨停了。", "他走了。", " 雨停了。 "] {
            document.instruct(AuthorInstruction {
                text: "更短".into(),
                passage: passage.into(),
                ..AuthorInstruction::default()
            });
        }
        let passages: Vec<&str> = document.instructions.iter().map(|one| one.passage.trim()).collect();
        assert_eq!(passages, ["他走了。", "雨停了。"]);
    }
}
