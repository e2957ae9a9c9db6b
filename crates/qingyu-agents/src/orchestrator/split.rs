//! The node that splits a task.

use qingyu_graph::{Command, Context, NodeError};
use qingyu_story::Language;

use super::context::{AgentSummary, SplitContext};
use super::names::NAME;
use super::router;
use super::state::TaskState;
use super::subtask::{Subtask, Subtasks, problems};
use crate::call::{CallContext, CallResult, CallSpec, emit};
use crate::progress::Progress;
use crate::prompts::{ORCHESTRATOR, PromptName};
use crate::service::AgentService;
use crate::service::agent::ServiceAgent;
use crate::service::agents::AgentRegistry;

/// Maximum characters of a task in a prompt.
const DESCRIPTION: usize = 8_000;

pub(super) async fn run(
    service: &AgentService,
    state: &TaskState,
    context: &Context,
) -> Result<Command<TaskState>, NodeError> {
    let mut update = TaskState::update();
    let given = &state.task.agent_sequence;
    let (subtasks, fallback) = match (&state.task.agent, state.options.split_by_model) {
        _ if !given.is_empty() => (in_sequence(state, &service.agents), None),
        (Some(agent), _) => (vec![alone(state, agent)], None),
        (None, false) => (by_rules(state, &service.agents), None),
        (None, true) => {
            let called = ask(service, state, context).await?;
            let error = called.error();
            update = update.calls(vec![called.record]);
            match called.value {
                Some(split) => {
                    update = update.reasoning(split.reasoning);
                    (split.subtasks.into_iter().map(Subtask::with_split_candidates).collect(), None)
                }
                None => (by_rules(state, &service.agents), Some(without_model(state.language, &error))),
            }
        }
    };
    if let Some(message) = &fallback {
        emit(context, &Progress::Warning { message: message.clone() });
        update = update.warnings(vec![message.clone()]);
    }
    emit(context, &Progress::TaskSplit { subtasks: subtasks.clone(), fallback: fallback.clone() });
    Ok(update.subtasks(subtasks).split_fallback(fallback).into())
}

/// Returns the whole task as a single part for `agent`, on the chapter that is given or named in the description.
fn alone(state: &TaskState, agent: &str) -> Subtask {
    let task = &state.task;
    Subtask {
        name: "t1".into(),
        agent: agent.to_owned(),
        description: task.description.clone(),
        kind: task.context.kind.clone(),
        chapter: task.chapter.clone().or_else(|| router::chapter_in(&task.description)),
        characters: task.context.characters.clone(),
        change: task.context.change,
        priority: task.priority,
        ..Subtask::default()
    }
}

/// Returns the whole task as one part per agent of the given sequence, on the chapter and characters of the task.
fn in_sequence(state: &TaskState, agents: &AgentRegistry) -> Vec<Subtask> {
    let task = &state.task;
    let mut parts = router::sequence(&task.description, agents, &task.agent_sequence);
    for part in &mut parts {
        part.chapter = task.chapter.clone().or(part.chapter.take());
        part.change |= task.context.change && agents.find(&part.agent).is_some_and(|agent| agent.skills().changes);
    }
    parts
}

fn by_rules(state: &TaskState, agents: &AgentRegistry) -> Vec<Subtask> {
    router::split(&state.task.description, agents, state.options.max_subtasks)
}

async fn ask(service: &AgentService, state: &TaskState, context: &Context) -> Result<CallResult<Subtasks>, NodeError> {
    let (workshop, language) = (&service.workshop, state.language);
    let splitting = SplitContext {
        description: state.task.description.chars().take(DESCRIPTION).collect(),
        language,
        agents: known(&service.agents, language),
        chapter: state.task.chapter.clone(),
        has_text: state.task.text.is_some(),
        max_subtasks: state.options.max_subtasks,
    };
    let names = [PromptName::of(&ORCHESTRATOR, "system"), PromptName::of(&ORCHESTRATOR, "split")];
    let asked = CallSpec::of(NAME, "orchestrator.split".into(), String::new(), names, 0.0);
    let seat = CallContext { workshop, context, language, golden: &state.golden_context };
    let call = seat.call(asked, &splitting, &splitting)?;
    let (agents, max) = (service.agents.names(), state.options.max_subtasks);
    let check = move |split: &Subtasks| {
        let parts = split.subtasks.iter().cloned().map(Subtask::with_split_candidates).collect::<Vec<_>>();
        problems(&parts, &agents, max).iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    call.ask(Some(&check)).await
}

fn known(agents: &AgentRegistry, language: Language) -> Vec<AgentSummary> {
    let line = |agent: &std::sync::Arc<dyn ServiceAgent>| AgentSummary {
        name: agent.name().to_owned(),
        does: agent.skills().of(language).to_owned(),
        changes: agent.skills().changes,
    };
    agents.iter().map(line).collect()
}

fn without_model(language: Language, error: &str) -> String {
    match language {
        Language::Zh => format!("模型没有给出可用的任务拆分，改按规则拆分：{error}"),
        Language::En => format!("the model gave no usable split of the task, the rules split it: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::Task;

    #[test]
    fn a_single_part_works_on_the_chapter_of_the_words() {
        let chapter = |description: &str, given: Option<&str>| {
            let task = Task { description: description.into(), chapter: given.map(str::to_owned), ..Task::default() };
            alone(&TaskState { task, ..TaskState::default() }, "analysis").chapter
        };
        assert_eq!(chapter("分析第一章的节奏", None).as_deref(), Some("第一章"));
        assert_eq!(chapter("How is the pace of chapter 2?", Some("#4")).as_deref(), Some("#4"));
        assert_eq!(chapter("统计字数", None), None);
    }
}
