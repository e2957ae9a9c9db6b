//! One connection: handshake, authentication, and a command at a time.

mod hello;

use std::io;
use std::time::Duration;

use tokio::time::{Instant, timeout};
use tokio_rustls::TlsConnector;

pub(super) use self::hello::Hello;
use super::bson::{Bson, Document, document};
use super::error::Error;
use super::message::{self, HEADER};
use super::scram::{self, Login};
use super::settings::{Credentials, Host, Settings};
use super::stream::Stream;

/// The bytes by which a command may be larger than the largest document.
const COMMAND_ROOM: usize = 16 * 1024;

/// A connection to a server.
#[derive(Debug)]
pub(super) struct Connection {
    stream: Stream,
    host: Host,
    /// The largest message that either side may send, in bytes.
    max_message: usize,
    /// The largest document, in bytes.
    max_document: usize,
    last_id: i32,
    /// Whether the last reply was read to its end, so that the next bytes are those of the next reply.
    is_in_step: bool,
    last_used: Instant,
}

impl Connection {
    /// Connects and sends `hello`. There is no timeout; the caller sets one.
    pub(super) async fn connect(
        host: &Host,
        settings: &Settings,
        tls: Option<&TlsConnector>,
    ) -> Result<(Self, Hello), Error> {
        let network = |error: io::Error| Error::Network { host: host.clone(), reason: cause(&error), is_sent: false };
        let stream = Stream::connect(host, tls).await.map_err(network)?;
        let mut connection = Self {
            stream,
            host: host.clone(),
            max_message: hello::MAX_MESSAGE,
            max_document: hello::MAX_DOCUMENT,
            last_id: 0,
            is_in_step: true,
            last_used: Instant::now(),
        };
        let reply = connection.exchange("admin", hello::command(settings)).await?;
        let hello = Hello::read(host, &reply)?;
        connection.max_message = hello.max_message;
        connection.max_document = hello.max_document;
        Ok((connection, hello))
    }

    /// Authenticates by SCRAM-SHA-256, and makes the server prove that it knows the password too.
    pub(super) async fn authenticate(&mut self, credentials: &Credentials) -> Result<(), Error> {
        let Credentials { user, password, source } = credentials;
        let host = self.host.clone();
        let failed = |reason: String| Error::Authentication { host: host.clone(), user: user.clone(), reason };
        let refused = |error: Error| match error {
            Error::Command { message, .. } if !error.is_transient() => failed(message),
            other => other,
        };
        let rejected = |error: scram::Error| failed(error.to_string());
        let login = Login::new(user, password).map_err(rejected)?;
        let start = document! {
            "saslStart": 1,
            "mechanism": "SCRAM-SHA-256",
            "payload": Bson::Binary(0, login.first().into_bytes()),
            "autoAuthorize": 1,
            "options": document! {"skipEmptyExchange": true},
        };
        let reply = self.exchange(source, start).await.map_err(refused)?;
        let (answer, expected) = login.answer(&self.payload(&reply)?).map_err(rejected)?;
        let mut reply = self.exchange(source, sasl_continue(&reply, answer)).await.map_err(refused)?;
        expected.verify(&self.payload(&reply)?).map_err(rejected)?;
        // A server that did not skip the empty exchange waits for it.
        if !reply.is_set("done") {
            reply = self.exchange(source, sasl_continue(&reply, String::new())).await.map_err(refused)?;
        }
        if reply.is_set("done") { Ok(()) } else { Err(self.incomplete("the end of the login")) }
    }

    /// Runs a command in time.
    ///
    /// If this is cancelled or fails below the command itself, the connection is [out of step](Self::is_usable).
    pub(super) async fn run(&mut self, database: &str, command: Document, limit: Duration) -> Result<Document, Error> {
        let result = timeout(limit, self.exchange(database, command)).await;
        result.unwrap_or_else(|_| {
            let reason = format!("no reply in {} ms", limit.as_millis());
            Err(Error::Network { host: self.host.clone(), reason, is_sent: true })
        })
    }

    async fn exchange(&mut self, database: &str, mut command: Document) -> Result<Document, Error> {
        command.insert("$db", database);
        self.last_id = self.last_id.wrapping_add(1);
        let bytes = message::encode(self.last_id, &command)?;
        let max = self.max_message.min(self.max_document + COMMAND_ROOM);
        if bytes.len() > max {
            return Err(Error::TooLarge { length: bytes.len(), max });
        }
        self.is_in_step = false;
        self.stream.write(&bytes).await.map_err(|error| self.network(&error, false))?;
        let content = self.receive().await?;
        let reply = message::decode(&content).map_err(|error| self.bad(error))?;
        self.is_in_step = true;
        self.last_used = Instant::now();
        if reply.is_set("ok") { Ok(reply) } else { Err(self.failure(&reply)) }
    }

    async fn receive(&mut self) -> Result<Vec<u8>, Error> {
        let header = self.stream.read(HEADER).await.map_err(|error| self.network(&error, true))?;
        let header = header.try_into().map_err(|_| self.incomplete("a header"))?;
        let length = message::content_length(header, Some(self.last_id), self.max_message);
        let length = length.map_err(|error| self.bad(error))?;
        self.stream.read(length).await.map_err(|error| self.network(&error, true))
    }

    /// Returns whether the connection can be used for another command.
    pub(super) fn is_usable(&self, max_idle: Option<Duration>) -> bool {
        self.is_in_step && max_idle.is_none_or(|max| self.last_used.elapsed() < max) && self.stream.is_quiet()
    }

    pub(super) fn host(&self) -> &Host {
        &self.host
    }

    /// Returns the error that a reply, or a part of it, tells of.
    pub(super) fn failure(&self, reply: &Document) -> Error {
        let (code, message) = reason(reply);
        Error::Command { host: self.host.clone(), code, message }
    }

    /// Returns the error for a write that was done, but not as its concern demands.
    pub(super) fn unconfirmed(&self, error: &Document) -> Error {
        let (code, message) = reason(error);
        Error::Unconfirmed { host: self.host.clone(), code, message }
    }

    pub(super) fn incomplete(&self, what: &'static str) -> Error {
        Error::Incomplete { host: self.host.clone(), what }
    }

    fn payload(&self, reply: &Document) -> Result<String, Error> {
        let Some(Bson::Binary(_, bytes)) = reply.get("payload") else { return Err(self.incomplete("a payload")) };
        String::from_utf8(bytes.clone()).map_err(|_| self.incomplete("a payload of text"))
    }

    fn network(&self, error: &io::Error, is_sent: bool) -> Error {
        Error::Network { host: self.host.clone(), reason: cause(error), is_sent }
    }

    fn bad(&self, error: message::Error) -> Error {
        Error::BadReply { host: self.host.clone(), error }
    }
}

fn sasl_continue(reply: &Document, payload: String) -> Document {
    let conversation = reply.get("conversationId").cloned().unwrap_or(Bson::Int32(1));
    document! {"saslContinue": 1, "conversationId": conversation, "payload": Bson::Binary(0, payload.into_bytes())}
}

fn reason(reply: &Document) -> (i64, String) {
    let message = reply.str("errmsg").unwrap_or("no reason given");
    (reply.integer("code").unwrap_or_default(), message.to_owned())
}

/// Returns what an error of the network is called where the system has no words for it.
fn cause(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "the connection was closed".to_owned(),
        _ => error.to_string(),
    }
}
