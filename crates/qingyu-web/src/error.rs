//! Errors, grouped by the caller's options.

use std::borrow::Cow;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The error of a search or of reading a page.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Error {
    // Fix or skip the address.
    /// The address is never readable: unsupported scheme or port, or with a password.
    #[error("{url} is no address to read: {why}")]
    BadUrl {
        /// The given address, truncated.
        url: String,
        /// The reason.
        why: String,
    },
    /// The address leads into a private network or to the local machine, directly or by a redirect.
    #[error("{host} is not on the open web")]
    PrivateAddress {
        /// The refused name or address.
        host: String,
    },

    // Skip the page and read another.
    /// The site disallows programs on the page.
    #[error("robots.txt of the site forbids {url}")]
    Robots {
        /// The page.
        url: String,
    },
    /// The body exceeds the limit.
    #[error("the page has more than {limit} bytes")]
    TooLarge {
        /// Maximum bytes.
        limit: u64,
    },
    /// The page's content type is unsupported.
    #[error("pages of type {found:?} are not read")]
    UnsupportedType {
        /// The declared content type.
        found: String,
    },
    /// The content is not text: invalid bytes, or a file that cannot be decoded.
    #[error("the page is garbled: {why}")]
    Garbled {
        /// The reason.
        why: String,
    },
    /// The page has no text.
    #[error("the page has no text")]
    Empty,
    /// The server refused, or the page does not exist.
    #[error("the server answered {status}")]
    HttpStatus {
        /// The HTTP status.
        status: u16,
    },
    /// Too many redirects.
    #[error("more than {limit} redirects")]
    TooManyRedirects {
        /// Maximum redirects.
        limit: usize,
    },
    /// The name does not resolve.
    #[error("{host} has no address")]
    Dns {
        /// The name.
        host: String,
    },

    // Retry later.
    /// The request timed out.
    #[error("no answer within {} s", limit.as_secs_f32())]
    Timeout {
        /// The timeout.
        limit: Duration,
    },
    /// The connection failed or broke.
    #[error("{host} cannot be reached: {message}")]
    Unreachable {
        /// The name or address.
        host: String,
        /// Description of the failure.
        message: String,
    },
    /// The service limits the rate, or demands a person.
    #[error("{name} limits requests")]
    RateLimited {
        /// The service.
        name: String,
        /// The wait requested by the service.
        retry_after: Option<Duration>,
    },

    // Report to the user.
    /// The service returned an invalid response.
    #[error("{name} gave an answer that cannot be read: {message}")]
    BadAnswer {
        /// The service.
        name: String,
        /// Description of the error.
        message: String,
    },
    /// The service rejected the key, or the key's quota is exhausted.
    #[error("{name} refused the key ({status})")]
    Key {
        /// The service.
        name: String,
        /// The HTTP status.
        status: u16,
    },
    /// A setting is invalid.
    #[error("setting {field}: {why}")]
    Settings {
        /// The field.
        field: Cow<'static, str>,
        /// The reason.
        why: String,
    },
}

impl Error {
    /// Returns a stable code of the kind, for traces and locale files.
    pub fn code(&self) -> &'static str {
        match self {
            Self::BadUrl { .. } => "bad_url",
            Self::PrivateAddress { .. } => "private_address",
            Self::Robots { .. } => "robots",
            Self::TooLarge { .. } => "too_large",
            Self::UnsupportedType { .. } => "unsupported_type",
            Self::Garbled { .. } => "garbled",
            Self::Empty => "empty",
            Self::HttpStatus { .. } => "http_status",
            Self::TooManyRedirects { .. } => "too_many_redirects",
            Self::Dns { .. } => "dns",
            Self::Timeout { .. } => "timeout",
            Self::Unreachable { .. } => "unreachable",
            Self::RateLimited { .. } => "rate_limited",
            Self::BadAnswer { .. } => "bad_answer",
            Self::Key { .. } => "key",
            Self::Settings { .. } => "settings",
        }
    }

    /// Returns whether a retry of the same request may succeed soon.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Timeout { .. } | Self::Unreachable { .. } | Self::RateLimited { .. } => true,
            Self::HttpStatus { status } => *status >= 500,
            _ => false,
        }
    }
}

/// Returns the first 200 characters of an untrusted text, without control characters, for a message.
#[cfg(feature = "network")]
pub(crate) fn shown(text: &str) -> String {
    text.trim().chars().filter(|character| !character.is_control()).take(200).collect()
}

/// Returns an error with all its causes, in a single line.
#[cfg(feature = "network")]
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}
