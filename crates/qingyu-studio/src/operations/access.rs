//! Users and keys.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::operations;
use crate::access::{KeyRequest, KeyRow, UserRequest, UserRow};

/// A key that was just made. What opens the door is told this once, and kept nowhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NewKey {
    /// The key as lists show it.
    #[serde(flatten)]
    pub row: KeyRow,
    /// The key itself.
    pub secret: String,
}

operations! {
    /// All users.
    Admin Get "/users"
    ListUsers as "list_users" {} -> Vec<UserRow>
        = |studio, _it| studio.access().users().await;

    /// Adds a user.
    Admin Post "/users"
    AddUser as "add_user" {
        /// The user.
        request: UserRequest,
    } -> UserRow
        = |studio, it| studio.access().add_user(it.request).await;

    /// The keys of whoever asks; of one user or of all for those who look after the server.
    Read Get "/keys"
    ListKeys as "list_keys" {
        /// Only of this user.
        #[serde(default)]
        user: Option<String>,
    } -> Vec<KeyRow>
        = |studio, it| studio.access().keys(it.user.as_deref()).await;

    /// Makes a key. The answer alone has it whole, and is not given again for the same `Idempotency-Key`.
    Admin Post "/keys"
    MakeKey as "make_key" {
        /// Whose it is, and what it allows.
        request: KeyRequest,
    } -> NewKey
        = |studio, it| {
            let made = studio.access().make_key(it.request).await?;
            Ok(NewKey { secret: made.secret.reveal().to_owned(), row: made.row })
        };

    /// Takes a key back; it does not hold from now on.
    Admin Delete "/keys/{key}"
    RevokeKey as "revoke_key" {
        /// The key, by its id.
        key: String,
    } -> KeyRow
        = |studio, it| studio.access().revoke_key(&it.key).await;
}
