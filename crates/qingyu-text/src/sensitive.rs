//! Finds sensitive words in a single pass, including disguised spellings.
//!
//! - [`WordLists`], [`Variants`]: the editable lists, and the disguises
//! - [`Scanner`]: all lists compiled to an automaton over characters
//! - `symbols`: interchangeable characters; `automaton`: the states; `verify`: validation of a match
//!
//! The automaton reads symbols instead of bytes: interchangeable characters share a symbol, and fillers between
//! characters have none. So disguises cost nothing without a match, positions refer to the original text, and no folded
//! copy is made. A match of the automaton is only a candidate, then validated character by character.

mod automaton;
mod hit;
mod lists;
mod scanner;
mod symbols;
#[cfg(test)]
mod tests;
mod verify;

pub use hit::{Disguise, Hit};
pub use lists::{Variants, WordLists};
pub use scanner::Scanner;
