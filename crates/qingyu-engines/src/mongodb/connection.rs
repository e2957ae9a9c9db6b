//! A single connection: handshake, authentication, and a command at a time.

mod hello;

use std::io;
use std::time::Duration;

use tokio::time::{Instant, timeout};
use tokio_rustls::TlsConnector;

pub(super) use self::hello::Hello;
use super::bson::{Bson, BsonDocument, document};
use super::error::MongoError;
use super::message::{self, HEADER};
use super::scram::{self, ScramLogin};
use super::settings::{Credentials, MongoSettings, ServerAddress};
use super::stream::Stream;

/// Number of bytes by which a command may exceed the largest document.
const COMMAND_ROOM: usize = 16 * 1024;

/// A connection to a server.
#[derive(Debug)]
pub(super) struct MongoConnection {
    stream: Stream,
    host: ServerAddress,
    /// Maximum size of a message, in bytes.
    max_message: usize,
    /// Maximum size of a document, in bytes.
    max_document: usize,
    last_id: i32,
    /// Whether the last reply was read in full, so that the next bytes begin the next reply.
    is_in_step: bool,
    last_used: Instant,
}

impl MongoConnection {
    /// Connects and sends `hello`. Has no timeout; callers must set a timeout.
    pub(super) async fn connect(
        host: &ServerAddress,
        settings: &MongoSettings,
        tls: Option<&TlsConnector>,
    ) -> Result<(Self, Hello), MongoError> {
        let network =
            |error: io::Error| MongoError::Network { host: host.clone(), reason: cause(&error), is_sent: false };
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

    /// Authenticates by SCRAM-SHA-256, and verifies the server's knowledge of the password.
    pub(super) async fn authenticate(&mut self, credentials: &Credentials) -> Result<(), MongoError> {
        let Credentials { user, password, source } = credentials;
        let host = self.host.clone();
        let failed = |reason: String| MongoError::Authentication { host: host.clone(), user: user.clone(), reason };
        let refused = |error: MongoError| match error {
            MongoError::Command { message, .. } if !error.is_transient() => failed(message),
            other => other,
        };
        let rejected = |error: scram::ScramError| failed(error.to_string());
        let login = ScramLogin::new(user, password).map_err(rejected)?;
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
        // A server without support for skipping the empty exchange waits for another message.
        if !reply.is_set("done") {
            reply = self.exchange(source, sasl_continue(&reply, String::new())).await.map_err(refused)?;
        }
        if reply.is_set("done") { Ok(()) } else { Err(self.incomplete("the end of the login")) }
    }

    /// Runs a command with a timeout.
    ///
    /// On cancellation, or a failure below the command itself, the connection is [out of step](Self::is_usable).
    pub(super) async fn run(
        &mut self,
        database: &str,
        command: BsonDocument,
        limit: Duration,
    ) -> Result<BsonDocument, MongoError> {
        let result = timeout(limit, self.exchange(database, command)).await;
        result.unwrap_or_else(|_| {
            let reason = format!("no reply in {} ms", limit.as_millis());
            Err(MongoError::Network { host: self.host.clone(), reason, is_sent: true })
        })
    }

    async fn exchange(&mut self, database: &str, mut command: BsonDocument) -> Result<BsonDocument, MongoError> {
        command.insert("$db", database);
        self.last_id = self.last_id.wrapping_add(1);
        let bytes = message::encode(self.last_id, &command)?;
        let max = self.max_message.min(self.max_document + COMMAND_ROOM);
        if bytes.len() > max {
            return Err(MongoError::TooLarge { length: bytes.len(), max });
        }
        self.is_in_step = false;
        self.stream.write(&bytes).await.map_err(|error| self.network(&error, false))?;
        let content = self.receive().await?;
        let reply = message::decode(&content).map_err(|error| self.bad(error))?;
        self.is_in_step = true;
        self.last_used = Instant::now();
        if reply.is_set("ok") { Ok(reply) } else { Err(self.failure(&reply)) }
    }

    async fn receive(&mut self) -> Result<Vec<u8>, MongoError> {
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

    pub(super) fn host(&self) -> &ServerAddress {
        &self.host
    }

    /// Returns the error reported by a reply, or a part of a reply.
    pub(super) fn failure(&self, reply: &BsonDocument) -> MongoError {
        let (code, message) = reason(reply);
        MongoError::Command { host: self.host.clone(), code, message }
    }

    /// Returns the error for a write executed without satisfying the write concern.
    pub(super) fn unconfirmed(&self, error: &BsonDocument) -> MongoError {
        let (code, message) = reason(error);
        MongoError::Unconfirmed { host: self.host.clone(), code, message }
    }

    pub(super) fn incomplete(&self, what: &'static str) -> MongoError {
        MongoError::Incomplete { host: self.host.clone(), what }
    }

    fn payload(&self, reply: &BsonDocument) -> Result<String, MongoError> {
        let Some(Bson::Binary(_, bytes)) = reply.get("payload") else { return Err(self.incomplete("a payload")) };
        String::from_utf8(bytes.clone()).map_err(|_| self.incomplete("a payload of text"))
    }

    fn network(&self, error: &io::Error, is_sent: bool) -> MongoError {
        MongoError::Network { host: self.host.clone(), reason: cause(error), is_sent }
    }

    fn bad(&self, error: message::MessageError) -> MongoError {
        MongoError::BadReply { host: self.host.clone(), error }
    }
}

fn sasl_continue(reply: &BsonDocument, payload: String) -> BsonDocument {
    let conversation = reply.get("conversationId").cloned().unwrap_or(Bson::Int32(1));
    document! {"saslContinue": 1, "conversationId": conversation, "payload": Bson::Binary(0, payload.into_bytes())}
}

fn reason(reply: &BsonDocument) -> (i64, String) {
    let message = reply.str("errmsg").unwrap_or("no reason given");
    (reply.integer("code").unwrap_or_default(), message.to_owned())
}

/// Returns a description of a network error, for errors without a system message.
fn cause(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "the connection was closed".to_owned(),
        _ => error.to_string(),
    }
}
