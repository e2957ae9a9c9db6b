//! Minimal HTTP/1.1: requests with a length, chunked responses.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::answer::{BodyEnding, BodyPiece, RawAnswer};
use super::recorded::Recorded;

/// Maximum size of head and body, in bytes.
const LARGEST: usize = 64 << 20;

/// A client's connection.
pub(super) struct FakeProviderConnection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl FakeProviderConnection {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self { stream, buffer: Vec::new() }
    }

    /// Returns the next request, or `None` if the client closed the connection between requests.
    pub(super) async fn read_request(&mut self) -> io::Result<Option<Recorded>> {
        let end = loop {
            if let Some(end) = find(&self.buffer, b"\r\n\r\n") {
                break end;
            }
            if !self.read_more().await? {
                return Ok(None);
            }
        };
        let head = String::from_utf8_lossy(&self.buffer[..end]).into_owned();
        self.buffer.drain(..end + 4);
        let mut request = parse_head(&head)?;
        let length = request.headers.get("content-length").and_then(|it| it.parse().ok()).unwrap_or(0);
        while self.buffer.len() < length {
            if !self.read_more().await? {
                return Ok(None);
            }
        }
        let body: Vec<u8> = self.buffer.drain(..length).collect();
        request.body = serde_json::from_slice(&body).unwrap_or(Value::Null);
        Ok(Some(request))
    }

    async fn read_more(&mut self) -> io::Result<bool> {
        if self.buffer.len() > LARGEST {
            return Err(io::Error::other("the request is too large"));
        }
        Ok(self.stream.read_buf(&mut self.buffer).await? > 0)
    }

    /// Resolves when the client closes the connection while waiting for an answer.
    async fn closed(&self) {
        // Any other data is an early request, not the end.
        if matches!(self.stream.peek(&mut [0]).await, Ok(1..)) {
            std::future::pending::<()>().await;
        }
    }

    /// Sends the answer part by part; a connection whose ending is not `Whole` cannot be reused.
    pub(super) async fn write_answer(&mut self, raw: &RawAnswer) -> io::Result<BodyEnding> {
        self.stream.write_all(head(raw).as_bytes()).await?;
        for piece in &raw.pieces {
            match piece {
                BodyPiece::Bytes(bytes) if bytes.is_empty() => {}
                BodyPiece::Bytes(bytes) => {
                    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
                    chunk.extend_from_slice(bytes);
                    chunk.extend_from_slice(b"\r\n");
                    self.stream.write_all(&chunk).await?;
                    self.stream.flush().await?;
                }
                BodyPiece::Wait(duration) => self.unless_closed(pause(*duration)).await?,
                BodyPiece::Gate(gate) => self.unless_closed(gate.pass()).await?,
            }
        }
        match raw.ending {
            BodyEnding::Whole => self.stream.write_all(b"0\r\n\r\n").await?,
            BodyEnding::Cut => self.stream.shutdown().await?,
            BodyEnding::Hang => self.unless_closed(std::future::pending()).await?,
        }
        Ok(raw.ending)
    }

    /// Waits for `event`; fails at once if the client closes the connection.
    pub(super) async fn unless_closed(&self, event: impl Future<Output = ()>) -> io::Result<()> {
        tokio::select! {
            () = event => Ok(()),
            () = self.closed() => Err(io::ErrorKind::ConnectionAborted.into()),
        }
    }
}

fn head(raw: &RawAnswer) -> String {
    let headers = raw.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect::<String>();
    format!("HTTP/1.1 {} scripted\r\n{headers}transfer-encoding: chunked\r\n\r\n", raw.status)
}

fn parse_head(head: &str) -> io::Result<Recorded> {
    let mut lines = head.split("\r\n");
    let mut start = lines.next().unwrap_or_default().split(' ');
    let (Some(method), Some(target)) = (start.next(), start.next()) else {
        return Err(io::Error::other("not a request line"));
    };
    let headers = lines.filter_map(|line| line.split_once(':'));
    let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()));
    Ok(Recorded {
        sequence: 0,
        method: method.to_owned(),
        path: target.split('?').next().unwrap_or_default().to_owned(),
        headers: headers.collect::<BTreeMap<_, _>>(),
        body: Value::Null,
    })
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

/// Sleeps, unless `duration` is zero.
pub(super) async fn pause(duration: Duration) {
    if !duration.is_zero() {
        tokio::time::sleep(duration).await;
    }
}
