//! `qingyu produce`: content in phases, with the user.

use std::path::PathBuf;

use qingyu_studio::agents::production::Order;
use qingyu_studio::production::simulation::Interaction;
use qingyu_studio::story::Language;
use qingyu_studio::story::production::Autonomy;
use qingyu_studio::{Outcome, ProduceRequest, RunHandle, RunStatus, Studio, TellRequest};
use toml::Table;

use super::create::{assign_all, read_bounded, requirement};
use crate::args::{
    ProduceChat, ProduceCommand, ProduceConfirm, ProduceEvaluate, ProduceFields, ProduceNew, ProduceRead,
    ProduceRegenerate, ProduceResearch, ProduceSimulate, ProduceStale, ProduceUpdate, Reading, Watch, Working,
};
use crate::error::{Error, Exit};
use crate::render::production as draw;
use crate::screen::Screen;
use crate::watch::{self, run_editor};

mod conversation;
mod export;

/// Carries out a command of productions.
pub(super) async fn run(studio: &Studio, screen: &Screen, command: ProduceCommand) -> Result<Exit, Error> {
    match command {
        ProduceCommand::New(arguments) => new(studio, screen, arguments).await,
        ProduceCommand::Chat(arguments) => chat(studio, screen, arguments).await,
        ProduceCommand::Fields(ProduceFields { project, phase }) => {
            let mut view = studio.production(&project).await?;
            if let Some(phase) = phase {
                view.fields.retain(|row| row.phase == phase);
                view.phases.retain(|row| row.phase.name == phase);
            }
            screen.show(&view, |page| draw::production(page, &view)).map(|()| Exit::Done)
        }
        ProduceCommand::Read(ProduceRead { project, field }) => {
            let view = studio.field(&project, &field).await?;
            screen.show(&view, |page| draw::field(page, &view)).map(|()| Exit::Done)
        }
        ProduceCommand::Update(arguments) => update(studio, screen, arguments).await,
        ProduceCommand::Confirm(ProduceConfirm { project, fields }) => {
            studio.confirm_fields(&project, &fields).await?;
            let view = studio.production(&project).await?;
            screen.show(&view, |page| draw::production(page, &view)).map(|()| Exit::Done)
        }
        ProduceCommand::Stale(ProduceStale { project }) => {
            let mut rows = studio.production(&project).await?.fields;
            rows.retain(|row| row.status == qingyu_studio::production::Status::Stale);
            screen.show(&rows, |page| draw::stale(page, &rows)).map(|()| Exit::Done)
        }
        ProduceCommand::Regenerate(ProduceRegenerate { project, fields, with, change, working }) => {
            let order = match (fields.is_empty(), with) {
                (true, None) => Order::MakeStale,
                (_, with) => Order::Make { fields, instruction: with.unwrap_or_default(), is_change: change },
            };
            tell(studio, screen, &project, order, working).await
        }
        ProduceCommand::Research(ProduceResearch { project, question, working }) => {
            let order = Order::Research { question: question.unwrap_or_default(), max_sources: None };
            tell(studio, screen, &project, order, working).await
        }
        ProduceCommand::Simulate(ProduceSimulate { project, contents, interactions, working }) => {
            let interactions = interactions.into_iter().map(Interaction::from).collect();
            tell(studio, screen, &project, Order::Simulate { contents, interactions, personas: Vec::new() }, working)
                .await
        }
        ProduceCommand::Evaluate(ProduceEvaluate { project, contents, runs, working }) => {
            tell(studio, screen, &project, Order::Evaluate { contents, runs, criteria: Vec::new() }, working).await
        }
        ProduceCommand::Export(arguments) => export::export(studio, screen, arguments).await,
        ProduceCommand::Templates => {
            let rows = studio.template_rows(screen.texts().language())?;
            screen.show(&rows, |page| draw::templates(page, &rows)).map(|()| Exit::Done)
        }
    }
}

async fn new(studio: &Studio, screen: &Screen, arguments: ProduceNew) -> Result<Exit, Error> {
    let ProduceNew { premise, template, title, language, autonomy, working } = arguments;
    let mut settings = if working.watch.yes { vec![("all".to_owned(), Autonomy::Auto)] } else { Vec::new() };
    for given in &autonomy {
        settings.push(phase_setting(given)?);
    }
    let request = ProduceRequest {
        premise: requirement(&premise)?,
        template: Some(template),
        title,
        language: language.map(Language::from),
        autonomy: settings,
        model: working.model.clone(),
        overrides: overrides(&working)?,
    };
    let handle = studio.produce(request).await?;
    let project = handle.project().to_owned();
    let outcome = follow(studio, screen, handle, &working.watch).await?;
    if is_conversation(screen, &working.watch, &outcome) {
        return conversation::converse(studio, screen, &project, &outcome, working).await;
    }
    end(studio, screen, &outcome, &working.watch).await
}

async fn chat(studio: &Studio, screen: &Screen, arguments: ProduceChat) -> Result<Exit, Error> {
    let ProduceChat { project, say, working } = arguments;
    let project = studio.project(&project).await?.project;
    if say.is_empty() {
        let outcome = ready(studio, screen, &project, &working).await?;
        if is_conversation(screen, &working.watch, &outcome) {
            return conversation::converse(studio, screen, &project, &outcome, working).await;
        }
        return end(studio, screen, &outcome, &working.watch).await;
    }
    let mut last = None;
    for text in say {
        last = Some(turn(studio, screen, &project, Order::Say { text }, &working).await?);
    }
    said(screen, &last.expect("something was said"), &working.watch)
}

