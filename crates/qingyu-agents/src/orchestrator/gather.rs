//! The node that combines the results of all parts into an answer.

use qingyu_graph::Command;
use qingyu_story::Language;

use super::subtask::{Ended, Status, Subtask, Written};
use crate::orchestrator::state::TaskState;
use crate::service::task::Check;

pub(super) fn run(state: &TaskState) -> Command<TaskState> {
    let results = state.results.values().filter_map(|ended| ended.result.as_ref());
    let checks = results.flat_map(|result| result.metadata.checks.iter().cloned()).collect::<Vec<_>>();
    let update = TaskState::update().output(answer(state)).confidence(Check::confidence(&checks));
    update.into()
}

/// Returns the result of a single part; several parts are joined with headings.
fn answer(state: &TaskState) -> String {
    let zh = state.language == Language::Zh;
    let ended = state.subtasks.iter().map(|part| (part, state.results.get(&part.name)));
    if let [part] = state.subtasks.as_slice() {
        let told = state.results.get(&part.name).map_or_else(String::new, |ended| came_to(state, ended));
        return with_write(state, part, told);
    }
    let done = state.subtasks.iter().filter(|part| state.status(&part.name) == Status::Done).count();
    let count = state.subtasks.len();
    let mut lines = vec![match zh {
        true => format!("共 {count} 个子任务，完成 {done} 个。"),
        false => format!("{done} of {count} sub-tasks were done."),
    }];
    for (number, (part, ended)) in (1..).zip(ended) {
        let status = ended.map_or(Status::Open, |ended| ended.status);
        let heading = match zh {
            true => format!("{number}. {}（{}）：{}", part.description, part.agent, word(status, zh)),
            false => format!("{number}. {} ({}): {}", part.description, part.agent, word(status, zh)),
        };
        let told = ended.map_or_else(String::new, |ended| came_to(state, ended));
        lines.push(format!("## {heading}\n\n{}", with_write(state, part, told)));
    }
    lines.join("\n\n")
}

fn word(status: Status, zh: bool) -> &'static str {
    match (status, zh) {
        (Status::Done, true) => "完成",
        (Status::Done, false) => "done",
        (Status::Failed, true) => "失败",
        (Status::Failed, false) => "failed",
        (Status::Skipped, true) => "跳过",
        (Status::Skipped, false) => "skipped",
        (Status::Open, true) => "未开始",
        (Status::Open, false) => "not begun",
    }
}

fn came_to(state: &TaskState, ended: &Ended) -> String {
    match (&ended.result, &ended.failure) {
        (Some(result), _) => result.output.clone(),
        (None, Some(failure)) => failure.text(state.language),
        (None, None) => String::new(),
    }
}

/// Appends the state of the proposed change to the result.
fn with_write(state: &TaskState, part: &Subtask, told: String) -> String {
    let zh = state.language == Language::Zh;
    let line = match (state.written.get(&part.name), zh) {
        (None | Some(Written::Shown), _) => return told,
        (Some(Written::Saved { document, version }), true) => format!("已写入文档 {document}（项目版本 {version}）。"),
        (Some(Written::Saved { document, version }), false) => {
            format!("Written to document {document} (version {version} of the project).")
        }
        (Some(Written::Rejected { feedback }), true) if feedback.is_empty() => "作者没有同意写入。".into(),
        (Some(Written::Rejected { feedback }), true) => format!("作者没有同意写入：{feedback}"),
        (Some(Written::Rejected { feedback }), false) if feedback.is_empty() => {
            "The author did not want it written.".into()
        }
        (Some(Written::Rejected { feedback }), false) => format!("The author did not want it written: {feedback}"),
        (Some(Written::Failed { message }), true) => format!("没有写入：{message}"),
        (Some(Written::Failed { message }), false) => format!("It was not written: {message}"),
    };
    format!("{told}\n\n{line}")
}
