//! `qingyu memory`.

use qingyu_studio::Studio;
use serde_json::json;

use super::requirement;
use crate::args::{AddMemory, EditMemory, ForgetMemory, ListMemories, MemoryCommand};
use crate::error::{Error, Exit};
use crate::render::memory as draw;
use crate::render::page::{CARE, paint};
use crate::screen::Screen;

pub(super) async fn memory(studio: &Studio, screen: &Screen, command: MemoryCommand) -> Result<Exit, Error> {
    match command {
        MemoryCommand::List(ListMemories { words, kind, project }) => {
            let rows = studio.memories(kind.map(Into::into), project.as_deref(), words.as_deref()).await?;
            screen.show(&rows, |page| draw::list(page, &rows))?;
        }
        MemoryCommand::Add(AddMemory { text, kind, project }) => {
            let row = studio.remember(kind.into(), &requirement(&text)?, project.as_deref()).await?;
            screen.show(&row, |page| draw::one(page, &row))?;
        }
        MemoryCommand::Edit(EditMemory { memory, text, on, off }) => {
            let row = studio.edit_memory(&memory, text.as_deref(), (on || off).then_some(on)).await?;
            screen.show(&row, |page| draw::one(page, &row))?;
        }
        MemoryCommand::Forget(ForgetMemory { memory: Some(memory), .. }) => {
            let row = studio.forget_memory(&memory).await?;
            screen.show(&row, |page| draw::forgotten(page, &row))?;
        }
        MemoryCommand::Forget(ForgetMemory { memory: None, unasked, .. }) => {
            let is_meant = unasked || ask(screen).await?;
            let count = if is_meant { studio.forget_memories().await? } else { 0 };
            screen.show(&json!({"forgotten": count}), |page| draw::all_forgotten(page, count))?;
        }
    }
    Ok(Exit::Done)
}

/// Asks whether everything is to be forgotten. The end of input is no.
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
