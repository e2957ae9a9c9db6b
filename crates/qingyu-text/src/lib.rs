//! What can be counted and found in a text without any model.
//!
//! The map:
//!
//! - [`figures`]: what can be counted in a text: lengths, dialogue, variety, pace, emotion, readability, quotes
//! - [`level`]: how strictly a text is looked at
//! - [`error`]: what can go wrong
//!
//! ```
//! let figures = qingyu_text::Meter::default().figures("雨停了。“走吧。”林深笑着说道，他很高兴。");
//! assert_eq!(figures.dialogue.speakers[0].name, "林深");
//! assert!(figures.emotion.polarity > 0.0);
//! ```

pub mod error;
pub mod figures;
pub mod level;

pub use error::Error;
pub use figures::{Figures, Meter};
pub use level::Level;
