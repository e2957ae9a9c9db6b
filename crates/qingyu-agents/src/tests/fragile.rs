//! A store that breaks after some appends, as a disk or a power supply does.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use futures::future::ready;
use qingyu_graph::Error;
use qingyu_graph::store::{JournalRecord, MemoryStore, RecordKind, Store};
use qingyu_graph::testing::InterposedStore;

/// A store that refuses everything after some appends, until it is healed, and notes which steps it has kept.
pub(crate) struct FragileStore {
    pub(crate) store: Arc<dyn Store>,
    noted: Arc<Noted>,
}

struct Noted {
    /// The number of appends until the store breaks; `usize::MAX` for one that does not.
    appends_left: AtomicUsize,
    steps: Mutex<Vec<String>>,
}

impl FragileStore {
    pub(crate) fn new(appends: usize) -> Self {
        let noted = Arc::new(Noted { appends_left: AtomicUsize::new(appends), steps: Mutex::default() });
        let note = Arc::clone(&noted);
        let store =
            InterposedStore::new(Arc::new(MemoryStore::new())).before_append(move |records| ready(note.take(records)));
        Self { store: Arc::new(store), noted }
    }

    /// Lets the store accept appends from now on.
    pub(crate) fn heal(&self) {
        self.noted.appends_left.store(usize::MAX, Ordering::SeqCst);
    }

    /// Returns whether the store was healed, and so was broken before.
    pub(crate) fn was_healed(&self) -> bool {
        self.noted.appends_left.load(Ordering::SeqCst) == usize::MAX
    }

    /// Returns the keys of the steps that the store has kept.
    pub(crate) fn steps(&self) -> Vec<String> {
        self.noted.steps.lock().unwrap().clone()
    }
}

impl Noted {
    fn take(&self, records: &[JournalRecord]) -> Result<(), Error> {
        let take = |left: usize| if left == usize::MAX { Some(left) } else { left.checked_sub(1) };
        if self.appends_left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, take).is_err() {
            return Err(Error::Broken { reason: "the store broke".into() });
        }
        let steps = records.iter().filter(|record| record.kind == RecordKind::Step);
        self.steps.lock().unwrap().extend(steps.map(|record| record.key.clone()));
        Ok(())
    }
}
