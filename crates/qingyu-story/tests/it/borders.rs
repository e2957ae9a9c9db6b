//! Stories that stand just within what a rule reports, or just beyond it.
//!
//! The example and the near miss of a rule's page show what it is about; these show where it ends.

use qingyu_story::check::check;
use qingyu_story::{Config, Story};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Borders {
    border: Vec<Border>,
}

/// One story, and how often the rule reports something in it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Border {
    rule: String,
    /// What decides.
    because: String,
    times: usize,
    story: String,
}

#[test]
fn every_rule_ends_where_it_should() {
    let borders: Borders = toml::from_str(include_str!("borders.toml")).unwrap();
    let mut wrong = Vec::new();
    for Border { rule, because, times, story } in borders.border {
        let mut unknown = Vec::new();
        let mut read = serde_json::Deserializer::from_str(&story);
        let story: Result<Story, _> = serde_ignored::deserialize(&mut read, |path| unknown.push(path.to_string()));
        let story = story.unwrap_or_else(|error| panic!("{rule}, {because}: {error}"));
        assert!(unknown.is_empty(), "{rule}, {because}: a story has no {}", unknown.join(", "));
        let found = check(&story, &Config::default());
        let own = found.iter().filter(|issue| issue.code.as_deref() == Some(&rule)).count();
        if own != times {
            let all: Vec<_> =
                found.iter().map(|issue| (issue.code.as_deref().unwrap_or_default(), &issue.title)).collect();
            wrong.push(format!("{rule} reports {own} and not {times}, {because}: {all:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
