//! Values of talks in the embedded database.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use jiff::Timestamp;
use qingyu_db::Database;
use qingyu_db::sql::{Connection, OptionalExtension};
use serde_json::Value;

use super::interface::{ShortTermMemory, Talk, TalkEntry};
use crate::{Clock, Error, clock, tables};

/// A short-term memory in a SQLite file, which other crates may share.
#[derive(Debug, Clone)]
pub struct StoredShortTerm {
    database: Database,
    clock: Arc<dyn Clock>,
}

impl StoredShortTerm {
    /// Opens the memory in `database` and migrates the tables. Times are read from `clock`.
    pub async fn open(database: Database, clock: Arc<dyn Clock>) -> Result<Self, Error> {
        database.migrate(&tables::MIGRATIONS, &tables::POSTGRES).await?;
        Ok(Self { database, clock })
    }
}

impl ShortTermMemory for StoredShortTerm {
    fn put<'a>(
        &'a self,
        talk: &'a Talk,
        key: &'a str,
        value: Value,
        lifetime: Duration,
    ) -> BoxFuture<'a, Result<(), Error>> {
        async move {
            let now = clock::now(&*self.clock);
            let entry = TalkEntry::new(key, value, lifetime, now)?;
            let talk = talk.clone();
            let job = move |connection: &Connection| {
                // Every write deletes all expired values.
                connection
                    .prepare_cached("DELETE FROM memory_of_talk WHERE expires <= ?1")?
                    .execute([now.as_millisecond()])?;
                connection
                    .prepare_cached(
                        "INSERT INTO memory_of_talk(user_id, session, key, value, expires) VALUES (?1, ?2, ?3, ?4, ?5)
                         ON CONFLICT (user_id, session, key) DO UPDATE SET value = excluded.value, expires = excluded.expires",
                    )?
                    .execute((
                        talk.user().as_str(),
                        talk.session(),
                        &entry.key,
                        entry.value.to_string(),
                        entry.expires.as_millisecond(),
                    ))?;
                Ok(())
            };
            self.database.write(job).await
        }
        .boxed()
    }

    fn get<'a>(&'a self, talk: &'a Talk, key: &'a str) -> BoxFuture<'a, Result<Option<Value>, Error>> {
        let (now, talk, key) = (clock::now(&*self.clock), talk.clone(), key.to_owned());
        let job = move |connection: &Connection| {
            let mut select = connection.prepare_cached(
                "SELECT value FROM memory_of_talk WHERE user_id = ?1 AND session = ?2 AND key = ?3 AND expires > ?4",
            )?;
            let value: Option<String> = select
                .query_row((talk.user().as_str(), talk.session(), &key, now.as_millisecond()), |row| row.get(0))
                .optional()?;
            value.map(|text| read(&key, &text)).transpose()
        };
        self.database.read(job).boxed()
    }

    fn list<'a>(&'a self, talk: &'a Talk) -> BoxFuture<'a, Result<Vec<TalkEntry>, Error>> {
        let (now, talk) = (clock::now(&*self.clock), talk.clone());
        let job = move |connection: &Connection| {
            let mut select = connection.prepare_cached(
                "SELECT key, value, expires FROM memory_of_talk
                 WHERE user_id = ?1 AND session = ?2 AND expires > ?3 ORDER BY key",
            )?;
            let mut rows = select.query((talk.user().as_str(), talk.session(), now.as_millisecond()))?;
            let mut entries = Vec::new();
            while let Some(row) = rows.next()? {
                let (key, value): (String, String) = (row.get(0)?, row.get(1)?);
                let expires = Timestamp::from_millisecond(row.get(2)?)
                    .map_err(|error| Error::BadRow { what: key.clone(), message: error.to_string() })?;
                entries.push(TalkEntry { value: read(&key, &value)?, key, expires });
            }
            Ok(entries)
        };
        self.database.read(job).boxed()
    }

    fn forget<'a>(&'a self, talk: &'a Talk, key: &'a str) -> BoxFuture<'a, Result<bool, Error>> {
        let key = key.to_owned();
        self.delete(talk, Some(key)).map(|gone| gone.map(|count| count > 0)).boxed()
    }

    fn forget_talk<'a>(&'a self, talk: &'a Talk) -> BoxFuture<'a, Result<usize, Error>> {
        self.delete(talk, None).boxed()
    }
}

impl StoredShortTerm {
    /// Deletes one value or all of a talk; returns the number of values that had not expired.
    async fn delete(&self, talk: &Talk, key: Option<String>) -> Result<usize, Error> {
        let (now, talk) = (clock::now(&*self.clock), talk.clone());
        let job = move |connection: &Connection| {
            connection
                .prepare_cached("DELETE FROM memory_of_talk WHERE expires <= ?1")?
                .execute([now.as_millisecond()])?;
            let mut delete = connection.prepare_cached(
                "DELETE FROM memory_of_talk WHERE user_id = ?1 AND session = ?2 AND key = coalesce(?3, key)",
            )?;
            Ok(delete.execute((talk.user().as_str(), talk.session(), key))?)
        };
        self.database.write(job).await
    }
}

fn read(key: &str, text: &str) -> Result<Value, Error> {
    serde_json::from_str(text).map_err(|error| Error::BadRow { what: key.to_owned(), message: error.to_string() })
}
