//! The single task that appends for all threads of a process: appends that arrive during a commit share the next
//! commit.
//!
//! The task adds no further delay: a window of 1 or 2 ms made 16, 256 and 1,000 concurrent threads no faster.

use std::collections::{HashSet, VecDeque};

use qingyu_db::{Postgres, PostgresClient};
use tokio::sync::{mpsc, oneshot};
use tokio_postgres::{GenericClient, Statement};

use crate::error::Error;
use crate::store::record::{JournalRecord, RecordKind, ThreadId, ThreadLease};
use crate::store::sql::{corrupt, fenced, number, position};

pub(super) const APPEND: &str = include_str!("append.sql");
/// The same for one record of one thread, the usual case of a superstep: a third of the server's work.
pub(super) const APPEND_ONE: &str = include_str!("append_one.sql");

/// The capacity of the queue of appends; a full queue blocks the writers.
const QUEUE: usize = 4096;
/// The maximum number of appends per commit.
const GROUP: usize = 256;
/// The maximum number of bytes of bodies per commit, unless a single append has more.
const GROUP_BYTES: usize = 4 << 20;

/// The sender of the task, which ends when the last sender is dropped.
#[derive(Debug, Clone)]
pub(super) struct Appender {
    queue: mpsc::Sender<QueuedAppend>,
}

/// The records of one commit of one thread.
#[derive(Debug)]
pub(super) struct Append {
    pub(super) lease: ThreadLease,
    pub(super) records: Vec<JournalRecord>,
}

#[derive(Debug)]
struct QueuedAppend {
    append: Append,
    answer: oneshot::Sender<Result<u64, Error>>,
}

impl Appender {
    pub(super) fn start(postgres: Postgres) -> Self {
        let (sender, queue) = mpsc::channel(QUEUE);
        tokio::spawn(serve(postgres, queue));
        Self { queue: sender }
    }

    /// Queues `append`, waits for the commit and returns the position of the last record. The append runs even if the
    /// caller stops waiting.
    pub(super) async fn run(&self, append: Append) -> Result<u64, Error> {
        let (answer, wait) = oneshot::channel();
        self.queue.send(QueuedAppend { append, answer }).await.map_err(|_| qingyu_db::Error::Closed)?;
        wait.await.map_err(|_| qingyu_db::Error::Closed)?
    }
}

async fn serve(postgres: Postgres, mut queue: mpsc::Receiver<QueuedAppend>) {
    let mut later = VecDeque::new();
    loop {
        if later.is_empty() {
            let Some(first) = queue.recv().await else { return };
            later.push_back(first);
        }
        let group = gather(&mut later, &mut queue);
        commit(&postgres, group).await;
    }
}

/// Removes and returns the appends of the next commit. One statement changes a thread's row once, so a second append of
/// a thread waits in `later`, before all following appends.
fn gather(later: &mut VecDeque<QueuedAppend>, queue: &mut mpsc::Receiver<QueuedAppend>) -> Vec<QueuedAppend> {
    let mut group: Vec<QueuedAppend> = Vec::new();
    let mut threads: HashSet<ThreadId> = HashSet::new();
    let mut bytes = 0;
    let mut postponed = VecDeque::new();
    while group.len() < GROUP
        && let Some(next) = later.pop_front().or_else(|| queue.try_recv().ok())
    {
        let size = next.append.records.iter().map(|record| record.body.len()).sum::<usize>();
        if threads.contains(&next.append.lease.thread) {
            postponed.push_back(next);
        } else if !group.is_empty() && bytes + size > GROUP_BYTES {
            postponed.push_back(next);
            break;
        } else {
            threads.insert(next.append.lease.thread.clone());
            bytes += size;
            group.push(next);
        }
    }
    postponed.append(later);
    *later = postponed;
    group
}

async fn commit(postgres: &Postgres, group: Vec<QueuedAppend>) {
    let (appends, answers): (Vec<_>, Vec<_>) =
        group.into_iter().map(|waiting| (waiting.append, waiting.answer)).unzip();
    match commit_together(postgres, &appends).await {
        Ok(results) => answers.into_iter().zip(results).for_each(|(answer, result)| drop(answer.send(result))),
        Err(error) if can_be_parted(appends.len(), &error) => {
            tracing::warn!(%error, appends = appends.len(), "a group of appends was refused; each is tried alone");
            for (append, answer) in appends.iter().zip(answers) {
                let alone = commit_together(postgres, std::slice::from_ref(append)).await;
                drop(answer.send(alone.and_then(|mut results| results.remove(0))));
            }
        }
        Err(error) => answers.into_iter().for_each(|answer| drop(answer.send(Err(error.clone())))),
    }
}

