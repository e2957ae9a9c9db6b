//! `workspace_context_tool`: what a writing task needs to know, gathered before anybody asks.
//!
//! `gather` finds all that could matter and how near it is to the task; `select` takes the nearest as far as the budget
//! goes. Both are pure. What is not taken stands in the trace, with the reason.

mod focus;
mod gather;
pub mod select;

use std::sync::Arc;

use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::desk::{Desk, StoryTool};
use crate::texts::text;
use crate::{Action, Category, Metadata, ToolError};
use focus::Focus;
use qingyu_llm::tokens::TokenCounter;

/// The tool.
#[derive(Debug)]
pub struct WorkspaceContextTool {
    counter: Arc<dyn TokenCounter>,
}

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// What the context is for.
    task_type: TaskType,
    /// How far around the chapter to look: what the chapter itself names; also what is tied to that; everything.
    context_scope: Scope,
    /// The chapter: the id or name of its outline node, or of its text. Left out, continue_writing takes the last one
    /// that has text, create_chapter the first after it that has none.
    chapter_id: Option<String>,
    /// Characters that matter beside those of the chapter: ids, names or aliases.
    character_ids: Option<Vec<String>>,
    /// The most tokens that related_content may cost; 8000 if left out.
    #[schemars(range(min = 50, max = 1_000_000))]
    max_tokens: Option<u64>,
}

/// What the context is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TaskType {
    ContinueWriting,
    CreateChapter,
    ReviewContent,
}

/// How far to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Scope {
    CurrentChapter,
    FullProject,
    RelatedEntities,
}

/// What a context may cost unless the caller says.
const BUDGET: u64 = 8_000;
/// The most ids that are named in one line of the trace; the count is always exact.
const NAMED: usize = 50;

impl WorkspaceContextTool {
    /// Counts with `counter`.
    pub fn new(counter: Arc<dyn TokenCounter>) -> Self {
        Self { counter }
    }
}

impl StoryTool for WorkspaceContextTool {
    type Arguments = Arguments;

    fn metadata() -> Metadata {
        let metadata = Metadata::of::<Arguments>("workspace_context_tool", Category::Knowledge, Vec::<Action>::new());
        Metadata { pure: true, ..metadata }
    }

    fn work(&self, arguments: Arguments, desk: &mut Desk) -> Result<Value, ToolError> {
        let focus = Focus::of(desk, &arguments)?;
        let gathered = gather::gather(&focus, arguments.task_type, arguments.context_scope);
        let budget = arguments.max_tokens.unwrap_or(BUDGET);
        let selection = select::select(&gathered.candidates, budget, self.counter.as_ref());
        let left = gathered.left.into_iter().chain(selection.left).collect::<Vec<_>>();
        Ok(json!({
            "task_type": arguments.task_type,
            "context_scope": arguments.context_scope,
            "chapter": focus.chapter_shown(),
            "related_content": selection.content,
            "context_items": selection.taken,
            "tokens": selection.tokens,
            "max_tokens": budget,
            "trace": trace(&left, desk.language()),
        }))
    }
}

/// What was left out, a line for each section and reason.
fn trace(left: &[select::Left], language: Language) -> Vec<Value> {
    let mut groups: Vec<(&'static str, select::Reason, Vec<&str>)> = Vec::new();
    for one in left {
        match groups.iter_mut().find(|(section, reason, _)| *section == one.section && *reason == one.reason) {
            Some((.., ids)) => ids.push(&one.id),
            None => groups.push((one.section, one.reason, vec![&one.id])),
        }
    }
    let line = |(section, reason, ids): (&str, select::Reason, Vec<&str>)| {
        json!({
            "section": section,
            "reason": reason,
            "why": text(language, &format!("context.{}", reason.name())),
            "count": ids.len(),
            "ids": ids.into_iter().take(NAMED).collect::<Vec<_>>(),
        })
    };
    groups.into_iter().map(line).collect()
}
