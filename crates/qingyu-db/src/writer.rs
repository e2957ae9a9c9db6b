//! The writer thread: fetches queued jobs, commits them together, then sends the results.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use crate::Error;

/// The capacity of the queue; further callers wait.
const QUEUE: usize = 4096;
/// The most jobs in a commit.
const GROUP: usize = 256;

/// A handle to the writer thread.
#[derive(Debug)]
pub(crate) struct SqliteWriter {
    jobs: mpsc::Sender<WriteJob>,
}

/// A queued job: runs in a savepoint, or is skipped when called with an error, and returns the callback for after the
/// commit.
type WriteJob = Box<dyn FnOnce(Result<&Connection, Error>) -> FinishedJob + Send>;

/// A finished job before the commit.
struct FinishedJob {
    keep: bool,
    /// Sends the result to the caller; a commit error overrides the job's result.
    answer: Box<dyn FnOnce(Option<Error>) + Send>,
}

impl SqliteWriter {
    /// Starts the thread, which opens a connection, and waits until the connection is open.
    pub(crate) async fn start(
        open: impl FnOnce() -> Result<Connection, Error> + Send + 'static,
    ) -> Result<Self, Error> {
        let (jobs, queue) = mpsc::channel(QUEUE);
        let (opened, wait) = oneshot::channel();
        let body = move || match open() {
            Ok(connection) => {
                // A caller which stopped waiting has dropped the queue's sender too.
                let _ = opened.send(Ok(()));
                serve(&connection, queue);
            }
            Err(error) => {
                let _ = opened.send(Err(error));
            }
        };
        std::thread::Builder::new()
            .name("qingyu-db-writer".to_owned())
            .spawn(body)
            .map_err(|error| Error::BrokenJob { reason: format!("cannot start the writer thread: {error}") })?;
        wait.await.map_err(|_| Error::Closed)??;
        Ok(Self { jobs })
    }

    /// Queues `job` and waits for the commit.
    pub(crate) async fn run<T, E, F>(&self, job: F) -> Result<T, E>
    where
        F: FnOnce(&Connection) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (answer, wait) = oneshot::channel();
        let job: WriteJob = Box::new(move |connection| {
            let result = match connection {
                Err(error) => Err(error.into()),
                Ok(connection) => catch_unwind(AssertUnwindSafe(|| job(connection)))
                    .unwrap_or_else(|panic| Err(Error::BrokenJob { reason: panic_message(panic.as_ref()) }.into())),
            };
            let keep = result.is_ok();
            // The caller may have stopped waiting; the result is then dropped.
            let answer = move |error: Option<Error>| drop(answer.send(error.map_or(result, |error| Err(error.into()))));
            FinishedJob { keep, answer: Box::new(answer) }
        });
        self.jobs.send(job).await.map_err(|_| Error::Closed)?;
        wait.await.map_err(|_| Error::Closed)?
    }
}

/// Runs jobs until the last handle is dropped.
fn serve(connection: &Connection, mut queue: mpsc::Receiver<WriteJob>) {
    let mut group = Vec::new();
    while let Some(first) = queue.blocking_recv() {
        group.push(first);
        while group.len() < GROUP
            && let Ok(next) = queue.try_recv()
        {
            group.push(next);
        }
        commit(connection, group.drain(..));
    }
}

/// Runs a group of jobs in a transaction and sends the results after the commit.
fn commit(connection: &Connection, group: impl ExactSizeIterator<Item = WriteJob>) {
    // A single job needs no savepoint inside the transaction.
    let run = if group.len() == 1 { run_alone } else { run_in_savepoint };
    let mut ran = Vec::with_capacity(group.len());
    let mut outcome = execute(connection, "BEGIN IMMEDIATE");
    for job in group {
        match &outcome {
            Ok(()) => outcome = run(connection, job, &mut ran),
            // Without a transaction no job may run.
            Err(error) => ran.push(job(Err(error.clone()))),
        }
    }
    outcome = outcome.and_then(|()| match &ran[..] {
        [alone] if !alone.keep => execute(connection, "ROLLBACK"),
        _ => execute(connection, "COMMIT"),
    });
    if let Err(error) = &outcome {
        tracing::warn!(%error, jobs = ran.len(), "a group of writes was not committed");
        if !connection.is_autocommit() {
            // The transaction is lost in any case; a rollback error adds nothing.
            let _ = connection.execute_batch("ROLLBACK");
        }
    }
    for job in ran {
        // A failed job returns the job's own error rather than the commit error.
        let error = outcome.as_ref().err().filter(|_| job.keep).cloned();
        (job.answer)(error);
    }
}

/// Runs a job in a savepoint, rolled back alone if the job fails. An error means the whole transaction is lost.
fn run_in_savepoint(connection: &Connection, job: WriteJob, ran: &mut Vec<FinishedJob>) -> Result<(), Error> {
    if let Err(error) = execute(connection, "SAVEPOINT job") {
        ran.push(job(Err(error.clone())));
        return Err(error);
    }
    run_alone(connection, job, ran)?;
    if ran.last().is_some_and(|job| !job.keep) {
        execute(connection, "ROLLBACK TO job")?;
    }
    execute(connection, "RELEASE job")
}

/// Runs a job in the open transaction. An error means the transaction is lost.
fn run_alone(connection: &Connection, job: WriteJob, ran: &mut Vec<FinishedJob>) -> Result<(), Error> {
    ran.push(job(Ok(connection)));
    if connection.is_autocommit() {
        // SQLite rolls back the transaction by itself on a full disk or an I/O error.
        return Err(Error::BrokenJob { reason: "the transaction ended before its commit".to_owned() });
    }
    Ok(())
}

fn execute(connection: &Connection, sql: &str) -> Result<(), Error> {
    connection.prepare_cached(sql)?.execute([])?;
    Ok(())
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("it panicked: {}", text.unwrap_or("no message"))
}
