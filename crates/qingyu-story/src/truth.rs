//! The ground truth of a story as one view: every statement it makes, by facts, cards, relations and events, each with
//! its span, its place in the text, who knows it and which sentence says so.

mod answer;
mod attendance;
mod claim;
mod clock;
mod derive;
mod entity;
mod frame;
mod knowledge;
mod scenes;
mod statement;
#[cfg(test)]
mod tests;
mod timeline;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::names::Names;
use crate::predicate::{self, Predicate};
use crate::{Fact, Mode, Story};

pub use answer::{Answer, KnownBy, Question, Unclear};
pub(crate) use attendance::Attendance;
pub use claim::{Claim, Party};
pub use clock::{Clock, Time};
pub(crate) use derive::turned;
pub(crate) use entity::{Entity, Registry};
pub(crate) use frame::{Extract, Frame, positions};
pub(crate) use knowledge::{Acquaintance, Knowledge};
pub(crate) use scenes::Scenes;
pub(crate) use statement::{Basis, Span, Statement, Term};
pub use timeline::PointId;
pub(crate) use timeline::Timeline;

/// Everything a story says to be so, indexed. Building it takes time in proportion to the story.
///
/// ```
/// use qingyu_story::truth::{GroundTruth, Question};
/// use qingyu_story::Story;
///
/// let story: Story = serde_json::from_str(r#"{
///     "characters": [{"id": "c-1", "name": "林青"}],
///     "worldview": {"items": [{"id": "i-1", "name": "铜钥匙"}]},
///     "facts": [{"id": "f-1", "subject": "林青", "predicate": "持有", "object": "铜钥匙", "from": "第2天"}]
/// }"#)?;
/// let truth = GroundTruth::of(&story);
/// let question = Question { about: Some("铜钥匙".into()), ..Question::default() };
/// assert_eq!(truth.ask(&question)?[0].subject, "林青");
/// let question = Question { as_of: Some("第1天".into()), ..question };
/// assert!(truth.ask(&question)?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GroundTruth<'s> {
    pub(crate) story: &'s Story,
    pub(crate) names: Arc<Names>,
    pub(crate) timeline: Timeline<'s>,
    pub(crate) registry: Registry<'s>,
    /// All statements; those of facts first, in the order of the facts.
    pub(crate) statements: Vec<Statement<'s>>,
    /// Who knows which facts.
    pub(crate) knowledge: Vec<Knowledge>,
    by_knower: FxHashMap<(Entity, usize), Vec<usize>>,
    by_subject: FxHashMap<(Entity, Term), Vec<usize>>,
    by_object: FxHashMap<(Entity, Term), Vec<usize>>,
    /// Statements of each word, by the word.
    by_term: Vec<Vec<usize>>,
    /// Words that are not in the vocabulary, after those that are.
    own_words: Vec<&'s str>,
}

impl<'s> GroundTruth<'s> {
    /// Reads the whole story.
    pub fn of(story: &'s Story) -> Self {
        Self::with(story, &Frame::of(story), None)
    }

    /// As [`of`](Self::of), with what is known already, and of the pieces beside facts only those in `extract`.
    pub(crate) fn with(story: &'s Story, frame: &Frame, extract: Option<&Extract>) -> Self {
        let names = Arc::clone(&frame.names);
        let timeline = Timeline::new(Arc::clone(&names), frame.backbone(story));
        let registry = Registry::new(story, Arc::clone(&names));
        let mut truth = Self {
            story,
            names,
            timeline,
            registry,
            statements: Vec::with_capacity(story.facts.len() + story.timeline_events.len() * 4),
            knowledge: Vec::new(),
            by_knower: FxHashMap::default(),
            by_subject: FxHashMap::default(),
            by_object: FxHashMap::default(),
            by_term: Vec::new(),
            own_words: Vec::new(),
        };
        derive::derive(&mut truth, frame, extract);
        truth.index();
        truth
    }

    fn index(&mut self) {
        for (index, known) in self.knowledge.iter().enumerate() {
            self.by_knower.entry((known.who, known.fact)).or_default().push(index);
        }
        self.by_term = vec![Vec::new(); predicate::all().len() + self.own_words.len()];
        // What has been taken back can be looked up, and says nothing.
        for (index, statement) in self.statements.iter().enumerate().filter(|(_, one)| one.mode != Mode::Retconned) {
            self.by_term[statement.predicate.0 as usize].push(index);
            self.by_subject.entry((statement.subject, statement.predicate)).or_default().push(index);
            if let Some(object) = statement.object {
                self.by_object.entry((object, statement.predicate)).or_default().push(index);
            }
        }
    }

