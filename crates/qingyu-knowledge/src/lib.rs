//! Search in a story: chunks, keywords, vectors, conditions, and connections between characters.
//!
//! Modules:
//!
//! - [`analysis`]: analysis of a text into terms, for Chinese and Latin scripts
//! - [`chunk`]: the chunks of a story, with metadata
//! - [`filter`]: conditions on metadata, with a parser
//! - [`keyword`]: keyword search with BM25
//! - [`vector`]: exact vector search over codes of eight bits; [`embed`]: vectors without a model
//! - [`fusion`]: fusion of two rankings, emphasis, diversity
//! - [`search`]: the combined search, and the in-memory engine
//! - [`connections`]: connections between characters
//! - [`graph`]: the story as a graph with dated edges and sources; [`pattern`]: the query language
//! - [`question`]: questions in plain words as patterns; [`card_question`]: questions that a field of a card answers
//! - [`recall`]: from a question to answers; [`quality`]: comparison of characters by a quality
//! - [`passage`]: hits as numbered passages within a budget, each with a citation
//! - [`telling`]: whether a source is told in the text or only planned
//! - [`handbook`]: questions about the product, answered from its documentation
//! - [`injection`]: instructions to a model in a text
//! - [`words`]: the words of a text, for marking and counting
//! - [`engine`]: the traits of engines for teams; `testing` (a feature) has the suites for implementations
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
//! # Ok::<(), qingyu_knowledge::filter::FilterParseError>(())
//! ```

pub mod analysis;
pub mod card_question;
pub mod chunk;
pub mod connections;
pub mod embed;
pub mod engine;
pub mod filter;
pub mod fusion;
pub mod graph;
pub mod handbook;
pub mod injection;
pub mod keyword;
pub mod passage;
pub mod pattern;
pub mod quality;
pub mod question;
pub mod recall;
pub mod search;
pub mod telling;
#[cfg(feature = "testing")]
pub mod testing;
pub mod vector;
pub mod words;

pub use chunk::{Chunk, Source};
pub use connections::CharacterConnections;
pub use filter::Filter;
pub use fusion::{Fusion, WritingFocus};
pub use graph::StoryGraph;
pub use keyword::KeywordIndex;
pub use search::{Hit, MemoryIndex, Neighbour, Query, QueryVector, SeriesBook};
pub use words::WordSplitter;
