//! The integration tests, in one binary.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]
#![expect(clippy::needless_pass_by_value, reason = "helpers take `json!` literals")]

mod cuts;
mod ladder;
mod wires;
