//! The node that makes fields: independent fields concurrently, then dependent fields.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_llm::OutputSchema;
use qingyu_production::voice::VoiceProblem;
use qingyu_production::{Error, FieldBoard, change, citation, voice};
use qingyu_story::Story;
use qingyu_story::prose::own_count;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::call::{CallRecord, CallResult, side_by_side};
use crate::production::carry_out::{self, after};
use crate::production::context::FieldContext;
use crate::production::desk::{ProductionNode, ProductionResult};
use crate::production::material;
use crate::production::names::MAKE;
use crate::production::notice::ProductionNotice;
use crate::production::resources::ProductionResources;
use crate::production::state::{ContentProductionState, Work};
use crate::progress::FieldStep;
use crate::prompts::PromptName;

/// A field to make now.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct FieldJob {
    making: FieldContext,
    /// Version of the field when read: a value inserted meanwhile is never overridden.
    version: u32,
}

/// Fields to make now, and fields that cannot be made.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct FieldBatch {
    due: Vec<FieldJob>,
    failed: BTreeMap<String, String>,
    /// Paths of fields whose entry their list has no more.
    #[serde(default)]
    left_over: Vec<String>,
}

/// A model's answer.
struct FieldAnswer {
    called: CallResult<Value>,
    /// Whether the text was cut at the length limit.
    is_cut: bool,
}

/// A value returned by a model.
struct ModelValue {
    due: FieldJob,
    value: Value,
    record: CallRecord,
}

pub(in crate::production) async fn run(
    room: Arc<ProductionResources>,
    state: Arc<ContentProductionState>,
    context: Context,
) -> Result<Command<ContentProductionState>, NodeError> {
    let mut desk = ProductionNode::new(&room, &state, &context);
    let FieldBatch { due, mut failed, left_over } = desk.see(|story| level(&state, story)).await?;
    let mut work = Work { wanted: Vec::new(), ..state.work.clone() };
    let tried = due.iter().map(|due| &due.making.path).chain(failed.keys()).chain(&left_over);
    let tried: BTreeSet<&str> = tried.map(String::as_str).collect();
    work.wanted = state.work.wanted.iter().filter(|path| !tried.contains(path.as_str())).cloned().collect();

    let mut given = Vec::new();
    let answers = side_by_side(due.iter().map(|due| ask(&desk, due)).collect()).await;
    for (due, answered) in due.iter().zip(answers) {
        let FieldAnswer { called: CallResult { value, record }, is_cut } = answered?;
        if is_cut {
            desk.warn(&ProductionNotice::StillCut { title: &due.making.title });
        }
        let value = value.map(|value| reviewed(&mut desk, &due.making, value));
        let error = record.error.clone().unwrap_or_default();
        desk.count([record.clone()]);
        match value {
            Some(value) => given.push(ModelValue { due: due.clone(), value, record }),
            None => {
                failed.insert(due.making.path.clone(), error);
            }
        }
    }
    let before = state.work.wanted.len();
    put(&mut desk, &given, &mut work, &mut failed).await?;
    for (path, why) in failed {
        let title = due.iter().find(|due| due.making.path == path).map_or(path.as_str(), |due| &due.making.title);
        desk.tell(path.as_str(), title, FieldStep::Failed { message: why.clone() });
        work.failed.insert(path, why);
    }
    let made: Vec<String> = work.done[state.work.done.len()..].to_vec();
    desk.write(|update| update.made(made));
    if !work.wanted.is_empty() && (work.wanted.len() < before || !given.is_empty()) {
        desk.write(|update| update.work(work));
        return Ok(desk.goto(MAKE));
    }
    finish(desk, work).await
}

/// Returns the wanted fields that can be made now.
fn level(state: &ContentProductionState, story: &Story) -> FieldBatch {
    let wanted: BTreeSet<String> = state.work.wanted.iter().cloned().collect();
    let board = FieldBoard::new(&story.fields);
    let mut level = FieldBatch::default();
    for path in &wanted {
        if board.get(path).is_none() {
            let error = Error::UnknownField { path: path.clone(), near: Vec::new() };
            level.failed.insert(path.clone(), ProductionNotice::NotPossible { error: &error }.text(state.language));
        }
    }
    for field in board.ready(&wanted) {
        if carry_out::is_left_over(&board, field) {
            level.left_over.push(field.path.clone());
            continue;
        }
        // A field is not made if one of its sources failed and is empty. The previous item of its list is an exception:
        // it helps to continue the text, but is not required.
        let needed = board.sources(field).into_iter().filter(|source| !material::is_before(source, field));
        let missing = needed.into_iter().find(|source| state.work.failed.contains_key(&source.path));
        let making = match missing {
            Some(source) if source.is_empty() => {
                Err(ProductionNotice::MadeFromNothing { title: &source.title }.text(state.language))
            }
            _ => material::making(state, story, &board, &field.path)
                .map_err(|error| ProductionNotice::NotPossible { error: &error }.text(state.language)),
        };
        match making {
            Ok(making) => level.due.push(FieldJob { making, version: field.version }),
            Err(why) => {
                level.failed.insert(field.path.clone(), why);
            }
        }
    }
    level
}

