//! The interface of a long-term memory.

use std::fmt::Debug;

use futures::FutureExt;
use futures::future::BoxFuture;

use super::rank::{MemoryMatch, rank};
use super::row::{Edit, Memory, MemoryFilter, MemoryId, NewMemory};
use crate::error::Error;
use crate::name::UserId;

/// A store of long-term memories of users.
///
/// No method ever returns, changes or counts a memory of another user. A memory's id is derived from kind, project and
/// topic, so that (user, id) is the key of a row and concurrent writers cannot insert a duplicate. The time is read
/// from the [`Clock`](crate::Clock) of the implementation. [`Memory::new`] and [`Memory::edited`] compute the rows; an
/// implementation only stores them. Implementations run `testing::long_term_suite`.
pub trait LongTermMemory: Send + Sync + Debug {
    /// Inserts a memory, at revision 1.
    ///
    /// Fails with [`Error::AlreadyThere`] for a duplicate kind, project and topic of the user, and with
    /// [`Error::Unfit`] as [`Memory::new`] does.
    fn add<'a>(&'a self, user: &'a UserId, new: NewMemory) -> BoxFuture<'a, Result<Memory, Error>>;

    /// Returns the memory with the given id, or `None`.
    fn get<'a>(&'a self, user: &'a UserId, id: &'a MemoryId) -> BoxFuture<'a, Result<Option<Memory>, Error>>;

    /// Returns the memories that pass `filter`: last changed first, then by id.
    fn list<'a>(&'a self, user: &'a UserId, filter: &'a MemoryFilter) -> BoxFuture<'a, Result<Vec<Memory>, Error>>;

    /// Returns the memories that pass `filter`: highest count first, then last changed, then by id; at most `limit`.
    ///
    /// Implementations with a database override the default, to fetch only the returned rows.
    fn foremost<'a>(
        &'a self,
        user: &'a UserId,
        filter: &'a MemoryFilter,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Memory>, Error>> {
        async move {
            let mut memories = self.list(user, filter).await?;
            // The sort is stable.
            memories.sort_by_key(|memory| std::cmp::Reverse(memory.count));
            memories.truncate(limit);
            Ok(memories)
        }
        .boxed()
    }

    /// Edits a memory if still at revision `expected`; returns the new memory, one revision further.
    ///
    /// Of two concurrent edits of the same revision, one fails with [`Error::Changed`]. Fails with [`Error::Unknown`]
    /// if there is no such memory, and with [`Error::Unfit`] as [`Memory::edited`] does; nothing is changed then.
    fn edit<'a>(
        &'a self,
        user: &'a UserId,
        id: &'a MemoryId,
        expected: u64,
        edit: Edit,
    ) -> BoxFuture<'a, Result<Memory, Error>>;

    /// Stores a memory as it is, with its times and revision, over an existing memory of the same id: for copies
    /// between memories.
    fn restore<'a>(&'a self, user: &'a UserId, memory: &'a Memory) -> BoxFuture<'a, Result<(), Error>>;

    /// Deletes a memory; returns whether the memory existed. The same memory may be inserted again and starts over.
    fn forget<'a>(&'a self, user: &'a UserId, id: &'a MemoryId) -> BoxFuture<'a, Result<bool, Error>>;

    /// Deletes all memories of the user; returns the number.
    fn forget_all<'a>(&'a self, user: &'a UserId) -> BoxFuture<'a, Result<usize, Error>>;

    /// Returns the memories that pass `filter` and share a word with `query`, best first; at most `limit`.
    ///
    /// By default [`rank`] sorts the result of [`list`](Self::list), so that every implementation returns the same. A
    /// user has hundreds of memories, not millions; implementations for more override the default.
    fn search<'a>(
        &'a self,
        user: &'a UserId,
        query: &'a str,
        filter: &'a MemoryFilter,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<MemoryMatch>, Error>> {
        async move { Ok(rank(query, self.list(user, filter).await?, limit)) }.boxed()
    }
}
