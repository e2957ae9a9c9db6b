//! The words and source sentences of statements and of knowledge.

use serde_json::Value;

use super::ground::GroundTruth;
use super::knowledge::{KnowledgeSource, KnownFact};
use super::statement::{StatementBasis, StatementValue, TruthStatement};
use crate::part::anchor;
use crate::piece::PieceKind;
use crate::{Evidence, Knower, Language, phrase, predicate};

impl<'s> TruthStatement<'s> {
    /// Returns the value as display text.
    pub(crate) fn shown(&self, truth: &GroundTruth<'s>) -> String {
        match (self.object, self.value) {
            (Some(object), _) => truth.registry.name(object).to_owned(),
            (None, StatementValue::Nothing) => String::new(),
            (None, StatementValue::Text(text)) => text.trim().to_owned(),
            (None, StatementValue::Value(Value::String(text), unit)) => format!("{}{unit}", text.trim()),
            (None, StatementValue::Value(value, unit)) => format!("{value}{unit}"),
            (None, StatementValue::Age(age)) => age.to_string(),
        }
    }

    /// Returns the source sentence: the quote of a fact, with the statement on a single line as fallback.
    pub(crate) fn evidence(&self, truth: &GroundTruth<'s>) -> Evidence {
        let times = match self.basis {
            StatementBasis::Fact(_) | StatementBasis::Event(..) => self.basis.times(truth.story),
            _ => ["", ""],
        };
        self.evidence_at(truth, times)
    }

    /// Same as [`evidence`](Self::evidence), with these times instead of its own as written.
    pub(super) fn evidence_at(&self, truth: &GroundTruth<'s>, times: [&str; 2]) -> Evidence {
        let name = |entity| truth.registry.name(entity);
        let line = || {
            let language = truth.story.language;
            if let Some(object) = self.object {
                let said = phrase::between(name(self.subject), truth.word(self.predicate), name(object), language);
                return if self.is_denied() { phrase::denied(&said, language) } else { said };
            }
            let word = predicate::shown(truth.word(self.predicate), language);
            // That something is so is said by the word alone.
            let is_said = matches!(self.value, StatementValue::Value(Value::Null | Value::Bool(true), _));
            let value = match (self.is_denied(), language) {
                (true, Language::Zh) => "否".to_owned(),
                (true, Language::En) => "no".to_owned(),
                (false, _) if is_said => String::new(),
                (false, _) => self.shown(truth),
            };
            format!("{} {word} {value}", name(self.subject)).trim().to_owned()
        };
        let fact = truth.asserting(self);
        let quote = fact.and_then(|fact| fact.source.as_ref()).map(|source| source.quote.trim());
        let quote = quote.filter(|quote| !quote.is_empty()).map_or_else(line, str::to_owned);
        Evidence {
            anchor: self.basis.anchor(truth.story),
            quote: format!("{quote}{}", times_in_brackets(times, truth.story.language)),
        }
    }
}

/// Returns the times as a remark; empty if there are none.
fn times_in_brackets(times: [&str; 2], language: Language) -> String {
    match times {
        ["", ""] => String::new(),
        [from, until] if from == until || until.is_empty() => phrase::in_brackets(from, language),
        [from, until] => phrase::in_brackets(&format!("{from} – {until}"), language),
    }
}

impl KnownFact {
    /// Returns the entry of the fact's `known_by`, if listed there.
    pub(crate) fn entry<'s>(&self, truth: &GroundTruth<'s>) -> Option<&'s Knower> {
        match self.basis {
            KnowledgeSource::Listed { index } => Some(&truth.story.facts[self.fact].known_by[index]),
            KnowledgeSource::Stated { .. } => None,
        }
    }

    /// Returns the start of the knowledge as written.
    pub(crate) fn since_words<'s>(&self, truth: &GroundTruth<'s>) -> &'s str {
        match self.basis {
            KnowledgeSource::Listed { index } => truth.story.facts[self.fact].known_by[index].since.trim(),
            KnowledgeSource::Stated { position, .. } => truth.story.facts[position].from.trim(),
        }
    }

    /// Returns the sentence or entry stating the knowledge.
    pub(crate) fn evidence(&self, truth: &GroundTruth<'_>) -> Evidence {
        match self.basis {
            KnowledgeSource::Listed { index } => {
                let fact = &truth.story.facts[self.fact];
                let Knower { who, since, how, .. } = &fact.known_by[index];
                let quote = [who.trim(), since.trim(), how.trim()].map(str::to_owned);
                let quote = quote.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
                Evidence { anchor: anchor(PieceKind::Fact, fact, "known_by"), quote }
            }
            KnowledgeSource::Stated { position, .. } => truth.of_fact(position).evidence(truth),
        }
    }
}
