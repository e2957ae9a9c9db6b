//! The eleven operations, for one caller. Every binding calls the same operations.

mod list;
mod send;
mod webhooks;

use std::sync::Arc;

use a2a::{A2AError, CancelTaskRequest, GetTaskRequest, StreamResponse, SubscribeToTaskRequest, Task};
use async_stream::stream;
use futures::stream::BoxStream;
use futures::{Stream, StreamExt};
use jiff::Timestamp;
use qingyu_studio::{Right, RunStatus, Studio};

use crate::door::A2aState;
use crate::error::{invalid, of_studio};
use crate::frames::TaskUpdateMapper;
use crate::notes::{NoteChange, TaskNote};
use crate::task::{TaskSnapshot, made};

/// A stream of task updates.
pub(crate) type TaskUpdateStream = BoxStream<'static, Result<StreamResponse, A2AError>>;

/// The studio as an agent, for one caller.
#[derive(Debug, Clone)]
pub(crate) struct A2aAgent {
    pub(crate) studio: Studio,
    pub(crate) door: Arc<A2aState>,
}

impl A2aAgent {
    pub(crate) async fn get_task(&self, request: GetTaskRequest) -> Result<Task, A2AError> {
        let history = length(request.history_length)?;
        let stand = self.stand(&request.id, request.tenant.as_deref()).await?;
        if !stand.note.webhooks.is_empty() {
            self.notify(&request.id).await?;
        }
        Ok(self.whole(&stand, history).await)
    }

    pub(crate) async fn cancel_task(&self, request: CancelTaskRequest) -> Result<Task, A2AError> {
        self.demand(Right::Write)?;
        let stand = self.stand(&request.id, request.tenant.as_deref()).await?;
        if stand.state().is_terminal() {
            return Err(A2AError::task_not_cancelable(&request.id));
        }
        self.studio.cancel(&request.id).await.map_err(|error| of_studio(&error))?;
        if stand.outcome.status == RunStatus::Waiting {
            // A waiting run has nothing to stop; the cancellation is only recorded for the protocol.
            let project = stand.outcome.project.clone();
            let given_up = |note: &mut TaskNote| (note.project, note.canceled) = (project, Some(Timestamp::now()));
            self.change(&request.id, Box::new(given_up)).await?;
        } else {
            self.end_of(&request.id, stand.last()).await?;
        }
        let stand = self.stand(&request.id, request.tenant.as_deref()).await?;
        Ok(self.whole(&stand, None).await)
    }

    pub(crate) async fn subscribe_to_task(
        &self,
        request: SubscribeToTaskRequest,
    ) -> Result<TaskUpdateStream, A2AError> {
        let stand = self.stand(&request.id, request.tenant.as_deref()).await?;
        if stand.state().is_terminal() {
            return Err(A2AError::unsupported_operation(format!("task {} has ended", request.id)));
        }
        Ok(self.updates(stand, None).await)
    }

    /// Returns the current task, then its updates, until the run ends or waits.
    async fn updates(&self, stand: TaskSnapshot, history: Option<i32>) -> TaskUpdateStream {
        let task = self.whole(&stand, history).await;
        let waits = stand.outcome.status == RunStatus::Waiting;
        let first = futures::stream::once(async move { Ok(StreamResponse::Task(task)) });
        if waits { first.boxed() } else { first.chain(self.follow(&stand, stand.last())).boxed() }
    }

    /// Returns the updates after event `after`, until the run ends or waits.
    pub(crate) fn follow(
        &self,
        stand: &TaskSnapshot,
        after: u64,
    ) -> impl Stream<Item = Result<StreamResponse, A2AError>> + Send + use<> {
        let (studio, run, stop) = (self.studio.clone(), stand.outcome.run.clone(), self.door.options.stop.clone());
        let note = stand.note.clone();
        let mut frames = TaskUpdateMapper::new(&run, stand.context(), stand.language());
        stream! {
            let watched = match studio.watch(&run, after).await {
                Ok(watched) => watched,
                Err(error) => {
                    yield Err(of_studio(&error));
                    return;
                }
            };
            for await event in watched.take_until(stop.cancelled_owned()) {
                let event = match event {
                    Ok(event) => event,
                    Err(error) => {
                        yield Err(of_studio(&error));
                        return;
                    }
                };
                let artifacts = match event.kind.is_last() {
                    true => match studio.outcome(&run).await {
                        Ok(outcome) => made(&studio, &outcome, &note).await,
                        Err(error) => {
                            yield Err(of_studio(&error));
                            return;
                        }
                    },
                    false => Vec::new(),
                };
                for frame in frames.frames(&event, artifacts) {
                    yield Ok(frame);
                }
            }
        }
    }

    /// Waits until the run ends or waits, or until shutdown.
    async fn end_of(&self, run: &str, after: u64) -> Result<(), A2AError> {
        let watched = self.studio.watch(run, after).await.map_err(|error| of_studio(&error))?;
        let mut watched = std::pin::pin!(watched);
        let over = async {
            while let Some(event) = watched.next().await {
                event.map_err(|error| of_studio(&error))?;
            }
            Ok(())
        };
        tokio::select! {
            over = over => over,
            () = self.door.options.stop.cancelled() => Ok(()),
        }
    }

    /// Loads the task with an id, if visible to the caller and owned by the tenant.
    pub(crate) async fn stand(&self, id: &str, tenant: Option<&str>) -> Result<TaskSnapshot, A2AError> {
        if id.is_empty() {
            return Err(invalid("a task id is required"));
        }
        let note = self.door.notes().get(self.studio.scope().user(), id).await.map_err(|error| kept(&error))?;
        let stand = TaskSnapshot::of(&self.studio, note, id).await?;
        match tenant {
            Some(tenant) if tenant != stand.outcome.project => Err(A2AError::task_not_found(id)),
            _ => Ok(stand),
        }
    }

    /// Returns the task with its artifacts.
    async fn whole(&self, stand: &TaskSnapshot, history: Option<i32>) -> Task {
        stand.task(history, Some(stand.artifacts(&self.studio).await))
    }

    pub(crate) async fn change(&self, task: &str, change: NoteChange<'_>) -> Result<TaskNote, A2AError> {
        self.door.notes().change(self.studio.scope().user(), task, change).await.map_err(|error| kept(&error))
    }

    pub(crate) fn demand(&self, right: Right) -> Result<(), A2AError> {
        self.studio.scope().demand(right).map_err(|error| of_studio(&error))
    }
}

/// Validates the requested length of a history.
pub(crate) fn length(length: Option<i32>) -> Result<Option<i32>, A2AError> {
    match length {
        Some(negative) if negative < 0 => Err(invalid("historyLength must not be negative")),
        length => Ok(length),
    }
}

/// Converts an I/O error of the notes.
pub(crate) fn kept(error: &std::io::Error) -> A2AError {
    tracing::error!(%error, "failed to read or store the notes of tasks");
    A2AError::internal("the server failed (storage)")
}
