//! In-memory long-term memories.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::FutureExt;
use futures::future::{BoxFuture, ready};

use crate::long_term::{Edit, LongTermMemory, Memory, MemoryFilter, MemoryId, NewMemory};
use crate::{Clock, Error, UserId, clock};

type Rows = BTreeMap<UserId, BTreeMap<MemoryId, Memory>>;

/// An in-memory long-term memory.
#[derive(Debug)]
pub struct VolatileLongTerm {
    clock: Arc<dyn Clock>,
    rows: Mutex<Rows>,
}

impl VolatileLongTerm {
    /// Returns an empty memory. Times are read from `clock`.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, rows: Mutex::default() }
    }

    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn insert(&self, user: &UserId, new: NewMemory) -> Result<Memory, Error> {
        let memory = Memory::new(new, clock::now(&*self.clock))?;
        let mut rows = self.rows();
        let of_user = rows.entry(user.clone()).or_default();
        if of_user.contains_key(&memory.id) {
            return Err(Error::AlreadyThere { id: memory.id.to_string() });
        }
        of_user.insert(memory.id.clone(), memory.clone());
        Ok(memory)
    }

    fn change(&self, user: &UserId, id: &MemoryId, expected: u64, edit: Edit) -> Result<Memory, Error> {
        let mut rows = self.rows();
        let row = rows.get_mut(user).and_then(|rows| rows.get_mut(id));
        let row = row.ok_or_else(|| Error::Unknown { id: id.to_string() })?;
        *row = row.clone().edited(expected, edit, clock::now(&*self.clock))?;
        Ok(row.clone())
    }

    fn passing(&self, user: &UserId, filter: &MemoryFilter) -> Vec<Memory> {
        let rows = self.rows();
        let passing = rows.get(user).into_iter().flat_map(BTreeMap::values).filter(|memory| filter.passes(memory));
        let mut memories: Vec<Memory> = passing.cloned().collect();
        // The map iterates by id, and the sort is stable.
        memories.sort_by_key(|memory| std::cmp::Reverse(memory.changed));
        memories
    }
}

impl LongTermMemory for VolatileLongTerm {
    fn add<'a>(&'a self, user: &'a UserId, new: NewMemory) -> BoxFuture<'a, Result<Memory, Error>> {
        ready(self.insert(user, new)).boxed()
    }

    fn get<'a>(&'a self, user: &'a UserId, id: &'a MemoryId) -> BoxFuture<'a, Result<Option<Memory>, Error>> {
        ready(Ok(self.rows().get(user).and_then(|rows| rows.get(id)).cloned())).boxed()
    }

    fn list<'a>(&'a self, user: &'a UserId, filter: &'a MemoryFilter) -> BoxFuture<'a, Result<Vec<Memory>, Error>> {
        ready(Ok(self.passing(user, filter))).boxed()
    }

    fn edit<'a>(
        &'a self,
        user: &'a UserId,
        id: &'a MemoryId,
        expected: u64,
        edit: Edit,
    ) -> BoxFuture<'a, Result<Memory, Error>> {
        ready(self.change(user, id, expected, edit)).boxed()
    }

    fn restore<'a>(&'a self, user: &'a UserId, memory: &'a Memory) -> BoxFuture<'a, Result<(), Error>> {
        self.rows().entry(user.clone()).or_default().insert(memory.id.clone(), memory.clone());
        ready(Ok(())).boxed()
    }

    fn forget<'a>(&'a self, user: &'a UserId, id: &'a MemoryId) -> BoxFuture<'a, Result<bool, Error>> {
        let gone = self.rows().get_mut(user).and_then(|rows| rows.remove(id));
        ready(Ok(gone.is_some())).boxed()
    }

    fn forget_all<'a>(&'a self, user: &'a UserId) -> BoxFuture<'a, Result<usize, Error>> {
        let gone = self.rows().remove(user);
        ready(Ok(gone.map_or(0, |rows| rows.len()))).boxed()
    }
}
