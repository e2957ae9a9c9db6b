//! The commands: each unpacks its arguments, calls the studio and draws the result.

mod access;
mod books;
mod chapter;
mod checkpoints;
mod comments;
mod cost;
mod create;
mod examining;
mod goals;
mod graph;
mod installation;
mod judging;
mod members;
mod memory;
mod mirror;
mod models;
mod produce;
mod project_folders;
mod questions;
mod resume;
mod series;
mod server;
mod settling;
mod shelf;
mod show;
mod story;
mod tasks;
mod teardown;
mod texts;
mod tools;
mod waiting;
mod writing;

use std::time::SystemTime;

use qingyu_client::{Client, Transport};
use qingyu_studio::operations as op;
use qingyu_studio::story::genre::{Genre, Genres};
use qingyu_studio::{Environment, Settings, Studio};
use toml::Table;

use crate::args::{Cli, Command, Config, GenresArgs, GlobalArgs, ProjectCommand, RulesArgs, RunsArgs, StoryCommand};
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::{guide, ladders, lists};
use crate::screen::Screen;

pub(crate) use self::create::requirement;

/// Name of the settings file in the data folder.
pub(crate) const SETTINGS_FILE: &str = "config.toml";

/// Runs a command and returns the exit code.
pub(crate) async fn run(cli: Cli, screen: &Screen) -> Result<Exit, Error> {
    refuse_clock(SystemTime::now())?;
    let environment = environment(&cli.global)?;
    let file = environment.home().join(SETTINGS_FILE);
    let server = server(&cli.global, &environment)?;
    if let (Some(_), Some(what)) = (&server, only_here(&cli.command)) {
        return Err(Error::OnlyHere { what: what.to_owned() });
    }
    let desk = async |environment: Environment, flags: Table| match server {
        Some(client) => Ok(Desk::there(client, environment.home().to_path_buf())),
        None => open(Settings::load(environment, flags)?).await.map(Desk::here),
    };
    match cli.command {
        Command::Projects(command) => {
            let desk = desk(environment, flags(&command)?).await?;
            mirrored(&desk, Box::pin(on_projects(&desk, screen, command))).await
        }
        Command::Story(command) => {
            let desk = desk(environment, Table::new()).await?;
            mirrored(&desk, Box::pin(on_story(&desk, screen, command))).await
        }
        Command::Books(command) => {
            let desk = desk(environment, Table::new()).await?;
            mirrored(&desk, Box::pin(books::run(&desk, screen, command))).await
        }
        Command::Doctor(arguments) => installation::doctor(environment, screen, &arguments).await,
        Command::Config(Config { what: Some(_), .. }) => installation::config_path(&file, screen),
        Command::Config(Config { what: None, project }) => {
            installation::config(&desk(environment, Table::new()).await?, screen, project, &file).await
        }
        Command::Produce(command) => produce::run(&desk(environment, Table::new()).await?, screen, command).await,
        Command::Graph(arguments) if graph::is_of_runs(&arguments) => graph::of_runs(screen, &arguments),
        Command::Graph(arguments) => graph::of_story(&desk(environment, Table::new()).await?, screen, arguments).await,
        Command::Memory(command) => memory::memory(&desk(environment, Table::new()).await?, screen, command).await,
        command => on_machine(environment, screen, command).await,
    }
}

/// Runs a command. Meanwhile, and once more after it, the mirrors of the local studio are brought up to date.
async fn mirrored(desk: &Desk, work: impl Future<Output = Result<Exit, Error>>) -> Result<Exit, Error> {
    let Some(studio) = desk.of_here() else { return work.await };
    let done = tokio::select! {
        done = work => done,
        never = studio.keep_mirrors() => match never {},
    };
    studio.update_mirrors().await;
    done
}

/// Runs commands on the machine holding the data, independently of the user.
async fn on_machine(environment: Environment, screen: &Screen, command: Command) -> Result<Exit, Error> {
    if let Command::Serve(arguments) = command {
        return server::serve(environment, screen, arguments).await;
    }
    let settings = || Settings::load(environment, Table::new());
    match command {
        Command::Users(command) => access::users(&open(settings()?).await?, screen, command).await,
        Command::Keys(command) => access::keys(&open(settings()?).await?, screen, command).await,
        Command::Audit(command) => access::audit(&open(settings()?).await?, screen, command).await,
        Command::Backup(command) => access::backup(settings()?, screen, command).await,
        other => unreachable!("{other:?} is no command of the machine"),
    }
}

/// Returns the name of a command that can only run on the machine holding the data.
fn only_here(command: &Command) -> Option<&'static str> {
    Some(match command {
        Command::Doctor(_) => "doctor",
        Command::Config(Config { what: Some(_), .. }) => "config path",
        Command::Serve(_) => "serve",
        Command::Users(_) => "users",
        Command::Keys(_) => "keys",
        Command::Audit(_) => "audit",
        Command::Backup(_) => "backup",
        Command::Story(StoryCommand::Mcp(_)) => "mcp",
        Command::Story(StoryCommand::Mirror(_)) => "mirror",
        Command::Projects(ProjectCommand::Replay(_)) => "replay",
        _ => return None,
    })
}

