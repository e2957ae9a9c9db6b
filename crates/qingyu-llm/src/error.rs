//! Errors of model calls, grouped by the caller's options: wait, retry, fix the settings, ask a person, give up.

use std::time::Duration;

use crate::Reply;
use crate::stack::Overdraft;

/// The error of a model call.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// An error status without a more specific variant. 429 and 5xx may be retried.
    #[error("{model} answered {status}: {body}{}", address(url))]
    Http {
        /// The model that was called.
        model: String,
        /// The HTTP status.
        status: u16,
        /// The response body, truncated to 2,000 characters; for a web page, the title.
        body: String,
        /// The wait requested by the provider.
        retry_after: Option<Duration>,
        /// The requested URL; empty if unknown.
        url: Box<str>,
    },
    /// The provider rejects the API key.
    #[error("{model} refuses the key ({status}): {message}{}", address(url))]
    BadKey {
        /// The model that was called.
        model: String,
        /// The HTTP status.
        status: u16,
        /// The provider's message.
        message: String,
        /// The requested URL.
        url: Box<str>,
    },
    /// No model API at the address: another program, or an unknown path.
    #[error("no model answers at {url}{}: {message}", status.map(|status| format!(" ({status})")).unwrap_or_default())]
    BadAddress {
        /// The model that was called.
        model: String,
        /// The HTTP status; `None` without an HTTP response.
        status: Option<u16>,
        /// Description of the server found.
        message: String,
        /// The requested URL.
        url: Box<str>,
    },
    /// The provider does not have the model, or not for this key.
    #[error("{model} is not served ({status}): {message}{}", address(url))]
    NoSuchModel {
        /// The model that was called.
        model: String,
        /// The HTTP status.
        status: u16,
        /// The provider's message.
        message: String,
        /// The requested URL.
        url: Box<str>,
        /// Models available to the key, the most similar names first; empty if the provider returns no list.
        available: Box<[String]>,
    },
    /// The request exceeds the model's context; use a shorter prompt or a larger model.
    #[error("the prompt does not fit into the context of {model}: {message}")]
    PromptTooLong {
        /// The model that was called.
        model: String,
        /// The provider's message.
        message: String,
        /// The model's token limit, if the provider returns it.
        limit: Option<u64>,
    },
    /// The account of the key has no balance or quota left. Waiting does not help.
    #[error("the account of {model} is used up: {message}")]
    NoCredit {
        /// The model that was called.
        model: String,
        /// The provider's message.
        message: String,
    },
    /// The provider returned an error within a started answer, or in a 200 body.
    #[error("{model} reported an error: {message}")]
    Provider {
        /// The model that was called.
        model: String,
        /// The provider's message.
        message: String,
    },
    /// The connection failed or timed out before or during the answer.
    #[error("no connection to {model}: {message}")]
    Transport {
        /// The model that was called.
        model: String,
        /// The network error.
        message: String,
    },
    /// The answer ended prematurely.
    #[error("the answer was cut after {} characters", partial.chars().count())]
    Truncated {
        /// The text received so far.
        partial: String,
    },
    /// No answer was valid for its schema.
    #[error("the answer for {purpose} did not match its schema after {attempts} attempts: {}", first(problems))]
    BadOutput {
        /// The purpose of the request.
        purpose: String,
        /// Number of model calls.
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
        /// Whether the answer contained thinking.
        thought: bool,
    },
    /// A content filter refused the request or ended the answer.
    #[error("the content filter of {model} ended the answer for {purpose}{}{message}", if message.is_empty() { "" } else { ": " })]
    Filtered {
        /// The model that was called.
        model: String,
        /// The purpose of the request.
        purpose: String,
        /// The provider's message; may be empty.
        message: String,
    },
    /// The recording does not contain the call.
    #[error("the cassette has no answer for {purpose}: {difference}")]
    Replay {
        /// The purpose of the request.
        purpose: String,
        /// The difference between the request and the recording.
        difference: String,
    },
    /// The model does not support the request.
    #[error("{model} cannot do {purpose}: {hint}")]
    Unsupported {
        /// The model.
        model: String,
        /// The purpose of the request.
        purpose: String,
        /// The suggested alternative.
        hint: String,
    },
    /// The call would exceed a budget.
    #[error("the budget is used up: {message}")]
    Budget {
        /// The limit, the amount spent and the amount requested.
        message: String,
        /// The same as numbers; `None` for an unknown price or another currency.
        overdraft: Option<Overdraft>,
    },
    /// The circuit breaker of a failing model is open.
    #[error("{model} has failed repeatedly and is not called for {} s", retry_after.as_secs())]
    Resting {
        /// The model.
        model: String,
        /// Wait before the next attempt.
        retry_after: Duration,
    },
    /// Invalid settings: unknown model, missing key, unreadable file.
    #[error("{0}")]
    Settings(String),
}

/// Returns the URL suffix of a message, if the URL is known.
fn address(url: &str) -> String {
    if url.is_empty() { String::new() } else { format!(" (asked {url})") }
}

/// Returns the first problems of an answer in one line, and how many more there are.
fn first(problems: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown = problems.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join("; ");
    match problems.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown}; and {more} more"),
    }
}

/// Returns an error and its causes in a single line, outermost first: `error sending request: connection refused`.
pub fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

impl Error {
    /// Returns the error of an empty answer.
    pub fn empty(reply: &Reply, purpose: &str) -> Self {
        let thought = !reply.reasoning.trim().is_empty();
        Self::Empty { model: reply.model.clone(), purpose: purpose.to_owned(), thought }
    }

    /// Returns the same error with the URL `asked` and the purpose inserted.
    #[must_use]
    pub(crate) fn located(mut self, asked: &str, for_purpose: &str) -> Self {
        match &mut self {
            Self::Http { url, .. }
            | Self::BadKey { url, .. }
            | Self::BadAddress { url, .. }
            | Self::NoSuchModel { url, .. } => {
                *url = asked.into();
            }
            Self::NoCredit { message, .. }
            | Self::PromptTooLong { message, .. }
            | Self::Provider { message, .. }
            | Self::Transport { message, .. } => message.push_str(&address(asked)),
            Self::Filtered { purpose, .. } if purpose.is_empty() => for_purpose.clone_into(purpose),
            _ => {}
        }
        self
    }

    /// Returns whether a retry of the same request may succeed.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Http { status, .. } => matches!(status, 408 | 409 | 425 | 429 | 500..=599),
            Self::Transport { .. } | Self::Truncated { .. } | Self::Resting { .. } => true,
            Self::Provider { .. } => true,
            Self::PromptTooLong { .. }
            | Self::BadKey { .. }
            | Self::BadAddress { .. }
            | Self::NoSuchModel { .. }
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
    struct ErrorLayer(&'static str, #[source] Option<Box<ErrorLayer>>);

    #[test]
    fn an_error_is_told_with_its_causes() {
        assert_eq!(chain(&ErrorLayer("alone", None)), "alone");
        let below = ErrorLayer("no address", Some(Box::new(ErrorLayer("name unknown", None))));
        assert_eq!(chain(&ErrorLayer("not sent", Some(Box::new(below)))), "not sent: no address: name unknown");
    }
}
