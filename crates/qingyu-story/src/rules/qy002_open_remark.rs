//! QY002: an unresolved remark by a model about a chapter.

use std::collections::BTreeSet;

use super::{FindingDraft, Rule, RuleMaterial};
use crate::{Category, Remark, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy002_open_remark.toml");
    Rule::new("QY002", (Severity::Medium, Category::Quality, "style"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let mut drafts = Vec::new();
    for chapter in &material.chapters {
        let document = chapter.document;
        // Whether a disputed remark is right is for the author to decide, however small it is.
        let is_grave =
            |remark: &Remark| remark.severity >= Severity::Medium || document.dispute_of(None, &remark.quote).is_some();
        let is_reported = |remark: &&Remark| !remark.quote.trim().is_empty() && is_grave(remark);
        let mut seen = BTreeSet::new();
        for remark in document.remarks.iter().filter(is_reported) {
            let quote = remark.quote.trim();
            let Some(at) = document.text.find(quote) else { continue };
            let fix = if remark.fix.trim().is_empty() { "look" } else { "mend" };
            // Every reading names a sentence in words of its own; a waiver is about the sentence.
            let is_first = seen.insert(quote);
            let title = Some(remark.title.trim()).filter(|_| !is_first);
            let draft = FindingDraft::about([chapter.handle(), quote].into_iter().chain(title))
                .with_severity(remark.severity)
                .say("title", remark.title.trim())
                .say("why", remark.why.trim())
                .say("fix", remark.fix.trim())
                .affects(chapter.title())
                .quote(chapter.anchor(&(at..at + quote.len())), quote)
                .fix_text(fix, document, &[]);
            drafts.push(match area(&remark.dimension) {
                Some((sub_category, category)) => draft.found_by_model(sub_category, category),
                None => draft,
            });
        }
    }
    drafts
}

/// Returns the area and kind of an issue that a reviewer found in a dimension; `None` for no dimension of a reviewer.
fn area(dimension: &str) -> Option<(&'static str, Category)> {
    Some(match dimension {
        "task" => ("outline", Category::Completeness),
        "setting" => ("worldview", Category::Consistency),
        "timeline" => ("timeline", Category::Consistency),
        "continuity" => ("continuity", Category::Consistency),
        "character" => ("character", Category::Consistency),
        "logic" => ("plot", Category::Rationality),
        "style" => ("style", Category::Quality),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use crate::{Category, Config, Dispute, Document, Remark, Severity, Source, Story, Waiver, findings};

    #[test]
    fn a_remark_keeps_its_severity_unless_the_settings_give_another() {
        let remark = |severity, quote: &str| Remark { severity, quote: quote.into(), ..Remark::default() };
        let document = Document {
            id: "d-1".into(),
            title: "第一章".into(),
            order: 1,
            text: "雨停了。他揣着手炉。".into(),
            remarks: vec![remark(Severity::Medium, "雨停了。"), remark(Severity::High, "他揣着手炉。")],
            ..Document::default()
        };
        let story = Story { documents: vec![document], ..Story::default() };
        let found = |config: &Config| {
            let found = findings(&story, config).into_iter();
            let found = found.filter(|one| one.issue.code.as_deref() == Some("QY002"));
            found.map(|one| one.issue.severity).collect::<Vec<_>>()
        };
        assert_eq!(found(&Config::default()), [Severity::High, Severity::Medium]);
        let severities = [("QY002".to_owned(), Some(Severity::Low))].into();
        let config = Config { severities, ..Config::default() };
        assert_eq!(found(&config), [Severity::Low, Severity::Low]);
    }

    #[test]
    fn a_model_s_remark_keeps_its_area_and_says_who_found_it() {
        let remark = |dimension: &str, quote: &str| Remark {
            severity: Severity::Medium,
            quote: quote.into(),
            dimension: dimension.into(),
            ..Remark::default()
        };
        let document = Document {
            id: "d-1".into(),
            title: "第一章".into(),
            order: 1,
            text: "雨停了。他揣着手炉。".into(),
            remarks: vec![remark("continuity", "他揣着手炉。"), remark("", "雨停了。")],
            ..Document::default()
        };
        let found = findings(
            &Story { documents: vec![document], ..Story::default() },
            &Config::only("QY002", Severity::Medium),
        );
        let mut kinds: Vec<_> =
            found.iter().map(|one| (one.issue.sub_category.as_str(), one.issue.category, one.issue.source)).collect();
        kinds.sort_by_key(|kind| kind.0);
        let of_model = ("continuity", Category::Consistency, Source::Model);
        assert_eq!(kinds, [of_model, ("style", Category::Quality, Source::Rule)]);
    }

    #[test]
    fn a_finding_that_an_agent_disputes_says_why() {
        let document = |text: &str| Document {
            id: "d-1".into(),
            title: "第一章".into(),
            order: 1,
            text: text.into(),
            remarks: vec![Remark { severity: Severity::High, quote: "他揣着手炉。".into(), ..Remark::default() }],
            disputes: vec![Dispute {
                quote: "他揣着手炉。".into(),
                reason: "上一章给了他".into(),
                ..Dispute::default()
            }],
            ..Document::default()
        };
        let story = Story { documents: vec![document("雨停了。他揣着手炉。")], ..Story::default() };
        let found = findings(&story, &Config::only("QY002", Severity::Medium));
        assert_eq!(found[0].issue.disputed.as_deref(), Some("上一章给了他"));
        assert!(found[0].issue.waived.is_none(), "the author decides");
    }

    #[test]
    fn a_disputed_remark_is_reported_whatever_its_severity() {
        let remark = |quote: &str| Remark { severity: Severity::Low, quote: quote.into(), ..Remark::default() };
        let dispute =
            Dispute { quote: "他揣着手炉。".into(), reason: "上一章给了他".into(), ..Dispute::default() };
        let document = Document {
            id: "d-1".into(),
            title: "第一章".into(),
            order: 1,
            text: "雨停了。他揣着手炉。".into(),
            remarks: vec![remark("雨停了。"), remark("他揣着手炉。")],
            disputes: vec![dispute],
            ..Document::default()
        };
        let found = findings(
            &Story { documents: vec![document], ..Story::default() },
            &Config::only("QY002", Severity::Medium),
        );
        let told: Vec<_> = found.iter().map(|one| (one.issue.severity, one.issue.disputed.as_deref())).collect();
        assert_eq!(told, [(Severity::Low, Some("上一章给了他"))]);
    }

    #[test]
    fn a_sentence_that_was_waived_stays_so_when_a_later_reading_names_it_in_other_words() {
        let remark = |title: &str| Remark {
            severity: Severity::Medium,
            title: title.into(),
            quote: "他揣着手炉。".into(),
            why: "前文没有手炉".into(),
            ..Remark::default()
        };
        let story = |titles: &[&str]| Story {
            documents: vec![Document {
                id: "d-1".into(),
                title: "第一章".into(),
                order: 1,
                text: "雨停了。他揣着手炉。".into(),
                remarks: titles.iter().map(|title| remark(title)).collect(),
                ..Document::default()
            }],
            ..Story::default()
        };
        let found = |story: &Story| {
            let found = findings(story, &Config::default()).into_iter();
            let found = found.filter(|one| one.issue.code.as_deref() == Some("QY002"));
            found.map(|one| (one.issue.id, one.issue.waived.is_some())).collect::<Vec<_>>()
        };
        let first = found(&story(&["手炉不是他的"]));
        let waiver =
            Waiver {
                finding: first[0].0.clone(), reason: "有意".into(), owner: "作者".into(), ..Waiver::default()
            };
        let later = Story { waivers: vec![waiver], ..story(&["手炉从哪里来"]) };
        assert_eq!(found(&later), [(first[0].0.clone(), true)]);
        assert_eq!(found(&story(&["手炉从哪里来", "天气太热"])).len(), 2, "two things may be wrong with a sentence");
    }
}
