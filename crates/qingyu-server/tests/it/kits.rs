//! Chat kits, chat completions and LangGraph clients: the programs of others at our server. They come from package
//! registries; where these cannot be reached the tests say so, and fail where everything must be tried.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use axum::{Extension, Router};
use qingyu_server::{agui, langgraph, openai};
use qingyu_studio::{CreateRequest, StoryFile, Studio};
use reqwest::StatusCode;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;

use crate::python::{script, skipped};
use crate::rig::story;
use crate::web::{post, settings, web};

/// A server with these doors, over a studio in a folder of its own.
struct Site {
    studio: Studio,
    url: String,
    _home: TempDir,
}

impl Site {
    async fn open() -> Self {
        let home = tempfile::tempdir().unwrap();
        let studio = Studio::open(settings(home.path())).await.unwrap();
        let doors: Router = agui::router().merge(openai::router()).merge(langgraph::router());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = doors.layer(Extension(studio.clone()));
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { studio, url, _home: home }
    }

    /// A project with a short book.
    async fn project(&self) -> String {
        let file = StoryFile { story: story(), unknown: Vec::new() };
        self.studio.import(file, None).await.unwrap().project.project
    }

    async fn post(&self, path: &str, body: &Value) -> (StatusCode, String) {
        let answer = post(&format!("{}{path}", self.url)).body(body.to_string()).send().await.unwrap();
        (answer.status(), answer.text().await.unwrap())
    }
}

/// A folder of the packages' own, made once for what `wanted` says.
fn made(name: &str, wanted: &str, make: impl FnOnce(&Path) -> bool) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let lock = File::create(folder.join("lock")).unwrap();
    lock.lock().unwrap();
    let mark = folder.join("made");
    if std::fs::read_to_string(&mark).is_ok_and(|made| made == wanted) {
        return Some(folder);
    }
    if !make(&folder) {
        assert!(std::env::var_os("CI").is_none(), "the packages of {name} cannot be had");
        skipped(name, "the packages cannot be had");
        return None;
    }
    std::fs::write(mark, wanted).unwrap();
    Some(folder)
}

fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// The programs of the Python environment.
async fn python() -> Option<PathBuf> {
    let make = || {
        let requirements = script("kits.txt");
        let wanted = std::fs::read_to_string(&requirements).unwrap();
        made("kits-python", &wanted, |folder| {
            succeeds(Command::new("python3").args(["-m", "venv"]).arg(folder))
                && succeeds(Command::new(folder.join("bin/pip")).args(["install", "--quiet", "-r", &requirements]))
        })
    };
    tokio::task::spawn_blocking(make).await.unwrap().map(|folder| folder.join("bin"))
}

/// The path of a script, beside the packages that the `package.json` of its folder names.
pub(crate) async fn node(folder: &'static str, script: &'static str) -> Option<String> {
    let make = move || {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
        let wanted = std::fs::read_to_string(sources.join("package.json")).unwrap();
        let made = made(&format!("kits-{folder}"), &wanted, |made| {
            std::fs::write(made.join("package.json"), &wanted).unwrap();
            succeeds(Command::new("npm").args(["install", "--no-audit", "--no-fund"]).current_dir(made))
        })?;
        let client = made.join(script);
        std::fs::copy(sources.join(script), &client).unwrap();
        Some(client.to_str().unwrap().to_owned())
    };
    tokio::task::spawn_blocking(make).await.unwrap()
}

