//! The one task that appends for all threads of a process: what comes in while a commit is under way shares the next.
//!
//! It does not wait for company beyond that: a window of 1 or 2 ms made 16, 256 and 1,000 threads at once no faster.

use std::collections::{HashSet, VecDeque};

use qingyu_db::{Postgres, PostgresClient};
use tokio::sync::{mpsc, oneshot};
use tokio_postgres::{GenericClient, Statement};

use crate::Error;
use crate::store::sql::{corrupt, fenced, number, position};
use crate::store::{Lease, Record, RecordKind, ThreadId};

pub(super) const APPEND: &str = include_str!("append.sql");
/// The same for one record of one thread, which is what a superstep mostly is: a third of the server's work.
pub(super) const APPEND_ONE: &str = include_str!("append_one.sql");

/// How many appends may wait before writers are held back.
const QUEUE: usize = 4096;
/// How many appends share one commit at most.
const GROUP: usize = 256;
/// How many bytes of bodies share one commit, unless a single append has more.
const GROUP_BYTES: usize = 4 << 20;

/// The sending side of the task, which ends with the last of them.
#[derive(Debug, Clone)]
pub(super) struct Appender {
    queue: mpsc::Sender<Waiting>,
}

/// The records of one commit of one thread.
#[derive(Debug)]
pub(super) struct Append {
    pub(super) lease: Lease,
    pub(super) records: Vec<Record>,
}

#[derive(Debug)]
struct Waiting {
    append: Append,
    answer: oneshot::Sender<Result<u64, Error>>,
}

impl Appender {
    pub(super) fn start(postgres: Postgres) -> Self {
        let (sender, queue) = mpsc::channel(QUEUE);
        tokio::spawn(serve(postgres, queue));
        Self { queue: sender }
    }

    /// Queues `append` and waits for the commit that contains it. It is carried out even if nobody waits any more.
    pub(super) async fn run(&self, append: Append) -> Result<u64, Error> {
        let (answer, wait) = oneshot::channel();
        self.queue.send(Waiting { append, answer }).await.map_err(|_| qingyu_db::Error::Closed)?;
        wait.await.map_err(|_| qingyu_db::Error::Closed)?
    }
}

