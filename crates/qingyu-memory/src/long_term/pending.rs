//! Changes of the embedded memory that a server does not have yet.

use qingyu_db::sql::Connection;

use super::row::MemoryId;
use super::stored::StoredLongTerm;
use crate::{Error, UserId};

impl StoredLongTerm {
    /// Marks all memories of all users as pending for the server `place`, the first time that `place` is given.
    pub async fn hand_over(&self, place: &str) -> Result<(), Error> {
        let place = place.to_owned();
        let job = move |connection: &Connection| {
            connection.lock(&place)?;
            let insert = "INSERT INTO memory_place(place) VALUES (?1) ON CONFLICT DO NOTHING";
            if connection.prepare_cached(insert)?.execute([&place])? > 0 {
                let all = "INSERT INTO memory_pending(place, user_id, id) SELECT ?1, user_id, id FROM memory
                     WHERE user_id IS NOT NULL ON CONFLICT DO NOTHING";
                connection.prepare_cached(all)?.execute([&place])?;
            }
            Ok(())
        };
        self.database().write(job).await
    }

    /// Marks a memory of `user` as changed or deleted here, but not at any of the known servers.
    pub async fn note_pending(&self, user: &UserId, id: &MemoryId) -> Result<(), Error> {
        let (user, id) = (user.clone(), id.clone());
        let job = move |connection: &Connection| {
            // SQLite takes an `ON` right after a table for the condition of a join.
            let insert = "INSERT INTO memory_pending(place, user_id, id) SELECT place, ?1, ?2 FROM memory_place
                 WHERE place IS NOT NULL ON CONFLICT DO NOTHING";
            connection.prepare_cached(insert)?.execute((user.as_str(), id.as_str()))?;
            Ok(())
        };
        self.database().write(job).await
    }

    /// Removes the mark: the server has the change.
    pub async fn clear_pending(&self, place: &str, user: &UserId, id: &MemoryId) -> Result<(), Error> {
        let (place, user, id) = (place.to_owned(), user.clone(), id.clone());
        let job = move |connection: &Connection| {
            let delete = "DELETE FROM memory_pending WHERE place = ?1 AND user_id = ?2 AND id = ?3";
            connection.prepare_cached(delete)?.execute((&place, user.as_str(), id.as_str()))?;
            Ok(())
        };
        self.database().write(job).await
    }

    /// Returns the memories of `user` with a mark, sorted.
    pub async fn pending(&self, place: &str, user: &UserId) -> Result<Vec<MemoryId>, Error> {
        let (place, user) = (place.to_owned(), user.clone());
        let job = move |connection: &Connection| {
            let select = "SELECT id FROM memory_pending WHERE place = ?1 AND user_id = ?2 ORDER BY id";
            let mut select = connection.prepare_cached(select)?;
            let rows = select.query_map((&place, user.as_str()), |row| row.get::<_, String>(0))?;
            let ids: Vec<String> = rows.collect::<Result<_, _>>()?;
            Ok(ids.iter().filter_map(|id| MemoryId::parse(id)).collect())
        };
        self.database().read(job).await
    }

    /// Returns the users with a mark, sorted.
    pub async fn pending_users(&self, place: &str) -> Result<Vec<UserId>, Error> {
        let place = place.to_owned();
        let job = move |connection: &Connection| {
            let select = "SELECT DISTINCT user_id FROM memory_pending WHERE place = ?1 ORDER BY user_id";
            let mut select = connection.prepare_cached(select)?;
            let rows = select.query_map([&place], |row| row.get::<_, String>(0))?;
            let users: Vec<String> = rows.collect::<Result<_, _>>()?;
            users.iter().map(|user| UserId::new(user)).collect()
        };
        self.database().read(job).await
    }
}
