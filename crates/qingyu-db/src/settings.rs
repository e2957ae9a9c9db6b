//! The settings for opening a database.

#[cfg(feature = "sqlite")]
use std::time::Duration;

/// The durability of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// Survives a power cut: every commit waits for the disk (`synchronous=FULL`, `synchronous_commit=on`).
    #[default]
    Full,
    /// Survives a crash of the process; a power cut or a crash of the server may lose the last commits, never
    /// consistency (`synchronous=NORMAL`, `synchronous_commit=off`).
    Normal,
}

/// The size of the prepared statement cache per connection: a save with the search index uses thirty.
#[cfg(feature = "sqlite")]
pub(crate) const STATEMENTS: usize = 64;

/// The settings of an embedded database.
#[cfg(feature = "sqlite")]
#[derive(Debug, Clone)]
pub struct Settings {
    /// The durability of a commit; defaults to full.
    pub durability: Durability,
    /// The timeout for the lock of another writing process; defaults to 5 seconds.
    pub busy_timeout: Duration,
    /// The most reader connections; at least one, by default four.
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
