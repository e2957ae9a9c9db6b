//! The errors of the client for MongoDB, sorted by what can be done.

use super::settings::Host;
use super::{bson, message};

/// Why a command was not done.
#[derive(Debug, Clone, thiserror::Error)]
pub(super) enum Error {
    /// No connection could be made, or one has broken.
    #[error("{host}: {reason}")]
    Network {
        host: Host,
        reason: String,
        /// Whether the server may have received the whole command.
        is_sent: bool,
    },
    #[error("{address}: no writable primary ({reason})")]
    NoPrimary { address: String, reason: String },
    #[error("{address}: all {count} connections are in use")]
    PoolExhausted { address: String, count: usize },
    /// The server cannot be used, and waiting will not change it.
    #[error("{host}: {reason}")]
    Unsuitable { host: Host, reason: String },
    #[error("{host}: the login of {user} failed: {reason}")]
    Authentication { host: Host, user: String, reason: String },
    #[error("{host} sent {error}")]
    BadReply { host: Host, error: message::Error },
    #[error("{host} sent a reply without {what}")]
    Incomplete { host: Host, what: &'static str },
    /// The server answered that it did not do the command, or not all of it.
    #[error("{host}: {message} (code {code})")]
    Command { host: Host, code: i64, message: String },
    /// The server did the command, but not as safely as the write concern demands.
    #[error("{host}: written, but not confirmed: {message} (code {code})")]
    Unconfirmed { host: Host, code: i64, message: String },
    #[error("a command cannot be sent: {0}")]
    BadCommand(#[from] bson::Error),
    #[error("a command of {length} bytes is larger than {max}, which the server allows")]
    TooLarge { length: usize, max: usize },
}

/// Codes of a server that is not the primary and has done nothing.
const NOT_PRIMARY: [i64; 4] = [10107, 13435, 13436, 10058];
/// Codes of a server that stops being the primary, or stops altogether, while it may be doing the command.
const STEPPING_DOWN: [i64; 5] = [91, 189, 11600, 11602, 262];
const DUPLICATE_KEY: i64 = 11000;

impl Error {
    /// Returns whether another try may succeed, perhaps on another server.
    pub(super) fn is_transient(&self) -> bool {
        match self {
            Self::Network { .. } => true,
            Self::Command { code, .. } => NOT_PRIMARY.contains(code) || STEPPING_DOWN.contains(code),
            _ => false,
        }
    }

    /// Returns whether the server may have done the command although it failed.
    pub(super) fn may_be_done(&self) -> bool {
        match self {
            Self::Network { is_sent, .. } => *is_sent,
            Self::Command { code, .. } => STEPPING_DOWN.contains(code),
            _ => false,
        }
    }

    /// Returns whether the server cannot be used now, and perhaps later.
    pub(super) fn is_unreachable(&self) -> bool {
        self.is_transient() || matches!(self, Self::NoPrimary { .. } | Self::PoolExhausted { .. })
    }

    pub(super) fn is_duplicate_key(&self) -> bool {
        matches!(self, Self::Command { code: DUPLICATE_KEY, .. })
    }
}
