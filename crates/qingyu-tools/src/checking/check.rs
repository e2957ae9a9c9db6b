//! `check`: findings of the rules, and automatic fixes.

use qingyu_story::check::{fix, score};
use qingyu_story::rules::{self, begins};
use qingyu_story::{Finding, Issue, Severity, findings};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::desk::{ArgumentPath, Desk, StoryTool};
use crate::writing::is_same_name;
use crate::{Action, Category, Metadata, ToolError};

/// The tool.
#[derive(Debug)]
pub(crate) struct CheckTool;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// What to do; check if left out. fix carries out the remedies of findings that have exactly one, and checks again.
    #[serde(default)]
    action: Do,
    /// Only rules whose codes begin so, such as "QY1" or "QS031".
    rules: Option<Vec<String>>,
    /// Only findings that are at least as bad.
    severity: Option<Severity>,
    /// Only findings that touch the piece of this name or id.
    entity: Option<String>,
    /// Only these findings, by their ids.
    findings: Option<Vec<String>>,
    /// Whether to show what the author lets stand.
    waived: Option<bool>,
    /// How many findings to give at most; 50 if left out.
    limit: Option<usize>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Do {
    #[default]
    Check,
    Fix,
}

/// Default number of findings shown.
const SHOWN: usize = 50;

impl StoryTool for CheckTool {
    type Arguments = Arguments;

    fn metadata() -> Metadata {
        let actions = vec![Action::read("check"), Action::write("fix")];
        Metadata::of::<Arguments>("check", Category::Analysis, actions)
    }

    fn work(&self, arguments: Arguments, desk: &mut Desk) -> Result<Value, ToolError> {
        arguments.verify()?;
        let found = arguments.found(desk);
        match arguments.action {
            Do::Check => Ok(shown(&found, arguments.limit.unwrap_or(SHOWN))),
            Do::Fix => mend(&found, &arguments, desk),
        }
    }
}

impl Arguments {
    /// Validates the rule names: an unknown rule would find nothing, and look like a clean story.
    fn verify(&self) -> Result<(), ToolError> {
        for (index, code) in self.rules.iter().flatten().enumerate() {
            if !rules::all().iter().any(|rule| begins(rule.code, code)) {
                return Err(ToolError::invalid(&format!("/rules/{index}"), "the code of a rule, or its beginning"));
            }
        }
        Ok(())
    }

    /// Returns the requested findings.
    fn found(&self, desk: &Desk) -> Vec<Finding> {
        let config = match &self.rules {
            None => desk.checks().clone(),
            Some(_) => super::only(desk.checks(), |rule| self.wants(rule.code)),
        };
        let mut found = findings(desk.story(), &config);
        found.retain(|finding| self.is_meant(&finding.issue));
        found
    }

    fn wants(&self, code: &str) -> bool {
        self.rules.as_ref().is_none_or(|rules| rules.iter().any(|rule| begins(code, rule)))
    }

    fn is_meant(&self, issue: &Issue) -> bool {
        let code = issue.code.as_deref().unwrap_or_default();
        let by_rule = self.wants(code);
        let by_id = self.findings.as_ref().is_none_or(|ids| ids.contains(&issue.id));
        let touches = |entity: &String| super::touched(issue).any(|name| is_same_name(name, entity));
        let waived = issue.waived.is_none() || self.waived == Some(true);
        let severe = self.severity.is_none_or(|least| issue.severity >= least);
        by_rule && by_id && waived && severe && self.entity.as_ref().is_none_or(touches)
    }
}

fn shown(found: &[Finding], limit: usize) -> Value {
    let issues = || found.iter().map(|finding| &finding.issue);
    let count =
        |severity: Severity| issues().filter(|issue| issue.severity == severity && issue.waived.is_none()).count();
    json!({
        "total": found.len(),
        "critical": count(Severity::Critical),
        "high": count(Severity::High),
        "medium": count(Severity::Medium),
        "low": count(Severity::Low),
        "score": score(issues()),
        "findings": found.iter().take(limit).collect::<Vec<_>>(),
    })
}

/// Applies the certain fixes, as edits of the call.
fn mend(found: &[Finding], arguments: &Arguments, desk: &mut Desk) -> Result<Value, ToolError> {
    let fixes = fix(desk.story(), found, desk.checks());
    let (removed, changed) = (fixes.removed(), fixes.changed());
    let left: Vec<Value> = fixes.left().map(|(id, reason)| json!({"finding": id, "reason": reason})).collect();
    let mut mended = Vec::new();
    for remedy in fixes.applied {
        desk.edit(remedy.edit, ArgumentPath { fields: "", target: "" })?;
        mended.push(remedy.finding);
    }
    let mut answer = shown(&arguments.found(desk), arguments.limit.unwrap_or(SHOWN));
    answer["fixed"] = mended.into();
    answer["left"] = left.into();
    if !removed.is_empty() {
        answer["removed"] = removed.into();
    }
    if !changed.is_empty() {
        answer["changed"] = changed.into();
    }
    Ok(answer)
}
