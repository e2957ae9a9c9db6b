//! The library as its callers use it.

mod report;
mod statistics;
