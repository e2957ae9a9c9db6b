//! Questions to the author: at the end of a run, all together, and about a chapter below the floor.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_story::settlement::extraction::{Introduced, ToldFact};
use qingyu_story::settlement::{self, Extraction, digest};
use qingyu_story::{Language, Piece, PieceKind, Story, predicate};
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
    /// mends the issue.
    AgainstInstruction {
        /// The document.
        document: String,
        /// The author's words.
        instruction: String,
        /// The beginning of the passage that they are about; empty for the whole chapter.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        passage: String,
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
}

/// The author's answers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AuthorAnswers {
    /// Decisions, by id of the question; the default is [`Decision::Later`].
    pub answers: BTreeMap<String, Decision>,
    /// Ids of the chosen candidates, by id of the question, where several exist.
    pub choices: BTreeMap<String, String>,
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
    let choices = |of: &[settlement::Candidate]| of.iter().map(|one| choice(one, &book)).collect::<Vec<_>>();
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
fn choice(one: &settlement::Candidate, book: &NumberedBook<'_>) -> Choice {
    let piece = book.names().find(one.kind, if one.id.is_empty() { &one.name } else { &one.id }).into_iter().next();
    let piece = piece.and_then(|named| book.story.piece(named.kind, named.position));
    let (says, teller) = match piece {
        Some(Piece::Event(event)) => (event.description, event.outline_node),
        Some(Piece::Promise(promise)) => (promise.description, promise.planted.into_iter().next()),
        Some(Piece::Character(card)) if !card.background.trim().is_empty() => (card.background, None),
        Some(Piece::Character(card)) => (card.occupation, None),
        Some(Piece::Location(place)) => (place.description, None),
        Some(Piece::Item(item)) => (item.description, None),
        Some(Piece::Organisation(organisation)) => (organisation.description, None),
        _ => (String::new(), None),
    };
    let number = |teller: String| {
        let node = || book.position(&teller).and_then(|node| book.number_at(node));
        book.number_of(&teller).or_else(node)
    };
    Choice {
        id: one.id.clone(),
        name: one.name.clone(),
        says: says.trim().to_owned(),
        chapter: teller.and_then(number),
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
        let Some(HeldReason::Instruction { instruction, passage }) = &finding.held else { return None };
        let about = About::AgainstInstruction {
            document: document.to_owned(),
            instruction: instruction.clone(),
            passage: passage.clone(),
            finding: if finding.is_of_reviewer() { String::new() } else { finding.id.clone() },
            issue: finding.title.clone(),
            quote: finding.quote.clone(),
            why: finding.why.clone(),
            fix: finding.fix.clone(),
        };
        Some(AuthorQuestion { id: format!("q-{chapter}-{}", finding.id), chapter, title: title.to_owned(), about })
    };
    findings.iter().filter_map(question).collect()
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
        return is_effective(about, decision) && certain(extraction, *piece, label, quote);
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

#[cfg(test)]
mod tests {
    use qingyu_story::settlement::extraction::ToldEvent;
    use qingyu_story::{OutlineNode, TimelineEvent};

    use super::*;
    use crate::levels::later::OwnPlan;

    fn question(piece: PieceKind, label: &str, doubt: Doubt, candidates: &[&str]) -> About {
        let candidates = candidates.iter().map(|id| Choice { id: (*id).into(), ..Choice::default() }).collect();
        About::Settlement {
            piece,
            label: label.into(),
            says: String::new(),
            quote: "他把钥匙给了老周。".into(),
            confidence: 0.3,
            doubt,
            candidates,
        }
    }

    fn extraction() -> Extraction {
        let fact = |subject: &str, confidence| ToldFact {
            subject: subject.into(),
            predicate: "持有".into(),
            object: Some("钥匙".into()),
            quote: "他把钥匙给了老周。".into(),
            confidence,
            ..ToldFact::default()
        };
        let event =
            ToldEvent { title: "交出钥匙".into(), participants: vec!["老周".into()], ..ToldEvent::default() };
        Extraction { facts: vec![fact("老周", 0.3), fact("他", 0.2)], events: vec![event], ..Extraction::default() }
    }

    #[test]
    fn one_word_for_everything_leaves_the_plans_of_the_author() {
        let plan = |own: Option<OwnPlan>| AuthorQuestion {
            id: format!("{own:?}"),
            chapter: 1,
            title: "第三幕".into(),
            about: About::LaterPlan(LaterProposal {
                node: "o-1".into(),
                name: "第三幕".into(),
                field: "goal".into(),
                before: "甲".into(),
                after: "乙".into(),
                reason: "老周死了".into(),
                own,
            }),
        };
        let questions =
            AuthorQuestions { questions: [None, Some(OwnPlan::ByHand), Some(OwnPlan::Locked)].map(plan).into() };
        let said = |decision| questions.questions.iter().map(|one| questions.all(decision).answers[&one.id]).collect();
        let (accepted, rejected): (Vec<Decision>, Vec<Decision>) = (said(Decision::Accept), said(Decision::Reject));
        assert_eq!(accepted, [Decision::Accept, Decision::Later, Decision::Later]);
        assert_eq!(rejected, [Decision::Reject; 3]);
    }

    #[test]
    fn what_the_author_says_is_so_is_certain() {
        let mut said = extraction();
        let unsure = question(PieceKind::Fact, "老周 持有 钥匙", Doubt::Unsure, &[]);
        assert!(!is_effective(&unsure, Decision::Reject));
        assert!(answered(&mut said, &unsure, Decision::Accept, None));
        assert_eq!(
            said.facts.iter().map(|fact| fact.confidence).collect::<Vec<_>>(),
            [1.0, 0.2],
            "that and nothing else"
        );
        // The label has the words of the book's language, the extraction those of its reader.
        let mut said = extraction();
        said.facts[0].predicate = "holds".into();
        assert!(answered(&mut said, &unsure, Decision::Accept, None));
        assert_eq!(said.facts[0].confidence, 1.0);
    }

    #[test]
    fn whom_the_author_means_is_meant_everywhere() {
        let which = Doubt::Which { name: "老周".into() };
        let two = question(PieceKind::Fact, "老周 持有 钥匙", which, &["c-1", "c-2"]);
        let mut said = extraction();
        assert!(!answered(&mut said, &two, Decision::Accept, None), "one of two must be chosen");
        assert_eq!(said, extraction());
        assert!(answered(&mut said, &two, Decision::Accept, Some("c-2")));
        assert_eq!((said.facts[0].subject.as_str(), said.events[0].participants[0].as_str()), ("c-2", "c-2"));
    }

    #[test]
    fn another_name_of_a_known_piece_is_kept_with_the_piece_that_the_author_means() {
        // A fact about a name without a card, and a card under another name.
        for (piece, label) in [(PieceKind::Fact, "老周 持有 钥匙"), (PieceKind::Character, "老周")] {
            let same = question(piece, label, Doubt::Same { name: "老周".into() }, &["c-2"]);
            let mut said = extraction();
            if piece == PieceKind::Character {
                said.entities.push(Introduced { name: "老周".into(), confidence: 0.9, ..Introduced::default() });
            }
            assert!(answered(&mut said, &same, Decision::Accept, None));
            assert_eq!(said.entities.len(), 1);
            let one = &said.entities[0];
            assert_eq!((one.name.as_str(), one.same.as_deref(), one.confidence), ("老周", Some("c-2"), 1.0));
            assert_eq!(said.facts[0].subject, "老周", "the alias says whom it means");
        }
        // A rejected name is a new card, but the subject of a fact without a card is unknown.
        let of = |piece| question(piece, "老周", Doubt::Same { name: "老周".into() }, &["c-2"]);
        assert!(is_effective(&of(PieceKind::Character), Decision::Reject));
        assert!(!is_effective(&of(PieceKind::Fact), Decision::Reject));
        let told =
            Introduced { name: "Old Joe".into(), quote: "他把钥匙给了老周。".into(), ..Introduced::default() };
        let mut said = Extraction { entities: vec![told], ..Extraction::default() };
        let same = question(PieceKind::Character, "Old Joe", Doubt::Same { name: "Old Joe".into() }, &["c-2"]);
        assert!(answered(&mut said, &same, Decision::Reject, None));
        assert_eq!((said.entities[0].same.as_deref(), said.entities[0].confidence), (None, 1.0));
    }

    #[test]
    fn a_question_about_two_events_has_both_summaries_and_both_chapters() {
        let known = TimelineEvent {
            id: "e-3".into(),
            title: "交出钥匙".into(),
            description: "林深把钥匙交给老周。".into(),
            outline_node: Some("o-2".into()),
            ..TimelineEvent::default()
        };
        let node = |number: u32| OutlineNode {
            id: format!("o-{number}"),
            order: number,
            name: format!("第{number}章"),
            ..OutlineNode::default()
        };
        let story =
            Story { outline_nodes: (1..=5).map(node).collect(), timeline_events: vec![known], ..Story::default() };
        let event =
            ToldEvent {
                title: "钥匙易手".into(), description: "钥匙到了老周手里。".into(), ..ToldEvent::default()
            };
        let extraction = Extraction { events: vec![event], ..Extraction::default() };
        let candidate =
            |id: &str| settlement::Candidate { kind: PieceKind::Event, id: id.into(), name: "交出钥匙".into() };
        let asked = settlement::Question {
            told: settlement::Told {
                kind: PieceKind::Event,
                label: "钥匙易手".into(),
                quote: "他把钥匙给了老周。".into(),
                confidence: 0.9,
            },
            doubt: settlement::Doubt::Same {
                name: "钥匙易手".into(), of: vec![candidate("e-3"), candidate("e-9")]
            },
        };
        let questions = of_settlement(&[asked.clone(), asked], (&story, &extraction), (5, "第5章"));
        let [question] = questions.as_slice() else { panic!("asked once: {questions:?}") };
        let About::Settlement { says, candidates, .. } = &question.about else { panic!("{question:?}") };
        assert_eq!((question.chapter, says.as_str()), (5, "钥匙到了老周手里。"));
        let known: Vec<_> = candidates.iter().map(|one| (one.says.as_str(), one.chapter)).collect();
        assert_eq!(known, [("林深把钥匙交给老周。", Some(2)), ("", None)]);
    }

    #[test]
    fn an_event_that_may_be_known_is_the_known_one_or_a_new_one() {
        let event = ToldEvent {
            title: "钥匙易手".into(),
            quote: "他把钥匙给了老周。".into(),
            confidence: 0.9,
            ..ToldEvent::default()
        };
        let told = Extraction { events: vec![event], ..Extraction::default() };
        let same = question(PieceKind::Event, "钥匙易手", Doubt::Same { name: "钥匙易手".into() }, &["e-3"]);
        let mut said = told.clone();
        assert!(answered(&mut said, &same, Decision::Accept, None));
        assert_eq!((said.events[0].title.as_str(), said.events[0].planned.as_deref()), ("钥匙易手", Some("e-3")));
        let mut said = told;
        assert!(is_effective(&same, Decision::Reject) && answered(&mut said, &same, Decision::Reject, None));
        assert_eq!((said.events[0].planned.as_deref(), said.events[0].confidence), (None, 1.0));
    }
}
