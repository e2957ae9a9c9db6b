//! Clients against a server that speaks the protocols of the providers.

#![allow(clippy::needless_pass_by_value, reason = "helpers take `json!` literals")]

mod cuts;
mod ladder;
mod wires;
