//! Findings before rendering.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::material::target;
use crate::edit::Replacement;
use crate::piece::PieceKind;
use crate::{Action, Agent, Category, Character, Document, Severity, Source};

/// An unrendered finding.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FindingDraft {
    pub(super) subject: Vec<String>,
    pub(super) values: BTreeMap<&'static str, DraftValue>,
    pub(super) evidence: BTreeSet<(String, String)>,
    pub(super) affected: BTreeSet<String>,
    pub(super) fixes: Vec<DraftFix>,
    pub(super) sub_category: Option<&'static str>,
    pub(super) category: Option<Category>,
    pub(super) source: Source,
    pub(super) severity: Option<Severity>,
    pub(super) is_question: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum DraftValue {
    One(String),
    Several(Vec<String>),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct DraftFix {
    /// The text key of the rule's fix.
    pub(super) text: &'static str,
    pub(super) action: Action,
    pub(super) agent: Agent,
    pub(super) parameters: Value,
    pub(super) values: BTreeMap<&'static str, String>,
}

impl FindingDraft {
    /// Creates a draft about `subject`, the stable and ordered identity of the finding.
    pub(crate) fn about<S: Into<String>>(subject: impl IntoIterator<Item = S>) -> Self {
        Self {
            subject: subject.into_iter().map(Into::into).collect(),
            values: BTreeMap::new(),
            evidence: BTreeSet::new(),
            affected: BTreeSet::new(),
            fixes: Vec::new(),
            sub_category: None,
            category: None,
            source: Source::Rule,
            severity: None,
            is_question: false,
        }
    }

    /// Returns the same draft about another subject.
    pub(crate) fn again_about<S: Into<String>>(self, subject: impl IntoIterator<Item = S>) -> Self {
        Self { subject: subject.into_iter().map(Into::into).collect(), ..self }
    }

    /// Sets the value of `{key}` in the texts.
    pub(crate) fn say(mut self, key: &'static str, value: impl Into<String>) -> Self {
        self.values.insert(key, DraftValue::One(value.into()));
        self
    }

    /// Sets the value of `{key}` in the texts to a list, in the given order.
    pub(crate) fn list(mut self, key: &'static str, values: impl IntoIterator<Item = String>) -> Self {
        self.values.insert(key, DraftValue::Several(values.into_iter().collect()));
        self
    }

    /// Appends a quote.
    pub(crate) fn quote(mut self, anchor: impl Into<String>, quote: impl Into<String>) -> Self {
        self.evidence.insert((anchor.into(), quote.into()));
        self
    }

    /// Appends quotes.
    pub(crate) fn quotes(mut self, quotes: impl IntoIterator<Item = (String, String)>) -> Self {
        self.evidence.extend(quotes);
        self
    }

    /// Adds an affected piece.
    pub(crate) fn affects(mut self, name: impl Into<String>) -> Self {
        self.affected.insert(name.into());
        self
    }

    /// Sets the responsible area, for rules about several kinds.
    pub(crate) fn in_work_of(mut self, kind: PieceKind) -> Self {
        self.sub_category = Some(sub_category(kind));
        self
    }

    /// Makes the finding one that a model made, in an area of its own; the rule only repeats it.
    pub(crate) fn found_by_model(mut self, sub_category: &'static str, category: Category) -> Self {
        (self.sub_category, self.category, self.source) = (Some(sub_category), Some(category), Source::Model);
        self
    }

    /// Sets the severity of this finding; it counts unless the settings give the rule another one.
    pub(crate) fn with_severity(mut self, severity: Severity) -> Self {
        self.severity = Some(severity);
        self
    }

    /// Makes the finding a question of low severity, which says that it rests on a guessed date.
    pub(crate) fn into_question(self) -> Self {
        Self { is_question: true, ..self.with_severity(Severity::Low) }
    }

    /// Appends a fix: its text key, and the change of one piece.
    pub(crate) fn fix(mut self, text: &'static str, action: Action, kind: PieceKind, parameters: Value) -> Self {
        let parameters = with_kind(kind.name(), parameters);
        self.fixes.push(DraftFix { text, action, agent: kind.agent(), parameters, values: BTreeMap::new() });
        self
    }

    /// Appends a fix that gives a character another name.
    pub(super) fn fix_alias(self, card: &Character, name: &str) -> Self {
        let parameters = target(card, json!({ "add_alias": [name] }));
        self.fix("alias", Action::Update, PieceKind::Character, parameters).fix_says("card", &card.name)
    }

    /// Appends a fix for a document's text: the replacements, or without replacements a task for a writer.
    pub(crate) fn fix_text(mut self, text: &'static str, document: &Document, replacements: &[Replacement]) -> Self {
        let mut parameters = match document.id.trim() {
            "" => json!({ "title": document.title }),
            id => json!({ "id": id }),
        };
        if !replacements.is_empty() {
            parameters["replace_text"] = json!(replacements);
        }
        let parameters = with_kind("document", parameters);
        self.fixes.push(DraftFix {
            text,
            action: Action::Update,
            agent: Agent::Style,
            parameters,
            values: BTreeMap::new(),
        });
        self
    }

    /// Sets the value of `{key}` in the text of the last fix only.
    pub(crate) fn fix_says(mut self, key: &'static str, value: impl Into<String>) -> Self {
        if let Some(fix) = self.fixes.last_mut() {
            fix.values.insert(key, value.into());
        }
        self
    }

    /// Returns the subject.
    pub(crate) fn subject(&self) -> &[String] {
        &self.subject
    }
}

/// Returns the `sub_category` of issues about the kind, as used in reports.
pub(crate) fn sub_category(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Character => "character",
        PieceKind::Relation => "relation",
        PieceKind::OutlineNode | PieceKind::Document | PieceKind::Promise => "outline",
        PieceKind::Event => "timeline",
        PieceKind::PlotNode | PieceKind::Fact => "plot",
        PieceKind::Style => "style",
        _ => "worldview",
    }
}

fn with_kind(kind: &str, parameters: Value) -> Value {
    let mut all = json!({ "kind": kind });
    if let (Value::Object(all), Value::Object(given)) = (&mut all, parameters) {
        // In parameters, the piece's own `kind` is named `type`.
        all.extend(given);
    }
    all
}
