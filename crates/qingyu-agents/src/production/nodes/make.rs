//! Makes fields: those that do not depend on each other side by side, then those that depend on them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_llm::OutputSchema;
use qingyu_production::{Board, Error, change};
use qingyu_story::Story;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::call::{CallRecord, Called, side_by_side};
use crate::production::carry_out::{self, after};
use crate::production::context::Making;
use crate::production::desk::{Desk, Kept};
use crate::production::material;
use crate::production::notice::Notice;
use crate::production::state::Work;
use crate::production::{ContentProductionState, MAKE, ProductionRoom};
use crate::progress::FieldStep;
use crate::prompts::Name;

/// A field that is made now.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Due {
    making: Making,
    /// Its version as it was seen: a value that somebody puts in meanwhile is not overwritten.
    version: u32,
}

/// What is made now, and what cannot be.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Level {
    due: Vec<Due>,
    failed: BTreeMap<String, String>,
}

/// What a model answered.
struct Answered {
    called: Called<Value>,
    /// Whether a text reached the length limit before its end.
    is_cut: bool,
}

/// A value that a model gave.
struct Given {
    due: Due,
    value: Value,
    record: CallRecord,
}

pub(in crate::production) async fn run(
    room: Arc<ProductionRoom>,
    state: Arc<ContentProductionState>,
    context: Context,
) -> Result<Command<ContentProductionState>, NodeError> {
    let mut desk = Desk::new(&room, &state, &context);
    let Level { due, mut failed } = desk.see(|story| level(&state, story)).await?;
    let mut work = Work { wanted: Vec::new(), ..state.work.clone() };
    let tried: BTreeSet<&str> =
        due.iter().map(|due| due.making.path.as_str()).chain(failed.keys().map(String::as_str)).collect();
    work.wanted = state.work.wanted.iter().filter(|path| !tried.contains(path.as_str())).cloned().collect();

    let mut given = Vec::new();
    let answers = side_by_side(due.iter().map(|due| ask(&desk, due)).collect()).await;
    for (due, answered) in due.iter().zip(answers) {
        let Answered { called: Called { value, record }, is_cut } = answered?;
        if is_cut {
            desk.warn(&Notice::StillCut { title: &due.making.title });
        }
        let error = record.error.clone().unwrap_or_default();
        desk.count([record.clone()]);
        match value {
            Some(value) => given.push(Given { due: due.clone(), value, record }),
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

/// What of the wanted fields is made now.
fn level(state: &ContentProductionState, story: &Story) -> Level {
    let wanted: BTreeSet<String> = state.work.wanted.iter().cloned().collect();
    let board = Board::new(&story.fields);
    let mut level = Level::default();
    for path in &wanted {
        if board.get(path).is_none() {
            let error = Error::UnknownField { path: path.clone(), near: Vec::new() };
            level.failed.insert(path.clone(), Notice::NotPossible { error: &error }.text(state.language));
        }
    }
    for field in board.ready(&wanted) {
        // What depends on something that could not be made would be made from nothing.
        let missing = board.sources(field).into_iter().find(|source| state.work.failed.contains_key(&source.path));
        let making = match missing {
            Some(source) if source.is_empty() => {
                Err(Notice::MadeFromNothing { title: &source.title }.text(state.language))
            }
            _ => material::making(state, story, &field.path)
                .map_err(|error| Notice::NotPossible { error: &error }.text(state.language)),
        };
        match making {
            Ok(making) => level.due.push(Due { making, version: field.version }),
            Err(why) => {
                level.failed.insert(field.path.clone(), why);
            }
        }
    }
    level
}

/// Asks a model for the value of a field.
async fn ask(desk: &Desk<'_>, due: &Due) -> Result<Answered, NodeError> {
    let making = &due.making;
    desk.tell(&making.path, &making.title, FieldStep::Started);
    let names = [Name::PRODUCTION_SYSTEM, Name::PRODUCTION_MAKE];
    let temperature = if making.is_change() { 0.3 } else { 0.7 };
    let call = desk.seat().call(desk.asked("make", making.path.clone(), names, temperature), making, making)?;
    if making.is_text {
        let Called { value, record } = call.write().await?;
        let is_cut = value.as_ref().is_some_and(|written| written.is_cut);
        let called = Called { value: value.map(|written| Value::from(written.text)), record };
        return Ok(Answered { called, is_cut });
    }
    let field = making.field();
    let check = move |value: &Value| match change::check(&field, value) {
        Err(Error::Misfit { problems, .. }) => problems,
        Err(error) => vec![error.to_string()],
        Ok(()) => Vec::new(),
    };
    let output = OutputSchema { name: "field".to_owned(), schema: making.schema.clone() };
    Ok(Answered { called: call.ask_shaped(output, Some(&check)).await?, is_cut: false })
}

/// What came of putting values in: the paths of those that are in, and of those that somebody has changed meanwhile.
#[derive(Default)]
struct Put {
    done: Vec<(String, String, u32)>,
    theirs: Vec<(String, String)>,
    unfit: BTreeMap<String, String>,
}

async fn put(
    desk: &mut Desk<'_>,
    given: &[Given],
    work: &mut Work,
    failed: &mut BTreeMap<String, String>,
) -> Result<(), NodeError> {
    if given.is_empty() {
        return Ok(());
    }
    let makers: Vec<_> = given.iter().map(|given| desk.maker(Some(&given.record))).collect();
    let language = desk.language();
    let change = |story: &mut Story| -> Kept<Put> {
        let mut came = Put::default();
        for (Given { due, value, .. }, maker) in given.iter().zip(&makers) {
            let (path, title) = (due.making.path.clone(), due.making.title.clone());
            let now = Board::new(&story.fields).get(&path).map(|field| (field.version, field.value == *value));
            match now {
                Some((version, is_same)) if version == due.version || is_same => {}
                _ => {
                    came.theirs.push((path, title));
                    continue;
                }
            }
            match change::put(story, &path, value.clone(), maker.clone()) {
                // A change that was asked for and changed nothing is not done.
                Ok(changed) if due.making.is_change() && changed.version == due.version => {
                    came.unfit.insert(path, Notice::Unchanged.text(language));
                }
                Ok(changed) => came.done.push((path, title, changed.version)),
                Err(error) => {
                    came.unfit.insert(path, Notice::NotPossible { error: &error }.text(language));
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
        desk.warn(&Notice::TheirsKept { title: &title });
        desk.tell(&path, &title, FieldStep::Kept);
    }
    failed.extend(came.unfit);
    if work.is_phase {
        // A list that has just been made has fields of its own. They are looked for in the project, not in what the change did:
        // a node that runs again finds the change made.
        let (story, _) = desk.load().await?;
        let mut open = Board::new(&story.fields).open(&desk.state.current_phase, false);
        open.retain(|path| {
            !failed.contains_key(path) && !work.failed.contains_key(path) && !work.wanted.contains(path)
        });
        work.wanted.extend(open);
    }
    Ok(())
}

/// Says what was made, and what is stale because of it.
async fn finish(mut desk: Desk<'_>, work: Work) -> Result<Command<ContentProductionState>, NodeError> {
    let (story, _) = desk.load().await?;
    let board = Board::new(&story.fields);
    let title = |path: &String| board.get(path).map_or_else(|| path.clone(), |field| field.title.clone());
    let titles: Vec<String> = work.done.iter().map(title).collect();
    // Reports are not made anew with the rest.
    let stale = carry_out::titles(&carry_out::stale(&story).1);
    let failed: Vec<(String, String)> = work.failed.iter().map(|(path, why)| (title(path), why.clone())).collect();
    let messages = failed.iter().map(|(title, why)| format!("{title}: {why}")).collect();
    desk.write(|update| update.errors(messages).work(work.clone()));
    let notice = if failed.is_empty() {
        Notice::Made { titles: &titles, stale: &stale }
    } else {
        Notice::NotMade { failed: &failed }
    };
    Ok(after(desk, &notice))
}
