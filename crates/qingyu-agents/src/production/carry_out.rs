//! Execution of orders.

use qingyu_graph::{Command, NodeError};
use qingyu_production::{Error, FieldBoard, progress};
use qingyu_story::Story;
use qingyu_story::production::{Autonomy, Field, PhaseKind};

use super::desk::{ProductionNode, current, meant};
use super::notice::ProductionNotice;
use super::order::{Asks, Order, Turn};
use super::state::Work;
use crate::production::names::{CHECKPOINT, ENTER, EVALUATE, MAKE, RESEARCH, ROUTER, SIMULATE};
use crate::production::state::ContentProductionState;

type OrderOutcome = Result<Command<ContentProductionState>, NodeError>;

/// Executes an order, or routes to the responsible node.
pub(super) async fn carry_out(mut desk: ProductionNode<'_>, story: &Story, order: Order) -> OrderOutcome {
    let kept = order.clone();
    desk.write(|update| update.order(Some(kept)));
    match order {
        Order::Say { .. } => Ok(desk.goto(ROUTER)),
        Order::Advance => advance(desk, story).await,
        Order::Revisit { phase } => revisit(desk, &phase).await,
        Order::Make { fields, instruction, is_change } => make(desk, story, &fields, instruction, is_change),
        Order::MakeStale => {
            let (reports, made) = stale(story);
            if made.is_empty() && !reports.is_empty() {
                return Ok(say(desk, &ProductionNotice::ReportsStale { titles: &titles(&reports) }));
            }
            if made.is_empty() {
                return Ok(say(desk, &ProductionNotice::NothingStale));
            }
            let wanted = made.into_iter().map(|field| field.path.clone()).collect();
            Ok(work_on(desk, Work { wanted, ..Work::default() }, MAKE))
        }
        Order::Research { .. } => Ok(work_on(desk, Work::default(), RESEARCH)),
        Order::Simulate { .. } => Ok(work_on(desk, Work::default(), SIMULATE)),
        Order::Evaluate { .. } => Ok(work_on(desk, Work::default(), EVALUATE)),
        Order::Autonomy { phases } => autonomy(desk, &phases).await,
        Order::End => {
            desk.write(|update| update.order(None));
            Ok(desk.goto(qingyu_graph::END))
        }
    }
}

/// Tells the user the notice and waits.
pub(super) fn say(desk: ProductionNode<'_>, notice: &ProductionNotice<'_>) -> Command<ContentProductionState> {
    let text = notice.text(desk.language());
    let phase = desk.state.current_phase.clone();
    let is_error = matches!(notice, ProductionNotice::NotMade { .. });
    desk.listen(Turn { phase, text, is_error, ..Turn::default() })
}

/// Tells the user why a request failed and waits.
pub(super) fn refuse(desk: ProductionNode<'_>, error: &Error) -> Command<ContentProductionState> {
    refuse_because(desk, &ProductionNotice::NotPossible { error })
}

/// Tells the user the notice as a refusal and waits.
pub(super) fn refuse_because(
    desk: ProductionNode<'_>,
    notice: &ProductionNotice<'_>,
) -> Command<ContentProductionState> {
    let text = notice.text(desk.language());
    let phase = desk.state.current_phase.clone();
    desk.listen(Turn { phase, text, is_refusal: true, ..Turn::default() })
}

/// Stores `work` in the state and routes to `node`.
pub(super) fn work_on(mut desk: ProductionNode<'_>, work: Work, node: &str) -> Command<ContentProductionState> {
    desk.write(|update| update.work(work));
    desk.goto(node)
}

async fn advance(mut desk: ProductionNode<'_>, story: &Story) -> OrderOutcome {
    if desk.has_gone_on(story) {
        return Ok(desk.goto(ENTER));
    }
    let Some((phase, _)) = current(story) else { return Ok(say(desk, &ProductionNotice::AllDone)) };
    let board = FieldBoard::new(&story.fields);
    let is_open = !board.open(&phase.name, false).is_empty();
    // "Enough asked" in an interview, and "go on" with fields still missing, both mean: make the fields now.
    if is_open && desk.state.turn.asks != Asks::Confirm {
        let wanted = board.open(&phase.name, true).into_iter().collect();
        let node = node_of(phase.kind);
        return Ok(work_on(desk, Work { wanted, is_phase: true, ..Work::default() }, node));
    }
    let title = phase.title.clone();
    match desk.save(None, |story| confirm_phase(story, &phase.name)).await? {
        Ok(_) => {
            desk.reason(&ProductionNotice::Confirmed { title: &title });
            Ok(desk.goto(ENTER))
        }
        Err(error) => Ok(refuse(desk, &error)),
    }
}

