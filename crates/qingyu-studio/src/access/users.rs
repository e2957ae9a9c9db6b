//! Users: the owners of projects and keys.

use jiff::Timestamp;
use qingyu_store::{AccountRole, Accounts, UserAccount};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::control::AccessControl;
use crate::access::scope::Right;
use crate::error::Error;

/// The maximum length of a user ID.
const LONGEST: usize = 64;

/// The role of a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UserRole {
    /// May own keys for changing users, keys and settings.
    Admin,
    /// May own projects.
    #[default]
    Member,
}

/// A request for a new user.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UserRequest {
    /// The ID: lower-case Latin letters, digits, `.`, `_` and `-`, at most 64.
    pub user: String,
    /// The display name; the ID by default.
    #[serde(default)]
    pub name: Option<String>,
    /// The role.
    #[serde(default)]
    pub role: UserRole,
}

/// A user in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UserRow {
    /// The ID.
    pub user: String,
    /// The display name.
    pub name: String,
    /// The role.
    pub role: UserRole,
    /// The time of creation.
    pub created: Timestamp,
    /// The time of disabling; `None` for an enabled user.
    pub disabled: Option<Timestamp>,
}

impl From<UserAccount> for UserRow {
    fn from(account: UserAccount) -> Self {
        let UserAccount { id, name, role, created, disabled } = account;
        let role = match role {
            AccountRole::Admin => UserRole::Admin,
            AccountRole::Member => UserRole::Member,
        };
        Self { user: id, name, role, created, disabled }
    }
}

impl AccessControl {
    /// Returns all users, sorted by ID. Requires [`Right::Admin`], as do all operations on users.
    pub async fn users(&self) -> Result<Vec<UserRow>, Error> {
        self.scope().demand(Right::Admin)?;
        let accounts = self.accounts().list().await.map_err(|error| self.failed(error))?;
        Ok(accounts.into_iter().map(UserRow::from).collect())
    }

    /// Inserts a user. Returns [`Error::BadUser`] if the ID is invalid or a duplicate.
    pub async fn add_user(&self, request: UserRequest) -> Result<UserRow, Error> {
        self.scope().demand(Right::Admin)?;
        let UserRequest { user, name, role } = request;
        if !is_id(&user) {
            return Err(Error::BadUser { given: user, reason: "unfit".into() });
        }
        let name = name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
        let account = UserAccount {
            name: name.unwrap_or_else(|| user.clone()),
            role: match role {
                UserRole::Admin => AccountRole::Admin,
                UserRole::Member => AccountRole::Member,
            },
            created: Timestamp::now(),
            disabled: None,
            id: user,
        };
        let act = self.act("user.add", &account.id);
        self.accounts().add(account.clone(), act).await.map_err(|error| self.failed(error))?;
        Ok(account.into())
    }

    /// Disables a user: all keys of the user become invalid. Data stay.
    pub async fn disable_user(&self, user: &str) -> Result<UserRow, Error> {
        self.switch(user, false, "user.disable").await
    }

    /// Enables a disabled user; unexpired keys become valid again.
    pub async fn enable_user(&self, user: &str) -> Result<UserRow, Error> {
        self.switch(user, true, "user.enable").await
    }

    async fn switch(&self, user: &str, on: bool, action: &str) -> Result<UserRow, Error> {
        self.scope().demand(Right::Admin)?;
        let switched = self.accounts().switch(user, on, self.act(action, user), Timestamp::now()).await;
        Ok(switched.map_err(|error| self.failed(error))?.into())
    }

    pub(crate) fn accounts(&self) -> Accounts {
        Accounts::new(self.studio.database())
    }
}

fn is_id(user: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    (1..=LONGEST).contains(&user.len())
        && user.starts_with(is_plain)
        && user.chars().all(|c| is_plain(c) || matches!(c, '.' | '_' | '-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_can_be_typed_and_stand_in_addresses() {
        for (user, fits) in [
            ("anna", true),
            ("anna.li-2_x", true),
            ("7", true),
            (&"a".repeat(64), true),
            (&"a".repeat(65), false),
            ("", false),
            ("Anna", false),
            ("安娜", false),
            (".anna", false),
            ("-rf", false),
            ("../x", false),
            ("an na", false),
            ("anna\n", false),
        ] {
            assert_eq!(is_id(user), fits, "{user:?}");
        }
    }
}
