//! The errors of the MongoDB client, sorted by how the caller can react.

use super::settings::ServerAddress;
use super::{bson, message};

/// Why a command failed.
#[derive(Debug, Clone, thiserror::Error)]
pub(super) enum MongoError {
    /// No connection was possible, or the connection broke.
    #[error("{host}: {reason}")]
    Network {
        host: ServerAddress,
        reason: String,
        /// Whether the server may have received the whole command.
        is_sent: bool,
    },
    #[error("{address}: no writable primary ({reason})")]
    NoPrimary { address: String, reason: String },
    #[error("{address}: all {count} connections are in use")]
    PoolExhausted { address: String, count: usize },
    /// The server is unusable, and waiting will not help.
    #[error("{host}: {reason}")]
    Unsuitable { host: ServerAddress, reason: String },
    #[error("{host}: the login of {user} failed: {reason}")]
    Authentication { host: ServerAddress, user: String, reason: String },
    #[error("{host} sent {error}")]
    BadReply { host: ServerAddress, error: message::MessageError },
    #[error("{host} sent a reply without {what}")]
    Incomplete { host: ServerAddress, what: &'static str },
    /// The server did not execute the command, or not completely.
    #[error("{host}: {message} (code {code})")]
    Command { host: ServerAddress, code: i64, message: String },
    /// The server executed the command without satisfying the write concern.
    #[error("{host}: written, but not confirmed: {message} (code {code})")]
    Unconfirmed { host: ServerAddress, code: i64, message: String },
    #[error("a command cannot be sent: {0}")]
    BadCommand(#[from] bson::BsonError),
    #[error("a command of {length} bytes is larger than {max}, which the server allows")]
    TooLarge { length: usize, max: usize },
}

/// Codes of a server which is not the primary and has done nothing.
const NOT_PRIMARY: [i64; 4] = [10107, 13435, 13436, 10058];
/// Codes of a server stepping down or shutting down, possibly while executing the command.
const STEPPING_DOWN: [i64; 5] = [91, 189, 11600, 11602, 262];
const DUPLICATE_KEY: i64 = 11000;

impl MongoError {
    /// Returns whether a retry may succeed, perhaps on another server.
    pub(super) fn is_transient(&self) -> bool {
        match self {
            Self::Network { .. } => true,
            Self::Command { code, .. } => NOT_PRIMARY.contains(code) || STEPPING_DOWN.contains(code),
            _ => false,
        }
    }

    /// Returns whether the server may have executed the failed command.
    pub(super) fn may_be_done(&self) -> bool {
        match self {
            Self::Network { is_sent, .. } => *is_sent,
            Self::Command { code, .. } => STEPPING_DOWN.contains(code),
            _ => false,
        }
    }

    /// Returns whether the server is unusable now, but perhaps not later.
    pub(super) fn is_unreachable(&self) -> bool {
        self.is_transient() || matches!(self, Self::NoPrimary { .. } | Self::PoolExhausted { .. })
    }

    pub(super) fn is_duplicate_key(&self) -> bool {
        matches!(self, Self::Command { code: DUPLICATE_KEY, .. })
    }
}
