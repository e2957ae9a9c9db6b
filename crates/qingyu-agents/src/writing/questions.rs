//! Questions to the author: at the end of a run, all together, and about a chapter below the floor.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use qingyu_story::settlement::extraction::{Introduced, ToldFact};
use qingyu_story::settlement::{self, Extraction, digest};
use qingyu_story::telling::Tellings;
use qingyu_story::{InstructionKind, Language, Piece, PieceKind, Story, predicate};
use qingyu_text::Shortfall;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::book::NumberedBook;
use super::gate::GateReason;
use super::review::{ChapterFinding, HeldReason};
use crate::levels::later::LaterProposal;

/// The payload of the interrupt at a chapter below the floor, or at the end of a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AuthorQuestions {
    /// The questions, in the order of the chapters.
    pub questions: Vec<AuthorQuestion>,
}

/// One question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuthorQuestion {
    /// Names it in the answers; stable.
    pub id: String,
    /// The chapter that it came up in.
    pub chapter: u32,
    /// The title of that chapter.
    pub title: String,
    /// What it is about.
    #[serde(flatten)]
    pub about: About,
}

/// What a question is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "about", rename_all = "snake_case")]
pub enum About {
    /// The author changed the chapter while it was written. Accepting puts the draft in its place, rejecting drops it.
    DraftKept {
        /// The document.
        document: String,
        /// The draft.
        text: String,
    },
    /// The chapter is below the floor and no retry has mended it. Accepting keeps it as it is, rejecting ends the run
    /// without it.
    BelowFloor {
        /// The draft.
        text: String,
        /// How it falls short.
        shortfalls: Vec<Shortfall>,
    },
    /// The run has reached a gate. Accepting goes on, rejecting ends the run; the chapters stay in any case.
    Gate {
        /// Which.
        reason: GateReason,
        /// How many chapters are left.
        left: u32,
    },
    /// The written text has made a later plan impossible. Accepting changes the field of the outline node, rejecting
    /// leaves it.
    LaterPlan(LaterProposal),
    /// An issue of the chapter cannot be mended without undoing what the author asked for. Accepting keeps to the
    /// instruction, and the issue is reported no more; rejecting gives the instruction up, so that the next correction
    /// mends the issue. A rejection with words takes their place, and the run corrects the words of the chapter so.
    AgainstInstruction {
        /// The document.
        document: String,
        /// The author's words.
        instruction: String,
        /// The beginning of the passage that they are about; empty for the whole chapter.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        passage: String,
        /// Whether the author asked for it in words, or wrote the passage.
        #[serde(default, skip_serializing_if = "InstructionKind::is_request")]
        kind: InstructionKind,
        /// The id of the finding of a rule; empty for an issue of the reviewer.
        finding: String,
        /// The issue, in a line.
        issue: String,
        /// The words of the chapter that show it.
        quote: String,
        /// Why it is wrong.
        why: String,
        /// What would mend it.
        fix: String,
    },
    /// Settlement could not tell what the chapter means. Accepting says that it is so, or that the name means
    /// [`AuthorAnswers::choices`], the first candidate if none is chosen and there is only one; the name is an alias of
    /// it from then on. Rejecting leaves the story as it is, but for a card, an event or a promise that may be known
    /// under another name: that is a new one then.
    Settlement {
        /// What kind of piece it would be.
        piece: PieceKind,
        /// What the chapter says, in a line.
        label: String,
        /// What the chapter tells about it, such as the summary of an event; empty if nothing.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        says: String,
        /// The words of the chapter.
        quote: String,
        /// From 0 to 1.
        confidence: f32,
        /// What is not clear.
        doubt: Doubt,
        /// Who or what may be meant.
        candidates: Vec<Choice>,
    },
}

/// What is not clear about something that a chapter says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "doubt", rename_all = "snake_case")]
pub enum Doubt {
    /// Whether it is so at all.
    Unsure,
    /// Whether the name is another name of a candidate.
    Same {
        /// The name.
        name: String,
    },
    /// Which candidate is meant.
    Which {
        /// The name.
        name: String,
    },
    /// Which promise is meant; the choice is the id or name of one.
    WhichPromise {
        /// The name.
        name: String,
    },
}

/// A piece that may be meant.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Choice {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What is known about it, such as the summary of an event; empty if nothing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub says: String,
    /// The number of the chapter that tells or plans it, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chapter: Option<u32>,
    /// Whether it is an event that is only planned: no text tells it yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub planned: bool,
}

/// The author's answers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AuthorAnswers {
    /// Decisions, by id of the question; the default is [`Decision::Later`].
    pub answers: BTreeMap<String, Decision>,
    /// Ids of the chosen candidates, by id of the question, where several exist.
    pub choices: BTreeMap<String, String>,
    /// What the author wants instead, in the author's words, by id of the question that is rejected.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub words: BTreeMap<String, String>,
}

