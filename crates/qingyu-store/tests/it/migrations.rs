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

/// The tool and the run of an earlier change stood in the text of the key.
#[test]
fn tool_and_run_of_earlier_changes_become_columns() {
    let connection = Connection::open_in_memory().unwrap();
    connection.execute_batch(EARLIER).unwrap();
    let earlier = "INSERT INTO story_change VALUES
         ('甲', 'p-1', 2, 'tool outline_tool', 'tool outline_tool/7f/2', 0, 'mcp', NULL, NULL, 0, '', '[]'),
         ('甲', 'p-1', 3, 'r-1', 'tool keep/r-1/chapter/3', 0, 'writer_agent', NULL, NULL, 0, '', '[]'),
         ('甲', 'p-1', 4, 'r-1', 'outline_agent/2', 1, 'outline_agent', NULL, NULL, 9, '', '[]');";
    connection.execute_batch(earlier).unwrap();
    let run = "INSERT INTO run VALUES ('甲', 'p-1', 'r-1', '', '', '', '', 'done', '', NULL, NULL)";
    connection.execute(run, []).unwrap();
    connection.execute_batch(include_str!("../../migrations/0015_provenance.sql")).unwrap();
    let mut select = connection.prepare("SELECT tool, run FROM story_change ORDER BY seq").unwrap();
    let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let rows: Vec<(String, Option<String>)> = rows.collect::<Result<_, _>>().unwrap();
    let run = Some("r-1".to_owned());
    let expected = [("", None), ("outline_tool", None), ("keep", run.clone()), ("", run)];
    assert_eq!(rows, expected.map(|(tool, run)| (tool.to_owned(), run)));
}

/// Covers of an earlier release are in the table of all pictures.
#[test]
fn covers_become_pictures() {
    let connection = Connection::open_in_memory().unwrap();
    connection.execute_batch(EARLIER).unwrap();
    connection.execute_batch(include_str!("../../migrations/0014_project_status.sql")).unwrap();
    connection.execute("INSERT INTO project_cover VALUES ('甲', 'p-1', 'image/png', x'8950')", []).unwrap();
    connection.execute_batch(include_str!("../../migrations/0018_pictures.sql")).unwrap();
    let sql = "SELECT card, media_type, picture, alt, digest FROM project_picture WHERE user_id = '甲' AND project_id = 'p-1'";
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?));
    let row: (String, String, Vec<u8>, String, String) = connection.query_row(sql, [], read).unwrap();
    assert_eq!(row, (String::new(), "image/png".into(), vec![0x89, 0x50], String::new(), String::new()));
    assert!(connection.prepare("SELECT 1 FROM project_cover").is_err());
}
