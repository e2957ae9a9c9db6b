//! Tools that look at the story as a whole: the checker, the ground truth, what a change touches.

pub mod ask_facts;
pub mod check;
pub mod impact;

use qingyu_story::rules::{self, Rule};
use qingyu_story::{Config, Issue};

/// A configuration in which of the rules that `config` lets run only these do, as severe as it has them.
pub(crate) fn only(config: &Config, is_wanted: impl Fn(&Rule) -> bool) -> Config {
    let wanted = rules::all().iter().filter(|rule| is_wanted(rule));
    let severities = wanted.map(|rule| (rule.code.to_owned(), config.severity(rule.code, rule.severity)));
    // The empty beginning is that of all codes, and the longest match decides.
    Config { severities: severities.chain([(String::new(), None)]).collect() }
}

/// The names and ids that an issue speaks of: what it affects, and where its evidence stands.
pub(crate) fn touched(issue: &Issue) -> impl Iterator<Item = &str> {
    let anchors = issue.evidence.iter().flat_map(|evidence| evidence.anchor.split('/'));
    issue.affected_entities.iter().map(String::as_str).chain(anchors)
}
