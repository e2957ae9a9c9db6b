//! Event streams by key: a stream ends once its key becomes invalid.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio_util::sync::CancellationToken;

/// The keys with open event streams.
#[derive(Debug, Default)]
pub(crate) struct KeyListeners {
    open: Mutex<HashMap<String, Weak<CancellationToken>>>,
}

/// A registration of an event stream, removed on drop.
#[derive(Debug, Clone)]
pub(crate) struct KeyListener(Arc<CancellationToken>);

impl KeyListeners {
    /// Registers an event stream of `key`.
    pub(crate) fn open(&self, key: &str) -> KeyListener {
        let mut open = self.locked();
        if let Some(ear) = open.get(key).and_then(Weak::upgrade) {
            return KeyListener(ear);
        }
        let ear = Arc::new(CancellationToken::new());
        open.insert(key.to_owned(), Arc::downgrade(&ear));
        KeyListener(ear)
    }

    /// Returns the keys with open event streams.
    pub(crate) fn keys(&self) -> Vec<String> {
        let mut open = self.locked();
        open.retain(|_, ear| ear.strong_count() > 0);
        open.keys().cloned().collect()
    }

    /// Closes the event streams of `key`.
    pub(crate) fn close(&self, key: &str) {
        if let Some(ear) = self.locked().remove(key).and_then(|ear| ear.upgrade()) {
            ear.cancel();
        }
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<String, Weak<CancellationToken>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KeyListener {
    /// Waits until the key becomes invalid.
    pub(crate) async fn closed(&self) {
        self.0.cancelled().await;
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[test]
    fn a_key_is_listened_with_until_the_last_one_goes_or_it_is_closed() {
        let ears = KeyListeners::default();
        let (first, second, other) = (ears.open("a"), ears.open("a"), ears.open("b"));
        drop(first);
        assert_eq!(ears.keys().len(), 2);
        drop(other);
        assert_eq!(ears.keys(), ["a"]);
        ears.close("a");
        assert_eq!(second.closed().now_or_never(), Some(()));
        assert_eq!(ears.open("a").closed().now_or_never(), None, "who comes afterwards was looked at again");
    }
}
