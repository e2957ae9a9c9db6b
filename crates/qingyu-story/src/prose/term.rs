//! The terms searched in a text.

use std::ops::Range;

/// The reason for searching a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SearchTerm {
    /// A stock phrase, by its index in `phrases`.
    Phrase(usize),
    /// The beginning of a comparison.
    Simile,
    /// The end or beginning of a speech tag with an adverb.
    TagAdverb,
    /// A remark of a language model about itself.
    MachineTalk,
    /// A remark of a language model, if followed by an apology.
    PerhapsMachineTalk,
    /// A placeholder.
    Placeholder,
    /// Bold type.
    Bold,
}

/// A found term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TermHit {
    pub(super) why: SearchTerm,
    pub(super) range: Range<usize>,
}
