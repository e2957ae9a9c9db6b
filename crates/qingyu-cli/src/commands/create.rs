//! `qingyu create`.

use std::io::Read;
use std::path::{Path, PathBuf};

use qingyu_studio::CreateRequest;
use qingyu_studio::operations::Start;
use qingyu_studio::settings::assign;
use toml::Table;

use super::texts::text_of;
use crate::args::Create;
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::screen::Screen;
use crate::watch;

/// What is read of a requirement: far more than is taken, so that the refusal can say how much there was.
const READ_LIMIT: u64 = 64 * 1024 * 1024;

pub(super) async fn create(desk: &Desk, screen: &Screen, arguments: Create) -> Result<Exit, Error> {
    let request = CreateRequest {
        overrides: overrides(&arguments)?,
        requirement: arguments.requirement,
        language: arguments.lang.map(Into::into),
        project: arguments.project,
        title: arguments.title,
        model: arguments.model,
    };
    let handle = desk.start(Start::Create(request)).await?;
    watch::follow(screen, desk, handle, &arguments.watch).await
}

/// The text that the requirement argument names: itself, standard input or a file.
pub(crate) fn requirement(argument: &str) -> Result<String, Error> {
    let path = match argument.strip_prefix('@') {
        _ if argument == "-" => PathBuf::from("-"),
        Some(path) => PathBuf::from(path),
        None => return Ok(argument.to_owned()),
    };
    text_of(&path)
}

/// Reads a file or standard input, but not more than any input may have.
pub(crate) fn read_bounded(path: &Path) -> Result<Vec<u8>, Error> {
    let bytes = match path.to_str() {
        Some("-") => read(std::io::stdin().lock()),
        _ => std::fs::File::open(path).and_then(read),
    };
    bytes.map_err(|error| Error::Unreadable { path: path.to_path_buf(), message: error.to_string() })
}

fn read(source: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(READ_LIMIT).read_to_end(&mut bytes).map(|_| bytes)
}

/// How many directions `--directions` offers.
const DIRECTIONS: &str = "3";

/// What the arguments set, the model included, in the shape of the settings file.
pub(super) fn flags(arguments: &Create) -> Result<Table, Error> {
    let mut table = overrides(arguments)?;
    if let Some(model) = &arguments.model {
        assign(&mut table, "models.all", model)?;
    }
    Ok(table)
}

/// The settings of this run, in the shape of the settings file; `--set` goes over the switches.
fn overrides(arguments: &Create) -> Result<Table, Error> {
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
    // Without the meta-scheduler a failed review would start again from the first agent, so there is no round either.
    let rounds = arguments.max_iterations.or(arguments.no_meta_scheduler.then_some(0));
    if let Some(rounds) = rounds {
        assign(&mut table, "pipeline.max_iterations", &rounds.to_string())?;
    }
    assign_all(&mut table, &arguments.set)?;
    Ok(table)
}

/// Sets what `--set` says, `KEY=VALUE` each.
pub(super) fn assign_all(table: &mut Table, set: &[String]) -> Result<(), Error> {
    for given in set {
        let (key, value) = given.split_once('=').ok_or_else(|| Error::BadSetting { given: given.clone() })?;
        assign(table, key.trim(), value.trim())?;
    }
    Ok(())
}
