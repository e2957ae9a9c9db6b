//! The index of all statements.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::entity::{Entity, Registry};
use super::knowledge::KnownFact;
use super::statement::{PredicateTerm, StatementBasis, TruthStatement};
use super::timeline::Timeline;
use crate::fact_time::{TimeCertainty, beginning_of};
use crate::names::{Names, fold_word};
use crate::predicate::{self, Predicate};
use crate::{Fact, Mode, Story};

/// All statements of a story, indexed. Building the index takes time linear in the size of the story.
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
    /// All statements; statements of facts first, in fact order.
    pub(crate) statements: Vec<TruthStatement<'s>>,
    /// The knowledge of facts by characters.
    pub(crate) knowledge: Vec<KnownFact>,
    pub(super) by_knower: FxHashMap<(Entity, usize), Vec<usize>>,
    pub(super) by_subject: FxHashMap<(Entity, PredicateTerm), Vec<usize>>,
    pub(super) by_object: FxHashMap<(Entity, PredicateTerm), Vec<usize>>,
    /// Statement indices by word.
    pub(super) by_term: Vec<Vec<usize>>,
    /// Words outside the vocabulary, numbered after the vocabulary.
    pub(super) own_words: Vec<&'s str>,
}

impl<'s> GroundTruth<'s> {
    /// Indexes the statements and the knowledge.
    pub(super) fn index(&mut self) {
        for (index, known) in self.knowledge.iter().enumerate() {
            self.by_knower.entry((known.who, known.fact)).or_default().push(index);
        }
        self.by_term = vec![Vec::new(); predicate::all().len() + self.own_words.len()];
        // Retconned statements can be looked up, but state nothing.
        for (index, statement) in self.statements.iter().enumerate().filter(|(_, one)| one.mode != Mode::Retconned) {
            self.by_term[statement.predicate.0 as usize].push(index);
            self.by_subject.entry((statement.subject, statement.predicate)).or_default().push(index);
            if let Some(object) = statement.object {
                self.by_object.entry((object, statement.predicate)).or_default().push(index);
            }
        }
    }

