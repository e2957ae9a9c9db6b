//! `qingyu models`: keys and trials.

use std::io::Write;
use std::process::Stdio;

use crate::home::{CommandOutput, Home};

/// A key that is given on standard input is kept for its owner alone, is shown nowhere, and can be taken away.
#[test]
fn a_key_is_given_shown_nowhere_and_taken_away() {
    let home = Home::new();
    let without = home.run(&["models", "try", "deepseek/usual"]);
    assert_ne!(without.code, Some(0));
    assert!(without.stderr.contains("error[no_key]"), "{}", without.stderr);

    let mut command = home.command(&["models", "key", "deepseek"]);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"sk-canary-81\n").unwrap();
    let given = CommandOutput::of(child.wait_with_output().unwrap()).expect(0);
    let listed = home.run(&["models", "--json"]).expect(0);
    for shown in [&given.stdout, &given.stderr, &listed.stdout] {
        assert!(!shown.contains("canary"), "{shown}");
    }
    let source = |rows: &serde_json::Value| {
        let row = rows.as_array().unwrap().iter().find(|row| row["provider"] == "deepseek").unwrap().clone();
        (row["key_source"].clone(), row["key_present"].clone())
    };
    assert_eq!(source(&listed.json()), ("file".into(), true.into()));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let file = std::fs::metadata(home.path().join("model-keys.toml")).unwrap();
        assert_eq!(file.permissions().mode() & 0o777, 0o600);
    }

    home.run(&["models", "key", "deepseek", "--remove"]).expect(0);
    let rows = home.run(&["models", "--json"]).expect(0).json();
    assert_eq!(source(&rows), (serde_json::Value::Null, false.into()));
}
