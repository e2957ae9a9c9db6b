//! The guarantees of memories, as test suites for any implementation, in-memory implementations, and a manual clock.

#![expect(clippy::unwrap_used, reason = "a suite may panic as tests do")]

mod clock;
mod long_term;
mod short_term;
mod volatile_long_term;
mod volatile_short_term;

pub use clock::HandClock;
pub use long_term::{LongTermStep, long_term_agrees, long_term_steps, long_term_suite};
pub use short_term::{ShortTermStep, short_term_agrees, short_term_steps, short_term_suite};
pub use volatile_long_term::VolatileLongTerm;
pub use volatile_short_term::VolatileShortTerm;
