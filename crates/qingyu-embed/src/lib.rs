//! Vectors of a model in a folder on this machine, as people have them from a hub.
//!
//! [`LocalEmbedder`] opens a folder with `config.json`, `tokenizer.json` and `model.safetensors`, as `sentence-transformers`
//! writes them, whose model is of the BERT or XLM-RoBERTa kind: e5, bge, MiniLM, gte and many more. Nothing is downloaded.
//! Everything runs on the processor: texts side by side, away from the threads of the async runtime.
//!
//! The map:
//!
//! - [`LocalEmbedder`]: the embedder
//! - `folder`: what the folder says about itself, and what of it is not served
//! - `shared`: one model in memory for all who ask for it
//! - `weights`: numbers out of `model.safetensors`
//! - `encoder`: from tokens to a vector
//! - [`error`]: what is wrong with a folder
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use qingyu_embed::LocalEmbedder;
//! use qingyu_llm::Embedder;
//!
//! let embedder = LocalEmbedder::open("/models/multilingual-e5-small".as_ref())?;
//! let vector = embedder.embed_question("query: 谁来过旧港？").await?;
//! # Ok(())
//! # }
//! ```

mod encoder;
pub mod error;
mod folder;
mod local;
mod shared;
mod weights;

pub use error::Error;
pub use local::LocalEmbedder;
