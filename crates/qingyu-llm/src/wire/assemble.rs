//! Assembles an answer from its events.

#[cfg(test)]
mod tests;

use serde_json::Value;

use super::think::ThinkPart;
use crate::{ChatEvent, Error, FinishReason, Reply, ToolCall, Usage};

/// An unfinished answer.
#[derive(Debug)]
pub(super) struct Assembler {
    model: String,
    /// The tool whose arguments are the answer, if structured output uses a forced call.
    output_tool: Option<String>,
    text: String,
    reasoning: String,
    output: String,
    calls: Vec<ToolCallSlot>,
    usage: Usage,
    finish: Option<String>,
    refused: bool,
}

/// An unfinished tool call.
#[derive(Debug, Default)]
struct ToolCallSlot {
    id: Option<String>,
    index: Option<i64>,
    name: String,
    arguments: String,
}

/// A fragment of a tool call. Empty strings count as absent.
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

    pub(super) fn text(&mut self, piece: String, events: &mut Vec<ChatEvent>) {
        if !piece.is_empty() {
            self.text.push_str(&piece);
            events.push(ChatEvent::Text(piece));
        }
    }

    pub(super) fn reasoning(&mut self, piece: String, events: &mut Vec<ChatEvent>) {
        if !piece.is_empty() {
            self.reasoning.push_str(&piece);
            events.push(ChatEvent::Reasoning(piece));
        }
    }

    /// Appends the parts returned by a splitter.
    pub(super) fn parts(&mut self, parts: impl IntoIterator<Item = ThinkPart>, events: &mut Vec<ChatEvent>) {
        for part in parts {
            match part {
                ThinkPart::Text(piece) => self.text(piece, events),
                ThinkPart::Thinking(piece) => self.reasoning(piece, events),
            }
        }
    }

    /// Appends a fragment of a tool call and returns its slot.
    pub(super) fn tool(&mut self, piece: ToolPiece, events: &mut Vec<ChatEvent>) -> usize {
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
            // Arguments received before the name were not yet known to be the answer.
            let answer = if named_now.is_some() { call.arguments.clone() } else { piece.arguments };
            self.output.push_str(&answer);
            if !answer.is_empty() {
                events.push(ChatEvent::Text(answer));
            }
        } else if named_now.is_some() || !piece.arguments.is_empty() {
            events.push(ChatEvent::ToolDelta { slot, name: named_now, arguments: piece.arguments });
        }
        slot
    }

    /// Returns the slot of a fragment: the slot with its id; the slot with its index, unless the fragment has a new id;
    /// the open slot, unless the fragment starts another call; else a new slot.
    fn route(&mut self, id: Option<&str>, index: Option<i64>, name: Option<&str>) -> usize {
        if let Some(id) = id
            && let Some(slot) = self.calls.iter().position(|call| call.id.as_deref() == Some(id))
        {
            return slot;
        }
        let accepts = |call: &ToolCallSlot| id.is_none() || call.id.is_none();
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
        self.calls.push(ToolCallSlot::default());
        self.calls.len() - 1
    }

    /// Empty counts do not override earlier counts.
    pub(super) fn usage(&mut self, usage: Usage, events: &mut Vec<ChatEvent>) {
        if usage != Usage::default() && usage != self.usage {
            self.usage = usage;
            events.push(ChatEvent::Usage(usage));
        }
    }

    pub(super) fn current_usage(&self) -> Usage {
        self.usage
    }

    /// Sets the finish reason in the provider's wording; an empty string is ignored.
    pub(super) fn finish(&mut self, reason: &str) {
        if !reason.is_empty() {
            self.finish = Some(reason.to_owned());
        }
    }

    /// Registers a refusal sent in a separate field.
    pub(super) fn refuse(&mut self) {
        self.refused = true;
    }

    /// Returns whether the provider has reported the end of the answer.
    pub(super) fn is_finished(&self) -> bool {
        self.finish.is_some()
    }

    /// Returns the partial text of a truncated answer.
    pub(super) fn partial(&self) -> String {
        if self.output.is_empty() { self.text.clone() } else { self.output.clone() }
    }

    /// Returns whether the output tool, whose arguments are the answer, was called.
    pub(super) fn answered_by_tool(&self) -> bool {
        !self.output.is_empty()
    }

    /// Returns the id of the call in `slot`, as used in the reply.
    pub(super) fn call_id(&self, slot: usize) -> String {
        self.calls[slot].id.clone().unwrap_or_else(|| format!("call_{slot}"))
    }

    /// Returns the complete answer, with the blocks to be sent back.
    ///
    /// Fails with [`Error::Truncated`] if the finish reason is a failure of the provider.
    pub(super) fn reply(self, raw: Value) -> Result<Reply, Error> {
        let partial = self.partial();
        let ids: Vec<String> = (0..self.calls.len()).map(|slot| self.call_id(slot)).collect();
        let calls = self.calls.into_iter().zip(ids);
        let calls = calls.filter(|(call, _)| self.output_tool.as_ref() != Some(&call.name));
        // A call without name and arguments is an artefact of the provider's numbering.
        let calls = calls.filter(|(call, _)| !(call.name.is_empty() && call.arguments.is_empty()));
        let tool_calls: Vec<ToolCall> = calls
            .map(|(call, id)| ToolCall {
                id,
                name: call.name,
                arguments: if call.arguments.trim().is_empty() { "{}".into() } else { call.arguments },
            })
            .collect();
        let finish = match finish(self.finish.as_deref().unwrap_or_default(), !tool_calls.is_empty()) {
            _ if self.refused => FinishReason::Filtered,
            Some(finish) => finish,
            None => return Err(Error::Truncated { partial }),
        };
        let (text, reasoning, usage) = (partial, self.reasoning, self.usage);
        let model = self.model;
        Ok(Reply { text, reasoning, tool_calls, finish, usage, model, raw, substitution: None, replayed: false })
    }
}

/// Returns whether a fragment without a known id or index continues the open call.
fn continues(open: &ToolCallSlot, index: Option<i64>, name: Option<&str>) -> bool {
    let Some(name) = name else { return true };
    let is_complete = serde_json::from_str::<Value>(&open.arguments).is_ok();
    let is_elsewhere = index.is_some() && open.index.is_some();
    open.name.is_empty() || (open.name == name && !is_complete && !is_elsewhere)
}

/// Parses the provider's finish reason; `None` for a failure of the provider.
fn finish(reason: &str, has_calls: bool) -> Option<FinishReason> {
    Some(match reason {
        "length" | "max_tokens" | "model_length" | "model_context_window_exceeded" => FinishReason::Length,
        "content_filter" | "sensitive" | "safety" | "SAFETY" | "refusal" => FinishReason::Filtered,
        "abort" | "error" | "network_error" | "insufficient_system_resource" => return None,
        _ if has_calls => FinishReason::ToolCalls,
        "" | "stop" | "STOP" | "end" | "end_turn" | "stop_sequence" | "eos" | "eos_token" | "tool_calls"
        | "function_call" | "tool_use" => FinishReason::Stop,
        other => FinishReason::Other(other.to_owned()),
    })
}
