//! What can be counted and found in a text without any model.
//!
//! The map:
//!
//! - [`figures`]: what can be counted in a text: lengths, dialogue, variety, pace, emotion, readability, quotes
//! - [`sensitive`]: words that somebody objects to, however they are disguised
//! - [`originality`]: what a text has in common with others, word for word
//! - [`compliance`]: whether a chapter keeps the rules of a platform
//! - [`report`]: the review of a text: words, originality and rules, with one verdict
//! - [`statistics`]: counts over the documents of a story
//! - [`floor`]: what a text must have to be a chapter at all
//! - [`level`]: how strictly a text is looked at
//! - [`error`]: what can go wrong
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

pub use compliance::{Inspector, Platform};
pub use error::Error;
pub use figures::{Figures, Meter};
pub use floor::{Candidate, Floor, Shortfall, ShortfallKind};
pub use level::Level;
pub use originality::{Library, Originality, OriginalityRules};
pub use report::{Review, ReviewRequest, Reviewer, Verdict};
pub use sensitive::{Hit, Scanner, Variants, WordLists};
pub use statistics::Statistics;
