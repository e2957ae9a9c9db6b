//! The programs of others at our server, and a server of others at our client. They come from package registries; where
//! these cannot be reached the tests say so and pass.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use qingyu_server::mcp::http::Settings;
use qingyu_studio::StoryFile;
use qingyu_tools::mcp::{McpServer, McpServers, mount};
use qingyu_tools::{Engine, MemoryWorkspace, Permission, ToolCaller, Toolbox, workspace};
use serde_json::json;

use crate::foreign::environment;
use crate::kits::{node, told};
use crate::python::{python, script, skipped};
use crate::rig::story;
use crate::web::Site;

const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");

/// The example that serves a story file. `cargo test` builds it before it runs this.
pub(crate) fn example() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let built = tests.parent().and_then(Path::parent).unwrap().join("examples").join("mcp_stdio");
    assert!(built.exists(), "it is not built: cargo build -p qingyu-server --examples");
    built
}

/// A file with `story()`.
pub(crate) fn story_file(folder: &Path) -> PathBuf {
    let file = folder.join("book.json");
    std::fs::write(&file, serde_json::to_string(&story()).unwrap()).unwrap();
    file
}

#[test]
fn the_python_client_lists_and_calls_everything() {
    let Some(programs) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(programs.join("python"))
        .arg(script("client.py"))
        .args([example(), story_file(folder.path())])
        .output()
        .unwrap();
    let (told, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{told}\n{errors}");
    assert_eq!(told.lines().count(), 3, "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_python_client_begins_and_answers_runs_over_http() {
    let Some(programs) = tokio::task::spawn_blocking(python).await.unwrap() else { return };
    let site = Site::open(Settings::default()).await;
    let mut client = tokio::process::Command::new(programs.join("python"));
    let output = client.arg(script("producer.py")).arg(site.url("/mcp")).output().await.unwrap();
    let (told, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{told}\n{errors}");
    assert_eq!(told.lines().count(), 2, "{told}");
    assert_eq!(site.studio.runs().await.unwrap().len(), 2, "each visit made one run, however often it was asked");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_typescript_client_works_on_projects_over_http() {
    let Some(client) = node("node", "mcp.mjs").await else { return };
    let site = Site::open(Settings::default()).await;
    let mut projects = Vec::new();
    for _ in 0..2 {
        let file = StoryFile { story: story(), unknown: Vec::new() };
        projects.push(site.studio.import(file, None).await.unwrap().project.project);
    }
    let told = told("node".into(), &[&client, &site.url(""), &projects[0]]).await;
    assert_eq!(told.lines().count(), 2, "{told}");
}

#[test]
fn the_inspector_lists_and_calls_everything() {
    // It brings a Node of its own, 200 MB, which is too much for every developer's machine.
    if std::env::var_os("CI").is_none() && std::env::var_os("QINGYU_INSPECTOR").is_none() {
        return skipped("the inspector", "set QINGYU_INSPECTOR=1 to fetch it (200 MB) and try it");
    }
    let folder = tempfile::tempdir().unwrap();
    let tools = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mcp-inspector");
    let output = Command::new(format!("{TESTS}/inspector/run.sh"))
        .args([example(), story_file(folder.path()), tools])
        .output()
        .unwrap();
    if output.status.code() == Some(77) {
        return skipped("the inspector", "npm or the packages cannot be had");
    }
    let (told, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{told}\n{errors}");
}

#[tokio::test]
async fn a_server_of_others_is_mounted_and_called() {
    let Some(programs) = python() else { return };
    let command = programs.join("mcp-server-time").to_str().unwrap().to_owned();
    let server = McpServer {
        command: Some(command),
        args: vec!["--local-timezone".into(), "UTC".into()],
        allow: Some(vec!["convert_time".into()]),
        permission: Permission::Read,
        ..McpServer::default()
    };
    let mut toolbox = Toolbox::new();
    let errors = mount(&McpServers([("time".into(), server)].into()), &environment(), &mut toolbox).await;
    assert_eq!((errors, toolbox.len()), (Vec::new(), 1), "only what is allowed is mounted");
    let engine = Engine::new(toolbox, workspace::only(MemoryWorkspace::new("p-1", story())));
    let caller = ToolCaller::new("plot_agent", Permission::Read);
    let shanghai = json!({"source_timezone": "Asia/Shanghai", "time": "12:00", "target_timezone": "Asia/Tokyo"});
    let answer = engine.call("time__convert_time", shanghai, &caller).await.to_json();
    assert!(answer["result"]["text"].as_str().unwrap().contains("13:00"), "{answer}");
    assert_eq!((&answer["untrusted"], &answer["source"]), (&json!(true), &json!("time")));
    let wrong = engine.call("time__convert_time", json!({"time": "12:00"}), &caller).await.to_json();
    assert_eq!(wrong["error"]["code"], "invalid_arguments", "{wrong}");
    let nowhere = json!({"source_timezone": "Moon/Base", "time": "12:00", "target_timezone": "UTC"});
    let nowhere = engine.call("time__convert_time", nowhere, &caller).await.to_json();
    assert_eq!(nowhere["ok"], false, "{nowhere}");
}

#[tokio::test]
async fn a_server_at_an_address_is_mounted_and_called() {
    let Some(programs) = python() else { return };
    let mut child =
        Command::new(programs.join("python")).arg(script("http_server.py")).stdout(Stdio::piped()).spawn().unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let url = Some(address.trim().to_owned());
    let server = McpServer { url, permission: Permission::Read, timeout: 20, ..McpServer::default() };
    let mut toolbox = Toolbox::new();
    let errors = mount(&McpServers([("weather".into(), server)].into()), &environment(), &mut toolbox).await;
    assert_eq!(errors, Vec::new());
    let engine = Engine::new(toolbox, workspace::only(MemoryWorkspace::new("p-1", story())));
    let caller = ToolCaller::new("plot_agent", Permission::Read);
    let answer = engine.call("weather__forecast", json!({"place": "临安"}), &caller).await.to_json();
    assert_eq!(answer["result"]["text"], "rain in 临安", "{answer}");
    child.kill().unwrap();
    child.wait().unwrap();
    let gone = engine.call("weather__forecast", json!({"place": "临安"}), &caller).await.to_json();
    assert_eq!((&gone["ok"], &gone["source"]), (&json!(false), &json!("weather")), "{gone}");
}
