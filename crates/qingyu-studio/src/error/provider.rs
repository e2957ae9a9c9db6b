//! Failures of a model's provider.

use serde_json::{Value, json};

/// A failure of a provider, or of its answer.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ProviderFailure {
    /// The provider rejects the key or the account: 401, 403.
    #[error("{model} refuses the key ({status}): {message}")]
    Refused {
        /// The model.
        model: String,
        /// The HTTP status.
        status: u16,
        /// The provider's message.
        message: String,
    },
    /// The provider account has no credit left.
    #[error("the account of {model} is used up: {message}")]
    NoCredit {
        /// The model.
        model: String,
        /// The provider's message.
        message: String,
    },
    /// The provider is busy; retry later.
    #[error("{model} is busy: {message}")]
    Busy {
        /// The model.
        model: String,
        /// The provider's message.
        message: String,
        /// The time until a retry, in seconds, if given by the provider.
        retry_after: Option<u64>,
    },
    /// The provider's address does not lead to a model.
    #[error("no model answers at {address}{}: {message}", status.map(|status| format!(" ({status})")).unwrap_or_default())]
    Address {
        /// The model.
        model: String,
        /// The requested address.
        address: String,
        /// The HTTP status, if any.
        status: Option<u16>,
        /// The response found at the address.
        message: String,
    },
    /// The provider's filter rejected the request or cut the answer.
    #[error("the content filter of {model} refused {purpose}: {message}")]
    Filtered {
        /// The model.
        model: String,
        /// The purpose of the call.
        purpose: String,
        /// The provider's message; may be empty.
        message: String,
    },
    /// The model returned an empty answer, on every retry.
    #[error("{model} gave an empty answer for {purpose}{}", if *thought { ": all of it was thinking" } else { "" })]
    Empty {
        /// The model.
        model: String,
        /// The purpose of the call.
        purpose: String,
        /// Whether the model returned any reasoning.
        thought: bool,
    },
    /// The answer broke off before its end.
    #[error("the answer broke off after {characters} characters")]
    Cut {
        /// The number of received characters.
        characters: usize,
    },
    /// The provider failed or returned an invalid response.
    #[error("{model} failed: {message}")]
    Failed {
        /// The model.
        model: String,
        /// The HTTP status, if any.
        status: Option<u16>,
        /// The provider's message.
        message: String,
    },
    /// The prompt exceeds the model's context.
    #[error("the prompt does not fit into the context of {model}: {message}")]
    PromptTooLong {
        /// The model.
        model: String,
        /// The provider's message.
        message: String,
    },
    /// The provider is unreachable or stopped responding.
    #[error("{model} cannot be reached: {message}")]
    Unreachable {
        /// The model.
        model: String,
        /// The network error.
        message: String,
    },
    /// No answer of the model parsed, after all attempts.
    #[error("the answer for {purpose} did not fit after {attempts} attempts")]
    BadOutput {
        /// The purpose of the call.
        purpose: String,
        /// The number of attempts.
        attempts: u32,
        /// The problems of the last answer.
        problems: Vec<String>,
    },
    /// The model does not support the request.
    #[error("{model} cannot do {purpose}: {hint}")]
    Unsupported {
        /// The model.
        model: String,
        /// The purpose of the call.
        purpose: String,
        /// A hint for the user.
        hint: String,
    },
}

impl ProviderFailure {
    /// Returns the data of the failure, an object.
    pub(super) fn data(&self) -> Value {
        match self {
            Self::Address { model, address, status, message } => {
                json!({"model": model, "address": address, "status": status, "message": message})
            }
            Self::Filtered { model, purpose, message } => {
                let says = if message.is_empty() { "no" } else { "yes" };
                json!({"model": model, "purpose": purpose, "message": message, "says": says})
            }
            Self::Empty { model, purpose, thought } => {
                let thought = if *thought { "yes" } else { "no" };
                json!({"model": model, "purpose": purpose, "thought": thought})
            }
            Self::Cut { characters } => json!({"characters": characters}),
            Self::Refused { model, status, message } => {
                json!({"model": model, "status": status, "message": message})
            }
            Self::Busy { model, message, retry_after } => {
                json!({"model": model, "message": message, "retry_after": retry_after})
            }
            Self::Failed { model, status, message } => json!({"model": model, "status": status, "message": message}),
            Self::PromptTooLong { model, message }
            | Self::NoCredit { model, message }
            | Self::Unreachable { model, message } => {
                json!({"model": model, "message": message})
            }
            Self::BadOutput { purpose, attempts, problems } => {
                json!({"purpose": purpose, "attempts": attempts, "problems": problems})
            }
            Self::Unsupported { model, purpose, hint } => json!({"model": model, "purpose": purpose, "hint": hint}),
        }
    }
}
