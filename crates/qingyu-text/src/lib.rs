//! Counts and finds features of a text without a model.
//!
//! Modules:
//!
//! - [`figures`]: figures of a text: lengths, dialogue, variety, pace, emotion, readability, quotes
//! - [`sensitive`]: sensitive words, including disguised spellings
//! - [`originality`]: passages shared with other texts, word for word
//! - [`compliance`]: validation of a chapter against the rules of a platform
//! - [`report`]: the review of a text: words, originality and rules, with a verdict
//! - [`statistics`]: counts over the documents of a story
//! - [`structure`]: the structure of a reference book, without its sentences
//! - [`floor`]: minimum requirements for a chapter
//! - `cast`: the cast of a book, proposed from speakers and acting people
//! - [`level`]: how strictly a text is validated
//! - `messages`: the wording of findings, in both languages; [`error`]: the error type
//!
//! ```
//! let figures = qingyu_text::Meter::default().figures("雨停了。“走吧。”林深笑着说道，他很高兴。");
//! assert_eq!(figures.dialogue.speakers[0].name, "林深");
//! assert!(figures.emotion.polarity > 0.0);
//! ```

pub mod cast;
pub mod compliance;
pub mod error;
pub mod figures;
pub mod floor;
pub mod level;
mod messages;
pub mod originality;
pub mod report;
pub mod sensitive;
pub mod statistics;
pub mod structure;

pub use compliance::{Inspector, PlatformRules};
pub use error::Error;
pub use figures::{Figures, Meter};
pub use floor::{ChapterCandidate, Floor, Shortfall, ShortfallKind};
pub use level::Level;
pub use originality::{ComparisonLibrary, Originality, OriginalityRules};
pub use report::{Review, ReviewRequest, Reviewer, Verdict};
pub use sensitive::{Hit, Scanner, Variants, WordLists};
pub use statistics::Statistics;
pub use structure::Structure;
