//! The same commands with a server between: what a person sees, and what is told if there is none.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::home::{CommandOutput, EN, Home, OFFLINE};

/// A server of a folder of its own, and a folder of who asks it.
struct Server {
    home: Home,
    asking: Home,
    child: Child,
    url: String,
}

impl Server {
    fn new() -> Self {
        let home = Home::new();
        let (child, url) = serve(&home, "0");
        Self { home, asking: Home::new(), child, url }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.asking.command(arguments);
        command.env("QINGYU_SERVER", &self.url);
        command
    }

    fn run(&self, arguments: &[&str]) -> CommandOutput {
        CommandOutput::of(self.command(arguments).output().unwrap())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

#[expect(clippy::zombie_processes, reason = "who asks for it waits for it")]
fn serve(home: &Home, port: &str) -> (Child, String) {
    let mut command = home.command(&["serve", "--port", port, "--json"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    // One document, over as many lines as it takes.
    let mut told = String::new();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    loop {
        told.push_str(&lines.next().expect("the server says where it is").unwrap());
        if let Ok(told) = serde_json::from_str::<Value>(&told) {
            return (child, told["url"].as_str().unwrap().to_owned());
        }
    }
}

#[test]
fn a_book_is_made_and_looked_at_on_a_server() {
    let server = Server::new();
    let made = server.run(&[&["create", EN, "--json", "--yes"], &OFFLINE[..]].concat()).expect_worked().json();
    let project = made["project"].as_str().unwrap();
    for arguments in [
        &["projects"][..],
        &["runs"],
        &["runs", "history", project],
        &["runs", "state", project, "--at", "1"],
        &["runs", "state", project, "--prompt", "outline_agent"],
        &["models"],
        &["show", project],
        &["show", project, "characters"],
        &["check", project],
        &["log", project],
        &["search", project, "gardener"],
        &["stats", project],
        &["cost", project],
        &["graph", project],
        &["graph", project, "--format", "svg"],
        &["export-story", project],
        &["rules"],
        &["memory", "list"],
        &["models", "--prices"],
        &["tools"],
        &["tools", "character_tool"],
        &["tool", project, "character_tool", r#"{"action": "list"}"#],
        &["index", project],
    ] {
        for form in [&["--json"][..], &[]] {
            let there = server.run(&[arguments, form].concat());
            let here = server.home.run(&[arguments, form].concat());
            assert_eq!((there.code, &there.stdout), (here.code, &here.stdout), "{arguments:?} {}", there.stderr);
            assert!(!here.stdout.is_empty(), "{arguments:?}");
        }
    }
    assert!(!server.asking.path().join("qingyu.db").exists(), "nothing is kept where it is asked from");
}

#[test]
fn a_run_is_edited_and_forked_on_a_server() {
    let server = Server::new();
    let made = server.run(&[&["create", EN, "--json", "--yes"], &OFFLINE[..]].concat()).expect_worked().json();
    let run = made["run"].as_str().unwrap();
    let edited = server.run(&["runs", "edit", run, "--at", "1", "--set", "preferences=[\"rain\"]", "--json"]).expect(0);
    assert_eq!(edited.json()["is_fork"], true);
    let fork = ["runs", "fork", run, "--at", "1", "--resume", "--yes", "--json"];
    let forked = server.run(&fork).expect_worked().json();
    assert_ne!(forked["run"], made["run"]);
    for key in ["outline_nodes", "characters", "quality_score"] {
        assert_eq!(forked[key], made[key], "{key}");
    }
    let refused = server.run(&["runs", "edit", run, "--set", "dragon=1"]).expect(2).stderr;
    assert!(refused.contains("error[unknown_field]") && refused.contains("characters"), "{refused}");
    let stopped = server.run(&[&["create", EN, "--json", "--stop-after", "planner_agent"], &OFFLINE[..]].concat());
    assert_eq!(stopped.expect(3).json()["breakpoint"]["after"], serde_json::json!(["planner_agent"]));
}

#[test]
fn books_and_content_are_taken_home_from_a_server() {
    let server = Server::new();
    let manuscript = server.asking.path().join("letters.txt");
    std::fs::write(&manuscript, "第一章 来信\n\n林青推开灯塔的门。\n\n第二章 雾\n\n海上起了雾。\n").unwrap();
    let brought = server.run(&["import", manuscript.to_str().unwrap(), "--json"]).expect(0).json();
    let project = brought["project"]["project"].as_str().unwrap();
    let taken = |home: &Home, ended: CommandOutput, name: &str| {
        ended.expect(0);
        std::fs::read(home.path().join(name)).unwrap()
    };
    for (name, more) in [("book.epub", &[][..]), ("book.docx", &[]), ("book.md", &["--chapters", "2-"])] {
        let (there, here) = (server.asking.path().join(name), server.home.path().join(name));
        let arguments = |path: &str| [&["export", project, "--output", path], more].concat().join("\n");
        let (asked, own) = (arguments(there.to_str().unwrap()), arguments(here.to_str().unwrap()));
        let asked = taken(&server.asking, server.run(&asked.split('\n').collect::<Vec<_>>()), name);
        let own = taken(&server.home, server.home.run(&own.split('\n').collect::<Vec<_>>()), name);
        assert_eq!(asked, own, "{name}");
    }
    let again = server.run(&["export", project, "--output", server.asking.path().join("book.md").to_str().unwrap()]);
    assert!(!again.expect(1).stderr.is_empty(), "nothing is written over");
    let story = server.asking.path().join("story.json");
    std::fs::write(&story, server.run(&["export-story", project]).expect(0).stdout).unwrap();
    let (there, here) =
        (server.run(&["check", story.to_str().unwrap()]), server.home.run(&["check", story.to_str().unwrap()]));
    assert_eq!((there.code, there.stdout), (here.code, here.stdout));

    let new = ["produce", "new", "A course on growing plants on a ship", "--autonomy", "all=auto", "--json"];
    let course = server.run(&[&new[..], &["--model", "offline-rules-1"]].concat()).expect_worked().json();
    let project = course["project"].as_str().unwrap();
    let path = server.asking.path().join("course.md");
    let taken = server
        .run(&[
            "produce",
            "export",
            project,
            "produce_inner/lessons",
            "--draft",
            "--output",
            path.to_str().unwrap(),
            "--json",
        ])
        .expect(0)
        .json();
    assert_eq!(taken["files"][0], path.to_str().unwrap(), "{taken}");
    assert!(std::fs::metadata(&path).unwrap().len() > 0);
}

#[test]
fn a_run_that_waits_is_answered_on_a_server() {
    let server = Server::new();
    let new = ["produce", "new", "A course on growing plants on a ship", "--json", "--model", "offline-rules-1"];
    let waiting = server.run(&new).expect(3).json();
    let project = waiting["project"].as_str().unwrap();
    let events = |ended: &CommandOutput| -> Vec<u64> {
        let lines = ended.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        lines.filter_map(|event| event["seq"].as_u64()).collect()
    };
    let said = server.run(&["produce", "chat", project, "--say", "For beginners", "--events"]);
    let told = events(&said);
    assert!(!told.is_empty() && told[0] > 1, "only what is new is told: {said:?}");
    let there = server.run(&["produce", "fields", project, "--json"]).expect(0).stdout;
    assert_eq!(there, server.home.run(&["produce", "fields", project, "--json"]).expect(0).stdout);
}

#[test]
fn failures_are_worded_as_here() {
    let server = Server::new();
    for arguments in [&["show", "p-none"][..], &["check", "p-none"], &["create", " "], &["rules", "QY-none"]] {
        for language in ["zh", "en"] {
            let arguments = [arguments, &["--ui-lang", language]].concat();
            let (there, here) = (server.run(&arguments), server.home.run(&arguments));
            assert_eq!((there.code, &there.stderr), (here.code, &here.stderr), "{arguments:?}");
        }
    }
    for command in [&["doctor"][..], &["serve"], &["users", "list"], &["keys", "list"], &["config", "path"]] {
        let refused = server.run(&[command, &["--json"]].concat()).expect(2).json();
        assert_eq!(refused["error"]["code"], "only_here", "{command:?}");
    }
}

#[test]
fn no_server_a_wrong_address_and_a_wrong_key_are_told() {
    let server = Server::new();
    let home = Home::new();
    let code = |arguments: &[&str]| {
        home.run(&[arguments, &["--json"]].concat()).expect(1).json()["error"]["code"].as_str().unwrap().to_owned()
    };
    assert_eq!(code(&["projects", "--server", "http://127.0.0.1:1"]), "server_unreachable");
    assert_eq!(code(&["projects", "--server", "books.example.org"]), "bad_server");
    let told = home.run(&["projects", "--server", "http://127.0.0.1:1", "--ui-lang", "zh"]).expect(1).stderr;
    assert!(told.contains("无法连接服务器 http://127.0.0.1:1"), "{told}");
    let key = home.file("key", b"qy_wrong-and-secret\n");
    let arguments = ["projects", "--server", &server.url, "--server-key-file", key.to_str().unwrap()];
    let refused = home.run(&arguments).expect(1);
    assert!(refused.stderr.contains("error[unauthorized]"), "{refused:?}");
    assert!(!refused.stderr.contains("qy_wrong-and-secret"), "{refused:?}");
}

#[test]
fn tools_and_tasks_work_on_the_story_of_another_studio() {
    let server = Server::new();
    let import = |home: &Home, story: &str| {
        let file = home.file("story.json", story.as_bytes());
        let imported = home.run(&["import-story", file.to_str().unwrap(), "--json"]).expect(0).json();
        imported["project"]["project"].as_str().unwrap().to_owned()
    };
    let there = import(&server.home, r#"{"language": "zh", "characters": [{"name": "林青", "background": "更夫"}]}"#);
    let here = import(&server.asking, r#"{"language": "zh", "characters": [{"name": "阿九"}]}"#);
    let folder = server.asking.path().join("projects");
    std::fs::create_dir_all(&folder).unwrap();
    let settings = format!("[workspace]\nurl = \"{}\"\nproject = \"{there}\"\n", server.url);
    std::fs::write(folder.join(format!("{here}.toml")), settings).unwrap();
    let list = ["tool", &here, "character_tool", r#"{"action": "list"}"#, "--json"];
    let listed = server.asking.run(&list).expect(0).stdout;
    assert!(listed.contains("林青") && !listed.contains("阿九"), "{listed}");
    let task = [&["task", &here, "检查人物设定", "--agent", "checker", "--json"], &OFFLINE[..]].concat();
    let done = server.asking.run(&task).expect_worked();
    assert!(!done.stdout.contains("阿九"), "{done:?}");
    let refused = server.asking.run(&[&["write", &here, "--chapters", "1", "--json"], &OFFLINE[..]].concat());
    assert!(refused.stdout.contains("workspace.url"), "{refused:?}");
}
