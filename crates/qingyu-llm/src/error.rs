//! Failures, sorted by what the caller can do: wait, ask again, mend the settings, ask a person, give up.

use std::time::Duration;

use crate::Reply;
use crate::stack::Overdraft;

/// What went wrong with a model call.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The provider refused with a status, for no reason that has a kind of its own. 429 and 5xx may be tried again.
    #[error("{model} answered {status}: {body}{}", address(url))]
    Http {
        /// The model that was called.
        model: String,
        /// The HTTP status.
        status: u16,
        /// The provider's words, shortened to 2,000 characters; of a web page its title.
        body: String,
        /// How long the provider asks to wait.
        retry_after: Option<Duration>,
        /// The address that was asked; empty if nobody says.
        url: Box<str>,
    },
    /// The provider refuses the key.
    #[error("{model} refuses the key ({status}): {message}{}", address(url))]
    BadKey {
        /// The model that was called.
        model: String,
        /// The HTTP status.
        status: u16,
        /// The provider's words.
        message: String,
        /// The address that was asked.
        url: Box<str>,
    },
    /// No model answers at the address: another program does, or none that knows the path.
    #[error("no model answers at {url}{}: {message}", status.map(|status| format!(" ({status})")).unwrap_or_default())]
    BadAddress {
        /// The model that was called.
        model: String,
        /// The HTTP status; none if there was no answer of that kind.
        status: Option<u16>,
        /// What is there instead.
        message: String,
        /// The address that was asked.
        url: Box<str>,
    },
    /// The provider has no such model, or not for this key.
    #[error("{model} is not served ({status}): {message}{}", address(url))]
    NoSuchModel {
        /// The model that was called.
        model: String,
        /// The HTTP status.
        status: u16,
        /// The provider's words.
        message: String,
        /// The address that was asked.
        url: Box<str>,
        /// What the provider says that the key can use, the most similar names first; empty if it does not say.
        available: Box<[String]>,
    },
    /// The request does not fit into the model's context; a shorter prompt or a larger model would.
    #[error("the prompt does not fit into the context of {model}: {message}")]
    PromptTooLong {
        /// The model that was called.
        model: String,
        /// The provider's words.
        message: String,
        /// The most tokens that the model takes, if the provider says.
        limit: Option<u64>,
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
    /// A content filter refused the request, or ended the answer.
    #[error("the content filter of {model} ended the answer for {purpose}{}{message}", if message.is_empty() { "" } else { ": " })]
    Filtered {
        /// The model that was called.
        model: String,
        /// The purpose of the request.
        purpose: String,
        /// The provider's words; empty if it has none.
        message: String,
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

/// The address behind a message, if it is known.
fn address(url: &str) -> String {
    if url.is_empty() { String::new() } else { format!(" (asked {url})") }
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

    /// The same error, which says that `asked` was asked, for `purpose`.
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

    /// Whether the same request may succeed later.
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
    struct Layer(&'static str, #[source] Option<Box<Layer>>);

    #[test]
    fn an_error_is_told_with_its_causes() {
        assert_eq!(chain(&Layer("alone", None)), "alone");
        let below = Layer("no address", Some(Box::new(Layer("name unknown", None))));
        assert_eq!(chain(&Layer("not sent", Some(Box::new(below)))), "not sent: no address: name unknown");
    }
}
