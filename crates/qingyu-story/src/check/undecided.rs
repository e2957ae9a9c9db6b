//! Contradictions between text and plan that still await the author's decision.

use super::finding::{Config, Finding};
use super::run::{TOLD_OTHERWISE, findings};
use crate::part::anchor;
use crate::piece::PieceKind;
use crate::settlement::{Differs, open_differences};
use crate::{Document, Severity, Story};

/// Returns the contradictions between text and plan that are neither decided nor waived: the document, the position of the
/// event, and the difference.
pub fn undecided(story: &Story) -> Vec<(&Document, usize, &Differs)> {
    let open = open_differences(story).into_iter().filter(|(.., differs)| differs.is_contradiction());
    let open: Vec<(&Document, usize, &Differs)> = open.collect();
    if open.is_empty() || story.waivers.is_empty() {
        return open;
    }
    // No other rule has findings about these contradictions, and the severity does not matter.
    let config = Config::only(TOLD_OTHERWISE, Severity::Medium);
    let waived: Vec<Finding> =
        findings(story, &config).into_iter().filter(|finding| finding.issue.waived.is_some()).collect();
    let is_open = |(document, at, differs): &(&Document, usize, &Differs)| {
        !waived.iter().any(|finding| is_about(finding, story, (*document, *at, *differs)))
    };
    open.into_iter().filter(is_open).collect()
}

/// Returns whether a finding is about a difference.
fn is_about(finding: &Finding, story: &Story, (document, at, differs): (&Document, usize, &Differs)) -> bool {
    let field = differs.field.as_str();
    let of_event = anchor(PieceKind::Event, &story.timeline_events[at], field);
    let of_text = anchor(PieceKind::Document, document, "text");
    let evidence = &finding.issue.evidence;
    let is_person = matches!(field, "participants" | "deaths");
    let is_same = |quote: &str| !is_person || quote.trim() == differs.told.trim();
    evidence.iter().any(|one| one.anchor == of_event && is_same(&one.quote))
        && evidence.iter().any(|one| one.anchor == of_text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_the_author_has_waived_is_not_to_be_decided() {
        let mut story: Story = serde_json::from_value(json!({
            "language": "zh",
            "timeline_events": [{"id": "e-1", "title": "验尸", "timestamp": "景和十七年八月初二", "participants": ["沈砚秋", "裴慎之"]}],
            "documents": [{"id": "d-1", "title": "第一章", "order": 1, "text": "八月十二，沈砚秋上了堂。", "settled": {"differs": [
                {"event": "e-1", "field": "timestamp", "told": "八月十二", "quote": "八月十二，沈砚秋上了堂。"},
                {"event": "e-1", "field": "participants", "told": "裴慎之", "quote": "八月十二，沈砚秋上了堂。"}
            ]}}]
        }))
        .unwrap();
        let fields = |story: &Story| -> Vec<String> {
            undecided(story).into_iter().map(|(.., differs)| differs.field.clone()).collect()
        };
        assert_eq!(fields(&story), ["timestamp", "participants"]);
        let found = findings(&story, &Config::default());
        let of_person = found.iter().find(|finding| {
            let issue = &finding.issue;
            issue.code.as_deref() == Some(TOLD_OTHERWISE) && issue.evidence.iter().any(|one| one.quote == "裴慎之")
        });
        let finding = of_person.expect("it is reported").issue.id.clone();
        let waiver = |finding: &str| crate::Waiver {
            finding: finding.into(),
            reason: "有意".into(),
            owner: "作者".into(),
            ..crate::Waiver::default()
        };
        story.waivers = vec![waiver(&finding)];
        assert_eq!(fields(&story), ["timestamp"]);
        story.waivers = vec![waiver(TOLD_OTHERWISE)];
        assert_eq!(fields(&story), [""; 0]);
    }
}
