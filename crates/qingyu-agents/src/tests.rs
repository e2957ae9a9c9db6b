//! The whole pipeline with scripted models: what comes out, what was asked, what survives.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod archive;
mod bench;
mod channels;
mod corrections;
mod durability;
mod ended;
mod failures;
mod fragile;
mod human;
mod passes;
mod plans;
mod production;
mod research;
mod tasks;
mod wishes;
mod writing;
