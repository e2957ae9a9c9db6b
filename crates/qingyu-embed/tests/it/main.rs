//! Folders of tiny models, made by the tests, and a real one where it can be had.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod folder;
mod model;
mod real;
mod vectors;
