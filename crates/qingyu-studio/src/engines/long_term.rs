//! Memories of users on a server, with the embedded memory behind it.
//!
//! The server has the memories of all machines; the embedded memory keeps what this machine wrote, answers while the
//! server is down, and hands over its own changes as soon as the server is back.

use std::sync::Arc;

use futures::future::BoxFuture;
use qingyu_memory::long_term::{Edit, LongTermMemory, Memory, MemoryFilter, MemoryId, NewMemory, StoredLongTerm};
use qingyu_memory::{Error, UserId};

use crate::engines::slot::EngineSlot;

/// The memories of users on a server.
#[derive(Debug)]
pub(crate) struct ServedLongTerm {
    slot: Arc<EngineSlot<dyn LongTermMemory>>,
    embedded: Arc<StoredLongTerm>,
}

impl ServedLongTerm {
    /// Returns the memories on the server of `slot`. Marks everything in `embedded` to be handed over, the first time.
    pub(crate) async fn open(
        slot: Arc<EngineSlot<dyn LongTermMemory>>,
        embedded: Arc<StoredLongTerm>,
    ) -> Result<Self, Error> {
        embedded.hand_over(&slot.server).await?;
        Ok(Self { slot, embedded })
    }

    /// Calls the server; `None` if it is down. Hands over the user's pending changes first, so that the server's
    /// answer contains them.
    async fn ask<R, F>(
        &self,
        user: &UserId,
        work: impl FnOnce(Arc<dyn LongTermMemory>) -> F,
    ) -> Result<Option<R>, Error>
    where
        F: Future<Output = Result<R, Error>>,
    {
        if !self.hand_over(user).await? {
            return Ok(None);
        }
        self.slot.call_if_up(work).await
    }

    /// Hands the pending changes of a user to the server; returns whether the server has all of them.
    pub(crate) async fn hand_over(&self, user: &UserId) -> Result<bool, Error> {
        for id in self.embedded.pending(&self.slot.server, user).await? {
            let own = self.embedded.get(user, &id).await?;
            let id = &id;
            let handed = self.slot.call_if_up(|server| async move {
                match own {
                    // Another machine may have changed the memory meanwhile: the later change stays.
                    Some(own) => match server.get(user, &own.id).await?.filter(|other| other.changed > own.changed) {
                        Some(newer) => Ok(Some(newer)),
                        None => server.restore(user, &own).await.map(|()| None),
                    },
                    None => server.forget(user, id).await.map(|_| None),
                }
            });
            let Some(newer) = handed.await? else { return Ok(false) };
            if let Some(newer) = newer {
                self.embedded.restore(user, &newer).await?;
            }
            self.embedded.clear_pending(&self.slot.server, user, id).await?;
        }
        Ok(true)
    }

    /// Hands over the pending changes of all users.
    pub(crate) async fn hand_over_all(&self) -> Result<(), Error> {
        for user in self.embedded.pending_users(&self.slot.server).await? {
            if !self.hand_over(&user).await? {
                break;
            }
        }
        Ok(())
    }

    /// Writes the server's result to the embedded memory.
    async fn mirror(&self, user: &UserId, memory: &Memory) {
        if let Err(error) = self.embedded.restore(user, memory).await {
            tracing::warn!(%error, id = memory.id.as_str(), "memory not mirrored");
        }
    }
}

impl LongTermMemory for ServedLongTerm {
    fn add<'a>(&'a self, user: &'a UserId, new: NewMemory) -> BoxFuture<'a, Result<Memory, Error>> {
        Box::pin(async move {
            let given = new.clone();
            match self.ask(user, |server| async move { server.add(user, given).await }).await? {
                Some(added) => {
                    self.mirror(user, &added).await;
                    Ok(added)
                }
                None => {
                    let added = self.embedded.add(user, new).await?;
                    self.embedded.note_pending(user, &added.id).await?;
                    Ok(added)
                }
            }
        })
    }

