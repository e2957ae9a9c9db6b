//! The crate from outside.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod around;
mod covering;
mod document;
mod hostile;
mod levels;
mod manuscripts;
mod matrix;
mod outside;
mod projects;
mod reading;
mod serials;
mod splitting;
mod support;
mod truncated;
mod web;
mod writing;
