use qingyu_db::PostgresClient;

use super::appender::{APPEND, APPEND_ONE};
use super::reading::{BODY, HEAD_AT, OWN_HEAD, SCOPE_HEAD};
use super::*;
use crate::store::RecordKind;
use crate::store::sql::journal_query;
use crate::store::tests::{goes_on, record};
use crate::testing::TestSchema;

/// Returns the generic plan of a statement, as printed by `explain`.
async fn plan(client: &PostgresClient, sql: &str, explain: &str, arguments: &str) -> String {
    let prepare = format!("SET plan_cache_mode = force_generic_plan; DEALLOCATE ALL; PREPARE asked AS {sql}");
    client.batch_execute(&prepare).await.unwrap();
    let lines = client.query(&format!("{explain} EXECUTE asked({arguments})"), &[]).await.unwrap();
    lines.iter().map(|row| row.get::<_, &str>(0)).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_plan_made_on_an_empty_table_finds_threads_by_their_index() {
    let Some(schema) = TestSchema::new().await else { return };
    drop(schema.store().await);
    let client = schema.postgres().await.client().await.unwrap();
    for (statement, parameters) in [(APPEND, 14), (APPEND_ONE, 11)] {
        let plan = plan(&client, statement, "EXPLAIN", &vec!["NULL"; parameters].join(", ")).await;
        assert!(plan.contains("Index Scan using graph_thread_id_key"), "{plan}");
        assert!(!plan.contains("Seq Scan"), "{plan}");
    }
}

#[tokio::test]
async fn journals_are_read_by_their_indexes_alone() {
    let Some(schema) = TestSchema::new().await else { return };
    let store = schema.store().await;
    let client = schema.postgres().await.client().await.unwrap();
    for (head, arguments, by) in [
        (OWN_HEAD, "NULL", "Index Scan using graph_thread_id_key"),
        (SCOPE_HEAD, "NULL, NULL", "Index Only Scan Backward using graph_record_checkpoint"),
        (HEAD_AT, "NULL, NULL", "Index Scan using graph_record_pkey"),
    ] {
        let plan = plan(&client, &journal_query(head, BODY), "EXPLAIN", arguments).await;
        for wanted in [
            by,
            "((thread = head.thread) AND (scope = head.scope) AND (\"position\" >= head.base)",
            "((thread = head_1.thread) AND (parent = head_1.\"position\"))",
        ] {
            assert!(plan.contains(wanted), "{plan}");
        }
        assert!(!plan.contains("Seq Scan"), "{plan}");
    }

    let lease = store.acquire(&"t".into(), &Owner::this_process(), Duration::from_secs(60)).await.unwrap();
    let mut position = 0;
    for (scope, kind, parent, count) in [
        ("", RecordKind::Snapshot, 0, 1),
        ("early", RecordKind::Snapshot, 0, 5000),
        ("", RecordKind::Delta, 1, 1),
        ("", RecordKind::Step, 5002, 1),
        ("late", RecordKind::Snapshot, 0, 5000),
        ("late", RecordKind::Step, 9999, 5000),
    ] {
        let records = vec![record(scope, kind, parent); count];
        position = store.append(&lease, records, Vec::new()).await.unwrap();
    }
    assert_eq!(position, 15_003);
    client.batch_execute("ANALYZE graph_record, graph_thread").await.unwrap();
    let explain = "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF)";
    for (head, arguments, skipped) in [(OWN_HEAD, "'t'", 0), (SCOPE_HEAD, "'t', ''", 1), (HEAD_AT, "'t', 5002", 1)] {
        let plan = plan(&client, &journal_query(head, BODY), explain, arguments).await;
        assert!(plan.starts_with("Append (actual rows=3 loops=1)"), "{plan}");
        // On the way to the snapshot the delta is passed over; nothing of the other scopes is looked at.
        assert_eq!(plan.matches("Rows Removed by Filter: 1\n").count(), skipped, "{plan}");
        assert_eq!(plan.matches("Rows Removed").count(), skipped, "{plan}");
        assert!(!plan.contains("Seq Scan on graph_record"), "{plan}");
    }
}

#[tokio::test]
async fn threads_of_a_program_that_knew_no_scopes_go_on() {
    let Some(schema) = TestSchema::new().await else { return };
    let before = SqlMigrations { owner: MIGRATIONS.owner, files: &MIGRATIONS.files[..1] };
    schema.postgres().await.migrate(&before).await.unwrap();
    let old = "INSERT INTO graph_thread(id, epoch, expires, last, head, snapshot) VALUES ('t', 4, now(), 4, 3, 1);
               INSERT INTO graph_record(thread, position, epoch, branch, parent, kind, task, key, body) VALUES
                   (1, 1, 3, 0, 0, 'snapshot', '', '', '{}'), (1, 2, 3, 0, 1, 'step', '', '', '{}'),
                   (1, 3, 4, 0, 1, 'delta', '', '', '{}'), (1, 4, 4, 0, 3, 'question', '', '', '{}');";
    schema.postgres().await.client().await.unwrap().batch_execute(old).await.unwrap();
    goes_on(&schema.store().await).await;
}
