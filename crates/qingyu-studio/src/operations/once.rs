//! Idempotent requests: executed once however often they are sent.

use std::pin::pin;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use qingyu_graph::workers::off_workers;
use qingyu_store::{Idempotency, RequestStart, RequestTicket, Run};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::projects::{BeginProject, FindProject};
use super::texts::ImportManuscript;
use crate::error::Error;
use crate::operations::operation::{OperationDescription, StudioOperation};
use crate::operations::runs::{START, started};
use crate::studio::Studio;

/// The interval of heartbeats of a request's worker.
const HEARTBEAT: Duration = Duration::from_secs(3);
/// The status of a stored answer.
const DONE: u16 = 200;
/// The status of an interrupted request: changes were made but there is no answer.
const INTERRUPTED: u16 = 409;

/// The result of a request with an idempotency key.
#[derive(Debug, Clone, PartialEq)]
pub enum IdempotentOutcome {
    /// The request has an answer.
    Answered {
        /// The answer.
        answer: Value,
        /// Whether the answer is a stored answer of an earlier call.
        is_again: bool,
    },
    /// The same request is being executed.
    AtWork,
    /// The key was used for a different request.
    OtherRequest,
}

fn interrupted(answer: &Value) -> Error {
    Error::RequestInterrupted { project: answer.as_str().unwrap_or_default().to_owned() }
}

/// Returns a hash of the request, independent of the order of fields.
fn digest(names: &[&str], asked: &Value) -> String {
    let mut hash = Sha256::new();
    names.iter().for_each(|name| add(&mut hash, &Value::from(*name)));
    add(&mut hash, asked);
    URL_SAFE_NO_PAD.encode(hash.finalize())
}

fn add(hash: &mut Sha256, value: &Value) {
    match value {
        Value::Object(fields) => {
            let mut names: Vec<&String> = fields.keys().collect();
            names.sort_unstable();
            hash.update([b'{']);
            for name in names {
                hash.update(Value::from(name.as_str()).to_string());
                add(hash, &fields[name]);
            }
            hash.update([b'}']);
        }
        Value::Array(values) => {
            hash.update([b'[']);
            values.iter().for_each(|value| add(hash, value));
            hash.update([b']']);
        }
        plain => {
            hash.update(plain.to_string());
            hash.update([b',']);
        }
    }
}

impl Studio {
    /// Executes a request, or returns the stored answer of the same `key` from the last 24 hours. Of concurrent
    /// duplicates a single one is executed. A failure without changes is not stored: the caller may retry with the same
    /// key.
    ///
    /// The guarantee holds even if the worker dies. A new run is stored in one transaction with its answer; other
    /// changes are stored with a note of the changed project. A retry returns the project if it is the answer, and
    /// otherwise [`Error::RequestInterrupted`].
    ///
    /// The work continues if the caller stops waiting.
    pub async fn call_once(
        &self,
        described: OperationDescription,
        asked: Value,
        key: &str,
    ) -> Result<IdempotentOutcome, Error> {
        let requests = Idempotency::new(self.database());
        // An answer for one key must not leak to another key with fewer rights.
        let request = digest(&[described.name, self.scope().key().unwrap_or_default()], &asked);
        let failed = |error| self.place(key).store(error);
        let begun = requests.begin(self.scope().user(), key, &request, Timestamp::now()).await.map_err(failed)?;
        let ticket = match begun {
            RequestStart::Fresh(ticket) => ticket,
            RequestStart::Running => return Ok(IdempotentOutcome::AtWork),
            RequestStart::OtherRequest => return Ok(IdempotentOutcome::OtherRequest),
            RequestStart::Done { status: INTERRUPTED, answer } => return Err(interrupted(&answer)),
            RequestStart::Done { answer, .. } => return Ok(IdempotentOutcome::Answered { answer, is_again: true }),
            RequestStart::Interrupted { ticket, made } => {
                return self.answer_for(&requests, &ticket, described, asked, made).await;
            }
        };
        let studio = self.under(ticket.clone(), described);
        let work =
            tokio::spawn(off_workers(async move { studio.work_under(&requests, &ticket, described, asked).await }));
        work.await.map_err(|error| Error::Internal { message: error.to_string() })?
    }

    /// Returns an answer for a request executed partly or fully by a dead worker.
    async fn answer_for(
        &self,
        requests: &Idempotency,
        ticket: &RequestTicket,
        described: OperationDescription,
        mut asked: Value,
        made: String,
    ) -> Result<IdempotentOutcome, Error> {
        let again = match described.name {
            // The only change is the new project.
            BeginProject::NAME => Some((OperationDescription::of::<FindProject>(), json!({"project": made}))),
            // A repeated import into the same project changes nothing.
            ImportManuscript::NAME => {
                asked["request"]["project"] = json!(made);
                Some((described, asked))
            }
            _ => None,
        };
        let (status, answer) = match again {
            Some((described, asked)) => (DONE, described.call(self.clone(), asked).await?),
            None => (INTERRUPTED, json!(made)),
        };
        let kept = requests.finish(ticket, status, &answer).await;
        kept.map_err(|error| self.place("").store(error))?;
        match status {
            INTERRUPTED => Err(interrupted(&answer)),
            _ => Ok(IdempotentOutcome::Answered { answer, is_again: true }),
        }
    }

    async fn work_under(
        self,
        requests: &Idempotency,
        ticket: &RequestTicket,
        described: OperationDescription,
        asked: Value,
    ) -> Result<IdempotentOutcome, Error> {
        let mut work = pin!(described.call(self, asked));
        let done = loop {
            tokio::select! {
                done = &mut work => break done,
                () = tokio::time::sleep(HEARTBEAT) => {
                    if let Err(error) = requests.keep(ticket, Timestamp::now()).await {
                        tracing::warn!(%error, "failed to send the heartbeat of a request");
                    }
                }
            }
        };
        let kept = match &done {
            Ok(answer) => requests.finish(ticket, DONE, answer).await,
            Err(_) => requests.release(ticket).await,
        };
        if let Err(error) = kept {
            // The work is done anyway; a retry within a minute gets the response that the request is at work.
            tracing::warn!(%error, "failed to store the answer to a request");
        }
        done.map(|answer| IdempotentOutcome::Answered { answer, is_again: false })
    }
}

impl Studio {
    /// Returns the studio with the ticket of an idempotent request. The start of a run stores its answer in the same
    /// transaction; other changes store a note of the changed project.
    fn under(&self, ticket: RequestTicket, described: OperationDescription) -> Self {
        let answer: fn(&Run) -> Value = started;
        self.with_ticket(ticket, (described.name == START).then_some(answer))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_request_is_known_by_what_it_asks() {
        let first = digest(&["start_run"], &json!({"a": 1, "b": ["x", {"c": null, "d": true}]}));
        assert_eq!(first, digest(&["start_run"], &json!({"b": ["x", {"d": true, "c": null}], "a": 1})));
        for other in [
            digest(&["cancel_run"], &json!({"a": 1, "b": ["x", {"c": null, "d": true}]})),
            digest(&["start_run"], &json!({"a": 1, "b": ["x", {"c": null, "d": false}]})),
            digest(&["start_run"], &json!({"a": 1, "b": ["x"]})),
            digest(&["start_run"], &json!({"a": "1", "b": ["x", {"c": null, "d": true}]})),
        ] {
            assert_ne!(first, other);
        }
    }
}
