//! Collects an answer from its pieces.

#[cfg(test)]
mod tests;

use serde_json::Value;

use super::think::Part;
use crate::{Error, Event, Finish, Reply, ToolCall, Usage};

/// An answer in the making.
#[derive(Debug)]
pub(super) struct Assembler {
    model: String,
    /// The tool whose arguments are the answer, where structured output is a forced call.
    output_tool: Option<String>,
    text: String,
    reasoning: String,
    output: String,
    calls: Vec<Slot>,
    usage: Usage,
    finish: Option<String>,
    refused: bool,
}

/// A tool call in the making.
#[derive(Debug, Default)]
struct Slot {
    id: Option<String>,
    index: Option<i64>,
    name: String,
    arguments: String,
}

/// A piece of a tool call. Empty strings count as absent.
#[derive(Debug, Default)]
pub(super) struct ToolPiece {
    pub(super) id: Option<String>,
    pub(super) index: Option<i64>,
    pub(super) name: Option<String>,
    pub(super) arguments: String,
}

impl Assembler {
    pub(super) fn new(model: &str, output_tool: Option<String>) -> Self {
        Self {
            model: model.into(),
            output_tool,
            text: String::new(),
            reasoning: String::new(),
            output: String::new(),
            calls: Vec::new(),
            usage: Usage::default(),
            finish: None,
            refused: false,
        }
    }

    pub(super) fn text(&mut self, piece: String, events: &mut Vec<Event>) {
        if !piece.is_empty() {
            self.text.push_str(&piece);
            events.push(Event::Text(piece));
        }
    }

    pub(super) fn reasoning(&mut self, piece: String, events: &mut Vec<Event>) {
        if !piece.is_empty() {
            self.reasoning.push_str(&piece);
            events.push(Event::Reasoning(piece));
        }
    }

    /// Takes what a splitter has parted.
    pub(super) fn parts(&mut self, parts: impl IntoIterator<Item = Part>, events: &mut Vec<Event>) {
        for part in parts {
            match part {
                Part::Text(piece) => self.text(piece, events),
                Part::Thinking(piece) => self.reasoning(piece, events),
            }
        }
    }

    /// Takes a piece of a tool call and returns the slot it belongs to.
    pub(super) fn tool(&mut self, piece: ToolPiece, events: &mut Vec<Event>) -> usize {
        let id = piece.id.filter(|id| !id.is_empty());
        let name = piece.name.filter(|name| !name.is_empty());
        let slot = self.route(id.as_deref(), piece.index, name.as_deref());
        let call = &mut self.calls[slot];
        call.id = call.id.take().or(id);
        call.index = call.index.or(piece.index);
        let named_now = call.name.is_empty().then_some(name).flatten();
        if let Some(name) = &named_now {
            call.name.clone_from(name);
        }
        call.arguments.push_str(&piece.arguments);
        if self.output_tool.as_ref() == Some(&call.name) {
            // Arguments that came before the name were not known to be the answer.
            let answer = if named_now.is_some() { call.arguments.clone() } else { piece.arguments };
            self.output.push_str(&answer);
            if !answer.is_empty() {
                events.push(Event::Text(answer));
            }
        } else if named_now.is_some() || !piece.arguments.is_empty() {
            events.push(Event::ToolDelta { slot, name: named_now, arguments: piece.arguments });
        }
        slot
    }

    /// Which call a piece belongs to: the one with its id; the one with its index, unless the piece carries a new id;
    /// the one still open, unless the piece begins another; else a new one.
    fn route(&mut self, id: Option<&str>, index: Option<i64>, name: Option<&str>) -> usize {
        if let Some(id) = id
            && let Some(slot) = self.calls.iter().position(|call| call.id.as_deref() == Some(id))
        {
            return slot;
        }
        let accepts = |call: &Slot| id.is_none() || call.id.is_none();
        if index.is_some()
            && let Some(slot) = self.calls.iter().rposition(|call| call.index == index && accepts(call))
        {
            return slot;
        }
        if let Some(open) = self.calls.last()
            && accepts(open)
            && continues(open, index, name)
        {
            return self.calls.len() - 1;
        }
        self.calls.push(Slot::default());
        self.calls.len() - 1
    }

