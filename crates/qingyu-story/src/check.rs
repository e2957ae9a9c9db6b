//! The checker: runs the rules over a story and gives what they find.

mod checker;
mod coverage;
mod fix;
mod ledger;
mod neighbours;
mod sarif;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::{self, Checked, Draft, Material, Rule};
use crate::side_by_side::processors;
use crate::{CorrectionInstruction, Issue, Manuscript, Severity, Story};
use ledger::{Ledger, Wording};

pub use checker::{Checker, Effort};
pub use coverage::coverage;
pub use fix::{Applied, Fixes, Skip, fix};
pub use sarif::sarif;

/// Which rules run, and how bad their findings are.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Config {
    /// What holds instead of a rule's own severity, by code (`QY103`) or the beginning of codes (`QY1`, `QY`); the
    /// longest match decides. In settings `off`, `low`, `medium`, `high` or `critical`.
    #[serde(with = "grades")]
    #[schemars(with = "BTreeMap<String, String>")]
    pub severities: BTreeMap<String, Option<Severity>>,
}

impl Config {
    /// How bad a finding of the rule is; `None` if the rule is switched off.
    pub fn severity(&self, code: &str, default: Severity) -> Option<Severity> {
        let matching = self.severities.iter().filter(|(prefix, _)| code.starts_with(prefix.as_str()));
        matching.max_by_key(|(prefix, _)| prefix.len()).map_or(Some(default), |(_, severity)| *severity)
    }
}

/// A finding of a rule: the issue for the report, and what would mend it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// What was found.
    pub issue: Issue,
    /// What to do about it; each can be read by [`edit::from_instruction`](crate::edit::from_instruction). Empty if only
    /// the author can tell.
    pub instructions: Vec<CorrectionInstruction>,
}

/// What the rules find in `story`, worst first, in the language of the story. What is waived comes last, without
/// instructions.
///
/// Does not depend on the order of the story's lists: ties are broken by code and id.
pub fn findings(story: &Story, config: &Config) -> Vec<Finding> {
    findings_with(story, config, &mut Manuscript::default())
}

/// As [`findings`], but reads only those texts that `manuscript` does not know yet.
pub fn findings_with(story: &Story, config: &Config, manuscript: &mut Manuscript) -> Vec<Finding> {
    let material = Material::with(story, manuscript.chapters(story));
    let mut ledger = Ledger::default();
    let rules: Vec<_> = running(config).collect();
    for ((rule, severity), drafts) in rules.iter().zip(look(&rules, &material)) {
        ledger.replace((rule, *severity), drafts, Wording::of(story));
    }
    conclude(&mut ledger, story, config);
    ledger.into_findings()
}

/// The rules that run, with how bad their findings are.
fn running(config: &Config) -> impl Iterator<Item = (&'static Rule, Severity)> {
    rules::all().iter().filter_map(|rule| Some((rule, config.severity(rule.code, rule.severity)?)))
}

/// What each of the rules finds; in a long story they look side by side, one on each processor.
fn look(rules: &[(&Rule, Severity)], material: &Material<'_>) -> Vec<Vec<Draft>> {
    const LONG: usize = 2000;
    let story = material.story;
    let pieces = story.facts.len() + story.timeline_events.len() + story.outline_nodes.len();
    let is_long = pieces + material.chapters.len() * 20 >= LONG;
    let threads = if is_long { processors().min(rules.len()) } else { 1 };
    if threads == 1 {
        return rules.iter().map(|(rule, _)| rule.look(material)).collect();
    }
    let open: Mutex<VecDeque<usize>> = Mutex::new((0..rules.len()).collect());
    // What several rules look up is read by the first that asks. Neighbours ask for the same: those who take from the two
    // ends seldom wait for each other.
    let take = |from_front: bool| {
        let next = || {
            let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
            if from_front { open.pop_front() } else { open.pop_back() }
        };
        std::iter::from_fn(next).map(|number| (number, rules[number].0.look(material))).collect::<Vec<_>>()
    };
    let take = &take;
    let mut found: Vec<(usize, Vec<Draft>)> = std::thread::scope(|scope| {
        let lookers: Vec<_> = (0..threads).map(|looker| scope.spawn(move || take(looker % 2 == 0))).collect();
        lookers.into_iter().flat_map(|looker| looker.join().expect("rules do not panic")).collect()
    });
    found.sort_by_key(|(number, _)| *number);
    found.into_iter().map(|(_, drafts)| drafts).collect()
}

