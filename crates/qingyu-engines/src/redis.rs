//! Redis: short-term memory, thrown away by the server.
//!
//! Each value is a key of its own, `qingyu:talk:{user/session}:key`, which Redis ends at its expiry; what a talk has is a
//! set beside it, which lives as long as its longest value. User and session are percent-encoded, so that no name reaches
//! into another, and stand in braces, so that a cluster keeps a talk on one node. Needs Redis 7 (or what speaks like it).

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use qingyu_memory::short_term::{Entry, ShortTermMemory, Talk};
use qingyu_memory::{Clock, Error, clock};
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Cmd, FromRedisValue, Pipeline, RedisError, cmd, pipe};
use serde_json::Value;

const NAME: &str = "Redis";
/// How long a server may take to answer, or to let us in.
const PATIENCE: Duration = Duration::from_secs(5);

/// Remembers on a Redis server. Cheap to clone; clones share one connection, which is made again when it breaks.
#[derive(Clone)]
pub struct RedisShortTerm {
    connection: ConnectionManager,
    address: String,
    prefix: String,
    clock: Arc<dyn Clock>,
}

impl RedisShortTerm {
    /// Connects to `redis://user:password@host:6379/database`; it goes by `clock`.
    ///
    /// Fails with [`Error::Unfit`] if the address cannot be read, which it does not repeat, and with
    /// [`Error::Unreachable`] if nobody answers there.
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

    /// The same with keys that begin with `prefix` instead of `qingyu`, for several studios on one server.
    #[must_use]
    pub fn with_prefix(self, prefix: &str) -> Self {
        Self { prefix: utf8_percent_encode(prefix, NON_ALPHANUMERIC).to_string(), ..self }
    }

    fn names(&self, talk: &Talk) -> Names {
        let plain = |name: &str| utf8_percent_encode(name, NON_ALPHANUMERIC).to_string();
        let talk = format!("{}:talk:{{{}/{}}}", self.prefix, plain(talk.user().as_str()), plain(talk.session()));
        Names { keys: format!("{talk}/keys"), talk }
    }

    async fn ask<T: FromRedisValue>(&self, command: &Cmd) -> Result<T, Error> {
        command.query_async(&mut self.connection.clone()).await.map_err(|error| sorted(&self.address, &error))
    }

    /// All of it or nothing.
    async fn ask_all<T: FromRedisValue>(&self, commands: &Pipeline) -> Result<T, Error> {
        commands.query_async(&mut self.connection.clone()).await.map_err(|error| sorted(&self.address, &error))
    }

    async fn keep(&self, talk: &Talk, entry: &Entry, lifetime: Duration) -> Result<(), Error> {
        let names = self.names(talk);
        let text = serde_json::to_string(entry).expect("an entry is plain data");
        // Rounded up: the clock's expiry is never later than the server's.
        let life = u64::try_from(lifetime.as_micros().div_ceil(1000)).unwrap_or(u64::MAX);
        let mut commands = pipe();
        commands.atomic();
        commands.cmd("SET").arg(names.value(&entry.key)).arg(text).arg("PX").arg(life).ignore();
        commands.cmd("SADD").arg(&names.keys).arg(&entry.key).ignore();
        // A set without an expiry gets one; one that has keeps the later.
        commands.cmd("PEXPIRE").arg(&names.keys).arg(life).arg("NX").ignore();
        commands.cmd("PEXPIRE").arg(&names.keys).arg(life).arg("GT").ignore();
        self.ask_all(&commands).await
    }

    async fn find(&self, talk: &Talk, key: &str) -> Result<Option<Entry>, Error> {
        let text: Option<String> = self.ask(cmd("GET").arg(self.names(talk).value(key))).await?;
        self.living(text.as_deref())
    }

    async fn entries(&self, talk: &Talk) -> Result<Vec<Entry>, Error> {
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
        let living: Result<Vec<Option<Entry>>, Error> = texts.iter().map(|text| self.living(text.as_deref())).collect();
        let mut entries: Vec<Entry> = living?.into_iter().flatten().collect();
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

    /// The entry, unless it is gone by the clock.
    fn living(&self, text: Option<&str>) -> Result<Option<Entry>, Error> {
        let Some(text) = text else { return Ok(None) };
        let entry: Entry = serde_json::from_str(text)
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
            let entry = Entry::new(key, value, lifetime, clock::now(&*self.clock))?;
            self.keep(talk, &entry, lifetime).await
        })
    }

    fn get<'a>(&'a self, talk: &'a Talk, key: &'a str) -> BoxFuture<'a, Result<Option<Value>, Error>> {
        Box::pin(async move { Ok(self.find(talk, key).await?.map(|entry| entry.value)) })
    }

    fn list<'a>(&'a self, talk: &'a Talk) -> BoxFuture<'a, Result<Vec<Entry>, Error>> {
        Box::pin(self.entries(talk))
    }

    fn forget<'a>(&'a self, talk: &'a Talk, key: &'a str) -> BoxFuture<'a, Result<bool, Error>> {
        Box::pin(self.remove(talk, key))
    }

    fn forget_talk<'a>(&'a self, talk: &'a Talk) -> BoxFuture<'a, Result<usize, Error>> {
        Box::pin(self.remove_talk(talk))
    }
}

/// Keeps the password of the address to itself.
impl fmt::Debug for RedisShortTerm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RedisShortTerm").field("address", &self.address).finish_non_exhaustive()
    }
}

/// What the keys of a talk are called.
struct Names {
    talk: String,
    /// The set of its keys.
    keys: String,
}

impl Names {
    /// Where the value of `key` is.
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