    /// Returns the statement of the fact at the index.
    pub(crate) fn of_fact(&self, position: usize) -> &TruthStatement<'s> {
        &self.statements[position]
    }

    /// Returns the index of the fact with the id.
    pub(crate) fn fact(&self, id: &str) -> Option<usize> {
        self.registry.fact(id)
    }

    /// Returns the fact behind a statement.
    pub(crate) fn asserting(&self, statement: &TruthStatement<'s>) -> Option<&'s Fact> {
        match statement.basis {
            StatementBasis::Fact(position) => Some(&self.story.facts[position]),
            _ => None,
        }
    }

    /// Returns the sentence of the fact behind a statement; empty if there is none.
    pub(crate) fn quote(&self, statement: &TruthStatement<'s>) -> &'s str {
        let source = self.asserting(statement).and_then(|fact| fact.source.as_ref());
        source.map_or("", |source| source.quote.as_str())
    }

    /// Returns the certainty of the beginning of a statement.
    pub(crate) fn time_certainty(&self, statement: &TruthStatement<'s>) -> TimeCertainty {
        match self.asserting(statement) {
            Some(fact) => beginning_of(self.story, &self.names, fact).certainty,
            None if statement.span.from.is_none() => TimeCertainty::Unknown,
            None => TimeCertainty::Told,
        }
    }

    /// Returns the vocabulary entry of a word.
    pub(crate) fn predicate(&self, term: PredicateTerm) -> Option<&'static Predicate> {
        predicate::all().get(term.0 as usize)
    }

    /// Returns the name of a word: from the vocabulary, or as first written.
    pub(crate) fn word(&self, term: PredicateTerm) -> &str {
        let known = self.predicate(term).map(|predicate| predicate.name.as_str());
        known.unwrap_or_else(|| self.own_words[term.0 as usize - predicate::all().len()])
    }

    /// Returns the word with the name, if in the story or the vocabulary.
    pub(crate) fn term(&self, name: &str) -> Option<PredicateTerm> {
        let name = self.story.own_relation_kind(name).map_or(name, |(kind, _)| kind.name.as_str());
        let own = || {
            let key = fold_word(name);
            let place = self.own_words.iter().position(|word| fold_word(word) == key)?;
            Some(predicate::all().len() + place)
        };
        let index = predicate::position(name).or_else(own)?;
        Some(PredicateTerm(u32::try_from(index).expect("words are few")))
    }

    /// Iterates over all statements with the word.
    pub(crate) fn with_term(&self, term: PredicateTerm) -> impl Iterator<Item = &TruthStatement<'s>> {
        self.by_term.get(term.0 as usize).into_iter().flatten().map(|index| &self.statements[*index])
    }

    /// Iterates over all statements with the role.
    pub(crate) fn with_role(&self, role: predicate::PredicateRole) -> impl Iterator<Item = &TruthStatement<'s>> {
        terms_with(role).flat_map(|term| self.with_term(term))
    }

    /// Iterates over the statements with the role and the object `thing`; without an object, with the subject `thing`.
    pub(crate) fn of_role(
        &self,
        thing: Entity,
        role: predicate::PredicateRole,
    ) -> impl Iterator<Item = &TruthStatement<'s>> {
        terms_with(role).flat_map(move |term| {
            let objects = self.by_object.get(&(thing, term)).into_iter().flatten();
            let subjects = self.by_subject.get(&(thing, term)).into_iter().flatten();
            let subjects = subjects.filter(|index| self.statements[**index].object.is_none());
            objects.chain(subjects).map(|index| &self.statements[*index])
        })
    }

    /// Iterates over the narrated statements about a subject with the role.
    pub(crate) fn of_role_by(
        &self,
        subject: Entity,
        role: predicate::PredicateRole,
    ) -> impl Iterator<Item = &TruthStatement<'s>> {
        terms_with(role).flat_map(move |term| self.about(subject, term)).filter(|one| one.is_narrated())
    }

    /// Iterates over the statements about a subject with the word.
    pub(crate) fn about(&self, subject: Entity, term: PredicateTerm) -> impl Iterator<Item = &TruthStatement<'s>> {
        self.by_subject.get(&(subject, term)).into_iter().flatten().map(|index| &self.statements[*index])
    }

    /// Iterates over the knowledge entries of a character about the fact at the index.
    pub(crate) fn knowledge_of(&self, who: Entity, fact: usize) -> impl Iterator<Item = &KnownFact> {
        self.by_knower.get(&(who, fact)).into_iter().flatten().map(|index| &self.knowledge[*index])
    }

    /// Iterates over knowledge entries, grouped by knower and fact.
    pub(crate) fn by_knower(&self) -> impl Iterator<Item = (Entity, usize, Vec<&KnownFact>)> {
        self.by_knower
            .iter()
            .map(|((who, fact), group)| (*who, *fact, group.iter().map(|index| &self.knowledge[*index]).collect()))
    }

    /// Iterates over groups of statements, as indices into [`statements`](Self::statements), of one subject and word.
    pub(crate) fn by_subject(&self) -> impl Iterator<Item = (Entity, PredicateTerm, &[usize])> {
        self.by_subject.iter().map(|((subject, term), group)| (*subject, *term, group.as_slice()))
    }

    /// Iterates over groups of statements of one object and word.
    pub(crate) fn by_object(&self) -> impl Iterator<Item = (Entity, PredicateTerm, &[usize])> {
        self.by_object.iter().map(|((object, term), group)| (*object, *term, group.as_slice()))
    }
}

/// Iterates over the vocabulary words with the role.
fn terms_with(role: predicate::PredicateRole) -> impl Iterator<Item = PredicateTerm> {
    let words = (0..).map(PredicateTerm).zip(predicate::all());
    words.filter(move |(_, word)| word.role == Some(role)).map(|(term, _)| term)
}
