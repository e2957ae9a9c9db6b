//! The node that writes authorized proposals.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_graph::{Command, Context, NodeError};
use qingyu_story::{Document, Language};
use qingyu_tools::{Permission, ToolCaller, Workspace};
use serde_json::{Map, Value, json};

use super::subtask::{Write, WriteAnswer, WriteRequest, Written};
use crate::call::{CallRecord, emit};
use crate::orchestrator::state::{TaskState, Writes};
use crate::progress::Progress;
use crate::service::AgentService;
use crate::service::proposal::Proposal;
use crate::tool_use::named;

/// Maximum attempts of a write on concurrent changes of the project.
const ATTEMPTS: usize = 3;

pub(super) async fn run(
    service: &AgentService,
    state: &TaskState,
    context: &Context,
) -> Result<Command<TaskState>, NodeError> {
    let (meant, shown): (Vec<Write>, Vec<Write>) = unsettled(state).into_iter().partition(|write| {
        let asked = state.subtasks.iter().any(|part| part.name == write.task && part.change);
        asked && state.options.writes != Writes::Never
    });
    let mut written: BTreeMap<String, Written> = shown.into_iter().map(|write| (write.task, Written::Shown)).collect();
    let agreed = agreed(state, context, &meant).await?;
    for write in meant {
        let task = write.task.clone();
        let what = match agreed.of(write) {
            Ok(write) => save(service, state, context, &write).await?,
            Err(feedback) => Written::Rejected { feedback },
        };
        written.insert(task, what);
    }
    let failed = written.iter().filter_map(|(task, what)| match what {
        Written::Failed { message } => Some(format!("{task}: {message}")),
        _ => None,
    });
    let update = TaskState::update().errors(failed.collect()).written(written);
    Ok(update.into())
}

/// Returns unsettled proposals, in order.
fn unsettled(state: &TaskState) -> Vec<Write> {
    let open = state.subtasks.iter().filter(|part| !state.written.contains_key(&part.name));
    let proposed = open.filter_map(|part| {
        let proposal = state.results.get(&part.name)?.result.as_ref()?.metadata.proposal.clone()?;
        Some(Write { task: part.name.clone(), agent: part.agent.clone(), proposal })
    });
    proposed.collect()
}

/// The authorization of writes.
enum WriteConsent {
    All,
    Some { tasks: BTreeSet<String>, places: BTreeMap<String, BTreeSet<usize>> },
    None(String),
}

impl WriteConsent {
    /// Returns the authorized part of `write`, or the reason for refusal.
    fn of(&self, write: Write) -> Result<Write, String> {
        match self {
            Self::All => Ok(write),
            Self::Some { tasks, .. } if tasks.contains(&write.task) => Ok(write),
            Self::Some { places, .. } => {
                let proposal = places.get(&write.task).and_then(|places| write.proposal.only(places));
                proposal.map(|proposal| Write { proposal, ..write }).ok_or_else(String::new)
            }
            Self::None(feedback) => Err(feedback.clone()),
        }
    }
}

async fn agreed(state: &TaskState, context: &Context, writes: &[Write]) -> Result<WriteConsent, NodeError> {
    if writes.is_empty() || state.options.writes == Writes::Allowed {
        return Ok(WriteConsent::All);
    }
    emit(context, &Progress::WritesRequested { writes: writes.to_vec() });
    let request = WriteRequest { writes: writes.to_vec() };
    Ok(match context.ask::<WriteAnswer>("write", &request).await? {
        WriteAnswer::Approve => WriteConsent::All,
        WriteAnswer::Reject { feedback } => WriteConsent::None(feedback),
        WriteAnswer::Choose { tasks, places } => WriteConsent::Some { tasks: tasks.into_iter().collect(), places },
    })
}

