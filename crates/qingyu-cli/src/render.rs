//! Rendering of values as text for people: pure functions over a [`TextPage`](page::TextPage).

pub(crate) mod access;
pub(crate) mod basis;
pub(crate) mod books;
pub(crate) mod cast;
pub(crate) mod chapter_list;
pub(crate) mod chapters;
pub(crate) mod checkpoints;
pub(crate) mod clean;
pub(crate) mod comments;
pub(crate) mod cost;
pub(crate) mod curve;
pub(crate) mod directions;
pub(crate) mod ending;
pub(crate) mod failure;
pub(crate) mod figures;
pub(crate) mod goals;
pub(crate) mod guide;
pub(crate) mod installation;
pub(crate) mod judgement;
pub(crate) mod ladders;
pub(crate) mod lists;
pub(crate) mod members;
pub(crate) mod memory;
pub(crate) mod mirror;
pub(crate) mod models;
pub(crate) mod numbers;
pub(crate) mod outline;
pub(crate) mod overview;
pub(crate) mod page;
pub(crate) mod pictures;
pub(crate) mod plan;
pub(crate) mod production;
pub(crate) mod questions;
pub(crate) mod report;
pub(crate) mod review;
pub(crate) mod settling;
pub(crate) mod statistics;
pub(crate) mod story;
pub(crate) mod tasks;
pub(crate) mod timeline;
pub(crate) mod tools;
pub(crate) mod values;
pub(crate) mod world;
pub(crate) mod wrap;

#[cfg(test)]
mod tests;
