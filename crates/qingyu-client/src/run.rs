//! Starting and following of a run on a server.

use std::time::{Duration, Instant};

use futures::StreamExt;
use qingyu_studio::operations::{ListRuns, ReadEvents, ReadRun, StartRequest, StartRun};
use qingyu_studio::{Error, Outcome, RunHandle, StudioEvent};
use reqwest::Method;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::client::Client;
use crate::connection::UNREACHABLE;
use crate::problem::ProblemDocument;

/// Delay before retrying an unreachable server.
const PAUSE: Duration = Duration::from_secs(1);
/// Timeout for an unreachable server.
const PATIENCE: Duration = Duration::from_secs(120);

impl Client {
    /// Starts a run on the server and follows the run. The handle's events resume after a temporary disconnect of the
    /// server; its token stops the run.
    pub async fn start(&self, start: StartRequest) -> Result<RunHandle, Error> {
        let after = self.already_told(&start).await?;
        let started = self.call(StartRun { start }).await?;
        let (tell, events) = mpsc::unbounded_channel();
        let (done, outcome) = oneshot::channel();
        let cancellation = CancellationToken::new();
        let follower = RunFollower {
            client: self.clone(),
            run: started.run.clone(),
            project: started.project.clone(),
            events: tell,
            after,
        };
        let token = cancellation.clone();
        tokio::spawn(async move {
            // The receiver may be dropped.
            let _ = done.send(follower.finish(&token).await);
        });
        Ok(RunHandle::new(started.run, started.project, events, outcome, cancellation))
    }

    /// Returns the number of the last event of a run to resume, so that earlier events are not repeated.
    async fn already_told(&self, start: &StartRequest) -> Result<u64, Error> {
        let run = match start {
            StartRequest::Resume(request) => match self.call(ReadRun { run: request.run.clone() }).await {
                Ok(outcome) => Some(outcome.run),
                // A project may be given instead of its newest run; unknown ids are rejected by the resume.
                Err(_) => self.newest_run(&request.run).await,
            },
            StartRequest::Tell(request) => self.newest_run(&request.project).await,
            _ => None,
        };
        let Some(run) = run else { return Ok(0) };
        let mut after = 0;
        while let Some(last) = self.call(ReadEvents { run: run.clone(), after }).await?.last() {
            after = last.seq;
        }
        Ok(after)
    }

    async fn newest_run(&self, project: &str) -> Option<String> {
        let newest = ListRuns { project: Some(project.to_owned()), open: false, after: None, limit: Some(1) };
        self.call(newest).await.ok()?.pop().map(|row| row.run)
    }
}

/// A follower of a run.
struct RunFollower {
    client: Client,
    run: String,
    project: String,
    events: UnboundedSender<StudioEvent>,
    /// The number of the last event sent.
    after: u64,
}

/// The end of a stream.
enum StreamEnd {
    /// The run's events are complete.
    Whole,
    /// The stream was disconnected.
    Cut,
}

impl RunFollower {
    /// Sends all events to the subscriber and returns the final outcome. The run is cancelled when `stop` is.
    async fn finish(mut self, stop: &CancellationToken) -> Outcome {
        let (client, run) = (self.client.clone(), self.run.clone());
        let stopping = async {
            stop.cancelled().await;
            // Retries while the server is unreachable.
            while client.stop(&run).await.is_err_and(|error| error.code() == UNREACHABLE) {
                tokio::time::sleep(PAUSE).await;
            }
            std::future::pending::<()>().await;
        };
        let ended = tokio::select! {
            ended = self.follow() => ended,
            () = stopping => return self.unknown(&Error::Internal { message: "the run was not followed".into() }),
        };
        let stands = match ended {
            Ok(()) => self.client.call(ReadRun { run: self.run.clone() }).await,
            Err(error) => Err(error),
        };
        stands.unwrap_or_else(|error| self.unknown(&error))
    }

    fn unknown(&self, error: &Error) -> Outcome {
        Outcome::unknown(self.run.clone(), self.project.clone(), error.failure())
    }

