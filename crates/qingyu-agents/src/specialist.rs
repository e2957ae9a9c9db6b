//! Specialists: answer types, validation, and insertion of their work into the story.
//!
//! A specialist is a type that implements [`Specialist`]; a new one is a file like [`outline`] and a line in the
//! pipeline. All of them import `work`.

pub(crate) mod character;
mod instructions;
pub(crate) mod outline;
pub(crate) mod plot;
pub(crate) mod style;
#[cfg(test)]
mod tests;
mod work;
pub(crate) mod worldview;

pub(crate) use instructions::{carry_out, guarded};
pub(crate) use work::{AnswerExpectation, Specialist, SpecialistWork, place};
