//! `qingyu produce`: content in phases, with the user.

use std::path::Path;

use qingyu_studio::agents::production::Order;
use qingyu_studio::operations::{self as op, Start};
use qingyu_studio::production::simulation::Interaction;
use qingyu_studio::story::Language;
use qingyu_studio::story::production::Autonomy;
use qingyu_studio::{Outcome, ProduceRequest, RunHandle, RunStatus, TellRequest};
use toml::Table;

use super::create::{assign_all, requirement};
use super::settling::left_in_editor;
use super::texts::text_of;
use crate::args::{
    ProduceChat, ProduceCommand, ProduceConfirm, ProduceEvaluate, ProduceFields, ProduceNew, ProduceRead,
    ProduceRegenerate, ProduceResearch, ProduceSimulate, ProduceStale, ProduceUpdate, Reading, Watch, Working,
};
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::page::FAINT;
use crate::render::production::{self as draw, Said};
use crate::screen::Screen;
use crate::watch;

mod conversation;
mod export;

/// What a turn came to, and whether it was read already while it came.
struct Turn {
    outcome: Outcome,
    said: Said,
    /// How many of the run's warnings are older than this turn.
    warned: usize,
}

/// Where a turn happens.
#[derive(Clone, Copy)]
enum Place {
    /// In a command of its own, which says what it works on.
    Command,
    /// In a conversation, whose user knows.
    Conversation,
}

/// Carries out a command of productions.
pub(super) async fn run(desk: &Desk, screen: &Screen, command: ProduceCommand) -> Result<Exit, Error> {
    match command {
        ProduceCommand::New(arguments) => new(desk, screen, arguments).await,
        ProduceCommand::Chat(arguments) => chat(desk, screen, arguments).await,
        ProduceCommand::Fields(ProduceFields { project, phase }) => {
            let mut view = desk.call(op::ReadProduction { project: project.clone() }).await?;
            if let Some(phase) = phase {
                view.fields.retain(|row| row.phase == phase);
                view.phases.retain(|row| row.phase.name == phase);
            }
            screen.show(&view, |page| draw::production(page, &view)).map(|()| Exit::Done)
        }
        ProduceCommand::Read(ProduceRead { project, field }) => {
            let view = desk.call(op::ReadField { project: project.clone(), path: field }).await?;
            screen.show(&view, |page| draw::field(page, &view)).map(|()| Exit::Done)
        }
        ProduceCommand::Update(arguments) => update(desk, screen, arguments).await,
        ProduceCommand::Confirm(ProduceConfirm { project, fields }) => {
            desk.call(op::ConfirmFields { project: project.clone(), paths: fields }).await?;
            let view = desk.call(op::ReadProduction { project: project.clone() }).await?;
            screen.show(&view, |page| draw::production(page, &view)).map(|()| Exit::Done)
        }
        ProduceCommand::Stale(ProduceStale { project }) => {
            let mut rows = desk.call(op::ReadProduction { project: project.clone() }).await?.fields;
            rows.retain(|row| row.status == qingyu_studio::production::Status::Stale);
            screen.show(&rows, |page| draw::stale(page, &rows)).map(|()| Exit::Done)
        }
        ProduceCommand::Regenerate(ProduceRegenerate { project, fields, with, change, working }) => {
            let order = match (fields.is_empty(), with) {
                (true, None) => Order::MakeStale,
                (_, with) => Order::Make { fields, instruction: with.unwrap_or_default(), is_change: change },
            };
            tell(desk, screen, &project, order, working).await
        }
        ProduceCommand::Research(ProduceResearch { project, question, working }) => {
            let order = Order::Research { question: question.unwrap_or_default(), max_sources: None };
            tell(desk, screen, &project, order, working).await
        }
        ProduceCommand::Simulate(ProduceSimulate { project, contents, interactions, working }) => {
            let interactions = interactions.into_iter().map(Interaction::from).collect();
            tell(desk, screen, &project, Order::Simulate { contents, interactions, personas: Vec::new() }, working)
                .await
        }
        ProduceCommand::Evaluate(ProduceEvaluate { project, contents, runs, working }) => {
            tell(desk, screen, &project, Order::Evaluate { contents, runs, criteria: Vec::new() }, working).await
        }
        ProduceCommand::Export(arguments) => export::export(desk, screen, arguments).await,
        ProduceCommand::Templates => {
            let rows = desk.call(op::ListTemplates { language: screen.texts().language() }).await?;
            screen.show(&rows, |page| draw::templates(page, &rows)).map(|()| Exit::Done)
        }
    }
}

