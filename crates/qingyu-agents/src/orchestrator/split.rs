//! The node that takes a task apart.

use qingyu_graph::{Command, Context, NodeError};
use qingyu_story::Language;
use serde::{Deserialize, Serialize};

use super::subtask::{Subtask, Subtasks, problems};
use super::{NAME, PROMPTS, TaskState, router};
use crate::Service;
use crate::call::{Asked, Called, Seat, emit};
use crate::progress::Progress;
use crate::prompts::Name;
use crate::service::Agents;

/// Purpose `orchestrator.split`: what a task is taken apart from; fills `prompts/orchestrator/split`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Splitting {
    /// The user's words.
    pub description: String,
    /// Their language.
    pub language: Language,
    /// Who there is, a line each.
    pub agents: Vec<SplitPrompt>,
    /// The chapter that the task is about, if it names one.
    pub chapter: Option<String>,
    /// Whether a text is given with it.
    pub has_text: bool,
    /// How many parts there may be.
    pub max_subtasks: usize,
}

/// An agent, as whoever chooses among agents sees it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SplitPrompt {
    /// Its name.
    pub name: String,
    /// What it can do.
    pub does: String,
    /// Whether it may propose changes of a text.
    pub changes: bool,
}

/// Most characters of a task that a prompt shows.
const DESCRIPTION: usize = 8_000;

pub(super) async fn run(
    service: &Service,
    state: &TaskState,
    context: &Context,
) -> Result<Command<TaskState>, NodeError> {
    let mut update = TaskState::update();
    let (subtasks, fallback) = match (&state.task.agent, state.options.split_by_model) {
        (Some(agent), _) => (vec![alone(state, agent)], None),
        (None, false) => (by_rules(state, &service.agents), None),
        (None, true) => {
            let called = ask(service, state, context).await?;
            let error = called.error();
            update = update.calls(vec![called.record]);
            match called.value {
                Some(split) => {
                    update = update.reasoning(split.reasoning);
                    (split.subtasks, None)
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

/// The whole task as one part, for whom it names.
fn alone(state: &TaskState, agent: &str) -> Subtask {
    let task = &state.task;
    Subtask {
        name: "t1".into(),
        agent: agent.to_owned(),
        description: task.description.clone(),
        kind: task.context.kind.clone(),
        chapter: task.chapter.clone(),
        characters: task.context.characters.clone(),
        change: task.context.change,
        priority: task.priority,
        ..Subtask::default()
    }
}

fn by_rules(state: &TaskState, agents: &Agents) -> Vec<Subtask> {
    router::split(&state.task.description, agents, state.options.max_subtasks)
}

async fn ask(service: &Service, state: &TaskState, context: &Context) -> Result<Called<Subtasks>, NodeError> {
    let (workshop, language) = (&service.workshop, state.language);
    let splitting = Splitting {
        description: state.task.description.chars().take(DESCRIPTION).collect(),
        language,
        agents: known(&service.agents, language),
        chapter: state.task.chapter.clone(),
        has_text: state.task.text.is_some(),
        max_subtasks: state.options.max_subtasks,
    };
    let names = [Name::of(&PROMPTS, "system"), Name::of(&PROMPTS, "split")];
    let asked = Asked::of(NAME, "orchestrator.split".into(), String::new(), names, 0.0);
    let seat = Seat { workshop, context, language, golden: &state.golden_context };
    let call = seat.call(asked, &splitting, &splitting)?;
    let (agents, max) = (service.agents.names(), state.options.max_subtasks);
    let check = move |split: &Subtasks| {
        problems(&split.subtasks, &agents, max).iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    call.ask(Some(&check)).await
}

fn known(agents: &Agents, language: Language) -> Vec<SplitPrompt> {
    let line = |agent: &std::sync::Arc<dyn crate::Agent>| SplitPrompt {
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
