//! The commands: each takes its arguments apart, calls the studio and draws what it gets.

mod create;
mod graph;
mod mcp;
mod resume;
mod show;
mod story;
mod tools;

use std::path::Path;

use qingyu_studio::{CheckState, Environment, Settings, Studio};
use toml::Table;

use crate::args::{Cli, Command, Config, Global, Rules};
use crate::error::{Error, Exit};
use crate::render::lists;
use crate::screen::Screen;

pub(crate) use self::create::read_bounded;
pub(crate) use self::create::requirement;

/// The name of the settings file in the data folder.
pub(crate) const SETTINGS_FILE: &str = "config.toml";

/// Carries out a command.
pub(crate) async fn run(cli: Cli, screen: &Screen) -> Result<Exit, Error> {
    let environment = environment(&cli.global);
    let home = environment.home();
    let settings = |flags| Settings::load(environment, flags);
    match cli.command {
        Command::Create(arguments) => {
            // The run keeps its overrides; the same as flags let the estimate know them too.
            let studio = open(settings(create::flags(&arguments)?)?).await?;
            create::create(&studio, screen, arguments).await
        }
        Command::Resume(arguments) => resume::resume(&open(settings(Table::new())?).await?, screen, arguments).await,
        Command::Show(arguments) => show::show(&open(settings(Table::new())?).await?, screen, &arguments).await,
        Command::Runs => {
            let rows = open(settings(Table::new())?).await?.runs().await?;
            screen.show(&rows, |page| lists::runs(page, &rows)).map(|()| Exit::Done)
        }
        Command::Projects => {
            let rows = open(settings(Table::new())?).await?.projects().await?;
            screen.show(&rows, |page| lists::projects(page, &rows)).map(|()| Exit::Done)
        }
        Command::Models => {
            let rows = open(settings(Table::new())?).await?.models().await?;
            screen.show(&rows, |page| lists::models(page, &rows)).map(|()| Exit::Done)
        }
        Command::Doctor => doctor(&settings(Table::new())?, screen).await,
        Command::Config(Config { what: Some(_), .. }) => config_path(&home.join(SETTINGS_FILE), screen),
        Command::Config(Config { what: None, project }) => {
            let rows = open(settings(Table::new())?).await?.config(project.as_deref()).await?;
            let file = home.join(SETTINGS_FILE);
            screen.show(&rows, |page| lists::settings(page, &rows, &file)).map(|()| Exit::Done)
        }
        Command::Graph(arguments) => graph::graph(screen, &arguments),
        Command::Rules(arguments) => rules(&open(settings(Table::new())?).await?, screen, &arguments),
        Command::Check(arguments) => story::check(&open(settings(Table::new())?).await?, screen, &arguments).await,
        Command::Waive(arguments) => story::waive(&open(settings(Table::new())?).await?, screen, &arguments).await,
        Command::AskFacts(arguments) => {
            story::ask_facts(&open(settings(Table::new())?).await?, screen, arguments).await
        }
        Command::Impact(arguments) => story::impact(&open(settings(Table::new())?).await?, screen, &arguments).await,
        Command::Mcp(arguments) => mcp::mcp(&open(settings(Table::new())?).await?, screen, arguments).await,
        Command::Tools(arguments) => tools::tools(&open(settings(Table::new())?).await?, screen, &arguments),
        Command::Tool(arguments) => tools::tool(&open(settings(Table::new())?).await?, screen, arguments).await,
        Command::ImportStory(arguments) => {
            story::import(&open(settings(Table::new())?).await?, screen, arguments).await
        }
        Command::ExportStory(arguments) => {
            story::export(&open(settings(Table::new())?).await?, screen, &arguments).await
        }
        Command::Log(arguments) => story::log(&open(settings(Table::new())?).await?, screen, &arguments).await,
        Command::Undo(arguments) => story::undo(&open(settings(Table::new())?).await?, screen, &arguments).await,
    }
}

/// The process's environment, with `--home` above it.
pub(crate) fn environment(global: &Global) -> Environment {
    let home = global.home.as_ref().map(|home| ("QINGYU_HOME".to_owned(), home.to_string_lossy().into_owned()));
    let variables =
        std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    Environment::new(variables.chain(home))
}

async fn open(settings: Settings) -> Result<Studio, Error> {
    Ok(Studio::open(settings).await?)
}

async fn doctor(settings: &Settings, screen: &Screen) -> Result<Exit, Error> {
    let rows = Studio::doctor(settings).await;
    screen.show(&rows, |page| lists::checks(page, &rows))?;
    let failed = rows.iter().any(|row| row.state == CheckState::Failed);
    Ok(if failed { Exit::Failed } else { Exit::Done })
}

fn config_path(file: &Path, screen: &Screen) -> Result<Exit, Error> {
    let text = file.display().to_string();
    screen.show(&serde_json::json!({"path": text}), |page| page.line(&text)).map(|()| Exit::Done)
}

fn rules(studio: &Studio, screen: &Screen, arguments: &Rules) -> Result<Exit, Error> {
    let rows = studio.rules(screen.texts().language());
    let Some(code) = &arguments.code else {
        return screen.show(&rows, |page| lists::rules(page, &rows)).map(|()| Exit::Done);
    };
    let found: Vec<_> = rows.into_iter().filter(|row| row.code.eq_ignore_ascii_case(code)).collect();
    let [row] = found.as_slice() else {
        return Err(qingyu_studio::Error::UnknownRule { given: code.clone() }.into());
    };
    screen.show(&found, |page| lists::rule(page, row)).map(|()| Exit::Done)
}
