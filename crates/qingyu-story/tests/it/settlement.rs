//! Settling chapters, taking that back, following edits, and what the checker then sees.

mod contradictions;
mod corpus;
mod edits;
mod kin;
mod laws;
mod other_names;
mod panels;
mod parts_of_names;
mod places;
mod presence;
mod secrets;
mod statements;
mod told_otherwise;
mod unsupported;
mod vocabulary;

use qingyu_story::settlement::extraction::{ToldEvent, ToldFact};
use qingyu_story::settlement::{Config, Extraction, Reason, Settlement, extract, settle};
use qingyu_story::{Document, Story};
use serde_json::{Value, json};

/// The outline nodes and the documents of chapters with these texts.
fn chapters(texts: &[&str]) -> (Value, Value) {
    let nodes = texts.iter().enumerate().map(|(at, _)| {
        json!({ "id": format!("o-{}", at + 1), "name": format!("第{}章 夜{}", at + 1, at + 1), "order": at + 1 })
    });
    let documents = texts.iter().enumerate().map(|(at, text)| {
        json!({
            "id": format!("d-{}", at + 1), "title": format!("正文{}", at + 1), "order": at + 1, "version": 1,
            "outline_node": format!("o-{}", at + 1), "text": text,
        })
    });
    (nodes.collect(), documents.collect())
}

/// A story of a few cards and chapters; each chapter is an outline node and its prose.
pub(crate) fn book(texts: &[&str]) -> Story {
    let (nodes, documents) = chapters(texts);
    serde_json::from_value(json!({
        "characters": [
            { "id": "c-1", "name": "林深", "alias": ["阿深"] },
            { "id": "c-2", "name": "周建国" },
            { "id": "c-3", "name": "Mara Hale", "alias": ["Mara"] },
        ],
        "worldview": {
            "locations": [{ "id": "l-1", "name": "旧港" }],
            "items": [{ "id": "i-1", "name": "铜钥匙" }],
        },
        "outline_nodes": nodes,
        "documents": documents,
    }))
    .expect("it is a story")
}

pub(crate) fn fact(subject: &str, predicate: &str, value: impl Into<Value>, quote: &str) -> ToldFact {
    ToldFact {
        subject: subject.into(),
        predicate: predicate.into(),
        value: value.into(),
        quote: quote.into(),
        confidence: 0.9,
        ..ToldFact::default()
    }
}

pub(crate) fn event(title: &str, people: &[&str], quote: &str) -> ToldEvent {
    ToldEvent {
        title: title.into(),
        participants: people.iter().map(|name| (*name).to_owned()).collect(),
        quote: quote.into(),
        importance: 5,
        confidence: 0.9,
        ..ToldEvent::default()
    }
}

pub(crate) fn facts(facts: Vec<ToldFact>) -> Extraction {
    Extraction { facts, ..Extraction::default() }
}

#[track_caller]
pub(crate) fn put(story: &mut Story, document: &str, extraction: &Extraction) -> Settlement {
    settle(story, document, extraction, Config::default()).expect("the document is there")
}

/// Returns why statements were refused or asked about.
pub(crate) fn reasons(settlement: &Settlement) -> Vec<&Reason> {
    settlement.rejected.iter().map(|rejected| &rejected.reason).collect()
}

/// Settles every chapter by the rules.
pub(crate) fn by_rules(story: &mut Story) {
    for document in story.documents.clone() {
        let extraction = extract(story, &document.id).expect("the document is there");
        put(story, &document.id, &extraction);
    }
}

/// The facts, in a line each.
pub(crate) fn lines(story: &Story) -> Vec<String> {
    story.facts.iter().map(|fact| format!("{} {}", fact.id, fact.label())).collect()
}

/// The document with other words, as an edit by hand makes it.
pub(crate) fn rewrite(story: &mut Story, position: usize, text: &str) -> (Document, Document) {
    let before = story.documents[position].clone();
    let document = &mut story.documents[position];
    document.text = text.to_owned();
    document.version += 1;
    (before, document.clone())
}
