//! Short-term memory: values of one talk, each with an expiry.

#[cfg(feature = "sqlite")]
mod stored;
mod volatile;

use std::fmt::Debug;
use std::time::Duration;

use futures::future::BoxFuture;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Error, UserId, name};

#[cfg(feature = "sqlite")]
pub use stored::StoredShortTerm;
pub use volatile::VolatileShortTerm;

/// How long a value is kept if nobody says otherwise: an hour.
pub const DEFAULT_LIFETIME: Duration = Duration::from_secs(60 * 60);
/// How long a value can be kept: thirty days. What must last longer belongs into the long-term memory.
pub const LONGEST_LIFETIME: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// The most bytes of a value, written as JSON.
pub const LARGEST_VALUE: usize = 256 * 1024;

/// One talk of a user.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Talk {
    user: UserId,
    session: String,
}

impl Talk {
    /// The talk `session` of `user`. Fails with [`Error::Unfit`] if the session is empty, longer than 256 bytes or has
    /// control characters. Two users may use the same name; they do not share the talk.
    pub fn new(user: UserId, session: &str) -> Result<Self, Error> {
        Ok(Self { user, session: name::checked("session", session)? })
    }

    /// Whose talk it is.
    pub fn user(&self) -> &UserId {
        &self.user
    }

    /// Which of the user's.
    pub fn session(&self) -> &str {
        &self.session
    }
}

/// A value, its name, and when it goes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Its name in the talk.
    pub key: String,
    /// What is remembered.
    pub value: Value,
    /// From this moment on it is not given back. In whole milliseconds.
    pub expires: Timestamp,
}

impl Entry {
    /// What [`ShortTermMemory::put`] keeps, for those who implement it.
    ///
    /// Fails with [`Error::Unfit`] if the key is no name (empty, longer than 256 bytes, control characters), if the value
    /// has more than [`LARGEST_VALUE`] bytes of JSON, or if `lifetime` is below a millisecond or above
    /// [`LONGEST_LIFETIME`].
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
        Ok(Self { key, value, expires: crate::clock::whole_millis(expires) })
    }

    /// Whether it is gone at `now`.
    pub fn has_expired(&self, now: Timestamp) -> bool {
        self.expires <= now
    }
}

/// Remembers values of a talk for a while.
///
/// The time is that of the [`Clock`](crate::Clock) an implementation is made with: a value is given back as long as the
/// clock stands before its expiry, and never from then on, even if a server has not yet thrown it away. A server's own
/// expiry only cleans up; it may come later than the clock's. Implementations run `testing::short_term_suite`.
pub trait ShortTermMemory: Send + Sync + Debug {
    /// Keeps `value` under `key` for `lifetime` from now, mostly [`DEFAULT_LIFETIME`]; what stood there before is gone,
    /// with its expiry.
    ///
    /// Fails as [`Entry::new`] does, which makes the entry.
    fn put<'a>(
        &'a self,
        talk: &'a Talk,
        key: &'a str,
        value: Value,
        lifetime: Duration,
    ) -> BoxFuture<'a, Result<(), Error>>;

    /// What stands under `key`; `None` if nothing was put there, or if it has expired. Reading does not lengthen a life.
    fn get<'a>(&'a self, talk: &'a Talk, key: &'a str) -> BoxFuture<'a, Result<Option<Value>, Error>>;

    /// All that the talk has and that has not expired, by the bytes of the keys.
    fn list<'a>(&'a self, talk: &'a Talk) -> BoxFuture<'a, Result<Vec<Entry>, Error>>;

    /// Forgets what stands under `key`; gives whether it was there and had not expired.
    fn forget<'a>(&'a self, talk: &'a Talk, key: &'a str) -> BoxFuture<'a, Result<bool, Error>>;

    /// Forgets the talk; gives how many values it had that had not expired.
    fn forget_talk<'a>(&'a self, talk: &'a Talk) -> BoxFuture<'a, Result<usize, Error>>;
}
