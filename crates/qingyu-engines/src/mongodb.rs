//! MongoDB: long-term memory.
//!
//! A memory is a document whose `_id` is user and id, so that the server rejects concurrent duplicate inserts. Fields
//! for queries are beside `body`, the memory as JSON.
//!
//! The protocol is implemented here, as far as needed for memories: commands to the primary of MongoDB 4.4 or newer, as
//! a single server, a replica set or behind `mongos`; SCRAM-SHA-256; TLS with the system's certificate authorities. Not
//! supported are `mongodb+srv://`, other ways to authenticate, compression, sessions and transactions.

mod bson;
mod client;
mod collection;
mod connection;
mod error;
mod message;
mod scram;
mod settings;
mod stream;

use std::fmt;
use std::sync::Arc;

use futures::future::BoxFuture;
use jiff::Timestamp;
use qingyu_memory::long_term::{Edit, LongTermMemory, Memory, MemoryFilter, MemoryId, NewMemory};
use qingyu_memory::{Clock, Error, UserId, clock};

use self::bson::{Bson, BsonDocument, document};
use self::client::MongoClient;
use self::collection::Collection;
use self::error::MongoError;
use self::settings::MongoSettings;

const NAME: &str = "MongoDB";

/// A long-term memory on a MongoDB server. Cheap to clone; clones share a pool of connections.
#[derive(Clone)]
pub struct MongoLongTerm {
    memories: Collection,
    address: String,
    clock: Arc<dyn Clock>,
}

impl MongoLongTerm {
    /// Connects to `mongodb://user:password@host1:27017,host2:27017/?replicaSet=NAME&tls=true`, and creates the index
    /// in `database` if missing. Times are from `clock`.
    ///
    /// Returns [`Error::Unfit`] for an invalid address, without repeating the address, [`Error::Unreachable`] if there
    /// is no writable primary, and [`Error::Refused`] for invalid credentials.
    pub async fn open(url: &str, database: &str, clock: Arc<dyn Clock>) -> Result<Self, Error> {
        let unfit = |reason: String| Error::Unfit { what: "address of MongoDB", reason };
        let settings = MongoSettings::parse(url).map_err(unfit)?;
        let address = settings.address();
        let client = MongoClient::new(settings).map_err(|error| unfit(format!("TLS cannot be used: {error}")))?;
        let memories = Collection::new(client, database, "memory");
        memories.create_index(document! {"user": 1, "changed": -1, "memory": 1}).await.map_err(sorted)?;
        Ok(Self { memories, address, clock })
    }

    fn now(&self) -> Timestamp {
        clock::now(&*self.clock)
    }

    async fn insert(&self, user: &UserId, new: NewMemory) -> Result<Memory, Error> {
        let memory = Memory::new(new, self.now())?;
        match self.memories.insert(document(user, &memory)).await {
            Ok(()) => Ok(memory),
            Err(error) if error.is_duplicate_key() => Err(Error::AlreadyThere { id: memory.id.to_string() }),
            Err(error) => Err(sorted(error)),
        }
    }

    async fn find(&self, user: &UserId, id: &MemoryId) -> Result<Option<Memory>, Error> {
        let found = self.memories.find(key(user, id), BsonDocument::default(), 1).await.map_err(sorted)?;
        found.first().map(read).transpose()
    }

    async fn passing(&self, user: &UserId, filter: &MemoryFilter) -> Result<Vec<Memory>, Error> {
        let mut wanted = document! {"user": user.as_str()};
        if let Some(kind) = filter.kind {
            wanted.insert("kind", kind.name());
        }
        if let Some(active) = filter.active {
            wanted.insert("active", active);
        }
        if let Some(project) = &filter.project {
            wanted.insert("project", document! {"$in": vec![Bson::Null, Bson::from(project.as_str())]});
        }
        let order = document! {"changed": -1, "memory": 1};
        let found = self.memories.find(wanted, order, 0).await.map_err(sorted)?;
        found.iter().map(read).collect()
    }

