//! Carrying out the remedies that are certain.

use std::collections::{BTreeMap, BTreeSet};

use super::{Config, Finding, findings_with};
use crate::edit::{self, Change, Edit};
use crate::{CorrectionInstruction, Manuscript, Severity, Story};

/// What came of carrying out remedies.
#[derive(Debug, Clone, PartialEq)]
pub struct Fixes {
    /// The story after all of them.
    pub story: Story,
    /// What was done, in this order.
    pub applied: Vec<Applied>,
    /// What was left alone, by id.
    pub skipped: BTreeMap<String, Skip>,
}

/// A remedy that was carried out.
#[derive(Debug, Clone, PartialEq)]
pub struct Applied {
    /// The id of the finding that it mends.
    pub finding: String,
    /// The command.
    pub edit: Edit,
    /// What it did; its inverse undoes it.
    pub change: Change,
}

/// Why a finding was left alone.
#[derive(Debug, Clone, PartialEq)]
pub enum Skip {
    /// Somebody wants to keep it.
    Waived,
    /// It has no remedy, or several, or one whose value only the author can supply.
    NotCertain,
    /// The remedy does not fit the story.
    Refused(edit::Error),
    /// The remedy would do more harm than good: there would be more findings of high severity.
    Harmful,
    /// The finding would still be there after its remedy.
    NoEffect,
    /// It was gone before its turn came.
    Gone,
    /// So many remedies were taken back that its turn never came.
    Untried,
}

/// A story is checked at most so often in one [`fix`]. Rounds need few checks; remedies that are taken back need many.
const MOST_CHECKS: usize = 64;

impl Skip {
    /// The word for it in answers to programs.
    pub fn name(&self) -> &'static str {
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

/// Carries out on a copy of `story` the remedies of those `wanted` findings that have exactly one, or that replace words in several texts.
///
/// Works in rounds: each round carries out at most one remedy per piece, in the order of the findings, and checks again, so
/// that the next round sees the places as they are. Each finding is tried once. A remedy that leaves more findings of high
/// severity than there were, or the finding that it is for, is taken back: every finding in [`Fixes::applied`] is gone.
///
/// Nothing but the copy is changed, so this also tells what can be mended. Without a remedy to carry out nothing is checked;
/// otherwise the story is checked at most 64 times, mostly once per finding of the piece that has most of them, so that the
/// time grows with the length of the story as that of one check does.
pub fn fix(story: &Story, wanted: &[Finding], config: &Config) -> Fixes {
    let mut fixes = Fixes { story: story.clone(), applied: Vec::new(), skipped: BTreeMap::new() };
    let mut open: BTreeSet<&str> = BTreeSet::new();
    for finding in wanted {
        match certain(finding) {
            Ok(_) => drop(open.insert(&finding.issue.id)),
            Err(skip) => drop(fixes.skipped.insert(finding.issue.id.clone(), skip)),
        }
    }
    if open.is_empty() {
        return fixes;
    }
    let mut manuscript = Manuscript::default();
    let found = findings_with(story, config, &mut manuscript);
    let mut bench = Bench { fixes, config, manuscript, found, checks: 1 };
    while !open.is_empty() {
        let mut touched = BTreeSet::new();
        let mut batch = Vec::new();
        let mut later = BTreeSet::new();
        for finding in &bench.found {
            let Some(id) = open.take(finding.issue.id.as_str()) else { continue };
            match certain(finding) {
                Err(skip) => drop(bench.fixes.skipped.insert(id.to_owned(), skip)),
                Ok(edits) if edits.iter().all(|edit| !touched.contains(&piece_of(edit))) => {
                    touched.extend(edits.iter().map(piece_of));
                    batch.push((id.to_owned(), edits));
                }
                Ok(_) => drop(later.insert(id)),
            }
        }
        bench.fixes.skipped.extend(open.into_iter().map(|id| (id.to_owned(), Skip::Gone)));
        bench.attempt(batch);
        open = later;
    }
    bench.fixes
}

/// The edits that mend the finding, if there is only one way: one edit, or replacements in several texts.
fn certain(finding: &Finding) -> Result<Vec<Edit>, Skip> {
    if finding.issue.waived.is_some() {
        return Err(Skip::Waived);
    }
    // Several remedies are a choice, but for words to be replaced in several texts.
    let instructions = finding.instructions.as_slice();
    let replaces = |one: &CorrectionInstruction| one.parameters.get("replace_text").is_some();
    if instructions.len() != 1 && (instructions.is_empty() || !instructions.iter().all(replaces)) {
        return Err(Skip::NotCertain);
    }
    let edit = |instruction| match edit::from_instruction(instruction).map_err(Skip::Refused)? {
        Edit::Update { fields, .. } if fields.is_empty() => Err(Skip::NotCertain),
        edit => Ok(edit),
    };
    instructions.iter().map(edit).collect()
}

/// The piece that an edit changes, as a key.
fn piece_of(edit: &Edit) -> String {
    match edit {
        Edit::Create { piece } => format!("{}/{}", piece.kind(), piece.label()),
        Edit::Update { kind, target, .. } | Edit::Delete { kind, target } => format!("{kind}/{}", target.label()),
    }
}

/// A finding, by its id, and the edits that mend it.
type Remedy = (String, Vec<Edit>);

/// The story while it is mended.
struct Bench<'c> {
    fixes: Fixes,
    config: &'c Config,
    manuscript: Manuscript,
    /// What the rules find in the story as it is now.
    found: Vec<Finding>,
    /// How often it was checked.
    checks: usize,
}

impl Bench<'_> {
    /// Carries out all remedies of a batch and checks once. Those whose findings stay are taken back. If something grave is
    /// new, takes them all back and tries each half by itself, down to the single remedy that is to blame.
    fn attempt(&mut self, mut batch: Vec<Remedy>) {
        if batch.is_empty() {
            return;
        }
        if self.checks >= MOST_CHECKS {
            self.skip(batch, &Skip::Untried);
            return;
        }
        let mut story = self.fixes.story.clone();
        let mut carried_out = Vec::new();
        for (finding, edits) in &batch {
            // Of several edits all are carried out or none.
            let before = (edits.len() > 1).then(|| story.clone());
            let mut own = Vec::with_capacity(edits.len());
            for edit in edits {
                match edit::apply(&mut story, edit.clone()) {
                    Ok(change) => own.push(Applied { finding: finding.clone(), edit: edit.clone(), change }),
                    Err(error) => {
                        self.skip([(finding.clone(), Vec::new())], &Skip::Refused(error));
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
            self.skip(idle, &Skip::NoEffect);
            self.attempt(effective);
        } else if is_single {
            self.skip(batch, &Skip::Harmful);
        } else {
            let second = batch.split_off(batch.len() / 2);
            self.attempt(batch);
            self.attempt(second);
        }
    }

    /// Leaves the findings of these remedies alone.
    fn skip(&mut self, remedies: impl IntoIterator<Item = Remedy>, why: &Skip) {
        self.fixes.skipped.extend(remedies.into_iter().map(|(finding, _)| (finding, why.clone())));
    }
}

/// The ids of the findings that must be mended.
fn grave(findings: &[Finding]) -> BTreeSet<String> {
    let grave = findings.iter().map(|finding| &finding.issue);
    grave
        .filter(|issue| issue.severity >= Severity::High && issue.waived.is_none())
        .map(|issue| issue.id.clone())
        .collect()
}
