//! Content outside stories, by rules: questions, frames of fields, literal changes, and status.
//!
//! - `tables`: questions, sentences and teaching shapes in both languages
//! - `brief`: parsing of the user's words and answers
//! - `interview`, `route`, `make`, `chat`: one file per purpose
//! - `shape`: a value for any schema; `frame`: a text with its headings; `amend`: changes by rules

mod amend;
mod brief;
pub(crate) mod chat;
mod frame;
pub(crate) mod interview;
pub(crate) mod make;
pub(crate) mod route;
mod shape;
mod tables;
#[cfg(test)]
mod tests;
