//! Failures, sorted by what the caller can do.

use std::borrow::Cow;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Why a search or a page could not be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Error {
    // Mend the address, or leave it.
    /// The address is none that is ever read: another scheme, another port, with a password.
    #[error("{url} is no address to read: {why}")]
    BadUrl {
        /// The address as it was given, shortened.
        url: String,
        /// What is wrong with it.
        why: String,
    },
    /// The address leads into a private network or to this machine, itself or by a redirect.
    #[error("{host} is not on the open web")]
    PrivateAddress {
        /// The name or address that was refused.
        host: String,
    },

    // Leave this page and read another.
    /// The site does not want the page read by programs.
    #[error("robots.txt of the site forbids {url}")]
    Robots {
        /// The page.
        url: String,
    },
    /// There is more than may be read.
    #[error("the page has more than {limit} bytes")]
    TooLarge {
        /// The most bytes that are read.
        limit: u64,
    },
    /// The page is of a type that is not read.
    #[error("pages of type {found:?} are not read")]
    UnsupportedType {
        /// The content type it declares.
        found: String,
    },
    /// What came is not text: wrong bytes, or a file that cannot be decoded.
    #[error("the page is garbled: {why}")]
    Garbled {
        /// How that shows.
        why: String,
    },
    /// The page has no text.
    #[error("the page has no text")]
    Empty,
    /// The server refused, or has no such page.
    #[error("the server answered {status}")]
    HttpStatus {
        /// The status.
        status: u16,
    },
    /// One redirect led to another too often.
    #[error("more than {limit} redirects")]
    TooManyRedirects {
        /// The most that are followed.
        limit: usize,
    },
    /// The name has no address.
    #[error("{host} has no address")]
    Dns {
        /// The name.
        host: String,
    },

    // Try again later.
    /// It took too long.
    #[error("no answer within {} s", limit.as_secs_f32())]
    Timeout {
        /// How long was waited.
        limit: Duration,
    },
    /// The connection failed or broke.
    #[error("{host} cannot be reached: {message}")]
    Unreachable {
        /// The name or address.
        host: String,
        /// What happened.
        message: String,
    },
    /// The service wants fewer questions, or wants to see a person.
    #[error("{name} wants fewer requests")]
    RateLimited {
        /// Which service.
        name: String,
        /// How long it asks to wait.
        retry_after: Option<Duration>,
    },

    // Tell the user.
    /// The service answered something that cannot be understood.
    #[error("{name} gave an answer that cannot be read: {message}")]
    BadAnswer {
        /// Which service.
        name: String,
        /// What is wrong with it.
        message: String,
    },
    /// The service refused the key, or what the key may spend.
    #[error("{name} refused the key ({status})")]
    Key {
        /// Which service.
        name: String,
        /// The status.
        status: u16,
    },
    /// A setting cannot be used.
    #[error("setting {field}: {why}")]
    Settings {
        /// Which one.
        field: Cow<'static, str>,
        /// What is wrong with it.
        why: String,
    },
}

impl Error {
    /// A stable name of the kind, for traces and locale files.
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

    /// Whether the same request may succeed a little later.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Timeout { .. } | Self::Unreachable { .. } | Self::RateLimited { .. } => true,
            Self::HttpStatus { status } => *status >= 500,
            _ => false,
        }
    }
}

/// The first 200 characters of what strangers wrote, without control characters, for a message.
pub(crate) fn shown(text: &str) -> String {
    text.trim().chars().filter(|character| !character.is_control()).take(200).collect()
}

/// An error with all its causes, in one line.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}
