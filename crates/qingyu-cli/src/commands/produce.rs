//! `qingyu produce`: content in phases, together with the user.

use std::path::Path;

use qingyu_studio::agents::production::Order;
use qingyu_studio::operations::{self as op, StartRequest};
use qingyu_studio::production::simulation::Interaction;
use qingyu_studio::story::Language;
use qingyu_studio::story::production::Autonomy;
use qingyu_studio::{ProduceRequest, RunStatus};

use self::turn::{ProductionTurn, TurnOrigin, answer, end, follow, ready, turn};
use super::create::{overrides, requirement};
use super::settling::left_in_editor;
use super::texts::text_of;
use crate::args::{
    ProduceChat, ProduceCommand, ProduceConfirm, ProduceEvaluate, ProduceFields, ProduceNew, ProduceRead,
    ProduceRegenerate, ProduceResearch, ProduceSchedule, ProduceSimulate, ProduceStale, ProduceUpdate, ProduceVoice,
    ReaderInteraction, RunControlArgs, WatchArgs,
};
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::page::FAINT;
use crate::render::production as draw;
use crate::screen::Screen;
use crate::watch;

mod conversation;
mod export;
mod turn;

/// Runs a `produce` command.
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
        ProduceCommand::Simulate(ProduceSimulate { project, contents, text, interactions, working }) => {
            let interactions = interactions.into_iter().map(Interaction::from).collect();
            let text = text.as_deref().map(text_of).transpose()?;
            tell(
                desk,
                screen,
                &project,
                Order::Simulate { contents, text, interactions, personas: Vec::new() },
                working,
            )
            .await
        }
        ProduceCommand::Evaluate(ProduceEvaluate { project, contents, text, runs, working }) => {
            let text = text.as_deref().map(text_of).transpose()?;
            tell(desk, screen, &project, Order::Evaluate { contents, text, runs, criteria: Vec::new() }, working).await
        }
        ProduceCommand::Voice(arguments) => voice(desk, screen, arguments).await,
        ProduceCommand::Schedule(arguments) => schedule(desk, screen, arguments).await,
        ProduceCommand::Export(arguments) => export::export(desk, screen, arguments).await,
        ProduceCommand::Templates => {
            let rows = desk.call(op::ListTemplates { language: screen.texts().language() }).await?;
            screen.show(&rows, |page| draw::templates(page, &rows)).map(|()| Exit::Done)
        }
    }
}

async fn voice(desk: &Desk, screen: &Screen, arguments: ProduceVoice) -> Result<Exit, Error> {
    let ProduceVoice { project, file, client } = arguments;
    let given = match &file {
        None => None,
        Some(path) => {
            let text = text_of(path)?;
            let bad = |error: toml::de::Error| Error::Unreadable { path: path.clone(), message: error.to_string() };
            Some(toml::from_str(&text).map_err(bad)?)
        }
    };
    let voice = if given.is_some() || client.is_some() {
        desk.call(op::PutVoice { project, voice: given, client }).await?
    } else {
        desk.call(op::ReadVoice { project }).await?
    };
    screen.show(&voice, |page| draw::voice(page, &voice)).map(|()| Exit::Done)
}

async fn schedule(desk: &Desk, screen: &Screen, arguments: ProduceSchedule) -> Result<Exit, Error> {
    let ProduceSchedule { project, every, say, stale, off } = arguments;
    let status = if every.is_some() || off {
        let order = if stale { Some(Order::MakeStale) } else { say.map(|text| Order::Say { text }) };
        desk.call(op::PutSchedule { project, every, order }).await?
    } else {
        desk.call(op::ReadSchedule { project }).await?
    };
    screen.show(&status, |page| draw::schedule(page, &status)).map(|()| Exit::Done)
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
    let handle = desk.start(StartRequest::Produce(request)).await?;
    let project = handle.project().to_owned();
    hint(screen, &working.watch);
    let turn = follow(desk, screen, handle, &working.watch, TurnOrigin::Command).await?;
    begun(desk, screen, &project, turn, working).await
}

