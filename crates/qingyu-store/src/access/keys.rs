//! API keys, with which programs authenticate.

use jiff::Timestamp;
use qingyu_db::Database;
use qingyu_db::sql::{Connection, OptionalExtension, Row};

use super::accounts::{AccountRole, UserAccount};
use super::audit::{self, AuditAct};
use super::used::{self, KeyUse};
use crate::Error;
use crate::row::{from_count, from_json, to_count, to_json, to_time};

/// Maximum number of members of a project.
const MEMBERS: usize = 50;

/// An API key. Only a digest of the secret is stored, and omitted from `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// The public part of the key.
    pub id: String,
    /// The owner.
    pub user: String,
    /// The name given by the user.
    pub name: String,
    /// SHA-256 of the secret part, in hexadecimal.
    pub secret_digest: String,
    /// The permission, such as `read`, `write` or `admin`.
    pub right: String,
    /// The permitted projects; by default all projects of the user.
    pub projects: Option<Vec<String>>,
    /// Time of creation.
    pub created: Timestamp,
    /// Time of expiry.
    pub expires: Option<Timestamp>,
    /// Time of revocation.
    pub revoked: Option<Timestamp>,
    /// Time of the last use, to about a minute.
    pub last_used: Option<Timestamp>,
    /// The limits of use.
    pub limits: KeyLimits,
}

impl std::fmt::Debug for ApiKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("ApiKey")
            .field("id", &self.id)
            .field("user", &self.user)
            .field("right", &self.right)
            .finish_non_exhaustive()
    }
}

/// The limits of a key; `None` is unlimited.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeyLimits {
    /// Maximum number of requests per minute.
    pub requests_per_minute: Option<u32>,
    /// Maximum number of concurrent runs.
    pub parallel_runs: Option<u32>,
    /// Maximum number of input and output tokens per day.
    pub tokens_per_day: Option<u64>,
    /// Maximum cost per day, in millionths of `currency`.
    pub money_per_day: Option<u64>,
    /// The currency of the cost.
    pub currency: Option<String>,
}

impl KeyLimits {
    /// Returns the lower of each two limits. Money in different currencies cannot be compared: `most` counts.
    #[must_use]
    pub fn within(self, most: Self) -> Self {
        let (money_per_day, currency) = match (self.money_per_day, most.money_per_day) {
            (Some(own), Some(limit)) if self.currency == most.currency => (Some(own.min(limit)), self.currency),
            (own, None) => (own, self.currency),
            (_, limit) => (limit, most.currency),
        };
        Self {
            requests_per_minute: lower(self.requests_per_minute, most.requests_per_minute),
            parallel_runs: lower(self.parallel_runs, most.parallel_runs),
            tokens_per_day: lower(self.tokens_per_day, most.tokens_per_day),
            money_per_day,
            currency,
        }
    }
}

/// Returns the lower of two limits; `None` is unlimited.
fn lower<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    one.into_iter().chain(other).min()
}

/// The keys of a database.
#[derive(Debug, Clone)]
pub struct Keys {
    database: Database,
}

const COLUMNS: &str = "id, user_id, name, secret_digest, access_right, projects, created, expires, revoked, last_used,
     requests_per_minute, parallel_runs, tokens_per_day, money_per_day, currency";

impl Keys {
    /// Returns the keys of `database`.
    pub fn new(database: &Database) -> Self {
        Self { database: database.clone() }
    }

    /// Inserts a key, with `act` appended to the audit. Returns an error for a duplicate id.
    pub async fn add(&self, key: ApiKey, act: AuditAct) -> Result<(), Error> {
        let job = move |connection: &Connection| {
            insert(connection, &key)?;
            audit::append(connection, &act, key.created)
        };
        self.database.write(job).await
    }

    /// Inserts the key of a new member of a project, with `act` appended to the audit: a named key of that project alone.
    /// Returns [`Error::MemberExists`] if a valid key of the project has the name already, and [`Error::TooManyMembers`]
    /// if the project has 50. Concurrent calls for a project wait for the commit, so that only one gets the name.
    pub async fn add_member(&self, key: ApiKey, act: AuditAct) -> Result<(), Error> {
        let job = move |connection: &Connection| {
            let projects = key.projects.as_ref().map(to_json).unwrap_or_default();
            connection.lock(&format!("members {projects}"))?;
            let is_valid = |other: &ApiKey| other.expires.is_none_or(|expires| expires > key.created);
            let mut members = members(connection, &key.user, &projects)?;
            members.retain(is_valid);
            if members.iter().any(|member| member.name == key.name) {
                return Err(Error::MemberExists { name: key.name });
            }
            if members.len() >= MEMBERS {
                return Err(Error::TooManyMembers { limit: MEMBERS });
            }
            insert(connection, &key)?;
            audit::append(connection, &act, key.created)
        };
        self.database.write(job).await
    }

