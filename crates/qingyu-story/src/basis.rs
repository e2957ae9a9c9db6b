//! The basis of a verdict: the judge, the completed steps, the chapters read, and the rules with input.
//!
//! The absence of findings is no proof of quality: a report passes only on a basis that [holds](Basis::holds), and a
//! score without a basis is hidden.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ChapterCoverage, PieceKind, Story};

/// What a verdict rests on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Basis {
    /// Who judged the material.
    pub judge: Judge,
    /// How many pieces were looked at.
    pub pieces: usize,
    /// The steps of the plan and how each ended; empty outside of a run that plans.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<PlannedStep>,
    /// The rules that ran and those that could not look.
    pub rules: RuleCoverage,
    /// The chapters that have a text, and how far each has been read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chapters: Vec<ChapterCoverage>,
}

/// Who judged the material.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Judge {
    /// The rules alone.
    #[default]
    Rules,
    /// The rules, and a model on top of them.
    Model,
}

/// A step of a plan and how it ended.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PlannedStep {
    /// Its number.
    pub step: u32,
    /// The agent that does it.
    pub agent: String,
    /// How it ended.
    pub state: StepState,
    /// Why it failed, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// How a step of a plan ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepState {
    /// It has not run.
    #[default]
    Open,
    /// It made what it was to make.
    Done,
    /// It ended without that.
    Failed,
}

/// Which rules ran.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RuleCoverage {
    /// How many rules ran.
    pub run: usize,
    /// How many of them found nothing, those that could not look included.
    pub clean: usize,
    /// How many rules are switched off in the settings.
    pub off: usize,
    /// The rules that ran but had nothing to look at, by what is missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blind: Vec<BlindRules>,
}

/// Rules that could not look, because the story has none of a kind of piece.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlindRules {
    /// The kind that the story has none of.
    #[schemars(with = "String")]
    pub missing: PieceKind,
    /// The codes of the rules.
    pub codes: Vec<String>,
}

impl RuleCoverage {
    /// Returns the number of rules that had something to check and found nothing.
    pub fn clear(&self) -> usize {
        self.clean.saturating_sub(self.run - self.looked())
    }

    /// Returns the number of rules with something to check.
    pub fn looked(&self) -> usize {
        self.run - self.blind.iter().map(|blind| blind.codes.len()).sum::<usize>().min(self.run)
    }
}

impl Basis {
    /// Returns the basis of a check of `story` by rules alone.
    pub fn of_rules(story: &Story, rules: RuleCoverage) -> Self {
        let pieces = PieceKind::ALL.into_iter().map(|kind| story.count(kind)).sum();
        Self { pieces, rules, chapters: crate::chapter_coverage(story), ..Self::default() }
    }

    /// Returns whether anything was checked.
    pub fn has_checked(&self) -> bool {
        self.pieces > 0 && (self.judge == Judge::Model || self.rules.looked() > 0)
    }

    /// Returns the planned steps not completed.
    pub fn unfinished(&self) -> impl Iterator<Item = &PlannedStep> {
        self.steps.iter().filter(|step| step.state == StepState::Failed)
    }

    /// Returns whether a verdict can rest on the basis: something was checked, and no planned step is unfinished.
    pub fn holds(&self) -> bool {
        self.has_checked() && self.unfinished().next().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Character;

    #[test]
    fn nothing_checked_is_no_basis() {
        let nothing = Basis::of_rules(&Story::default(), RuleCoverage { run: 5, ..RuleCoverage::default() });
        assert!(!nothing.has_checked() && !nothing.holds());
        let story = Story { characters: vec![Character::default()], ..Story::default() };
        let blind = BlindRules { missing: PieceKind::Event, codes: vec!["QY301".into()] };
        let all_blind = RuleCoverage { run: 1, clean: 1, blind: vec![blind], ..RuleCoverage::default() };
        let basis = Basis::of_rules(&story, all_blind);
        assert!(!basis.has_checked(), "the one rule could not look");
        assert!(Basis { judge: Judge::Model, ..basis }.holds(), "a model looked");
    }

    #[test]
    fn a_failed_step_is_no_basis() {
        let story = Story { characters: vec![Character::default()], ..Story::default() };
        let basis = Basis::of_rules(&story, RuleCoverage { run: 5, ..RuleCoverage::default() });
        assert!(basis.holds());
        let failed = PlannedStep { step: 3, state: StepState::Failed, ..PlannedStep::default() };
        assert!(!Basis { steps: vec![failed], ..basis }.holds());
    }
}