async fn chat(desk: &Desk, screen: &Screen, arguments: ProduceChat) -> Result<Exit, Error> {
    let ProduceChat { project, say, session, working } = arguments;
    let desk = &desk.in_session(session.as_deref())?;
    let project = desk.call(op::FindProject { project: project.clone() }).await?.project;
    if say.is_empty() {
        hint(screen, &working.watch);
        let turn = ready(desk, screen, &project, &working).await?;
        return begun(desk, screen, &project, turn, working).await;
    }
    let mut last = None;
    for text in say {
        let order = Order::Say { text };
        if let Some(before) = last.replace(turn(desk, screen, &project, order, &working, TurnOrigin::Command).await?) {
            answer(screen, &before, &working.watch)?;
        }
    }
    print_turn(screen, &last.expect("something was said"), &working.watch)
}

async fn tell(
    desk: &Desk,
    screen: &Screen,
    project: &str,
    order: Order,
    working: RunControlArgs,
) -> Result<Exit, Error> {
    let turn = turn(desk, screen, project, order, &working, TurnOrigin::Command).await?;
    let exit = print_turn(screen, &turn, &working.watch)?;
    let is_refused = draw::words(&turn.outcome).is_some_and(|words| words.is_refusal);
    Ok(if exit == Exit::Done && is_refused { Exit::Failed } else { exit })
}

/// Continues as a conversation on a terminal, or shows the status of the production.
async fn begun(
    desk: &Desk,
    screen: &Screen,
    project: &str,
    turn: ProductionTurn,
    working: RunControlArgs,
) -> Result<Exit, Error> {
    if can_talk(screen, &working.watch) && turn.outcome.status == RunStatus::Waiting {
        return conversation::converse(desk, screen, project, turn, working).await;
    }
    end(desk, screen, &turn, &working.watch).await
}

/// Returns whether a person is present to chat with.
fn can_talk(screen: &Screen, watch: &WatchArgs) -> bool {
    screen.can_ask() && !watch.yes && !watch.events
}

/// Prints the available actions for a person.
fn hint(screen: &Screen, watch: &WatchArgs) {
    if can_talk(screen, watch) {
        screen.note_page(|page| page.say(0, FAINT, "produce-hint", &[]));
    }
}

/// Prints the result of an order.
fn print_turn(screen: &Screen, turn: &ProductionTurn, watch: &WatchArgs) -> Result<Exit, Error> {
    let outcome = &turn.outcome;
    if screen.json() {
        screen.print_json(&outcome.document())?;
    } else {
        watch::failures(screen, outcome);
        answer(screen, turn, watch)?;
    }
    Ok(match outcome.status {
        // Waiting for the next message is the normal end of a conversation.
        RunStatus::Waiting | RunStatus::Done => Exit::Done,
        status => status.into(),
    })
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
    // The version defaults to the version just read, so that no concurrent change is overwritten.
    let expected = expected.or(Some(view.field.version));
    let change = desk.call(op::PutField { project: project.clone(), path, typed, expected }).await?;
    // Keep the draft until the value is accepted, so that an invalid value loses no input.
    if let Some(draft) = draft {
        std::fs::remove_file(draft).ok();
    }
    screen.show(&change, |page| draw::change(page, &project, &change)).map(|()| Exit::Done)
}

fn pretty(value: &serde_json::Value) -> String {
    serde_json::to_string_pretty(value).expect("a value serialises")
}

/// Parses `research=auto`.
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

impl From<ReaderInteraction> for Interaction {
    fn from(reading: ReaderInteraction) -> Self {
        match reading {
            ReaderInteraction::FirstImpression => Self::FirstImpression,
            ReaderInteraction::Comprehension => Self::Comprehension,
            ReaderInteraction::Objection => Self::Objection,
            ReaderInteraction::Purchase => Self::Purchase,
            ReaderInteraction::DropOff => Self::DropOff,
        }
    }
}
