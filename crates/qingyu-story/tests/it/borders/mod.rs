//! Stories that stand just within what a rule reports, or just beyond it.
//!
//! The example and the near miss of a rule's page show what it is about; these show where it ends.

use qingyu_story::check::{Finding, findings};
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
    /// Words that one of its findings has somewhere.
    says: Option<String>,
    /// How many quotes its findings have together.
    quotes: Option<usize>,
    /// How many ways to mend it they have together.
    fixes: Option<usize>,
    story: String,
}

const FILES: [&str; 10] = [
    include_str!("knowledge.toml"),
    include_str!("lives.toml"),
    include_str!("names.toml"),
    include_str!("outline.toml"),
    include_str!("promises.toml"),
    include_str!("prose.toml"),
    include_str!("relations.toml"),
    include_str!("things.toml"),
    include_str!("times.toml"),
    include_str!("world.toml"),
];

fn borders() -> impl Iterator<Item = Border> {
    FILES.into_iter().flat_map(|file| toml::from_str::<Borders>(file).expect("borders are read").border)
}

impl Border {
    fn read(&self) -> Story {
        let Self { rule, because, story, .. } = self;
        let mut unknown = Vec::new();
        let mut json = serde_json::Deserializer::from_str(story);
        let story: Result<Story, _> = serde_ignored::deserialize(&mut json, |path| unknown.push(path.to_string()));
        assert!(unknown.is_empty(), "{rule}, {because}: a story has no {}", unknown.join(", "));
        story.unwrap_or_else(|error| panic!("{rule}, {because}: {error}"))
    }
}

/// The stories of the rules' examples and of all borders.
pub(crate) fn stories() -> impl Iterator<Item = Story> {
    let rules = qingyu_story::rules::all().iter();
    rules.flat_map(|rule| [rule.fires().story(), rule.spares().story()]).chain(borders().map(|border| border.read()))
}

/// Those that have facts: in them, rules have something to compare.
pub(crate) fn examples() -> Vec<Story> {
    stories().filter(|story| !story.facts.is_empty()).collect()
}

#[test]
fn every_rule_ends_where_it_should() {
    let mut wrong = Vec::new();
    for border in borders() {
        let found = findings(&border.read(), &Config::default());
        let Border { rule, because, times, says, quotes, fixes, .. } = border;
        let is_own = |finding: &&Finding| finding.issue.code.as_deref() == Some(&rule);
        let own: Vec<&Finding> = found.iter().filter(is_own).collect();
        let own_quotes: usize = own.iter().map(|finding| finding.issue.evidence.len()).sum();
        let own_fixes: usize = own.iter().map(|finding| finding.instructions.len()).sum();
        let has_words = |words: &String| own.iter().any(|own| serde_json::to_string(own).unwrap().contains(words));
        let is_right = own.len() == times
            && says.is_none_or(|words| has_words(&words))
            && quotes.is_none_or(|quotes| quotes == own_quotes)
            && fixes.is_none_or(|fixes| fixes == own_fixes);
        if !is_right {
            let all: Vec<_> = found.iter().map(|one| (one.issue.code.as_deref(), &one.issue.title)).collect();
            wrong.push(format!("{rule}, {because}: {own:#?}, of all {all:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
