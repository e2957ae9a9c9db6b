//! `qingyu models`: who serves, which keys there are, and whether a model works.

use std::io::{BufRead, IsTerminal, Read};
use std::path::Path;
use std::process::{Command, Stdio};

use qingyu_studio::operations as op;

use super::create::read_bounded;
use crate::args::{ModelKey, Models, ModelsCommand, TryModel};
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::{lists, models as draw};
use crate::screen::Screen;

/// The most bytes of a key that is typed.
const LONGEST_KEY: u64 = 8_192;

pub(super) async fn models(desk: &Desk, screen: &Screen, arguments: Models) -> Result<Exit, Error> {
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

/// Reads a key from standard input: a line that is not shown at a terminal, else everything.
fn read_key(screen: &Screen, provider: &str) -> Result<String, Error> {
    let path = Path::new("-");
    if !std::io::stdin().is_terminal() {
        let key = String::from_utf8(read_bounded(path)?).map_err(|_| Error::NotText { path: path.into() })?;
        return Ok(key.trim().to_owned());
    }
    screen.note(&format!("{}\n", screen.texts().fill("model-key-ask", &[("provider", provider.into())])));
    let _quiet = Quiet::new();
    let mut key = String::new();
    let read = std::io::stdin().lock().take(LONGEST_KEY).read_line(&mut key);
    read.map_err(|error| Error::Unreadable { path: path.into(), message: error.to_string() })?;
    Ok(key.trim().to_owned())
}

/// A terminal that does not show what is typed, where the system has `stty`.
struct Quiet;

impl Quiet {
    fn new() -> Self {
        stty("-echo");
        Self
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        stty("echo");
    }
}

fn stty(mode: &str) {
    // Without it the key is seen on the screen of whoever types it, and nowhere else.
    let _done = Command::new("stty").arg(mode).stdin(Stdio::inherit()).stderr(Stdio::null()).status();
}
