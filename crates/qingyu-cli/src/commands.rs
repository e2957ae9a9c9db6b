//! The commands: each takes its arguments apart, calls the studio and draws what it gets.

mod books;
mod cost;
mod create;
mod examining;
mod graph;
mod judging;
mod mcp;
mod memory;
mod produce;
mod questions;
mod resume;
mod settling;
mod show;
mod story;
mod tasks;
mod tools;
mod writing;

use std::path::Path;

use qingyu_studio::{CheckState, Environment, Settings, Studio};
use toml::Table;

use crate::args::{Cli, Command, Config, Global, ProjectCommand, Rules, StoryCommand};
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
    let file = environment.home().join(SETTINGS_FILE);
    let settings = |flags| Settings::load(environment, flags);
    match cli.command {
        Command::Projects(command) => on_projects(&open(settings(flags(&command)?)?).await?, screen, command).await,
        Command::Story(command) => on_story(&open(settings(Table::new())?).await?, screen, command).await,
        Command::Books(command) => books::run(&open(settings(Table::new())?).await?, screen, command).await,
        Command::Doctor => doctor(&settings(Table::new())?, screen).await,
        Command::Config(Config { what: Some(_), .. }) => config_path(&file, screen),
        Command::Config(Config { what: None, project }) => {
            let rows = open(settings(Table::new())?).await?.config(project.as_deref()).await?;
            screen.show(&rows, |page| lists::settings(page, &rows, &file)).map(|()| Exit::Done)
        }
        Command::Produce(command) => produce::run(&open(settings(Table::new())?).await?, screen, command).await,
        Command::Graph(arguments) if graph::is_of_runs(&arguments) => graph::of_runs(screen, &arguments),
        Command::Graph(arguments) => graph::of_story(&open(settings(Table::new())?).await?, screen, arguments).await,
        Command::Memory(command) => memory::memory(&open(settings(Table::new())?).await?, screen, command).await,
    }
}

/// The settings that the arguments stand for. A run keeps its overrides; the same as flags let the estimate know them too.
fn flags(command: &ProjectCommand) -> Result<Table, Error> {
    match command {
        ProjectCommand::Create(arguments) => create::flags(arguments),
        ProjectCommand::Estimate(arguments) => cost::flags(arguments),
        _ => Ok(Table::new()),
    }
}

async fn on_projects(studio: &Studio, screen: &Screen, command: ProjectCommand) -> Result<Exit, Error> {
    match command {
        ProjectCommand::Create(arguments) => create::create(studio, screen, arguments).await,
        ProjectCommand::Write(arguments) => writing::write(studio, screen, arguments).await,
        ProjectCommand::Correct(arguments) => writing::correct(studio, screen, arguments).await,
        ProjectCommand::Rewrite(arguments) => writing::rewrite(studio, screen, arguments).await,
        ProjectCommand::Task(arguments) => tasks::task(studio, screen, arguments).await,
        ProjectCommand::Continue(arguments) => tasks::go_on(studio, screen, arguments).await,
        ProjectCommand::Dialogue(arguments) => tasks::dialogue(studio, screen, arguments).await,
        ProjectCommand::Scene(arguments) => tasks::scene(studio, screen, arguments).await,
        ProjectCommand::Resume(arguments) => resume::resume(studio, screen, arguments).await,
        ProjectCommand::Show(arguments) => show::show(studio, screen, &arguments).await,
        ProjectCommand::Runs => {
            let rows = studio.runs().await?;
            screen.show(&rows, |page| lists::runs(page, &rows)).map(|()| Exit::Done)
        }
        ProjectCommand::Projects => {
            let rows = studio.projects().await?;
            screen.show(&rows, |page| lists::projects(page, &rows)).map(|()| Exit::Done)
        }
        ProjectCommand::Replay(arguments) => cost::replay(studio, screen, arguments).await,
        ProjectCommand::Estimate(arguments) => cost::estimate(studio, screen, arguments).await,
        ProjectCommand::Cost(arguments) => cost::cost(studio, screen, &arguments).await,
        ProjectCommand::Models(arguments) if arguments.prices => cost::prices(studio, screen),
        ProjectCommand::Models(_) => {
            let rows = studio.models().await?;
            screen.show(&rows, |page| lists::models(page, &rows)).map(|()| Exit::Done)
        }
    }
}

async fn on_story(studio: &Studio, screen: &Screen, command: StoryCommand) -> Result<Exit, Error> {
    match command {
        StoryCommand::Check(arguments) => story::check(studio, screen, &arguments).await,
        StoryCommand::Analyze(arguments) => examining::analyze(studio, screen, arguments).await,
        StoryCommand::Review(arguments) => examining::review(studio, screen, arguments).await,
        StoryCommand::Stats(arguments) => examining::stats(studio, screen, &arguments).await,
        StoryCommand::Waive(arguments) => story::waive(studio, screen, &arguments).await,
        StoryCommand::Rules(arguments) => rules(studio, screen, &arguments),
        StoryCommand::AskFacts(arguments) => story::ask_facts(studio, screen, arguments).await,
        StoryCommand::Search(arguments) => questions::search(studio, screen, arguments).await,
        StoryCommand::Ask(arguments) => questions::ask(studio, screen, arguments).await,
        StoryCommand::Index(arguments) => questions::index(studio, screen, &arguments).await,
        StoryCommand::Edit(arguments) => settling::edit(studio, screen, arguments).await,
        StoryCommand::Reconcile(arguments) => settling::reconcile(studio, screen, arguments).await,
        StoryCommand::Impact(arguments) => story::impact(studio, screen, &arguments).await,
        StoryCommand::Tools(arguments) => tools::tools(studio, screen, &arguments),
        StoryCommand::Tool(arguments) => tools::tool(studio, screen, arguments).await,
        StoryCommand::Mcp(arguments) => mcp::mcp(studio, screen, arguments).await,
        StoryCommand::ImportStory(arguments) => story::import(studio, screen, arguments).await,
        StoryCommand::ExportStory(arguments) => story::export(studio, screen, &arguments).await,
        StoryCommand::Log(arguments) => story::log(studio, screen, &arguments).await,
        StoryCommand::Undo(arguments) => story::undo(studio, screen, &arguments).await,
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