impl AuthorQuestions {
    /// Returns one decision for all questions. The author's own plans are changed by a decision about each of them, not
    /// by one word for everything: an acceptance leaves them open.
    pub fn all(&self, decision: Decision) -> AuthorAnswers {
        let of = |about: &About| match about {
            About::LaterPlan(proposal) if proposal.own.is_some() && decision == Decision::Accept => Decision::Later,
            _ => decision,
        };
        let answers = self.questions.iter().map(|question| (question.id.clone(), of(&question.about))).collect();
        AuthorAnswers { answers, ..AuthorAnswers::default() }
    }

    /// Returns a rejection of all questions. The author's words, if any, say what the places of issues are to become that were
    /// not mended because of an instruction; other questions are only rejected.
    pub fn rejected(&self, words: &str) -> AuthorAnswers {
        let is_of_place =
            |about: &About| matches!(about, About::AgainstInstruction { quote, .. } if !quote.trim().is_empty());
        let places = self.questions.iter().filter(|question| is_of_place(&question.about));
        let words = words.trim();
        let places = places.filter(|_| !words.is_empty());
        let words = places.map(|question| (question.id.clone(), words.to_owned())).collect();
        AuthorAnswers { words, ..self.all(Decision::Reject) }
    }
}

impl AuthorAnswers {
    /// Returns the decision on the question with the id.
    pub(super) fn decision(&self, question: &str) -> Decision {
        self.answers.get(question).copied().unwrap_or_default()
    }
}

/// What the author says to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// It is so.
    Accept,
    /// It is not so.
    Reject,
    /// Ask again another time.
    #[default]
    Later,
}

/// Returns the questions of the settlement of a chapter in `story`, without duplicates. `extraction` is the settled reading.
pub(super) fn of_settlement(
    questions: &[settlement::Question],
    (story, extraction): (&Story, &Extraction),
    (chapter, title): (u32, &str),
) -> Vec<AuthorQuestion> {
    if questions.is_empty() {
        return Vec::new();
    }
    let book = NumberedBook::of(story);
    let tellings = Tellings::of(story);
    let choices = |of: &[settlement::Candidate]| of.iter().map(|one| choice(one, &book, &tellings)).collect::<Vec<_>>();
    let question = |question: &settlement::Question| {
        let settlement::Told { kind, label, quote, confidence } = question.told.clone();
        let (doubt, candidates) = match &question.doubt {
            settlement::Doubt::Unsure => (Doubt::Unsure, Vec::new()),
            settlement::Doubt::Same { name, of } => (Doubt::Same { name: name.clone() }, choices(of)),
            settlement::Doubt::Which { name, of } => (Doubt::Which { name: name.clone() }, choices(of)),
            settlement::Doubt::WhichPromise { name } => (Doubt::WhichPromise { name: name.clone() }, Vec::new()),
        };
        let known = digest(&format!("{kind} {label} {quote} {doubt:?}"));
        let id = format!("q-{chapter}-{}", &known[..8]);
        let says = told_about(extraction, kind, &label);
        let about = About::Settlement { piece: kind, label, says, quote, confidence, doubt, candidates };
        AuthorQuestion { id, chapter, title: title.to_owned(), about }
    };
    let mut all: Vec<AuthorQuestion> = questions.iter().map(question).collect();
    let mut seen = BTreeSet::new();
    all.retain(|question| seen.insert(question.id.clone()));
    all
}

/// Returns a candidate with what the story tells about it, and where.
fn choice(one: &settlement::Candidate, book: &NumberedBook<'_>, tellings: &Tellings<'_>) -> Choice {
    let piece = book.names().find(one.kind, if one.id.is_empty() { &one.name } else { &one.id }).into_iter().next();
    let piece = piece.and_then(|named| book.story.piece(named.kind, named.position));
    let planned = matches!(&piece, Some(Piece::Event(event)) if !tellings.is_told(event));
    let (says, teller) = told_of(piece);
    let number = |teller: String| {
        let node = || book.position(&teller).and_then(|node| book.number_at(node));
        book.number_of(&teller).or_else(node)
    };
    Choice {
        // A card that the chapter itself introduces is chosen by its name.
        id: if one.id.is_empty() { one.name.clone() } else { one.id.clone() },
        name: one.name.clone(),
        says: says.trim().to_owned(),
        chapter: teller.and_then(number),
        planned,
    }
}