    /// Returns the keys of `user`, by default of all users, newest first.
    pub async fn list(&self, user: Option<&str>) -> Result<Vec<ApiKey>, Error> {
        let user = user.map(str::to_owned);
        let job = move |connection: &Connection| {
            let sql = format!(
                "SELECT {COLUMNS} FROM api_key WHERE user_id = coalesce(?1, user_id) ORDER BY created DESC, id"
            );
            let mut select = connection.prepare_cached(&sql)?;
            let rows = select.query_map([user], |row| Ok(read(row)))?;
            rows.map(|row| row?).collect()
        };
        self.database.read(job).await
    }

    /// Returns the key with the id and its owner; `None` if unknown.
    pub async fn find(&self, id: &str) -> Result<Option<(ApiKey, UserAccount)>, Error> {
        let id = id.to_owned();
        let job = move |connection: &Connection| {
            let sql = format!("SELECT {COLUMNS} FROM api_key WHERE id = ?1");
            let found = connection.prepare_cached(&sql)?.query_row([&id], |row| Ok(read(row))).optional()?;
            let Some(key) = found.transpose()? else { return Ok(None) };
            let account = "SELECT name, role, created, disabled FROM account WHERE id = ?1";
            let account =
                connection.prepare_cached(account)?.query_row([&key.user], |row| Ok(owner(&key.user, row)))??;
            Ok(Some((key, account)))
        };
        self.database.read(job).await
    }

    /// Revokes a key and requests a stop of its active runs, with `act` appended to the audit. A revoked key keeps its
    /// original time.
    pub async fn revoke(&self, id: &str, act: AuditAct, at: Timestamp) -> Result<(), Error> {
        let id = id.to_owned();
        let job = move |connection: &Connection| {
            let update = "UPDATE api_key SET revoked = coalesce(revoked, ?2) WHERE id = ?1";
            if connection.prepare_cached(update)?.execute((&id, at.to_string()))? == 0 {
                return Err(Error::UnknownKey { given: id });
            }
            stop_runs(connection, &id)?;
            audit::append(connection, &act, at)
        };
        self.database.write(job).await
    }

    /// Changes the permission of a key, with `act` appended to the audit. The runs of a key that may not write any more
    /// (`may_write`) stop at their next checkpoint.
    pub async fn change_right(
        &self,
        id: &str,
        right: &str,
        may_write: bool,
        act: AuditAct,
        at: Timestamp,
    ) -> Result<(), Error> {
        let (id, right) = (id.to_owned(), right.to_owned());
        let job = move |connection: &Connection| {
            let update = "UPDATE api_key SET access_right = ?2 WHERE id = ?1 AND revoked IS NULL";
            if connection.prepare_cached(update)?.execute((&id, &right))? == 0 {
                return Err(Error::UnknownKey { given: id });
            }
            if !may_write {
                stop_runs(connection, &id)?;
            }
            audit::append(connection, &act, at)
        };
        self.database.write(job).await
    }

    /// Raises the permission of a key, with `act` appended to the audit. The limits and the expiry of the key are lowered
    /// to `limits` and `latest` where they exceed them.
    pub async fn raise_right(
        &self,
        id: &str,
        right: &str,
        limits: KeyLimits,
        latest: Option<Timestamp>,
        act: AuditAct,
        at: Timestamp,
    ) -> Result<(), Error> {
        let (id, right) = (id.to_owned(), right.to_owned());
        let job = move |connection: &Connection| {
            let select = format!("SELECT {COLUMNS} FROM api_key WHERE id = ?1 AND revoked IS NULL");
            let found = connection.prepare_cached(&select)?.query_row([&id], |row| Ok(read(row))).optional()?;
            let Some(key) = found.transpose()? else { return Err(Error::UnknownKey { given: id }) };
            let limits = key.limits.within(limits);
            let expires = key.expires.into_iter().chain(latest).min();
            let update =
                "UPDATE api_key SET access_right = ?2, expires = ?3, requests_per_minute = ?4, parallel_runs = ?5,
                 tokens_per_day = ?6, money_per_day = ?7, currency = ?8 WHERE id = ?1 AND revoked IS NULL";
            connection.prepare_cached(update)?.execute(qingyu_db::params![
                id,
                right,
                expires.map(|at| at.to_string()),
                limits.requests_per_minute,
                limits.parallel_runs,
                limits.tokens_per_day.map(to_count),
                limits.money_per_day.map(to_count),
                limits.currency,
            ])?;
            audit::append(connection, &act, at)
        };
        self.database.write(job).await
    }

