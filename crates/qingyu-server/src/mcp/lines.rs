//! A message a line, and an answer even to lines that are no message.

use std::io;
use std::sync::Arc;

use rmcp::model::{ClientJsonRpcMessage, ErrorData, RequestId, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::{RoleServer, service::TxJsonRpcMessage};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;

/// The longest line that is read. The engine's own limit for arguments is lower and has the better message.
const LONGEST: usize = 16 << 20;

/// Reads and writes messages, a line each. A line that is no message is answered with an error and otherwise forgotten.
pub(crate) struct Lines<R, W> {
    read: BufReader<R>,
    write: Arc<Mutex<Option<W>>>,
    line: Vec<u8>,
    /// Whether the rest of the line is to be skipped.
    is_skipping: bool,
    /// Whether a request has come. Before it, nothing else means anything.
    has_begun: bool,
}

/// What one look at the stream gave.
enum Look {
    Line,
    TooLong,
    More,
    End,
}

/// What a line was.
enum Read {
    Message(Box<ClientJsonRpcMessage>),
    Mistake(ErrorData, Option<RequestId>),
    Nothing,
}

impl<R, W> Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(crate) fn new(read: R, write: W) -> Self {
        let write = Arc::new(Mutex::new(Some(write)));
        Self { read: BufReader::new(read), write, line: Vec::new(), is_skipping: false, has_begun: false }
    }

    /// Takes what has come, at most to the end of the line. May be dropped while it waits: nothing is lost then.
    async fn look(&mut self) -> io::Result<Look> {
        let come = self.read.fill_buf().await?;
        if come.is_empty() {
            return Ok(Look::End);
        }
        let end = come.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(come.len(), |end| end + 1);
        let was_skipping = self.is_skipping;
        let is_too_long = !was_skipping && self.line.len() + taken > LONGEST;
        if is_too_long {
            self.line = Vec::new();
        } else if !was_skipping {
            self.line.extend_from_slice(&come[..taken]);
        }
        self.read.consume(taken);
        self.is_skipping = (was_skipping || is_too_long) && end.is_none();
        Ok(match end {
            _ if is_too_long => Look::TooLong,
            Some(_) if !was_skipping => Look::Line,
            _ => Look::More,
        })
    }

    /// Answers a line that is no message, without holding up the reading.
    fn complain(&self, mistake: ErrorData, id: Option<RequestId>) {
        tracing::debug!(error = %mistake.message, "a line is no message");
        let write = Arc::clone(&self.write);
        tokio::spawn(async move { put(&write, &ServerJsonRpcMessage::error(mistake, id)).await });
    }
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let write = Arc::clone(&self.write);
        async move { put(&write, &message).await }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            match self.look().await {
                Ok(Look::More) => continue,
                Ok(Look::TooLong) => {
                    let message = format!("the message has more than {} MiB", LONGEST >> 20);
                    self.complain(ErrorData::invalid_request(message, None), None);
                    continue;
                }
                Ok(Look::Line) => {}
                Ok(Look::End) => return None,
                Err(error) => {
                    tracing::warn!(%error, "the client cannot be read");
                    return None;
                }
            }
            let line = std::mem::take(&mut self.line);
            match read(&line) {
                Read::Message(message) => {
                    self.has_begun |= matches!(*message, ClientJsonRpcMessage::Request(_));
                    if self.has_begun {
                        return Some(*message);
                    }
                }
                Read::Mistake(mistake, id) => self.complain(mistake, id),
                Read::Nothing => {}
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        match self.write.lock().await.take() {
            Some(mut write) => write.shutdown().await,
            None => Ok(()),
        }
    }
}

async fn put<W: AsyncWrite + Unpin>(write: &Mutex<Option<W>>, message: &ServerJsonRpcMessage) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let mut write = write.lock().await;
    let write = write.as_mut().ok_or(io::ErrorKind::NotConnected)?;
    write.write_all(&line).await?;
    write.flush().await
}

fn read(line: &[u8]) -> Read {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Read::Nothing;
    }
    if let Ok(message) = serde_json::from_slice(line) {
        return Read::Message(Box::new(message));
    }
    let value: Value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(error) => return Read::Mistake(ErrorData::parse_error(format!("not JSON: {error}"), None), None),
    };
    let id = value.get("id").and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok());
    if id.is_none() && value.get("method").is_some_and(Value::is_string) {
        // A notification that nobody knows needs no answer.
        return Read::Nothing;
    }
    Read::Mistake(ErrorData::invalid_request("not a request, an answer or a notification of JSON-RPC 2.0", None), id)
}
