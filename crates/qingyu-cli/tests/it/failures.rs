use std::io::Write;
use std::process::Stdio;

use crate::home::{CommandOutput, Home, OFFLINE, ZH};

/// With `--json` a failure is a document; without, words on standard error.
#[track_caller]
fn check(home: &Home, arguments: &[&str], exit: i32, code: &str) {
    let words = home.run(arguments).expect(exit);
    assert_eq!(words.stdout, "", "{arguments:?}");
    assert!(words.stderr.starts_with(&format!("error[{code}]: ")), "{arguments:?}: {}", words.stderr);
    let document = home.run(&[arguments, &["--json"]].concat()).expect(exit);
    let error = &document.json()["error"];
    assert_eq!(error["code"], code, "{arguments:?}: {error}");
    assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{error}");
    assert_eq!(document.stderr, "", "{arguments:?}");
}

#[test]
fn each_failure_has_its_code_and_exit() {
    let home = Home::new();
    let material = home.file("material.json", b"{");
    let binary = home.file("binary", &[0xff, 0xfe, 0x00]);
    let (material, binary) = (material.to_str().unwrap(), format!("@{}", binary.to_str().unwrap()));
    let cases: [(&[&str], i32, &str); 18] = [
        (&["create", ""], 2, "requirement_empty"),
        (&["create", "   "], 2, "requirement_empty"),
        (&["create", "-"], 2, "requirement_empty"),
        (&["create", "a\u{7}b"], 2, "requirement_control"),
        (&["create", "@/no/such/file"], 1, "unreadable"),
        (&["create", &binary], 2, "not_text"),
        (&["create", ZH, "--model", "nobody/nothing"], 1, "unknown_model"),
        (&["create", ZH, "--model", "deepseek/deepseek-flash"], 1, "no_key"),
        (&["create", ZH, "--set", "pipeline"], 2, "bad_setting"),
        (&["create", ZH, "--set", "pipeline.no_such=1"], 1, "bad_settings"),
        (&["show", "nothing"], 1, "unknown_project"),
        (&["resume", "nothing"], 1, "unknown_run"),
        (&["resume", "nothing", "--edit", material], 1, "bad_material"),
        (&["rules", "QY000"], 2, "unknown_rule"),
        (&["graph", "nothing"], 1, "unknown_project"),
        (&["graph", "pipeline", "--output", "/no/such/folder/graph.svg"], 1, "unwritable"),
        (&["graph", "pipeline", "--format", "png"], 2, "picture_format"),
        (&["graph", "nothing", "--format", "svg", "--output", "graph.PNG"], 2, "picture_format"),
    ];
    for (arguments, exit, code) in cases {
        check(&home, arguments, exit, code);
    }
    assert_eq!(home.run(&["runs", "--json"]).json(), serde_json::json!([]), "a refused request leaves no run");
}

#[test]
fn wrong_arguments_are_usage() {
    let home = Home::new();
    let cases: [&[&str]; 9] = [
        &["creat", ZH],
        &["create"],
        &["create", ZH, "--lang", "fr"],
        &["create", ZH, "--nope"],
        &["create", ZH, "--max-iterations", "many"],
        &["show", "a", "nothing"],
        &["graph", "pipeline", "--format", "gif"],
        &["graph", "--output", "graph.svg"],
        &["resume", "a", "--approve", "--reject", "b"],
    ];
    for arguments in cases {
        check(&home, arguments, 2, "usage");
    }
    assert_eq!(home.run(&[]).code, Some(2));
}

#[test]
fn two_megabytes_are_refused_with_their_size() {
    let home = Home::new();
    let paste = "雨".repeat(700_000);
    let mut child =
        home.command(&["create", "-", "--ui-lang", "en"]).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(paste.as_bytes()).unwrap();
    let ended = CommandOutput::of(child.wait_with_output().unwrap()).expect(2);
    assert!(ended.stderr.starts_with("error[requirement_too_long]: "), "{ended:?}");
    assert!(ended.stderr.contains("2.1 MB"), "{ended:?}");
    let file = home.file("paste.txt", paste.as_bytes());
    check(&home, &["create", &format!("@{}", file.display())], 2, "requirement_too_long");
}

#[test]
fn a_home_that_cannot_be_written_is_said_so() {
    let home = Home::new();
    let file = home.file("file", b"");
    let ended = home.run(&[&["create", ZH, "--home", file.join("inside").to_str().unwrap()], &OFFLINE[..]].concat());
    let ended = ended.expect(1);
    assert!(ended.stderr.contains("error[read_only]"), "{ended:?}");
    assert!(ended.stderr.contains("file"), "the path is named: {ended:?}");
}

#[test]
fn a_broken_settings_file_is_named_with_its_line() {
    let home = Home::new();
    home.file("config.toml", b"[models]\ndefault = \n");
    let ended = home.run(&["runs", "--ui-lang", "en"]).expect(1);
    assert!(ended.stderr.contains("config.toml") && ended.stderr.contains('2'), "{ended:?}");
    home.run(&["config", "path"]).expect(0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_a_failure_and_a_closed_one_is_not() {
    let home = Home::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = home.command(&["runs"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error[output]"));
    let mut child = home.command(&["rules"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let ended = CommandOutput::of(child.wait_with_output().unwrap()).expect(0);
    assert_eq!(ended.stderr, "");
}
