//! Keys: creation, listing, revocation, authentication.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use qingyu_memory::UserId;
use qingyu_store::{AccountRole, ApiKey, Keys, Projects, UserAccount};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::control::AccessControl;
use crate::access::limits::KeyUsageLimits;
use crate::access::presented::{GeneratedKey, PresentedKey, Secret, nobodys_digest};
use crate::access::scope::{AccessScope, Right};
use crate::error::{Error, Noun};

/// The minimum interval between two updates of a key's last use.
const USE_INTERVAL: Duration = Duration::from_secs(60);
/// The maximum length of a key's name, in characters.
const NAME_LENGTH: usize = 100;

/// A request for a new key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyRequest {
    /// The owner; the caller by default.
    #[serde(default)]
    pub user: Option<String>,
    /// The purpose, in words.
    #[serde(default)]
    pub name: String,
    /// The granted right.
    pub right: Right,
    /// The visible projects, by ID or prefix; by default all present and future projects of the user.
    #[serde(default)]
    pub projects: Vec<String>,
    /// The expiry.
    #[serde(default)]
    pub expires: Option<Timestamp>,
    /// The limits.
    #[serde(default, deserialize_with = "by_name")]
    pub limits: KeyUsageLimits,
}

/// Deserializes limits from a map only. A list would be accepted by position, an easy source of errors.
fn by_name<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<KeyUsageLimits, D::Error> {
    let named = serde_json::Map::deserialize(deserializer)?;
    serde_json::from_value(named.into()).map_err(serde::de::Error::custom)
}

/// The validity of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeyState {
    /// Valid.
    Active,
    /// Expired.
    Expired,
    /// Revoked.
    Revoked,
}

/// A key in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeyRow {
    /// The ID: the public part of the key.
    pub key: String,
    /// The owner.
    pub user: String,
    /// The purpose.
    pub name: String,
    /// The prefix of the key.
    pub prefix: String,
    /// The granted right.
    pub right: Right,
    /// The visible projects; `None` for all projects of the owner.
    pub projects: Option<Vec<String>>,
    /// The validity.
    pub state: KeyState,
    /// The time of creation.
    pub created: Timestamp,
    /// The expiry.
    pub expires: Option<Timestamp>,
    /// The time of revocation.
    pub revoked: Option<Timestamp>,
    /// The time of the last use, to about a minute.
    pub last_used: Option<Timestamp>,
    /// The limits.
    pub limits: KeyUsageLimits,
}

/// A new key: the only value containing the whole key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CreatedKey {
    /// The key as in lists.
    #[serde(flatten)]
    pub row: KeyRow,
    /// The key itself. Not stored anywhere.
    pub secret: Secret,
}

impl KeyRow {
    /// Returns the project whose member holds the key: the key's only project, for a key with a name.
    pub(super) fn member_of(&self) -> Option<&str> {
        match self.projects.as_deref() {
            Some([project]) if !self.name.is_empty() => Some(project),
            _ => None,
        }
    }

    pub(super) fn new(key: ApiKey, now: Timestamp) -> Self {
        let state = match (key.revoked, key.expires) {
            (Some(_), _) => KeyState::Revoked,
            (None, Some(expires)) if expires <= now => KeyState::Expired,
            _ => KeyState::Active,
        };
        Self {
            prefix: format!("qy_{}_", key.id),
            right: Right::named(&key.right).unwrap_or(Right::Read),
            key: key.id,
            user: key.user,
            name: key.name,
            projects: key.projects,
            state,
            created: key.created,
            expires: key.expires,
            revoked: key.revoked,
            last_used: key.last_used,
            limits: KeyUsageLimits::of(key.limits),
        }
    }
}

