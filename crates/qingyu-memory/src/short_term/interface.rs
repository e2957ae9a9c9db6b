//! The interface of a short-term memory, with the values of a talk.

use std::fmt::Debug;
use std::time::Duration;

use futures::future::BoxFuture;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::clock::whole_millis;
use crate::error::Error;
use crate::name::{self, UserId};

/// The default lifetime of a value: an hour.
pub const DEFAULT_LIFETIME: Duration = Duration::from_secs(60 * 60);
/// The maximum lifetime of a value: thirty days. Longer-lived data belongs into the long-term memory.
pub(crate) const LONGEST_LIFETIME: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// The maximum size of a value serialized to JSON, in bytes.
pub(crate) const LARGEST_VALUE: usize = 256 * 1024;

/// A conversation of a user.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Talk {
    user: UserId,
    session: String,
}

impl Talk {
    /// Returns the talk `session` of `user`. Fails with [`Error::Unfit`] if the session is empty, longer than 256 bytes
    /// or has control characters. The same session name of two users denotes two talks.
    pub fn new(user: UserId, session: &str) -> Result<Self, Error> {
        Ok(Self { user, session: name::checked("session", session)? })
    }

    /// Returns the user of the talk.
    pub fn user(&self) -> &UserId {
        &self.user
    }

    /// Returns the session of the talk.
    pub fn session(&self) -> &str {
        &self.session
    }
}

/// A value, with key and expiry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TalkEntry {
    /// The key in the talk.
    pub key: String,
    /// The value.
    pub value: Value,
    /// The time from which the value is never returned. In whole milliseconds.
    pub expires: Timestamp,
}

impl TalkEntry {
    /// Returns the entry stored by [`ShortTermMemory::put`], for implementations.
    ///
    /// Fails with [`Error::Unfit`] if the key is invalid (empty, longer than 256 bytes, control characters), if the
    /// value has more than 256 KiB of JSON, or if `lifetime` is below a millisecond or above thirty days.
    pub fn new(key: &str, value: Value, lifetime: Duration, now: Timestamp) -> Result<Self, Error> {
        let key = name::checked("key", key)?;
        let bytes = value.to_string().len();
        if bytes > LARGEST_VALUE {
            let reason = format!("it has {bytes} bytes of JSON, at most {LARGEST_VALUE} are kept");
            return Err(Error::Unfit { what: "value", reason });
        }
        if !(Duration::from_millis(1)..=LONGEST_LIFETIME).contains(&lifetime) {
            let reason = format!("{lifetime:?} is not between a millisecond and thirty days");
            return Err(Error::Unfit { what: "lifetime", reason });
        }
        let lifetime = SignedDuration::try_from(lifetime).expect("thirty days are few");
        let expires = now.checked_add(lifetime).unwrap_or(Timestamp::MAX);
        Ok(Self { key, value, expires: whole_millis(expires) })
    }

    /// Returns whether the entry has expired at `now`.
    pub fn has_expired(&self, now: Timestamp) -> bool {
        self.expires <= now
    }
}

/// A store of temporary values of talks.
///
/// The time is read from the [`Clock`](crate::Clock) of the implementation: a value is returned while the clock is
/// before the expiry, and never from then on, even if a server has not yet deleted the value. A server's own expiry
/// only cleans up; the server may be later than the clock. Implementations run `testing::short_term_suite`.
pub trait ShortTermMemory: Send + Sync + Debug {
    /// Stores `value` under `key` for `lifetime` from now, usually [`DEFAULT_LIFETIME`]; overrides an earlier value and
    /// its expiry.
    ///
    /// Fails as [`TalkEntry::new`] does, which validates the entry.
    fn put<'a>(
        &'a self,
        talk: &'a Talk,
        key: &'a str,
        value: Value,
        lifetime: Duration,
    ) -> BoxFuture<'a, Result<(), Error>>;

    /// Returns the value of `key`; `None` if missing or expired. Reading does not extend the lifetime.
    fn get<'a>(&'a self, talk: &'a Talk, key: &'a str) -> BoxFuture<'a, Result<Option<Value>, Error>>;

    /// Returns all entries of the talk that have not expired, sorted by the bytes of the keys.
    fn list<'a>(&'a self, talk: &'a Talk) -> BoxFuture<'a, Result<Vec<TalkEntry>, Error>>;

    /// Deletes the value of `key`; returns whether there was a value that had not expired.
    fn forget<'a>(&'a self, talk: &'a Talk, key: &'a str) -> BoxFuture<'a, Result<bool, Error>>;

    /// Deletes the talk; returns the number of values that had not expired.
    fn forget_talk<'a>(&'a self, talk: &'a Talk) -> BoxFuture<'a, Result<usize, Error>>;
}
