//! Users and keys.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::keys::{KeyRequest, KeyRow};
use crate::access::members::{MemberRequest, MemberRow};
use crate::access::scope::Right;
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

/// A new member of a project. Returned only once; the key is never stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NewMember {
    /// The member as in lists.
    #[serde(flatten)]
    pub row: MemberRow,
    /// The key for the person.
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

    /// Returns the members of a project: people with a key for this project alone.
    Read Get "/projects/{project}/members"
    ListMembers as "list_members" {
        /// The project.
        project: String,
    } -> Vec<MemberRow>
        = |studio, it| studio.access().members(&it.project).await;

    /// Returns the names of those who may be the approver of a run: the project's owner, by user ID, then the members with
    /// the role `approve`.
    Read Get "/projects/{project}/approvers"
    ListApprovers as "list_approvers" {
        /// The project.
        project: String,
    } -> Vec<String>
        = |studio, it| studio.approvers(&it.project).await;

    /// Adds a member to a project of the caller, whose key must be for all projects. Only this response contains the
    /// person's key; a retry with the same `Idempotency-Key` does not return it again. The member's key expires with the
    /// caller's key at the latest, and has its limits.
    Approve Post "/projects/{project}/members"
    AddMember as "add_member" {
        /// The project.
        project: String,
        /// The person's name and role.
        request: MemberRequest,
    } -> NewMember
        = |studio, it| {
            let added = studio.access().add_member(&it.project, it.request).await?;
            Ok(NewMember { secret: added.secret.reveal().to_owned(), row: added.row })
        };

    /// Changes the role of a member; the person's key stays the same. Below the role `write`, runs of the key stop.
    Approve Patch "/projects/{project}/members/{member}"
    ChangeMember as "change_member" {
        /// The project.
        project: String,
        /// The person's name, or the ID of the person's key.
        member: String,
        /// The new role.
        role: Right,
    } -> MemberRow
        = |studio, it| studio.access().change_member(&it.project, &it.member, it.role).await;

    /// Removes a member: the person's key is revoked.
    Approve Delete "/projects/{project}/members/{member}"
    RemoveMember as "remove_member" {
        /// The project.
        project: String,
        /// The person's name, or the ID of the person's key.
        member: String,
    } -> MemberRow
        = |studio, it| studio.access().remove_member(&it.project, &it.member).await;
}
