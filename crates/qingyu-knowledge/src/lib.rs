//! Finding what matters in a story: segmentation, keyword search, connections between characters.
//!
//! The map:
//!
//! - [`segment`]: how a text becomes the terms it is found by, for Chinese and Latin scripts alike
//! - [`passage`]: the pieces of a story as passages
//! - [`keyword`]: BM25 over passages, in memory
//! - [`connections`]: who is connected with whom, and over whom
//!
//! ```
//! use qingyu_knowledge::{KeywordIndex, Passage};
//!
//! let index = KeywordIndex::new(vec![
//!     Passage::new("o-1", "雨夜，林深在旧港捡到一块芯片。"),
//!     Passage::new("o-2", "苏曼回到星环塔。"),
//! ]);
//! assert_eq!(index.search("旧港的芯片", 1)[0].passage.id, "o-1");
//! ```

pub mod connections;
pub mod keyword;
pub mod passage;
pub mod segment;

pub use connections::Connections;
pub use keyword::{Hit, KeywordIndex};
pub use passage::Passage;