    /// The statement that the fact at that position makes.
    pub(crate) fn of_fact(&self, position: usize) -> &Statement<'s> {
        &self.statements[position]
    }

    /// The fact with that id.
    pub(crate) fn fact(&self, id: &str) -> Option<usize> {
        self.registry.fact(id)
    }

    /// The fact that a statement was made by.
    pub(crate) fn asserting(&self, statement: &Statement<'s>) -> Option<&'s Fact> {
        match statement.basis {
            Basis::Fact(position) => Some(&self.story.facts[position]),
            _ => None,
        }
    }

    /// What the vocabulary says of a word.
    pub(crate) fn predicate(&self, term: Term) -> Option<&'static Predicate> {
        predicate::all().get(term.0 as usize)
    }

    /// A word by its name: that of the vocabulary, or as it was first written.
    pub(crate) fn word(&self, term: Term) -> &str {
        let known = self.predicate(term).map(|predicate| predicate.name.as_str());
        known.unwrap_or_else(|| self.own_words[term.0 as usize - predicate::all().len()])
    }

    /// The word of that name, if the story or the vocabulary has it.
    pub(crate) fn term(&self, name: &str) -> Option<Term> {
        let own = || {
            let key = predicate::key(name);
            let place = self.own_words.iter().position(|word| predicate::key(word) == key)?;
            Some(predicate::all().len() + place)
        };
        let index = predicate::position(name).or_else(own)?;
        Some(Term(u32::try_from(index).expect("words are few")))
    }

    /// All statements with that word.
    pub(crate) fn with_term(&self, term: Term) -> impl Iterator<Item = &Statement<'s>> {
        self.by_term.get(term.0 as usize).into_iter().flatten().map(|index| &self.statements[*index])
    }

    /// All statements whose word has that role.
    pub(crate) fn with_role(&self, role: predicate::Role) -> impl Iterator<Item = &Statement<'s>> {
        let terms = (0..).zip(predicate::all()).filter(move |(_, word)| word.role == Some(role));
        terms.flat_map(|(term, _)| self.with_term(Term(term)))
    }

    /// The statements whose word has that role and whose object is `thing`, or whose subject it is if they have none.
    pub(crate) fn of_role(&self, thing: Entity, role: predicate::Role) -> impl Iterator<Item = &Statement<'s>> {
        let terms = (0..).map(Term).zip(predicate::all()).filter(move |(_, word)| word.role == Some(role));
        terms.flat_map(move |(term, _)| {
            let objects = self.by_object.get(&(thing, term)).into_iter().flatten();
            let subjects = self.by_subject.get(&(thing, term)).into_iter().flatten();
            let subjects = subjects.filter(|index| self.statements[**index].object.is_none());
            objects.chain(subjects).map(|index| &self.statements[*index])
        })
    }

    /// The narrated statements about a subject whose word has that role.
    pub(crate) fn of_role_by(&self, subject: Entity, role: predicate::Role) -> impl Iterator<Item = &Statement<'s>> {
        let terms = (0..).map(Term).zip(predicate::all()).filter(move |(_, word)| word.role == Some(role));
        terms.flat_map(move |(term, _)| self.about(subject, term)).filter(|one| one.is_narrated())
    }

    /// The statements about a subject with that word.
    pub(crate) fn about(&self, subject: Entity, term: Term) -> impl Iterator<Item = &Statement<'s>> {
        self.by_subject.get(&(subject, term)).into_iter().flatten().map(|index| &self.statements[*index])
    }

    /// All that is said of somebody's knowing the fact at that position.
    pub(crate) fn knowledge_of(&self, who: Entity, fact: usize) -> impl Iterator<Item = &Knowledge> {
        self.by_knower.get(&(who, fact)).into_iter().flatten().map(|index| &self.knowledge[*index])
    }

    /// Knowledge of one fact by one mind.
    pub(crate) fn by_knower(&self) -> impl Iterator<Item = (Entity, usize, Vec<&Knowledge>)> {
        self.by_knower
            .iter()
            .map(|((who, fact), group)| (*who, *fact, group.iter().map(|index| &self.knowledge[*index]).collect()))
    }

    /// Groups of statements, indices of [`statements`](Self::statements), of one subject and word.
    pub(crate) fn by_subject(&self) -> impl Iterator<Item = (Entity, Term, &[usize])> {
        self.by_subject.iter().map(|((subject, term), group)| (*subject, *term, group.as_slice()))
    }

    /// Groups of statements of one object and word.
    pub(crate) fn by_object(&self) -> impl Iterator<Item = (Entity, Term, &[usize])> {
        self.by_object.iter().map(|((object, term), group)| (*object, *term, group.as_slice()))
    }
}
