//! Runs the rules over a story.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use super::finding::{Config, Finding};
use super::ledger::{FindingLedger, Wording};
use crate::rules::{self, CheckedStory, FindingDraft, Rule, RuleMaterial};
use crate::settlement::as_told;
use crate::side_by_side::processors;
use crate::{Issue, Manuscript, Severity, Story};

/// The code of the rule about texts that tell a planned event otherwise.
pub(super) const TOLD_OTHERWISE: &str = "QY316";

/// Returns the findings in `story`, most severe first, in the story's language. Waived findings are last and have no
/// instructions.
///
/// The result is independent of the order of the story's lists: ties are broken by code and id.
pub fn findings(story: &Story, config: &Config) -> Vec<Finding> {
    findings_with(story, config, &mut Manuscript::default())
}

/// Same as [`findings`], but parses only texts missing from the cache `manuscript`.
pub fn findings_with(story: &Story, config: &Config, manuscript: &mut Manuscript) -> Vec<Finding> {
    // Until the author decides, what a text tells of a planned event counts, and not the plan.
    let told = as_told(story);
    let material = RuleMaterial::with(&told, manuscript.chapters(&told)).knowing(config);
    let mut ledger = FindingLedger::default();
    let rules: Vec<_> = running(config).collect();
    let wording = Wording::of(story);
    for ((rule, severity), drafts) in rules.iter().zip(look(&rules, &material)) {
        ledger.replace((rule, *severity), drafts, &wording);
    }
    if matches!(told, Cow::Owned(_)) {
        let planned = RuleMaterial::with(story, Vec::new());
        for (rule, severity) in rules.iter().filter(|(rule, _)| reads_plan(rule)) {
            ledger.replace((rule, *severity), rule.look(&planned), &wording);
        }
    }
    conclude(&mut ledger, story, config);
    ledger.into_findings()
}

/// Returns whether the rule holds events as told against those as planned; all others read them as told.
pub(super) fn reads_plan(rule: &Rule) -> bool {
    rule.code == TOLD_OTHERWISE
}

/// Returns the enabled rules with their severity. Rules about earlier books run only if there are any.
pub(super) fn running(config: &Config) -> impl Iterator<Item = (&'static Rule, Severity)> {
    let meant = rules::all().iter().filter(move |rule| rule.has_books(config));
    meant.filter_map(|rule| Some((rule, config.severity(rule.code, rule.severity)?)))
}

/// Returns the drafts of each rule; a long story is checked in parallel on all processors.
pub(super) fn look(rules: &[(&Rule, Severity)], material: &RuleMaterial<'_>) -> Vec<Vec<FindingDraft>> {
    const LONG: usize = 2000;
    let story = material.story;
    let pieces = story.facts.len() + story.timeline_events.len() + story.outline_nodes.len();
    let is_long = pieces + material.chapters.len() * 20 >= LONG;
    let threads = if is_long { processors().min(rules.len()) } else { 1 };
    if threads == 1 {
        return rules.iter().map(|(rule, _)| rule.look(material)).collect();
    }
    let open: Mutex<VecDeque<usize>> = Mutex::new((0..rules.len()).collect());
    // Values shared by several rules are computed by the first rule to need them. Adjacent rules need the same values,
    // so threads taking rules from both ends seldom wait for each other's locks.
    let take = |from_front: bool| {
        let next = || {
            let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
            if from_front { open.pop_front() } else { open.pop_back() }
        };
        std::iter::from_fn(next).map(|number| (number, rules[number].0.look(material))).collect::<Vec<_>>()
    };
    let take = &take;
    let mut found: Vec<(usize, Vec<FindingDraft>)> = std::thread::scope(|scope| {
        let lookers: Vec<_> = (0..threads).map(|looker| scope.spawn(move || take(looker % 2 == 0))).collect();
        lookers.into_iter().flat_map(|looker| looker.join().expect("rules do not panic")).collect()
    });
    found.sort_by_key(|(number, _)| *number);
    found.into_iter().map(|(_, drafts)| drafts).collect()
}

/// Runs the rules about the findings of all other rules.
pub(super) fn conclude(ledger: &mut FindingLedger, story: &Story, config: &Config) {
    let about: Vec<_> = running(config).filter(|(rule, _)| rule.is_about_findings()).collect();
    let wording = Wording::without_waivers(story);
    for (rule, severity) in &about {
        ledger.replace((rule, *severity), Vec::new(), &wording);
    }
    let findings: Vec<&Finding> = ledger.findings().collect();
    let checked = CheckedStory { story, config, rules: rules::all(), findings: &findings };
    let drafts: Vec<_> = about.iter().map(|(rule, _)| rule.look_at_findings(&checked)).collect();
    for ((rule, severity), drafts) in about.into_iter().zip(drafts) {
        ledger.replace((rule, severity), drafts, &wording);
    }
}

/// Returns the issues of [`findings`].
pub fn check(story: &Story, config: &Config) -> Vec<Issue> {
    findings(story, config).into_iter().map(|finding| finding.issue).collect()
}
