//! `qingyu models`: providers, keys and tests of models.

use std::io::{BufRead, IsTerminal, Read};
use std::path::Path;
use std::process::{Command, Stdio};

use qingyu_studio::operations as op;

use super::texts::read_bounded;
use crate::args::{ModelKey, ModelsArgs, ModelsCommand, TryModel};
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::{lists, models as draw};
use crate::screen::Screen;

/// Maximum length of a typed key, in bytes.
const LONGEST_KEY: u64 = 8_192;

pub(super) async fn models(desk: &Desk, screen: &Screen, arguments: ModelsArgs) -> Result<Exit, Error> {
    match arguments.command {
        Some(ModelsCommand::Key(arguments)) => key(desk, screen, arguments).await,
        Some(ModelsCommand::Try(arguments)) => try_model(desk, screen, arguments).await,
        None if arguments.refresh => {
            let rows = desk.call(op::RefreshModels {}).await?;
            screen.show(&rows, |page| draw::listings(page, &rows))?;
            let failed = rows.iter().any(|row| row.failure.is_some());
            Ok(if failed { Exit::Failed } else { Exit::Done })
        }
        None => {
            let rows = desk.call(op::ListModels {}).await?;
            screen.show(&rows, |page| lists::models(page, &rows)).map(|()| Exit::Done)
        }
    }
}

async fn key(desk: &Desk, screen: &Screen, arguments: ModelKey) -> Result<Exit, Error> {
    let ModelKey { provider, remove } = arguments;
    let row = match remove {
        true => desk.call(op::ForgetModelKey { provider }).await?,
        false => {
            let secret = read_key(screen, &provider)?;
            desk.call(op::KeepModelKey { provider, secret }).await?
        }
    };
    screen.show(&row, |page| draw::key(page, &row)).map(|()| Exit::Done)
}

async fn try_model(desk: &Desk, screen: &Screen, arguments: TryModel) -> Result<Exit, Error> {
    let trial = desk.call(op::TryModel { model: arguments.model }).await?;
    screen.show(&trial, |page| draw::trial(page, &trial))?;
    Ok(if trial.works { Exit::Done } else { Exit::Failed })
}

/// Reads a key from standard input: a hidden line at a terminal, else the whole input.
fn read_key(screen: &Screen, provider: &str) -> Result<String, Error> {
    let path = Path::new("-");
    if !std::io::stdin().is_terminal() {
        let key = String::from_utf8(read_bounded(path)?).map_err(|_| Error::NotText { path: path.into() })?;
        return Ok(key.trim().to_owned());
    }
    screen.note(&format!("{}\n", screen.texts().fill("model-key-ask", &[("provider", provider.into())])));
    let _quiet = EchoGuard::new();
    let mut key = String::new();
    let read = std::io::stdin().lock().take(LONGEST_KEY).read_line(&mut key);
    read.map_err(|error| Error::Unreadable { path: path.into(), message: error.to_string() })?;
    Ok(key.trim().to_owned())
}

/// A guard disabling the terminal's echo, on systems with `stty`; the echo returns when dropped.
struct EchoGuard;

impl EchoGuard {
    fn new() -> Self {
        stty("-echo");
        Self
    }
}

impl Drop for EchoGuard {
    fn drop(&mut self) {
        stty("echo");
    }
}

fn stty(mode: &str) {
    // Without `stty` the typed key is visible on the user's own screen only.
    let _done = Command::new("stty").arg(mode).stdin(Stdio::inherit()).stderr(Stdio::null()).status();
}
