//! Failures, sorted by what the caller can do: wait, ask again, mend the settings, ask a person, give up.

use std::time::Duration;

use crate::Reply;
use crate::stack::Overdraft;

/// What went wrong with a model call.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The provider refused with a status. 429 and 5xx may be tried again, 401 and 403 need a key.
    #[error("{model} answered {status}: {body}")]
    Http {
        /// The model that was called.
        model: String,
        /// The HTTP status.
        status: u16,
        /// The body, shortened to 2,000 characters.
        body: String,
        /// How long the provider asks to wait.
        retry_after: Option<Duration>,
    },
    /// The request does not fit into the model's context; a shorter prompt or a larger model would.
    #[error("the prompt does not fit into the context of {model}: {message}")]
    PromptTooLong {
        /// The model that was called.
        model: String,
        /// The provider's words.
        message: String,
    },
    /// The account behind the key has nothing left to pay with: its balance or quota is used up. Waiting does not help.
    #[error("the account of {model} is used up: {message}")]
    NoCredit {
        /// The model that was called.
        model: String,
        /// The provider's words.
        message: String,
    },
    /// The provider reported an error in an answer it had begun, or in a 200 body.
    #[error("{model} reported an error: {message}")]
    Provider {
        /// The model that was called.
        model: String,
        /// The provider's words.
        message: String,
    },
    /// The connection failed or timed out before or during the answer.
    #[error("no connection to {model}: {message}")]
    Transport {
        /// The model that was called.
        model: String,
        /// What the network said.
        message: String,
    },
    /// The answer ended before it was whole.
    #[error("the answer was cut after {} characters", partial.chars().count())]
    Truncated {
        /// What had arrived.
        partial: String,
    },
    /// The answer never matched its schema.
    #[error("the answer for {purpose} did not match its schema after {attempts} attempts: {}", problems.join("; "))]
    BadOutput {
        /// The purpose of the request.
        purpose: String,
        /// How often the model was asked.
        attempts: u32,
        /// The last answer, as received.
        raw: String,
        /// The problems of the last answer, each with its path.
        problems: Vec<String>,
    },
    /// The answer has neither text nor tool calls.
    #[error("{model} gave an empty answer for {purpose}{}", if *thought { ": all of it was thinking" } else { "" })]
    Empty {
        /// The model that answered.
        model: String,
        /// The purpose of the request.
        purpose: String,
        /// Whether it showed thinking.
        thought: bool,
    },
    /// A content filter ended the answer.
    #[error("the content filter of {model} ended the answer for {purpose}")]
    Filtered {
        /// The model that was called.
        model: String,
        /// The purpose of the request.
        purpose: String,
    },
    /// A recording does not hold the call that was made.
    #[error("the cassette has no answer for {purpose}: {difference}")]
    Replay {
        /// The purpose of the request.
        purpose: String,
        /// How the request differs from what was recorded.
        difference: String,
    },
    /// The model cannot do this, and says so.
    #[error("{model} cannot do {purpose}: {hint}")]
    Unsupported {
        /// The model.
        model: String,
        /// The purpose of the request.
        purpose: String,
        /// What to do instead.
        hint: String,
    },
    /// The call would go over a budget.
    #[error("the budget is used up: {message}")]
    Budget {
        /// Which limit, what was spent, what was asked.
        message: String,
        /// The same as figures, if it is a matter of figures and not of an unknown price or another currency.
        overdraft: Option<Overdraft>,
    },
    /// The breaker of a failing model is open.
    #[error("{model} has failed repeatedly and is left alone for {} s", retry_after.as_secs())]
    Resting {
        /// The model.
        model: String,
        /// When it will be tried again.
        retry_after: Duration,
    },
    /// The settings are wrong: unknown model, missing key, unreadable file.
    #[error("{0}")]
    Settings(String),
}

/// An error and its causes in one line, outermost first: `error sending request: connection refused`.
pub fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

impl Error {
    /// The error of an answer that is empty.
    pub fn empty(reply: &Reply, purpose: &str) -> Self {
        let thought = !reply.reasoning.trim().is_empty();
        Self::Empty { model: reply.model.clone(), purpose: purpose.to_owned(), thought }
    }

    /// Whether the same request may succeed later.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Http { status, .. } => matches!(status, 408 | 409 | 425 | 429 | 500..=599),
            Self::Transport { .. } | Self::Truncated { .. } | Self::Resting { .. } => true,
            Self::Provider { .. } => true,
            Self::PromptTooLong { .. }
            | Self::NoCredit { .. }
            | Self::BadOutput { .. }
            | Self::Empty { .. }
            | Self::Filtered { .. }
            | Self::Replay { .. }
            | Self::Unsupported { .. }
            | Self::Budget { .. }
            | Self::Settings(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("{0}")]
    struct Layer(&'static str, #[source] Option<Box<Layer>>);

    #[test]
    fn an_error_is_told_with_its_causes() {
        assert_eq!(chain(&Layer("alone", None)), "alone");
        let below = Layer("no address", Some(Box::new(Layer("name unknown", None))));
        assert_eq!(chain(&Layer("not sent", Some(Box::new(below)))), "not sent: no address: name unknown");
    }
}
