//! `workspace_context_tool`: the context of a writing task, gathered in advance.
//!
//! `gather` collects all relevant items with their distance to the task; `select` takes the nearest within the budget.
//! Both are pure. Omitted items are listed in the trace, with the reason.

mod focus;
mod gather;
mod select;
mod task;

use std::sync::Arc;

use qingyu_story::Language;
use serde_json::{Value, json};

use crate::desk::{Desk, StoryTool};
use crate::texts::text;
use crate::{Action, Category, Metadata, ToolError};
use focus::TaskFocus;
use qingyu_llm::tokens::TokenCounter;

pub use task::Arguments;

/// The tool.
#[derive(Debug)]
pub(crate) struct WorkspaceContextTool {
    counter: Arc<dyn TokenCounter>,
}

/// Default budget of a context, in tokens.
const BUDGET: u64 = 8_000;
/// Maximum ids in a trace line; the count is always exact.
const NAMED: usize = 50;

impl WorkspaceContextTool {
    /// Returns the tool with `counter` as the token counter.
    pub(crate) fn new(counter: Arc<dyn TokenCounter>) -> Self {
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
        let focus = TaskFocus::of(desk, &arguments)?;
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

/// Returns the omitted items, a line per section and reason.
fn trace(left: &[select::OmittedItem], language: Language) -> Vec<Value> {
    let mut groups: Vec<(&'static str, select::OmissionReason, Vec<&str>)> = Vec::new();
    for one in left {
        match groups.iter_mut().find(|(section, reason, _)| *section == one.section && *reason == one.reason) {
            Some((.., ids)) => ids.push(&one.id),
            None => groups.push((one.section, one.reason, vec![&one.id])),
        }
    }
    let line = |(section, reason, ids): (&str, select::OmissionReason, Vec<&str>)| {
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
