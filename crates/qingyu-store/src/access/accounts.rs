//! Users.

use jiff::Timestamp;
use qingyu_db::Database;
use qingyu_db::sql::{Connection, OptionalExtension, Row};

use super::audit::{self, AuditAct};
use crate::Error;
use crate::row::to_time;

/// The role of a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AccountRole {
    /// May change shared data: users, keys, settings.
    Admin,
    /// Has projects.
    Member,
}

impl AccountRole {
    /// Returns the stored form.
    pub fn name(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Member => "member",
        }
    }

    pub(super) fn named(name: &str) -> Result<Self, Error> {
        let known = [Self::Admin, Self::Member].into_iter().find(|role| role.name() == name);
        known.ok_or_else(|| Error::BadRow { what: "role".into(), message: format!("{name} is not known") })
    }
}

/// A user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserAccount {
    /// The id, used as the user of every repository.
    pub id: String,
    /// The display name.
    pub name: String,
    /// The role.
    pub role: AccountRole,
    /// Time of creation.
    pub created: Timestamp,
    /// Time since which the user cannot authenticate.
    pub disabled: Option<Timestamp>,
}

/// The users of a database.
#[derive(Debug, Clone)]
pub struct Accounts {
    database: Database,
}

const COLUMNS: &str = "id, name, role, created, disabled";

impl Accounts {
    /// Returns the users of `database`.
    pub fn new(database: &Database) -> Self {
        Self { database: database.clone() }
    }

    /// Inserts a user, with `act` appended to the audit. Returns [`Error::AccountExists`] for a duplicate id.
    pub async fn add(&self, account: UserAccount, act: AuditAct) -> Result<(), Error> {
        let job = move |connection: &Connection| {
            let insert =
                format!("INSERT INTO account({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (id) DO NOTHING");
            let UserAccount { id, name, role, created, disabled } = account;
            let disabled = disabled.map(|at| at.to_string());
            let values = (&id, name, role.name(), created.to_string(), disabled);
            if connection.prepare_cached(&insert)?.execute(values)? == 0 {
                return Err(Error::AccountExists { id });
            }
            audit::append(connection, &act, created)
        };
        self.database.write(job).await
    }

    /// Enables or disables a user, with `act` appended to the audit. Returns the updated user.
    pub async fn switch(&self, id: &str, on: bool, act: AuditAct, at: Timestamp) -> Result<UserAccount, Error> {
        let id = id.to_owned();
        let job = move |connection: &Connection| {
            // A disabled user keeps the original time.
            let update = match on {
                true => "UPDATE account SET disabled = NULL WHERE id = ?1 AND CAST(?2 AS text) IS NOT NULL",
                false => "UPDATE account SET disabled = coalesce(disabled, ?2) WHERE id = ?1",
            };
            connection.prepare_cached(update)?.execute((&id, at.to_string()))?;
            if !on {
                let stop = "UPDATE run SET stop = 1 WHERE user_id = ?1 AND status = 'running'";
                connection.prepare_cached(stop)?.execute([&id])?;
            }
            let account = get(connection, &id)?;
            audit::append(connection, &act, at)?;
            Ok(account)
        };
        self.database.write(job).await
    }

    /// Returns the user with the id.
    pub async fn get(&self, id: &str) -> Result<UserAccount, Error> {
        let id = id.to_owned();
        self.database.read(move |connection| get(connection, &id)).await
    }

    /// Returns all users, by id.
    pub async fn list(&self) -> Result<Vec<UserAccount>, Error> {
        let job = |connection: &Connection| {
            let mut select = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM account ORDER BY id"))?;
            let rows = select.query_map((), |row| Ok(read(row)))?;
            rows.map(|row| row?).collect()
        };
        self.database.read(job).await
    }
}

fn get(connection: &Connection, id: &str) -> Result<UserAccount, Error> {
    let select = format!("SELECT {COLUMNS} FROM account WHERE id = ?1");
    let row = connection.prepare_cached(&select)?.query_row([id], |row| Ok(read(row))).optional()?;
    row.unwrap_or_else(|| Err(Error::UnknownAccount { given: id.into() }))
}

fn read(row: &Row<'_>) -> Result<UserAccount, Error> {
    Ok(UserAccount {
        id: row.get(0)?,
        name: row.get(1)?,
        role: AccountRole::named(&row.get::<_, String>(2)?)?,
        created: to_time(&row.get::<_, String>(3)?)?,
        disabled: row.get::<_, Option<String>>(4)?.map(|at| to_time(&at)).transpose()?,
    })
}
