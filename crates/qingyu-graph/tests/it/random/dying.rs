//! A store whose process dies: from some moment on nothing is stored any more.

use std::future::ready;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use qingyu_graph::store::{JournalRecord, RecordKind};
use qingyu_graph::testing::InterposedStore;
use qingyu_graph::{CheckpointId, Error, SharedError, Store};

/// Decides when the store that it was made with refuses to append.
#[derive(Debug)]
pub(crate) struct Dying {
    left: AtomicUsize,
    /// The tasks whose results have been stored before their superstep was, and do count.
    finished: Mutex<Vec<(CheckpointId, String)>>,
}

impl Dying {
    /// A store that lives on for ever unless it is told otherwise.
    pub(crate) fn new(store: Arc<dyn Store>) -> (Arc<Self>, Arc<dyn Store>) {
        let dying = Arc::new(Self { left: AtomicUsize::new(usize::MAX), finished: Mutex::default() });
        let asked = Arc::clone(&dying);
        let store = InterposedStore::new(store).before_append(move |records| ready(asked.append(records)));
        (dying, Arc::new(store))
    }

    /// Lives for so many appends from now.
    pub(crate) fn live(&self, appends: usize) {
        self.left.store(appends, Ordering::SeqCst);
    }

    /// The tasks that had finished when the process died in the superstep after a checkpoint.
    pub(crate) fn finished(&self, checkpoint: CheckpointId) -> Vec<String> {
        let finished = self.finished.lock().unwrap();
        finished.iter().filter(|(at, _)| *at == checkpoint).map(|(_, task)| task.clone()).collect()
    }

    fn append(&self, records: &[JournalRecord]) -> Result<(), Error> {
        let lives = self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        if lives.is_err() {
            return Err(Error::Store(SharedError::new("the process is gone")));
        }
        let mut finished = self.finished.lock().unwrap();
        for JournalRecord { kind, parent, task, .. } in records {
            match kind {
                RecordKind::Writes => finished.push(((*parent).into(), task.clone())),
                RecordKind::Discard => finished.retain(|(at, _)| *at != (*parent).into()),
                _ => {}
            }
        }
        Ok(())
    }
}