/// What a program says; it must end well.
pub(crate) async fn told(program: PathBuf, arguments: &[&str]) -> String {
    let output = tokio::process::Command::new(program).args(arguments).output().await.unwrap();
    let (told, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{told}\n{errors}");
    told.into_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_client_of_chat_completions_asks_agents() {
    let Some(programs) = python().await else { return };
    let site = Site::open().await;
    let project = site.project().await;
    let told = told(programs.join("python"), &[&script("openai_client.py"), &site.url, &project]).await;
    assert_eq!(told.lines().count(), 4, "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_langgraph_client_runs_asks_and_answers() {
    let Some(programs) = python().await else { return };
    let site = Site::open().await;
    let told = told(programs.join("python"), &[&script("langgraph_client.py"), &site.url]).await;
    assert_eq!(told.lines().count(), 6, "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_chat_kit_client_makes_a_story_and_answers() {
    let Some(client) = node("agui", "client.mjs").await else { return };
    let site = Site::open().await;
    let told = told("node".into(), &[&client, &site.url]).await;
    assert_eq!(told.lines().count(), 3, "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_client_of_chat_completions_in_javascript_asks() {
    let Some(client) = node("node", "openai.mjs").await else { return };
    let site = Site::open().await;
    let project = site.project().await;
    let told = told("node".into(), &[&client, &site.url, &project]).await;
    assert_eq!(told.lines().count(), 3, "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_langgraph_client_in_javascript_runs_asks_and_answers() {
    let Some(client) = node("node", "langgraph.mjs").await else { return };
    let site = Site::open().await;
    let told = told("node".into(), &[&client, &site.url]).await;
    assert_eq!(told.lines().count(), 5, "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_of_chat_kits_are_valid() {
    let Some(programs) = python().await else { return };
    let site = Site::open().await;
    let validate = programs.join("ag-ui-validate");
    told(validate.clone(), &["--no-color", &format!("{}/agui", site.url)]).await;
    let folder = tempfile::tempdir().unwrap();
    for (kind, words) in [("create", "一个灯塔看守人"), ("produce", "一门讲灯塔的课")] {
        let input = json!({"threadId": "t", "runId": kind, "state": {}, "tools": [], "context": [],
            "messages": [{"id": "1", "role": "user", "content": words}],
            "forwardedProps": {"qingyu": {"kind": kind}}});
        let (status, recording) = site.post("/agui", &input).await;
        assert_eq!(status, StatusCode::OK, "{recording}");
        let file = folder.path().join(format!("{kind}.sse"));
        std::fs::write(&file, recording).unwrap();
        told(validate.clone(), &["--no-color", file.to_str().unwrap()]).await;
    }
}

#[tokio::test]
async fn what_cannot_be_is_refused_in_the_words_of_each_door() {
    let site = Site::open().await;
    let run = site.studio.create(CreateRequest::new("灯塔")).await.unwrap();
    let id = run.run().to_owned();
    run.finish().await;
    let input = |more: &Value| {
        let mut input = json!({"threadId": "t", "runId": "c"});
        input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        input
    };
    let asked = json!([{"role": "user", "content": "?"}]);
    let resume = json!([{"interruptId": id, "status": "resolved", "payload": "写"}]);
    for (path, body, status, place, expected) in [
        ("/agui", json!({}), 422, "/code", "bad_request"),
        ("/agui", input(&json!({})), 422, "/code", "requirement_empty"),
        ("/agui", input(&json!({"forwardedProps": {"qingyu": {"kind": "dance"}}})), 422, "/code", "unknown_kind"),
        ("/agui", input(&json!({"resume": resume})), 409, "/code", "not_waiting"),
        ("/agui/projects/none", input(&json!({})), 404, "/code", "unknown_project"),
        ("/v1/chat/completions", json!({"model": "x", "messages": asked}), 404, "/error/code", "model_not_found"),
        ("/v1/chat/completions", json!({"model": "qingyu", "messages": asked, "n": 2}), 400, "/error/param", "n"),
        ("/v1/chat/completions", json!({}), 400, "/error/type", "invalid_request_error"),
        (
            "/langgraph/runs/wait",
            json!({"assistant_id": "create", "input": {"messages": []}}),
            422,
            "/detail",
            "requirement_empty: ",
        ),
        (
            "/langgraph/runs/stream",
            json!({"assistant_id": "create", "stream_mode": "tools"}),
            422,
            "/detail",
            "bad_request: `stream_mode`: `tools`",
        ),
    ] {
        let (found, answer) = site.post(path, &body).await;
        assert_eq!(found.as_u16(), status, "{path}: {answer}");
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let told = answer.pointer(place).and_then(Value::as_str).unwrap_or_default();
        assert!(told.starts_with(expected), "{path}: {answer}");
    }
    let models = web().get(format!("{}/v1/models", site.url)).send().await.unwrap().text().await.unwrap();
    assert!(models.contains("\"qingyu-review@"), "{models}");
}
