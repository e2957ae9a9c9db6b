//! A tool that does what its script says.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures::future::BoxFuture;
use serde_json::{Value, json};

use crate::texts::Text;
use crate::{Category, Context, Metadata, Tool, ToolError};

/// One thing that a [`ScriptedTool`] does when it is called.
#[derive(Debug, Clone)]
pub enum Turn {
    /// Answers.
    Answer(Value),
    /// Answers with its arguments.
    Echo,
    /// Fails.
    Fail(ToolError),
    /// Answers after a while.
    Wait(Duration, Value),
    /// Panics.
    Panic(&'static str),
}

/// A tool named `scripted` that takes any object, does the turns of its script one by one, and then the last one for
/// ever.
#[derive(Debug)]
pub struct ScriptedTool {
    metadata: Metadata,
    turns: Mutex<VecDeque<Turn>>,
    calls: AtomicU32,
}

impl ScriptedTool {
    /// A tool with that script, which must not be empty.
    pub fn new(turns: impl IntoIterator<Item = Turn>) -> Self {
        let schema = json!({"type": "object"});
        let metadata =
            Metadata::with_schema("scripted", Category::Analysis, Text::same("what its script says"), schema);
        Self { metadata, turns: Mutex::new(turns.into_iter().collect()), calls: AtomicU32::new(0) }
    }

    /// The tool with what it says of itself changed.
    pub fn with(mut self, change: impl FnOnce(&mut Metadata)) -> Self {
        change(&mut self.metadata);
        self
    }

    /// How often it was called.
    pub fn calls(&self) -> u32 {
        self.calls.load(Ordering::SeqCst)
    }
}

impl Tool for ScriptedTool {
    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn call<'a>(&'a self, arguments: Value, _context: &'a Context) -> BoxFuture<'a, Result<Value, ToolError>> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let mut turns = self.turns.lock().expect("no turn panics while it is taken");
        let turn = if turns.len() > 1 { turns.pop_front() } else { turns.front().cloned() };
        drop(turns);
        Box::pin(async move {
            match turn.expect("a script is not empty") {
                Turn::Answer(answer) => Ok(answer),
                Turn::Echo => Ok(arguments),
                Turn::Fail(error) => Err(error),
                Turn::Wait(pause, answer) => {
                    tokio::time::sleep(pause).await;
                    Ok(answer)
                }
                Turn::Panic(words) => panic!("{words}"),
            }
        })
    }
}
