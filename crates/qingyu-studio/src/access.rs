//! Who asks, and what they may do: users, their keys with limits, and the audit of what was done to them.

mod audit;
mod ears;
mod keys;
mod limits;
mod presented;
mod spending;
mod users;

use std::collections::BTreeSet;
use std::sync::Arc;

use qingyu_memory::UserId;
use qingyu_store::Act;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Error, Studio};

pub use audit::{AuditEntry, AuditState};
pub(crate) use ears::{Ear, Ears};
pub use keys::{KeyRequest, KeyRow, KeyState, MadeKey};
pub(crate) use limits::Pace;
pub use limits::{Exceeded, LimitName, Limits};
pub use presented::Secret;
pub(crate) use spending::{KeySpending, Wanted};
pub use users::{UserRequest, UserRole, UserRow};

/// What somebody may do; each right holds those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Right {
    /// Look.
    Read,
    /// Change projects, start runs and spend money on them.
    Write,
    /// Change what is not a project's: users, keys, settings.
    Admin,
}

impl Right {
    /// Its name, as in keys and routes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Admin => "admin",
        }
    }

    /// Fails with [`Error::Forbidden`] if `needed` is a higher right.
    pub(crate) fn demand(self, needed: Self) -> Result<(), Error> {
        if self >= needed { Ok(()) } else { Err(Error::Forbidden { needed: needed.name().into() }) }
    }

    fn named(name: &str) -> Option<Self> {
        [Self::Read, Self::Write, Self::Admin].into_iter().find(|right| right.name() == name)
    }
}

/// The user of whoever works at this machine.
pub(crate) const LOCAL: &str = "local";

/// Who asks, what they may do and which projects they see. Nobody can make one but this module, which looks at a key first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    user: UserId,
    /// The id of the key that was presented; none for whoever works at this machine.
    key: Option<Arc<str>>,
    right: Right,
    /// The projects it sees; all of the user's if none are named.
    projects: Option<Arc<BTreeSet<String>>>,
    /// What may be done with the key.
    limits: Arc<Limits>,
}

impl Scope {
    /// Whoever works at this machine.
    pub(crate) fn local() -> Self {
        let user = UserId::new(LOCAL).expect("it is a name");
        Self { user, key: None, right: Right::Admin, projects: None, limits: Arc::default() }
    }

    /// The server itself, when it goes on with what a user has started.
    pub(crate) fn on_behalf_of(user: UserId) -> Self {
        Self { user, key: None, right: Right::Write, projects: None, limits: Arc::default() }
    }

    /// The user whose everything is.
    pub fn user(&self) -> &str {
        self.user.as_str()
    }

    /// The same, for memories.
    pub(crate) fn user_id(&self) -> &UserId {
        &self.user
    }

    /// The id of the key that was presented; none for whoever works at this machine.
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// How many runs may be at work at once with the key, if that is limited.
    pub(crate) fn parallel_runs(&self) -> Option<u32> {
        self.limits.parallel_runs
    }

    /// The highest right.
    pub fn right(&self) -> Right {
        self.right
    }

    /// Whether the right is there.
    pub fn may(&self, right: Right) -> bool {
        self.right >= right
    }

    /// Whether the project can be seen, if it is the user's at all.
    pub fn sees(&self, project: &str) -> bool {
        self.projects.as_ref().is_none_or(|projects| projects.contains(project))
    }

    /// The projects that can be seen, if not all of the user's can.
    pub(crate) fn projects(&self) -> Option<&BTreeSet<String>> {
        self.projects.as_deref()
    }

    /// Whether every project of the user can be seen, those to come included.
    pub fn sees_all(&self) -> bool {
        self.projects.is_none()
    }

    /// Fails with [`Error::Forbidden`] if the right is not there.
    pub fn demand(&self, right: Right) -> Result<(), Error> {
        self.right.demand(right)
    }

    /// Proof that the machine's own user asks. Fails with [`Error::Forbidden`] for everybody else.
    pub(crate) fn demand_machine(&self) -> Result<AtMachine, Error> {
        let is_here = self.key.is_none() && self.user() == LOCAL && self.may(Right::Admin);
        if is_here { Ok(AtMachine(())) } else { Err(Error::Forbidden { needed: "this_machine".into() }) }
    }

    /// Proof that the machine's own user began a run that goes on now: its row says so, or it is that user's and was begun
    /// without a key.
    pub(crate) fn machine_began(&self, row_says_so: bool) -> Option<AtMachine> {
        let is_own = self.key.is_none() && self.user() == LOCAL;
        (row_says_so || is_own).then_some(AtMachine(()))
    }

    /// Fails with [`Error::Forbidden`] if only some projects can be seen.
    pub(crate) fn demand_all(&self) -> Result<(), Error> {
        if self.sees_all() { Ok(()) } else { Err(Error::Forbidden { needed: "all_projects".into() }) }
    }
}

/// Proof that the machine's own user asks, who may name files, commands and addresses of it. Made by [`Scope`] alone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AtMachine(());

/// Who may ask, for whoever has the [`Scope`] of the [`Studio`]. What changes anything is written into the audit.
#[derive(Debug, Clone)]
pub struct Access {
    studio: Studio,
    origin: String,
}

impl Studio {
    /// Users, keys and the audit.
    pub fn access(&self) -> Access {
        Access { studio: self.clone(), origin: "local".into() }
    }
}

impl Access {
    /// The same for somebody who asks from there, such as an address; for the audit.
    #[must_use]
    pub fn from(self, origin: &str) -> Self {
        Self { origin: origin.to_owned(), ..self }
    }

    fn scope(&self) -> &Scope {
        self.studio.scope()
    }

    fn act(&self, action: &str, object: &str) -> Act {
        Act {
            user: self.scope().user().to_owned(),
            key: self.scope().key().map(str::to_owned),
            action: action.to_owned(),
            object: object.to_owned(),
            origin: self.origin.clone(),
            result: "ok".to_owned(),
        }
    }

    fn failed(&self, error: qingyu_store::Error) -> Error {
        self.studio.place("").store(error)
    }
}