    fn get<'a>(&'a self, user: &'a UserId, id: &'a MemoryId) -> BoxFuture<'a, Result<Option<Memory>, Error>> {
        Box::pin(async move {
            match self.ask(user, |server| async move { server.get(user, id).await }).await? {
                Some(found) => Ok(found),
                None => self.embedded.get(user, id).await,
            }
        })
    }

    fn list<'a>(&'a self, user: &'a UserId, filter: &'a MemoryFilter) -> BoxFuture<'a, Result<Vec<Memory>, Error>> {
        Box::pin(async move {
            match self.ask(user, |server| async move { server.list(user, filter).await }).await? {
                Some(found) => Ok(found),
                None => self.embedded.list(user, filter).await,
            }
        })
    }

    fn foremost<'a>(
        &'a self,
        user: &'a UserId,
        filter: &'a MemoryFilter,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Memory>, Error>> {
        Box::pin(async move {
            match self.ask(user, |server| async move { server.foremost(user, filter, limit).await }).await? {
                Some(found) => Ok(found),
                None => self.embedded.foremost(user, filter, limit).await,
            }
        })
    }

    fn edit<'a>(
        &'a self,
        user: &'a UserId,
        id: &'a MemoryId,
        expected: u64,
        edit: Edit,
    ) -> BoxFuture<'a, Result<Memory, Error>> {
        Box::pin(async move {
            let given = edit.clone();
            match self.ask(user, |server| async move { server.edit(user, id, expected, given).await }).await? {
                Some(edited) => {
                    self.mirror(user, &edited).await;
                    Ok(edited)
                }
                None => {
                    let edited = self.embedded.edit(user, id, expected, edit).await?;
                    self.embedded.note_pending(user, id).await?;
                    Ok(edited)
                }
            }
        })
    }

    fn restore<'a>(&'a self, user: &'a UserId, memory: &'a Memory) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(async move {
            self.embedded.restore(user, memory).await?;
            match self.ask(user, |server| async move { server.restore(user, memory).await }).await? {
                Some(()) => Ok(()),
                None => self.embedded.note_pending(user, &memory.id).await,
            }
        })
    }

    fn forget<'a>(&'a self, user: &'a UserId, id: &'a MemoryId) -> BoxFuture<'a, Result<bool, Error>> {
        Box::pin(async move {
            let on_server = self.ask(user, |server| async move { server.forget(user, id).await }).await?;
            if on_server.is_none() {
                self.embedded.note_pending(user, id).await?;
            }
            let here = self.embedded.forget(user, id).await?;
            Ok(on_server.unwrap_or(here))
        })
    }

    fn forget_all<'a>(&'a self, user: &'a UserId) -> BoxFuture<'a, Result<usize, Error>> {
        Box::pin(async move {
            let on_server = self.ask(user, |server| async move { server.forget_all(user).await }).await?;
            if on_server.is_none() {
                for memory in self.embedded.list(user, &MemoryFilter::default()).await? {
                    self.embedded.note_pending(user, &memory.id).await?;
                }
            }
            let here = self.embedded.forget_all(user).await?;
            Ok(on_server.unwrap_or(here))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    use qingyu_db::{Database, Sqlite};
    use qingyu_memory::SystemClock;
    use qingyu_memory::long_term::{Kind, Source, Standing};
    use qingyu_memory::testing::VolatileLongTerm;

    use super::*;
    use crate::engines::report::EnginePart;
    use crate::engines::slot::{Opener, RETRY};

    fn preference(text: &str) -> NewMemory {
        NewMemory {
            kind: Kind::Preference,
            project: None,
            topic: text.into(),
            text: text.into(),
            evidence: Vec::new(),
            source: Source::User,
            standing: Standing::On,
        }
    }

    async fn texts(memory: &dyn LongTermMemory, user: &UserId) -> Vec<String> {
        let found = memory.list(user, &MemoryFilter::default()).await.unwrap();
        let mut texts: Vec<String> = found.into_iter().map(|memory| memory.text).collect();
        texts.sort();
        texts
    }

    async fn texts_with_ids(memory: &dyn LongTermMemory, user: &UserId) -> BTreeMap<String, MemoryId> {
        let found = memory.list(user, &MemoryFilter::default()).await.unwrap();
        found.into_iter().map(|memory| (memory.text, memory.id)).collect()
    }

    /// A server that is off until `is_off` is cleared, and the memories of a machine that uses it.
    struct Machine {
        server: Arc<VolatileLongTerm>,
        is_off: Arc<AtomicBool>,
        embedded: Arc<StoredLongTerm>,
        served: ServedLongTerm,
        user: UserId,
    }

    impl Machine {
        /// Opens the memories while the server is off, with a memory of each of `texts` in the embedded memory.
        async fn offline(texts: &[&str]) -> Self {
            let server = Arc::new(VolatileLongTerm::new(Arc::new(SystemClock)));
            let is_off = Arc::new(AtomicBool::new(true));
            let (of_slot, switch) = (Arc::clone(&server), Arc::clone(&is_off));
            let open: Opener<dyn LongTermMemory> = Arc::new(move || {
                let opened = match switch.load(Ordering::SeqCst) {
                    true => Err("connection refused".to_owned()),
                    false => Ok(Arc::clone(&of_slot) as Arc<dyn LongTermMemory>),
                };
                Box::pin(async move { opened })
            });
            let slot = EngineSlot::new(EnginePart::LongTerm, "Test".into(), Duration::from_secs(1), open);
            let database = Database::Sqlite(Sqlite::in_memory().await.unwrap());
            let embedded = Arc::new(StoredLongTerm::open(database, Arc::new(SystemClock)).await.unwrap());
            let user = UserId::new("local").unwrap();
            for text in texts {
                embedded.add(&user, preference(text)).await.unwrap();
            }
            let served = ServedLongTerm::open(Arc::new(slot), Arc::clone(&embedded)).await.unwrap();
            Self { server, is_off, embedded, served, user }
        }

        /// Starts the server, and lets the pause before the next attempt pass.
        async fn start_server(&self) {
            self.is_off.store(false, Ordering::SeqCst);
            tokio::time::pause();
            tokio::time::advance(RETRY).await;
            tokio::time::resume();
        }

        /// Returns the memories that the server does not have yet.
        async fn pending(&self) -> Vec<MemoryId> {
            self.embedded.pending(&self.served.slot.server, &self.user).await.unwrap()
        }
    }

    #[tokio::test]
    async fn changes_made_while_the_server_is_down_are_handed_over() {
        let machine = Machine::offline(&["before"]).await;
        let Machine { server, served, user, .. } = &machine;

        let away = served.add(user, preference("away")).await.unwrap();
        served.add(user, preference("forgotten")).await.unwrap();
        let gone = served.list(user, &MemoryFilter::default()).await.unwrap();
        let gone = gone.iter().find(|memory| memory.text == "forgotten").unwrap();
        assert!(served.forget(user, &gone.id).await.unwrap());
        assert_eq!(texts(served, user).await, ["away", "before"]);
        assert!(texts(&**server, user).await.is_empty());
        assert_eq!(machine.pending().await.len(), 3, "the deletion waits as well");

        machine.start_server().await;
        assert_eq!(texts(served, user).await, ["away", "before"]);
        assert_eq!(texts(&**server, user).await, ["away", "before"], "filled from the embedded memory");
        assert_eq!(server.get(user, &away.id).await.unwrap(), Some(away));
        assert!(machine.pending().await.is_empty(), "the server has every change");
        server.add(user, preference("of another machine")).await.unwrap();
        assert_eq!(texts(served, user).await.len(), 3);
    }

    #[tokio::test]
    async fn a_memory_deleted_after_its_hand_over_stays_deleted() {
        let machine = Machine::offline(&["before", "kept"]).await;
        let Machine { server, served, user, .. } = &machine;
        machine.start_server().await;
        assert!(served.hand_over(user).await.unwrap());
        assert!(machine.pending().await.is_empty());

        // Another machine deletes the memory; this one still has its copy.
        let before = texts_with_ids(&**server, user).await.remove("before").unwrap();
        assert!(server.forget(user, &before).await.unwrap());
        assert!(served.hand_over(user).await.unwrap());
        served.hand_over_all().await.unwrap();
        assert_eq!(texts(&**server, user).await, ["kept"], "the second hand-over has nothing to hand over");
        assert_eq!(texts(served, user).await, ["kept"]);
    }

    #[tokio::test]
    async fn a_newer_change_of_another_machine_ends_the_hand_over_too() {
        let machine = Machine::offline(&["before"]).await;
        let Machine { server, embedded, served, user, .. } = &machine;
        let own = embedded.list(user, &MemoryFilter::default()).await.unwrap().remove(0);
        let newer = Memory { text: "newer".into(), changed: own.changed + Duration::from_secs(1), ..own };
        server.restore(user, &newer).await.unwrap();
        machine.start_server().await;
        assert!(served.hand_over(user).await.unwrap());
        assert_eq!(texts(&**embedded, user).await, ["newer"]);
        assert!(machine.pending().await.is_empty());
    }
}