/// Writes one proposal exactly once, as a stored step.
async fn save(
    service: &AgentService,
    state: &TaskState,
    context: &Context,
    write: &Write,
) -> Result<Written, NodeError> {
    let step = format!("save/{}", write.task);
    context
        .step(&step, &write.proposal, || async {
            for _ in 1..ATTEMPTS {
                match attempt(service, state, write).await {
                    WriteAttempt::Done(written) => return Ok::<_, NodeError>(written),
                    WriteAttempt::Again => {}
                }
            }
            Ok(match attempt(service, state, write).await {
                WriteAttempt::Done(written) => written,
                WriteAttempt::Again => Written::Failed { message: changed_meanwhile(state.language) },
            })
        })
        .await
}

enum WriteAttempt {
    Done(Written),
    /// The project changed concurrently.
    Again,
}

async fn attempt(service: &AgentService, state: &TaskState, write: &Write) -> WriteAttempt {
    let failed = |message: String| WriteAttempt::Done(Written::Failed { message });
    let project = state.task.project.as_deref();
    let loaded = match service.tools.workspaces().open(project).await {
        Ok(workspace) => Workspace::load(&workspace).await,
        Err(error) => return failed(error.to_string()),
    };
    let loaded = match loaded {
        Ok(loaded) => loaded,
        Err(error) => return failed(error.to_string()),
    };
    let proposal = &write.proposal;
    let found = standing(proposal, &loaded.story.documents);
    if let Some(document) = found {
        // A run interrupted after the write finds its own text.
        if document.text == proposal.text {
            return WriteAttempt::Done(Written::Saved { document: document.id.clone(), version: loaded.version });
        }
        if proposal.document.is_none() || !proposal.fits(&document.text) {
            return failed(changed_meanwhile(state.language));
        }
    } else if proposal.document.is_some() {
        return failed(changed_meanwhile(state.language));
    }
    let call = state.messages.iter().rev().find(|call| call.agent == write.agent);
    let caller = ToolCaller {
        language: state.language,
        run: Some(state.run_id.clone()),
        prompt_hash: call.map(|call| call.prompt_hash.clone()),
        model: call.map(|call| call.model.clone()),
        tokens: call.map(CallRecord::tokens).unwrap_or_default(),
        ..ToolCaller::new(&write.agent, Permission::Write)
    };
    let id = named(&format!("{}/{}/save", state.run_id, write.task));
    let arguments = arguments(proposal, project, loaded.version);
    let outcome = service.tools.call_as(id, "document_tool", arguments, &caller).await;
    match outcome.result {
        Ok(answer) => {
            let document = answer["document"]["id"].as_str().or(proposal.document.as_deref()).unwrap_or_default();
            let version = answer["version"].as_u64().unwrap_or_default();
            WriteAttempt::Done(Written::Saved { document: document.to_owned(), version })
        }
        Err(qingyu_tools::ToolError::Conflict { .. }) => WriteAttempt::Again,
        Err(error) => failed(error.to_string()),
    }
}

/// Returns the proposal's document: by id, or for a new document by title.
fn standing<'a>(proposal: &Proposal, documents: &'a [Document]) -> Option<&'a Document> {
    match &proposal.document {
        Some(id) => documents.iter().find(|document| document.id == *id),
        None => documents.iter().find(|document| document.title == proposal.title),
    }
}

fn arguments(proposal: &Proposal, project: Option<&str>, version: u64) -> Value {
    let mut arguments = Map::new();
    let mut put = |name: &str, value: Value| {
        if !value.is_null() {
            arguments.insert(name.into(), value);
        }
    };
    put("action", "write".into());
    put("project_id", json!(project));
    put("expected_version", version.into());
    put("content", proposal.text.clone().into());
    match &proposal.document {
        Some(id) => put("document_id", id.clone().into()),
        None => {
            put("title", proposal.title.clone().into());
            put("order", json!(proposal.order));
            put("outline_node", json!(proposal.outline_node));
        }
    }
    Value::Object(arguments)
}

fn changed_meanwhile(language: Language) -> String {
    match language {
        Language::Zh => "这段文本在此期间被改动过，没有覆盖".into(),
        Language::En => "the text was changed in the meantime; nothing was written over it".into(),
    }
}
