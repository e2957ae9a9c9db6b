//! Parses the events of an answer.

use serde_json::{Value, json};

use super::super::assemble::{Assembler, ToolPiece};
use super::super::report::{self, ErrorReport};
use super::super::sse::SseFrame;
use super::super::stream;
use super::super::think::{ThinkSplitter, split_unopened};
use crate::{ChatEvent, Error, FinishReason, Reply, Usage};

/// Assembles the events of an answer.
pub(super) struct MessagesDecoder {
    model: String,
    provider: String,
    assembler: Assembler,
    /// Separates thinking in text blocks; the blocks keep the thinking.
    splitter: ThinkSplitter,
    blocks: Vec<ContentBlock>,
    stopped: bool,
}

/// An unfinished content block.
struct ContentBlock {
    index: Option<u64>,
    /// The block to be sent back; the input of a tool call is inserted at the end.
    value: Value,
    input: String,
}

impl MessagesDecoder {
    pub(super) fn new(model: &str, provider: &str, output_tool: Option<String>) -> Self {
        let assembler = Assembler::new(model, output_tool);
        Self {
            model: model.into(),
            provider: provider.into(),
            assembler,
            splitter: ThinkSplitter::new(),
            blocks: Vec::new(),
            stopped: false,
        }
    }

    fn event(&mut self, event: &Value, events: &mut Vec<ChatEvent>) -> Result<(), Error> {
        match event["type"].as_str().unwrap_or_default() {
            "message_start" => self.usage(&event["message"]["usage"], events),
            "content_block_start" => self.begin(event["index"].as_u64(), &event["content_block"], events)?,
            "content_block_delta" => self.delta(event["index"].as_u64(), &event["delta"], events),
            "message_delta" => {
                self.assembler.finish(event["delta"]["stop_reason"].as_str().unwrap_or_default());
                self.usage(&event["usage"], events);
            }
            "message_stop" => self.stopped = true,
            _ => {
                if let Some(report) = report::find(event) {
                    return Err(report.into_error(&self.model));
                }
            }
        }
        Ok(())
    }

    fn begin(&mut self, index: Option<u64>, block: &Value, events: &mut Vec<ChatEvent>) -> Result<(), Error> {
        let mut value = match block {
            Value::Object(_) => block.clone(),
            Value::Null => json!({}),
            _ => return Err(ErrorReport::of_text(&format!("a block is no object: {block}")).into_error(&self.model)),
        };
        let mut input = String::new();
        match block["type"].as_str() {
            Some("text") => self.text(&owned(&block["text"]), events),
            Some("thinking") => self.assembler.reasoning(owned(&block["thinking"]), events),
            Some("tool_use") => {
                // The input is empty here and follows in deltas, except in answers without streaming.
                if block["input"].as_object().is_some_and(|input| !input.is_empty()) {
                    input = block["input"].to_string();
                }
                value["input"] = Value::Null;
                let (id, name) = (Some(owned(&block["id"])), Some(owned(&block["name"])));
                self.tool(ToolPiece { id, index: signed(index), name, arguments: input.clone() }, events);
            }
            _ => {}
        }
        self.blocks.push(ContentBlock { index, value, input });
        Ok(())
    }

    fn delta(&mut self, index: Option<u64>, delta: &Value, events: &mut Vec<ChatEvent>) {
        let Some(block) = self.blocks.iter_mut().rfind(|block| block.index == index) else { return };
        match delta["type"].as_str() {
            Some("text_delta") => {
                let piece = owned(&delta["text"]);
                append(&mut block.value, "text", &piece);
                self.text(&piece, events);
            }
            Some("thinking_delta") => {
                let piece = owned(&delta["thinking"]);
                append(&mut block.value, "thinking", &piece);
                self.assembler.reasoning(piece, events);
            }
            Some("signature_delta") => append(&mut block.value, "signature", &owned(&delta["signature"])),
            Some("input_json_delta") => {
                let arguments = owned(&delta["partial_json"]);
                block.input.push_str(&arguments);
                let id = Some(owned(&block.value["id"]));
                self.tool(ToolPiece { id, index: signed(index), name: None, arguments }, events);
            }
            _ => {}
        }
    }

    fn text(&mut self, piece: &str, events: &mut Vec<ChatEvent>) {
        let parts = self.splitter.push(piece);
        self.assembler.parts(parts, events);
    }

