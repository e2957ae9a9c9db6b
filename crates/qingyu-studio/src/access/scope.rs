//! The scope of a caller: the user, the rights and the visible projects.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use qingyu_memory::UserId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::limits::KeyUsageLimits;
use crate::error::Error;

/// A right of a caller; each right includes the rights before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Right {
    /// Read projects.
    Read,
    /// Comment on words of chapters.
    Comment,
    /// Suggest other words for words of chapters.
    Suggest,
    /// Change projects, start runs and spend money on projects.
    Write,
    /// Answer runs as their approver, and change the approvers of runs; with a key of all projects, change their members.
    Approve,
    /// Change users, keys and settings.
    Admin,
}

impl Right {
    const ALL: [Self; 6] = [Self::Read, Self::Comment, Self::Suggest, Self::Write, Self::Approve, Self::Admin];

    /// Returns the name used in keys and routes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Comment => "comment",
            Self::Suggest => "suggest",
            Self::Write => "write",
            Self::Approve => "approve",
            Self::Admin => "admin",
        }
    }

    /// Returns [`Error::Forbidden`] if `needed` is a higher right.
    pub(crate) fn demand(self, needed: Self) -> Result<(), Error> {
        if self >= needed { Ok(()) } else { Err(Error::Forbidden { needed: needed.name().into() }) }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|right| right.name() == name)
    }
}

/// The ID of the user working at this machine.
pub(crate) const LOCAL: &str = "local";

/// The user, rights and visible projects of a caller. Only the modules of `access` construct scopes, after
/// validating a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessScope {
    pub(super) user: UserId,
    /// The ID of the presented key; `None` for the local user.
    pub(super) key: Option<Arc<str>>,
    /// The name of the member of a project that the key belongs to; `None` for other keys and for the local user.
    pub(super) member: Option<Arc<str>>,
    pub(super) right: Right,
    /// The visible projects; `None` for all projects of the user.
    pub(super) projects: Option<Arc<BTreeSet<String>>>,
    /// The limits of the key.
    pub(super) limits: Arc<KeyUsageLimits>,
}

impl AccessScope {
    /// Returns the scope of the local user.
    pub(crate) fn local() -> Self {
        let user = UserId::new(LOCAL).expect("it is a name");
        Self { user, key: None, member: None, right: Right::Admin, projects: None, limits: Arc::default() }
    }

    /// Returns the scope of the server itself while resuming a user's run.
    pub(crate) fn on_behalf_of(user: UserId) -> Self {
        Self { user, key: None, member: None, right: Right::Write, projects: None, limits: Arc::default() }
    }

    /// Returns the ID of the owner of all data in this scope.
    pub fn user(&self) -> &str {
        self.user.as_str()
    }

    /// Returns the user ID for memories.
    pub(crate) fn user_id(&self) -> &UserId {
        &self.user
    }

    /// Returns the ID of the presented key; `None` for the local user.
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// Returns the name of the caller for other people: of the member of a project, else the ID of the user.
    pub(crate) fn name(&self) -> &str {
        self.member.as_deref().unwrap_or_else(|| self.user())
    }

    /// Returns whether the caller is the person `name`: the owner with a key of all projects, or a member who may approve.
    pub(crate) fn is_approver(&self, name: &str) -> bool {
        match self.member.as_deref() {
            Some(member) => member == name && member != self.user() && self.may(Right::Approve),
            None => self.user() == name && self.sees_all(),
        }
    }

    /// Returns the name of the caller for other people; `None` for the local user.
    pub(crate) fn signature(&self) -> Option<&str> {
        self.key.is_some().then(|| self.name())
    }

    /// Returns who is counted for limits: the member of a project with all their keys, else the key; `None` for the local
    /// user.
    pub(crate) fn holder(&self) -> Option<Cow<'_, str>> {
        let key = self.key.as_deref()?;
        let Some(member) = self.member.as_deref() else { return Some(key.into()) };
        let projects: Vec<&str> = self.projects().into_iter().flatten().map(String::as_str).collect();
        Some(format!("{} {} {member}", self.user(), projects.join(" ")).into())
    }

    /// Returns the limits of the key.
    pub(crate) fn limits(&self) -> &KeyUsageLimits {
        &self.limits
    }

    /// Returns the number of concurrent runs allowed by the key, if limited.
    pub(crate) fn parallel_runs(&self) -> Option<u32> {
        self.limits.parallel_runs
    }

    /// Returns the highest right.
    pub fn right(&self) -> Right {
        self.right
    }

    /// Returns whether the scope includes the right.
    pub fn may(&self, right: Right) -> bool {
        self.right >= right
    }

    /// Returns whether the project is visible, provided the user owns the project.
    pub fn sees(&self, project: &str) -> bool {
        self.projects.as_ref().is_none_or(|projects| projects.contains(project))
    }

    /// Returns the visible projects; `None` if all projects of the user are visible.
    pub(crate) fn projects(&self) -> Option<&BTreeSet<String>> {
        self.projects.as_deref()
    }

    /// Returns whether all present and future projects of the user are visible.
    pub fn sees_all(&self) -> bool {
        self.projects.is_none()
    }

    /// Returns [`Error::Forbidden`] if the right is missing.
    pub fn demand(&self, right: Right) -> Result<(), Error> {
        self.right.demand(right)
    }

    /// Returns a proof of a call by the machine's own user. Returns [`Error::Forbidden`] for all other callers.
    pub(crate) fn demand_machine(&self) -> Result<AtMachine, Error> {
        let is_here = self.key.is_none() && self.user() == LOCAL && self.may(Right::Admin);
        if is_here { Ok(AtMachine(())) } else { Err(Error::Forbidden { needed: "this_machine".into() }) }
    }

    /// Returns a proof of a resumed run having been started by the machine's own user: the run's row says so, or the
    /// run belongs to the machine's own user and was started without a key.
    pub(crate) fn machine_began(&self, row_says_so: bool) -> Option<AtMachine> {
        let is_own = self.key.is_none() && self.user() == LOCAL;
        (row_says_so || is_own).then_some(AtMachine(()))
    }

    /// Returns [`Error::Forbidden`] if only some projects are visible.
    pub(crate) fn demand_all(&self) -> Result<(), Error> {
        if self.sees_all() { Ok(()) } else { Err(Error::Forbidden { needed: "all_projects".into() }) }
    }
}

/// Proof of a call by the machine's own user, the only caller allowed to name files, commands and addresses of the
/// machine. Constructed by [`AccessScope`] only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AtMachine(());
