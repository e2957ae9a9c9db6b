//! What all requests at the door share.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use qingyu_studio::web::{Courier, Error, WebSettings};

use crate::{Notes, Options};

/// What all requests at the door share.
#[derive(Debug)]
pub(crate) struct Door {
    pub(crate) options: Options,
    courier: Courier,
    /// The tasks that somebody is being notified of.
    notifying: Arc<Mutex<HashSet<String>>>,
}

impl Door {
    /// Fails if a webhook of the options is not `host:port`.
    pub(crate) fn new(options: Options) -> Result<Self, Error> {
        let settings = WebSettings { allow: options.webhooks.clone(), ..WebSettings::default() };
        Ok(Self { courier: Courier::new(&settings)?, options, notifying: Arc::default() })
    }

    pub(crate) fn notes(&self) -> &dyn Notes {
        &*self.options.notes
    }

    pub(crate) fn courier(&self) -> &Courier {
        &self.courier
    }

    /// The turn to notify of a task, unless somebody has it.
    pub(crate) fn begin_notifying(&self, task: &str) -> Option<Turn> {
        let is_mine = self.notifying.lock().unwrap_or_else(PoisonError::into_inner).insert(task.to_owned());
        is_mine.then(|| Turn { task: task.to_owned(), of: Arc::clone(&self.notifying) })
    }
}

/// The turn to notify of a task; another one can begin once it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    task: String,
    of: Arc<Mutex<HashSet<String>>>,
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.of.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.task);
    }
}
