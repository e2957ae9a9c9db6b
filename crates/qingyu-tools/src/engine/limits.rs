//! The limits of an engine.

use std::time::Duration;

/// Limits of the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EngineLimits {
    /// Maximum bytes of arguments, counted as text.
    pub(crate) argument_bytes: usize,
    /// Maximum nesting depth of arguments.
    pub(crate) argument_depth: usize,
    /// Maximum attempts per call, including the first.
    pub(crate) attempts: usize,
    /// Wait before the second attempt; doubles for each further attempt.
    pub(crate) backoff: Duration,
    /// Maximum cached answers.
    pub(crate) cached_answers: usize,
    /// Maximum bytes of cached answers.
    pub(crate) cached_bytes: usize,
}

impl Default for EngineLimits {
    /// Returns 4 MiB of arguments, 64 levels, three attempts with 100 ms initial back-off, 256 answers of 16 MiB
    /// together.
    fn default() -> Self {
        Self {
            argument_bytes: 4 << 20,
            argument_depth: 64,
            attempts: 3,
            backoff: Duration::from_millis(100),
            cached_answers: 256,
            cached_bytes: 16 << 20,
        }
    }
}
