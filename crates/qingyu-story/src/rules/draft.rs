//! What a rule found, before it is put into words.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::Rule;
use super::texts::fill;
use crate::check::Finding;
use crate::edit::Replacement;
use crate::piece::PieceKind;
use crate::{Action, Agent, CorrectionInstruction, Document, Evidence, Issue, Language, Severity, Source};

/// A finding in the making.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Draft {
    subject: Vec<String>,
    values: BTreeMap<&'static str, Said>,
    evidence: BTreeSet<(String, String)>,
    affected: BTreeSet<String>,
    fixes: Vec<Fix>,
    sub_category: Option<&'static str>,
}

#[derive(Debug, Clone, PartialEq)]
enum Said {
    One(String),
    Several(Vec<String>),
}

#[derive(Debug, Clone, PartialEq)]
struct Fix {
    /// Which of the rule's remedies, the key of its text.
    text: &'static str,
    action: Action,
    agent: Agent,
    parameters: Value,
    values: BTreeMap<&'static str, String>,
}

impl Draft {
    /// A finding about `subject`: what stays the same as long as it is the same finding. Order matters.
    pub(crate) fn about<S: Into<String>>(subject: impl IntoIterator<Item = S>) -> Self {
        Self {
            subject: subject.into_iter().map(Into::into).collect(),
            values: BTreeMap::new(),
            evidence: BTreeSet::new(),
            affected: BTreeSet::new(),
            fixes: Vec::new(),
            sub_category: None,
        }
    }

    /// The same finding about another subject.
    pub(crate) fn again_about<S: Into<String>>(self, subject: impl IntoIterator<Item = S>) -> Self {
        Self { subject: subject.into_iter().map(Into::into).collect(), ..self }
    }

    /// Puts `value` for `{key}` in the texts.
    pub(crate) fn say(mut self, key: &'static str, value: impl Into<String>) -> Self {
        self.values.insert(key, Said::One(value.into()));
        self
    }

    /// Puts a list for `{key}` in the texts, in the given order.
    pub(crate) fn list(mut self, key: &'static str, values: impl IntoIterator<Item = String>) -> Self {
        self.values.insert(key, Said::Several(values.into_iter().collect()));
        self
    }

    /// Adds a quote.
    pub(crate) fn quote(mut self, anchor: impl Into<String>, quote: impl Into<String>) -> Self {
        self.evidence.insert((anchor.into(), quote.into()));
        self
    }

    /// Adds quotes.
    pub(crate) fn quotes(mut self, quotes: impl IntoIterator<Item = (String, String)>) -> Self {
        self.evidence.extend(quotes);
        self
    }

    /// Names a piece that is touched.
    pub(crate) fn affects(mut self, name: impl Into<String>) -> Self {
        self.affected.insert(name.into());
        self
    }

    /// Says whose work it is, if the rule is about several kinds.
    pub(crate) fn in_work_of(mut self, kind: PieceKind) -> Self {
        self.sub_category = Some(sub_category(kind));
        self
    }

    /// Adds a remedy: the key of its text, and the change of one piece.
    pub(crate) fn fix(mut self, text: &'static str, action: Action, kind: PieceKind, parameters: Value) -> Self {
        let parameters = with_kind(kind.name(), parameters);
        self.fixes.push(Fix { text, action, agent: kind.agent(), parameters, values: BTreeMap::new() });
        self
    }

    /// Adds a remedy for the text of a document: what to replace in it, or, without replacements, what only a writer can do.
    pub(crate) fn fix_text(mut self, text: &'static str, document: &Document, replacements: &[Replacement]) -> Self {
        let mut parameters = match document.id.trim() {
            "" => json!({ "title": document.title }),
            id => json!({ "id": id }),
        };
        if !replacements.is_empty() {
            parameters["replace_text"] = json!(replacements);
        }
        let parameters = with_kind("document", parameters);
        self.fixes.push(Fix { text, action: Action::Update, agent: Agent::Style, parameters, values: BTreeMap::new() });
        self
    }

    /// Puts `value` for `{key}` in the text of the last remedy only.
    pub(crate) fn fix_says(mut self, key: &'static str, value: impl Into<String>) -> Self {
        if let Some(fix) = self.fixes.last_mut() {
            fix.values.insert(key, value.into());
        }
        self
    }

    /// What it is about.
    pub(crate) fn subject(&self) -> &[String] {
        &self.subject
    }

    /// The id of the finding: the code and `digits` hexadecimal digits of a hash of the subject.
    pub(crate) fn id(&self, rule: &Rule, digits: usize) -> String {
        let hash = format!("{:016x}", hash(rule.code, &self.subject));
        format!("{}-{}", rule.code, &hash[hash.len() - digits..])
    }

    /// Puts the finding into words.
    pub(crate) fn finish(&self, rule: &Rule, severity: Severity, language: Language, id: &str) -> Finding {
        let text = rule.text(language);
        let values = self.values.iter().map(|(key, said)| (*key, said.join(language))).collect();
        let evidence = self.evidence.iter().cloned();
        let issue = Issue {
            id: id.to_owned(),
            severity,
            category: rule.category,
            sub_category: self.sub_category.unwrap_or(rule.sub_category).to_owned(),
            title: fill(&text.title, &values),
            root_cause: fill(&text.cause, &values),
            affected_entities: self.affected.iter().filter(|name| !name.is_empty()).cloned().collect(),
            impact: fill(&text.impact, &values),
            source: Source::Rule,
            code: Some(rule.code.to_owned()),
            evidence: evidence.map(|(anchor, quote)| Evidence { anchor, quote }).collect(),
            waived: None,
        };
        let instruction = |fix: &Fix| {
            let template = text.fix.get(fix.text).unwrap_or_else(|| panic!("{} has no text '{}'", rule.code, fix.text));
            let own = || values.iter().chain(&fix.values).map(|(key, value)| (*key, value.clone())).collect();
            CorrectionInstruction {
                issue_id: id.to_owned(),
                target_agent: fix.agent,
                action: fix.action,
                specific_instruction: match fix.values.is_empty() {
                    true => fill(template, &values),
                    false => fill(template, &own()),
                },
                parameters: fix.parameters.clone(),
                priority: priority(severity),
            }
        };
        Finding { instructions: self.fixes.iter().map(instruction).collect(), issue }
    }
}

impl Said {
    fn join(&self, language: Language) -> String {
        match self {
            Self::One(value) => value.clone(),
            Self::Several(values) => values.join(if language == Language::Zh { "、" } else { ", " }),
        }
    }
}

/// The work an issue belongs to, as reports name it.
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
        // The piece's own `kind` goes by `type` in parameters.
        all.extend(given);
    }
    all
}

fn priority(severity: Severity) -> u8 {
    match severity {
        Severity::Critical => 10,
        Severity::High => 8,
        Severity::Medium => 5,
        Severity::Low => 3,
    }
}

/// FNV-1a: the same on every machine and in every version.
fn hash(code: &str, subject: &[String]) -> u64 {
    let parts = std::iter::once(code).chain(subject.iter().map(String::as_str));
    let bytes = parts.flat_map(|part| part.bytes().chain([0x1f]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
