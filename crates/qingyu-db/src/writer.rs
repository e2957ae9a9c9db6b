//! The one thread that writes: takes what is queued, commits it together, then answers everybody.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use crate::Error;

/// How many jobs may wait before writers are held back.
const QUEUE: usize = 4096;
/// How many jobs share one commit at most.
const GROUP: usize = 256;

/// The sending side of the writer thread.
#[derive(Debug)]
pub(crate) struct Writer {
    jobs: mpsc::Sender<Job>,
}

/// Runs inside its savepoint, or not at all when given an error, and returns what is left to do after the commit.
type Job = Box<dyn FnOnce(Result<&Connection, Error>) -> Ran + Send>;

/// A job that has run but is not yet durable.
struct Ran {
    keep: bool,
    /// Answers the caller; given an error, that error replaces the job's own result.
    answer: Box<dyn FnOnce(Option<Error>) + Send>,
}

impl Writer {
    /// Starts the thread, which opens its own connection, and waits until it is open.
    pub(crate) async fn start(
        open: impl FnOnce() -> Result<Connection, Error> + Send + 'static,
    ) -> Result<Self, Error> {
        let (jobs, queue) = mpsc::channel(QUEUE);
        let (opened, wait) = oneshot::channel();
        let body = move || match open() {
            Ok(connection) => {
                // A caller that gave up waiting has dropped the queue's sender as well.
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

    /// Queues `job` and waits for the commit that contains it.
    pub(crate) async fn run<T, E, F>(&self, job: F) -> Result<T, E>
    where
        F: FnOnce(&Connection) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (answer, wait) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            let result = match connection {
                Err(error) => Err(error.into()),
                Ok(connection) => catch_unwind(AssertUnwindSafe(|| job(connection)))
                    .unwrap_or_else(|panic| Err(Error::BrokenJob { reason: panic_message(panic.as_ref()) }.into())),
            };
            let keep = result.is_ok();
            // The caller may have stopped waiting; the work is done all the same.
            let answer = move |error: Option<Error>| drop(answer.send(error.map_or(result, |error| Err(error.into()))));
            Ran { keep, answer: Box::new(answer) }
        });
        self.jobs.send(job).await.map_err(|_| Error::Closed)?;
        wait.await.map_err(|_| Error::Closed)?
    }
}

/// Works until every handle is gone.
fn serve(connection: &Connection, mut queue: mpsc::Receiver<Job>) {
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

/// Runs a group of jobs in one transaction and answers them after the commit.
fn commit(connection: &Connection, group: impl ExactSizeIterator<Item = Job>) {
    // A job alone needs no savepoint: the transaction is its own.
    let run = if group.len() == 1 { run_alone } else { run_in_savepoint };
    let mut ran = Vec::with_capacity(group.len());
    let mut outcome = execute(connection, "BEGIN IMMEDIATE");
    for job in group {
        match &outcome {
            Ok(()) => outcome = run(connection, job, &mut ran),
            // Without a transaction nothing may run.
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
            // The transaction is lost either way; a failing rollback has nothing to add.
            let _ = connection.execute_batch("ROLLBACK");
        }
    }
    for job in ran {
        // A job that failed by itself keeps its own, more telling error.
        let error = outcome.as_ref().err().filter(|_| job.keep).cloned();
        (job.answer)(error);
    }
}

/// Runs one job so that its failure undoes only itself. An error means that the whole transaction is gone.
fn run_in_savepoint(connection: &Connection, job: Job, ran: &mut Vec<Ran>) -> Result<(), Error> {
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

/// Runs one job in the transaction that is open. An error means that it is gone.
fn run_alone(connection: &Connection, job: Job, ran: &mut Vec<Ran>) -> Result<(), Error> {
    ran.push(job(Ok(connection)));
    if connection.is_autocommit() {
        // SQLite rolls everything back by itself on a full disk or an I/O error.
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
