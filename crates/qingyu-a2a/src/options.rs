//! What whoever mounts the door decides.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::Notes;

/// What whoever mounts the door decides.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where the server is reached, such as `https://studio.example.org`; what a request says of itself when absent.
    pub public_url: Option<String>,
    /// Whether requests need a key, so that the card says so.
    pub needs_key: bool,
    /// Webhooks that may be reached although they are not on the open web, each as `host:port`.
    pub webhooks: Vec<String>,
    /// Where what the protocol knows of tasks beyond their runs is kept.
    pub notes: Arc<dyn Notes>,
    /// How often a stream on which nothing happens says that it is there.
    pub heartbeat: Duration,
    /// Cancelled when the server goes: streams end.
    pub stop: CancellationToken,
}

impl Options {
    /// A door that needs keys, reaches no webhooks inside the network, and keeps its notes there.
    pub fn new(notes: Arc<dyn Notes>) -> Self {
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