/// Returns the client of the configured server, or `None` to work on the local machine.
fn server(global: &GlobalArgs, environment: &Environment) -> Result<Option<Client>, Error> {
    let named = global.server.clone().or_else(|| environment.get("QINGYU_SERVER").map(str::to_owned));
    let Some(url) = named.filter(|url| !url.trim().is_empty()) else { return Ok(None) };
    let key = match &global.server_key_file {
        Some(path) => Some(texts::text_of(path)?),
        None => environment.get("QINGYU_SERVER_KEY").map(str::to_owned),
    };
    let key = key.as_deref().map(str::trim).filter(|key| !key.is_empty());
    let transport = if global.plain_http { Transport::Plain } else { Transport::Encrypted };
    Ok(Some(Client::with_transport(url.trim(), key, transport)?))
}

/// Returns the settings overridden by the arguments. A run stores its overrides; passing the same values as flags makes
/// the estimate use them too.
fn flags(command: &ProjectCommand) -> Result<Table, Error> {
    match command {
        ProjectCommand::Create(arguments) => create::flags(arguments),
        ProjectCommand::Estimate(arguments) => cost::flags(arguments),
        _ => Ok(Table::new()),
    }
}

async fn runs(desk: &Desk, screen: &Screen, arguments: RunsArgs) -> Result<Exit, Error> {
    let RunsArgs { command, project, open, limit, after } = arguments;
    if let Some(command) = command {
        return checkpoints::checkpoints(desk, screen, command).await;
    }
    let is_choice = project.is_some() || open || after.is_some();
    // Fetches one extra row to detect whether more rows follow.
    let mut rows = desk.call(op::ListRuns { project, open, after, limit: Some(limit + 1) }).await?;
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    screen.show(&rows, |page| lists::runs(page, &rows, is_choice, more)).map(|()| Exit::Done)
}

async fn on_projects(desk: &Desk, screen: &Screen, command: ProjectCommand) -> Result<Exit, Error> {
    match command {
        ProjectCommand::Create(arguments) => create::create(desk, screen, arguments).await,
        ProjectCommand::Plan(arguments) => writing::plan(desk, screen, arguments).await,
        ProjectCommand::Write(arguments) => writing::write(desk, screen, arguments).await,
        ProjectCommand::Read(arguments) => writing::read(desk, screen, arguments).await,
        ProjectCommand::Correct(arguments) => writing::correct(desk, screen, arguments).await,
        ProjectCommand::Rewrite(arguments) => writing::rewrite(desk, screen, arguments).await,
        ProjectCommand::Task(arguments) => tasks::task(desk, screen, arguments).await,
        ProjectCommand::Continue(arguments) => tasks::go_on(desk, screen, arguments).await,
        ProjectCommand::Dialogue(arguments) => tasks::dialogue(desk, screen, arguments).await,
        ProjectCommand::Scene(arguments) => tasks::scene(desk, screen, arguments).await,
        ProjectCommand::Resume(arguments) => resume::resume(desk, screen, arguments).await,
        ProjectCommand::Show(arguments) => show::show(desk, screen, &arguments).await,
        ProjectCommand::Runs(arguments) => runs(desk, screen, arguments).await,
        ProjectCommand::Guide => {
            let read = desk.call(op::ReadGuide {}).await?;
            screen.show(&read, |page| guide::guide(page, &read)).map(|()| Exit::Done)
        }
        ProjectCommand::Projects(arguments) => shelf::projects(desk, screen, &arguments).await,
        ProjectCommand::Project(arguments) => shelf::project(desk, screen, arguments).await,
        ProjectCommand::Replay(arguments) => cost::replay(desk, screen, arguments).await,
        ProjectCommand::Estimate(arguments) => cost::estimate(desk, screen, arguments).await,
        ProjectCommand::Cost(arguments) => cost::cost(desk, screen, &arguments).await,
        ProjectCommand::Models(arguments) if arguments.prices => cost::prices(desk, screen).await,
        ProjectCommand::Models(arguments) => models::models(desk, screen, arguments).await,
    }
}