    /// Sends all events, resuming after disconnects.
    async fn follow(&mut self) -> Result<(), Error> {
        let mut away: Option<Instant> = None;
        loop {
            let before = self.after;
            let cut = match self.stream().await {
                Ok(StreamEnd::Whole) => return Ok(()),
                Ok(StreamEnd::Cut) => None,
                Err(error) if matches!(error.code(), UNREACHABLE | "stopping" | "overloaded") => Some(error),
                Err(error) => return Err(error),
            };
            if self.after > before || cut.is_none() {
                away = None;
            }
            let since = *away.get_or_insert_with(Instant::now);
            if let Some(error) = cut.filter(|_| since.elapsed() > PATIENCE) {
                return Err(error);
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn stream(&mut self) -> Result<StreamEnd, Error> {
        let connection = &self.client.connection;
        let request = connection.request(Method::GET, &format!("/runs/{}/events", self.run), &[]);
        let request = request.header("accept", "text/event-stream").header("last-event-id", self.after);
        let mut body = connection.send(request).await?.bytes_stream();
        let mut lines = RunStreamDecoder::default();
        while let Some(bytes) = body.next().await {
            let Ok(bytes) = bytes else { return Ok(StreamEnd::Cut) };
            for RunStreamEvent { id, kind, data } in lines.take(&bytes) {
                match kind.as_str() {
                    "end" => return Ok(StreamEnd::Whole),
                    "error" => {
                        let problem: ProblemDocument =
                            serde_json::from_str(&data).map_err(|error| connection.damaged(&error.to_string()))?;
                        return Err(Error::Remote(problem.failure()));
                    }
                    _ => {
                        let event: StudioEvent =
                            serde_json::from_str(&data).map_err(|error| connection.damaged(&error.to_string()))?;
                        self.after = id.unwrap_or(self.after);
                        // The receiver may be dropped.
                        let _ = self.events.send(event);
                    }
                }
            }
        }
        Ok(StreamEnd::Cut)
    }
}

/// An event of a stream, as sent.
#[derive(Debug, Default, PartialEq, Eq)]
struct RunStreamEvent {
    /// `None` for events not in the log.
    id: Option<u64>,
    /// Empty for an event of the run.
    kind: String,
    data: String,
}

/// A decoder assembling events from byte chunks of any size.
#[derive(Debug, Default)]
struct RunStreamDecoder {
    bytes: Vec<u8>,
    frame: RunStreamEvent,
}

impl RunStreamDecoder {
    /// Appends bytes and returns the completed events. Comments and events without data are skipped.
    fn take(&mut self, bytes: &[u8]) -> Vec<RunStreamEvent> {
        self.bytes.extend_from_slice(bytes);
        let mut whole = Vec::new();
        let mut begin = 0;
        while let Some(length) = self.bytes[begin..].iter().position(|byte| *byte == b'\n') {
            let line = String::from_utf8_lossy(&self.bytes[begin..begin + length]).into_owned();
            begin += length + 1;
            match line.trim_end_matches('\r').split_once(':') {
                None if line.trim().is_empty() => {
                    let frame = std::mem::take(&mut self.frame);
                    whole.extend((!frame.data.is_empty()).then_some(frame));
                }
                Some(("id", id)) => self.frame.id = id.trim().parse().ok(),
                Some(("event", kind)) => kind.trim().clone_into(&mut self.frame.kind),
                Some(("data", data)) => {
                    if !self.frame.data.is_empty() {
                        self.frame.data.push('\n');
                    }
                    self.frame.data.push_str(data.strip_prefix(' ').unwrap_or(data));
                }
                _ => {}
            }
        }
        self.bytes.drain(..begin);
        whole
    }
}

/// Parses the event stream of a run arriving in `pieces`: returns number, kind and data of each event.
#[cfg(any(test, feature = "testing"))]
pub fn run_events(pieces: &[&[u8]]) -> Vec<(Option<u64>, String, String)> {
    let mut frames = RunStreamDecoder::default();
    let told = pieces.iter().flat_map(|piece| frames.take(piece));
    told.map(|RunStreamEvent { id, kind, data }| (id, kind, data)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_in_pieces_of_any_size() {
        let sent = "retry: 1000\n\n: still there\n\nid: 7\ndata: {\"灯\":1}\n\nevent: end\ndata: {}\n\n".as_bytes();
        for size in 1..=sent.len() {
            let mut frames = RunStreamDecoder::default();
            let told: Vec<_> = sent.chunks(size).flat_map(|piece| frames.take(piece)).collect();
            let of = |id, kind: &str, data: &str| RunStreamEvent { id, kind: kind.into(), data: data.into() };
            assert_eq!(told, [of(Some(7), "", "{\"灯\":1}"), of(None, "end", "{}")], "in pieces of {size}");
        }
    }
}
