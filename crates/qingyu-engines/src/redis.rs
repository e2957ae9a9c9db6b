//! Redis: short-term memory, expired by the server.
//!
//! Each value has a separate key, `qingyu:talk:{user/session}:key`, with an expiry in Redis; the keys of a talk are in
//! a set, which lives as long as the longest value. User and session are percent-encoded, so that no name can run into
//! another, and in braces, so that a cluster stores a talk on a single node. Needs Redis 7 or a compatible server.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use qingyu_memory::short_term::{ShortTermMemory, Talk, TalkEntry};
use qingyu_memory::{Clock, Error, clock};
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Cmd, FromRedisValue, Pipeline, RedisError, cmd, pipe};
use serde_json::Value;

const NAME: &str = "Redis";
/// Timeout of connecting and of a response.
const PATIENCE: Duration = Duration::from_secs(5);

/// A short-term memory on a Redis server. Cheap to clone; clones share a connection, which reconnects automatically.
#[derive(Clone)]
pub struct RedisShortTerm {
    connection: ConnectionManager,
    address: String,
    prefix: String,
    clock: Arc<dyn Clock>,
}

impl RedisShortTerm {
    /// Connects to `redis://user:password@host:6379/database`; times are from `clock`.
    ///
    /// Returns [`Error::Unfit`] for an invalid address, without repeating the address, and [`Error::Unreachable`] if
    /// the server does not respond.
    pub async fn open(url: &str, clock: Arc<dyn Clock>) -> Result<Self, Error> {
        let unfit = |_| Error::Unfit { what: "address of Redis", reason: "it is not redis://host:port".to_owned() };
        let client = redis::Client::open(url).map_err(unfit)?;
        let address = client.get_connection_info().addr().to_string();
        let settings = ConnectionManagerConfig::new()
            .set_number_of_retries(1)
            .set_max_delay(Duration::from_millis(100))
            .set_connection_timeout(Some(PATIENCE))
            .set_response_timeout(Some(PATIENCE));
        let connection = ConnectionManager::new_with_config(client, settings).await;
        let connection = connection.map_err(|error| sorted(&address, &error))?;
        Ok(Self { connection, address, prefix: "qingyu".to_owned(), clock })
    }

    /// Returns the memory with `prefix` as the key prefix instead of the default `qingyu`, for several studios on a
    /// server.
    #[must_use]
    pub fn with_prefix(self, prefix: &str) -> Self {
        Self { prefix: utf8_percent_encode(prefix, NON_ALPHANUMERIC).to_string(), ..self }
    }

    fn names(&self, talk: &Talk) -> TalkKeys {
        let plain = |name: &str| utf8_percent_encode(name, NON_ALPHANUMERIC).to_string();
        let talk = format!("{}:talk:{{{}/{}}}", self.prefix, plain(talk.user().as_str()), plain(talk.session()));
        TalkKeys { keys: format!("{talk}/keys"), talk }
    }

    async fn ask<T: FromRedisValue>(&self, command: &Cmd) -> Result<T, Error> {
        command.query_async(&mut self.connection.clone()).await.map_err(|error| sorted(&self.address, &error))
    }

    /// Runs the commands in a transaction.
    async fn ask_all<T: FromRedisValue>(&self, commands: &Pipeline) -> Result<T, Error> {
        commands.query_async(&mut self.connection.clone()).await.map_err(|error| sorted(&self.address, &error))
    }

    async fn keep(&self, talk: &Talk, entry: &TalkEntry, lifetime: Duration) -> Result<(), Error> {
        let names = self.names(talk);
        let text = serde_json::to_string(entry).expect("an entry is plain data");
        // Rounded up: the clock's expiry is never later than the server's.
        let life = u64::try_from(lifetime.as_micros().div_ceil(1000)).unwrap_or(u64::MAX);
        let mut commands = pipe();
        commands.atomic();
        commands.cmd("SET").arg(names.value(&entry.key)).arg(text).arg("PX").arg(life).ignore();
        commands.cmd("SADD").arg(&names.keys).arg(&entry.key).ignore();
        // A set without an expiry gets the expiry; otherwise the later expiry wins.
        commands.cmd("PEXPIRE").arg(&names.keys).arg(life).arg("NX").ignore();
        commands.cmd("PEXPIRE").arg(&names.keys).arg(life).arg("GT").ignore();
        self.ask_all(&commands).await
    }

