//! Client of Neo4j's [Query API](https://neo4j.com/docs/query-api/current/): Cypher as JSON over HTTP.
//!
//! A request has a single statement, either in its own transaction or in an open transaction. The server responds 202
//! before executing the statement, so failures are parsed from `errors` in the body, whatever the status.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use qingyu_knowledge::engine::Error;
use reqwest::header::HeaderMap;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::settings::{NAME, Neo4jSettings};
use crate::http::{Http, Response};

/// The default database of a server.
const DEFAULT_DATABASE: &str = "neo4j";

/// A client of a database. Cheap to clone; clones share connections and bookmarks.
#[derive(Clone)]
pub(super) struct QueryApi {
    pub(super) http: Http,
    /// `/db/DATABASE/query/v2`.
    pub(super) path: String,
    /// Bookmarks of the newest states seen by the client. A cluster member responds to a request with bookmarks only
    /// after catching up, so the client reads its own writes.
    bookmarks: Arc<Mutex<BTreeSet<String>>>,
}

/// The cluster members allowed to run a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClusterAccess {
    /// Any member.
    Read,
    /// The leader.
    Write,
}

/// The result of a statement.
#[derive(Debug, Default, PartialEq)]
pub(super) struct StatementResult {
    pub(super) fields: Vec<String>,
    pub(super) rows: Vec<Vec<Value>>,
}

impl fmt::Debug for QueryApi {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("QueryApi").field("http", &self.http).field("path", &self.path).finish_non_exhaustive()
    }
}

impl QueryApi {
    /// Returns a client; nothing is sent yet. Returns [`Error::BadAddress`] for an invalid address.
    pub(super) fn new(settings: &Neo4jSettings) -> Result<Self, Error> {
        check_address(&settings.address)?;
        let credentials = if settings.user.is_empty() {
            format!("Bearer {}", settings.password)
        } else {
            format!("Basic {}", STANDARD.encode(format!("{}:{}", settings.user, settings.password)))
        };
        let http = Http::new(NAME, &settings.address, Some(("authorization", credentials)))?;
        let database = settings.database.as_deref().unwrap_or(DEFAULT_DATABASE);
        let path = format!("/db/{}/query/v2", utf8_percent_encode(database, NON_ALPHANUMERIC));
        Ok(Self { http, path, bookmarks: Arc::default() })
    }

    /// Runs a statement in its own transaction.
    pub(super) async fn run(
        &self,
        access: ClusterAccess,
        statement: &str,
        parameters: Value,
    ) -> Result<StatementResult, Error> {
        let mut body = json!({"statement": statement, "parameters": parameters});
        if access == ClusterAccess::Read {
            body["accessMode"] = json!("Read");
        }
        let sent = self.add_bookmarks(&mut body);
        let response = self.http.send(Method::POST, &self.path, HeaderMap::new(), Some(&body)).await?;
        let mut reply = self.read(&response)?;
        self.advance(&sent, &reply);
        self.table(&mut reply)
    }

    /// Adds the known bookmarks to a request and returns the bookmarks.
    pub(super) fn add_bookmarks(&self, body: &mut Value) -> BTreeSet<String> {
        let known = self.known_bookmarks().clone();
        if !known.is_empty() {
            body["bookmarks"] = json!(known);
        }
        known
    }

    /// Replaces the bookmarks sent with a request by the bookmarks of its reply, which include them. Bookmarks of
    /// concurrent requests stay.
    pub(super) fn advance(&self, sent: &BTreeSet<String>, reply: &Value) {
        let received: Vec<&str> =
            reply["bookmarks"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        if received.is_empty() {
            return;
        }
        let mut known = self.known_bookmarks();
        known.retain(|bookmark| !sent.contains(bookmark));
        known.extend(received.into_iter().map(str::to_owned));
    }

    fn known_bookmarks(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.bookmarks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the body of a response, `null` by default, or the first of its errors.
    pub(super) fn read(&self, response: &Response) -> Result<Value, Error> {
        let status = response.status;
        let reply: Value = match serde_json::from_slice(&response.body) {
            Ok(reply) => reply,
            Err(_) if response.body.is_empty() || !status.is_success() => Value::Null,
            Err(error) => return Err(self.http.unexpected(error.to_string())),
        };
        if let Some(error) = reply["errors"].as_array().and_then(|errors| errors.first()) {
            let text = |name: &str| error[name].as_str().unwrap_or_default();
            return Err(self.failure(text("code"), text("message")));
        }
        match status {
            status if status.is_success() => Ok(reply),
            StatusCode::NOT_FOUND => Err(self.http.refused(status, "no Query API; Neo4j has it since 5.26")),
            status => Err(self.http.refused(status, "")),
        }
    }

    /// Maps a [status code](https://neo4j.com/docs/status-codes/current/) of Neo4j to an [`Error`].
    fn failure(&self, code: &str, message: &str) -> Error {
        let (engine, address) = (NAME, self.http.address().to_owned());
        let reason = format!("{code}: {message}");
        if code.starts_with("Neo.TransientError.Transaction.") {
            Error::Busy { engine, address }
        } else if code.starts_with("Neo.TransientError.") || code.starts_with("Neo.ClientError.Cluster.") {
            Error::Unreachable { engine, address, reason }
        } else {
            Error::Refused { engine, address, reason }
        }
    }

    fn table(&self, reply: &mut Value) -> Result<StatementResult, Error> {
        let mut take = |name: &str| reply["data"][name].take();
        let (fields, rows) = (take("fields"), take("values"));
        if fields.is_null() && rows.is_null() {
            return Ok(StatementResult::default());
        }
        let unreadable = |error: serde_json::Error| self.http.unexpected(format!("a result: {error}"));
        Ok(StatementResult {
            fields: serde_json::from_value(fields).map_err(unreadable)?,
            rows: serde_json::from_value(rows).map_err(unreadable)?,
        })
    }

    /// Returns the error for a result which cannot be parsed.
    pub(super) fn unexpected(&self, reason: impl Into<String>) -> Error {
        self.http.unexpected(reason)
    }
}

/// Rejects a Bolt address, and an address with a user, which `Debug` and logs would show.
fn check_address(address: &str) -> Result<(), Error> {
    let bad = |reason: &str| Err(Error::BadAddress { engine: NAME, reason: reason.to_owned() });
    let (scheme, rest) = address.split_once("://").unwrap_or_default();
    if matches!(scheme.split('+').next(), Some("bolt" | "neo4j")) {
        return bad("the Query API speaks HTTP, not Bolt: write http://host:7474, or https://host:7473 with TLS");
    }
    if rest.split(['/', '?', '#']).next().unwrap_or_default().contains('@') {
        return bad("user and password have fields of their own: write http://host:7474");
    }
    Ok(())
}
