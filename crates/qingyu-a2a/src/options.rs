//! The options of the server.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::FileNotes;

/// The options of the server.
#[derive(Debug, Clone)]
pub struct A2aOptions {
    /// The public URL of the server, such as `https://studio.example.org`; default from each request.
    pub public_url: Option<String>,
    /// Whether requests need a key, as stated on the card.
    pub needs_key: bool,
    /// Webhooks allowed although not on the public internet, each as `host:port`.
    pub webhooks: Vec<String>,
    /// The store of task notes.
    pub notes: Arc<FileNotes>,
    /// Interval of heartbeats on a silent stream.
    pub heartbeat: Duration,
    /// Shutdown token: streams end when cancelled.
    pub stop: CancellationToken,
}

impl A2aOptions {
    /// Returns options requiring keys and allowing only public webhooks, with the given store of notes.
    pub fn new(notes: Arc<FileNotes>) -> Self {
        Self {
            public_url: None,
            needs_key: true,
            webhooks: Vec::new(),
            notes,
            heartbeat: Duration::from_secs(10),
            stop: CancellationToken::new(),
        }
    }
}