impl AccessControl {
    /// Authenticates the owner of a presented key.
    ///
    /// Returns [`Error::Unauthorized`] for a missing, mistyped, unknown, revoked or expired key, and for the key of a
    /// disabled user. The cases are indistinguishable, in constant time for all cases with a database lookup; a
    /// mistyped key is rejected before the lookup. The rejection of an existing key is appended to the audit log, at
    /// most once a minute per key.
    pub async fn authenticate(&self, presented: &str) -> Result<AccessScope, Error> {
        let Some(presented) = PresentedKey::read(presented) else { return Err(Error::Unauthorized) };
        let found = self.keys_table().find(presented.id).await.map_err(|error| self.failed(error))?;
        let nobodys = nobodys_digest();
        let kept = found.as_ref().map_or(nobodys.as_str(), |(key, _)| key.secret_digest.as_str());
        let is_right = presented.has_digest(kept);
        let now = Timestamp::now();
        let Some((key, account)) = found else { return Err(Error::Unauthorized) };
        let row = KeyRow::new(key, now);
        let why = if is_right { why_not(&row, &account) } else { Some("wrong_secret") };
        if let Some(why) = why {
            self.note_refused(row.key, why);
            return Err(Error::Unauthorized);
        }
        if row.last_used.is_none_or(|last| now.duration_since(last).unsigned_abs() >= USE_INTERVAL) {
            self.keys_table().used(&row.key, now).await.map_err(|error| self.failed(error))?;
        }
        scope_of(row, &account)
    }

    /// Closes the event streams of invalid keys.
    pub(crate) async fn close_ears(&self) -> Result<(), Error> {
        for key in self.studio.ears().keys() {
            let found = self.keys_table().find(&key).await.map_err(|error| self.failed(error))?;
            let holds =
                found.is_some_and(|(key, owner)| why_not(&KeyRow::new(key, Timestamp::now()), &owner).is_none());
            if !holds {
                tracing::info!(key, "key no longer valid: its streams end");
                self.studio.ears().close(&key);
            }
        }
        Ok(())
    }

    /// Returns the scope of a run resumed by a server: with the limits of the key that started the run, even if the key
    /// is no longer valid.
    pub(crate) async fn scope_of_run(&self, user: UserId, key: Option<&str>) -> Result<AccessScope, Error> {
        let found = match key {
            Some(key) => self.keys_table().find(key).await.map_err(|error| self.failed(error))?,
            None => None,
        };
        match found {
            Some((key, account)) => {
                let scope = scope_of(KeyRow::new(key, Timestamp::now()), &account)?;
                Ok(AccessScope { right: Right::Write, ..scope })
            }
            None => Ok(AccessScope::on_behalf_of(user)),
        }
    }

    /// Returns the scope of a run that was ordered for later with `key`: with the right to write and the limits of the key;
    /// that of the server itself without a key.
    ///
    /// Returns [`Error::ScheduleKeyInvalid`] if the key is revoked, expired or gone, and for the key of a disabled user.
    pub(crate) async fn scope_of_schedule(&self, user: UserId, key: Option<&str>) -> Result<AccessScope, Error> {
        let Some(key) = key else { return Ok(AccessScope::on_behalf_of(user)) };
        let found = self.keys_table().find(key).await.map_err(|error| self.failed(error))?;
        let (key, account) = found.ok_or(Error::ScheduleKeyInvalid)?;
        let row = KeyRow::new(key, Timestamp::now());
        if why_not(&row, &account).is_some() {
            return Err(Error::ScheduleKeyInvalid);
        }
        Ok(AccessScope { right: Right::Write, ..scope_of(row, &account)? })
    }

    /// Appends the rejection of a key to the audit log, in the background.
    fn note_refused(&self, key: String, why: &'static str) {
        let once = KeyUsageLimits { requests_per_minute: Some(NonZeroU32::MIN), ..KeyUsageLimits::default() };
        if self.studio.pace().allow(&format!("refused {key}"), &once).is_err() {
            return;
        }
        tracing::warn!(key, why, "invalid key presented");
        let access = self.clone();
        tokio::spawn(async move {
            if let Err(error) = access.record_as("key.refused", &key, why).await {
                tracing::error!(%error, key, "failed to write an audit entry for a refused key");
            }
        });
    }