/// Returns what is known about a piece, such as the summary of an event, and the chapter that tells or plans it.
pub(super) fn told_of(piece: Option<Piece>) -> (String, Option<String>) {
    match piece {
        Some(Piece::Event(event)) => (event.description, event.outline_node),
        Some(Piece::Promise(promise)) => (promise.description, promise.planted.into_iter().next()),
        Some(Piece::Character(card)) if !card.background.trim().is_empty() => (card.background, None),
        Some(Piece::Character(card)) => (card.occupation, None),
        Some(Piece::Location(place)) => (place.description, None),
        Some(Piece::Item(item)) => (item.description, None),
        Some(Piece::Organisation(organisation)) => (organisation.description, None),
        _ => (String::new(), None),
    }
}

/// Returns what an extraction tells about the piece `name`; empty if nothing.
fn told_about(extraction: &Extraction, kind: PieceKind, name: &str) -> String {
    let is_it = |other: &str| other.trim() == name.trim();
    let says = match kind {
        PieceKind::Event => extraction.events.iter().find(|one| is_it(&one.title)).map(|one| &one.description),
        PieceKind::Promise => extraction.promises.iter().find(|one| is_it(&one.name)).map(|one| &one.description),
        _ => extraction.entities.iter().find(|one| is_it(&one.name)).map(|one| &one.description),
    };
    says.map(|says| says.trim().to_owned()).unwrap_or_default()
}

/// Returns the questions about the issues that are left to the author, because mending them would undo an instruction.
pub(super) fn of_held(
    findings: &[ChapterFinding],
    (chapter, title): (u32, &str),
    document: &str,
) -> Vec<AuthorQuestion> {
    let question = |finding: &ChapterFinding| {
        let Some(HeldReason::Instruction { instruction, passage, kind }) = &finding.held else { return None };
        let about = About::AgainstInstruction {
            document: document.to_owned(),
            instruction: instruction.clone(),
            passage: passage.clone(),
            kind: *kind,
            finding: if finding.is_of_reviewer() { String::new() } else { finding.id.clone() },
            issue: finding.title.clone(),
            quote: finding.quote.clone(),
            why: finding.why.clone(),
            fix: finding.fix.clone(),
        };
        Some(AuthorQuestion { id: format!("q-{chapter}-{}", finding.id), chapter, title: title.to_owned(), about })
    };
    let mut all: Vec<AuthorQuestion> = Vec::new();
    for new in findings.iter().filter_map(question) {
        match all.iter_mut().find(|known| is_of_one_sentence(&known.about, &new.about)) {
            Some(known) => add_issue(&mut known.about, &new.about),
            None => all.push(new),
        }
    }
    all
}

/// Returns whether two questions are about the same sentence that the author wrote by hand, for issues of the reviewer: one
/// answer decides both.
fn is_of_one_sentence(one: &About, other: &About) -> bool {
    let side = |about: &About| match about {
        About::AgainstInstruction { passage, kind, finding, quote, .. } if !kind.is_request() && finding.is_empty() => {
            Some((passage.clone(), quote.clone()))
        }
        _ => None,
    };
    let known = side(one);
    known.is_some() && known == side(other)
}

/// Adds the issue of another question about the same sentence.
fn add_issue(known: &mut About, other: &About) {
    let About::AgainstInstruction { issue, why, .. } = known else { return };
    let About::AgainstInstruction { issue: other_issue, why: reason, .. } = other else { return };
    for (text, added, between) in [(issue, other_issue, " / "), (why, reason, "\n")] {
        if !text.contains(added.as_str()) {
            text.push_str(between);
            text.push_str(added);
        }
    }
}

/// Returns whether the author's decision changes the story: an accepted statement does, and the rejection of another
/// name for a card, event or promise. The rejected name of a fact's subject has no card.
pub(super) fn is_effective(about: &About, decision: Decision) -> bool {
    let is_other_name = |about: &About| {
        let About::Settlement { piece, doubt: Doubt::Same { .. }, .. } = about else { return false };
        *piece != PieceKind::Fact
    };
    match decision {
        Decision::Accept => true,
        Decision::Reject => is_other_name(about) || matches!(about, About::AgainstInstruction { .. }),
        Decision::Later => false,
    }
}