/// Asks a model for the value of a field.
async fn ask(desk: &ProductionNode<'_>, due: &FieldJob) -> Result<FieldAnswer, NodeError> {
    let making = &due.making;
    desk.tell(&making.path, &making.title, FieldStep::Started);
    let names = [PromptName::PRODUCTION_SYSTEM, PromptName::PRODUCTION_MAKE];
    let temperature = if making.is_change() { 0.3 } else { 0.7 };
    let call = desk.seat().call(desk.asked("make", making.path.clone(), names, temperature), making, making)?;
    if making.is_text {
        let CallResult { value, record } = call.write().await?;
        let is_cut = value.as_ref().is_some_and(|written| written.is_cut);
        let called = CallResult { value: value.map(|written| Value::from(written.text)), record };
        return Ok(FieldAnswer { called, is_cut });
    }
    let field = making.field();
    let check = move |value: &Value| match change::check(&field, value) {
        Err(Error::Misfit { problems, .. }) => problems,
        Err(error) => vec![error.to_string()],
        Ok(()) => Vec::new(),
    };
    let output = OutputSchema { name: "field".to_owned(), schema: making.schema.clone() };
    Ok(FieldAnswer { called: call.ask_shaped(output, Some(&check)).await?, is_cut: false })
}

/// Removes citations of sources that the model was not shown, and warns about what the text lacks.
fn reviewed(desk: &mut ProductionNode<'_>, making: &FieldContext, value: Value) -> Value {
    let Value::String(text) = value else { return value };
    let title = making.title.as_str();
    let known: Vec<u32> = making.numbers();
    let (text, count) = match making.cites {
        true => citation::purge_in(&text, |number| known.contains(&number)),
        false => (text, 0),
    };
    if count > 0 {
        desk.warn(&ProductionNotice::MarksTaken { title, count });
    }
    if making.cites && !making.is_change() && citation::named_in(&text).is_empty() {
        desk.warn(&ProductionNotice::Uncited { title });
    }
    let length = own_count(&text);
    if let Some(limits) = making.length.filter(|limits| length < limits.least) {
        desk.warn(&ProductionNotice::TooShort { title, length, least: limits.least });
    }
    if let Some(voice) = &making.voice {
        for VoiceProblem { found, instead } in voice::problems(voice, &text) {
            desk.warn(&ProductionNotice::NotTheVoice { title, words: &found, instead: instead.as_deref() });
        }
    }
    Value::String(text)
}

/// The outcome of inserting values: stored fields, fields changed concurrently by others, and fields with invalid
/// values.
#[derive(Default)]
struct StoredFields {
    done: Vec<(String, String, u32)>,
    theirs: Vec<(String, String)>,
    unfit: BTreeMap<String, String>,
}

async fn put(
    desk: &mut ProductionNode<'_>,
    given: &[ModelValue],
    work: &mut Work,
    failed: &mut BTreeMap<String, String>,
) -> Result<(), NodeError> {
    if given.is_empty() {
        return Ok(());
    }
    let makers: Vec<_> = given.iter().map(|given| desk.maker(Some(&given.record))).collect();
    let language = desk.language();
    let change = |story: &mut Story| -> ProductionResult<StoredFields> {
        let mut came = StoredFields::default();
        for (ModelValue { due, value, .. }, maker) in given.iter().zip(&makers) {
            let (path, title) = (due.making.path.clone(), due.making.title.clone());
            let now = FieldBoard::new(&story.fields).get(&path).map(|field| (field.version, field.value == *value));
            match now {
                Some((version, is_same)) if version == due.version || is_same => {}
                _ => {
                    came.theirs.push((path, title));
                    continue;
                }
            }
            match change::put(story, &path, value.clone(), maker.clone()) {
                // A requested change without effect does not count as done.
                Ok(changed) if due.making.is_change() && changed.version == due.version => {
                    came.unfit.insert(path, ProductionNotice::Unchanged.text(language));
                }
                Ok(changed) => came.done.push((path, title, changed.version)),
                Err(error) => {
                    came.unfit.insert(path, ProductionNotice::NotPossible { error: &error }.text(language));
                }
            }
        }
        Ok(came)
    };
    let came = match desk.save(given.first().map(|given| &given.record), change).await? {
        Ok(came) => came,
        Err(error) => return Err(NodeError::fatal(error.to_string())),
    };
    for (path, title, version) in came.done {
        desk.tell(&path, &title, FieldStep::Made { version });
        work.done.push(path);
    }
    for (path, title) in came.theirs {
        desk.warn(&ProductionNotice::TheirsKept { title: &title });
        desk.tell(&path, &title, FieldStep::Kept);
    }
    failed.extend(came.unfit);
    if work.is_phase {
        // A new list value creates fields for its items. They are read from the project, not from the result of the
        // change: a retried node finds the change already saved.
        let (story, _) = desk.load().await?;
        let mut open = FieldBoard::new(&story.fields).open(&desk.state.current_phase, false);
        open.retain(|path| {
            !failed.contains_key(path) && !work.failed.contains_key(path) && !work.wanted.contains(path)
        });
        work.wanted.extend(open);
    }
    Ok(())
}

/// Reports the made fields, and the fields now stale because of them.
async fn finish(mut desk: ProductionNode<'_>, work: Work) -> Result<Command<ContentProductionState>, NodeError> {
    let (story, _) = desk.load().await?;
    let board = FieldBoard::new(&story.fields);
    let title = |path: &String| board.title(path);
    let titles: Vec<String> = work.done.iter().map(title).collect();
    // Reports are not regenerated with the rest.
    let stale = carry_out::titles(&carry_out::stale_by(&story, &work.done));
    let failed: Vec<(String, String)> = work.failed.iter().map(|(path, why)| (title(path), why.clone())).collect();
    let messages = failed.iter().map(|(title, why)| format!("{title}: {why}")).collect();
    let done = work.done.clone();
    desk.write(|update| update.errors(messages).work(work.clone()));
    let notice = if failed.is_empty() {
        ProductionNotice::Made { titles: &titles, stale: &stale }
    } else {
        ProductionNotice::NotMade { failed: &failed }
    };
    Ok(after(desk, &notice, done))
}
