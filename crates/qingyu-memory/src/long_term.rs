//! Long-term memory: what is known of a user for good.

mod rank;
mod row;
#[cfg(feature = "sqlite")]
mod stored;
mod volatile;

use std::fmt::Debug;

use futures::FutureExt;
use futures::future::BoxFuture;

use crate::{Error, UserId};

pub use rank::{Found, rank};
pub use row::{
    Edit, Evidence, Filter, Kind, LONGEST_TEXT, MOST_EVIDENCE, Memory, MemoryId, NewMemory, Source, Standing, What,
};
#[cfg(feature = "sqlite")]
pub use stored::StoredLongTerm;
pub use volatile::VolatileLongTerm;

/// Remembers what is known of users.
///
/// No method ever gives, changes or counts a memory of another user. A memory's id is made from its kind, project and
/// topic, so that (user, id) is the key of a row and two writers cannot add the same twice. The time is that of the
/// [`Clock`](crate::Clock) an implementation is made with. What a row becomes is decided by [`Memory::new`] and
/// [`Memory::edited`]; an implementation only keeps it. Implementations run `testing::long_term_suite`.
pub trait LongTermMemory: Send + Sync + Debug {
    /// Adds a memory, at revision 1.
    ///
    /// Fails with [`Error::AlreadyThere`] if the user has one of this kind, project and topic, and with
    /// [`Error::Unfit`] as [`Memory::new`] does.
    fn add<'a>(&'a self, user: &'a UserId, new: NewMemory) -> BoxFuture<'a, Result<Memory, Error>>;

    /// The memory with this id, or `None`.
    fn get<'a>(&'a self, user: &'a UserId, id: &'a MemoryId) -> BoxFuture<'a, Result<Option<Memory>, Error>>;

    /// The memories that pass `filter`: last changed first, of those changed at once by id.
    fn list<'a>(&'a self, user: &'a UserId, filter: &'a Filter) -> BoxFuture<'a, Result<Vec<Memory>, Error>>;

    /// The memories that pass `filter`: first those that were seen most often, of those seen as often the last changed, and of
    /// those changed at once by id; at most `limit`.
    ///
    /// Whoever keeps them elsewhere than in memory overrides this, so that what is not given need not be read either.
    fn foremost<'a>(
        &'a self,
        user: &'a UserId,
        filter: &'a Filter,
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

    /// Changes a memory if it still is at revision `expected`; gives it as it is then, one revision further.
    ///
    /// Of two who change the same revision at once, one gets [`Error::Changed`]. Fails with [`Error::Unknown`] if there
    /// is no such memory, and with [`Error::Unfit`] as [`Memory::edited`] does; nothing is changed then.
    fn edit<'a>(
        &'a self,
        user: &'a UserId,
        id: &'a MemoryId,
        expected: u64,
        edit: Edit,
    ) -> BoxFuture<'a, Result<Memory, Error>>;

    /// Forgets a memory; gives whether it was there. The same may be added again and begins anew.
    fn forget<'a>(&'a self, user: &'a UserId, id: &'a MemoryId) -> BoxFuture<'a, Result<bool, Error>>;

    /// Forgets everything of the user; gives how many memories it was.
    fn forget_all<'a>(&'a self, user: &'a UserId) -> BoxFuture<'a, Result<usize, Error>>;

    /// The memories that pass `filter` and share a word with `query`, best first; at most `limit`.
    ///
    /// [`rank`] decides, over what [`list`](Self::list) gives, so that every implementation finds the same. A user has
    /// hundreds of memories, not millions; whoever has more overrides this.
    fn search<'a>(
        &'a self,
        user: &'a UserId,
        query: &'a str,
        filter: &'a Filter,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Found>, Error>> {
        async move { Ok(rank(query, self.list(user, filter).await?, limit)) }.boxed()
    }
}
