//! Recorded model calls: JSON lines that say what was asked, what was answered, and how the run began and ended.
//!
//! A cassette holds one or more sessions. A session begins with a [`Header`] that says how to run it again; then come its
//! calls in the order in which they were answered, and [`Mark`]s, such as the answer of a person or the end. Sessions of
//! several runs in one file (`cat create.jsonl write.jsonl`) are played one after the other. Lines before any header are a
//! session without one.
//!
//! The key of a call is a hash of the request without its typed context, which is never sent, and without the name of the
//! call in its run; keys of objects are sorted, so it does not depend on how a build orders them. Only calls that were
//! answered are recorded, at least in part. A last line that a crash cut short is dropped, when reading and before appending.
//!
//! - [`Recorder`]: writes a cassette
//! - [`Cassette`], [`Session`], [`Recording`]: reads one, and plays its calls
//! - [`differences`]: where two values part

mod difference;
mod record;
mod recording;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::{Error, Reply, Request};

pub use difference::{Difference, differences};
pub use record::Recorder;
pub use recording::{Cassette, LARGEST, Recording, Session, text_of};

/// The form of a call's line.
const CALL_VERSION: u32 = 1;

/// The form of headers and marks.
pub const FORMAT: u32 = 2;

/// How a session began: what is needed to run it again.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Header {
    /// The run.
    pub run: String,
    /// Its project.
    pub project: String,
    /// What kind of run, such as `create`.
    pub kind: String,
    /// Whether the beginning of the run was not recorded.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// Hashes of the prompts, by file.
    pub prompts: BTreeMap<String, String>,
    /// What was asked for, in the terms of whoever recorded it.
    pub request: Value,
}

/// Something between the calls of a session.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Mark {
    /// What kind, such as `answer`, `resumed` or `end`.
    pub kind: String,
    /// What there is to say about it.
    pub body: Value,
}

/// One recorded call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordedCall {
    /// The [`key`] of the request.
    pub key: String,
    /// What was asked.
    pub request: Request,
    /// What was answered.
    pub reply: Reply,
    /// What broke the answer off, if something did; then `reply` holds what had arrived, which is no text if the answer was
    /// empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
}

impl RecordedCall {
    /// How the answer failed, if it did.
    pub(crate) fn failure(&self) -> Option<Error> {
        self.broken.as_ref()?;
        Some(match self.reply.is_empty() {
            true => Error::empty(&self.reply, &self.request.purpose),
            false => Error::Truncated { partial: self.reply.text.clone() },
        })
    }
}

/// A line of the file. Exactly one of the fields but the version is there.
#[derive(Serialize, Deserialize)]
struct Line {
    version: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    header: Option<Header>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mark: Option<Mark>,
    #[serde(default, skip_serializing_if = "Option::is_none", flatten)]
    call: Option<RecordedCall>,
}

impl From<Header> for Line {
    fn from(header: Header) -> Self {
        Self { version: FORMAT, header: Some(header), mark: None, call: None }
    }
}

impl From<Mark> for Line {
    fn from(mark: Mark) -> Self {
        Self { version: FORMAT, header: None, mark: Some(mark), call: None }
    }
}

impl From<RecordedCall> for Line {
    fn from(call: RecordedCall) -> Self {
        Self { version: CALL_VERSION, header: None, mark: None, call: Some(call) }
    }
}

/// The key of `request`: a hash of everything a provider would see.
pub fn key(request: &Request) -> String {
    let digest = Sha256::digest(sorted(as_sent(request)).to_string());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn as_sent(request: &Request) -> Value {
    let request = Request { context: Value::Null, call: String::new(), ..request.clone() };
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
