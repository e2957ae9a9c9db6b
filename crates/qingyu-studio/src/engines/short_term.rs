//! Memories of sessions on a server, with the embedded memory behind it.
//!
//! A value is written to both, so that a session continues while the server is down, and after it is back.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use qingyu_memory::short_term::{ShortTermMemory, StoredShortTerm, TalkEntry};
use qingyu_memory::{Error, Talk};
use serde_json::Value;

use crate::engines::slot::EngineSlot;

/// The memories of sessions on a server.
#[derive(Debug)]
pub(crate) struct ServedShortTerm {
    slot: Arc<EngineSlot<dyn ShortTermMemory>>,
    embedded: StoredShortTerm,
}

impl ServedShortTerm {
    /// Returns the memories on the server of `slot`; nothing is sent yet.
    pub(crate) fn new(slot: Arc<EngineSlot<dyn ShortTermMemory>>, embedded: StoredShortTerm) -> Self {
        Self { slot, embedded }
    }
}

impl ShortTermMemory for ServedShortTerm {
    fn put<'a>(
        &'a self,
        talk: &'a Talk,
        key: &'a str,
        value: Value,
        lifetime: Duration,
    ) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(async move {
            self.embedded.put(talk, key, value.clone(), lifetime).await?;
            self.slot.call_if_up(|server| async move { server.put(talk, key, value, lifetime).await }).await.map(drop)
        })
    }

    fn get<'a>(&'a self, talk: &'a Talk, key: &'a str) -> BoxFuture<'a, Result<Option<Value>, Error>> {
        Box::pin(async move {
            match self.slot.call_if_up(|server| async move { server.get(talk, key).await }).await? {
                Some(Some(found)) => Ok(Some(found)),
                // Written here while the server was down.
                Some(None) | None => self.embedded.get(talk, key).await,
            }
        })
    }

    fn list<'a>(&'a self, talk: &'a Talk) -> BoxFuture<'a, Result<Vec<TalkEntry>, Error>> {
        Box::pin(async move {
            let on_server =
                self.slot.call_if_up(|server| async move { server.list(talk).await }).await?.unwrap_or_default();
            let mut entries = self.embedded.list(talk).await?;
            entries.retain(|own| on_server.iter().all(|other| other.key != own.key));
            entries.extend(on_server);
            entries.sort_by(|a, b| a.key.cmp(&b.key));
            Ok(entries)
        })
    }

    fn forget<'a>(&'a self, talk: &'a Talk, key: &'a str) -> BoxFuture<'a, Result<bool, Error>> {
        Box::pin(async move {
            let here = self.embedded.forget(talk, key).await?;
            let on_server = self.slot.call_if_up(|server| async move { server.forget(talk, key).await }).await?;
            Ok(here || on_server.unwrap_or_default())
        })
    }

    fn forget_talk<'a>(&'a self, talk: &'a Talk) -> BoxFuture<'a, Result<usize, Error>> {
        Box::pin(async move {
            let here = self.embedded.forget_talk(talk).await?;
            let on_server = self.slot.call_if_up(|server| async move { server.forget_talk(talk).await }).await?;
            Ok(here.max(on_server.unwrap_or_default()))
        })
    }
}