/// Applies the author's effective answer to the extraction; returns whether it changed.
pub(super) fn answered(extraction: &mut Extraction, about: &About, decision: Decision, choice: Option<&str>) -> bool {
    let About::Settlement { piece, label, quote, doubt, candidates, .. } = about else { return false };
    if decision == Decision::Reject {
        if !is_effective(about, decision) {
            return false;
        }
        if let Doubt::Same { name } = doubt {
            separate(extraction, *piece, name);
        }
        return certain(extraction, *piece, label, quote);
    }
    let chosen = choice.or(match candidates.as_slice() {
        [one] => Some(one.id.as_str()),
        _ => None,
    });
    match (doubt, chosen) {
        (Doubt::Unsure, _) => certain(extraction, *piece, label, quote),
        (Doubt::Same { name } | Doubt::Which { name } | Doubt::WhichPromise { name }, Some(chosen)) => {
            certain(extraction, *piece, label, quote);
            match (piece, doubt) {
                (PieceKind::Event, _) => plan(extraction, name, chosen),
                (PieceKind::Promise, Doubt::Same { .. }) => {
                    let promises = extraction.promises.iter_mut();
                    let named = promises.filter(|promise| promise.name.trim() == name.trim());
                    named.for_each(|promise| promise.same = Some(chosen.to_owned()));
                }
                (_, Doubt::Same { .. }) => call(extraction, name, chosen, quote),
                _ => rename(extraction, name, chosen),
            }
            true
        }
        (_, None) => false,
    }
}

/// Marks statements with these words as certain; returns whether any was found.
fn certain(extraction: &mut Extraction, piece: PieceKind, label: &str, quote: &str) -> bool {
    let is_it = |words: &str, name: &str| words.trim() == quote && label.starts_with(name.trim());
    let mut found = false;
    let mut sure = |confidence: &mut f32| {
        *confidence = 1.0;
        found = true;
    };
    match piece {
        PieceKind::Fact => {
            let facts = extraction.facts.iter_mut().filter(|fact| is_it(&fact.quote, &fact.subject));
            // The label has the predicate in the language of the book.
            let says = |fact: &&mut ToldFact| {
                let word = fact.predicate.trim();
                let shown = [Language::Zh, Language::En].map(|language| predicate::shown(word, language));
                label.contains(word) || shown.iter().any(|word| label.contains(word.as_str()))
            };
            facts.filter(says).for_each(|fact| sure(&mut fact.confidence));
        }
        PieceKind::Event => {
            let events = extraction.events.iter_mut().filter(|event| is_it(&event.quote, &event.title));
            events.for_each(|event| sure(&mut event.confidence));
        }
        PieceKind::Promise => {
            let promises = extraction.promises.iter_mut().filter(|promise| is_it(&promise.quote, &promise.name));
            promises.for_each(|promise| sure(&mut promise.confidence));
        }
        _ => {
            let entities = extraction.entities.iter_mut().filter(|one| is_it(&one.quote, &one.name));
            entities.for_each(|one| sure(&mut one.confidence));
        }
    }
    found
}

/// Marks the events with the title as the known event `known`.
fn plan(extraction: &mut Extraction, title: &str, known: &str) {
    for event in extraction.events.iter_mut().filter(|event| event.title.trim() == title.trim()) {
        event.planned = Some(known.to_owned());
    }
}

/// Marks the name as another name of the known piece `known`, by the words `quote`.
fn call(extraction: &mut Extraction, name: &str, known: &str, quote: &str) {
    let same = Some(known.to_owned());
    match extraction.entities.iter_mut().find(|one| one.name.trim() == name.trim()) {
        Some(one) => (one.same, one.confidence) = (same, 1.0),
        None => extraction.entities.push(Introduced {
            name: name.trim().to_owned(),
            same,
            quote: quote.to_owned(),
            confidence: 1.0,
            ..Introduced::default()
        }),
    }
}

/// Marks the name as no other name of a known piece, even where the reader said that it is one.
fn separate(extraction: &mut Extraction, piece: PieceKind, name: &str) {
    let is_it = |other: &str| other.trim() == name.trim();
    match piece {
        PieceKind::Event => {}
        PieceKind::Promise => {
            let named = extraction.promises.iter_mut().filter(|promise| is_it(&promise.name));
            named.for_each(|promise| promise.same = None);
        }
        _ => {
            let named = extraction.entities.iter_mut().filter(|one| is_it(&one.name));
            named.for_each(|one| one.same = None);
        }
    }
}

/// Replaces a name throughout the extraction.
fn rename(extraction: &mut Extraction, from: &str, to: &str) {
    let change = |name: &mut String| {
        if name.trim() == from.trim() {
            to.clone_into(name);
        }
    };
    extraction.entities.retain(|one| one.name.trim() != from.trim());
    for event in &mut extraction.events {
        event.participants.iter_mut().chain(&mut event.deaths).chain(&mut event.location).for_each(change);
    }
    for fact in &mut extraction.facts {
        change(&mut fact.subject);
        fact.object.iter_mut().chain(&mut fact.by).for_each(change);
        fact.known_by.iter_mut().for_each(|learns| change(&mut learns.who));
    }
    extraction.promises.iter_mut().for_each(|promise| change(&mut promise.name));
}
