//! The commands `qingyu runs history`, `state`, `edit`, `fork` and `approver`.

use std::collections::BTreeMap;

use qingyu_studio::operations::{self as op, StartRequest};
use serde_json::Value;

use super::create::requirement;
use crate::args::{RunApproverArgs, RunEditArgs, RunForkArgs, RunHistoryArgs, RunStateArgs, RunsCommand};
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::checkpoints;
use crate::screen::Screen;
use crate::watch;

pub(super) async fn checkpoints(desk: &Desk, screen: &Screen, command: RunsCommand) -> Result<Exit, Error> {
    match command {
        RunsCommand::History(arguments) => history(desk, screen, arguments).await,
        RunsCommand::State(arguments) => state(desk, screen, arguments).await,
        RunsCommand::Edit(arguments) => edit(desk, screen, arguments).await,
        RunsCommand::Fork(arguments) => fork(desk, screen, arguments).await,
        RunsCommand::Approver(arguments) => approver(desk, screen, arguments).await,
    }
}

async fn history(desk: &Desk, screen: &Screen, arguments: RunHistoryArgs) -> Result<Exit, Error> {
    let RunHistoryArgs { run, before, limit } = arguments;
    let rows = desk.call(op::ListCheckpoints { run: run.clone(), before, limit: Some(limit) }).await?;
    screen.show(&rows, |page| checkpoints::history(page, &run, &rows)).map(|()| Exit::Done)
}

async fn state(desk: &Desk, screen: &Screen, arguments: RunStateArgs) -> Result<Exit, Error> {
    let RunStateArgs { run, at, prompt } = arguments;
    if let Some(node) = prompt {
        let prompts = desk.call(op::ReadNodePrompts { run, node, checkpoint: at }).await?;
        return screen.show(&prompts, |page| checkpoints::prompts(page, &prompts)).map(|()| Exit::Done);
    }
    let checkpoint = checkpoint(desk, &run, at).await?;
    let state = desk.call(op::ReadCheckpoint { run, checkpoint }).await?;
    screen.show(&state, |page| checkpoints::state(page, &state)).map(|()| Exit::Done)
}

async fn edit(desk: &Desk, screen: &Screen, arguments: RunEditArgs) -> Result<Exit, Error> {
    let RunEditArgs { run, at, set, as_node } = arguments;
    let values = set.iter().map(|given| value(given)).collect::<Result<BTreeMap<_, _>, Error>>()?;
    let checkpoint = checkpoint(desk, &run, at).await?;
    let edited = desk.call(op::EditCheckpoint { run, checkpoint, values, as_node }).await?;
    screen.show(&edited, |page| checkpoints::edited(page, &edited)).map(|()| Exit::Done)
}

async fn fork(desk: &Desk, screen: &Screen, arguments: RunForkArgs) -> Result<Exit, Error> {
    let RunForkArgs { run, at, afresh, resume, watch } = arguments;
    let forked = desk.call(op::ForkRun { run, checkpoint: at, afresh }).await?;
    if !resume {
        return screen.show(&forked, |page| checkpoints::forked(page, &forked)).map(|()| Exit::Done);
    }
    let request = op::ResumeRequest { run: forked.run, ..op::ResumeRequest::default() };
    let handle = desk.start(StartRequest::Resume(request)).await?;
    watch::follow(screen, desk, handle, &watch).await
}

async fn approver(desk: &Desk, screen: &Screen, arguments: RunApproverArgs) -> Result<Exit, Error> {
    let RunApproverArgs { run, name, nobody } = arguments;
    let row = match name.is_some() || nobody {
        true => desk.call(op::ChangeApprover { run, approver: name }).await?,
        false => desk.call(op::FindRun { run }).await?,
    };
    screen.show(&row, |page| checkpoints::approver(page, &row)).map(|()| Exit::Done)
}

/// Returns the given checkpoint, or the newest checkpoint of the run.
async fn checkpoint(desk: &Desk, run: &str, given: Option<u64>) -> Result<u64, Error> {
    if let Some(checkpoint) = given {
        return Ok(checkpoint);
    }
    let newest = desk.call(op::ListCheckpoints { run: run.to_owned(), before: None, limit: Some(1) }).await?.pop();
    // The first checkpoint of any run has the number 1.
    let unknown = || qingyu_studio::Error::UnknownCheckpoint { run: run.to_owned(), checkpoint: 1 };
    Ok(newest.ok_or_else(unknown)?.checkpoint)
}

/// Parses `FIELD=VALUE`: the value is JSON, or else text.
fn value(given: &str) -> Result<(String, Value), Error> {
    let (field, value) = given.split_once('=').ok_or_else(|| Error::BadSetting { given: given.to_owned() })?;
    let text = requirement(value)?;
    let value = serde_json::from_str(&text).unwrap_or(Value::String(text));
    Ok((field.trim().to_owned(), value))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_is_json_or_else_text() {
        for (given, field, expected) in [
            ("quality_score=80", "quality_score", json!(80)),
            ("title=灯塔", "title", json!("灯塔")),
            ("title=\"80\"", "title", json!("80")),
            ("characters=[]", "characters", json!([])),
            ("premise=a=b", "premise", json!("a=b")),
        ] {
            assert_eq!(value(given).unwrap(), (field.to_owned(), expected), "{given}");
        }
        assert!(matches!(value("title"), Err(Error::BadSetting { .. })));
    }
}
