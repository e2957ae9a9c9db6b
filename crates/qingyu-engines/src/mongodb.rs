//! MongoDB: long-term memory.
//!
//! A memory is a document whose `_id` is its user and its id, so that the server itself keeps two writers from adding the
//! same twice. What is asked for stands beside `body`, the memory as JSON.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures::TryStreamExt;
use futures::future::BoxFuture;
use jiff::Timestamp;
use mongodb::bson::{Bson, Document, doc};
use mongodb::error::{Error as MongoError, ErrorKind, WriteFailure};
use mongodb::options::ClientOptions;
use mongodb::{Client, Collection, IndexModel};
use qingyu_memory::long_term::{Edit, Filter, LongTermMemory, Memory, MemoryId, NewMemory};
use qingyu_memory::{Clock, Error, UserId, clock};

const NAME: &str = "MongoDB";
/// How long a server may take to be found, or to let us in.
const PATIENCE: Duration = Duration::from_secs(5);
/// The code of a key that is there already.
const DUPLICATE: i32 = 11000;

/// Remembers on a MongoDB server. Cheap to clone; clones share a pool of connections.
#[derive(Clone)]
pub struct MongoLongTerm {
    memories: Collection<Document>,
    address: String,
    clock: Arc<dyn Clock>,
}

impl MongoLongTerm {
    /// Connects to `mongodb://user:password@host:27017/`, and makes the index in `database` if it is not there. It goes by
    /// `clock`.
    ///
    /// Fails with [`Error::Unfit`] if the address cannot be read, which it does not repeat, and with
    /// [`Error::Unreachable`] if nobody answers there.
    pub async fn open(url: &str, database: &str, clock: Arc<dyn Clock>) -> Result<Self, Error> {
        let unfit =
            |_| Error::Unfit { what: "address of MongoDB", reason: "it is not mongodb://host:port/".to_owned() };
        let mut options = ClientOptions::parse(url).await.map_err(unfit)?;
        options.server_selection_timeout.get_or_insert(PATIENCE);
        options.connect_timeout.get_or_insert(PATIENCE);
        options.app_name.get_or_insert_with(|| "qingyu".to_owned());
        let address = options.hosts.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        let client = Client::with_options(options).map_err(|error| sorted(&address, &error))?;
        let memories = client.database(database).collection("memory");
        let mongo = Self { memories, address, clock };
        let index = IndexModel::builder().keys(doc! {"user": 1, "changed": -1, "memory": 1}).build();
        mongo.memories.create_index(index).await.map_err(|error| mongo.sorted(&error))?;
        Ok(mongo)
    }

    fn now(&self) -> Timestamp {
        clock::now(&*self.clock)
    }

    fn sorted(&self, error: &MongoError) -> Error {
        sorted(&self.address, error)
    }

    async fn insert(&self, user: &UserId, new: NewMemory) -> Result<Memory, Error> {
        let memory = Memory::new(new, self.now())?;
        match self.memories.insert_one(document(user, &memory)).await {
            Ok(_) => Ok(memory),
            Err(error) if is_duplicate(&error) => Err(Error::AlreadyThere { id: memory.id.to_string() }),
            Err(error) => Err(self.sorted(&error)),
        }
    }

    async fn find(&self, user: &UserId, id: &MemoryId) -> Result<Option<Memory>, Error> {
        let found = self.memories.find_one(key(user, id)).await.map_err(|error| self.sorted(&error))?;
        found.as_ref().map(read).transpose()
    }

    async fn passing(&self, user: &UserId, filter: &Filter) -> Result<Vec<Memory>, Error> {
        let mut wanted = doc! {"user": user.as_str()};
        if let Some(kind) = filter.kind {
            wanted.insert("kind", kind.name());
        }
        if let Some(active) = filter.active {
            wanted.insert("active", active);
        }
        if let Some(project) = &filter.project {
            wanted.insert("project", doc! {"$in": [Bson::Null, Bson::from(project.as_str())]});
        }
        let order = doc! {"changed": -1, "memory": 1};
        let found = self.memories.find(wanted).sort(order).await.map_err(|error| self.sorted(&error))?;
        let found: Vec<Document> = found.try_collect().await.map_err(|error| self.sorted(&error))?;
        found.iter().map(read).collect()
    }

