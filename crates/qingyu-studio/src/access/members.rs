//! Members of a project: people with a key for this project alone. A member's role is the right of the key.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::control::AccessControl;
use crate::access::keys::{KeyRequest, KeyRow, KeyState};
use crate::access::presented::Secret;
use crate::access::scope::Right;
use crate::error::{Error, Noun};

/// A request for a new member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemberRequest {
    /// The person's name, as shown beside their comments.
    pub name: String,
    /// The role: the right on the project.
    pub role: Right,
    /// The expiry of the membership.
    #[serde(default)]
    pub expires: Option<Timestamp>,
}

/// A member of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemberRow {
    /// The person's name.
    pub name: String,
    /// The role: the right on the project.
    pub role: Right,
    /// The ID of the person's key: its public part.
    pub key: String,
    /// The time of adding.
    pub since: Timestamp,
    /// The expiry of the membership.
    pub expires: Option<Timestamp>,
    /// The time of the last request, to about a minute.
    pub last_used: Option<Timestamp>,
}

/// A new member: the only value containing the whole key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CreatedMember {
    /// The member as in lists.
    #[serde(flatten)]
    pub row: MemberRow,
    /// The key for the person. Not stored anywhere.
    pub secret: Secret,
}

impl MemberRow {
    fn new(key: KeyRow) -> Self {
        let KeyRow { key, name, right: role, created: since, expires, last_used, .. } = key;
        Self { name, role, key, since, expires, last_used }
    }
}

impl AccessControl {
    /// Returns the members of a project: the highest role first, then by name.
    pub async fn members(&self, project: &str) -> Result<Vec<MemberRow>, Error> {
        let project = self.studio.find_project(project).await?.id;
        let keys = self.keys_table().list(Some(self.scope().user())).await.map_err(|error| self.failed(error))?;
        let now = Timestamp::now();
        let rows = keys.into_iter().map(|key| KeyRow::new(key, now));
        let members = rows.filter(|row| row.state == KeyState::Active && row.member_of() == Some(project.as_str()));
        let mut members: Vec<MemberRow> = members.map(MemberRow::new).collect();
        members.sort_by(|a, b| b.role.cmp(&a.role).then_with(|| a.name.cmp(&b.name)));
        Ok(members)
    }

    /// Adds a member to a project of the caller. Only the response contains the person's key. Requires
    /// [`Right::Approve`] on all projects of the owner, as do all changes of members. The member's key has the limits of
    /// the caller's key and expires with it at the latest.
    ///
    /// Returns [`Error::BadKey`] for an empty or taken name, for the role `admin`, and if the project has 50 members. The
    /// members stay until they are removed or expire, also after the caller's key is revoked. Of concurrent calls with one name,
    /// one succeeds.
    pub async fn add_member(&self, project: &str, request: MemberRequest) -> Result<CreatedMember, Error> {
        self.demand_owner()?;
        let MemberRequest { name, role, expires } = request;
        let project = self.studio.find_project(project).await?.id;
        let name = name.trim().to_owned();
        if name.is_empty() {
            return Err(bad("no_name"));
        }
        // The owner is named by the user ID.
        if name == self.scope().user() {
            return Err(bad("taken"));
        }
        refuse_admin(role)?;
        let user = Some(self.scope().user().to_owned());
        let (limits, latest) = self.own_bounds().await?;
        let expires = expires.into_iter().chain(latest).min();
        let request = KeyRequest { user, name, right: role, projects: vec![project], expires, limits };
        let (key, secret) = self.new_key(request).await?;
        let act = self.act("key.make", &key.id);
        self.keys_table().add_member(key.clone(), act).await.map_err(|error| self.failed(error))?;
        Ok(CreatedMember { row: MemberRow::new(KeyRow::new(key, Timestamp::now())), secret })
    }

    /// Changes the role of a member, by name or key. The person's key stays the same; its runs stop at their next
    /// checkpoint if the role is below [`Right::Write`]. With a higher role, the person's key gets the limits and the expiry
    /// of the caller's key where its own are higher.
    pub(crate) async fn change_member(&self, project: &str, member: &str, role: Right) -> Result<MemberRow, Error> {
        self.demand_owner()?;
        let found = self.find_member(project, member).await?;
        refuse_admin(role)?;
        let act = self.act("key.right", &found.key);
        let (keys, now) = (self.keys_table(), Timestamp::now());
        if role <= found.role {
            let changed = keys.change_right(&found.key, role.name(), role >= Right::Write, act, now).await;
            changed.map_err(|error| self.failed(error))?;
            return Ok(MemberRow { role, ..found });
        }
        let (limits, latest) = self.own_bounds().await?;
        let raised = keys.raise_right(&found.key, role.name(), limits.kept(), latest, act, now).await;
        raised.map_err(|error| self.failed(error))?;
        let expires = found.expires.into_iter().chain(latest).min();
        Ok(MemberRow { role, expires, ..found })
    }

    /// Removes a member, by name or key: the person's key is revoked.
    pub(crate) async fn remove_member(&self, project: &str, member: &str) -> Result<MemberRow, Error> {
        self.demand_owner()?;
        let found = self.find_member(project, member).await?;
        self.revoke_key(&found.key).await?;
        Ok(found)
    }

    /// Returns [`Error::Forbidden`] unless the caller is the owner of the projects with the highest right on projects.
    fn demand_owner(&self) -> Result<(), Error> {
        self.scope().demand(Right::Approve)?;
        self.scope().demand_all()
    }

    async fn find_member(&self, project: &str, given: &str) -> Result<MemberRow, Error> {
        let given = given.trim();
        let mut members = self.members(project).await?;
        members.retain(|member| member.name == given || member.key == given);
        // Keys may also be made by `make_key`, which takes any name.
        match members.len() {
            0 => Err(Error::unknown(Noun::Member, given)),
            1 => Ok(members.remove(0)),
            _ => Err(bad("several")),
        }
    }
}

fn refuse_admin(role: Right) -> Result<(), Error> {
    if role == Right::Admin { Err(bad("admin_of_projects")) } else { Ok(()) }
}

fn bad(reason: &str) -> Error {
    Error::BadKey { reason: reason.into() }
}
