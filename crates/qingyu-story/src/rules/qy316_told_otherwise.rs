//! QY316: a chapter tells a planned event with another time or place, without somebody planned, or without a planned death.

use std::collections::BTreeMap;

use serde_json::json;

use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::settlement::{Differs, open_differences};
use crate::time::{day_of, in_digits_like, with_year};
use crate::{Action, Category, Document, Language, Severity, TimelineEvent};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy316_told_otherwise.toml");
    Rule::new("QY316", (Severity::Medium, Category::Consistency, "timeline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let story = material.story;
    let contradictions = open_differences(story).into_iter().filter(|(.., differs)| differs.is_contradiction());
    let mut drafts = Vec::new();
    let mut dates: BTreeMap<(String, String), (&Document, Vec<ToldDate<'_>>)> = BTreeMap::new();
    for (document, at, differs) in contradictions {
        let event = &story.timeline_events[at];
        if differs.field == "timestamp" {
            let key = (handle(document), days(event, differs));
            dates.entry(key).or_insert_with(|| (document, Vec::new())).1.push((event, differs));
        } else {
            drafts.push(draft(document, event, differs, story.language));
        }
    }
    for ((_, days), (document, told)) in dates {
        drafts.push(match told.as_slice() {
            [(event, differs)] => draft(document, event, differs, story.language),
            _ => dated(document, &days, told),
        });
    }
    drafts
}

/// A planned event, and the other time that a text gives it.
type ToldDate<'s> = (&'s TimelineEvent, &'s Differs);

/// Returns the planned day and the told one.
fn days(event: &TimelineEvent, differs: &Differs) -> String {
    let planned = event.timestamp.trim();
    format!("{} {}", day_of(planned), day_of(&with_year(planned, &differs.told)))
}

/// Returns the finding about several events that a text tells on one other day: one date, and one question.
fn dated(document: &Document, days: &str, mut told: Vec<ToldDate<'_>>) -> FindingDraft {
    told.sort_by_key(|(event, differs)| (document.text.find(differs.quote.trim()), event.id.clone()));
    let distinct = |times: Vec<&str>| {
        let mut seen: Vec<String> = Vec::new();
        for time in times {
            if !seen.iter().any(|known| known == time) {
                seen.push(time.to_owned());
            }
        }
        seen
    };
    let mut draft = FindingDraft::about([handle(document), "timestamp".to_owned(), days.to_owned()])
        .list("event", distinct(told.iter().map(|(event, _)| event.title.trim()).collect()))
        .say("chapter", document.title.trim())
        .list("planned", distinct(told.iter().map(|(event, _)| event.timestamp.trim()).collect()))
        .list("told", distinct(told.iter().map(|(_, differs)| differs.told.trim()).collect()))
        .affects(document.title.trim());
    for (event, differs) in told {
        let title = event.title.trim();
        let time = as_planned(event, differs.told.trim());
        draft = draft
            .affects(title)
            .quote(anchor(PieceKind::Event, event, "timestamp"), event.timestamp.trim())
            .quote(anchor(PieceKind::Document, document, "text"), differs.quote.trim())
            .fix("follow", Action::Update, PieceKind::Event, target(event, json!({ "timestamp": time })))
            .fix_says("told", format!("{title} {time}"));
    }
    draft.fix_text("rewrite", document, &[])
}

fn draft(document: &Document, event: &TimelineEvent, differs: &Differs, language: Language) -> FindingDraft {
    let name = differs.told.trim();
    let (field, subject) = match differs.field.as_str() {
        field @ ("participants" | "deaths") => (field, format!("{field} {name}")),
        field => (field, field.to_owned()),
    };
    let (planned, told) = match (field, language) {
        ("participants", Language::Zh) => (format!("有{name}"), format!("没有{name}")),
        ("participants", Language::En) => (format!("with {name}"), format!("without {name}")),
        ("deaths", Language::Zh) => (format!("{name}死去"), format!("{name}没有死去")),
        ("deaths", Language::En) => (format!("the death of {name}"), format!("no death of {name}")),
        ("timestamp", _) => (event.timestamp.trim().to_owned(), name.to_owned()),
        _ => (event.location.as_deref().unwrap_or_default().trim().to_owned(), name.to_owned()),
    };
    let (evidence, change) = match field {
        "participants" => (name, json!({ "remove_participants": [differs.told] })),
        "deaths" => (name, json!({ "remove_deaths": [differs.told] })),
        "timestamp" => (planned.as_str(), json!({ "timestamp": as_planned(event, name) })),
        field => (planned.as_str(), json!({ field: name })),
    };
    FindingDraft::about([handle(event), handle(document), subject])
        .say("event", event.title.trim())
        .say("chapter", document.title.trim())
        .say("planned", &planned)
        .say("told", &told)
        .affects(event.title.trim())
        .affects(document.title.trim())
        .quote(anchor(PieceKind::Event, event, field), evidence)
        .quote(anchor(PieceKind::Document, document, "text"), differs.quote.trim())
        .fix("follow", Action::Update, PieceKind::Event, target(event, change))
        .fix_text("rewrite", document, &[])
}

/// Returns a told time in the form of the planned one, if that is in digits; other times in the words of the text.
fn as_planned(event: &TimelineEvent, told: &str) -> String {
    in_digits_like(&event.timestamp, told).unwrap_or_else(|| told.to_owned())
}