    /// Returns the keys of `user`, newest first. Keys of other users, or of all users by default, require
    /// [`Right::Admin`]; callers without the right get their own keys, with a key of some projects only the current key.
    pub async fn keys(&self, user: Option<&str>) -> Result<Vec<KeyRow>, Error> {
        let is_admin = self.scope().may(Right::Admin);
        let user = user.or((!is_admin).then(|| self.scope().user()));
        if user != Some(self.scope().user()) {
            self.scope().demand(Right::Admin)?;
        }
        let keys = self.keys_table().list(user).await.map_err(|error| self.failed(error))?;
        let now = Timestamp::now();
        // The other keys of the user belong to other people, and name other projects.
        let only = if self.scope().sees_all() { None } else { self.scope().key() };
        let keys = keys.into_iter().filter(|key| only.is_none_or(|only| key.id == only));
        Ok(keys.map(|key| KeyRow::new(key, now)).collect())
    }

    /// Creates a key. Only the response contains the whole key. Requires [`Right::Admin`]: otherwise callers could
    /// create a key beyond the limits, projects and expiry of their own key.
    ///
    /// Returns [`Error::Unknown`] for an unknown user, or if a project does not belong to the user, and
    /// [`Error::BadKey`] for an inconsistent request.
    pub async fn make_key(&self, request: KeyRequest) -> Result<CreatedKey, Error> {
        self.scope().demand(Right::Admin)?;
        let (key, secret) = self.new_key(request).await?;
        let act = self.act("key.make", &key.id);
        self.keys_table().add(key.clone(), act).await.map_err(|error| self.failed(error))?;
        Ok(CreatedKey { row: KeyRow::new(key, Timestamp::now()), secret })
    }

    /// Returns a key for a request, not stored yet. The caller of this method checks the rights.
    pub(super) async fn new_key(&self, request: KeyRequest) -> Result<(ApiKey, Secret), Error> {
        let KeyRequest { user, name, right, projects, expires, limits } = request;
        let user = user.unwrap_or_else(|| self.scope().user().to_owned());
        let owner = self.accounts().get(&user).await.map_err(|error| self.failed(error))?;
        let now = Timestamp::now();
        let unfit = |reason: &str| Err(Error::BadKey { reason: reason.into() });
        if right == Right::Admin && owner.role != AccountRole::Admin {
            return unfit("admin_of_member");
        }
        if right == Right::Admin && !projects.is_empty() {
            return unfit("admin_of_projects");
        }
        if expires.is_some_and(|expires| expires <= now) {
            return unfit("expired");
        }
        if name.chars().count() > NAME_LENGTH || name.chars().any(char::is_control) {
            return unfit("name");
        }
        let GeneratedKey { id, digest, whole } = GeneratedKey::new()?;
        let key = ApiKey {
            id,
            name: name.trim().to_owned(),
            secret_digest: digest,
            right: right.name().to_owned(),
            projects: self.projects_of(&user, &projects).await?,
            user,
            created: now,
            expires,
            revoked: None,
            last_used: None,
            limits: limits.kept(),
        };
        Ok((key, whole))
    }

    /// Returns the limits and the expiry of the caller's key, so that a key made with a key cannot exceed it; none for an
    /// administrator.
    pub(super) async fn own_bounds(&self) -> Result<(KeyUsageLimits, Option<Timestamp>), Error> {
        let key = self.scope().key().filter(|_| !self.scope().may(Right::Admin));
        let Some(key) = key else { return Ok((KeyUsageLimits::default(), None)) };
        let found = self.keys_table().find(key).await.map_err(|error| self.failed(error))?;
        Ok((self.scope().limits().clone(), found.and_then(|(key, _)| key.expires)))
    }

    /// Revokes a key immediately, by its ID or its public beginning `qy_ID_`. Callers can always revoke the current
    /// key; their other keys with [`Right::Write`] on all projects, and keys of other users with [`Right::Admin`].
    pub async fn revoke_key(&self, given: &str) -> Result<KeyRow, Error> {
        let id = given.strip_prefix("qy_").map_or(given, |rest| rest.split('_').next().unwrap_or(rest));
        // To callers without access, keys of other users do not exist.
        let visible = self.keys(None).await?;
        let unknown = || Error::unknown(Noun::Key, id);
        let row = visible.into_iter().find(|row| row.key == id).ok_or_else(unknown)?;
        if self.scope().key() != Some(id) {
            self.scope().demand(Right::Write)?;
            self.scope().demand_all()?;
        }
        let now = Timestamp::now();
        let revoked = self.keys_table().revoke(id, self.act("key.revoke", id), now).await;
        revoked.map_err(|error| self.failed(error))?;
        // The key no longer receives the events of its runs being stopped.
        self.studio.ears().close(id);
        Ok(KeyRow { state: KeyState::Revoked, revoked: row.revoked.or(Some(now)), ..row })
    }

