//! Tools for the story as a whole: the checker, the ground truth, and the impact of a change.

pub mod ask_facts;
pub mod check;
pub mod impact;

use qingyu_story::rules::{self, Rule};
use qingyu_story::{Config, Issue};

/// Returns a configuration with only the wanted rules enabled, as far as `config` enables them, at the same severity.
pub(crate) fn only(config: &Config, is_wanted: impl Fn(&Rule) -> bool) -> Config {
    let wanted = rules::all().iter().filter(|rule| is_wanted(rule));
    let severities = wanted.map(|rule| (rule.code.to_owned(), config.severity(rule.code, rule.severity)));
    // The empty prefix matches all codes, and the longest match decides.
    Config { severities: severities.chain([(String::new(), None)]).collect(), ..config.clone() }
}

/// Iterates over the names and ids in an issue: affected pieces and the locations of its evidence.
pub(crate) fn touched(issue: &Issue) -> impl Iterator<Item = &str> {
    let anchors = issue.evidence.iter().flat_map(|evidence| evidence.anchor.split('/'));
    issue.affected_entities.iter().map(String::as_str).chain(anchors)
}
