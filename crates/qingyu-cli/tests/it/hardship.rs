//! The binary where the system gives less than it asks for: files that may not grow, few descriptors, little time to go.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::home::{CommandOutput, EN, Home, OFFLINE};

/// The binary under a limit of the shell. A file that may not grow is an error of the write, as a broken disk is one, and not a signal.
fn limited(home: &Home, limit: &str, arguments: &[&str]) -> Command {
    let direct = home.command(arguments);
    let mut command = Command::new("/bin/sh");
    command.args(["-c", &format!("trap '' XFSZ; {limit}; exec \"$0\" \"$@\"")]);
    command.arg(direct.get_program()).args(direct.get_args()).env_clear().stdin(Stdio::null());
    command.envs(direct.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command
}

#[test]
fn a_run_whose_files_may_not_grow_fails_with_its_reason_and_goes_on_when_they_may() {
    let undisturbed = Home::new().create(EN, &["--json"]).expect_worked().json();
    let mut stopped = 0;
    // In blocks of 512 bytes: from a database that cannot be made to one that the whole run nearly fits in.
    for blocks in [8, 300, 1_200, 1_600, 2_000, 2_400] {
        let home = Home::new();
        let arguments = [&["create", EN, "--json"], &OFFLINE[..]].concat();
        let ended = CommandOutput::of(limited(&home, &format!("ulimit -f {blocks}"), &arguments).output().unwrap());
        assert!(!ended.stderr.contains("panicked"), "{blocks} blocks: {ended:?}");
        if matches!(ended.code, Some(0 | 3)) {
            continue;
        }
        stopped += 1;
        assert_eq!(ended.code, Some(1), "{blocks} blocks: {ended:?}");
        let told = format!("{}{}", ended.stdout, ended.stderr);
        let is_told = ["storage", "disk_full", "read_only", "corrupt"].iter().any(|code| told.contains(code));
        assert!(is_told, "{blocks} blocks: {told}");
        // Without the limit the same folder is sound, and the run goes on where it stood.
        let runs = home.run(&["runs", "--json"]).expect(0).json();
        let Some(run) = runs[0]["run"].as_str() else { continue };
        let resumed = home.run(&["resume", run, "--json"]).expect_worked().json();
        for key in ["outline_nodes", "characters", "timeline_events", "plot_nodes", "quality_score"] {
            assert_eq!(resumed[key], undisturbed[key], "{blocks} blocks: {key}");
        }
    }
    assert!(stopped > 1, "the limits were too wide");
}

/// A server that is told to go when it is dropped, and where it is.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(home: &Home, limit: &str) -> Self {
        let mut command = limited(home, limit, &["serve", "--port", "0", "--json"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut told = String::new();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = loop {
            told.push_str(&lines.next().expect("the server says where it is").unwrap());
            if let Ok(told) = serde_json::from_str::<Value>(&told) {
                break told["url"].as_str().unwrap().strip_prefix("http://").unwrap().to_owned();
            }
        };
        Self { child, address }
    }

    fn connect(&self) -> Option<TcpStream> {
        let stream = TcpStream::connect(&self.address).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        Some(stream)
    }

    /// What a request is answered with; nothing if the connection is not served.
    fn ask(&self, path: &str) -> Option<String> {
        let mut stream = self.connect()?;
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        Some(answer).filter(|answer| !answer.is_empty())
    }

    fn terminate(&self) {
        let told = Command::new("kill").arg("-TERM").arg(self.child.id().to_string()).status().unwrap();
        assert!(told.success());
    }

    /// Its exit code, and how long it took from now on.
    fn ended(&mut self) -> (Option<i32>, Duration) {
        let since = Instant::now();
        while since.elapsed() < Duration::from_secs(60) {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status.code(), since.elapsed());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("it does not end");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

#[test]
fn a_server_without_descriptors_turns_connections_away_and_serves_again() {
    let home = Home::new();
    let mut server = Server::start(&home, "ulimit -n 64");
    assert!(server.ask("/readyz").unwrap().starts_with("HTTP/1.1 200"));
    // Each is a descriptor of the server's, or waits for one.
    let crowd: Vec<_> = (0..120).filter_map(|_| server.connect()).collect();
    assert!(crowd.len() > 60, "{}", crowd.len());
    std::thread::sleep(Duration::from_millis(500));
    assert!(server.child.try_wait().unwrap().is_none(), "it lives");
    drop(crowd);
    let since = Instant::now();
    loop {
        if server.ask("/readyz").is_some_and(|answer| answer.starts_with("HTTP/1.1 200")) {
            break;
        }
        assert!(since.elapsed() < Duration::from_secs(20), "it does not serve again");
        std::thread::sleep(Duration::from_millis(50));
    }
    server.terminate();
    assert_eq!(server.ended().0, Some(0));
}

/// A request that never comes to its end.
fn half(server: &Server) -> TcpStream {
    let mut stream = server.connect().unwrap();
    let head = format!(
        "POST /api/v1/runs HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{",
        server.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

#[test]
fn the_first_signal_lets_things_end_and_the_second_does_not() {
    let home = Home::new();
    let mut idle = Server::start(&home, "true");
    idle.terminate();
    let (code, took) = idle.ended();
    assert_eq!(code, Some(0));
    assert!(took < Duration::from_secs(3), "with nothing to do it took {took:?}");

    let mut server = Server::start(&home, "true");
    let _asking = half(&server);
    std::thread::sleep(Duration::from_millis(300));
    server.terminate();
    std::thread::sleep(Duration::from_millis(700));
    assert!(server.child.try_wait().unwrap().is_none(), "it waits for who is asking still");
    server.terminate();
    let (code, took) = server.ended();
    assert_eq!(code, Some(130));
    assert!(took < Duration::from_secs(1), "after the second signal it took {took:?}");
}
