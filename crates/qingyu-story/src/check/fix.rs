//! Automatic application of unambiguous fixes.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::finding::{Config, Finding};
use super::plan_text::with_plan_text;
use super::run::{findings_with, reads_plan};
use crate::edit::{self, AppliedEdit, Edit};
use crate::rules::rule;
use crate::{CorrectionInstruction, Language, Manuscript, Piece, Severity, Story};

/// The result of applying fixes.
#[derive(Debug, Clone, PartialEq)]
pub struct FixReport {
    /// The story after all fixes.
    pub story: Story,
    /// The applied fixes, in order.
    pub applied: Vec<AppliedFix>,
    /// The skipped findings, by id.
    pub(crate) skipped: BTreeMap<String, SkipReason>,
}

impl FixReport {
    /// Returns the ids of the skipped findings, each with the name of the reason in machine-readable responses.
    pub fn left(&self) -> impl Iterator<Item = (&str, &'static str)> {
        self.skipped.iter().map(|(finding, reason)| (finding.as_str(), reason.name()))
    }
}

/// An applied fix.
#[derive(Debug, Clone, PartialEq)]
pub struct AppliedFix {
    /// The id of the fixed finding.
    pub finding: String,
    /// The command.
    pub edit: Edit,
    /// The effect; its inverse reverts the fix.
    pub change: AppliedEdit,
}

/// The reason for skipping a finding.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SkipReason {
    /// The finding is waived.
    Waived,
    /// The finding has no fix, several fixes, or a fix with a value only the author can supply.
    NotCertain,
    /// The fix does not fit the story.
    Refused(edit::Error),
    /// The fix would increase the number of findings of high severity.
    Harmful,
    /// The finding would remain after its fix.
    NoEffect,
    /// The finding disappeared before its turn.
    Gone,
    /// The limit of checks was reached after many reverted fixes.
    Untried,
}

impl FixReport {
    /// Returns the removed pieces, each in a line for a reader of the story.
    pub fn removed(&self) -> Vec<String> {
        let steps = self.applied.iter().flat_map(|applied| &applied.change.steps);
        let gone = steps.filter(|step| step.after.is_none()).filter_map(|step| step.before.as_ref());
        gone.map(|piece| piece.shown(self.story.language)).collect()
    }

    /// Returns the changed fields, a line each: the piece, the field, the value before and after. Of a long text, only the
    /// words around the change.
    pub fn changed(&self) -> Vec<String> {
        let steps = self.applied.iter().flat_map(|applied| &applied.change.steps);
        let updates = steps.filter_map(|step| step.before.as_ref().zip(step.after.as_ref()));
        updates.flat_map(|(before, after)| changed_fields(before, after, self.story.language)).collect()
    }
}

/// Characters shown of a long text on each side of a change.
const AROUND: usize = 12;

fn changed_fields(before: &Piece, after: &Piece, language: Language) -> Vec<String> {
    let (old, new) = (before.fields(), after.fields());
    let line = |(field, value): (&String, &Value)| {
        let known = old.get(field).unwrap_or(&Value::Null);
        let (was, is) = (plain(known)?, plain(value)?);
        let (was, is) = around_change(&was, &is);
        let shown = |text: String| if text.is_empty() { "–".to_owned() } else { text };
        Some(format!("{} · {field}: {} → {}", before.shown(language), shown(was), shown(is)))
    };
    new.iter().filter(|(field, value)| old.get(*field) != Some(*value)).filter_map(line).collect()
}

/// Returns a value as a reader writes it; `None` for one with parts of its own.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::new()),
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        Value::Array(entries) => {
            let entries: Option<Vec<&str>> = entries.iter().map(Value::as_str).collect();
            entries.map(|entries| entries.join(", "))
        }
        Value::Object(_) => None,
    }
}

/// Returns two texts without what they have in common before and behind the change, but for the words next to it.
pub(super) fn around_change(before: &str, after: &str) -> (String, String) {
    let (old, new): (Vec<char>, Vec<char>) = (before.chars().collect(), after.chars().collect());
    let shorter = old.len().min(new.len());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let tail = old.iter().rev().zip(new.iter().rev()).take(shorter - head).take_while(|(a, b)| a == b).count();
    let cut = |text: &[char]| {
        let (start, end) = (head.saturating_sub(AROUND), (text.len() - tail + AROUND).min(text.len()));
        let words: String = text[start..end].iter().collect();
        let (first, last) = (if start > 0 { "…" } else { "" }, if end < text.len() { "…" } else { "" });
        format!("{first}{}{last}", words.replace('\n', " "))
    };
    (cut(&old), cut(&new))
}

