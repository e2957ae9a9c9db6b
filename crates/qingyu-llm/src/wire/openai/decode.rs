//! Parses the chunks of an answer.

use serde_json::{Map, Value, json};

use super::super::assemble::{Assembler, ToolPiece};
use super::super::report::{self, ErrorReport};
use super::super::sse::SseFrame;
use super::super::stream;
use super::super::think::{ThinkSplitter, split_unopened};
use crate::{ChatEvent, Error, Reply, Usage};

/// Parsed fields of a call; other fields are the provider's own and are sent back with the call.
const CALL_FIELDS: [&str; 4] = ["id", "index", "type", "function"];

/// Assembles the chunks of an answer.
pub(super) struct CompletionsDecoder {
    model: String,
    provider: String,
    assembler: Assembler,
    splitter: ThinkSplitter,
    /// The content including thinking tags.
    content: String,
    /// The provider's own fields of the message, to be sent back.
    fields: Map<String, Value>,
    /// The provider's own fields of the calls, by slot.
    call_fields: Vec<(usize, String, Value)>,
    done: bool,
}

impl CompletionsDecoder {
    pub(super) fn new(model: &str, provider: &str, output_tool: Option<String>) -> Self {
        Self {
            model: model.into(),
            provider: provider.into(),
            assembler: Assembler::new(model, output_tool),
            splitter: ThinkSplitter::new(),
            content: String::new(),
            fields: Map::new(),
            call_fields: Vec::new(),
            done: false,
        }
    }

    fn chunk(&mut self, chunk: &Value, events: &mut Vec<ChatEvent>) -> Result<(), Error> {
        if let Some(report) = report::find(chunk) {
            return Err(report.into_error(&self.model));
        }
        for choice in chunk["choices"].as_array().into_iter().flatten() {
            // Only a single answer is requested; of several, the first is used.
            if choice["index"].as_u64().unwrap_or(0) != 0 {
                continue;
            }
            let delta = if choice["delta"].is_object() { &choice["delta"] } else { &choice["message"] };
            self.delta(delta, events);
            self.assembler.finish(choice["finish_reason"].as_str().unwrap_or_default());
            self.usage(&choice["usage"], events);
        }
        self.usage(&chunk["usage"], events);
        self.usage(&chunk["x_groq"]["usage"], events);
        Ok(())
    }

    fn delta(&mut self, delta: &Value, events: &mut Vec<ChatEvent>) {
        self.reasoning(delta, events);
        match &delta["content"] {
            Value::String(text) => self.content(text, events),
            Value::Array(parts) => {
                for part in parts {
                    self.content(part["text"].as_str().unwrap_or_default(), events);
                }
            }
            _ => {}
        }
        if let Some(refusal) = delta["refusal"].as_str().filter(|text| !text.is_empty()) {
            self.assembler.refuse();
            self.assembler.text(refusal.to_owned(), events);
        }
        for call in delta["tool_calls"].as_array().into_iter().flatten() {
            self.tool_call(call, events);
        }
    }

    /// Handles thinking in either of two fields, or in both with the same text.
    fn reasoning(&mut self, delta: &Value, events: &mut Vec<ChatEvent>) {
        let pieces = ["reasoning_content", "reasoning"].map(|field| (field, delta[field].as_str().unwrap_or_default()));
        if let Some((field, piece)) = pieces.into_iter().find(|(_, piece)| !piece.is_empty()) {
            self.assembler.reasoning(piece.to_owned(), events);
            if let Value::String(kept) = self.fields.entry(field).or_insert_with(|| "".into()) {
                kept.push_str(piece);
            }
        }
        if let Some(details) = delta["reasoning_details"].as_array()
            && let Value::Array(kept) = self.fields.entry("reasoning_details").or_insert_with(|| json!([]))
        {
            kept.extend(details.iter().cloned());
        }
    }

    fn content(&mut self, text: &str, events: &mut Vec<ChatEvent>) {
        self.content.push_str(text);
        let parts = self.splitter.push(text);
        self.assembler.parts(parts, events);
    }

