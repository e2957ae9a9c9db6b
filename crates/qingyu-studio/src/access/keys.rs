//! Keys: made, listed, revoked, and looked at when somebody shows one.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use qingyu_memory::UserId;
use qingyu_store::{Account, ApiKey, Keys, Projects, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::presented::{Fresh, Presented, Secret, nobodys_digest};
use super::{Access, Limits, Right, Scope};
use crate::Error;

/// How often it is written down that a key is used.
const NOTED: Duration = Duration::from_secs(60);
/// The longest name of a key, in characters.
const LONGEST: usize = 100;

/// A key to be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyRequest {
    /// Whose it is; of whoever asks if nobody is named.
    #[serde(default)]
    pub user: Option<String>,
    /// What it is for, in the words of people.
    #[serde(default)]
    pub name: String,
    /// What it allows.
    pub right: Right,
    /// The projects it is for, by their ids or the beginnings of them; all of the user's, those to come included, if none is
    /// named.
    #[serde(default)]
    pub projects: Vec<String>,
    /// Until when it holds.
    #[serde(default)]
    pub expires: Option<Timestamp>,
    /// What may be done with it.
    #[serde(default, deserialize_with = "by_name")]
    pub limits: Limits,
}

/// Limits by their names. A list would be taken for them as well, and nobody could tell which is which.
fn by_name<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Limits, D::Error> {
    let named = serde_json::Map::deserialize(deserializer)?;
    serde_json::from_value(named.into()).map_err(serde::de::Error::custom)
}

/// Whether a key holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeyState {
    /// It holds.
    Active,
    /// Its time is over.
    Expired,
    /// It was taken back.
    Revoked,
}

/// A key in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeyRow {
    /// The id: the public part of the key.
    pub key: String,
    /// Whose it is.
    pub user: String,
    /// What it is for.
    pub name: String,
    /// What the key begins with.
    pub prefix: String,
    /// What it allows.
    pub right: Right,
    /// The projects it is for; none for all of the user's.
    pub projects: Option<Vec<String>>,
    /// Whether it holds.
    pub state: KeyState,
    /// When it was made.
    pub created: Timestamp,
    /// Until when it holds.
    pub expires: Option<Timestamp>,
    /// Since when it does not hold any more.
    pub revoked: Option<Timestamp>,
    /// When it was used last, to about a minute.
    pub last_used: Option<Timestamp>,
    /// What may be done with it.
    pub limits: Limits,
}

/// A key that was just made: the only time that it is whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MadeKey {
    /// The key as lists show it.
    #[serde(flatten)]
    pub row: KeyRow,
    /// The key itself. It is kept nowhere.
    pub secret: Secret,
}

impl KeyRow {
    fn new(key: ApiKey, now: Timestamp) -> Self {
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
            limits: Limits::of(key.limits),
        }
    }
}

impl Access {
    /// Finds out who shows the key.
    ///
    /// Fails with [`Error::Unauthorized`] for whatever does not hold: no key, a mistyped, unknown, revoked or expired one, one of
    /// a user who was disabled. Nobody is told which, and it takes as long in all cases in which the database is asked. A
    /// mistyped key is refused before that. That a key which there is was refused stands in the audit, once a minute for each.
    pub async fn authenticate(&self, presented: &str) -> Result<Scope, Error> {
        let Some(presented) = Presented::read(presented) else { return Err(Error::Unauthorized) };
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
        if row.last_used.is_none_or(|last| now.duration_since(last).unsigned_abs() >= NOTED) {
            self.keys_table().used(&row.key, now).await.map_err(|error| self.failed(error))?;
        }
        scope_of(row, &account)
    }

    /// Ends the streams of those who listen with a key that does not hold any more.
    pub(crate) async fn close_ears(&self) -> Result<(), Error> {
        for key in self.studio.ears().keys() {
            let found = self.keys_table().find(&key).await.map_err(|error| self.failed(error))?;
            let holds =
                found.is_some_and(|(key, owner)| why_not(&KeyRow::new(key, Timestamp::now()), &owner).is_none());
            if !holds {
                tracing::info!(key, "does not hold any more: its streams end");
                self.studio.ears().close(&key);
            }
        }
        Ok(())
    }

    /// Whose a run is that a server goes on with: with the limits of the key that it was begun with, whether or not that holds still.
    pub(crate) async fn scope_of_run(&self, user: UserId, key: Option<&str>) -> Result<Scope, Error> {
        let found = match key {
            Some(key) => self.keys_table().find(key).await.map_err(|error| self.failed(error))?,
            None => None,
        };
        match found {
            Some((key, account)) => {
                let scope = scope_of(KeyRow::new(key, Timestamp::now()), &account)?;
                Ok(Scope { right: Right::Write, ..scope })
            }
            None => Ok(Scope::on_behalf_of(user)),
        }
    }

    /// Writes down that a key was refused, without anybody who waits for it.
    fn note_refused(&self, key: String, why: &'static str) {
        let once = Limits { requests_per_minute: Some(NonZeroU32::MIN), ..Limits::default() };
        if self.studio.pace().allow(&format!("refused {key}"), &once).is_err() {
            return;
        }
        tracing::warn!(key, why, "a key that does not hold was shown");
        let access = self.clone();
        tokio::spawn(async move {
            if let Err(error) = access.record_as("key.refused", &key, why).await {
                tracing::error!(%error, key, "that a key was refused could not be written into the audit");
            }
        });
    }