/// The maximum number of checks in one [`fix`]. Rounds need few checks; reverted fixes need many.
const MOST_CHECKS: usize = 64;

impl SkipReason {
    /// Returns the reason's name in machine-readable responses.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Waived => "waived",
            Self::NotCertain => "not_certain",
            Self::Refused(_) => "refused",
            Self::Harmful => "harmful",
            Self::NoEffect => "no_effect",
            Self::Gone => "gone",
            Self::Untried => "untried",
        }
    }
}

/// Applies, on a copy of `story`, the fixes of the `wanted` findings with exactly one fix, or with replacements in
/// several texts.
///
/// Works in rounds: each round applies at most one fix per piece, in the order of the findings, and rechecks, so that
/// the next round uses current positions. Each finding is tried once. A fix is reverted if more findings of high
/// severity result, or if its own finding remains: every finding in [`FixReport::applied`] is gone.
///
/// Only the copy is changed, so the function also serves as a dry run. Without any fix to apply nothing is checked;
/// otherwise the story is checked at most 64 times, usually once per finding of the piece with the most findings, so
/// time grows with the length of the story like a single check.
pub fn fix(story: &Story, wanted: &[Finding], config: &Config) -> FixReport {
    fix_chosen(story, wanted, &[], config)
}

/// Same as [`fix`], and lets the plan follow the text for the findings with the ids `chosen`, as far as
/// [`plan_may_follow`] says so. The outline node that plans the event, and the descriptions of both, are brought along.
pub fn fix_chosen(story: &Story, wanted: &[Finding], chosen: &[String], config: &Config) -> FixReport {
    let mut fixes = FixReport { story: story.clone(), applied: Vec::new(), skipped: BTreeMap::new() };
    let mut open: BTreeSet<&str> = BTreeSet::new();
    for finding in wanted {
        match certain(finding, chosen) {
            Ok(_) => drop(open.insert(&finding.issue.id)),
            Err(skip) => drop(fixes.skipped.insert(finding.issue.id.clone(), skip)),
        }
    }
    if open.is_empty() {
        return fixes;
    }
    let mut manuscript = Manuscript::default();
    let found = findings_with(story, config, &mut manuscript);
    let mut bench = FixTrial { fixes, config, manuscript, found, checks: 1 };
    while !open.is_empty() {
        let mut touched = BTreeSet::new();
        let mut batch = Vec::new();
        let mut later = BTreeSet::new();
        for finding in &bench.found {
            let Some(id) = open.take(finding.issue.id.as_str()) else { continue };
            let edits = certain(finding, chosen).map(|edits| match plan_may_follow(finding) {
                true => with_plan_text(&bench.fixes.story, edits),
                false => edits,
            });
            match edits {
                Err(skip) => drop(bench.fixes.skipped.insert(id.to_owned(), skip)),
                Ok(edits) if edits.iter().all(|edit| !touched.contains(&piece_of(edit))) => {
                    touched.extend(edits.iter().map(piece_of));
                    batch.push((id.to_owned(), edits));
                }
                Ok(_) => drop(later.insert(id)),
            }
        }
        bench.fixes.skipped.extend(open.into_iter().map(|id| (id.to_owned(), SkipReason::Gone)));
        bench.attempt(batch);
        open = later;
    }
    bench.fixes
}

/// Returns whether the author may let the plan follow the text: a text tells a planned event otherwise, and either may
/// change.
pub fn plan_may_follow(finding: &Finding) -> bool {
    finding.issue.waived.is_none() && finding.issue.code.as_deref().and_then(rule).is_some_and(reads_plan)
}

/// Returns the edits fixing the finding, if only one fix exists: one edit, or replacements in several texts. For a finding
/// among `chosen`, the edits of the plan.
fn certain(finding: &Finding, chosen: &[String]) -> Result<Vec<Edit>, SkipReason> {
    if finding.issue.waived.is_some() {
        return Err(SkipReason::Waived);
    }
    let is_chosen =
        plan_may_follow(finding) && chosen.iter().any(|id| id.trim().eq_ignore_ascii_case(&finding.issue.id));
    let instructions = finding.instructions.iter().filter(|one| !is_chosen || one.parameters["kind"] != "document");
    let instructions: Vec<&CorrectionInstruction> = instructions.collect();
    // Several fixes are a choice, except for replacements in several texts.
    let replaces = |one: &CorrectionInstruction| one.parameters.get("replace_text").is_some();
    let is_choice = instructions.len() != 1 && !instructions.iter().copied().all(replaces);
    if instructions.is_empty() || (is_choice && !is_chosen) {
        return Err(SkipReason::NotCertain);
    }
    let edit = |instruction: &CorrectionInstruction| match edit::from_instruction(instruction) {
        Err(error) => Err(SkipReason::Refused(error)),
        Ok(Edit::Update { fields, .. }) if fields.is_empty() => Err(SkipReason::NotCertain),
        Ok(edit) => Ok(edit),
    };
    instructions.into_iter().map(edit).collect()
}