    /// Counts that say nothing do not replace earlier ones.
    pub(super) fn usage(&mut self, usage: Usage, events: &mut Vec<Event>) {
        if usage != Usage::default() && usage != self.usage {
            self.usage = usage;
            events.push(Event::Usage(usage));
        }
    }

    pub(super) fn current_usage(&self) -> Usage {
        self.usage
    }

    /// Why the answer ends, in the provider's words; the empty word says nothing.
    pub(super) fn finish(&mut self, reason: &str) {
        if !reason.is_empty() {
            self.finish = Some(reason.to_owned());
        }
    }

    /// The model refused in a field of its own.
    pub(super) fn refuse(&mut self) {
        self.refused = true;
    }

    /// Whether the provider has said that the answer ends.
    pub(super) fn is_finished(&self) -> bool {
        self.finish.is_some()
    }

    /// What there is of the answer, for one that was cut.
    pub(super) fn partial(&self) -> String {
        if self.output.is_empty() { self.text.clone() } else { self.output.clone() }
    }

    /// The name of the tool whose arguments are the answer, if it was called.
    pub(super) fn answered_by_tool(&self) -> bool {
        !self.output.is_empty()
    }

    /// The id that the call in `slot` has in the reply.
    pub(super) fn call_id(&self, slot: usize) -> String {
        self.calls[slot].id.clone().unwrap_or_else(|| format!("call_{slot}"))
    }

    /// The whole answer, with the blocks to be sent back.
    ///
    /// Fails with [`Error::Truncated`] if the provider's reason is that its side broke.
    pub(super) fn reply(self, raw: Value) -> Result<Reply, Error> {
        let partial = self.partial();
        let ids: Vec<String> = (0..self.calls.len()).map(|slot| self.call_id(slot)).collect();
        let calls = self.calls.into_iter().zip(ids);
        let calls = calls.filter(|(call, _)| self.output_tool.as_ref() != Some(&call.name));
        // A head that never got a name nor arguments is an artefact of the provider's numbering.
        let calls = calls.filter(|(call, _)| !(call.name.is_empty() && call.arguments.is_empty()));
        let tool_calls: Vec<ToolCall> = calls
            .map(|(call, id)| ToolCall {
                id,
                name: call.name,
                arguments: if call.arguments.trim().is_empty() { "{}".into() } else { call.arguments },
            })
            .collect();
        let finish = match finish(self.finish.as_deref().unwrap_or_default(), !tool_calls.is_empty()) {
            _ if self.refused => Finish::Filtered,
            Some(finish) => finish,
            None => return Err(Error::Truncated { partial }),
        };
        let (text, reasoning, usage) = (partial, self.reasoning, self.usage);
        let model = self.model;
        Ok(Reply { text, reasoning, tool_calls, finish, usage, model, raw, substitution: None, replayed: false })
    }
}

/// Whether a piece without a known id or index goes on with the open call.
fn continues(open: &Slot, index: Option<i64>, name: Option<&str>) -> bool {
    let Some(name) = name else { return true };
    let is_complete = serde_json::from_str::<Value>(&open.arguments).is_ok();
    let is_elsewhere = index.is_some() && open.index.is_some();
    open.name.is_empty() || (open.name == name && !is_complete && !is_elsewhere)
}

/// What the provider's word for the end means; `None` if it means that its side broke.
fn finish(reason: &str, has_calls: bool) -> Option<Finish> {
    Some(match reason {
        "length" | "max_tokens" | "model_length" | "model_context_window_exceeded" => Finish::Length,
        "content_filter" | "sensitive" | "safety" | "SAFETY" | "refusal" => Finish::Filtered,
        "abort" | "error" | "network_error" | "insufficient_system_resource" => return None,
        _ if has_calls => Finish::ToolCalls,
        "" | "stop" | "STOP" | "end" | "end_turn" | "stop_sequence" | "eos" | "eos_token" | "tool_calls"
        | "function_call" | "tool_use" => Finish::Stop,
        other => Finish::Other(other.to_owned()),
    })
}