async fn new(desk: &Desk, screen: &Screen, arguments: ProduceNew) -> Result<Exit, Error> {
    let ProduceNew { premise, template, title, language, autonomy, working } = arguments;
    let settings = autonomy.iter().map(|given| phase_setting(given)).collect::<Result<_, _>>()?;
    let request = ProduceRequest {
        premise: requirement(&premise)?,
        template: Some(template),
        title,
        language: language.map(Language::from),
        autonomy: settings,
        model: working.model.clone(),
        overrides: overrides(&working)?,
    };
    let handle = desk.start(Start::Produce(request)).await?;
    let project = handle.project().to_owned();
    hint(screen, &working.watch);
    let turn = follow(desk, screen, handle, &working.watch, Place::Command).await?;
    begun(desk, screen, &project, turn, working).await
}

async fn chat(desk: &Desk, screen: &Screen, arguments: ProduceChat) -> Result<Exit, Error> {
    let ProduceChat { project, say, working } = arguments;
    let project = desk.call(op::FindProject { project: project.clone() }).await?.project;
    if say.is_empty() {
        hint(screen, &working.watch);
        let turn = ready(desk, screen, &project, &working).await?;
        return begun(desk, screen, &project, turn, working).await;
    }
    let mut last = None;
    for text in say {
        let order = Order::Say { text };
        if let Some(before) = last.replace(turn(desk, screen, &project, order, &working, Place::Command).await?) {
            answer(screen, &before, &working.watch)?;
        }
    }
    said(screen, &last.expect("something was said"), &working.watch)
}

async fn tell(desk: &Desk, screen: &Screen, project: &str, order: Order, working: Working) -> Result<Exit, Error> {
    let turn = turn(desk, screen, project, order, &working, Place::Command).await?;
    let exit = said(screen, &turn, &working.watch)?;
    let is_refused = draw::words(&turn.outcome).is_some_and(|words| words.is_refusal);
    Ok(if exit == Exit::Done && is_refused { Exit::Failed } else { exit })
}

/// Goes on in a conversation if somebody is there to talk with, or tells how the production stands.
async fn begun(desk: &Desk, screen: &Screen, project: &str, turn: Turn, working: Working) -> Result<Exit, Error> {
    if can_talk(screen, &working.watch) && turn.outcome.status == RunStatus::Waiting {
        return conversation::converse(desk, screen, project, turn, working).await;
    }
    end(desk, screen, &turn, &working.watch).await
}

/// Gives an order, after the run has done what it was stopped in.
async fn turn(
    desk: &Desk,
    screen: &Screen,
    project: &str,
    order: Order,
    working: &Working,
    place: Place,
) -> Result<Turn, Error> {
    let before = warned(desk, project).await;
    let mut turn = told(desk, screen, project, order, working, place).await?;
    turn.warned = before.filter(|(run, _)| *run == turn.outcome.run).map_or(0, |(_, count)| count);
    Ok(turn)
}

/// The last run of a project, and how much it has warned of so far.
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
    working: &Working,
    place: Place,
) -> Result<Turn, Error> {
    let request = |order| -> Result<TellRequest, Error> {
        let (model, overrides) = (working.model.clone(), overrides(working)?);
        Ok(TellRequest { project: project.to_owned(), order, model, overrides })
    };
    let handle = match desk.start(Start::Tell(request(Some(order.clone()))?)).await {
        // By its code, since a server may say so as well.
        Err(error) if error.code() == "run_unfinished" => {
            let turn =
                follow(desk, screen, desk.start(Start::Tell(request(None)?)).await?, &working.watch, place).await?;
            if !matches!(turn.outcome.status, RunStatus::Waiting | RunStatus::Done) {
                return Ok(turn);
            }
            desk.start(Start::Tell(request(Some(order))?)).await?
        }
        handle => handle?,
    };
    follow(desk, screen, handle, &working.watch, place).await
}

/// The run as it waits, after it has done what is due.
async fn ready(desk: &Desk, screen: &Screen, project: &str, working: &Working) -> Result<Turn, Error> {
    let view = desk.call(op::ReadProduction { project: project.to_owned() }).await;
    if let Ok(view) = &view
        && let (Some((run, RunStatus::Waiting)), Some(_)) = (&view.run, &view.turn)
    {
        let outcome = desk.call(op::ReadRun { run: run.clone() }).await?;
        let warned = outcome.warnings.len();
        return Ok(Turn { outcome, said: Said::Unread, warned });
    }
    let (model, overrides) = (working.model.clone(), overrides(working)?);
    let request = TellRequest { project: project.to_owned(), order: None, model, overrides };
    follow(desk, screen, desk.start(Start::Tell(request)).await?, &working.watch, Place::Command).await
}