/// Returns whether the `appends` of a failed group can be retried one by one: after a refusal nothing of the group is
/// stored. After a broken connection the result is unknown: the commit may have succeeded just before.
fn can_be_parted(appends: usize, error: &Error) -> bool {
    appends > 1 && !matches!(error, Error::Database(qingyu_db::Error::Unreachable { .. }))
}

async fn commit_together(postgres: &Postgres, appends: &[Append]) -> Result<Vec<Result<u64, Error>>, Error> {
    let client = postgres.client().await?;
    if let [Append { lease, records }] = appends
        && let [record] = records.as_slice()
    {
        let statement = client.prepare_cached(APPEND_ONE).await?;
        return Ok(vec![append_one(&client, &statement, lease, record).await?]);
    }
    let statement = client.prepare_cached(APPEND).await?;
    append(&**client, &statement, appends).await
}

async fn append_one(
    client: &PostgresClient,
    statement: &Statement,
    lease: &ThreadLease,
    record: &JournalRecord,
) -> Result<Result<u64, Error>, Error> {
    let JournalRecord { scope, branch, parent, kind, task, key, body } = record;
    // Only the graph's own checkpoints are recorded in the thread's row.
    let is_own = scope.is_empty();
    let row = client
        .query_opt(
            statement,
            &[
                &lease.thread.as_str(),
                &number(lease.epoch),
                &(is_own && kind.is_checkpoint()),
                &(is_own && *kind == RecordKind::Snapshot),
                &number(*branch),
                &number(*parent),
                &kind.name(),
                task,
                key,
                body,
                scope,
            ],
        )
        .await?;
    row.map_or(Ok(Err(fenced(lease))), |row| Ok(super::position(row.try_get(0)?)))
}

/// Runs `appends`, of different threads; each returns the position of the last record or `Fenced`.
pub(super) async fn append(
    client: &impl GenericClient,
    statement: &Statement,
    appends: &[Append],
) -> Result<Vec<Result<u64, Error>>, Error> {
    let leases = || appends.iter().map(|append| &append.lease);
    let place = |wanted: fn(RecordKind) -> bool| {
        let own = |record: &JournalRecord| record.scope.is_empty() && wanted(record.kind);
        let newest = |append: &Append| append.records.iter().rposition(own);
        appends.iter().map(|append| newest(append).map(|index| number(index as u64 + 1))).collect::<Vec<_>>()
    };
    let records: Vec<(i64, i64, &JournalRecord)> = (1..)
        .zip(appends)
        .flat_map(|(append, Append { records, .. })| {
            (1..).zip(records).map(move |(place, record)| (append, place, record))
        })
        .collect();
    let numbers = |of: fn(&(i64, i64, &JournalRecord)) -> i64| records.iter().map(of).collect::<Vec<_>>();
    let texts = |of: fn(&JournalRecord) -> &str| records.iter().map(|(_, _, record)| of(record)).collect::<Vec<_>>();
    let rows = client
        .query(
            statement,
            &[
                &leases().map(|lease| lease.thread.as_str()).collect::<Vec<_>>(),
                &leases().map(|lease| number(lease.epoch)).collect::<Vec<_>>(),
                &appends.iter().map(|append| number(append.records.len() as u64)).collect::<Vec<_>>(),
                &place(RecordKind::is_checkpoint),
                &place(|kind| kind == RecordKind::Snapshot),
                &numbers(|(append, _, _)| *append),
                &numbers(|(_, place, _)| *place),
                &texts(|record| &record.scope),
                &numbers(|(_, _, record)| number(record.branch)),
                &numbers(|(_, _, record)| number(record.parent)),
                &texts(|record| record.kind.name()),
                &texts(|record| &record.task),
                &texts(|record| &record.key),
                &texts(|record| &record.body),
            ],
        )
        .await?;
    let mut results: Vec<_> = leases().map(|lease| Err(fenced(lease))).collect();
    for row in rows {
        let (append, last): (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
        let result = usize::try_from(append - 1).ok().and_then(|index| results.get_mut(index));
        *result.ok_or_else(|| corrupt("an append that was not asked for"))? = Ok(position(last)?);
    }
    Ok(results)
}

#[cfg(test)]
mod tests;