    /// The document is replaced only if it is at the revision that was read.
    async fn change(&self, user: &UserId, id: &MemoryId, expected: u64, edit: Edit) -> Result<Memory, Error> {
        let unknown = || Error::Unknown { id: id.to_string() };
        let before = self.find(user, id).await?.ok_or_else(unknown)?;
        let memory = before.edited(expected, edit, self.now())?;
        let mut at_revision = key(user, id);
        at_revision.insert("revision", revision(expected));
        let replaced = self.memories.replace_one(at_revision, document(user, &memory)).await;
        if replaced.map_err(|error| self.sorted(&error))?.matched_count == 1 {
            return Ok(memory);
        }
        let found = self.find(user, id).await?.ok_or_else(unknown)?.revision;
        Err(Error::Changed { id: id.to_string(), expected, found })
    }

    async fn delete(&self, which: Document) -> Result<usize, Error> {
        let gone = self.memories.delete_many(which).await.map_err(|error| self.sorted(&error))?;
        Ok(usize::try_from(gone.deleted_count).unwrap_or(usize::MAX))
    }
}

impl LongTermMemory for MongoLongTerm {
    fn add<'a>(&'a self, user: &'a UserId, new: NewMemory) -> BoxFuture<'a, Result<Memory, Error>> {
        Box::pin(self.insert(user, new))
    }

    fn get<'a>(&'a self, user: &'a UserId, id: &'a MemoryId) -> BoxFuture<'a, Result<Option<Memory>, Error>> {
        Box::pin(self.find(user, id))
    }

    fn list<'a>(&'a self, user: &'a UserId, filter: &'a Filter) -> BoxFuture<'a, Result<Vec<Memory>, Error>> {
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

    fn forget<'a>(&'a self, user: &'a UserId, id: &'a MemoryId) -> BoxFuture<'a, Result<bool, Error>> {
        Box::pin(async move { Ok(self.delete(key(user, id)).await? > 0) })
    }

    fn forget_all<'a>(&'a self, user: &'a UserId) -> BoxFuture<'a, Result<usize, Error>> {
        Box::pin(self.delete(doc! {"user": user.as_str()}))
    }
}

/// Keeps the password of the address to itself.
impl fmt::Debug for MongoLongTerm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("MongoLongTerm").field("address", &self.address).finish_non_exhaustive()
    }
}

/// The `_id` of a memory. A list in JSON, so that no name reaches into another.
fn key(user: &UserId, id: &MemoryId) -> Document {
    doc! {"_id": serde_json::json!([user.as_str(), id.as_str()]).to_string()}
}

fn revision(revision: u64) -> i64 {
    i64::try_from(revision).unwrap_or(i64::MAX)
}

fn document(user: &UserId, memory: &Memory) -> Document {
    let mut document = key(user, &memory.id);
    document.extend(doc! {
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

fn read(document: &Document) -> Result<Memory, Error> {
    let bad = |message: String| Error::BadRow { what: "a memory".to_owned(), message };
    let body = document.get_str("body").map_err(|error| bad(error.to_string()))?;
    serde_json::from_str(body).map_err(|error| bad(error.to_string()))
}

fn is_duplicate(error: &MongoError) -> bool {
    matches!(&*error.kind, ErrorKind::Write(WriteFailure::WriteError(error)) if error.code == DUPLICATE)
}

fn sorted(address: &str, error: &MongoError) -> Error {
    let reason = format!("{address}: {error}");
    let is_away = matches!(
        &*error.kind,
        ErrorKind::Io(_) | ErrorKind::ServerSelection { .. } | ErrorKind::ConnectionPoolCleared { .. }
    );
    if is_away { Error::Unreachable { engine: NAME, reason } } else { Error::Refused { engine: NAME, reason } }
}