async fn follow(desk: &Desk, screen: &Screen, handle: RunHandle, watch: &Watch, place: Place) -> Result<Turn, Error> {
    let (outcome, narrator) = match place {
        Place::Command => {
            let (outcome, narrator, _) = watch::outcome(screen, desk, handle, watch).await?;
            (outcome, narrator)
        }
        Place::Conversation => watch::turn(screen, desk, handle, watch).await?,
    };
    let is_read = draw::words(&outcome).is_some_and(|turn| narrator.has_said(&turn.text));
    Ok(Turn { outcome, said: if is_read { Said::Read } else { Said::Unread }, warned: 0 })
}

/// Whether a person is here to talk with.
fn can_talk(screen: &Screen, watch: &Watch) -> bool {
    screen.can_ask() && !watch.yes && !watch.events
}

/// Tells a person what can be done here.
fn hint(screen: &Screen, watch: &Watch) {
    if can_talk(screen, watch) {
        let mut page = screen.page();
        page.say(0, FAINT, "produce-hint", &[]);
        screen.note(&page.finish());
    }
}

/// Draws what a turn warns of, and what it says unless that was read while it came.
fn answer(screen: &Screen, turn: &Turn, watch: &Watch) -> Result<(), Error> {
    if screen.json() || watch.events {
        return Ok(());
    }
    screen.show(&(), |page| {
        draw::warnings(page, turn.outcome.warnings.get(turn.warned..).unwrap_or_default());
        if turn.said == Said::Unread {
            draw::turn(page, &turn.outcome);
        }
    })
}

/// Tells what an order came to.
fn said(screen: &Screen, turn: &Turn, watch: &Watch) -> Result<Exit, Error> {
    let outcome = &turn.outcome;
    if screen.json() {
        screen.print_json(&outcome.document())?;
    } else {
        watch::failures(screen, outcome);
        answer(screen, turn, watch)?;
    }
    Ok(match outcome.status {
        // That it waits for the next word is how a conversation ends.
        RunStatus::Waiting | RunStatus::Done => Exit::Done,
        status => status.into(),
    })
}

/// Tells how the production stands.
async fn end(desk: &Desk, screen: &Screen, turn: &Turn, watch: &Watch) -> Result<Exit, Error> {
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

async fn update(desk: &Desk, screen: &Screen, arguments: ProduceUpdate) -> Result<Exit, Error> {
    let ProduceUpdate { project, field, value, file, expected } = arguments;
    let view = desk.call(op::ReadField { project: project.clone(), path: field }).await?;
    let path = view.field.path.clone();
    let mut draft = None;
    let typed = match (value, file) {
        (Some(value), _) => value,
        (None, Some(file)) => text_of(&file)?,
        (None, None) if screen.can_ask() => {
            let text = if view.field.is_text() { view.text.clone() } else { pretty(&view.field.value) };
            let project = desk.call(op::FindProject { project: project.clone() }).await?.project;
            let file = desk.home().join(format!("field-{project}-{}.md", path.replace('/', "-")));
            left_in_editor(draft.insert(file), &text)?
        }
        (None, None) => text_of(Path::new("-"))?,
    };
    if !view.field.is_text()
        && let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(&typed)
    {
        return Err(Error::NotJson { project, path, message: error.to_string() });
    }
    // Nobody's change is written over: that of the version that was looked at, unless one is named.
    let expected = expected.or(Some(view.field.version));
    let change = desk.call(op::PutField { project: project.clone(), path, typed, expected }).await?;
    // What was typed is not lost to a value that does not fit: the draft goes when it has been taken in.
    if let Some(draft) = draft {
        std::fs::remove_file(draft).ok();
    }
    screen.show(&change, |page| draw::change(page, &project, &change)).map(|()| Exit::Done)
}

fn pretty(value: &serde_json::Value) -> String {
    serde_json::to_string_pretty(value).expect("a value serialises")
}

fn overrides(working: &Working) -> Result<Table, Error> {
    let mut overrides = Table::new();
    assign_all(&mut overrides, &working.set)?;
    Ok(overrides)
}

/// `research=auto`.
fn phase_setting(given: &str) -> Result<(String, Autonomy), Error> {
    let bad = || Error::BadAutonomy { given: given.to_owned() };
    let (phase, how) = given.split_once('=').ok_or_else(bad)?;
    let how = match how.trim() {
        "auto" => Autonomy::Auto,
        "wait" => Autonomy::Wait,
        _ => return Err(bad()),
    };
    Ok((phase.trim().to_owned(), how))
}

impl From<Reading> for Interaction {
    fn from(reading: Reading) -> Self {
        match reading {
            Reading::FirstImpression => Self::FirstImpression,
            Reading::Comprehension => Self::Comprehension,
            Reading::Objection => Self::Objection,
            Reading::Purchase => Self::Purchase,
            Reading::DropOff => Self::DropOff,
        }
    }
}
