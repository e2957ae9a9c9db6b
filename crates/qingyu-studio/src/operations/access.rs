//! Users and keys.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::keys::{KeyRequest, KeyRow};
use crate::access::users::{UserRequest, UserRow};
use crate::operations::operation::operations;

/// A new key. Returned only once, and never stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NewKey {
    /// The key as in lists.
    #[serde(flatten)]
    pub row: KeyRow,
    /// The key itself.
    pub secret: String,
}

operations! {
    /// Returns all users.
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

    /// Returns the caller's keys; for administrators, the keys of all users or of a given user.
    Read Get "/keys"
    ListKeys as "list_keys" {
        /// Restricts to a user.
        #[serde(default)]
        user: Option<String>,
    } -> Vec<KeyRow>
        = |studio, it| studio.access().keys(it.user.as_deref()).await;

    /// Creates a key. Only this response contains the whole key; a retry with the same `Idempotency-Key` does not
    /// return it again.
    Admin Post "/keys"
    MakeKey as "make_key" {
        /// The owner and the rights of the key.
        request: KeyRequest,
    } -> NewKey
        = |studio, it| {
            let made = studio.access().make_key(it.request).await?;
            Ok(NewKey { secret: made.secret.reveal().to_owned(), row: made.row })
        };

    /// Revokes a key immediately.
    Admin Delete "/keys/{key}"
    RevokeKey as "revoke_key" {
        /// The ID of the key.
        key: String,
    } -> KeyRow
        = |studio, it| studio.access().revoke_key(&it.key).await;
}
