//! Chat models and embedders: two wires, providers as data, structured output, budgets, cassettes.
//!
//! The map:
//!
//! - [`model`]: the [`ChatModel`] trait, always streaming
//! - [`request`]: what is asked: messages, tools, schema, purpose, typed context
//! - [`event`]: what comes back, piece by piece, and the whole [`Reply`]
//! - [`error`]: failures sorted by what the caller can do
//! - [`catalogue`]: what is known of single models: limits, abilities, prices, retirements
//! - [`provider`]: providers as rows of data, and how settings change them
//! - [`Client`]: opens a model of a provider on one of the two wires (OpenAI-compatible, Anthropic)
//! - [`embedder`]: texts to vectors
//! - [`probe`]: model servers on this machine
//! - [`structured`]: typed answers: extraction, repair, validation, bounded re-asks
//! - [`roles`]: which model serves which purpose
//! - [`stack`]: layers around a model: cassette, budget, fallback, breaker, retry, rate limit
//! - [`cassette`]: recorded calls as a file
//! - [`written_calls`]: tool calls that a model writes as words
//! - [`price`]: what a call costs
//! - [`estimate`]: tokens before a provider has counted them; [`tokens`]: counters of them
//!
//! The feature `tokenizer` adds the vocabulary of OpenAI's models. The feature `testing` adds doubles: a scripted model, and a server that speaks the providers' protocols.
//!
//! ```no_run
//! use qingyu_llm::{Client, Key, Message, Providers, Request, model::drain};
//!
//! # async fn example(key: Key) -> Result<(), qingyu_llm::Error> {
//! let providers = Providers::built_in();
//! let (provider, model) = providers.resolve("deepseek/deepseek-flash")?;
//! let model = Client::default().chat(provider, model, Some(&key))?;
//! let request = Request { messages: vec![Message::user("雪夜，有人推门。往下写。")], ..Request::default() };
//! let reply = drain(model.stream(&request).await?).await?;
//! println!("{} ({} tokens)", reply.text, reply.usage.output);
//! # Ok(())
//! # }
//! ```

pub mod cassette;
pub mod catalogue;
pub mod embedder;
pub mod error;
pub mod estimate;
pub mod event;
pub mod model;
pub mod price;
pub mod probe;
pub mod provider;
pub mod request;
pub mod roles;
pub mod stack;
pub mod structured;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod tokens;
mod wire;
pub mod written_calls;

pub use catalogue::Catalogue;
pub use embedder::{Embedder, Prefixes};
pub use error::Error;
pub use event::{Event, Finish, Reply, Substitution, ToolCall, Usage};
pub use model::{ChatModel, EventStream};
pub use price::{Cost, Prices};
pub use provider::{Key, Provider, Providers, SchemaBounds, Wire};
pub use request::{Attribution, Effort, Message, OutputSchema, Request, Role, ToolSpec};
pub use roles::Models;
pub use structured::{Answer, Ask};
pub use tokens::TokenCounter;
pub use wire::{Client, Limits};
pub use written_calls::WrittenCalls;
