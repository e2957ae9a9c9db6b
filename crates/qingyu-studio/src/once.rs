//! Requests that are carried out once however often they are sent.

use std::pin::pin;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use qingyu_store::{Begun, Idempotency, Ticket};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::operations::{self, Described, Operation};
use crate::workers::off_workers;
use crate::{Error, Studio};

/// How often whoever works on a request says so.
const HEARTBEAT: Duration = Duration::from_secs(3);
/// The status under which an answer is kept.
const DONE: u16 = 200;
/// The status under which it is kept that there is no answer, though something was done.
const INTERRUPTED: u16 = 409;

/// What came of a request that named a key.
#[derive(Debug, Clone, PartialEq)]
pub enum Once {
    /// The answer.
    Answered {
        /// As it was given.
        answer: Value,
        /// Whether it was given before, and nothing was done now.
        is_again: bool,
    },
    /// The same request is being carried out.
    AtWork,
    /// The key was used for another request.
    OtherRequest,
}

impl Studio {
    /// Does what is asked unless that was done under `key` in the last 24 hours; then its answer is given again. Of several at
    /// once, one does it. A failure that has changed nothing is not kept: it may be asked for again under the same key.
    ///
    /// That holds even if who does it dies. A run and the answer are kept together; other changes are kept with word of what they
    /// changed. Who asks again is told of the project if that is the answer, and else [`Error::RequestInterrupted`].
    ///
    /// The work goes on if nobody waits for it any more.
    pub async fn call_once(&self, described: Described, asked: Value, key: &str) -> Result<Once, Error> {
        let requests = Idempotency::new(self.database());
        // What one key was answered is not told to another that may see less.
        let request = digest(&[described.name, self.scope().key().unwrap_or_default()], &asked);
        let failed = |error| self.place(key).store(error);
        let begun = requests.begin(self.scope().user(), key, &request, Timestamp::now()).await.map_err(failed)?;
        let ticket = match begun {
            Begun::Fresh(ticket) => ticket,
            Begun::Running => return Ok(Once::AtWork),
            Begun::OtherRequest => return Ok(Once::OtherRequest),
            Begun::Done { status: INTERRUPTED, answer } => return Err(interrupted(&answer)),
            Begun::Done { answer, .. } => return Ok(Once::Answered { answer, is_again: true }),
            Begun::Interrupted { ticket, made } => {
                return self.answer_for(&requests, &ticket, described, asked, made).await;
            }
        };
        let studio = self.under(ticket.clone(), described);
        let work =
            tokio::spawn(off_workers(async move { studio.work_under(&requests, &ticket, described, asked).await }));
        work.await.map_err(|error| Error::Internal { message: error.to_string() })?
    }

    /// Answers a request that somebody else has carried out, in full or in part, and could not answer.
    async fn answer_for(
        &self,
        requests: &Idempotency,
        ticket: &Ticket,
        described: Described,
        mut asked: Value,
        made: String,
    ) -> Result<Once, Error> {
        let again = match described.name {
            // It does nothing but make the project.
            operations::BeginProject::NAME => {
                Some((Described::of::<operations::FindProject>(), json!({"project": made})))
            }
            // What is brought into the same project again changes nothing there.
            operations::ImportManuscript::NAME => {
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
            _ => Ok(Once::Answered { answer, is_again: true }),
        }
    }

    async fn work_under(
        self,
        requests: &Idempotency,
        ticket: &Ticket,
        described: Described,
        asked: Value,
    ) -> Result<Once, Error> {
        let mut work = pin!(described.call(self, asked));
        let done = loop {
            tokio::select! {
                done = &mut work => break done,
                () = tokio::time::sleep(HEARTBEAT) => {
                    if let Err(error) = requests.keep(ticket, Timestamp::now()).await {
                        tracing::warn!(%error, "a request that is worked on could not say so");
                    }
                }
            }
        };
        let kept = match &done {
            Ok(answer) => requests.finish(ticket, DONE, answer).await,
            Err(_) => requests.release(ticket).await,
        };
        if let Err(error) = kept {
            // It is done all the same; whoever asks again within a minute is told to wait.
            tracing::warn!(%error, "the answer to a request could not be kept");
        }
        done.map(|answer| Once::Answered { answer, is_again: false })
    }
}

fn interrupted(answer: &Value) -> Error {
    Error::RequestInterrupted { project: answer.as_str().unwrap_or_default().to_owned() }
}

/// The same for the same request, whatever the order of its fields.
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
