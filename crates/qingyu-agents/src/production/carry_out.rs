//! Execution of orders.

use qingyu_graph::{Command, NodeError};
use qingyu_production::{Error, FieldBoard, Status, change, progress, sizes};
use qingyu_story::Story;
use qingyu_story::production::{Autonomy, Field, Phase, PhaseKind};

use super::cost;
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
    let asked = take_sizes(&mut desk, story, &order).await?;
    let order = with_list(story, order, &asked);
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
            let wanted: Vec<String> = made.iter().map(|field| field.path.clone()).collect();
            let cost = cost::of_fields(desk.room, desk.state, story, &wanted);
            let (titles, reports) = (titles(&made), titles(&reports));
            desk.say_back(&ProductionNotice::Updating { titles: &titles, reports: &reports, cost: &cost });
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

/// Puts the sizes that the user asks for into the project and says which: those of an answer in an interview, and those
/// of an instruction.
async fn take_sizes(
    desk: &mut ProductionNode<'_>,
    story: &Story,
    order: &Order,
) -> Result<sizes::AskedSizes, NodeError> {
    let is_interview = current(story).is_some_and(|(phase, _)| phase.kind == PhaseKind::Interview);
    let none: &[String] = &[];
    let (words, fields, is_change) = match order {
        Order::Say { text } if is_interview => (text.as_str(), none, false),
        Order::Make { fields, instruction, is_change } => (instruction.as_str(), fields.as_slice(), *is_change),
        _ => return Ok(sizes::AskedSizes::default()),
    };
    let board = FieldBoard::new(&story.fields);
    let found: Result<Vec<String>, Error> =
        fields.iter().map(|path| board.find(path).map(|field| field.path.clone())).collect();
    // An order about a field that does not exist is refused later.
    let Ok(given) = found else { return Ok(sizes::AskedSizes::default()) };
    let mut after = story.clone();
    let asked = sizes::take(&mut after, words, &given, is_change);
    if after != *story {
        let taken = |story: &mut Story| Ok(sizes::take(story, words, &given, is_change));
        desk.save(None, taken).await?.map_err(|error| NodeError::fatal(error.to_string()))?;
    }
    tell_sizes(desk, &asked);
    Ok(asked)
}

/// Returns the order, or in its place a change of the list that the order is about: "make it two lessons" means the outline,
/// and not the lessons that it has by now.
fn with_list(story: &Story, order: Order, asked: &sizes::AskedSizes) -> Order {
    let Order::Make { fields, instruction, .. } = &order else { return order };
    let board = FieldBoard::new(&story.fields);
    let is_other = |size: &&sizes::AskedSize| {
        let sizes::SizeKind::Entries(list) = &size.kind else { return false };
        let value = board.get(&size.path).map(|field| &field.value);
        let entries = value.and_then(|value| if list.is_empty() { Some(value) } else { value.get(list) });
        let count = entries.and_then(|entries| entries.as_array()).map(Vec::len);
        let is_of_list = |given: &String| {
            let each = board.find(given).ok().and_then(|field| field.each.as_deref());
            each.is_some_and(|each| each.split('#').next() == Some(size.path.as_str()))
        };
        count.is_some_and(|count| !(size.least..=size.most).contains(&count)) && fields.iter().all(is_of_list)
    };
    match asked.sizes.iter().find(is_other) {
        Some(size) => {
            Order::Make { fields: vec![size.path.clone()], instruction: instruction.clone(), is_change: true }
        }
        None => order,
    }
}

/// Tells which sizes were taken, and which are beyond what can be made.
pub(super) fn tell_sizes(desk: &mut ProductionNode<'_>, asked: &sizes::AskedSizes) {
    if !asked.sizes.is_empty() {
        desk.say_back(&ProductionNotice::Sized { sizes: &asked.sizes });
    }
    for words in &asked.refused {
        desk.warn(&ProductionNotice::SizeRefused { words });
    }
}

/// Asks the user to agree to an update of the stale fields, and states its cost; says so if no field is stale.
pub(super) async fn propose_update(desk: ProductionNode<'_>, story: &Story) -> OrderOutcome {
    let (reports, made) = stale(story);
    if made.is_empty() {
        return carry_out(desk, story, Order::MakeStale).await;
    }
    let fields: Vec<String> = made.iter().map(|field| field.path.clone()).collect();
    let cost = cost::of_fields(desk.room, desk.state, story, &fields);
    let (titles, reports) = (titles(&made), titles(&reports));
    let notice = ProductionNotice::AgreeToUpdate { titles: &titles, reports: &reports, cost: &cost };
    let text = notice.text(desk.language());
    let phase = desk.state.current_phase.clone();
    let proposal = Some(Box::new(Order::MakeStale));
    Ok(desk.listen(Turn { phase, asks: Asks::Agree, text, fields, proposal, ..Turn::default() }))
}

