//! Long-term memories in the embedded database.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_db::sql::{Connection, OptionalExtension};
use qingyu_db::{Database, SqlMigrations};

use super::interface::LongTermMemory;
use super::row::{Edit, Memory, MemoryFilter, MemoryId, NewMemory};
use crate::{Clock, Error, UserId, clock, tables};

/// A long-term memory in a SQLite file, which other crates may share.
#[derive(Debug, Clone)]
pub struct StoredLongTerm {
    database: Database,
    clock: Arc<dyn Clock>,
}

impl StoredLongTerm {
    /// The migrations of the tables.
    pub const MIGRATIONS: SqlMigrations = tables::MIGRATIONS;

    /// Opens the memory in `database` and migrates the tables. Times are read from `clock`.
    pub async fn open(database: Database, clock: Arc<dyn Clock>) -> Result<Self, Error> {
        database.migrate(&Self::MIGRATIONS, &tables::POSTGRES).await?;
        Ok(Self { database, clock })
    }

    pub(super) fn database(&self) -> &Database {
        &self.database
    }

    /// Returns the memories that pass, in the given order, at most `limit`.
    fn select(
        &self,
        user: &UserId,
        filter: &MemoryFilter,
        order: &'static str,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Memory>, Error>> {
        let (user, filter) = (user.clone(), filter.clone());
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let job = move |connection: &Connection| {
            let mut select = connection.prepare_cached(&format!(
                "SELECT id, body FROM memory
                 WHERE user_id = ?1 AND kind = coalesce(?2, kind) AND active = coalesce(?3, active)
                   AND (CAST(?4 AS text) IS NULL OR project IS NULL OR project = ?4)
                 {order} LIMIT ?5"
            ))?;
            let kind = filter.kind.map(super::Kind::name);
            let mut rows = select.query((user.as_str(), kind, filter.active, filter.project.as_deref(), limit))?;
            let mut memories = Vec::new();
            while let Some(row) = rows.next()? {
                memories.push(read(&row.get::<_, String>(0)?, &row.get::<_, String>(1)?)?);
            }
            Ok(memories)
        };
        self.database.read(job).boxed()
    }
}

impl LongTermMemory for StoredLongTerm {
    fn add<'a>(&'a self, user: &'a UserId, new: NewMemory) -> BoxFuture<'a, Result<Memory, Error>> {
        async move {
            let memory = Memory::new(new, clock::now(&*self.clock))?;
            let user = user.clone();
            self.database.write(move |connection| insert(connection, &user, memory)).await
        }
        .boxed()
    }

    fn get<'a>(&'a self, user: &'a UserId, id: &'a MemoryId) -> BoxFuture<'a, Result<Option<Memory>, Error>> {
        let (user, id) = (user.clone(), id.clone());
        self.database.read(move |connection| find(connection, &user, &id)).boxed()
    }

    fn list<'a>(&'a self, user: &'a UserId, filter: &'a MemoryFilter) -> BoxFuture<'a, Result<Vec<Memory>, Error>> {
        self.select(user, filter, "ORDER BY changed DESC, id", usize::MAX)
    }

    fn foremost<'a>(
        &'a self,
        user: &'a UserId,
        filter: &'a MemoryFilter,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Memory>, Error>> {
        self.select(user, filter, "ORDER BY seen DESC, changed DESC, id", limit)
    }

    fn edit<'a>(
        &'a self,
        user: &'a UserId,
        id: &'a MemoryId,
        expected: u64,
        edit: Edit,
    ) -> BoxFuture<'a, Result<Memory, Error>> {
        let (user, id, now) = (user.clone(), id.clone(), clock::now(&*self.clock));
        let job = move |connection: &Connection| {
            // Locked, so that no concurrent writer comes between the read and the write.
            connection.lock(id.as_str())?;
            let memory = find(connection, &user, &id)?.ok_or_else(|| Error::Unknown { id: id.to_string() })?;
            let memory = memory.edited(expected, edit, now)?;
            put(connection, &user, &memory)?;
            Ok(memory)
        };
        self.database.write(job).boxed()
    }

    fn restore<'a>(&'a self, user: &'a UserId, memory: &'a Memory) -> BoxFuture<'a, Result<(), Error>> {
        let (user, memory) = (user.clone(), memory.clone());
        let job = move |connection: &Connection| put(connection, &user, &memory);
        self.database.write(job).boxed()
    }

    fn forget<'a>(&'a self, user: &'a UserId, id: &'a MemoryId) -> BoxFuture<'a, Result<bool, Error>> {
        let (user, id) = (user.clone(), id.clone());
        let job = move |connection: &Connection| {
            let mut delete = connection.prepare_cached("DELETE FROM memory WHERE user_id = ?1 AND id = ?2")?;
            Ok(delete.execute((user.as_str(), id.as_str()))? > 0)
        };
        self.database.write(job).boxed()
    }

    fn forget_all<'a>(&'a self, user: &'a UserId) -> BoxFuture<'a, Result<usize, Error>> {
        let user = user.clone();
        let job = move |connection: &Connection| {
            Ok(connection.prepare_cached("DELETE FROM memory WHERE user_id = ?1")?.execute([user.as_str()])?)
        };
        self.database.write(job).boxed()
    }
}

fn insert(connection: &Connection, user: &UserId, memory: Memory) -> Result<Memory, Error> {
    let mut insert = connection.prepare_cached(
        "INSERT INTO memory(user_id, id, kind, project, active, changed, revision, body, seen)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, ?7, ?8) ON CONFLICT DO NOTHING",
    )?;
    let added = insert.execute((
        user.as_str(),
        memory.id.as_str(),
        memory.kind.name(),
        memory.project.as_deref(),
        memory.standing.is_active(),
        memory.changed.as_millisecond(),
        body(&memory),
        memory.count,
    ))?;
    if added == 0 { Err(Error::AlreadyThere { id: memory.id.to_string() }) } else { Ok(memory) }
}

/// Inserts a memory, or replaces the memory with the same id.
fn put(connection: &Connection, user: &UserId, memory: &Memory) -> Result<(), Error> {
    let mut put = connection.prepare_cached(
        "INSERT INTO memory(user_id, id, kind, project, active, changed, revision, body, seen)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
         ON CONFLICT (user_id, id) DO UPDATE SET active = excluded.active, changed = excluded.changed,
             revision = excluded.revision, body = excluded.body, seen = excluded.seen",
    )?;
    put.execute((
        user.as_str(),
        memory.id.as_str(),
        memory.kind.name(),
        memory.project.as_deref(),
        memory.standing.is_active(),
        memory.changed.as_millisecond(),
        i64::try_from(memory.revision).unwrap_or(i64::MAX),
        body(memory),
        memory.count,
    ))?;
    Ok(())
}

fn find(connection: &Connection, user: &UserId, id: &MemoryId) -> Result<Option<Memory>, Error> {
    let mut select = connection.prepare_cached("SELECT body FROM memory WHERE user_id = ?1 AND id = ?2")?;
    let found: Option<String> = select.query_row((user.as_str(), id.as_str()), |row| row.get(0)).optional()?;
    found.map(|text| read(id.as_str(), &text)).transpose()
}

fn body(memory: &Memory) -> String {
    serde_json::to_string(memory).expect("a memory is plain data")
}

fn read(id: &str, text: &str) -> Result<Memory, Error> {
    serde_json::from_str(text)
        .map_err(|error| Error::BadRow { what: format!("memory {id}"), message: error.to_string() })
}
