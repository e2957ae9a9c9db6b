//! The texts that models stream, as messages.

use std::collections::BTreeMap;

use qingyu_studio::agents::progress::Progress;
use qingyu_studio::{StudioEvent, StudioEventKind};
use serde_json::{Value, json};

/// The messages being streamed, by agent.
#[derive(Debug, Default)]
pub(super) struct Messages {
    open: BTreeMap<String, Message>,
}

/// A message of an agent: the text of one model call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) id: String,
    pub(super) agent: String,
    /// The text so far.
    pub(super) text: String,
}

/// A change of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Spoken {
    /// A piece of text was added.
    Piece {
        message: Message,
        piece: String,
        /// Whether the message begins with the piece.
        is_first: bool,
    },
    /// The message is complete.
    Complete { message: Message },
}

impl Messages {
    /// Returns the changes of messages by an event. A message ends with the call or the work of its agent, or with the
    /// run.
    pub(super) fn follow(&mut self, event: &StudioEvent) -> Vec<Spoken> {
        let StudioEventKind::Progress(progress) = &event.kind else {
            let ended = if event.kind.is_last() { std::mem::take(&mut self.open) } else { BTreeMap::new() };
            return ended.into_values().map(|message| Spoken::Complete { message }).collect();
        };
        match progress {
            Progress::Text { agent, text } => {
                let is_first = !self.open.contains_key(agent);
                let message = self.open.entry(agent.clone()).or_insert_with(|| Message {
                    id: format!("{}-{agent}-{}", event.run, event.seq),
                    agent: agent.clone(),
                    text: String::new(),
                });
                message.text.push_str(text);
                vec![Spoken::Piece { message: message.clone(), piece: text.clone(), is_first }]
            }
            Progress::Called { agent, .. }
            | Progress::AgentFinished { agent, .. }
            | Progress::SubtaskFinished { agent, .. } => {
                self.open.remove(agent).map(|message| Spoken::Complete { message }).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Message {
    /// Returns the message in the form of LangChain, with `text` as its content.
    pub(super) fn json(&self, kind: &str, text: &str) -> Value {
        json!({
            "type": kind, "id": self.id, "name": self.agent, "content": text, "additional_kwargs": {},
            "response_metadata": {}, "tool_calls": [], "invalid_tool_calls": [],
        })
    }
}

impl Spoken {
    /// Returns a piece with its author, for the mode `messages-tuple`.
    pub(super) fn tuple(&self, run: &str) -> Option<(&'static str, Value)> {
        match self {
            Self::Piece { message, piece, .. } => {
                let said = message.json("AIMessageChunk", piece);
                Some(("messages", json!([said, metadata(message, run)])))
            }
            Self::Complete { .. } => None,
        }
    }

    /// Returns the events of the mode `messages`: metadata first, then the text so far, and the whole text at the end.
    pub(super) fn messages(&self, run: &str) -> Vec<(&'static str, Value)> {
        match self {
            Self::Piece { message, is_first, .. } => {
                let begun = json!({&message.id: {"metadata": metadata(message, run)}});
                let begun = is_first.then_some(("messages/metadata", begun));
                let so_far = ("messages/partial", json!([message.json("ai", &message.text)]));
                begun.into_iter().chain([so_far]).collect()
            }
            Self::Complete { message } => vec![("messages/complete", json!([message.json("ai", &message.text)]))],
        }
    }
}

fn metadata(message: &Message, run: &str) -> Value {
    json!({"langgraph_node": message.agent, "run_id": run, "tags": []})
}
