//! The `qingyu` command.
//!
//! Every command parses its arguments, calls the studio, converts and prints the result. The modules:
//!
//! - [`args`], [`help`]: the arguments, and their help in two languages
//! - [`language`], [`texts`]: the user interface language and its texts
//! - [`commands`]: the commands
//! - [`log`]: logging to standard error
//! - [`desk`]: the backend of the commands, local or on a server
//! - [`watch`], [`progress`], [`signals`]: following a run to its end
//! - [`render`]: values drawn as text
//! - [`screen`]: the output streams
//! - [`error`]: errors and exit codes

mod args;
mod commands;
mod desk;
mod error;
mod help;
mod language;
mod log;
mod progress;
mod render;
mod screen;
mod signals;
mod texts;
mod watch;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};
use qingyu_studio::Environment;
use qingyu_studio::story::Language;

use crate::args::{Cli, Color, Command, ProjectCommand};
use crate::error::{Error, Exit};
use crate::screen::{Screen, choose_colors};
use crate::texts::LocalizedTexts;

#[cfg(all(feature = "jemalloc", unix, not(target_env = "musl")))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Stack size of our threads, in bytes: without optimisation, the futures of a run need more than tokio's 2 MiB.
const STACK: usize = 8 << 20;

/// Runs the command on its own thread: the main thread of a process has only a 1 MiB stack on Windows.
fn main() -> ExitCode {
    let thread = std::thread::Builder::new().name("main".into()).stack_size(STACK).spawn(run_command);
    match thread.expect("the system gives threads to a new process").join() {
        Ok(exit) => exit,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// Parses the arguments, runs the command and returns the exit code of the process.
fn run_command() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let first = EarlyOptions::at(&arguments);
    choose_colors(first.color);
    let told = told_language(&first);
    let screen = Screen::new(LocalizedTexts::new(told.unwrap_or_default()), first.json, first.home.as_deref());
    let cli = match parse(&arguments, &screen, first.color) {
        Ok(ParseOutcome::Command(cli)) => *cli,
        Ok(ParseOutcome::Shown(exit)) => return ExitCode::from(exit as u8),
        Err(error) => return fail(&screen, &error),
    };
    log::start(&cli.global, &cli.command);
    work(cli, screen, told, first.home.as_deref())
}

/// Reads the requirement, determines the language, and runs the command.
fn work(mut cli: Cli, mut screen: Screen, told: Option<Language>, home: Option<&str>) -> ExitCode {
    if let Command::Projects(ProjectCommand::Create(create)) = &mut cli.command {
        match commands::requirement(&create.requirement) {
            Ok(requirement) => create.requirement = requirement,
            Err(error) => return fail(&screen, &error),
        }
        if told.is_none() {
            screen = Screen::new(LocalizedTexts::new(Language::of(&create.requirement)), screen.json(), home);
        }
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().thread_stack_size(STACK).build();
    let runtime = runtime.expect("the system gives threads to a new process");
    let result = runtime.block_on(commands::run(cli, &screen));
    // A thread blocked on terminal input must not keep the process alive.
    runtime.shutdown_background();
    match result {
        Ok(exit) => ExitCode::from(exit as u8),
        Err(error) => fail(&screen, &error),
    }
}

fn fail(screen: &Screen, error: &Error) -> ExitCode {
    screen.fail(error);
    ExitCode::from(error.exit() as u8)
}

/// The result of parsing: a command, or help and version output already printed.
enum ParseOutcome {
    Command(Box<Cli>),
    Shown(Exit),
}

fn parse(arguments: &[OsString], screen: &Screen, color: Color) -> Result<ParseOutcome, Error> {
    let color = match color {
        Color::Auto => clap::ColorChoice::Auto,
        Color::Always => clap::ColorChoice::Always,
        Color::Never => clap::ColorChoice::Never,
    };
    // The help of all commands, and its translation, is built only where some of it is shown: it takes longer than parsing.
    let parsed = Cli::command().color(color).try_get_matches_from(arguments);
    if let Ok(cli) = parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        return Ok(ParseOutcome::Command(Box::new(cli)));
    }
    let mut command = help::command(screen.texts()).color(color);
    match command.try_get_matches_from_mut(arguments).and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => Ok(ParseOutcome::Command(Box::new(cli))),
        Err(shown) if matches!(shown.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            screen.print(&shown.render().ansi().to_string()).map(|()| ParseOutcome::Shown(Exit::Done))
        }
        Err(shown) if shown.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            screen.note(&shown.render().ansi().to_string());
            Ok(ParseOutcome::Shown(Exit::Usage))
        }
        Err(error) => Err(error.into()),
    }
}

/// Options needed before parsing, to report parse errors in the right format and language.
struct EarlyOptions {
    json: bool,
    color: Color,
    ui_lang: Option<String>,
    home: Option<String>,
}

impl EarlyOptions {
    fn at(arguments: &[OsString]) -> Self {
        let words: Vec<&str> =
            arguments.iter().skip(1).filter_map(|word| word.to_str()).take_while(|word| *word != "--").collect();
        let value = |flag: &str| {
            words.iter().enumerate().find_map(|(index, word)| match word.strip_prefix(flag) {
                Some("") => words.get(index + 1).map(|value| (*value).to_owned()),
                Some(rest) => rest.strip_prefix('=').map(str::to_owned),
                None => None,
            })
        };
        let color = match value("--color").as_deref() {
            Some("always") => Color::Always,
            Some("never") => Color::Never,
            _ => Color::Auto,
        };
        Self { json: words.contains(&"--json"), color, ui_lang: value("--ui-lang"), home: value("--home") }
    }
}

/// Returns the language set by the user in a flag, the environment or the settings file.
fn told_language(first: &EarlyOptions) -> Option<Language> {
    let variable = |name: &str| std::env::var(name).ok();
    let home = first.home.clone().map(|home| ("QINGYU_HOME".to_owned(), home));
    let variables = ["QINGYU_HOME", "XDG_DATA_HOME", "HOME", "LOCALAPPDATA"];
    let known = variables.into_iter().filter_map(|name| Some((name.to_owned(), variable(name)?)));
    let file = Environment::new(known.chain(home)).home().join(commands::SETTINGS_FILE);
    let settings = std::fs::read_to_string(file).ok().and_then(|text| text.parse::<toml::Table>().ok());
    let ui = settings.as_ref().and_then(|settings| settings.get("ui")?.get("language")?.as_str());
    let locales = ["LC_ALL", "LC_MESSAGES", "LANG"].map(variable);
    let variable = variable("QINGYU_UI_LANG");
    language::LanguageSources {
        flag: first.ui_lang.as_deref(),
        variable: variable.as_deref(),
        settings: ui,
        locales: locales.each_ref().map(Option::as_deref),
    }
    .language()
}
