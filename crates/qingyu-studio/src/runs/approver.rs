//! The approver of a run: the only person who may answer the run.

use jiff::Timestamp;
use qingyu_store::Run;

use crate::access::members::MemberRow;
use crate::access::scope::Right;
use crate::error::{Error, Noun};
use crate::runs::config::RunConfig;
use crate::runs::row::RunRow;
use crate::settings::effective::EffectiveSettings;
use crate::studio::Studio;

impl Studio {
    /// Names the only person who may answer a run, now and later; `None` lets everybody answer who may write. The change
    /// is committed together with its entry in the audit log.
    ///
    /// Returns [`Error::Unknown`] if the person is neither the owner nor a member with the role `approve`, and
    /// [`Error::BadKey`] if several such members have the name.
    pub(crate) async fn change_approver(&self, run: &str, approver: Option<&str>) -> Result<RunRow, Error> {
        self.scope().demand(Right::Approve)?;
        let run = self.find_run(run).await?;
        let mut config = RunConfig::kept(&run)?;
        config.approver = match approver {
            Some(given) => Some(self.find_approver(Some(&run.project), given).await?),
            None => None,
        };
        let act = self.access().act("run.approver", &run.id);
        let changed = self.runs_table().change_config(&run.id, serde_json::json!(config), act, Timestamp::now()).await;
        changed.map_err(|error| self.place(&run.id).store(error))?;
        self.run(&run.id).await
    }

    /// Returns the approver of a new run. A request that replaces the approver of the settings requires
    /// [`Right::Approve`].
    pub(crate) async fn approver_of_new_run(
        &self,
        project: Option<&str>,
        effective: &EffectiveSettings,
    ) -> Result<Option<String>, Error> {
        let usual = self.settings().effective(project)?;
        let (usual, chosen) = (named(&usual), named(effective));
        if usual.is_some() && usual != chosen {
            self.scope().demand(Right::Approve)?;
        }
        match chosen {
            Some(given) => Ok(Some(self.find_approver(project, given).await?)),
            None => Ok(None),
        }
    }

    /// Returns [`Error::NotApprover`] if another person is to answer the run.
    pub(crate) fn refuse_unless_approver(&self, run: &Run) -> Result<(), Error> {
        match approver_of(run) {
            Some(approver) if !self.scope().is_approver(approver) => {
                Err(Error::NotApprover { run: run.id.clone(), approver: approver.to_owned() })
            }
            _ => Ok(()),
        }
    }

    /// Returns the names of those who may be the approver of a run of a project: the owner, by user ID, then the members
    /// with [`Right::Approve`].
    pub(crate) async fn approvers(&self, project: &str) -> Result<Vec<String>, Error> {
        let members = self.access().members(project).await?;
        let user = self.scope().user();
        // The owner's name means the owner, also if an administrator has made a member's key with it.
        let may_approve = |member: &MemberRow| member.role >= Right::Approve && member.name != user;
        let approve = members.into_iter().filter(may_approve).map(|member| member.name);
        Ok(std::iter::once(user.to_owned()).chain(approve).collect())
    }

    /// Returns the name of a person who may approve in a project.
    async fn find_approver(&self, project: Option<&str>, given: &str) -> Result<String, Error> {
        let known = match project {
            Some(project) => self.approvers(project).await?,
            None => vec![self.scope().user().to_owned()],
        };
        let given = given.trim();
        match known.iter().filter(|name| *name == given).count() {
            0 => Err(Error::Unknown { what: Noun::Approver, given: given.to_owned(), known }),
            1 => Ok(given.to_owned()),
            // `make_key` takes any name, and any of them could answer.
            _ => Err(Error::BadKey { reason: "several_approvers".into() }),
        }
    }
}

/// Returns the approver of a run, without deserializing all of its configuration.
pub(crate) fn approver_of(run: &Run) -> Option<&str> {
    run.config.get("approver")?.as_str()
}

fn named(settings: &EffectiveSettings) -> Option<&str> {
    settings.values.approval.by.as_deref().map(str::trim).filter(|by| !by.is_empty())
}
