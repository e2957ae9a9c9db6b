//! The command `qingyu memory`.

use serde_json::json;

use super::create::requirement;
use crate::args::{AddMemory, EditMemory, ForgetMemory, ListMemories, MemoryCommand};
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::memory as draw;
use crate::render::page::{CARE, paint};
use crate::screen::Screen;
use qingyu_studio::operations as op;

pub(super) async fn memory(desk: &Desk, screen: &Screen, command: MemoryCommand) -> Result<Exit, Error> {
    match command {
        MemoryCommand::List(ListMemories { session: Some(session), .. }) => {
            let rows = desk.call(op::ReadSession { session }).await?;
            screen.show(&rows, |page| draw::turns(page, &rows))?;
        }
        MemoryCommand::List(ListMemories { words, kind, project, session: None }) => {
            let rows = desk.call(op::ListMemories { kind: kind.map(Into::into), project, words }).await?;
            screen.show(&rows, |page| draw::list(page, &rows))?;
        }
        MemoryCommand::Add(AddMemory { text, kind, project }) => {
            let row = desk.call(op::Remember { kind: kind.into(), text: requirement(&text)?, project }).await?;
            screen.show(&row, |page| draw::one(page, &row))?;
        }
        MemoryCommand::Edit(EditMemory { memory, text, on, off }) => {
            let row = desk.call(op::EditMemory { memory, text, on: (on || off).then_some(on) }).await?;
            screen.show(&row, |page| draw::one(page, &row))?;
        }
        MemoryCommand::Forget(ForgetMemory { session: Some(session), .. }) => {
            let count = desk.call(op::ForgetSession { session }).await?;
            screen.show(&json!({"forgotten": count}), |page| draw::session_forgotten(page, count))?;
        }
        MemoryCommand::Forget(ForgetMemory { memory: Some(memory), .. }) => {
            let row = desk.call(op::ForgetMemory { memory }).await?;
            screen.show(&row, |page| draw::forgotten(page, &row))?;
        }
        MemoryCommand::Forget(ForgetMemory { memory: None, unasked, .. }) => {
            let is_meant = unasked || ask(screen).await?;
            let count = if is_meant { desk.call(op::ForgetMemories {}).await? } else { 0 };
            screen.show(&json!({"forgotten": count}), |page| draw::all_forgotten(page, count))?;
        }
    }
    Ok(Exit::Done)
}

/// Asks for confirmation to forget everything. End of input means no.
async fn ask(screen: &Screen) -> Result<bool, Error> {
    if !screen.can_ask() {
        return Err(Error::Unconfirmed);
    }
    screen.note(&paint(CARE, &format!("{} ", screen.texts().get("memory-forget-ask"))));
    let reading = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).map(|_| line).unwrap_or_default()
    });
    let line = reading.await.unwrap_or_default();
    Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}
