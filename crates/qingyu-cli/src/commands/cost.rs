//! The commands `qingyu replay`, `estimate`, `cost`, and the prices of `models`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use qingyu_studio::operations as op;
use qingyu_studio::settings::assign;
use qingyu_studio::{ForecastRequest, ReplayRequest, SpendingBy};
use toml::Table;

use super::create::requirement;
use super::texts::text_of;
use crate::args::{CostArgs, EstimableCommand, EstimateArgs, ReplayArgs};
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::cost as render;
use crate::screen::Screen;

pub(super) async fn replay(desk: &Desk, screen: &Screen, arguments: ReplayArgs) -> Result<Exit, Error> {
    let ReplayArgs { source, model, prompt, keep, title } = arguments;
    let (role, model) = match model {
        Some(given) => match given.split_once('=') {
            Some((role, model)) => (Some(role.to_owned()), Some(model.to_owned())),
            None => (None, Some(given)),
        },
        None => (None, None),
    };
    let prompts = prompts(&prompt)?;
    let is_variant = model.is_some() || !prompts.is_empty();
    let path = PathBuf::from(&source);
    let file = (source.ends_with(".jsonl") || path.is_file()).then_some(path);
    let request = ReplayRequest { run: source, file, keep, title, model, role, prompts };
    let mut calls = 0;
    let replay = desk.studio("replay")?.replay(request, &mut |event| render::tell(screen, event, &mut calls)).await?;
    screen.show(&replay, |page| render::replay(page, &replay, is_variant))?;
    let failed = replay.runs.iter().any(|run| run.failure.is_some());
    Ok(if failed || !(replay.identical || is_variant) { Exit::Failed } else { Exit::Done })
}

/// Reads the prompts given by `--prompt`: single files, or all files of a folder.
fn prompts(given: &[String]) -> Result<BTreeMap<String, String>, Error> {
    let mut prompts = BTreeMap::new();
    for given in given {
        match given.split_once('=') {
            Some((name, file)) => drop(prompts.insert(name.to_owned(), text_of(Path::new(file))?)),
            None => folder(Path::new(given), &mut prompts)?,
        }
    }
    Ok(prompts)
}

/// Inserts the Markdown files of a folder, one level deep, under their relative names.
fn folder(path: &Path, prompts: &mut BTreeMap<String, String>) -> Result<(), Error> {
    let entries = |path: &Path| {
        let failed = |error: std::io::Error| Error::Unreadable { path: path.into(), message: error.to_string() };
        let entries = std::fs::read_dir(path).map_err(failed)?;
        entries.map(|entry| entry.map(|entry| entry.path()).map_err(failed)).collect::<Result<Vec<_>, _>>()
    };
    for agent in entries(path)?.into_iter().filter(|path| path.is_dir()) {
        for file in entries(&agent)?.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "md")) {
            let name = file.strip_prefix(path).unwrap_or(&file).components();
            let name = name.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
            prompts.insert(name, text_of(&file)?);
        }
    }
    Ok(())
}

/// Returns the settings overridden by the arguments.
pub(super) fn flags(arguments: &EstimateArgs) -> Result<Table, Error> {
    let mut table = Table::new();
    if let Some(model) = &arguments.model {
        assign(&mut table, "models.all", model)?;
    }
    Ok(table)
}

pub(super) async fn estimate(desk: &Desk, screen: &Screen, arguments: EstimateArgs) -> Result<Exit, Error> {
    /// Number of aspects of an analysis by default.
    const ASPECTS: u64 = 4;
    let EstimateArgs { command, subject, project, chapters, words, .. } = arguments;
    let request = match command {
        EstimableCommand::Create => ForecastRequest::Create { requirement: requirement(&subject)?, project },
        EstimableCommand::Write => {
            let chapters = chapters.map(|chapters| chapters.0).unwrap_or_default();
            ForecastRequest::Write { project: subject, chapters, words }
        }
        EstimableCommand::Read => {
            let chapters = chapters.map(|chapters| chapters.0).unwrap_or_default();
            ForecastRequest::Read { project: subject, chapters }
        }
        EstimableCommand::Analyze => ForecastRequest::Analyze { text: text_of(Path::new(&subject))?, aspects: ASPECTS },
        EstimableCommand::Review => ForecastRequest::Review,
        EstimableCommand::Task => ForecastRequest::Task { request: requirement(&subject)? },
    };
    let forecast = desk.call(op::ForecastCost { request }).await?;
    screen.show(&forecast, |page| render::forecast(page, &forecast)).map(|()| Exit::Done)
}

pub(super) async fn cost(desk: &Desk, screen: &Screen, arguments: &CostArgs) -> Result<Exit, Error> {
    let by = match (arguments.by, &arguments.of) {
        (Some(by), _) => by.into(),
        (None, None) => SpendingBy::Project,
        (None, Some(_)) => SpendingBy::Agent,
    };
    let report = desk.call(op::ReadSpending { of: arguments.of.clone(), by }).await?;
    screen.show(&report, |page| render::spending(page, &report)).map(|()| Exit::Done)
}

pub(super) async fn prices(desk: &Desk, screen: &Screen) -> Result<Exit, Error> {
    let prices = desk.call(op::ListPrices {}).await?;
    screen.show(&prices, |page| render::prices(page, &prices)).map(|()| Exit::Done)
}
