//! Runs: start, resume, cancel, read.

use qingyu_story::bounded::at_most;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::operations::operation::operations;
use crate::productions::start::{ProduceRequest, TellRequest};
use crate::runs::event::StudioEvent;
use crate::runs::handle::RunHandle;
use crate::runs::list::RunsRequest;
use crate::runs::outcome::Outcome;
use crate::runs::requests::{ChapterWriteRequest, CreateRequest};
use crate::runs::row::RunRow;
use crate::runs::start::TaskRequest;
use crate::runs::status::RunStatus;
use crate::studio::Studio;

pub use crate::runs::requests::ResumeRequest;

/// The work of a run.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum StartRequest {
    /// Create or extend the material of a story.
    Create(CreateRequest),
    /// Write, correct or rewrite chapters.
    Write(ChapterWriteRequest),
    /// Perform a task with the service agents.
    Task(Box<TaskRequest>),
    /// Produce content in phases, in a new project.
    Produce(ProduceRequest),
    /// Give the next order to a production.
    Tell(TellRequest),
    /// Resume a waiting, stopped or failed run.
    Resume(ResumeRequest),
    /// Do nothing, for measuring the overhead.
    #[cfg(feature = "bench")]
    #[schemars(skip)]
    Noop(crate::runs::requests::NoopRequest),
}

/// A started run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StartedRun {
    /// The run.
    pub run: String,
    /// The run's project.
    pub project: String,
}

/// The status of a cancelled run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CancelledRun {
    /// The status at the time of the cancellation.
    pub status: RunStatus,
}

/// The name of the operation for starting runs.
pub(crate) const START: &str = "start_run";

/// Returns the response for a started run.
pub(crate) fn started(run: &qingyu_store::Run) -> serde_json::Value {
    serde_json::json!(StartedRun { run: run.id.clone(), project: run.project.clone() })
}

impl Studio {
    /// Starts a run.
    pub async fn start(&self, start: StartRequest) -> Result<RunHandle, Error> {
        match start {
            StartRequest::Create(request) => self.create(request).await,
            StartRequest::Write(request) => self.write(request).await,
            StartRequest::Task(request) => self.task(*request).await,
            StartRequest::Produce(request) => self.produce(request).await,
            StartRequest::Tell(request) => self.tell(request).await,
            StartRequest::Resume(request) => self.resume_with(request).await,
            #[cfg(feature = "bench")]
            StartRequest::Noop(request) => self.noop(request).await,
        }
    }
}

operations! {
    /// Returns runs, newest first; all runs by default.
    Read Get "/runs"
    ListRuns as "list_runs" {
        /// Restricts to a project: its ID, a prefix of the ID, or one of its runs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        project: Option<String>,
        /// Restricts to working and waiting runs.
        #[serde(default)]
        open: bool,
        /// Restricts to runs after the given run in list order, for the next page.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<String>,
        /// The maximum number of runs.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "at_most::<10000, _, _>")]
        #[schemars(range(max = 10000))]
        limit: Option<u32>,
    } -> Vec<RunRow>
        = |studio, it| {
            let request = RunsRequest { project: it.project, open: it.open, after: it.after, limit: it.limit };
            studio.runs_by(&request).await
        };

    /// Starts a run and returns immediately. Subscribe to the run's events for its progress.
    Write Post "/runs"
    StartRun as "start_run" {
        /// The work of the run.
        start: StartRequest,
    } -> StartedRun
        = |studio, it| {
            let handle = studio.start(it.start).await?;
            Ok(StartedRun { run: handle.run().to_owned(), project: handle.project().to_owned() })
        };

    /// Returns the current state of a run: its output, cost and question.
    Read Get "/runs/{run}"
    ReadRun as "read_run" {
        /// The run.
        run: String,
    } -> Outcome
        = |studio, it| studio.outcome(&it.run).await;

    /// Returns a run as in lists.
    Read Get "/runs/{run}/summary"
    FindRun as "find_run" {
        /// The run.
        run: String,
    } -> RunRow
        = |studio, it| studio.run(&it.run).await;

    /// Stops a run at its last checkpoint; the run can be resumed.
    Write Post "/runs/{run}/cancel"
    CancelRun as "cancel_run" {
        /// The run.
        run: String,
    } -> CancelledRun
        = |studio, it| Ok(CancelledRun { status: studio.cancel(&it.run).await? });

    /// Names the only person who may answer a run; without a name, everybody may who can write.
    Approve Put "/runs/{run}/approver"
    ChangeApprover as "change_approver" {
        /// The run.
        run: String,
        /// The name of a member of the project with the role `approve`, or the ID of the project's owner.
        #[serde(default)]
        approver: Option<String>,
    } -> RunRow
        = |studio, it| studio.change_approver(&it.run, it.approver.as_deref()).await;

    /// Returns a page of a run's events, oldest first, at most 256; repeat with the last number for the next page.
    Read Get "/runs/{run}/log"
    ReadEvents as "read_events" {
        /// The run.
        run: String,
        /// The number of the last known event.
        #[serde(default)]
        after: u64,
    } -> Vec<StudioEvent>
        = |studio, it| studio.events(&it.run, it.after).await;
}
