//! A client of a deployment: commands go to the writable primary, over a few connections that are used again.

mod selection;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::bson::{Bson, Document, document};
use super::connection::Connection;
use super::error::Error;
use super::settings::{Host, Settings};
use super::stream;

/// A client. Cheap to clone; clones share connections.
#[derive(Clone)]
pub(super) struct Client(Arc<Shared>);

struct Shared {
    settings: Settings,
    tls: Option<TlsConnector>,
    pool: Mutex<Pool>,
    /// One for each connection that may exist.
    permits: Semaphore,
}

#[derive(Default)]
struct Pool {
    /// Unused connections to `primary`, the last used at the end.
    idle: Vec<Connection>,
    primary: Option<Host>,
    /// The members of the replica set, as the last primary listed them.
    learned: Vec<Host>,
}

/// A command for the primary.
pub(super) struct Request<'r> {
    pub(super) database: &'r str,
    pub(super) command: Document,
    pub(super) kind: Kind,
}

/// The effect of a command, which decides when it may be sent a second time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing is changed.
    Read,
    /// Twice changes as much as once, and gives the same reply.
    IdempotentWrite,
    /// Only sent again if the server has not done it.
    Write,
}

/// The reply to a command, with all documents of the cursor if the command opened one.
#[derive(Debug, PartialEq)]
pub(super) struct Reply {
    pub(super) body: Document,
    pub(super) documents: Vec<Document>,
}

/// A connection in use. It goes back to the pool when it is dropped, unless a command on it did not end.
struct Lease<'c> {
    shared: &'c Shared,
    connection: Option<Connection>,
    _permit: SemaphorePermit<'c>,
}

impl Client {
    /// Returns a client; nothing is sent yet. Fails if TLS is wanted and cannot be had on this system.
    pub(super) fn new(settings: Settings) -> Result<Self, rustls::Error> {
        let tls = if settings.has_tls { Some(stream::tls()?) } else { None };
        let permits = Semaphore::new(settings.pool_size);
        Ok(Self(Arc::new(Shared { settings, tls, pool: Mutex::default(), permits })))
    }

    pub(super) fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// Runs a command on the primary, a second time on a primary that is looked for anew if the first try failed in a
    /// way that allows it.
    pub(super) async fn run(&self, request: &Request<'_>) -> Result<Reply, Error> {
        match self.run_once(request).await {
            Err(error) if self.may_retry(request.kind, &error) => self.run_once(request).await,
            result => result,
        }
    }

    fn may_retry(&self, kind: Kind, error: &Error) -> bool {
        let settings = &self.0.settings;
        let is_allowed = match kind {
            Kind::Read => settings.retries_reads,
            Kind::IdempotentWrite => settings.retries_writes,
            Kind::Write => settings.retries_writes && !error.may_be_done(),
        };
        is_allowed && error.is_transient()
    }

    async fn run_once(&self, request: &Request<'_>) -> Result<Reply, Error> {
        let mut lease = self.0.lease().await?;
        let result = lease.run(request).await;
        if result.as_ref().is_err_and(Error::is_transient) {
            lease.connection = None;
            self.0.forget_primary();
        }
        result
    }
}

impl Shared {
    /// Returns an idle connection to the primary, or a new one.
    async fn lease(&self) -> Result<Lease<'_>, Error> {
        let permit = timeout(self.settings.selection_timeout, self.permits.acquire()).await;
        let Ok(Ok(permit)) = permit else {
            return Err(Error::PoolExhausted { address: self.settings.address(), count: self.settings.pool_size });
        };
        let mut lease = Lease { shared: self, connection: None, _permit: permit };
        lease.connection = Some(match self.idle() {
            Some(connection) => connection,
            None => self.connect().await?,
        });
        Ok(lease)
    }

    /// Takes the idle connection that was used last, and drops those that have broken meanwhile.
    fn idle(&self) -> Option<Connection> {
        let mut pool = self.pool();
        std::iter::from_fn(|| pool.idle.pop()).find(|connection| connection.is_usable(self.settings.max_idle))
    }

    fn forget_primary(&self) {
        let mut pool = self.pool();
        pool.primary = None;
        pool.idle.clear();
    }

    fn pool(&self) -> MutexGuard<'_, Pool> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lease<'_> {
    async fn run(&mut self, request: &Request<'_>) -> Result<Reply, Error> {
        let limit = self.shared.settings.command_timeout;
        let connection = self.connection.as_mut().expect("a lease has its connection until it is dropped");
        let body = connection.run(request.database, request.command.clone(), limit).await?;
        if let Some(Bson::Document(error)) = body.array("writeErrors").and_then(<[Bson]>::first) {
            return Err(connection.failure(error));
        }
        if let Some(error) = body.document("writeConcernError") {
            return Err(connection.unconfirmed(error));
        }
        let mut documents = Vec::new();
        let mut next = read_batch(connection, &body, "firstBatch", &mut documents)?;
        while let Some((id, collection)) = next {
            let more = document! {"getMore": id, "collection": collection};
            let reply = connection.run(request.database, more, limit).await?;
            next = read_batch(connection, &reply, "nextBatch", &mut documents)?;
        }
        Ok(Reply { body, documents })
    }
}

/// Appends a batch of a cursor to `documents`. Returns the cursor's id and collection, if it has more.
fn read_batch(
    connection: &Connection,
    reply: &Document,
    name: &str,
    documents: &mut Vec<Document>,
) -> Result<Option<(i64, String)>, Error> {
    let Some(cursor) = reply.document("cursor") else { return Ok(None) };
    for value in cursor.array(name).ok_or_else(|| connection.incomplete("a batch"))? {
        let Bson::Document(document) = value else { return Err(connection.incomplete("documents in its batch")) };
        documents.push(document.clone());
    }
    let id = cursor.integer("id").ok_or_else(|| connection.incomplete("the id of a cursor"))?;
    let namespace = cursor.str("ns").and_then(|name| name.split_once('.'));
    match (id, namespace) {
        (0, _) => Ok(None),
        (id, Some((_, collection))) => Ok(Some((id, collection.to_owned()))),
        (_, None) => Err(connection.incomplete("the collection of a cursor")),
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take().filter(|connection| connection.is_usable(None)) {
            let mut pool = self.shared.pool();
            if pool.primary.as_ref() == Some(connection.host()) {
                pool.idle.push(connection);
            }
        }
    }
}
