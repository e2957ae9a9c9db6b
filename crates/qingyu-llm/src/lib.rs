//! Chat models and embedders: two wire protocols, providers as data, structured output, budgets, cassettes.
//!
//! Modules:
//!
//! - [`model`]: the [`ChatModel`] trait, always streaming
//! - [`request`]: requests: messages, tools, schema, purpose, typed context
//! - [`event`]: stream events and the complete [`Reply`]
//! - [`error`]: errors grouped by the caller's options
//! - [`catalogue`]: limits, abilities, prices and retirement dates of models
//! - [`provider`]: providers as rows of data, and overrides from settings
//! - `wire`: [`LlmClient`], which opens a model of a provider over either wire protocol (OpenAI-compatible, Anthropic)
//! - [`embedder`]: texts to vectors
//! - [`probe`]: model servers on the local machine
//! - [`structured`]: typed answers: extraction, repair, validation, bounded retries
//! - [`roles`]: the model for each purpose
//! - [`stack`]: layers around a model: cassette, budget, fallback, breaker, retry, rate limit
//! - [`cassette`]: recorded calls as a file
//! - [`written_calls`]: tool calls written as plain text by a model
//! - [`price`]: the cost of a call
//! - [`estimate`]: token estimates before a provider reports usage; [`tokens`]: token counters
//!
//! The feature `testing` adds doubles: a scripted model, and a server for the providers' protocols.
//!
//! ```no_run
//! use qingyu_llm::{LlmClient, ProviderKey, ChatMessage, Providers, ChatRequest, model::drain};
//!
//! # async fn example(key: ProviderKey) -> Result<(), qingyu_llm::Error> {
//! let providers = Providers::built_in();
//! let (provider, model) = providers.resolve("deepseek/deepseek-flash")?;
//! let model = LlmClient::default().chat(provider, model, Some(&key))?;
//! let request = ChatRequest { messages: vec![ChatMessage::user("雪夜，有人推门。往下写。")], ..ChatRequest::default() };
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
#[cfg(test)]
mod tests;
pub mod tokens;
mod wire;
pub mod written_calls;

pub use catalogue::Catalogue;
pub use embedder::{Embedder, Prefixes};
pub use error::Error;
pub use event::{ChatEvent, FinishReason, Reply, Substitution, ToolCall, Usage};
pub use model::{ChatModel, EventStream};
pub use price::{Cost, Prices};
pub use provider::{Provider, ProviderKey, Providers, Wire};
pub use request::{Attribution, ChatMessage, ChatRequest, Effort, MessageRole, OutputSchema, ToolSpec};
pub use roles::ModelRoutes;
pub use structured::{StructuredAnswer, StructuredOptions};
pub use tokens::TokenCounter;
pub use wire::{ClientLimits, LlmClient};
pub use written_calls::WrittenCallsModel;
