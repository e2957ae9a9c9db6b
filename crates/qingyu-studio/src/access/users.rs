//! Users: whose projects and keys there are.

use jiff::Timestamp;
use qingyu_store::{Account, Accounts, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Access, Right};
use crate::Error;

/// The longest id of a user.
const LONGEST: usize = 64;

/// What a user is among the users.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UserRole {
    /// May have keys that change users, keys and settings.
    Admin,
    /// Has projects.
    #[default]
    Member,
}

/// A user to be added.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UserRequest {
    /// The id: small Latin letters, digits, `.`, `_` and `-`, at most 64.
    pub user: String,
    /// For people; the id if there is none.
    #[serde(default)]
    pub name: Option<String>,
    /// What they are among the users.
    #[serde(default)]
    pub role: UserRole,
}

/// A user in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UserRow {
    /// The id.
    pub user: String,
    /// For people.
    pub name: String,
    /// What they are among the users.
    pub role: UserRole,
    /// Since when.
    pub created: Timestamp,
    /// Since when nobody may ask as this user.
    pub disabled: Option<Timestamp>,
}

impl From<Account> for UserRow {
    fn from(account: Account) -> Self {
        let Account { id, name, role, created, disabled } = account;
        let role = match role {
            Role::Admin => UserRole::Admin,
            Role::Member => UserRole::Member,
        };
        Self { user: id, name, role, created, disabled }
    }
}

impl Access {
    /// All users, by id. Demands [`Right::Admin`], as all that is done to users.
    pub async fn users(&self) -> Result<Vec<UserRow>, Error> {
        self.scope().demand(Right::Admin)?;
        let accounts = self.accounts().list().await.map_err(|error| self.failed(error))?;
        Ok(accounts.into_iter().map(UserRow::from).collect())
    }

    /// Adds a user. Fails with [`Error::BadUser`] if the id is taken or is none.
    pub async fn add_user(&self, request: UserRequest) -> Result<UserRow, Error> {
        self.scope().demand(Right::Admin)?;
        let UserRequest { user, name, role } = request;
        if !is_id(&user) {
            return Err(Error::BadUser { given: user, reason: "unfit".into() });
        }
        let name = name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
        let account = Account {
            name: name.unwrap_or_else(|| user.clone()),
            role: match role {
                UserRole::Admin => Role::Admin,
                UserRole::Member => Role::Member,
            },
            created: Timestamp::now(),
            disabled: None,
            id: user,
        };
        let act = self.act("user.add", &account.id);
        self.accounts().add(account.clone(), act).await.map_err(|error| self.failed(error))?;
        Ok(account.into())
    }

    /// Lets nobody ask as this user any more; no key of theirs holds. What is there stays.
    pub async fn disable_user(&self, user: &str) -> Result<UserRow, Error> {
        self.switch(user, false, "user.disable").await
    }

    /// Lets the user in again; the keys that have not run out meanwhile hold again.
    pub async fn enable_user(&self, user: &str) -> Result<UserRow, Error> {
        self.switch(user, true, "user.enable").await
    }

    async fn switch(&self, user: &str, on: bool, action: &str) -> Result<UserRow, Error> {
        self.scope().demand(Right::Admin)?;
        let switched = self.accounts().switch(user, on, self.act(action, user), Timestamp::now()).await;
        Ok(switched.map_err(|error| self.failed(error))?.into())
    }

    pub(super) fn accounts(&self) -> Accounts {
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