/// Confirms the fields `named`, or without any the drafts among the fields shown last.
pub(super) async fn confirm(mut desk: ProductionNode<'_>, story: &Story, named: &[String]) -> OrderOutcome {
    let given = if named.is_empty() { desk.state.turn.fields.clone() } else { named.to_vec() };
    let paths = match meant(story, &given) {
        Ok(paths) => paths,
        Err(error) => return Ok(refuse(desk, &error)),
    };
    let board = FieldBoard::new(&story.fields);
    let statuses = board.statuses();
    let of = |path: &String| statuses.get(path.as_str()).copied().unwrap_or(Status::Empty);
    let is_meant = |path: &&String| match of(path) {
        Status::Empty => false,
        Status::Draft => true,
        // A stale field is confirmed only by name.
        Status::Confirmed | Status::Stale => !named.is_empty(),
    };
    let wanted: Vec<String> = paths.iter().filter(is_meant).cloned().collect();
    if wanted.is_empty() {
        return Ok(say(desk, &ProductionNotice::NothingToConfirm));
    }
    let title = |path: &String| board.title(path);
    let titles: Vec<String> = wanted.iter().map(title).collect();
    let empty: Vec<String> = paths.iter().filter(|path| of(path) == Status::Empty).map(title).collect();
    match desk.save(None, |story| change::confirm(story, &wanted)).await? {
        Ok(()) => Ok(say(desk, &ProductionNotice::FieldsConfirmed { titles: &titles, empty: &empty })),
        Err(error) => Ok(refuse(desk, &error)),
    }
}

/// Tells the user the notice and waits.
pub(super) fn say(desk: ProductionNode<'_>, notice: &ProductionNotice<'_>) -> Command<ContentProductionState> {
    about(desk, notice, Vec::new())
}

/// Tells the user the notice, which is about `fields`, and waits.
fn about(
    desk: ProductionNode<'_>,
    notice: &ProductionNotice<'_>,
    fields: Vec<String>,
) -> Command<ContentProductionState> {
    let text = notice.text(desk.language());
    let phase = desk.state.current_phase.clone();
    let is_error = matches!(notice, ProductionNotice::NotMade { .. });
    desk.listen(Turn { phase, text, fields, is_error, ..Turn::default() })
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

async fn advance(desk: ProductionNode<'_>, story: &Story) -> OrderOutcome {
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
    confirm_phase(desk, &phase).await
}

/// Confirms the phase, moves the project to the next, and enters it.
pub(super) async fn confirm_phase(mut desk: ProductionNode<'_>, phase: &Phase) -> OrderOutcome {
    match desk.save(None, |story| complete(story, &phase.name)).await? {
        Ok(()) => {
            desk.reason(&ProductionNotice::Confirmed { title: &phase.title });
            Ok(desk.goto(ENTER))
        }
        Err(error) => Ok(refuse(desk, &error)),
    }
}

/// Confirms the values of a phase and moves the project to the next phase.
fn complete(story: &mut Story, phase: &str) -> Result<(), Error> {
    let of_phase = story.fields.iter().filter(|field| field.phase == phase && !field.is_empty());
    let paths: Vec<String> = of_phase.map(|field| field.path.clone()).collect();
    change::confirm(story, &paths)?;
    let production = story.production.as_mut().ok_or(Error::NoProduction)?;
    // A concurrent change may already have moved the project on.
    if production.current_phase == phase {
        progress::advance(production);
    }
    Ok(())
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

/// Returns the stale fields: reports, and fields that can be made anew.
fn stale(story: &Story) -> (Vec<&Field>, Vec<&Field>) {
    let board = FieldBoard::new(&story.fields);
    let stale = board.stale().into_iter();
    let (reports, mut made): (Vec<&Field>, Vec<&Field>) = stale.partition(|field| progress::is_report(story, field));
    made.retain(|field| !is_left_over(&board, field));
    (reports, made)
}

/// Returns the fields that a change of the fields `changed` has made stale, without reports.
pub(super) fn stale_by<'a>(story: &'a Story, changed: &[String]) -> Vec<&'a Field> {
    let stale = FieldBoard::new(&story.fields).stale_by(changed);
    stale.into_iter().filter(|field| !progress::is_report(story, field)).collect()
}

/// Returns whether a field belongs to an entry that its list has no more: there is nothing to make it for.
pub(super) fn is_left_over(board: &FieldBoard<'_>, field: &Field) -> bool {
    let entry = field.item.as_ref().and(field.depends_on.last());
    entry.is_some_and(|entry| board.value(entry).is_none_or(|value| value.is_null()))
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

/// Routes to the next node after work on `fields`.
pub(super) fn after(
    desk: ProductionNode<'_>,
    notice: &ProductionNotice<'_>,
    fields: Vec<String>,
) -> Command<ContentProductionState> {
    if desk.state.work.is_phase {
        return desk.goto(CHECKPOINT);
    }
    about(desk, notice, fields)
}