/// Returns a key for the piece changed by an edit.
fn piece_of(edit: &Edit) -> String {
    match edit {
        Edit::Create { piece } => format!("{}/{}", piece.kind(), piece.label()),
        Edit::Update { kind, target, .. } | Edit::Delete { kind, target } => format!("{kind}/{}", target.label()),
    }
}

/// The id of a finding, and the edits fixing the finding.
type FixCandidate = (String, Vec<Edit>);

/// The working copy of the story.
struct FixTrial<'c> {
    fixes: FixReport,
    config: &'c Config,
    manuscript: Manuscript,
    /// The current findings.
    found: Vec<Finding>,
    /// The number of checks so far.
    checks: usize,
}

impl FixTrial<'_> {
    /// Applies all fixes of a batch and checks once. Reverts fixes whose findings remain. If new severe findings
    /// appear, reverts the batch and retries each half, down to the single harmful fix.
    fn attempt(&mut self, mut batch: Vec<FixCandidate>) {
        if batch.is_empty() {
            return;
        }
        if self.checks >= MOST_CHECKS {
            self.skip(batch, &SkipReason::Untried);
            return;
        }
        let mut story = self.fixes.story.clone();
        let mut carried_out = Vec::new();
        for (finding, edits) in &batch {
            // Several edits are applied as a transaction: all or none.
            let before = (edits.len() > 1).then(|| story.clone());
            let mut own = Vec::with_capacity(edits.len());
            for edit in edits {
                match edit::apply(&mut story, edit.clone()) {
                    Ok(change) => own.push(AppliedFix { finding: finding.clone(), edit: edit.clone(), change }),
                    Err(error) => {
                        self.skip([(finding.clone(), Vec::new())], &SkipReason::Refused(error));
                        story = before.unwrap_or(story);
                        own.clear();
                        break;
                    }
                }
            }
            carried_out.append(&mut own);
        }
        batch.retain(|(finding, _)| !self.fixes.skipped.contains_key(finding));
        if batch.is_empty() {
            return;
        }
        let found = findings_with(&story, self.config, &mut self.manuscript);
        self.checks += 1;
        let (before, after) = (grave(&self.found), grave(&found));
        let is_single = batch.len() == 1;
        let does_no_harm = after.is_subset(&before) || (is_single && after.len() <= before.len());
        let left: BTreeSet<&str> = found.iter().map(|finding| finding.issue.id.as_str()).collect();
        let is_idle = |finding: &str| left.contains(finding);
        if does_no_harm && !batch.iter().any(|(finding, _)| is_idle(finding)) {
            self.fixes.story = story;
            self.found = found;
            self.fixes.applied.extend(carried_out);
        } else if does_no_harm {
            let (idle, effective): (Vec<_>, Vec<_>) = batch.into_iter().partition(|(finding, _)| is_idle(finding));
            self.skip(idle, &SkipReason::NoEffect);
            self.attempt(effective);
        } else if is_single {
            self.skip(batch, &SkipReason::Harmful);
        } else {
            let second = batch.split_off(batch.len() / 2);
            self.attempt(batch);
            self.attempt(second);
        }
    }

    /// Skips the findings of these fixes.
    fn skip(&mut self, remedies: impl IntoIterator<Item = FixCandidate>, why: &SkipReason) {
        self.fixes.skipped.extend(remedies.into_iter().map(|(finding, _)| (finding, why.clone())));
    }
}

/// Returns the ids of the unwaived findings of high or critical severity.
fn grave(findings: &[Finding]) -> BTreeSet<String> {
    let grave = findings.iter().map(|finding| &finding.issue);
    grave
        .filter(|issue| issue.severity >= Severity::High && issue.waived.is_none())
        .map(|issue| issue.id.clone())
        .collect()
}
