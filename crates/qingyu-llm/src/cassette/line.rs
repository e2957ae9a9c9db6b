//! The lines of a cassette, and the key of a call.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::event::Reply;
use crate::request::ChatRequest;

/// Format version of a call line.
pub(super) const CALL_VERSION: u32 = 1;

/// Format version of headers and marks.
pub const FORMAT: u32 = 2;

/// The start of a session, with the data needed to rerun it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionHeader {
    /// The run id.
    pub run: String,
    /// The project id.
    pub project: String,
    /// Kind of run, such as `create`.
    pub kind: String,
    /// Whether the start of the run was not recorded.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// Prompt hashes by file.
    pub prompts: BTreeMap<String, String>,
    /// The run's request, in the format of the recording caller.
    pub request: Value,
}

/// An entry between the calls of a session.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CassetteMark {
    /// Kind of mark, such as `answer`, `resumed` or `end`.
    pub kind: String,
    /// Payload of the mark.
    pub body: Value,
}

/// A recorded call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordedCall {
    /// The [`key`] of the request.
    pub key: String,
    /// The request.
    pub request: ChatRequest,
    /// The reply.
    pub reply: Reply,
    /// The error that interrupted the reply, if any; `reply` then holds the received part, with an empty text if the
    /// reply was empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
}

impl RecordedCall {
    /// Returns the error of a failed reply.
    pub(crate) fn failure(&self) -> Option<Error> {
        self.broken.as_ref()?;
        Some(match self.reply.is_empty() {
            true => Error::empty(&self.reply, &self.request.purpose),
            false => Error::Truncated { partial: self.reply.text.clone() },
        })
    }
}

/// A line of the file. Exactly one field besides the version is present.
#[derive(Serialize, Deserialize)]
pub(super) struct CassetteLine {
    pub(super) version: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) header: Option<SessionHeader>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) mark: Option<CassetteMark>,
    #[serde(default, skip_serializing_if = "Option::is_none", flatten)]
    pub(super) call: Option<RecordedCall>,
}

impl From<SessionHeader> for CassetteLine {
    fn from(header: SessionHeader) -> Self {
        Self { version: FORMAT, header: Some(header), mark: None, call: None }
    }
}

impl From<CassetteMark> for CassetteLine {
    fn from(mark: CassetteMark) -> Self {
        Self { version: FORMAT, header: None, mark: Some(mark), call: None }
    }
}

impl From<RecordedCall> for CassetteLine {
    fn from(call: RecordedCall) -> Self {
        Self { version: CALL_VERSION, header: None, mark: None, call: Some(call) }
    }
}

/// Returns the key of `request`: a hash of every part a provider would receive.
pub fn key(request: &ChatRequest) -> String {
    let digest = Sha256::digest(sorted(as_sent(request)).to_string());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(super) fn as_sent(request: &ChatRequest) -> Value {
    let request = ChatRequest { context: Value::Null, call: String::new(), ..request.clone() };
    serde_json::to_value(request).expect("a request is plain data")
}

fn sorted(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let mut entries: Vec<(String, Value)> =
                object.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            entries.sort_by(|left, right| left.0.cmp(&right.0));
            Value::Object(entries.into_iter().collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        other => other,
    }
}
