use std::time::Duration;

use super::*;
use crate::Store as _;
use crate::store::Owner;
use crate::testing::TestSchema;

/// Returns an append to a thread with a body of the given size.
fn append(thread: &str, bytes: usize) -> QueuedAppend {
    let (scope, task, key) = Default::default();
    let record =
        JournalRecord { scope, branch: 0, parent: 0, kind: RecordKind::Step, task, key, body: "x".repeat(bytes) };
    let lease = ThreadLease { thread: thread.into(), epoch: 1 };
    QueuedAppend { append: Append { lease, records: vec![record] }, answer: oneshot::channel().0 }
}

/// Returns the commits for the given appends, by thread and bytes.
fn groups(appends: &[(&str, usize)]) -> Vec<String> {
    let (sender, mut queue) = mpsc::channel(appends.len().max(1));
    for (thread, bytes) in appends {
        sender.try_send(append(thread, *bytes)).expect("there is room");
    }
    let mut later = VecDeque::new();
    let group = std::iter::from_fn(|| Some(gather(&mut later, &mut queue)).filter(|group| !group.is_empty()));
    let threads = |group: Vec<QueuedAppend>| {
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
        group.push(QueuedAppend { append: Append { lease, ..append(thread, 1).append }, answer });
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
    // The connection is cut while the statement waits for the lock of the row.
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