    /// Records a use of the key.
    pub async fn used(&self, id: &str, at: Timestamp) -> Result<(), Error> {
        let id = id.to_owned();
        let job = move |connection: &Connection| {
            let update = "UPDATE api_key SET last_used = ?2 WHERE id = ?1";
            connection.prepare_cached(update)?.execute((id, at.to_string()))?;
            Ok(())
        };
        self.database.write(job).await
    }

    /// Returns the current use of the user's key, and its spending since the time, without the run `but_run`. The keys of
    /// one member of a project, present and past, are counted together.
    pub async fn usage(&self, user: &str, id: &str, but_run: Option<&str>, since: Timestamp) -> Result<KeyUse, Error> {
        let (user, id, but_run) = (user.to_owned(), id.to_owned(), but_run.map(str::to_owned));
        self.database.read(move |connection| used::usage(connection, &user, &id, but_run.as_deref(), since)).await
    }
}

/// Returns the unrevoked keys with a name of exactly the projects.
fn members(connection: &Connection, user: &str, projects: &str) -> Result<Vec<ApiKey>, Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM api_key WHERE user_id = ?1 AND projects = ?2 AND name <> '' AND revoked IS NULL"
    );
    let mut select = connection.prepare_cached(&sql)?;
    let rows = select.query_map((user, projects), |row| Ok(read(row)))?;
    rows.map(|row| row?).collect()
}

fn insert(connection: &Connection, key: &ApiKey) -> Result<(), Error> {
    let sql = format!(
        "INSERT INTO api_key({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)"
    );
    let time = |at: Option<Timestamp>| at.map(|at| at.to_string());
    connection.prepare_cached(&sql)?.execute(qingyu_db::params![
        key.id,
        key.user,
        key.name,
        key.secret_digest,
        key.right,
        key.projects.as_ref().map(to_json),
        key.created.to_string(),
        time(key.expires),
        time(key.revoked),
        time(key.last_used),
        key.limits.requests_per_minute,
        key.limits.parallel_runs,
        key.limits.tokens_per_day.map(to_count),
        key.limits.money_per_day.map(to_count),
        key.limits.currency,
    ])?;
    Ok(())
}

fn read(row: &Row<'_>) -> Result<ApiKey, Error> {
    let id: String = row.get(0)?;
    let time = |column| -> Result<Option<Timestamp>, Error> {
        row.get::<_, Option<String>>(column)?.map(|at| to_time(&at)).transpose()
    };
    let projects: Option<String> = row.get(5)?;
    Ok(ApiKey {
        user: row.get(1)?,
        name: row.get(2)?,
        secret_digest: row.get(3)?,
        right: row.get(4)?,
        projects: projects.map(|text| from_json(&text, || format!("projects of key {id}"))).transpose()?,
        created: to_time(&row.get::<_, String>(6)?)?,
        expires: time(7)?,
        revoked: time(8)?,
        last_used: time(9)?,
        limits: KeyLimits {
            requests_per_minute: row.get(10)?,
            parallel_runs: row.get(11)?,
            tokens_per_day: row.get::<_, Option<i64>>(12)?.map(from_count),
            money_per_day: row.get::<_, Option<i64>>(13)?.map(from_count),
            currency: row.get(14)?,
        },
        id,
    })
}

/// Lets the running runs of a key stop at their next checkpoint.
fn stop_runs(connection: &Connection, key: &str) -> Result<(), Error> {
    connection.lock(key)?;
    let stop = "UPDATE run SET stop = 1 WHERE key_id = ?1 AND status = 'running'";
    connection.prepare_cached(stop)?.execute([key])?;
    Ok(())
}

fn owner(id: &str, row: &Row<'_>) -> Result<UserAccount, Error> {
    Ok(UserAccount {
        id: id.to_owned(),
        name: row.get(0)?,
        role: AccountRole::named(&row.get::<_, String>(1)?)?,
        created: to_time(&row.get::<_, String>(2)?)?,
        disabled: row.get::<_, Option<String>>(3)?.map(|at| to_time(&at)).transpose()?,
    })
}
