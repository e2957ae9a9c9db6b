//! User requests for a story, split into wishes, and checks whether the story meets each wish.
//!
//! - [`read`]: parses the wishes of a request, as far as possible without a model
//! - [`ReadWish::check`]: returns whether a story meets a wish, with evidence
//! - [`ReadWish::instruction`], [`ReadWish::instructions`]: return the changes meeting the wish, as data
//! - [`with_chapters`]: replaces the number of chapters by one given beside the words
//! - [`sentences`]: splits a request into sentences
//! - [`whole_book`]: returns the sentences that hold for every chapter
//!
//! A request is parsed once, before the work begins, since its names refer to the story at the time.

mod check;
mod chinese;
mod demand;
mod english;
mod fields;
mod instruction;
mod length;
mod reader;
mod request;
#[cfg(test)]
mod tests;
mod verdict;
mod whole_book;
mod words;

pub use demand::{ReadWish, RequestedPiece, WishDemand, WishObstacle};
pub use instruction::{additive, names_whole};
pub use length::with_chapters;
pub use request::{read, sentences};
pub use verdict::{Wish, WishKind, WishState};
pub use whole_book::whole_book;
