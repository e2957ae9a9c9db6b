//! A run that works on a server, followed from here.

use std::time::{Duration, Instant};

use futures::StreamExt;
use qingyu_studio::operations::ReadRun;
use qingyu_studio::{Error, Outcome, StudioEvent};
use reqwest::Method;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

use super::Client;
use super::connection::UNREACHABLE;
use crate::ProblemDocument;

/// How long it is until a server that went away is asked again.
const PAUSE: Duration = Duration::from_secs(1);
/// How long a server may be away.
const PATIENCE: Duration = Duration::from_secs(120);

/// Who follows a run.
pub(super) struct Follower {
    pub(super) client: Client,
    pub(super) run: String,
    pub(super) project: String,
    pub(super) events: UnboundedSender<StudioEvent>,
    /// The number of the last event that was told.
    pub(super) after: u64,
}

/// How a stream ended.
enum End {
    /// Nothing more will come.
    Whole,
    /// It was cut off.
    Cut,
}

impl Follower {
    /// Tells the events to the end, and gives how the run stands then. The run is stopped when `stop` says so.
    pub(super) async fn finish(mut self, stop: &CancellationToken) -> Outcome {
        let (client, run) = (self.client.clone(), self.run.clone());
        let stopping = async {
            stop.cancelled().await;
            // A server that is away for a while is told when it is back.
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

    /// Tells the events to the end, beginning again where it was cut off.
    async fn follow(&mut self) -> Result<(), Error> {
        let mut away: Option<Instant> = None;
        loop {
            let before = self.after;
            let cut = match self.stream().await {
                Ok(End::Whole) => return Ok(()),
                Ok(End::Cut) => None,
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

    async fn stream(&mut self) -> Result<End, Error> {
        let connection = &self.client.connection;
        let request = connection.request(Method::GET, &format!("/runs/{}/events", self.run), &[]);
        let request = request.header("accept", "text/event-stream").header("last-event-id", self.after);
        let mut body = connection.send(request).await?.bytes_stream();
        let mut lines = Frames::default();
        while let Some(bytes) = body.next().await {
            let Ok(bytes) = bytes else { return Ok(End::Cut) };
            for Frame { id, kind, data } in lines.take(&bytes) {
                match kind.as_str() {
                    "end" => return Ok(End::Whole),
                    "error" => {
                        let problem: ProblemDocument =
                            serde_json::from_str(&data).map_err(|error| connection.damaged(&error.to_string()))?;
                        return Err(Error::Remote(problem.failure()));
                    }
                    _ => {
                        let event: StudioEvent =
                            serde_json::from_str(&data).map_err(|error| connection.damaged(&error.to_string()))?;
                        self.after = id.unwrap_or(self.after);
                        // Nobody need listen.
                        let _ = self.events.send(event);
                    }
                }
            }
        }
        Ok(End::Cut)
    }
}

/// One event of a stream as it was sent.
#[derive(Debug, Default, PartialEq, Eq)]
struct Frame {
    /// None for what is not in the log.
    id: Option<u64>,
    /// Empty for an event of the run.
    kind: String,
    data: String,
}

/// Puts events together from bytes that come in pieces of any size.
#[derive(Debug, Default)]
struct Frames {
    bytes: Vec<u8>,
    frame: Frame,
}

impl Frames {
    /// The events that are whole with these bytes. Comments and events without data are left out.
    fn take(&mut self, bytes: &[u8]) -> Vec<Frame> {
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

/// The events in a stream that comes in `pieces`: the number, the kind and the data of each.
#[cfg(any(test, feature = "testing"))]
pub(super) fn events(pieces: &[&[u8]]) -> Vec<(Option<u64>, String, String)> {
    let mut frames = Frames::default();
    let told = pieces.iter().flat_map(|piece| frames.take(piece));
    told.map(|Frame { id, kind, data }| (id, kind, data)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_in_pieces_of_any_size() {
        let sent = "retry: 1000\n\n: still there\n\nid: 7\ndata: {\"灯\":1}\n\nevent: end\ndata: {}\n\n".as_bytes();
        for size in 1..=sent.len() {
            let mut frames = Frames::default();
            let told: Vec<_> = sent.chunks(size).flat_map(|piece| frames.take(piece)).collect();
            let of = |id, kind: &str, data: &str| Frame { id, kind: kind.into(), data: data.into() };
            assert_eq!(told, [of(Some(7), "", "{\"灯\":1}"), of(None, "end", "{}")], "in pieces of {size}");
        }
    }
}
