//! Where an order leads.

use qingyu_graph::{Command, NodeError};
use qingyu_production::{Board, Error, progress};
use qingyu_story::Story;
use qingyu_story::production::{Autonomy, Field, PhaseKind};

use super::desk::{Desk, current, meant};
use super::notice::Notice;
use super::order::{Asks, Order, Turn};
use super::state::Work;
use super::{CHECKPOINT, ContentProductionState, ENTER, EVALUATE, MAKE, RESEARCH, ROUTER, SIMULATE};

type Gone = Result<Command<ContentProductionState>, NodeError>;

/// Does an order, or goes to the node that does it.
pub(super) async fn carry_out(mut desk: Desk<'_>, story: &Story, order: Order) -> Gone {
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
                return Ok(say(desk, &Notice::ReportsStale { titles: &titles(&reports) }));
            }
            if made.is_empty() {
                return Ok(say(desk, &Notice::NothingStale));
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

/// Says something, and waits.
pub(super) fn say(desk: Desk<'_>, notice: &Notice<'_>) -> Command<ContentProductionState> {
    let text = notice.text(desk.language());
    let phase = desk.state.current_phase.clone();
    desk.listen(Turn { phase, text, ..Turn::default() })
}

/// Waits, after saying why something cannot be done.
pub(super) fn refuse(desk: Desk<'_>, error: &Error) -> Command<ContentProductionState> {
    refuse_because(desk, &Notice::NotPossible { error })
}

/// The same for another reason.
pub(super) fn refuse_because(desk: Desk<'_>, notice: &Notice<'_>) -> Command<ContentProductionState> {
    let text = notice.text(desk.language());
    let phase = desk.state.current_phase.clone();
    desk.listen(Turn { phase, text, is_refusal: true, ..Turn::default() })
}

/// Goes to a node with work in hand.
pub(super) fn work_on(mut desk: Desk<'_>, work: Work, node: &str) -> Command<ContentProductionState> {
    desk.write(|update| update.work(work));
    desk.goto(node)
}

async fn advance(mut desk: Desk<'_>, story: &Story) -> Gone {
    if desk.has_gone_on(story) {
        return Ok(desk.goto(ENTER));
    }
    let Some((phase, _)) = current(story) else { return Ok(say(desk, &Notice::AllDone)) };
    let board = Board::new(&story.fields);
    let is_open = !board.open(&phase.name, false).is_empty();
    // "Enough asked" in an interview, and "go on" where something is still to be made, mean that it is made now.
    if is_open && desk.state.turn.asks != Asks::Confirm {
        let wanted = board.open(&phase.name, true).into_iter().collect();
        let node = node_of(phase.kind);
        return Ok(work_on(desk, Work { wanted, is_phase: true, ..Work::default() }, node));
    }
    let title = phase.title.clone();
    match desk.save(None, |story| confirm_phase(story, &phase.name)).await? {
        Ok(_) => {
            desk.reason(&Notice::Confirmed { title: &title });
            Ok(desk.goto(ENTER))
        }
        Err(error) => Ok(refuse(desk, &error)),
    }
}

/// Confirms what a phase made, and goes to the next; whether there is one.
pub(super) fn confirm_phase(story: &mut Story, phase: &str) -> Result<bool, Error> {
    let of_phase = story.fields.iter().filter(|field| field.phase == phase && !field.is_empty());
    let paths: Vec<String> = of_phase.map(|field| field.path.clone()).collect();
    qingyu_production::change::confirm(story, &paths)?;
    let production = story.production.as_mut().ok_or(Error::NoProduction)?;
    if production.current_phase != phase {
        // Somebody else has gone on already.
        return Ok(!production.current_phase.is_empty());
    }
    Ok(progress::advance(production).is_some())
}

async fn revisit(mut desk: Desk<'_>, given: &str) -> Gone {
    let change = |story: &mut Story| {
        let production = story.production.as_mut().ok_or(Error::NoProduction)?;
        progress::revisit(production, given)?;
        Ok(progress::current(production).map(|phase| phase.title.clone()).unwrap_or_default())
    };
    match desk.save(None, change).await? {
        Ok(title) => Ok(say(desk, &Notice::Revisited { title: &title })),
        Err(error) => Ok(refuse(desk, &error)),
    }
}

fn make(desk: Desk<'_>, story: &Story, fields: &[String], instruction: String, is_change: bool) -> Gone {
    let wanted = match meant(story, fields) {
        Ok(wanted) => wanted,
        Err(error) => return Ok(refuse(desk, &error)),
    };
    if !wanted.is_empty() {
        let board = Board::new(&story.fields);
        let is_of_report = |path: &&String| board.get(path).is_some_and(|field| progress::is_report(story, field));
        let reports: Vec<&String> = wanted.iter().filter(is_of_report).collect();
        return match reports.first().and_then(|path| board.get(path)) {
            // A report that is to be made anew is found out anew.
            Some(field) if reports.len() == wanted.len() => Ok(again(desk, story, field)),
            _ => {
                let wanted = wanted.iter().filter(|path| !is_of_report(path)).cloned().collect();
                Ok(work_on(desk, Work { wanted, instruction, is_change, ..Work::default() }, MAKE))
            }
        };
    }
    if is_change {
        return Ok(say(desk, &Notice::WhichField));
    }
    let Some((phase, _)) = current(story) else { return Ok(say(desk, &Notice::NothingToMake)) };
    let open: Vec<String> = Board::new(&story.fields).open(&phase.name, true).into_iter().collect();
    if open.is_empty() {
        return Ok(say(desk, &Notice::NothingToMake));
    }
    let work = Work { wanted: open, instruction, is_phase: true, ..Work::default() };
    Ok(work_on(desk, work, node_of(phase.kind)))
}

/// Does the work of a report's phase again.
fn again(mut desk: Desk<'_>, story: &Story, field: &Field) -> Command<ContentProductionState> {
    let kind = progress::phase_of(story, field).map(|phase| phase.kind);
    desk.write(|update| update.order(None));
    work_on(desk, Work::default(), node_of(kind.unwrap_or_default()))
}

async fn autonomy(mut desk: Desk<'_>, phases: &[(String, Autonomy)]) -> Gone {
    let change = |story: &mut Story| {
        let production = story.production.as_mut().ok_or(Error::NoProduction)?;
        progress::set_autonomy(production, phases)?;
        let waiting = production.phases.iter().filter(|phase| phase.autonomy == Autonomy::Wait).count();
        Ok((waiting, production.phases.len() - waiting))
    };
    match desk.save(None, change).await? {
        Ok((waiting, alone)) => Ok(say(desk, &Notice::Autonomy { waiting, alone })),
        Err(error) => Ok(refuse(desk, &error)),
    }
}

/// The stale fields: the reports, and those that are made anew from others.
pub(super) fn stale(story: &Story) -> (Vec<&Field>, Vec<&Field>) {
    Board::new(&story.fields).stale().into_iter().partition(|field| progress::is_report(story, field))
}

/// The names of fields for people.
pub(super) fn titles(fields: &[&Field]) -> Vec<String> {
    fields.iter().map(|field| field.title.clone()).collect()
}

/// The node that does the work of a phase.
pub(super) fn node_of(kind: PhaseKind) -> &'static str {
    match kind {
        PhaseKind::Interview | PhaseKind::Make => MAKE,
        PhaseKind::Research => RESEARCH,
        PhaseKind::Simulate => SIMULATE,
        PhaseKind::Evaluate => EVALUATE,
    }
}

/// Where it goes when the work of a node is done.
pub(super) fn after(desk: Desk<'_>, notice: &Notice<'_>) -> Command<ContentProductionState> {
    if desk.state.work.is_phase {
        return desk.goto(CHECKPOINT);
    }
    say(desk, notice)
}