async fn on_story(desk: &Desk, screen: &Screen, command: StoryCommand) -> Result<Exit, Error> {
    match command {
        StoryCommand::Check(arguments) => story::check(desk, screen, &arguments).await,
        StoryCommand::Analyze(arguments) => examining::analyze(desk, screen, arguments).await,
        StoryCommand::Teardown(arguments) => teardown::teardown(desk, screen, arguments).await,
        StoryCommand::Review(arguments) => examining::review(desk, screen, arguments).await,
        StoryCommand::Stats(arguments) => examining::stats(desk, screen, &arguments).await,
        StoryCommand::Goals(arguments) => goals::goals(desk, screen, arguments).await,
        StoryCommand::Picture(arguments) => shelf::picture(desk, screen, arguments).await,
        StoryCommand::Waive(arguments) => story::waive(desk, screen, &arguments).await,
        StoryCommand::Genres(arguments) => genres(desk, screen, &arguments).await,
        StoryCommand::Rules(arguments) => rules(desk, screen, &arguments).await,
        StoryCommand::AskFacts(arguments) => story::ask_facts(desk, screen, arguments).await,
        StoryCommand::Search(arguments) => questions::search(desk, screen, arguments).await,
        StoryCommand::Ask(arguments) => questions::ask(desk, screen, arguments).await,
        StoryCommand::Index(arguments) => questions::index(desk, screen, &arguments).await,
        StoryCommand::Edit(arguments) => settling::edit(desk, screen, arguments).await,
        StoryCommand::Mirror(arguments) => mirror::mirror(desk, screen, arguments).await,
        StoryCommand::Chapter(command) => chapter::chapter(desk, screen, command).await,
        StoryCommand::Comments(command) => comments::comments(desk, screen, command).await,
        StoryCommand::Members(command) => members::members(desk, screen, command).await,
        StoryCommand::Series(command) => series::series(desk, screen, command).await,
        StoryCommand::Reconcile(arguments) => settling::reconcile(desk, screen, arguments).await,
        StoryCommand::Impact(arguments) => story::impact(desk, screen, &arguments).await,
        StoryCommand::Tools(arguments) => tools::tools(desk, screen, &arguments).await,
        StoryCommand::Tool(arguments) => tools::tool(desk, screen, arguments).await,
        StoryCommand::Mcp(arguments) => server::mcp(desk.studio("mcp")?, screen, arguments).await,
        StoryCommand::ImportStory(arguments) => story::import(desk, screen, arguments).await,
        StoryCommand::ExportStory(arguments) => story::export(desk, screen, &arguments).await,
        StoryCommand::Log(arguments) => story::log(desk, screen, &arguments).await,
        StoryCommand::Undo(arguments) => story::undo(desk, screen, &arguments).await,
    }
}

/// Returns the process environment, with `--home` taking precedence.
///
/// Fails with [`Error::NotUnicode`] if one of our variables, or the folder, is not valid Unicode, so that no other
/// folder is used by accident.
fn environment(global: &GlobalArgs) -> Result<Environment, Error> {
    let unreadable = |name: &str| Error::NotUnicode { name: name.to_owned() };
    let home = match &global.home {
        Some(home) => Some(home.to_str().ok_or_else(|| unreadable("--home"))?.to_owned()),
        None => None,
    };
    let mut variables = Vec::new();
    for (name, value) in std::env::vars_os() {
        let Ok(name) = name.into_string() else { continue };
        match value.into_string() {
            Ok(value) => variables.push((name, value)),
            Err(_) if name.starts_with("QINGYU_") => return Err(unreadable(&name)),
            Err(_) => {}
        }
    }
    Ok(Environment::new(variables.into_iter().chain(home.map(|home| ("QINGYU_HOME".to_owned(), home)))))
}

/// Fails with [`Error::Clock`] if the system clock is before 1970: ids contain the time elapsed since 1970.
fn refuse_clock(now: SystemTime) -> Result<(), Error> {
    now.duration_since(SystemTime::UNIX_EPOCH).map(drop).map_err(|_| Error::Clock)
}

async fn open(settings: Settings) -> Result<Studio, Error> {
    Ok(Studio::open(settings).await?)
}

async fn genres(desk: &Desk, screen: &Screen, arguments: &GenresArgs) -> Result<Exit, Error> {
    let language = arguments.genre.is_none().then(|| screen.texts().language());
    let rows = desk.call(op::ListGenres { language }).await?;
    let Some(given) = &arguments.genre else {
        return screen.show(&rows, |page| lists::genres(page, &rows)).map(|()| Exit::Done);
    };
    let genres: Vec<Genre> = rows.into_iter().map(|row| row.genre).collect();
    let all = Genres::with(genres);
    let Some(genre) = all.find(given) else {
        return Err(qingyu_studio::Error::unknown(qingyu_studio::Noun::Genre, given).into());
    };
    if let Some(project) = &arguments.take_ladders {
        let taking = op::TakeLadders { project: project.clone(), genre: genre.id.clone() };
        let ladders = desk.call(taking).await?.ladders;
        return screen.show(&ladders, |page| ladders::ladders(page, &ladders)).map(|()| Exit::Done);
    }
    if arguments.file {
        let file = genre.file();
        return screen.show(&file, |page| file.lines().for_each(|line| page.line(line))).map(|()| Exit::Done);
    }
    screen.show(genre, |page| lists::genre(page, genre)).map(|()| Exit::Done)
}

async fn rules(desk: &Desk, screen: &Screen, arguments: &RulesArgs) -> Result<Exit, Error> {
    let rows = desk.call(op::ListRules { language: screen.texts().language() }).await?;
    let Some(code) = &arguments.code else {
        return screen.show(&rows, |page| lists::rules(page, &rows)).map(|()| Exit::Done);
    };
    let found: Vec<_> = rows.into_iter().filter(|row| row.code.eq_ignore_ascii_case(code)).collect();
    let [row] = found.as_slice() else {
        return Err(qingyu_studio::Error::unknown(qingyu_studio::Noun::Rule, code).into());
    };
    screen.show(&found, |page| lists::rule(page, row)).map(|()| Exit::Done)
}