async fn tell(studio: &Studio, screen: &Screen, project: &str, order: Order, working: Working) -> Result<Exit, Error> {
    let outcome = turn(studio, screen, project, order, &working).await?;
    said(screen, &outcome, &working.watch)
}

/// Gives an order, after the run has done what it was stopped in.
async fn turn(
    studio: &Studio,
    screen: &Screen,
    project: &str,
    order: Order,
    working: &Working,
) -> Result<Outcome, Error> {
    let request = |order| -> Result<TellRequest, Error> {
        let (model, overrides) = (working.model.clone(), overrides(working)?);
        Ok(TellRequest { project: project.to_owned(), order, model, overrides })
    };
    let handle = match studio.tell(request(Some(order.clone()))?).await {
        Err(qingyu_studio::Error::RunUnfinished { .. }) => {
            let outcome = follow(studio, screen, studio.tell(request(None)?).await?, &working.watch).await?;
            if outcome.status != RunStatus::Waiting && outcome.status != RunStatus::Done {
                return Ok(outcome);
            }
            studio.tell(request(Some(order))?).await?
        }
        handle => handle?,
    };
    follow(studio, screen, handle, &working.watch).await
}

/// The run as it waits, after it has done what is due.
async fn ready(studio: &Studio, screen: &Screen, project: &str, working: &Working) -> Result<Outcome, Error> {
    let view = studio.production(project).await;
    if let Ok(view) = &view
        && let (Some((run, RunStatus::Waiting)), Some(_)) = (&view.run, &view.turn)
    {
        return Ok(studio.outcome(run).await?);
    }
    let (model, overrides) = (working.model.clone(), overrides(working)?);
    let request = TellRequest { project: project.to_owned(), order: None, model, overrides };
    follow(studio, screen, studio.tell(request).await?, &working.watch).await
}

async fn follow(studio: &Studio, screen: &Screen, handle: RunHandle, watch: &Watch) -> Result<Outcome, Error> {
    Ok(watch::outcome(screen, studio, handle, watch).await?.0)
}

/// Whether a person is here to talk with.
fn is_conversation(screen: &Screen, watch: &Watch, outcome: &Outcome) -> bool {
    screen.can_ask() && !watch.yes && !watch.events && outcome.status == RunStatus::Waiting
}

/// Tells what an order came to.
fn said(screen: &Screen, outcome: &Outcome, watch: &Watch) -> Result<Exit, Error> {
    if screen.json() {
        screen.print_json(&outcome.document())?;
    } else {
        watch::failures(screen, outcome);
        if !watch.events {
            screen.show(&(), |page| draw::turn(page, outcome))?;
        }
    }
    Ok(match outcome.status {
        // That it waits for the next word is how a conversation ends.
        RunStatus::Waiting | RunStatus::Done => Exit::Done,
        status => status.into(),
    })
}

/// Tells how the production stands.
async fn end(studio: &Studio, screen: &Screen, outcome: &Outcome, watch: &Watch) -> Result<Exit, Error> {
    if screen.json() {
        screen.print_json(&outcome.document())?;
        return Ok(outcome.status.into());
    }
    watch::failures(screen, outcome);
    if !watch.events {
        let view = studio.production(&outcome.project).await?;
        screen.show(&(), |page| draw::ending(page, outcome, &view))?;
    }
    Ok(outcome.status.into())
}

async fn update(studio: &Studio, screen: &Screen, arguments: ProduceUpdate) -> Result<Exit, Error> {
    let ProduceUpdate { project, field, value, file, expected } = arguments;
    let view = studio.field(&project, &field).await?;
    let path = view.field.path.clone();
    let typed = match (value, file) {
        (Some(value), _) => value,
        (None, Some(file)) => text_of(file)?,
        (None, None) if screen.can_ask() => {
            let text = if view.field.is_text() { view.text.clone() } else { pretty(&view.field.value) };
            let draft = studio.home().join(format!("field-{}.md", path.replace('/', "-")));
            edited(&draft, &text)?
        }
        (None, None) => text_of(PathBuf::from("-"))?,
    };
    // Nobody's change is written over: that of the version that was looked at, unless one is named.
    let expected = expected.or(Some(view.field.version));
    let change = studio.put_field(&project, &path, &typed, expected).await?;
    screen.show(&change, |page| draw::change(page, &project, &change)).map(|()| Exit::Done)
}

fn pretty(value: &serde_json::Value) -> String {
    serde_json::to_string_pretty(value).expect("a value serialises")
}

/// The text as the person leaves it in the editor. What an earlier try left behind is taken up again.
fn edited(draft: &std::path::Path, text: &str) -> Result<String, Error> {
    if !draft.exists() {
        std::fs::write(draft, text)
            .map_err(|error| Error::Unwritable { path: draft.to_path_buf(), message: error.to_string() })?;
    }
    run_editor(draft)?;
    let text = text_of(draft.to_path_buf())?;
    std::fs::remove_file(draft).ok();
    Ok(text)
}

fn text_of(path: PathBuf) -> Result<String, Error> {
    let text = String::from_utf8(read_bounded(&path)?).map_err(|_| Error::NotText { path })?;
    Ok(text.trim_start_matches('\u{feff}').replace("\r\n", "\n"))
}

fn overrides(working: &Working) -> Result<Table, Error> {
    let mut overrides = Table::new();
    assign_all(&mut overrides, &working.set)?;
    Ok(overrides)
}

/// `research=auto`.
fn phase_setting(given: &str) -> Result<(String, Autonomy), Error> {
    let bad = || Error::BadSetting { given: given.to_owned() };
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
