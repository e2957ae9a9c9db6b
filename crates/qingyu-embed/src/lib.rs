//! Embeddings by a model in a local folder, as downloaded from a hub.
//!
//! [`LocalEmbedder`] opens a folder with `config.json`, `tokenizer.json` and `model.safetensors`, as written by
//! `sentence-transformers`, with a model of the BERT or XLM-RoBERTa kind: e5, bge, MiniLM, gte and many more. Nothing
//! is downloaded. Everything runs on the CPU: texts in parallel, outside the threads of the async runtime.
//!
//! Modules:
//!
//! - `local`: [`LocalEmbedder`], the embedder
//! - `folder`: the folder's configuration, and unsupported settings
//! - `shared`: a shared model in memory
//! - `weights`: tensors of `model.safetensors`
//! - `encoder`: encodes tokens into a vector
//! - [`error`]: errors of a folder
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
