//! Every seed, everything the fuzzer has found worth keeping, and thousands of variations of them, through the same functions
//! that the fuzzer calls.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod made;
mod replay;
mod variation;
