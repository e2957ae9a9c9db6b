//! A scripted tool.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures::future::BoxFuture;
use serde_json::{Value, json};

use crate::texts::Text;
use crate::{Category, Metadata, Tool, ToolContext, ToolError};

/// A scripted action of a [`ScriptedTool`].
#[derive(Debug, Clone)]
pub enum ScriptedTurn {
    /// Returns the value.
    Answer(Value),
    /// Returns its arguments.
    Echo,
    /// Returns the error.
    Fail(ToolError),
    /// Returns the value after the delay.
    Wait(Duration, Value),
    /// Panics.
    Panic(&'static str),
}

/// A tool named `scripted` with any object as arguments. Runs its turns in order, then repeats the last turn forever.
#[derive(Debug)]
pub struct ScriptedTool {
    metadata: Metadata,
    turns: Mutex<VecDeque<ScriptedTurn>>,
    calls: AtomicU32,
}

impl ScriptedTool {
    /// Returns a tool with the given turns, which must not be empty.
    pub fn new(turns: impl IntoIterator<Item = ScriptedTurn>) -> Self {
        let schema = json!({"type": "object"});
        let metadata =
            Metadata::with_schema("scripted", Category::Analysis, Text::same("what its script says"), schema);
        Self { metadata, turns: Mutex::new(turns.into_iter().collect()), calls: AtomicU32::new(0) }
    }

    /// Changes the tool's metadata.
    pub fn with(mut self, change: impl FnOnce(&mut Metadata)) -> Self {
        change(&mut self.metadata);
        self
    }

    /// Returns the number of calls.
    pub fn calls(&self) -> u32 {
        self.calls.load(Ordering::SeqCst)
    }
}

impl Tool for ScriptedTool {
    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn call<'a>(&'a self, arguments: Value, _context: &'a ToolContext) -> BoxFuture<'a, Result<Value, ToolError>> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let mut turns = self.turns.lock().expect("no turn panics while it is taken");
        let turn = if turns.len() > 1 { turns.pop_front() } else { turns.front().cloned() };
        drop(turns);
        Box::pin(async move {
            match turn.expect("a script is not empty") {
                ScriptedTurn::Answer(answer) => Ok(answer),
                ScriptedTurn::Echo => Ok(arguments),
                ScriptedTurn::Fail(error) => Err(error),
                ScriptedTurn::Wait(pause, answer) => {
                    tokio::time::sleep(pause).await;
                    Ok(answer)
                }
                ScriptedTurn::Panic(words) => panic!("{words}"),
            }
        })
    }
}
