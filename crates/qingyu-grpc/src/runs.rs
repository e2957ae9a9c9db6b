//! Runs: start, resume, follow and cancel.

use std::pin::pin;

use async_stream::try_stream;
use futures::StreamExt;
use futures::stream::BoxStream;
use qingyu_studio::Studio;
use qingyu_studio::access::Right;
use qingyu_studio::operations::{CancelRun, ListRuns, ReadRun, ResumeRequest, StartRequest, StartRun};
use serde_json::json;
use tokio::time::sleep_until;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status};

use crate::deadline::Deadline;
use crate::proto::run_service_server::RunService;
use crate::proto::*;
use crate::{from_wire, status, to_wire, value};

/// The service of runs.
#[derive(Debug, Clone)]
pub(crate) struct RunsRpc {
    /// Shutdown token: ends streams; their clients reconnect, here or to another server.
    pub(crate) stop: CancellationToken,
}

type GrpcEventStream<T> = BoxStream<'static, Result<T, Status>>;

impl RunsRpc {
    /// Returns the events of a run after a number, until the run ends, the server stops or the deadline expires.
    async fn follow(
        &self,
        studio: &Studio,
        run: &str,
        after: u64,
        deadline: Option<Deadline>,
    ) -> Result<GrpcEventStream<RunEvent>, Status> {
        studio.scope().demand(Right::Read).map_err(|error| status::of(&error))?;
        let events = studio.watch(run, after).await.map_err(|error| status::of(&error))?;
        let stop = self.stop.clone();
        let events = try_stream! {
            let mut events = pin!(events);
            let mut over = pin!(async {
                match deadline {
                    Some(Deadline(at)) => sleep_until(at).await,
                    None => std::future::pending().await,
                }
            });
            loop {
                let next: Result<_, Status> = tokio::select! {
                    biased;
                    () = stop.cancelled() => Err(Status::unavailable("the server stops; watch again after the last event")),
                    () = &mut over => Err(Deadline::exceeded()),
                    next = events.next() => Ok(next),
                };
                let Some(event) = next? else { break };
                let event = event.map_err(|error| status::of(&error))?;
                yield to_wire::event(&event);
            }
        };
        Ok(events.boxed())
    }
}

async fn begin(studio: &Studio, start: StartRequest) -> Result<qingyu_studio::operations::StartedRun, Status> {
    studio.call(StartRun { start }).await.map_err(|error| status::of(&error))
}

#[tonic::async_trait]
impl RunService for RunsRpc {
    type StartAndWatchRunStream = GrpcEventStream<StartAndWatchRunResponse>;
    type WatchRunStream = GrpcEventStream<WatchRunResponse>;

    async fn start_run(&self, request: Request<StartRunRequest>) -> Result<Response<StartRunResponse>, Status> {
        let studio = status::studio(&request)?;
        let start = from_wire::start(request.into_inner().start).map_err(|error| status::of(&error))?;
        let started = begin(&studio, start).await?;
        Ok(Response::new(StartRunResponse { run: started.run, project: started.project }))
    }

    async fn start_and_watch_run(
        &self,
        request: Request<StartAndWatchRunRequest>,
    ) -> Result<Response<Self::StartAndWatchRunStream>, Status> {
        let studio = status::studio(&request)?;
        let deadline = request.extensions().get().copied();
        let start = from_wire::start(request.into_inner().start).map_err(|error| status::of(&error))?;
        let started = begin(&studio, start).await?;
        let events = self.follow(&studio, &started.run, 0, deadline).await?;
        let events = events.map(|event| Ok(StartAndWatchRunResponse { event: Some(event?) }));
        Ok(Response::new(events.boxed()))
    }

    async fn resume_run(&self, request: Request<ResumeRunRequest>) -> Result<Response<ResumeRunResponse>, Status> {
        let studio = status::studio(&request)?;
        let ResumeRunRequest { run, answer, overrides, question } = request.into_inner();
        let read = || {
            let overrides = value::object_from_wire(overrides.unwrap_or_default());
            let asked: ResumeRequest = from_wire::request(json!({"run": run, "overrides": overrides}))?;
            let question = Some(question).filter(|question| !question.is_empty());
            Ok(ResumeRequest { answer: answer.map(from_wire::answer).transpose()?, question, ..asked })
        };
        let asked = read().map_err(|error| status::of(&error))?;
        let started = begin(&studio, StartRequest::Resume(asked)).await?;
        Ok(Response::new(ResumeRunResponse { run: started.run, project: started.project }))
    }

    async fn cancel_run(&self, request: Request<CancelRunRequest>) -> Result<Response<CancelRunResponse>, Status> {
        let studio = status::studio(&request)?;
        let asked = CancelRun { run: request.into_inner().run };
        let stopped = studio.call(asked).await.map_err(|error| status::of(&error))?;
        Ok(Response::new(CancelRunResponse { status: to_wire::status(stopped.status).into() }))
    }

    async fn get_run(&self, request: Request<GetRunRequest>) -> Result<Response<GetRunResponse>, Status> {
        let studio = status::studio(&request)?;
        let asked = ReadRun { run: request.into_inner().run };
        let outcome = studio.call(asked).await.map_err(|error| status::of(&error))?;
        Ok(Response::new(to_wire::outcome(&outcome)))
    }

    async fn list_runs(&self, request: Request<ListRunsRequest>) -> Result<Response<ListRunsResponse>, Status> {
        let studio = status::studio(&request)?;
        let ListRunsRequest { project, open, after, limit } = request.into_inner();
        let rows = studio.call(ListRuns { project, open, after, limit }).await.map_err(|error| status::of(&error))?;
        Ok(Response::new(ListRunsResponse { runs: rows.into_iter().map(to_wire::run).collect() }))
    }

    async fn watch_run(&self, request: Request<WatchRunRequest>) -> Result<Response<Self::WatchRunStream>, Status> {
        let studio = status::studio(&request)?;
        let deadline = request.extensions().get().copied();
        let WatchRunRequest { run, after } = request.into_inner();
        let events = self.follow(&studio, &run, after, deadline).await?;
        Ok(Response::new(events.map(|event| Ok(WatchRunResponse { event: Some(event?) })).boxed()))
    }
}