    fn tool(&mut self, piece: ToolPiece, events: &mut Vec<ChatEvent>) {
        self.assembler.tool(piece, events);
    }

    /// Later counts cover the whole answer, and repeat only some of the fields.
    fn usage(&mut self, usage: &Value, events: &mut Vec<ChatEvent>) {
        let count = |field: &str| usage[field].as_u64();
        let mut total = self.assembler.current_usage();
        if let Some(fresh) = count("input_tokens").filter(|fresh| *fresh > 0) {
            total.cached = count("cache_read_input_tokens").unwrap_or(0);
            total.written = count("cache_creation_input_tokens").unwrap_or(0);
            total.input = fresh + total.cached + total.written;
        }
        total.output = count("output_tokens").unwrap_or(total.output);
        self.assembler.usage(Usage { estimated: false, ..total }, events);
    }

    /// Returns the blocks as received, for the next round.
    ///
    /// Thinking truncated before its signature would be refused.
    fn raw(&mut self, finish: &FinishReason) -> Value {
        let blocks = std::mem::take(&mut self.blocks).into_iter().map(|mut block| {
            if block.value["type"] == "tool_use" {
                let input = serde_json::from_str(&block.input).ok().filter(Value::is_object);
                block.value["input"] = input.unwrap_or_else(|| json!({}));
            }
            block.value
        });
        let is_empty = |block: &Value| block["type"] == "text" && block["text"] == "";
        let is_cut = |block: &Value| {
            let unsigned = block["signature"].as_str().unwrap_or_default().is_empty();
            *finish == FinishReason::Length && block["type"] == "thinking" && unsigned
        };
        let blocks: Vec<Value> = blocks.filter(|block| !is_empty(block) && !is_cut(block)).collect();
        // Plain text needs no blocks.
        if blocks.iter().all(|block| block["type"] == "text") {
            return Value::Null;
        }
        let model = self.model.split_once('/').map_or(self.model.as_str(), |(_, model)| model);
        json!({ "provider": self.provider, "model": model, "blocks": blocks })
    }
}

impl stream::WireDecoder for MessagesDecoder {
    fn frame(&mut self, frame: &SseFrame, events: &mut Vec<ChatEvent>) -> Result<(), Error> {
        let (data, _) = frame.split_mark();
        for event in serde_json::Deserializer::from_str(data).into_iter::<Value>() {
            let Ok(event) = event else {
                return Err(ErrorReport::of_text(&format!("an event is not JSON: {data}")).into_error(&self.model));
            };
            self.event(&event, events)?;
        }
        Ok(())
    }

    fn document(&mut self, document: &Value, events: &mut Vec<ChatEvent>) -> Result<(), Error> {
        for (index, block) in document["content"].as_array().into_iter().flatten().enumerate() {
            self.begin(Some(index as u64), block, events)?;
        }
        self.assembler.finish(document["stop_reason"].as_str().unwrap_or_default());
        self.usage(&document["usage"], events);
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.stopped
    }

    fn is_whole(&self) -> bool {
        self.stopped || self.assembler.is_finished()
    }

    fn partial(&self) -> String {
        self.assembler.partial()
    }

    fn reply(&mut self, events: &mut Vec<ChatEvent>) -> Result<Reply, Error> {
        let held = self.splitter.finish();
        self.assembler.parts(held, events);
        let empty = Assembler::new(&self.model, None);
        let by_tool = self.assembler.answered_by_tool();
        let mut reply = std::mem::replace(&mut self.assembler, empty).reply(Value::Null)?;
        if !self.splitter.found
            && !by_tool
            && let Some((thinking, text)) = split_unopened(&reply.text)
        {
            (reply.reasoning, reply.text) = (thinking.to_owned(), text.to_owned());
        }
        // An answer given as a forced call is not sent back as a call, because no result follows.
        if !by_tool {
            reply.raw = self.raw(&reply.finish);
        }
        Ok(reply)
    }
}

fn owned(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn signed(index: Option<u64>) -> Option<i64> {
    index.and_then(|index| i64::try_from(index).ok())
}

fn append(block: &mut Value, field: &str, piece: &str) {
    match &mut block[field] {
        Value::String(text) => text.push_str(piece),
        other => *other = piece.into(),
    }
}