    /// The keys of `user`, newest first. Those of others, or of everybody if `user` names nobody, demand [`Right::Admin`];
    /// whoever has not that right gets their own.
    pub async fn keys(&self, user: Option<&str>) -> Result<Vec<KeyRow>, Error> {
        let is_admin = self.scope().may(Right::Admin);
        let user = user.or((!is_admin).then(|| self.scope().user()));
        if user != Some(self.scope().user()) {
            self.scope().demand(Right::Admin)?;
        }
        let keys = self.keys_table().list(user).await.map_err(|error| self.failed(error))?;
        let now = Timestamp::now();
        Ok(keys.into_iter().map(|key| KeyRow::new(key, now)).collect())
    }

    /// Makes a key. It is whole in the answer only. Demands [`Right::Admin`]: whoever could make one for themselves could
    /// leave the limits, the projects and the time of their own.
    ///
    /// Fails with [`Error::UnknownUser`], [`Error::UnknownProject`] if a project is not the user's, and [`Error::BadKey`] if
    /// what is asked for makes no sense.
    pub async fn make_key(&self, request: KeyRequest) -> Result<MadeKey, Error> {
        self.scope().demand(Right::Admin)?;
        let KeyRequest { user, name, right, projects, expires, limits } = request;
        let user = user.unwrap_or_else(|| self.scope().user().to_owned());
        let owner = self.accounts().get(&user).await.map_err(|error| self.failed(error))?;
        let now = Timestamp::now();
        let unfit = |reason: &str| Err(Error::BadKey { reason: reason.into() });
        if right == Right::Admin && owner.role != Role::Admin {
            return unfit("admin_of_member");
        }
        if right == Right::Admin && !projects.is_empty() {
            return unfit("admin_of_projects");
        }
        if expires.is_some_and(|expires| expires <= now) {
            return unfit("expired");
        }
        if name.chars().count() > LONGEST || name.chars().any(char::is_control) {
            return unfit("name");
        }
        let Fresh { id, digest, whole } = Fresh::new()?;
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
        let act = self.act("key.make", &key.id);
        self.keys_table().add(key.clone(), act).await.map_err(|error| self.failed(error))?;
        Ok(MadeKey { row: KeyRow::new(key, now), secret: whole })
    }

    /// Takes a key back; it does not hold from now on. Named by its id, or by what it begins with. One's own key can always be
    /// taken back, other keys of one's own with [`Right::Write`] on all projects, those of others with [`Right::Admin`].
    pub async fn revoke_key(&self, given: &str) -> Result<KeyRow, Error> {
        let id = given.strip_prefix("qy_").map_or(given, |rest| rest.split('_').next().unwrap_or(rest));
        // What others have is not there for whoever may not see it.
        let visible = self.keys(None).await?;
        let unknown = || Error::UnknownKey { given: id.to_owned() };
        let row = visible.into_iter().find(|row| row.key == id).ok_or_else(unknown)?;
        if self.scope().key() != Some(id) {
            self.scope().demand(Right::Write)?;
            self.scope().demand_all()?;
        }
        let now = Timestamp::now();
        let revoked = self.keys_table().revoke(id, self.act("key.revoke", id), now).await;
        revoked.map_err(|error| self.failed(error))?;
        // What its runs tell when they are stopped is not heard with it any more.
        self.studio.ears().close(id);
        Ok(KeyRow { state: KeyState::Revoked, revoked: row.revoked.or(Some(now)), ..row })
    }

    /// Counts a request of whoever asks. Fails with [`Error::Limit`] if their key allows no more in this minute.
    pub fn admit(&self) -> Result<(), Error> {
        match self.scope().key() {
            Some(key) => self.studio.pace().allow(key, &self.scope().limits).map_err(Error::Limit),
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

    fn keys_table(&self) -> Keys {
        Keys::new(self.studio.database())
    }
}

/// Why a key does not hold, if it does not.
fn why_not(key: &KeyRow, owner: &Account) -> Option<&'static str> {
    match key.state {
        KeyState::Expired => Some("expired"),
        KeyState::Revoked => Some("revoked"),
        KeyState::Active => owner.disabled.map(|_| "user_disabled"),
    }
}

fn scope_of(row: KeyRow, owner: &Account) -> Result<Scope, Error> {
    // Whoever is no admin any more has no key of one.
    let most = if owner.role == Role::Admin { Right::Admin } else { Right::Write };
    Ok(Scope {
        user: UserId::new(&row.user).map_err(|_| Error::Unauthorized)?,
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
        let limits = Limits { tokens_per_day: Some(7), ..Limits::default() };
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
        // A key that was taken back begins nothing any more; what it has begun goes on within its limits.
        access.revoke_key(&key).await.unwrap();
        assert_eq!(*access.scope_of_run(anna(), Some(&key)).await.unwrap().limits, limits);
        let scope = access.scope_of_run(anna(), None).await.unwrap();
        assert_eq!((scope.user(), scope.key(), &*scope.limits), ("anna", None, &Limits::default()));
    }
}
