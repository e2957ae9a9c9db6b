//! Finding what matters in a story: chunks, keywords, vectors, conditions, and the connections between characters.
//!
//! The map:
//!
//! - [`analysis`]: how a text becomes the terms it is found by, for Chinese and Latin scripts alike
//! - [`chunk`]: a story as the chunks that are found, with their metadata
//! - [`filter`]: conditions on metadata, with a language for them
//! - [`keyword`]: how well texts fit by their words, as BM25 says
//! - [`vector`]: exact vector search over codes of eight bits; [`embed`]: vectors without a model
//! - [`fusion`]: two rankings into one, what matters where somebody writes, variety
//! - [`search`]: all of it as one search, and the engine in memory
//! - [`connections`]: who is connected with whom, and over whom
//! - [`graph`]: the story as a graph whose edges have a time and a source; [`pattern`]: asking it
//! - [`question`]: questions in plain words as patterns
//! - [`recall`]: from a question to what answers it; [`quality`]: who is the most cautious of some
//! - [`passage`]: what was found as numbered passages within a budget, with citations that resolve
//! - [`injection`]: words in a text that speak to a model
//! - [`words`]: the words of a text, for marking and counting
//! - [`engine`]: what an engine for teams has to do; `testing` (a feature) has the suites that each passes
//!
//! ```
//! use qingyu_knowledge::{Filter, MemoryIndex, Query, chunk};
//! use qingyu_story::{Character, Document, Story};
//!
//! let story = Story {
//!     characters: vec![Character { name: "林深".into(), traits: vec!["谨慎".into()], ..Default::default() }],
//!     documents: vec![Document { title: "雨夜".into(), text: "雨夜，林深在旧港捡到一块芯片。".into(), ..Default::default() }],
//!     ..Default::default()
//! };
//! let index = MemoryIndex::new(chunk::of(&story));
//! let filter = Filter::parse("doc_type = document and participants contains 林深")?;
//! let hits = index.search(&Query { filter: Some(filter), ..Query::new("舊港的芯片") });
//! assert_eq!(hits[0].chunk.text, "雨夜，林深在旧港捡到一块芯片。");
//! # Ok::<(), qingyu_knowledge::filter::ParseError>(())
//! ```

pub mod analysis;
pub mod chunk;
pub mod connections;
pub mod embed;
pub mod engine;
pub mod filter;
pub mod fusion;
pub mod graph;
pub mod injection;
pub mod keyword;
pub mod passage;
pub mod pattern;
pub mod quality;
pub mod question;
pub mod recall;
pub mod search;
#[cfg(feature = "testing")]
pub mod testing;
pub mod vector;
pub mod words;

pub use chunk::{Chunk, Source};
pub use connections::Connections;
pub use filter::Filter;
pub use fusion::{Focus, Fusion};
pub use graph::StoryGraph;
pub use keyword::KeywordIndex;
pub use search::{Hit, MemoryIndex, Query, QueryVector};
pub use words::Words;
