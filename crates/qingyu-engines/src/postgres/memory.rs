//! Long-term memory of users on a PostgreSQL server.

use std::sync::Arc;

use futures::future::BoxFuture;
use jiff::Timestamp;
use qingyu_db::Postgres;
use qingyu_memory::long_term::{Edit, Kind, LongTermMemory, Memory, MemoryFilter, MemoryId, NewMemory};
use qingyu_memory::{Clock, Error, UserId, clock};
use tokio_postgres::types::ToSql;

use super::server::MIGRATIONS;

/// A long-term memory on a PostgreSQL server.
#[derive(Debug, Clone)]
pub struct PostgresLongTerm {
    postgres: Postgres,
    clock: Arc<dyn Clock>,
}

impl PostgresLongTerm {
    /// Creates the table, or migrates the table of an earlier release. Times are from `clock`.
    pub async fn open(postgres: Postgres, clock: Arc<dyn Clock>) -> Result<Self, Error> {
        postgres.migrate(&MIGRATIONS).await?;
        Ok(Self { postgres, clock })
    }

    fn now(&self) -> Timestamp {
        clock::now(&*self.clock)
    }

    async fn insert(&self, user: &UserId, new: NewMemory) -> Result<Memory, Error> {
        let memory = Memory::new(new, self.now())?;
        let client = self.postgres.client().await?;
        let insert = "INSERT INTO memory(user_id, id, kind, project, active, changed, revision, body)
             VALUES ($1, $2, $3, $4, $5, $6, 1, $7) ON CONFLICT DO NOTHING";
        let (active, changed) = (memory.standing.is_active(), memory.changed.as_millisecond());
        let (kind, project) = (memory.kind.name(), memory.project.as_deref());
        let (id, body) = (memory.id.as_str(), body(&memory));
        let added = client.execute(insert, &[&user.as_str(), &id, &kind, &project, &active, &changed, &body]).await;
        match added.map_err(refused)? {
            0 => Err(Error::AlreadyThere { id: memory.id.to_string() }),
            _ => Ok(memory),
        }
    }

    async fn find(&self, user: &UserId, id: &MemoryId) -> Result<Option<Memory>, Error> {
        let client = self.postgres.client().await?;
        let select = "SELECT id, body FROM memory WHERE user_id = $1 AND id = $2";
        let row = client.query_opt(select, &[&user.as_str(), &id.as_str()]).await.map_err(refused)?;
        row.map(|row| read(row.get(0), row.get(1))).transpose()
    }

    async fn passing(&self, user: &UserId, filter: &MemoryFilter) -> Result<Vec<Memory>, Error> {
        let client = self.postgres.client().await?;
        let select = "SELECT id, body FROM memory
             WHERE user_id = $1 AND kind = coalesce($2, kind) AND active = coalesce($3, active)
               AND ($4::text IS NULL OR project IS NULL OR project = $4)
             ORDER BY changed DESC, id";
        let (kind, project) = (filter.kind.map(Kind::name), filter.project.as_deref());
        let rows = client.query(select, &[&user.as_str(), &kind, &filter.active, &project]).await.map_err(refused)?;
        rows.iter().map(|row| read(row.get(0), row.get(1))).collect()
    }

    async fn change(&self, user: &UserId, id: &MemoryId, expected: u64, edit: Edit) -> Result<Memory, Error> {
        let mut client = self.postgres.client().await?;
        let tx = client.transaction().await.map_err(refused)?;
        // A concurrent caller blocks here, and then sees another revision.
        let select = "SELECT id, body FROM memory WHERE user_id = $1 AND id = $2 FOR UPDATE";
        let row = tx.query_opt(select, &[&user.as_str(), &id.as_str()]).await.map_err(refused)?;
        let row = row.ok_or_else(|| Error::Unknown { id: id.to_string() })?;
        let memory = read(row.get(0), row.get(1))?.edited(expected, edit, self.now())?;
        let update = "UPDATE memory SET active = $3, changed = $4, revision = $5, body = $6
             WHERE user_id = $1 AND id = $2";
        let revision = i64::try_from(memory.revision).unwrap_or(i64::MAX);
        let (active, changed) = (memory.standing.is_active(), memory.changed.as_millisecond());
        let body = body(&memory);
        let updated = tx.execute(update, &[&user.as_str(), &id.as_str(), &active, &changed, &revision, &body]).await;
        updated.map_err(refused)?;
        tx.commit().await.map_err(refused)?;
        Ok(memory)
    }

    async fn overwrite(&self, user: &UserId, memory: &Memory) -> Result<(), Error> {
        let client = self.postgres.client().await?;
        let insert = "INSERT INTO memory(user_id, id, kind, project, active, changed, revision, body)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
             ON CONFLICT (user_id, id) DO UPDATE SET active = excluded.active, changed = excluded.changed,
                 revision = excluded.revision, body = excluded.body";
        let (active, changed) = (memory.standing.is_active(), memory.changed.as_millisecond());
        let (kind, project) = (memory.kind.name(), memory.project.as_deref());
        let revision = i64::try_from(memory.revision).unwrap_or(i64::MAX);
        let (user, id, body) = (user.as_str(), memory.id.as_str(), body(memory));
        let values: [&(dyn ToSql + Sync); 8] = [&user, &id, &kind, &project, &active, &changed, &revision, &body];
        client.execute(insert, &values).await.map(drop).map_err(refused)
    }

    /// Deletes a memory, by default all memories of the user.
    async fn delete(&self, user: &UserId, id: Option<&MemoryId>) -> Result<usize, Error> {
        let client = self.postgres.client().await?;
        let delete = "DELETE FROM memory WHERE user_id = $1 AND id = coalesce($2, id)";
        let gone = client.execute(delete, &[&user.as_str(), &id.map(MemoryId::as_str)]).await.map_err(refused)?;
        Ok(usize::try_from(gone).unwrap_or(usize::MAX))
    }
}

impl LongTermMemory for PostgresLongTerm {
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
        Box::pin(async move { Ok(self.delete(user, Some(id)).await? > 0) })
    }

    fn forget_all<'a>(&'a self, user: &'a UserId) -> BoxFuture<'a, Result<usize, Error>> {
        Box::pin(self.delete(user, None))
    }
}

fn refused(error: tokio_postgres::Error) -> Error {
    Error::Database(error.into())
}

fn body(memory: &Memory) -> String {
    serde_json::to_string(memory).expect("a memory is plain data")
}

fn read(id: &str, text: &str) -> Result<Memory, Error> {
    serde_json::from_str(text)
        .map_err(|error| Error::BadRow { what: format!("memory {id}"), message: error.to_string() })
}
