//! Findings in the Static Analysis Results Interchange Format (SARIF), version 2.1.0.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::finding::Finding;
use super::place::text_of;
use crate::rules::{self, Rule};
use crate::{Evidence, Language, Severity, Story};

/// Serializes the findings as a SARIF log of one run, in the story's language.
///
/// Every quote is a location: a logical location with the anchor as name, and in documents also a physical location,
/// with lines and columns counted in characters from 1, under the URI `documents/<id>`. The finding's id is the
/// fingerprint; waived findings are suppressed, with the reason.
pub fn sarif(findings: &[Finding], story: &Story) -> Value {
    let language = match story.language {
        Language::Zh => "zh-CN",
        Language::En => "en-US",
    };
    json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "qingyu",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "language": language,
                "rules": rules::all().iter().map(|rule| descriptor(rule, story.language)).collect::<Vec<_>>(),
            } },
            "language": language,
            "columnKind": "unicodeCodePoints",
            "results": findings.iter().map(|finding| result(finding, story)).collect::<Vec<_>>(),
        }],
    })
}

fn descriptor(rule: &Rule, language: Language) -> Value {
    let text = rule.text(language);
    json!({
        "id": rule.code,
        "shortDescription": { "text": text.impact },
        "fullDescription": { "text": text.page },
        "help": { "text": text.page },
        "defaultConfiguration": { "level": level(rule.severity) },
        "properties": { "family": rule.family, "category": rule.category, "severity": rule.severity },
    })
}

fn result(finding: &Finding, story: &Story) -> Value {
    let issue = &finding.issue;
    let mut result = json!({
        "level": level(issue.severity),
        "message": { "text": format!("{}. {}", issue.title, issue.root_cause) },
        "locations": issue.evidence.iter().take(1).map(|evidence| location(evidence, story)).collect::<Vec<_>>(),
        "partialFingerprints": { "findingId/v1": issue.id },
        "properties": {
            "severity": issue.severity,
            "impact": issue.impact,
            "affected": issue.affected_entities,
            "instructions": finding.instructions,
        },
    });
    if let Some(code) = &issue.code {
        result["ruleId"] = json!(code);
        if let Some(index) = rules::all().iter().position(|rule| rule.code == code) {
            result["ruleIndex"] = json!(index);
        }
    }
    let others: Vec<Value> = issue.evidence.iter().skip(1).map(|evidence| location(evidence, story)).collect();
    if !others.is_empty() {
        result["relatedLocations"] = Value::Array(others);
    }
    if let Some(waiver) = &issue.waived {
        result["suppressions"] = json!([{
            "kind": "external",
            "status": "accepted",
            "justification": waiver.reason,
            "properties": { "owner": waiver.owner, "date": waiver.date },
        }]);
    }
    result
}

/// Returns the SARIF level of a severity; the format has three levels for four severities.
fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Low => "note",
        Severity::Medium => "warning",
        Severity::High | Severity::Critical => "error",
    }
}

fn location(evidence: &Evidence, story: &Story) -> Value {
    let mut location = Map::new();
    let name = json!([{ "fullyQualifiedName": evidence.anchor, "kind": "member" }]);
    location.insert("logicalLocations".to_owned(), name);
    location.insert("message".to_owned(), json!({ "text": evidence.quote }));
    if let Some((document, handle, range)) = text_of(&evidence.anchor, story) {
        location.insert(
            "physicalLocation".to_owned(),
            json!({
                "artifactLocation": { "uri": format!("documents/{}", encoded(handle)) },
                "region": region(&document.text, &range),
            }),
        );
    }
    Value::Object(location)
}

fn region(text: &str, range: &std::ops::Range<usize>) -> Value {
    let position = |at: usize| {
        let before = &text[..at];
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        (before.matches('\n').count() + 1, before[line..].chars().count() + 1)
    };
    let ((start_line, start_column), (end_line, end_column)) = (position(range.start), position(range.end));
    json!({
        "startLine": start_line,
        "startColumn": start_column,
        "endLine": end_line,
        "endColumn": end_column,
        "charOffset": text[..range.start].chars().count(),
        "charLength": text[range.clone()].chars().count(),
        "snippet": { "text": &text[range.clone()] },
    })
}

/// Percent-encodes `name` for use in a URI.
fn encoded(name: &str) -> String {
    let mut encoded = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            write!(encoded, "%{byte:02X}").expect("a string takes everything");
        }
    }
    encoded
}