/// Runs the rules about what all others found.
fn conclude(ledger: &mut Ledger, story: &Story, config: &Config) {
    let about: Vec<_> = running(config).filter(|(rule, _)| rule.is_about_findings()).collect();
    let wording = Wording { waivers: &[], ..Wording::of(story) };
    for (rule, severity) in &about {
        ledger.replace((rule, *severity), Vec::new(), wording);
    }
    let findings: Vec<&Finding> = ledger.findings().collect();
    let checked = Checked { story, config, findings: &findings };
    let drafts: Vec<_> = about.iter().map(|(rule, _)| rule.look_at_findings(&checked)).collect();
    for ((rule, severity), drafts) in about.into_iter().zip(drafts) {
        ledger.replace((rule, severity), drafts, wording);
    }
}

/// The issues of [`findings`].
pub fn check(story: &Story, config: &Config) -> Vec<Issue> {
    findings(story, config).into_iter().map(|finding| finding.issue).collect()
}

/// What would mend `issue`, if a rule still finds it in `story`.
pub fn instructions_for(story: &Story, issue: &Issue) -> Vec<CorrectionInstruction> {
    let Some(rule) = issue.code.as_deref().and_then(rules::rule) else { return Vec::new() };
    let mut ledger = Ledger::default();
    let wording = Wording { waivers: &[], ..Wording::of(story) };
    ledger.replace((rule, issue.severity), rule.look(&Material::of(story)), wording);
    let found = ledger.into_findings().into_iter().find(|finding| finding.issue.id == issue.id);
    found.map(|finding| finding.instructions).unwrap_or_default()
}

/// What an issue costs in [`score`].
pub fn penalty(severity: Severity) -> u32 {
    match severity {
        Severity::Critical => 30,
        Severity::High => 15,
        Severity::Medium => 6,
        Severity::Low => 2,
    }
}

/// The quality score that follows from `issues`: 100 less the [`penalty`] of each, never below 0.
///
/// What is waived costs nothing. All issues of one rule together cost at most 40, so that one slip that shows in fifty places does not hide all else.
/// Issues that no rule found are counted one by one.
pub fn score<'i>(issues: impl IntoIterator<Item = &'i Issue>) -> u8 {
    const MOST_PER_RULE: u32 = 40;
    let mut per_rule: BTreeMap<&str, u32> = BTreeMap::new();
    let mut total = 0;
    for issue in issues.into_iter().filter(|issue| issue.waived.is_none()) {
        match &issue.code {
            Some(code) => *per_rule.entry(code).or_default() += penalty(issue.severity),
            None => total += penalty(issue.severity),
        }
    }
    total += per_rule.into_values().map(|sum| sum.min(MOST_PER_RULE)).sum::<u32>();
    u8::try_from(100_u32.saturating_sub(total)).expect("at most 100")
}

mod grades {
    use super::{BTreeMap, Severity};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Grade {
        At(Severity),
        Off(Off),
    }

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Off {
        Off,
    }

    pub(super) fn serialize<S: Serializer>(
        severities: &BTreeMap<String, Option<Severity>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let grade = |severity: &Option<Severity>| severity.map_or(Grade::Off(Off::Off), Grade::At);
        serializer.collect_map(severities.iter().map(|(code, severity)| (code, grade(severity))))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<String, Option<Severity>>, D::Error> {
        let grades = BTreeMap::<String, Grade>::deserialize(deserializer)?;
        let severity = |grade| match grade {
            Grade::At(severity) => Some(severity),
            Grade::Off(Off::Off) => None,
        };
        Ok(grades.into_iter().map(|(code, grade)| (code, severity(grade))).collect())
    }
}
