use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::home::{CommandOutput, EN, Home, OFFLINE, ZH};

/// Starts `create --events` and reads lines until `enough` says so.
fn start(home: &Home, arguments: &[&str], mut enough: impl FnMut(&Value) -> bool) -> Child {
    let arguments = [&["create", ZH, "--events"], arguments].concat();
    let mut child = home.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while lines.read_line(&mut line).unwrap() > 0 && !enough(&serde_json::from_str(&line).unwrap()) {
        line.clear();
    }
    child
}

#[test]
fn a_killed_run_ends_as_if_it_had_not_been() {
    let undisturbed = Home::new().create(ZH, &["--json"]).expect_worked();
    let expected = undisturbed.json();
    for after in ["run_started", "planned", "agent_started", "agent_finished", "reviewed"] {
        let home = Home::new();
        let mut child = start(&home, &OFFLINE, |event| event["kind"] == after);
        child.kill().unwrap();
        child.wait().unwrap();
        let runs = home.run(&["runs", "--json"]).expect(0).json();
        let run = runs[0]["run"].as_str().unwrap_or_else(|| panic!("after {after}: {runs}")).to_owned();
        if runs[0]["status"] == "done" {
            continue;
        }
        let ended = home.run(&["resume", &run, "--json"]);
        assert_eq!(ended.code, undisturbed.code, "after {after}: {ended:?}");
        let document = ended.json();
        for key in ["outline_nodes", "characters", "timeline_events", "plot_nodes", "quality_score"] {
            assert_eq!(document[key], expected[key], "after {after}: {key}");
        }
        // The request that was under way when the process died is booked, and made again.
        let calls = |document: &Value| document["usage"]["calls"].as_u64().unwrap();
        assert!((calls(&expected)..=calls(&expected) + 1).contains(&calls(&document)), "after {after}: {document}");
        assert_eq!(document["usage"]["by_agent"], expected["usage"]["by_agent"], "after {after}");
    }
}

#[test]
fn a_reader_that_goes_away_does_not_stop_the_work() {
    let home = Home::new();
    let mut child = home
        .command(&[&["create", EN], &OFFLINE[..]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let ended = CommandOutput::of(child.wait_with_output().unwrap()).expect_worked();
    assert!(!ended.stderr.contains("error["), "{ended:?}");
    assert!(matches!(home.run(&["runs", "--json"]).json()[0]["status"].as_str(), Some("done" | "waiting")));
}

/// A model server that takes requests and never answers.
struct Silence(std::net::SocketAddr);

impl Silence {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || listener.incoming().collect::<Vec<_>>());
        Self(address)
    }

    fn settings(&self) -> String {
        format!("[providers.silence]\nbase_url = \"http://{}/v1\"\n", self.0)
    }
}

#[cfg(unix)]
fn signal(child: &Child, name: &str) {
    let status = std::process::Command::new("kill").arg(name).arg(child.id().to_string()).status().unwrap();
    assert!(status.success());
}

#[cfg(unix)]
#[test]
fn a_stopped_run_says_how_to_go_on() {
    for name in ["-INT", "-TERM"] {
        let home = Home::new();
        home.file("config.toml", Silence::start().settings().as_bytes());
        let arguments = ["create", EN, "--model", "silence/nothing"];
        let mut child = home.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut progress = BufReader::new(child.stderr.take().unwrap());
        let mut first = String::new();
        progress.read_line(&mut first).unwrap();
        signal(&child, name);
        let ended = CommandOutput::of(child.wait_with_output().unwrap()).expect(130);
        let runs = home.run(&["runs", "--json"]).json();
        assert_eq!(runs[0]["status"], "interrupted");
        let command = format!("qingyu resume {}", runs[0]["run"].as_str().unwrap());
        assert!(ended.stdout.contains(&command), "{command}: {ended:?}");
    }
}

#[cfg(unix)]
#[test]
fn without_a_terminal_nobody_is_asked() {
    let home = Home::new();
    let impossible = ["--set", "pipeline.thresholds.complete=101", "--max-iterations", "0"];
    let ended = home.create(EN, &impossible).expect(3);
    let run = home.run(&["runs", "--json"]).json()[0]["run"].as_str().unwrap().to_owned();
    for answer in ["--approve", "--reject", "--edit"] {
        assert!(ended.stdout.contains(&format!("qingyu resume {run} {answer}")), "{}", ended.stdout);
    }
    assert_eq!(home.run(&["resume", &run, "--yes"]).code, Some(3), "without an answer it asks again");
    let material = home.file("material.json", br#"{"characters": [{"name": "Mara Quill"}]}"#);
    let edited = home.run(&["resume", &run, "--edit", material.to_str().unwrap(), "--json"]).expect_worked();
    assert_eq!(edited.json()["characters"][0]["name"], "Mara Quill");
    if edited.code == Some(3) {
        let approved = home.run(&["resume", &run, "--approve", "--json"]).expect(0).json();
        assert_eq!((&approved["status"], &approved["resume"]), (&Value::from("done"), &Value::Null));
    }
}
