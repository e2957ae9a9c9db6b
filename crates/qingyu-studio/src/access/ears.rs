//! Who listens with which key: their streams end once it does not hold any more.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio_util::sync::CancellationToken;

/// The keys that somebody listens with.
#[derive(Debug, Default)]
pub(crate) struct Ears {
    open: Mutex<HashMap<String, Weak<CancellationToken>>>,
}

/// Somebody listens with a key, as long as this is.
#[derive(Debug, Clone)]
pub(crate) struct Ear(Arc<CancellationToken>);

impl Ears {
    /// Somebody listens with `key` from now on.
    pub(crate) fn open(&self, key: &str) -> Ear {
        let mut open = self.locked();
        if let Some(ear) = open.get(key).and_then(Weak::upgrade) {
            return Ear(ear);
        }
        let ear = Arc::new(CancellationToken::new());
        open.insert(key.to_owned(), Arc::downgrade(&ear));
        Ear(ear)
    }

    /// The keys that somebody listens with.
    pub(crate) fn keys(&self) -> Vec<String> {
        let mut open = self.locked();
        open.retain(|_, ear| ear.strong_count() > 0);
        open.keys().cloned().collect()
    }

    /// Whoever listens with `key` hears nothing more.
    pub(crate) fn close(&self, key: &str) {
        if let Some(ear) = self.locked().remove(key).and_then(|ear| ear.upgrade()) {
            ear.cancel();
        }
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<String, Weak<CancellationToken>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ear {
    /// Comes to its end when the key does not hold any more.
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
        let ears = Ears::default();
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
