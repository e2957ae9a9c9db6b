//! One turn with a production: an order, its run, and the reply.

use std::time::Duration;

use qingyu_studio::agents::production::Order;
use qingyu_studio::operations::{self as op, StartRequest};
use qingyu_studio::{Outcome, RunHandle, RunStatus, TellRequest};

use crate::args::{RunControlArgs, WatchArgs};
use crate::commands::create::overrides;
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::page::FAINT;
use crate::render::production::{self as draw, ReplyState};
use crate::screen::Screen;
use crate::watch;

/// The outcome of a turn, and whether the reply was already shown by streaming.
pub(super) struct ProductionTurn {
    pub(super) outcome: Outcome,
    said: ReplyState,
    /// Number of warnings of the run before the turn.
    warned: usize,
}

/// The origin of a turn.
#[derive(Clone, Copy)]
pub(super) enum TurnOrigin {
    /// A single command, which announces its subject.
    Command,
    /// A conversation, where the subject is known.
    Conversation,
}

/// Sends an order, after finishing interrupted work of the run.
pub(super) async fn turn(
    desk: &Desk,
    screen: &Screen,
    project: &str,
    order: Order,
    working: &RunControlArgs,
    place: TurnOrigin,
) -> Result<ProductionTurn, Error> {
    let before = warned(desk, project).await;
    let mut turn = told(desk, screen, project, order, working, place).await?;
    turn.warned = before.filter(|(run, _)| *run == turn.outcome.run).map_or(0, |(_, count)| count);
    Ok(turn)
}

/// Returns the last run of a project and its number of warnings.
async fn warned(desk: &Desk, project: &str) -> Option<(String, usize)> {
    let (run, _) = desk.call(op::ReadProduction { project: project.to_owned() }).await.ok()?.run?;
    let count = desk.call(op::ReadRun { run: run.clone() }).await.map_or(0, |outcome| outcome.warnings.len());
    Some((run, count))
}

async fn told(
    desk: &Desk,
    screen: &Screen,
    project: &str,
    order: Order,
    working: &RunControlArgs,
    place: TurnOrigin,
) -> Result<ProductionTurn, Error> {
    let request = |order| -> Result<TellRequest, Error> {
        let (model, overrides) = (working.model.clone(), overrides(working)?);
        Ok(TellRequest { project: project.to_owned(), order, model, overrides })
    };
    let handle = match queued(desk, screen, &request(Some(order.clone()))?).await {
        // Compared by error code, since a server may return the error too.
        Err(error) if error.code() == "run_unfinished" => {
            let turn =
                follow(desk, screen, desk.start(StartRequest::Tell(request(None)?)).await?, &working.watch, place)
                    .await?;
            if !matches!(turn.outcome.status, RunStatus::Waiting | RunStatus::Done) {
                return Ok(turn);
            }
            desk.start(StartRequest::Tell(request(Some(order))?)).await?
        }
        handle => handle?,
    };
    follow(desk, screen, handle, &working.watch, place).await
}

/// Sends an order; while another command works on the project, waits for its end.
async fn queued(desk: &Desk, screen: &Screen, request: &TellRequest) -> Result<RunHandle, qingyu_studio::Error> {
    /// Time between two attempts.
    const OFTEN: Duration = Duration::from_millis(500);
    let mut is_told = false;
    loop {
        match desk.start(StartRequest::Tell(request.clone())).await {
            Err(error) if error.code() == "thread_busy" => {
                if !is_told {
                    let run = error.data()["run"].as_str().unwrap_or_default().to_owned();
                    screen.note_page(|page| page.say(0, FAINT, "produce-queued", &[("run", run.into())]));
                    is_told = true;
                }
                tokio::time::sleep(OFTEN).await;
            }
            handle => return handle,
        }
    }
}

/// Returns the waiting run, after finishing pending work.
pub(super) async fn ready(
    desk: &Desk,
    screen: &Screen,
    project: &str,
    working: &RunControlArgs,
) -> Result<ProductionTurn, Error> {
    let view = desk.call(op::ReadProduction { project: project.to_owned() }).await;
    if let Ok(view) = &view
        && let (Some((run, RunStatus::Waiting)), Some(_)) = (&view.run, &view.turn)
    {
        let outcome = desk.call(op::ReadRun { run: run.clone() }).await?;
        let warned = outcome.warnings.len();
        return Ok(ProductionTurn { outcome, said: ReplyState::Unread, warned });
    }
    let (model, overrides) = (working.model.clone(), overrides(working)?);
    let request = TellRequest { project: project.to_owned(), order: None, model, overrides };
    follow(desk, screen, desk.start(StartRequest::Tell(request)).await?, &working.watch, TurnOrigin::Command).await
}

pub(super) async fn follow(
    desk: &Desk,
    screen: &Screen,
    handle: RunHandle,
    watch: &WatchArgs,
    place: TurnOrigin,
) -> Result<ProductionTurn, Error> {
    let (outcome, narrator) = match place {
        TurnOrigin::Command => {
            let (outcome, narrator, _) = watch::outcome(screen, desk, handle, watch).await?;
            (outcome, narrator)
        }
        TurnOrigin::Conversation => watch::turn(screen, desk, handle, watch).await?,
    };
    let is_read = draw::words(&outcome).is_some_and(|turn| narrator.has_said(&turn.text));
    Ok(ProductionTurn { outcome, said: if is_read { ReplyState::Read } else { ReplyState::Unread }, warned: 0 })
}

/// Draws the warnings of a turn, and the reply unless already streamed.
pub(super) fn answer(screen: &Screen, turn: &ProductionTurn, watch: &WatchArgs) -> Result<(), Error> {
    if screen.json() || watch.events {
        return Ok(());
    }
    screen.show(&(), |page| {
        draw::warnings(page, turn.outcome.warnings.get(turn.warned..).unwrap_or_default());
        if turn.said == ReplyState::Unread {
            draw::turn(page, &turn.outcome);
        }
    })
}

/// Prints the status of the production.
pub(super) async fn end(desk: &Desk, screen: &Screen, turn: &ProductionTurn, watch: &WatchArgs) -> Result<Exit, Error> {
    let outcome = &turn.outcome;
    if screen.json() {
        screen.print_json(&outcome.document())?;
        return Ok(outcome.status.into());
    }
    watch::failures(screen, outcome);
    if !watch.events {
        let view = desk.call(op::ReadProduction { project: outcome.project.clone() }).await?;
        screen.show(&(), |page| draw::ending(page, outcome, &view, turn.said))?;
    }
    Ok(outcome.status.into())
}
