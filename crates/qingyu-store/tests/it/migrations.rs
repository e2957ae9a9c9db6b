use rusqlite::Connection;

const EARLIER: &str = concat!(
    include_str!("../../migrations/0001_studio.sql"),
    include_str!("../../migrations/0002_search.sql"),
    "INSERT INTO project(user_id, id, title, premise, language, version, created, updated)
         VALUES ('甲', 'p-1', '', '', 'zh', 1, '', '');
     INSERT INTO story_change VALUES ('甲', 'p-1', 1, 'r', 's', 0, 'person', NULL, NULL, 0, '', '[]');
     INSERT INTO piece VALUES ('甲', 'p-1', 'document', 'd-1', 0, '{\"id\":\"d-1\",\"text\":\"林深\",\"title\":\"一\"}', 1, 1);
     INSERT INTO search_index(user_id, project_id, format, revision) VALUES ('甲', 'p-1', 1, 1);
     INSERT INTO chunk(user_id, project_id, kind, id, part, length, body)
         VALUES ('甲', 'p-1', 'document', 'd-1', 0, 1, '{\"text\":\"林深\",\"fields\":{\"chapter\":[1.0]}}');",
);

/// What an earlier release has kept is there afterwards, and still hangs together.
#[test]
fn columns_take_over_what_there_is() {
    let mut connection = Connection::open_in_memory().unwrap();
    connection.pragma_update(None, "foreign_keys", "ON").unwrap();
    connection.execute_batch(EARLIER).unwrap();
    let transaction = connection.transaction().unwrap();
    transaction.execute_batch(include_str!("../../migrations/0003_search_columns.sql")).unwrap();
    transaction.commit().unwrap();

    let text = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap();
    assert_eq!(text("SELECT body FROM document_head"), r#"{"id":"d-1","title":"一"}"#);
    assert_eq!(text("SELECT body FROM chunk"), r#"{"text":"林深"}"#);
    assert_eq!(text("SELECT fields FROM chunk"), r#"{"chapter":[1.0]}"#);
    assert_eq!(text("SELECT step FROM story_change"), "s");
    let mut broken = connection.prepare("PRAGMA foreign_key_check").unwrap();
    assert!(!broken.exists([]).unwrap());
    let piece = "INSERT INTO piece VALUES ('甲', 'p-1', 'document', 'd-2', 1, '{}', 1, 9)";
    assert!(connection.execute(piece, []).is_err(), "there is no such change");
}
