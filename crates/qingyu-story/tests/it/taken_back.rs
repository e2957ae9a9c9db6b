//! Facts that have been taken back.

use std::collections::BTreeSet;

use qingyu_story::{Config, Mode, Story, findings};

use crate::borders::examples;

/// What is found in a story, without the ids of what it is about.
fn found(story: &Story) -> BTreeSet<(String, String)> {
    let code = |code: &Option<String>| code.clone().unwrap_or_default();
    findings(story, &Config::default()).iter().map(|one| (code(&one.issue.code), one.issue.title.clone())).collect()
}

/// A fact that has been taken back says no more than one that is not there, but what it refers to must be there.
#[test]
fn what_is_taken_back_is_as_if_it_had_never_been_told() {
    for story in examples() {
        for position in 0..story.facts.len() {
            let mut taken_back = story.clone();
            taken_back.facts[position].mode = Mode::Retconned;
            let mut gone = story.clone();
            let fact = gone.facts.remove(position);
            let mut found_then = found(&taken_back);
            found_then.retain(|(code, title)| code != "QY109" || !title.contains(&fact.sentence(story.language)));
            assert_eq!(found_then, found(&gone), "{fact:#?}");
        }
    }
}