async fn serve(postgres: Postgres, mut queue: mpsc::Receiver<Waiting>) {
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

/// Takes what shares the next commit. One statement changes a thread's row once, so a thread's second append waits in
/// `later`, before everything that comes after it.
fn gather(later: &mut VecDeque<Waiting>, queue: &mut mpsc::Receiver<Waiting>) -> Vec<Waiting> {
    let mut group: Vec<Waiting> = Vec::new();
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

async fn commit(postgres: &Postgres, group: Vec<Waiting>) {
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

/// Whether the good ones of a group of `appends` can be parted from the bad: after a refusal nothing of it is stored. After a
/// broken connection nobody knows: the commit may have been the last thing that came through.
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
    lease: &Lease,
    record: &Record,
) -> Result<Result<u64, Error>, Error> {
    let Record { scope, branch, parent, kind, task, key, body } = record;
    // Only the graph's own checkpoints are noted in the thread's row.
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

/// Carries out `appends`, of different threads; each gets the position of its last record or `Fenced`.
pub(super) async fn append(
    client: &impl GenericClient,
    statement: &Statement,
    appends: &[Append],
) -> Result<Vec<Result<u64, Error>>, Error> {
    let leases = || appends.iter().map(|append| &append.lease);
    let place = |wanted: fn(RecordKind) -> bool| {
        let own = |record: &Record| record.scope.is_empty() && wanted(record.kind);
        let newest = |append: &Append| append.records.iter().rposition(own);
        appends.iter().map(|append| newest(append).map(|index| number(index as u64 + 1))).collect::<Vec<_>>()
    };
    let records: Vec<(i64, i64, &Record)> = (1..)
        .zip(appends)
        .flat_map(|(append, Append { records, .. })| {
            (1..).zip(records).map(move |(place, record)| (append, place, record))
        })
        .collect();
    let numbers = |of: fn(&(i64, i64, &Record)) -> i64| records.iter().map(of).collect::<Vec<_>>();
    let texts = |of: fn(&Record) -> &str| records.iter().map(|(_, _, record)| of(record)).collect::<Vec<_>>();
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
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Store as _;
    use crate::store::Owner;
    use crate::testing::TestSchema;

    /// An append to this thread of so many bytes.
    fn append(thread: &str, bytes: usize) -> Waiting {
        let (scope, task, key) = Default::default();
        let record = Record { scope, branch: 0, parent: 0, kind: RecordKind::Step, task, key, body: "x".repeat(bytes) };
        let lease = Lease { thread: thread.into(), epoch: 1 };
        Waiting { append: Append { lease, records: vec![record] }, answer: oneshot::channel().0 }
    }

    /// Into which commits these go, by thread and bytes.
    fn groups(appends: &[(&str, usize)]) -> Vec<String> {
        let (sender, mut queue) = mpsc::channel(appends.len().max(1));
        for (thread, bytes) in appends {
            sender.try_send(append(thread, *bytes)).expect("there is room");
        }
        let mut later = VecDeque::new();
        let group = std::iter::from_fn(|| Some(gather(&mut later, &mut queue)).filter(|group| !group.is_empty()));
        let threads = |group: Vec<Waiting>| {
            group.iter().map(|one| one.append.lease.thread.as_str()).collect::<Vec<_>>().join(" ")
        };
        group.map(threads).collect()
    }

    #[test]
    fn what_waits_shares_a_commit_within_limits_and_in_order() {
        let half = GROUP_BYTES / 2;
        type Case<'a> = (&'a [(&'a str, usize)], &'a [&'a str]);
        let cases: [Case<'_>; 6] = [
            (&[], &[]),
            (&[("a", 1), ("b", 1), ("c", 1)], &["a b c"]),
            (&[("a", 1), ("a", 1), ("b", 1), ("a", 1)], &["a b", "a", "a"]),
            (&[("a", half), ("b", half), ("c", 1)], &["a b", "c"]),
            (&[("a", GROUP_BYTES + 1), ("b", 1)], &["a", "b"]),
            (&[("a", 1), ("b", GROUP_BYTES), ("c", 1)], &["a", "b", "c"]),
        ];
        for (appends, expected) in cases {
            assert_eq!(groups(appends), expected, "{:?}", appends.iter().map(|(thread, _)| thread).collect::<Vec<_>>());
        }
        let names: Vec<String> = (0..GROUP + 1).map(|number| number.to_string()).collect();
        let many: Vec<(&str, usize)> = names.iter().map(|name| (name.as_str(), 1)).collect();
        assert_eq!(groups(&many).iter().map(|group| group.split(' ').count()).collect::<Vec<_>>(), [GROUP, 1]);
    }

    #[test]
    fn a_group_is_parted_only_if_nothing_of_it_can_be_stored() {
        let (server, reason) = ("PostgreSQL".to_owned(), "connection closed".to_owned());
        let lost = qingyu_db::Error::Unreachable { server, reason };
        let cases = [
            (2, qingyu_db::Error::DiskFull, true),
            (1, qingyu_db::Error::DiskFull, false),
            (2, lost.clone(), false),
            (1, lost, false),
        ];
        for (appends, error, parted) in cases {
            assert_eq!(can_be_parted(appends, &Error::Database(error.clone())), parted, "{appends} {error}");
        }
    }

    #[tokio::test]
    async fn a_group_whose_connection_is_lost_is_not_tried_again() {
        let Some(schema) = TestSchema::new().await else { return };
        let (store, postgres) = (schema.store().await, schema.postgres().await);
        let (mut group, mut answers) = (Vec::new(), Vec::new());
        for thread in ["a", "b"] {
            let lease = store.acquire(&thread.into(), &Owner::this_process(), Duration::from_secs(60)).await.unwrap();
            let (answer, wait) = oneshot::channel();
            group.push(Waiting { append: Append { lease, ..append(thread, 1).append }, answer });
            answers.push((thread, wait));
        }
        let mut holder = postgres.client().await.unwrap();
        let holding = holder.transaction().await.unwrap();
        let row = holding.query_one("SELECT pg_backend_pid() FROM graph_thread WHERE id = 'a' FOR UPDATE", &[]);
        let held_by: i32 = row.await.unwrap().get(0);
        let committed = tokio::spawn({
            let postgres = postgres.clone();
            async move { commit(&postgres, group).await }
        });
        // The connection is cut while the statement waits for the row.
        let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))";
        let cutter = postgres.client().await.unwrap();
        while cutter.query(cut, &[&held_by]).await.unwrap().is_empty() {
            assert!(!committed.is_finished(), "it did not wait for the row");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        holding.rollback().await.unwrap();
        committed.await.unwrap();
        for (thread, answer) in answers {
            let error = answer.await.unwrap().unwrap_err();
            assert!(matches!(error, Error::Database(qingyu_db::Error::Unreachable { .. })), "{error}");
            assert_eq!(store.records(&thread.into(), 0, 9).await.unwrap(), [], "nothing of {thread} is stored");
        }
    }
}
