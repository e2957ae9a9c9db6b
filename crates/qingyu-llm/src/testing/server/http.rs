//! Just enough HTTP/1.1: requests with a length, answers in chunks.

use std::collections::BTreeMap;
use std::io;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::answer::{Ending, Piece, Raw};
use super::pause;
use super::recorded::Recorded;

/// The largest head and body that are read.
const LARGEST: usize = 64 << 20;

/// One client's connection.
pub(super) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self { stream, buffer: Vec::new() }
    }

    /// The next request, or `None` if the client closed the connection between two.
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

    /// Resolves when the client has closed the connection while it should wait for an answer.
    async fn closed(&self) {
        // Anything but the end is a request sent too early, and that is not the end.
        if matches!(self.stream.peek(&mut [0]).await, Ok(1..)) {
            std::future::pending::<()>().await;
        }
    }

    /// Sends the answer piece by piece; a connection that is not `Whole` afterwards can serve nothing more.
    pub(super) async fn write_answer(&mut self, raw: &Raw) -> io::Result<Ending> {
        self.stream.write_all(head(raw).as_bytes()).await?;
        for piece in &raw.pieces {
            match piece {
                Piece::Bytes(bytes) if bytes.is_empty() => {}
                Piece::Bytes(bytes) => {
                    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
                    chunk.extend_from_slice(bytes);
                    chunk.extend_from_slice(b"\r\n");
                    self.stream.write_all(&chunk).await?;
                    self.stream.flush().await?;
                }
                Piece::Wait(duration) => self.unless_closed(pause(*duration)).await?,
                Piece::Gate(gate) => self.unless_closed(gate.pass()).await?,
            }
        }
        match raw.ending {
            Ending::Whole => self.stream.write_all(b"0\r\n\r\n").await?,
            Ending::Cut => self.stream.shutdown().await?,
            Ending::Hang => self.unless_closed(std::future::pending()).await?,
        }
        Ok(raw.ending)
    }

    /// Waits for `event`; fails at once if the client does not wait that long.
    pub(super) async fn unless_closed(&self, event: impl Future<Output = ()>) -> io::Result<()> {
        tokio::select! {
            () = event => Ok(()),
            () = self.closed() => Err(io::ErrorKind::ConnectionAborted.into()),
        }
    }
}

fn head(raw: &Raw) -> String {
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