    async fn find(&self, talk: &Talk, key: &str) -> Result<Option<TalkEntry>, Error> {
        let text: Option<String> = self.ask(cmd("GET").arg(self.names(talk).value(key))).await?;
        self.living(text.as_deref())
    }

    async fn entries(&self, talk: &Talk) -> Result<Vec<TalkEntry>, Error> {
        let names = self.names(talk);
        let keys: Vec<String> = self.ask(cmd("SMEMBERS").arg(&names.keys)).await?;
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let mut command = cmd("MGET");
        for key in &keys {
            command.arg(names.value(key));
        }
        let texts: Vec<Option<String>> = self.ask(&command).await?;
        let living: Result<Vec<Option<TalkEntry>>, Error> =
            texts.iter().map(|text| self.living(text.as_deref())).collect();
        let mut entries: Vec<TalkEntry> = living?.into_iter().flatten().collect();
        entries.sort_by(|a, b| a.key.cmp(&b.key));
        Ok(entries)
    }

    async fn remove(&self, talk: &Talk, key: &str) -> Result<bool, Error> {
        let names = self.names(talk);
        let mut commands = pipe();
        commands.atomic();
        commands.cmd("GETDEL").arg(names.value(key));
        commands.cmd("SREM").arg(&names.keys).arg(key).ignore();
        let (text,): (Option<String>,) = self.ask_all(&commands).await?;
        Ok(self.living(text.as_deref())?.is_some())
    }

    async fn remove_talk(&self, talk: &Talk) -> Result<usize, Error> {
        let mut gone = 0;
        for entry in self.entries(talk).await? {
            gone += usize::from(self.remove(talk, &entry.key).await?);
        }
        Ok(gone)
    }

    /// Returns the entry, unless expired by the clock.
    fn living(&self, text: Option<&str>) -> Result<Option<TalkEntry>, Error> {
        let Some(text) = text else { return Ok(None) };
        let entry: TalkEntry = serde_json::from_str(text)
            .map_err(|error| Error::BadRow { what: "a value of a talk".to_owned(), message: error.to_string() })?;
        Ok(Some(entry).filter(|entry| !entry.has_expired(clock::now(&*self.clock))))
    }
}

impl ShortTermMemory for RedisShortTerm {
    fn put<'a>(
        &'a self,
        talk: &'a Talk,
        key: &'a str,
        value: Value,
        lifetime: Duration,
    ) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(async move {
            let entry = TalkEntry::new(key, value, lifetime, clock::now(&*self.clock))?;
            self.keep(talk, &entry, lifetime).await
        })
    }

    fn get<'a>(&'a self, talk: &'a Talk, key: &'a str) -> BoxFuture<'a, Result<Option<Value>, Error>> {
        Box::pin(async move { Ok(self.find(talk, key).await?.map(|entry| entry.value)) })
    }

    fn list<'a>(&'a self, talk: &'a Talk) -> BoxFuture<'a, Result<Vec<TalkEntry>, Error>> {
        Box::pin(self.entries(talk))
    }

    fn forget<'a>(&'a self, talk: &'a Talk, key: &'a str) -> BoxFuture<'a, Result<bool, Error>> {
        Box::pin(self.remove(talk, key))
    }

    fn forget_talk<'a>(&'a self, talk: &'a Talk) -> BoxFuture<'a, Result<usize, Error>> {
        Box::pin(self.remove_talk(talk))
    }
}

/// Omits the password of the address.
impl fmt::Debug for RedisShortTerm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RedisShortTerm").field("address", &self.address).finish_non_exhaustive()
    }
}

/// The key names of a talk.
struct TalkKeys {
    talk: String,
    /// The set of the talk's keys.
    keys: String,
}

impl TalkKeys {
    /// Returns the key of the value for `key`.
    fn value(&self, key: &str) -> String {
        format!("{}:{key}", self.talk)
    }
}

fn sorted(address: &str, error: &RedisError) -> Error {
    let reason = format!("{address}: {error}");
    if error.is_io_error() || error.is_timeout() || error.is_connection_dropped() || error.is_connection_refusal() {
        Error::Unreachable { engine: NAME, reason }
    } else {
        Error::Refused { engine: NAME, reason }
    }
}
