//! Reads exported stories again by the rules, checks them, and prints facts and findings: `recheck STORY.json...`. A
//! story is exported by `qingyu export-story`; its statements are read anew from its chapters, its cast stays.
//!
//! `cargo run --release -p qingyu-story --example recheck -- STORY.json...`

use std::collections::BTreeMap;

use qingyu_story::{Config, Document, Story, findings, settlement};
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args().skip(1) {
        let mut story: Story = serde_json::from_str(&std::fs::read_to_string(&path)?)?;
        story.facts.clear();
        story.documents.iter_mut().for_each(|document| document.settled = None);
        let read = |story: &Story, document: &Document| settlement::extract(story, &document.id);
        let story = settlement::rebuild(&story, settlement::Config::default(), |_| true, read)?.story;
        let found = findings(&story, &Config::default());
        let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
        for finding in &found {
            *rules.entry(finding.issue.code.as_deref().unwrap_or("none")).or_default() += 1;
        }
        println!("{path}: {} chapters, {} facts, {rules:?}", story.documents.len(), story.facts.len());
        let facts: Vec<_> = story
            .facts
            .iter()
            .map(|fact| json!({ "fact": fact.label(), "mode": fact.mode, "source": fact.source }))
            .collect();
        let issues: Vec<_> = found.iter().map(|finding| &finding.issue).collect();
        let report = serde_json::to_string_pretty(&json!({ "facts": facts, "findings": issues }))?;
        std::fs::write(format!("{path}.checked"), report)?;
    }
    Ok(())
}
