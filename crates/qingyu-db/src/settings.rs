//! How a database is opened.

#[cfg(feature = "sqlite")]
use std::time::Duration;

/// What a commit survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// A power cut: every commit waits for the disk (`synchronous=FULL`, `synchronous_commit=on`).
    #[default]
    Full,
    /// A crash of the process; a power cut, or the end of the database server, may lose the last commits, never the
    /// consistency (`synchronous=NORMAL`, `synchronous_commit=off`).
    Normal,
}

/// How an embedded database is opened.
#[cfg(feature = "sqlite")]
#[derive(Debug, Clone)]
pub struct Settings {
    /// What a commit survives.
    pub durability: Durability,
    /// How long to wait for another process that is writing.
    pub busy_timeout: Duration,
    /// How many reader connections there are at most; at least one.
    pub readers: usize,
}

#[cfg(feature = "sqlite")]
impl Default for Settings {
    fn default() -> Self {
        Self { durability: Durability::Full, busy_timeout: Duration::from_secs(5), readers: 4 }
    }
}

impl Durability {
    #[cfg(feature = "postgres")]
    pub(crate) fn synchronous_commit(self) -> &'static str {
        match self {
            Self::Full => "on",
            Self::Normal => "off",
        }
    }

    #[cfg(feature = "sqlite")]
    pub(crate) fn pragma(self) -> &'static str {
        match self {
            Self::Full => "FULL",
            Self::Normal => "NORMAL",
        }
    }
}
