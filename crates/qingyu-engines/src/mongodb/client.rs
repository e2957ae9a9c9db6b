//! A client of a deployment: sends commands to the writable primary, over a pool of connections.

mod selection;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::bson::{Bson, BsonDocument, document};
use super::connection::MongoConnection;
use super::error::MongoError;
use super::settings::{MongoSettings, ServerAddress};
use super::stream;

/// A client. Cheap to clone; clones share connections.
#[derive(Clone)]
pub(super) struct MongoClient(Arc<SharedClientState>);

struct SharedClientState {
    settings: MongoSettings,
    tls: Option<TlsConnector>,
    pool: Mutex<ConnectionPool>,
    /// A permit for each connection.
    permits: Semaphore,
}

#[derive(Default)]
struct ConnectionPool {
    /// Unused connections to `primary`, the last used at the end.
    idle: Vec<MongoConnection>,
    primary: Option<ServerAddress>,
    /// The members of the replica set, as listed by the last primary.
    learned: Vec<ServerAddress>,
}

/// A command for the primary.
pub(super) struct CommandRequest<'r> {
    pub(super) database: &'r str,
    pub(super) command: BsonDocument,
    pub(super) kind: CommandEffect,
}

/// The effect of a command, which decides whether a retry is safe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CommandEffect {
    /// Changes nothing.
    Read,
    /// Idempotent: a duplicate has the same effect and reply.
    IdempotentWrite,
    /// Retried only if the server has not executed the command.
    Write,
}

/// The reply to a command, with all documents of its cursor, if any.
#[derive(Debug, PartialEq)]
pub(super) struct CommandReply {
    pub(super) body: BsonDocument,
    pub(super) documents: Vec<BsonDocument>,
}

/// A connection in use. Returned to the pool on drop, unless a command did not finish.
struct PooledConnection<'c> {
    shared: &'c SharedClientState,
    connection: Option<MongoConnection>,
    _permit: SemaphorePermit<'c>,
}

impl MongoClient {
    /// Returns a client; nothing is sent yet. Returns an error if TLS is required but unavailable on the system.
    pub(super) fn new(settings: MongoSettings) -> Result<Self, rustls::Error> {
        let tls = if settings.has_tls { Some(stream::tls()?) } else { None };
        let permits = Semaphore::new(settings.pool_size);
        Ok(Self(Arc::new(SharedClientState { settings, tls, pool: Mutex::default(), permits })))
    }

    pub(super) fn settings(&self) -> &MongoSettings {
        &self.0.settings
    }

    /// Runs a command on the primary; with a retry on a newly selected primary if the first failure allows a retry.
    pub(super) async fn run(&self, request: &CommandRequest<'_>) -> Result<CommandReply, MongoError> {
        match self.run_once(request).await {
            Err(error) if self.may_retry(request.kind, &error) => self.run_once(request).await,
            result => result,
        }
    }

    fn may_retry(&self, kind: CommandEffect, error: &MongoError) -> bool {
        let settings = &self.0.settings;
        let is_allowed = match kind {
            CommandEffect::Read => settings.retries_reads,
            CommandEffect::IdempotentWrite => settings.retries_writes,
            CommandEffect::Write => settings.retries_writes && !error.may_be_done(),
        };
        is_allowed && error.is_transient()
    }

    async fn run_once(&self, request: &CommandRequest<'_>) -> Result<CommandReply, MongoError> {
        let mut lease = self.0.lease().await?;
        let result = lease.run(request).await;
        if result.as_ref().is_err_and(MongoError::is_transient) {
            lease.connection = None;
            self.0.forget_primary();
        }
        result
    }
}

impl SharedClientState {
    /// Returns an idle connection to the primary, or a new connection.
    async fn lease(&self) -> Result<PooledConnection<'_>, MongoError> {
        let permit = timeout(self.settings.selection_timeout, self.permits.acquire()).await;
        let Ok(Ok(permit)) = permit else {
            return Err(MongoError::PoolExhausted { address: self.settings.address(), count: self.settings.pool_size });
        };
        let mut lease = PooledConnection { shared: self, connection: None, _permit: permit };
        lease.connection = Some(match self.idle() {
            Some(connection) => connection,
            None => self.connect().await?,
        });
        Ok(lease)
    }

    /// Removes and returns the last used idle connection, and drops broken connections.
    fn idle(&self) -> Option<MongoConnection> {
        let mut pool = self.pool();
        std::iter::from_fn(|| pool.idle.pop()).find(|connection| connection.is_usable(self.settings.max_idle))
    }

    fn forget_primary(&self) {
        let mut pool = self.pool();
        pool.primary = None;
        pool.idle.clear();
    }

    fn pool(&self) -> MutexGuard<'_, ConnectionPool> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PooledConnection<'_> {
    async fn run(&mut self, request: &CommandRequest<'_>) -> Result<CommandReply, MongoError> {
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
        Ok(CommandReply { body, documents })
    }
}

/// Appends a batch of a cursor to `documents`. Returns the cursor's id and collection, if there are more.
fn read_batch(
    connection: &MongoConnection,
    reply: &BsonDocument,
    name: &str,
    documents: &mut Vec<BsonDocument>,
) -> Result<Option<(i64, String)>, MongoError> {
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

impl Drop for PooledConnection<'_> {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take().filter(|connection| connection.is_usable(None)) {
            let mut pool = self.shared.pool();
            if pool.primary.as_ref() == Some(connection.host()) {
                pool.idle.push(connection);
            }
        }
    }
}