/// Confirms the phase and moves the project to the next; returns whether a next phase exists.
pub(super) fn confirm_phase(story: &mut Story, phase: &str) -> Result<bool, Error> {
    let of_phase = story.fields.iter().filter(|field| field.phase == phase && !field.is_empty());
    let paths: Vec<String> = of_phase.map(|field| field.path.clone()).collect();
    qingyu_production::change::confirm(story, &paths)?;
    let production = story.production.as_mut().ok_or(Error::NoProduction)?;
    if production.current_phase != phase {
        // A concurrent change already moved the project on.
        return Ok(!production.current_phase.is_empty());
    }
    Ok(progress::advance(production).is_some())
}

async fn revisit(mut desk: ProductionNode<'_>, given: &str) -> OrderOutcome {
    let change = |story: &mut Story| {
        let production = story.production.as_mut().ok_or(Error::NoProduction)?;
        progress::revisit(production, given)?;
        Ok(progress::current(production).map(|phase| phase.title.clone()).unwrap_or_default())
    };
    match desk.save(None, change).await? {
        Ok(title) => Ok(say(desk, &ProductionNotice::Revisited { title: &title })),
        Err(error) => Ok(refuse(desk, &error)),
    }
}

fn make(
    desk: ProductionNode<'_>,
    story: &Story,
    fields: &[String],
    instruction: String,
    is_change: bool,
) -> OrderOutcome {
    let wanted = match meant(story, fields) {
        Ok(wanted) => wanted,
        Err(error) => return Ok(refuse(desk, &error)),
    };
    if !wanted.is_empty() {
        let board = FieldBoard::new(&story.fields);
        let is_of_report = |path: &&String| board.get(path).is_some_and(|field| progress::is_report(story, field));
        let reports: Vec<&String> = wanted.iter().filter(is_of_report).collect();
        return match reports.first().and_then(|path| board.get(path)) {
            // Regenerating a report repeats its research.
            Some(field) if reports.len() == wanted.len() => Ok(again(desk, story, field)),
            _ => {
                let wanted = wanted.iter().filter(|path| !is_of_report(path)).cloned().collect();
                Ok(work_on(desk, Work { wanted, instruction, is_change, ..Work::default() }, MAKE))
            }
        };
    }
    if is_change {
        return Ok(say(desk, &ProductionNotice::WhichField));
    }
    let Some((phase, _)) = current(story) else { return Ok(say(desk, &ProductionNotice::NothingToMake)) };
    let open: Vec<String> = FieldBoard::new(&story.fields).open(&phase.name, true).into_iter().collect();
    if open.is_empty() {
        return Ok(say(desk, &ProductionNotice::NothingToMake));
    }
    let work = Work { wanted: open, instruction, is_phase: true, ..Work::default() };
    Ok(work_on(desk, work, node_of(phase.kind)))
}

/// Repeats the work of a report's phase.
fn again(mut desk: ProductionNode<'_>, story: &Story, field: &Field) -> Command<ContentProductionState> {
    let kind = progress::phase_of(story, field).map(|phase| phase.kind);
    desk.write(|update| update.order(None));
    work_on(desk, Work::default(), node_of(kind.unwrap_or_default()))
}

async fn autonomy(mut desk: ProductionNode<'_>, phases: &[(String, Autonomy)]) -> OrderOutcome {
    let change = |story: &mut Story| {
        let production = story.production.as_mut().ok_or(Error::NoProduction)?;
        progress::set_autonomy(production, phases)?;
        let waiting = production.phases.iter().filter(|phase| phase.autonomy == Autonomy::Wait).count();
        Ok((waiting, production.phases.len() - waiting))
    };
    match desk.save(None, change).await? {
        Ok((waiting, alone)) => Ok(say(desk, &ProductionNotice::Autonomy { waiting, alone })),
        Err(error) => Ok(refuse(desk, &error)),
    }
}

/// Returns the stale fields: reports, and fields derived from others.
pub(super) fn stale(story: &Story) -> (Vec<&Field>, Vec<&Field>) {
    FieldBoard::new(&story.fields).stale().into_iter().partition(|field| progress::is_report(story, field))
}

/// Returns the titles of fields.
pub(super) fn titles(fields: &[&Field]) -> Vec<String> {
    fields.iter().map(|field| field.title.clone()).collect()
}

/// Returns the name of the node for a kind of phase.
pub(super) fn node_of(kind: PhaseKind) -> &'static str {
    match kind {
        PhaseKind::Interview | PhaseKind::Make => MAKE,
        PhaseKind::Research => RESEARCH,
        PhaseKind::Simulate => SIMULATE,
        PhaseKind::Evaluate => EVALUATE,
    }
}

/// Routes to the next node after completed work.
pub(super) fn after(desk: ProductionNode<'_>, notice: &ProductionNotice<'_>) -> Command<ContentProductionState> {
    if desk.state.work.is_phase {
        return desk.goto(CHECKPOINT);
    }
    say(desk, notice)
}
