//! How a database is opened.

use std::time::Duration;

/// What a commit survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// A power cut: every commit waits for the disk (`synchronous=FULL`).
    #[default]
    Full,
    /// A crash of the process; a power cut may lose the last commits, never the consistency (`synchronous=NORMAL`).
    Normal,
}

/// How a database is opened.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What a commit survives.
    pub durability: Durability,
    /// How long to wait for another process that is writing.
    pub busy_timeout: Duration,
    /// How many reader connections there are at most; at least one.
    pub readers: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { durability: Durability::Full, busy_timeout: Duration::from_secs(5), readers: 4 }
    }
}

impl Durability {
    pub(crate) fn pragma(self) -> &'static str {
        match self {
            Self::Full => "FULL",
            Self::Normal => "NORMAL",
        }
    }
}