    /// Replaces the document only at the revision read.
    async fn change(&self, user: &UserId, id: &MemoryId, expected: u64, edit: Edit) -> Result<Memory, Error> {
        let unknown = || Error::Unknown { id: id.to_string() };
        let before = self.find(user, id).await?.ok_or_else(unknown)?;
        let memory = before.edited(expected, edit, self.now())?;
        let mut at_revision = key(user, id);
        at_revision.insert("revision", revision(expected));
        if self.memories.replace(at_revision, document(user, &memory)).await.map_err(sorted)? {
            return Ok(memory);
        }
        let found = self.find(user, id).await?.ok_or_else(unknown)?.revision;
        Err(Error::Changed { id: id.to_string(), expected, found })
    }

    async fn overwrite(&self, user: &UserId, memory: &Memory) -> Result<(), Error> {
        let replace = || self.memories.replace(key(user, &memory.id), document(user, memory));
        if replace().await.map_err(sorted)? {
            return Ok(());
        }
        match self.memories.insert(document(user, memory)).await {
            // A concurrent writer was faster.
            Err(error) if error.is_duplicate_key() => replace().await.map(drop).map_err(sorted),
            inserted => inserted.map_err(sorted),
        }
    }

    async fn delete(&self, which: BsonDocument) -> Result<usize, Error> {
        self.memories.delete(which).await.map_err(sorted)
    }
}

impl LongTermMemory for MongoLongTerm {
    fn add<'a>(&'a self, user: &'a UserId, new: NewMemory) -> BoxFuture<'a, Result<Memory, Error>> {
        Box::pin(self.insert(user, new))
    }

    fn get<'a>(&'a self, user: &'a UserId, id: &'a MemoryId) -> BoxFuture<'a, Result<Option<Memory>, Error>> {
        Box::pin(self.find(user, id))
    }

    fn list<'a>(&'a self, user: &'a UserId, filter: &'a MemoryFilter) -> BoxFuture<'a, Result<Vec<Memory>, Error>> {
        Box::pin(self.passing(user, filter))
    }

    fn edit<'a>(
        &'a self,
        user: &'a UserId,
        id: &'a MemoryId,
        expected: u64,
        edit: Edit,
    ) -> BoxFuture<'a, Result<Memory, Error>> {
        Box::pin(self.change(user, id, expected, edit))
    }

    fn restore<'a>(&'a self, user: &'a UserId, memory: &'a Memory) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(self.overwrite(user, memory))
    }

    fn forget<'a>(&'a self, user: &'a UserId, id: &'a MemoryId) -> BoxFuture<'a, Result<bool, Error>> {
        Box::pin(async move { Ok(self.delete(key(user, id)).await? > 0) })
    }

    fn forget_all<'a>(&'a self, user: &'a UserId) -> BoxFuture<'a, Result<usize, Error>> {
        Box::pin(self.delete(document! {"user": user.as_str()}))
    }
}

/// Omits the password of the address.
impl fmt::Debug for MongoLongTerm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("MongoLongTerm").field("address", &self.address).finish_non_exhaustive()
    }
}

/// Returns the `_id` of a memory, a JSON list, so that no name can run into another.
fn key(user: &UserId, id: &MemoryId) -> BsonDocument {
    document! {"_id": serde_json::json!([user.as_str(), id.as_str()]).to_string()}
}

fn revision(revision: u64) -> i64 {
    i64::try_from(revision).unwrap_or(i64::MAX)
}

fn document(user: &UserId, memory: &Memory) -> BsonDocument {
    let mut document = key(user, &memory.id);
    document.extend(document! {
        "user": user.as_str(),
        "memory": memory.id.as_str(),
        "kind": memory.kind.name(),
        "project": memory.project.as_deref().map_or(Bson::Null, Bson::from),
        "active": memory.standing.is_active(),
        "changed": memory.changed.as_millisecond(),
        "revision": revision(memory.revision),
        "body": serde_json::to_string(memory).expect("a memory is plain data"),
    });
    document
}

fn read(document: &BsonDocument) -> Result<Memory, Error> {
    let bad = |message: String| Error::BadRow { what: "a memory".to_owned(), message };
    let body = document.str("body").ok_or_else(|| bad("it has no body".to_owned()))?;
    serde_json::from_str(body).map_err(|error| bad(error.to_string()))
}

/// Maps an error of the client to an error of the memory.
#[expect(clippy::needless_pass_by_value, reason = "it is passed to map_err")]
fn sorted(error: MongoError) -> Error {
    let reason = error.to_string();
    if error.is_unreachable() {
        Error::Unreachable { engine: NAME, reason }
    } else {
        Error::Refused { engine: NAME, reason }
    }
}
