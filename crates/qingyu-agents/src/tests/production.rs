//! Content in phases: what is asked and made, what the user can say, what survives.

mod bench;
mod durability;
mod fields;
mod handwritten;
mod judges;
mod phases;
mod publishable;
mod talk;
