//! Computes figures of a text: lengths, dialogue, variety, pace, emotion, readability, and sentences illustrating them.
//!
//! - [`Meter`]: the lists and numbers, and the single pass over a text
//! - [`lengths`], [`dialogue`], [`variety`], [`pace`], [`emotion`], [`readability`]: a family of figures each
//! - `finder`: words of a list in a text; `segments`: the text in even parts
//!
//! The length of a text is as editors count; the lengths of its parts are Chinese characters and Latin words. Ranges are byte
//! ranges of the text.

pub mod dialogue;
pub mod emotion;
pub(crate) mod finder;
pub mod lengths;
mod measured;
mod meter;
pub mod pace;
mod quotes;
mod ratio;
pub mod readability;
mod segments;
#[cfg(test)]
mod tests;
pub mod variety;

pub use dialogue::{Dialogue, Speaker, SpeechWords};
pub use emotion::{Emotion, EmotionLexicon, EmotionPoint, Feeling, FeltWord};
pub use lengths::{Bin, Lengths};
pub use measured::Figures;
pub use meter::{Lists, Meter, MeterInput};
pub use pace::{Pace, PacePoint, PaceWords};
pub use quotes::{Quote, Shown};
pub(crate) use ratio::{rounded, share};
pub use readability::{Ease, Formula, HardWords, Readability};
pub use variety::{Unit, Variety};