    /// Counts a request of the caller. Returns [`Error::Limit`] if the key's limit per minute is reached, by all keys of a
    /// member of a project together.
    pub fn admit(&self) -> Result<(), Error> {
        match self.scope().holder() {
            Some(holder) => self.studio.pace().allow(&holder, &self.scope().limits).map_err(Error::Limit),
            None => Ok(()),
        }
    }

    async fn projects_of(&self, user: &str, given: &[String]) -> Result<Option<Vec<String>>, Error> {
        let projects = Projects::new(self.studio.database(), user);
        let mut ids = BTreeSet::new();
        for given in given {
            ids.insert(projects.find(given).await.map_err(|error| self.failed(error))?.id);
        }
        Ok((!ids.is_empty()).then(|| ids.into_iter().collect()))
    }

    pub(super) fn keys_table(&self) -> Keys {
        Keys::new(self.studio.database())
    }
}

/// Returns the reason for rejecting a key, if any.
fn why_not(key: &KeyRow, owner: &UserAccount) -> Option<&'static str> {
    match key.state {
        KeyState::Expired => Some("expired"),
        KeyState::Revoked => Some("revoked"),
        KeyState::Active => owner.disabled.map(|_| "user_disabled"),
    }
}

fn scope_of(row: KeyRow, owner: &UserAccount) -> Result<AccessScope, Error> {
    // Users without the admin role lose the admin right of their keys.
    let most = if owner.role == AccountRole::Admin { Right::Admin } else { Right::Approve };
    Ok(AccessScope {
        user: UserId::new(&row.user).map_err(|_| Error::Unauthorized)?,
        member: row.member_of().is_some().then(|| row.name.as_str().into()),
        key: Some(row.key.into()),
        right: row.right.min(most),
        projects: row.projects.map(|projects| Arc::new(projects.into_iter().collect())),
        limits: Arc::new(row.limits),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::{UserRequest, UserRole};
    use crate::{Environment, Settings, Studio};

    #[tokio::test]
    async fn a_run_that_is_gone_on_with_keeps_the_limits_of_its_key() {
        let home = tempfile::tempdir().unwrap();
        let variables = [("QINGYU_HOME".to_owned(), home.path().to_str().unwrap().to_owned())];
        let settings = Settings::load(Environment::new(variables), toml::Table::new()).unwrap();
        let studio = Studio::open(settings).await.unwrap();
        let access = studio.access();
        access.add_user(UserRequest { user: "anna".into(), name: None, role: UserRole::Member }).await.unwrap();
        let limits = KeyUsageLimits { tokens_per_day: Some(7), ..KeyUsageLimits::default() };
        let request = KeyRequest {
            user: Some("anna".into()),
            name: String::new(),
            right: Right::Write,
            projects: Vec::new(),
            expires: None,
            limits: limits.clone(),
        };
        let key = access.make_key(request).await.unwrap().row.key;
        let anna = || UserId::new("anna").unwrap();
        let scope = access.scope_of_run(anna(), Some(&key)).await.unwrap();
        assert_eq!((scope.user(), scope.key(), &*scope.limits), ("anna", Some(&*key), &limits));
        // A revoked key starts no runs; its active runs continue within its limits.
        access.revoke_key(&key).await.unwrap();
        assert_eq!(*access.scope_of_run(anna(), Some(&key)).await.unwrap().limits, limits);
        let scope = access.scope_of_run(anna(), None).await.unwrap();
        assert_eq!((scope.user(), scope.key(), &*scope.limits), ("anna", None, &KeyUsageLimits::default()));
    }
}
