//! Renders drafts as findings.

use std::sync::LazyLock;

use serde::Deserialize;

use super::draft::{DraftFix, DraftValue, FindingDraft};
use super::rule::Rule;
use super::texts::fill;
use crate::check::Finding;
use crate::digest::fnv;
use crate::{CorrectionInstruction, Evidence, Issue, Language, Severity};

impl FindingDraft {
    /// Returns the id of the finding: the code and `digits` hexadecimal digits of a hash of the subject.
    pub(crate) fn id(&self, rule: &Rule, digits: usize) -> String {
        let hash = format!("{:016x}", hash(rule.code, &self.subject));
        format!("{}-{}", rule.code, &hash[hash.len() - digits..])
    }

    /// Returns the severity of the finding: its own, unless the settings give the rule another one than `rule` has.
    pub(crate) fn severity_of(&self, rule: &Rule, set: Severity) -> Severity {
        self.severity.filter(|_| set == rule.severity).unwrap_or(set)
    }

    /// Renders the finding.
    pub(crate) fn finish(&self, rule: &Rule, severity: Severity, language: Language, id: &str) -> Finding {
        let text = rule.text(language);
        let values = self.values.iter().map(|(key, said)| (*key, said.join(language))).collect();
        let evidence = self.evidence.iter().cloned();
        let issue = Issue {
            id: id.to_owned(),
            severity,
            category: self.category.unwrap_or(rule.category),
            sub_category: self.sub_category.unwrap_or(rule.sub_category).to_owned(),
            title: fill(&text.title, &values),
            root_cause: if self.is_question {
                doubted(&fill(&text.cause, &values), language)
            } else {
                fill(&text.cause, &values)
            },
            affected_entities: self.affected.iter().filter(|name| !name.is_empty()).cloned().collect(),
            impact: fill(&text.impact, &values),
            source: self.source,
            code: Some(rule.code.to_owned()),
            evidence: evidence.map(|(anchor, quote)| Evidence { anchor, quote }).collect(),
            waived: None,
            disputed: None,
        };
        let instruction = |fix: &DraftFix| {
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

/// The remarks added to the texts of findings, parsed from `rendering.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FindingRemarks {
    zh: FindingRemark,
    en: FindingRemark,
}

/// The remarks in one language.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FindingRemark {
    doubted: String,
}

static REMARKS: LazyLock<FindingRemarks> = LazyLock::new(|| {
    toml::from_str(include_str!("rendering.toml"))
        .unwrap_or_else(|error| panic!("the remarks are part of the program: {error}"))
});

/// Returns a cause with the remark that it rests on a guessed date.
fn doubted(cause: &str, language: Language) -> String {
    let remark = match language {
        Language::Zh => &REMARKS.zh,
        Language::En => &REMARKS.en,
    };
    fill(&remark.doubted, &[("cause", cause.trim_end_matches(['。', '.']).to_owned())].into())
}

impl DraftValue {
    fn join(&self, language: Language) -> String {
        match self {
            Self::One(value) => value.clone(),
            Self::Several(values) => values.join(if language == Language::Zh { "、" } else { ", " }),
        }
    }
}

fn priority(severity: Severity) -> u8 {
    match severity {
        Severity::Critical => 10,
        Severity::High => 8,
        Severity::Medium => 5,
        Severity::Low => 3,
    }
}

/// Returns a hash of a finding's subject. Ids are stored in waivers, so it is the same in every release.
fn hash(code: &str, subject: &[String]) -> u64 {
    let parts = std::iter::once(code).chain(subject.iter().map(String::as_str));
    fnv(parts.flat_map(|part| part.bytes().chain([0x1f])))
}
