//! Shared state of all requests.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use qingyu_studio::web::{Error, MessagePoster, WebSettings};

use crate::{A2aOptions, FileNotes};

/// Shared state of all requests.
#[derive(Debug)]
pub(crate) struct A2aState {
    pub(crate) options: A2aOptions,
    courier: MessagePoster,
    /// The tasks with a notification loop in progress.
    notifying: Arc<Mutex<HashSet<String>>>,
}

impl A2aState {
    /// Fails if a webhook of the options is not `host:port`.
    pub(crate) fn new(options: A2aOptions) -> Result<Self, Error> {
        let settings = WebSettings { allow: options.webhooks.clone(), ..WebSettings::default() };
        Ok(Self { courier: MessagePoster::new(&settings)?, options, notifying: Arc::default() })
    }

    pub(crate) fn notes(&self) -> &FileNotes {
        &self.options.notes
    }

    pub(crate) fn courier(&self) -> &MessagePoster {
        &self.courier
    }

    /// Returns the lease for notifying about a task; `None` if already leased.
    pub(crate) fn begin_notifying(&self, task: &str) -> Option<NotificationLease> {
        let is_mine = self.notifying.lock().unwrap_or_else(PoisonError::into_inner).insert(task.to_owned());
        is_mine.then(|| NotificationLease { task: task.to_owned(), of: Arc::clone(&self.notifying) })
    }
}

/// A lease for notifying about a task, released when dropped.
#[derive(Debug)]
pub(crate) struct NotificationLease {
    task: String,
    of: Arc<Mutex<HashSet<String>>>,
}

impl Drop for NotificationLease {
    fn drop(&mut self) {
        self.of.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.task);
    }
}
