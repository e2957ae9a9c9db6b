//! Prose analysis by editorial criteria: paragraphs, sentences, speech, and the slips of one text. Independent of the
//! story.
//!
//! - [`Prose`]: one text, parsed once in linear time; depends only on the text, so the result can be cached with the
//!   text
//! - `parsed`: the parsed text as data, below all others; `analysis`: the parser, above all others
//! - `reader`: the boundaries of paragraphs, sentences and speech; `scene`: those of scenes
//! - `layout`: speech opened by a dash, captions and verse
//! - `punctuation`, `english`, `rhythm`, `phrases`, `dialogue`, `leftovers`: the slips visible in a single text
//! - `similes`, `sketch`: data for comparisons between texts; `lexicon`: search for all terms in one pass
//! - `endings`: the ways in which a text ends and begins, from `endings.toml`; `expression`: regular expressions in such tables
//! - `emphasis`: bold and italic; `count`: the length as editors count it
//! - [`Manuscript`]: a cache of a book's texts; only changed texts are parsed again
//!
//! Chinese and English are distinguished locally: a mark counts as Chinese after a Chinese character.

mod analysis;
mod count;
mod dialogue;
mod emphasis;
mod endings;
mod english;
mod expression;
mod hash;
mod layout;
mod leftovers;
mod lexicon;
mod manuscript;
mod parsed;
mod phrases;
mod punctuation;
mod reader;
mod rhythm;
mod scene;
mod similes;
pub(crate) mod sketch;
mod term;
#[cfg(test)]
mod tests;

pub use count::{editors_count, own_count};
pub use emphasis::{EmphasisSpan, emphasis, without_emphasis};
pub(crate) use endings::of_plan as ending_of_plan;
pub use endings::opening_of;
pub(crate) use expression::expression;
pub(crate) use hash::mix;
pub use manuscript::{AnalyzedChapter, Manuscript};
pub(crate) use parsed::{BANDS, ProseEnding, SentenceSketch};
pub use parsed::{
    EndingKind, OpeningKind, Prose, ProseParagraph, ProseSentence, ProseSlip, SentenceVoice, SlipKind, Speech,
};
pub use phrases::phrase_weight;
pub(crate) use phrases::phrases;
pub(crate) use scene::{paragraphs_around, scene_at};
