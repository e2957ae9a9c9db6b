//! Runs: begun, gone on with, stopped, looked at.

use qingyu_story::bounded::at_most;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::operations;
use crate::{
    CreateRequest, Error, HumanAnswer, Outcome, ProduceRequest, RunHandle, RunRow, RunStatus, RunsRequest, Studio,
    StudioEvent, TaskRequest, TellRequest, WriteRequest,
};

/// What a run is to do.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Start {
    /// The material of a story: a new one, or more of one that is there.
    Create(CreateRequest),
    /// Chapters: written, corrected, rewritten.
    Write(WriteRequest),
    /// A task for the agents of the service.
    Task(Box<TaskRequest>),
    /// Content in phases, in a new project.
    Produce(ProduceRequest),
    /// What a production is to do next.
    Tell(TellRequest),
    /// A run that waits, was stopped or has failed.
    Resume(ResumeRequest),
    /// Nothing, for measuring the rest.
    #[cfg(feature = "bench")]
    #[schemars(skip)]
    Noop(crate::NoopRequest),
}

/// Asks for a run to go on.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResumeRequest {
    /// The run, or a project, of which the newest run is meant; ids may be cut short.
    pub run: String,
    /// The answer, if the run asks.
    #[serde(default)]
    pub answer: Option<HumanAnswer>,
    /// The name of the question that is answered, its `question_id`: if the run asks something else by now, the answer is
    /// refused. Without it whatever the run asks is answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// Settings that go over all layers, such as a raised budget, in the shape of the settings file.
    #[serde(default)]
    #[schemars(with = "std::collections::BTreeMap<String, serde_json::Value>")]
    pub overrides: toml::Table,
}

/// A run that works now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Started {
    /// The run.
    pub run: String,
    /// Its project.
    pub project: String,
}

/// How a run stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stopped {
    /// The run's state when it was told to stop.
    pub status: RunStatus,
}

/// The name of the operation that begins runs.
pub(crate) const START: &str = "start_run";

/// What beginning a run is answered with.
pub(crate) fn started(run: &qingyu_store::Run) -> serde_json::Value {
    serde_json::json!(Started { run: run.id.clone(), project: run.project.clone() })
}

impl Studio {
    /// Sets a run to work.
    pub async fn start(&self, start: Start) -> Result<RunHandle, Error> {
        match start {
            Start::Create(request) => self.create(request).await,
            Start::Write(request) => self.write(request).await,
            Start::Task(request) => self.task(*request).await,
            Start::Produce(request) => self.produce(request).await,
            Start::Tell(request) => self.tell(request).await,
            Start::Resume(request) => self.resume_with(request).await,
            #[cfg(feature = "bench")]
            Start::Noop(request) => self.noop(request).await,
        }
    }
}

operations! {
    /// Runs, newest first; all of them without any wish.
    Read Get "/runs"
    ListRuns as "list_runs" {
        /// Only those of this project: its id, the beginning of it, or one of its runs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        project: Option<String>,
        /// Only those that are worked on or wait for somebody.
        #[serde(default)]
        open: bool,
        /// Only those that are listed after this run: the next page after the one it ends.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<String>,
        /// The most.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "at_most::<10000, _, _>")]
        #[schemars(range(max = 10000))]
        limit: Option<u32>,
    } -> Vec<RunRow>
        = |studio, it| {
            let request = RunsRequest { project: it.project, open: it.open, after: it.after, limit: it.limit };
            studio.runs_by(&request).await
        };

    /// Sets a run to work; it goes on by itself. Follow it at its events.
    Write Post "/runs"
    StartRun as "start_run" {
        /// What it is to do.
        start: Start,
    } -> Started
        = |studio, it| {
            let handle = studio.start(it.start).await?;
            Ok(Started { run: handle.run().to_owned(), project: handle.project().to_owned() })
        };

    /// A run as it stands: what it made, what it cost, what it asks.
    Read Get "/runs/{run}"
    ReadRun as "read_run" {
        /// The run.
        run: String,
    } -> Outcome
        = |studio, it| studio.outcome(&it.run).await;

    /// A run as it stands in lists.
    Read Get "/runs/{run}/summary"
    FindRun as "find_run" {
        /// The run.
        run: String,
    } -> RunRow
        = |studio, it| studio.run(&it.run).await;

    /// Stops a run at its last checkpoint; it can be resumed.
    Write Post "/runs/{run}/cancel"
    CancelRun as "cancel_run" {
        /// The run.
        run: String,
    } -> Stopped
        = |studio, it| Ok(Stopped { status: studio.cancel(&it.run).await? });

    /// A page of what a run told, oldest first, at most 256 events; ask again after the last one for more.
    Read Get "/runs/{run}/log"
    ReadEvents as "read_events" {
        /// The run.
        run: String,
        /// The number of the last event that is known.
        #[serde(default)]
        after: u64,
    } -> Vec<StudioEvent>
        = |studio, it| studio.events(&it.run, it.after).await;
}
