//! The findings of a project's research that concern a field, with their sources.

use std::collections::BTreeMap;

use qingyu_story::production::Field;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::FieldBoard;
use crate::citation::{CitedSource, ProjectSources, holds_research};
use crate::golden::as_text;
use crate::topic::terms;

/// Maximum number of findings for a field.
const MOST: usize = 10;

/// Findings that concern a field, the closest first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct FieldNotes {
    /// The findings.
    pub(crate) findings: Vec<NotedFinding>,
    /// Their sources, by number in the project.
    pub(crate) sources: Vec<CitedSource>,
}

/// A finding with the numbers of its sources in the project.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct NotedFinding {
    /// The claim.
    pub(crate) claim: String,
    /// The numbers of the sources in the project.
    pub(crate) sources: Vec<usize>,
}

/// Returns the findings that concern `field`, as data and as text; `None` if there are none.
pub fn findings_for(board: &FieldBoard<'_>, field: &Field) -> Option<(Value, String)> {
    let notes = concerning(board, field);
    let text = Some(notes.text()).filter(|text| !text.is_empty())?;
    Some((serde_json::to_value(&notes).expect("notes are plain data"), text))
}

/// Returns the supported findings of all reports that concern `field`, at most ten.
///
/// A field made for an entry of a list is compared with its title and entry; findings without a word in common are
/// left out, unless no finding has any. Any other field gets the findings in the order of the reports.
pub(crate) fn concerning(board: &FieldBoard<'_>, field: &Field) -> FieldNotes {
    let known = ProjectSources::of(board.fields());
    let mut findings = Vec::new();
    for report in board.fields().iter().filter(|field| holds_research(field)) {
        for found in report.value["findings"].as_array().into_iter().flatten() {
            let claim = found.get("claim").and_then(Value::as_str).unwrap_or_default().trim();
            let is_supported = found.get("is_supported").and_then(Value::as_bool).unwrap_or(false);
            let numbers = found.get("sources").and_then(Value::as_array).into_iter().flatten();
            let sources: Vec<usize> =
                numbers.filter_map(|number| known.number(&report.path, number.as_u64()?)).collect();
            if is_supported && !claim.is_empty() && !sources.is_empty() {
                findings.push(NotedFinding { claim: claim.to_owned(), sources });
            }
        }
    }
    let mut findings = match subject(board, field) {
        Some(subject) => ranked(findings, &subject),
        None => findings,
    };
    findings.truncate(MOST);
    let is_cited = |source: &CitedSource| findings.iter().any(|found| found.sources.contains(&source.number));
    let sources = known.all().iter().filter(|source| is_cited(source)).cloned().collect();
    FieldNotes { findings, sources }
}

/// Returns the words that a field for an entry of a list is about.
fn subject(board: &FieldBoard<'_>, field: &Field) -> Option<String> {
    field.item.as_ref()?;
    let entry = field.depends_on.last().and_then(|entry| board.value(entry)).unwrap_or_default();
    Some(format!("{}\n{}", field.title, as_text(&entry)))
}

/// Returns the findings with words of the subject, the closest first; all of them if none has any. A word that few
/// findings have counts more.
fn ranked(findings: Vec<NotedFinding>, subject: &str) -> Vec<NotedFinding> {
    let subject = terms(subject);
    let of_findings: Vec<_> = findings.iter().map(|found| terms(&found.claim)).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for term in of_findings.iter().flatten() {
        *counts.entry(term).or_default() += 1;
    }
    let score = |at: usize| -> f64 {
        let mut shared: Vec<f64> =
            of_findings[at].intersection(&subject).map(|term| 1.0 / counts[term.as_str()] as f64).collect();
        shared.sort_by(f64::total_cmp);
        shared.iter().sum()
    };
    let mut scored: Vec<(f64, NotedFinding)> =
        findings.iter().cloned().enumerate().map(|(at, found)| (score(at), found)).collect();
    if scored.iter().all(|(score, _)| *score <= 0.0) {
        return findings;
    }
    scored.retain(|(score, _)| *score > 0.0);
    scored.sort_by(|one, other| other.0.total_cmp(&one.0));
    scored.into_iter().map(|(_, found)| found).collect()
}

impl FieldNotes {
    /// Returns the notes as text: each claim with the numbers of its sources, then the sources.
    pub(crate) fn text(&self) -> String {
        let marks = |numbers: &[usize]| numbers.iter().map(|number| format!("[{number}]")).collect::<String>();
        let claims = self.findings.iter().map(|found| format!("- {} {}", found.claim, marks(&found.sources)));
        let sources = self.sources.iter().map(|source| format!("[{}] {} {}", source.number, source.title, source.url));
        claims.chain(sources).collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use qingyu_story::production::Item;
    use serde_json::json;

    use super::*;

    fn report(path: &str, findings: &Value, urls: &[&str]) -> Field {
        let source = |(at, url): (usize, &&str)| json!({"number": at + 1, "title": "题", "url": url});
        let sources: Vec<Value> = urls.iter().enumerate().map(source).collect();
        Field { path: path.into(), value: json!({"findings": findings, "sources": sources}), ..Field::default() }
    }

    fn finding(claim: &str, sources: &[u32], is_supported: bool) -> Value {
        json!({"claim": claim, "sources": sources, "is_supported": is_supported})
    }

    #[test]
    fn a_lesson_gets_the_findings_of_all_reports_that_concern_it() {
        let first = json!([
            finding("多数产品分三档定价", &[1], true),
            finding("图书馆员常常独自值班", &[2], true),
            finding("图书馆预算没有来源", &[], false),
        ]);
        let second = json!([finding("独自值班的图书馆员需要短练习", &[1], true)]);
        let outline = Field {
            path: "outline".into(),
            value: json!({"lessons": [{"title": "一个人的图书馆", "exercise": "独自值班时做的练习"}]}),
            ..Field::default()
        };
        let lesson = Field {
            path: "lessons/1".into(),
            title: "课文 1".into(),
            depends_on: vec!["research/report?relevant".into(), "outline#/lessons/0".into()],
            item: Some(Item { of: "lessons".into(), index: 0 }),
            ..Field::default()
        };
        let fields = [
            report("research/report", &first, &["https://a/", "https://b/"]),
            report("research/question_1", &second, &["https://c/"]),
            outline,
            lesson,
        ];
        let board = FieldBoard::new(&fields);
        let notes = concerning(&board, &fields[3]);
        let claims: Vec<&str> = notes.findings.iter().map(|found| found.claim.as_str()).collect();
        assert_eq!(claims, ["独自值班的图书馆员需要短练习", "图书馆员常常独自值班"]);
        let numbers: Vec<usize> = notes.sources.iter().map(|source| source.number).collect();
        assert_eq!(numbers, [2, 3], "numbers of the project, not of a report");
        assert!(notes.text().contains("[3] 题 https://c/"), "{}", notes.text());
        // A field without an entry gets all supported findings.
        assert_eq!(concerning(&board, &Field::default()).findings.len(), 3);
    }
}
