use qingyu_db::Sqlite;
use rusqlite::StatementStatus;

use super::packing::BODY;
use super::reading::{HEAD_AT, OWN_HEAD, SCOPE_HEAD, count_damaged};
use super::*;
use crate::store::sql::journal_query;
use crate::store::tests::{goes_on, record};

const LONG: Duration = Duration::from_secs(3600);

fn tables() -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    SqliteStore::MIGRATIONS.files.iter().for_each(|(_, sql)| connection.execute_batch(sql).unwrap());
    connection
}

#[test]
fn reading_the_graph_itself_costs_the_same_whatever_its_subgraphs_have_stored() {
    let connection = tables();
    let lease = acquire(&connection, "t".into(), &Owner::this_process(), LONG).unwrap();
    let store = |records: &[JournalRecord]| {
        let records: Vec<PackedRecord> = records.iter().cloned().map(PackedRecord::new).collect();
        append(&connection, &lease, &records, Vec::new()).unwrap()
    };
    store(&[record("", RecordKind::Snapshot, 0)]);
    store(&(0..2000).map(|_| record("early", RecordKind::Snapshot, 0)).collect::<Vec<_>>());
    let head = store(&[record("", RecordKind::Delta, 1)]);
    let pending = [("", RecordKind::Step, head), ("", RecordKind::Answer, head), ("late", RecordKind::Step, head + 1)];
    store(&pending.map(|(scope, kind, parent)| record(scope, kind, parent)));
    let steps = || {
        let mut select = connection.prepare(&journal_query(OWN_HEAD, BODY)).unwrap();
        assert_eq!(select.query_map(["t"], |_| Ok(())).unwrap().count(), 4);
        select.get_status(StatementStatus::VmStep)
    };
    let before = steps();
    for kind in [RecordKind::Snapshot, RecordKind::Delta, RecordKind::Step] {
        store(&(0..2000).map(|number| record("late", kind, head + number % 7 + 1)).collect::<Vec<_>>());
    }
    assert_eq!(steps(), before);
}

#[test]
fn a_compressed_record_with_zeros_in_it_is_counted_as_damaged() {
    let connection = tables();
    let lease = acquire(&connection, "t".into(), &Owner::this_process(), LONG).unwrap();
    let body: String = (0..2000).map(|at| format!("{{\"name\":\"林深\",\"at\":{at}}}")).collect();
    let records = [record("", RecordKind::Snapshot, 0), record("", RecordKind::Delta, 1)];
    let records: Vec<PackedRecord> =
        records.map(|record| PackedRecord::new(JournalRecord { body: body.clone(), ..record })).into();
    append(&connection, &lease, &records, Vec::new()).unwrap();
    assert_eq!(count_damaged(&connection).unwrap(), 0);
    let zeroed =
        "UPDATE graph_record SET packed = CAST(substr(packed, 1, length(packed) - 600) || zeroblob(600) AS BLOB)
                  WHERE kind = 'delta'";
    assert_eq!(connection.execute(zeroed, []).unwrap(), 1);
    assert_eq!(count_damaged(&connection).unwrap(), 1);
}

#[test]
fn every_read_has_an_index_for_what_it_asks() {
    let connection = tables();
    let plan = |sql: &str| {
        let mut explain = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let count = explain.parameter_count();
        let none = vec![rusqlite::types::Value::Null; count];
        let lines = explain.query_map(rusqlite::params_from_iter(none), |row| row.get::<_, String>(3)).unwrap();
        lines.map(Result::unwrap).filter(|line| line.contains("SEARCH") || line.contains("SCAN")).collect::<Vec<_>>()
    };
    let range = "record USING INDEX graph_record_checkpoint (thread=? AND scope=? AND position>? AND position<?)";
    let pending = "record USING INDEX graph_record_pending (thread=? AND parent=?)";
    for head in [OWN_HEAD, SCOPE_HEAD, HEAD_AT] {
        let plan = plan(&journal_query(head, BODY));
        for wanted in [range, pending] {
            assert!(plan.iter().any(|line| line.ends_with(wanted)), "{wanted}: {plan:#?}");
        }
        assert!(!plan.iter().any(|line| line.contains("SCAN graph_record")), "{plan:#?}");
    }
}

#[tokio::test]
async fn threads_of_a_program_that_knew_no_scopes_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let database = Sqlite::open(&folder.path().join("graph.db"), qingyu_db::Settings::default()).await.unwrap();
    let before = SqlMigrations { owner: SqliteStore::MIGRATIONS.owner, files: &SqliteStore::MIGRATIONS.files[..1] };
    database.migrate(&before).await.unwrap();
    let old = "INSERT INTO graph_thread(id, epoch, expires_ms, last, head, snapshot) VALUES ('t', 4, 0, 4, 3, 1);
               INSERT INTO graph_record(thread, position, epoch, branch, parent, kind, task, key, body) VALUES
                   (1, 1, 3, 0, 0, 'snapshot', '', '', '{}'), (1, 2, 3, 0, 1, 'step', '', '', '{}'),
                   (1, 3, 4, 0, 1, 'delta', '', '', '{}'), (1, 4, 4, 0, 3, 'question', '', '', '{}');";
    database.write(move |tx| Ok::<_, Error>(tx.execute_batch(old)?)).await.unwrap();
    goes_on(&SqliteStore::open(database).await.unwrap()).await;
}
