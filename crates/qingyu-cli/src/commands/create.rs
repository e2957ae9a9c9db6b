//! The command `qingyu create`.

use std::path::PathBuf;

use qingyu_studio::CreateRequest;
use qingyu_studio::formats::read_outline;
use qingyu_studio::operations::StartRequest;
use qingyu_studio::settings::assign;
use toml::Table;

use super::texts::text_of;
use crate::args::{BreakpointArgs, CreateArgs, RunControlArgs};
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::screen::Screen;
use crate::watch;

pub(super) async fn create(desk: &Desk, screen: &Screen, arguments: CreateArgs) -> Result<Exit, Error> {
    let request = CreateRequest {
        overrides: switches(&arguments)?,
        requirement: arguments.requirement,
        language: arguments.lang.map(Into::into),
        project: arguments.project,
        title: arguments.title,
        genre: arguments.genre,
        target_audience: arguments.audience,
        chapter_count: arguments.chapters,
        model: arguments.model,
    };
    let outline = request.project.is_none().then(|| outline_note(screen, &request.requirement)).flatten();
    let handle = desk.start(StartRequest::Create(request)).await?;
    if let Some(note) = outline {
        screen.note(&format!("{note}\n"));
    }
    watch::follow(screen, desk, handle, &arguments.watch).await
}

/// Returns what the studio reads from an outline in the requirement; `None` for a requirement without an outline.
fn outline_note(screen: &Screen, requirement: &str) -> Option<String> {
    let outline = read_outline(requirement);
    let values = [
        ("chapters", outline.chapters().into()),
        ("characters", outline.characters.len().into()),
        ("places", outline.locations.len().into()),
        ("rest", outline.rest.chars().count().into()),
    ];
    (!outline.is_empty()).then(|| screen.texts().fill("create-outline", &values))
}

/// Returns the requirement: the argument itself, standard input or a file.
pub(crate) fn requirement(argument: &str) -> Result<String, Error> {
    let path = match argument.strip_prefix('@') {
        _ if argument == "-" => PathBuf::from("-"),
        Some(path) => PathBuf::from(path),
        None => return Ok(argument.to_owned()),
    };
    text_of(&path)
}

/// Number of directions offered by `--directions`.
const DIRECTIONS: &str = "3";

/// Returns the settings overridden by the arguments, including the model, in the shape of the settings file.
pub(super) fn flags(arguments: &CreateArgs) -> Result<Table, Error> {
    let mut table = switches(arguments)?;
    if let Some(model) = &arguments.model {
        assign(&mut table, "models.all", model)?;
    }
    Ok(table)
}

/// Returns the overrides of the run in the shape of the settings file; `--set` takes precedence over the switches.
fn switches(arguments: &CreateArgs) -> Result<Table, Error> {
    let mut table = Table::new();
    let switches = [
        (arguments.no_planner, "pipeline.enable_planner"),
        (arguments.no_meta_scheduler, "pipeline.enable_meta_scheduler"),
        (arguments.no_workspace_context, "pipeline.enable_workspace_context"),
        (arguments.no_rag, "pipeline.enable_rag"),
        (arguments.no_knowledge_graph, "pipeline.enable_knowledge_graph"),
    ];
    for (_, key) in switches.into_iter().filter(|(off, _)| *off) {
        assign(&mut table, key, "false")?;
    }
    if arguments.directions {
        assign(&mut table, "pipeline.directions", DIRECTIONS)?;
    }
    // Without the meta-scheduler a failed review would restart from the first agent, so the number of rounds defaults
    // to 0.
    let rounds = arguments.max_iterations.or(arguments.no_meta_scheduler.then_some(0));
    if let Some(rounds) = rounds {
        assign(&mut table, "pipeline.max_iterations", &rounds.to_string())?;
    }
    set_breakpoints(&mut table, &arguments.breakpoints);
    assign_all(&mut table, &arguments.set)?;
    Ok(table)
}

/// Returns the settings overridden for a run, in the shape of the settings file; `--set` takes precedence over the
/// breakpoints.
pub(super) fn overrides(working: &RunControlArgs) -> Result<Table, Error> {
    let mut table = Table::new();
    set_breakpoints(&mut table, &working.breakpoints);
    assign_all(&mut table, &working.set)?;
    Ok(table)
}

/// Sets the breakpoints given by the arguments; the breakpoints of the settings stay otherwise.
pub(super) fn set_breakpoints(table: &mut Table, breakpoints: &BreakpointArgs) {
    for (name, nodes) in [("before", &breakpoints.stop_before), ("after", &breakpoints.stop_after)] {
        if !nodes.is_empty() {
            let section = table.entry("breakpoints").or_insert_with(|| Table::new().into());
            if let Some(section) = section.as_table_mut() {
                section.insert(name.to_owned(), nodes.clone().into());
            }
        }
    }
}

/// Applies the `KEY=VALUE` assignments of `--set`.
pub(super) fn assign_all(table: &mut Table, set: &[String]) -> Result<(), Error> {
    for given in set {
        let (key, value) = given.split_once('=').ok_or_else(|| Error::BadSetting { given: given.clone() })?;
        assign(table, key.trim(), value.trim())?;
    }
    Ok(())
}
