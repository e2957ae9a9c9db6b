//! Starting runs of any kind.

use jiff::{SignedDuration, Timestamp};
use qingyu_store::{NewRun, Run, Runs, Standing};
use qingyu_story::{Language, Names};

use crate::access::scope::Right;
use crate::error::Error;
use crate::projects::draft::new_project;
use crate::runs::config::RunConfig;
use crate::runs::handle::RunHandle;
use crate::runs::kind::RunKind;
use crate::runs::run_type::RunType;
use crate::runs::setup::{PlannedRun, RunStart};
use crate::runs::types::of_kind;
use crate::runs::types::task::is_reader;
use crate::spending::key::BillableWork;
use crate::studio::Studio;

/// The grace period for a new run to lease its thread.
const BEGINNING: SignedDuration = SignedDuration::from_secs(3);
/// Maximum attempts at creating a run beside runs that begin at the same time.
const ATTEMPTS: u32 = 4;

impl Studio {
    /// Starts a run of any kind.
    pub(crate) async fn begin_kind(&self, kind: RunKind, beginning: PlannedRun) -> Result<RunHandle, Error> {
        of_kind!(kind, K => self.begin_as::<K>(beginning).await)
    }

    /// Starts a run of the given kind: checks rights and limits, resolves settings and models, stores the run, with its
    /// project if new, in one transaction, and launches it.
    pub(crate) async fn begin_as<K: RunType>(&self, beginning: PlannedRun) -> Result<RunHandle, Error> {
        let PlannedRun { requirement, order, project, title, language, outline, overrides } = beginning;
        self.scope().demand(Right::Write)?;
        if project.is_none() {
            self.scope().demand_all()?;
        }
        self.refuse_over_limits(BillableWork::Run).await?;
        let permit = self.seat()?;
        self.refuse_unknown_nodes(K::KIND, &overrides)?;
        let request = self.request_settings(overrides).await?;
        let id = project.as_ref().map(|project| project.id.as_str());
        let (effective, mut config) = RunConfig::new(self.settings(), id, K::KIND, request)?;
        if let Some(id) = id {
            (config.earlier, config.earlier_projects) = self.earlier_books(id).await?;
            if !config.earlier.is_empty() {
                let (_, kept) = self.kept_story(id).await?;
                config.cut_earlier(&Names::of(&kept.story));
            }
        }
        config.approver = self.approver_of_new_run(id, &effective).await?;
        config.language = language
            .unwrap_or_else(|| project.as_ref().map_or_else(|| Language::of(&requirement), |project| project.language));
        let setup = self.set_up(&effective, None).await?;
        config.order = K::order(order, &setup.models);

        let new_run = NewRun {
            requirement: requirement.clone(),
            config: serde_json::json!(config),
            model: setup.chosen.default.model.clone(),
        };
        let now = Timestamp::now();
        let runs = self.served_runs();
        let run = match id {
            Some(id) => self.create_beside(&runs, id, new_run, &config).await?,
            None => {
                let new = new_project(title.as_deref(), &requirement, config.language);
                let run = runs.create_in_new_project(new, new_run, now).await;
                run.map_err(|error| self.place("").store(error))?
            }
        };
        let begun = run.clone();
        let kept = match outline {
            Some(outline) => self.keep_outline(&run.project, outline).await,
            None => Ok(()),
        };
        let launched = match kept {
            Ok(()) => self.launch::<K>(run, &config, setup, RunStart::Input, permit).await,
            Err(error) => Err(error),
        };
        if let Err(error) = &launched {
            self.write_down_failure(&begun, error).await;
        }
        launched
    }

    /// Creates a run of an existing project. Returns [`Error::ThreadBusy`] if the run and an active run of the project
    /// both write.
    pub(crate) async fn create_beside(
        &self,
        runs: &Runs,
        project: &str,
        new_run: NewRun,
        config: &RunConfig,
    ) -> Result<Run, Error> {
        let mut attempts = 1;
        loop {
            let beside = self.refuse_second_writer(project, config).await?;
            match runs.create(project, new_run.clone(), beside, Timestamp::now()).await {
                // Another run began meanwhile: look again at what is active.
                Err(qingyu_store::Error::Busy { .. }) if attempts < ATTEMPTS => attempts += 1,
                created => return created.map_err(|error| self.place("").store(error)),
            }
        }
    }

    /// Returns an error if the run to be created writes and so does an active run of the project; waiting and stopped
    /// runs do not count. Returns the IDs of the other active runs: readers, and runs with a dead process.
    async fn refuse_second_writer(&self, project: &str, config: &RunConfig) -> Result<Vec<String>, Error> {
        let mut beside = Vec::new();
        for run in self.runs_of_project(project, Standing::AtWork, None).await? {
            let both_write = !is_reader(config) && !RunConfig::kept(&run).is_ok_and(|kept| is_reader(&kept));
            let is_new = Timestamp::now().duration_since(run.started) < BEGINNING;
            if both_write && (is_new || self.is_running(&run.id).await?) {
                return Err(Error::ThreadBusy { run: run.id });
            }
            beside.push(run.id);
        }
        Ok(beside)
    }
}