    fn tool_call(&mut self, call: &Value, events: &mut Vec<ChatEvent>) {
        let function = &call["function"];
        let text = |value: &Value| value.as_str().map(Into::into);
        let slot = self.assembler.tool(
            ToolPiece {
                id: text(&call["id"]),
                index: call["index"].as_i64(),
                name: text(&function["name"]),
                arguments: match &function["arguments"] {
                    Value::String(arguments) => arguments.clone(),
                    Value::Null => String::new(),
                    arguments => arguments.to_string(),
                },
            },
            events,
        );
        for (field, value) in call.as_object().into_iter().flatten() {
            if !CALL_FIELDS.contains(&field.as_str()) && !value.is_null() {
                self.call_fields.push((slot, field.clone(), value.clone()));
            }
        }
    }

    fn usage(&mut self, usage: &Value, events: &mut Vec<ChatEvent>) {
        let count = |value: &Value| value.as_u64().unwrap_or(0);
        let details = count(&usage["prompt_tokens_details"]["cached_tokens"]);
        let cached = details.max(count(&usage["prompt_cache_hit_tokens"])).max(count(&usage["cached_tokens"]));
        let (input, output) = (count(&usage["prompt_tokens"]), count(&usage["completion_tokens"]));
        // OpenRouter, for models with cache-write pricing.
        let written = count(&usage["prompt_tokens_details"]["cache_write_tokens"]);
        self.assembler.usage(Usage { input, cached, written, output, estimated: false }, events);
    }

    /// Returns the fields to be sent back to the provider in a round of tool calls.
    fn raw(&mut self) -> Value {
        let mut raw = Map::new();
        if self.splitter.found {
            self.fields.insert("content".into(), std::mem::take(&mut self.content).into());
        }
        if !self.fields.is_empty() {
            raw.insert("message".into(), std::mem::take(&mut self.fields).into());
        }
        let mut calls = Map::new();
        for (slot, field, value) in self.call_fields.drain(..) {
            calls.entry(self.assembler.call_id(slot)).or_insert_with(|| json!({}))[field] = value;
        }
        if !calls.is_empty() {
            raw.insert("calls".into(), calls.into());
        }
        if raw.is_empty() {
            return Value::Null;
        }
        raw.insert("provider".into(), self.provider.as_str().into());
        raw.into()
    }
}

impl stream::WireDecoder for CompletionsDecoder {
    fn frame(&mut self, frame: &SseFrame, events: &mut Vec<ChatEvent>) -> Result<(), Error> {
        let (data, done) = frame.split_mark();
        for chunk in serde_json::Deserializer::from_str(data).into_iter::<Value>() {
            let Ok(chunk) = chunk else {
                return Err(ErrorReport::of_text(&format!("an event is not JSON: {data}")).into_error(&self.model));
            };
            if frame.event == "error" {
                let report = report::find(&chunk).unwrap_or_else(|| ErrorReport::of_text(data));
                return Err(report.into_error(&self.model));
            }
            self.chunk(&chunk, events)?;
        }
        self.done |= done;
        Ok(())
    }

    fn document(&mut self, document: &Value, events: &mut Vec<ChatEvent>) -> Result<(), Error> {
        self.chunk(document, events)?;
        self.done |= document["choices"].as_array().is_some_and(|choices| !choices.is_empty());
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.done
    }

    fn is_whole(&self) -> bool {
        self.done || self.assembler.is_finished()
    }

    fn partial(&self) -> String {
        self.assembler.partial()
    }

    fn reply(&mut self, events: &mut Vec<ChatEvent>) -> Result<Reply, Error> {
        let held = self.splitter.finish();
        self.assembler.parts(held, events);
        let raw = self.raw();
        let empty = Assembler::new(&self.model, None);
        let mut reply = std::mem::replace(&mut self.assembler, empty).reply(raw)?;
        if !self.splitter.found
            && let Some((thinking, text)) = split_unopened(&reply.text)
        {
            (reply.reasoning, reply.text) = (thinking.to_owned(), text.to_owned());
        }
        Ok(reply)
    }
}
