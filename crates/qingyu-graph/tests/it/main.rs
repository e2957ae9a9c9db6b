//! The engine as its users see it. Numbers in names (`c03_..`) are those of the conformance list.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod board;
mod cache;
mod cancelling;
mod compile;
mod costs;
mod crash;
mod damage;
mod drawings;
mod durability;
mod examples;
mod extent;
mod forks;
mod functional;
mod handlers;
mod history;
mod interrupts;
#[cfg(feature = "postgres")]
mod kills;
mod merging;
mod migrations;
mod owners;
#[cfg(feature = "postgres")]
mod postgres;
mod races;
mod random;
mod recovery;
mod routing;
mod sends;
mod simulator;
mod steps;
mod stops;
mod streaming;
mod subgraphs;
mod time_limits;
mod upkeep;
mod views;
mod warnings;
