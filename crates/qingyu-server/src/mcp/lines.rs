//! A line-based transport, one message per line, responding even to malformed lines.

use std::io;
use std::sync::Arc;

use rmcp::model::{ClientJsonRpcMessage, ErrorData, RequestId, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::{RoleServer, service::TxJsonRpcMessage};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;

/// Maximum line length, in bytes. The engine's limit for arguments is lower, with a better error message.
const LONGEST: usize = 16 << 20;

/// A transport reading and writing one message per line. Malformed lines return an error and are otherwise ignored.
pub(crate) struct LineTransport<R, W> {
    read: BufReader<R>,
    write: Arc<Mutex<Option<W>>>,
    line: Vec<u8>,
    /// Whether the rest of an overlong line is being skipped.
    is_skipping: bool,
    /// Whether a request was received. Until then, messages of other kinds are ignored.
    has_begun: bool,
}

/// The result of a single read.
enum LineRead {
    Line,
    TooLong,
    More,
    End,
}

/// The result of parsing a line.
enum ParsedLine {
    Message(Box<ClientJsonRpcMessage>),
    Mistake(ErrorData, Option<RequestId>),
    Nothing,
}

impl<R, W> LineTransport<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(crate) fn new(read: R, write: W) -> Self {
        let write = Arc::new(Mutex::new(Some(write)));
        Self { read: BufReader::new(read), write, line: Vec::new(), is_skipping: false, has_begun: false }
    }

    /// Reads available bytes, up to the end of the line. Cancel safe: dropping the future loses no data.
    async fn look(&mut self) -> io::Result<LineRead> {
        let come = self.read.fill_buf().await?;
        if come.is_empty() {
            return Ok(LineRead::End);
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
            _ if is_too_long => LineRead::TooLong,
            Some(_) if !was_skipping => LineRead::Line,
            _ => LineRead::More,
        })
    }

    /// Responds to a malformed line without blocking the reader.
    fn complain(&self, mistake: ErrorData, id: Option<RequestId>) {
        tracing::debug!(error = %mistake.message, "invalid message line");
        let write = Arc::clone(&self.write);
        tokio::spawn(async move { put(&write, &ServerJsonRpcMessage::error(mistake, id)).await });
    }
}

impl<R, W> Transport<RoleServer> for LineTransport<R, W>
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
                Ok(LineRead::More) => continue,
                Ok(LineRead::TooLong) => {
                    let message = format!("the message has more than {} MiB", LONGEST >> 20);
                    self.complain(ErrorData::invalid_request(message, None), None);
                    continue;
                }
                Ok(LineRead::Line) => {}
                Ok(LineRead::End) => return None,
                Err(error) => {
                    tracing::warn!(%error, "failed to read from the client");
                    return None;
                }
            }
            let line = std::mem::take(&mut self.line);
            match read(&line) {
                ParsedLine::Message(message) => {
                    self.has_begun |= matches!(*message, ClientJsonRpcMessage::Request(_));
                    if self.has_begun {
                        return Some(*message);
                    }
                }
                ParsedLine::Mistake(mistake, id) => self.complain(mistake, id),
                ParsedLine::Nothing => {}
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

fn read(line: &[u8]) -> ParsedLine {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return ParsedLine::Nothing;
    }
    if let Ok(message) = serde_json::from_slice(line) {
        return ParsedLine::Message(Box::new(message));
    }
    let value: Value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(error) => return ParsedLine::Mistake(ErrorData::parse_error(format!("not JSON: {error}"), None), None),
    };
    let id = value.get("id").and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok());
    if id.is_none() && value.get("method").is_some_and(Value::is_string) {
        // An unknown notification needs no response.
        return ParsedLine::Nothing;
    }
    ParsedLine::Mistake(
        ErrorData::invalid_request("not a request, an answer or a notification of JSON-RPC 2.0", None),
        id,
    )
}
