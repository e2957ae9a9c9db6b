//! The official Python client against our door, over each binding.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::rig::Rig;

#[tokio::test(flavor = "multi_thread")]
async fn the_official_client_completes_runs_over_every_binding() {
    let Some(python) = tokio::task::spawn_blocking(python).await.unwrap() else { return };
    let rig = Rig::new().await;
    let url = rig.serve().await;
    let ran = tokio::process::Command::new(python).args([&script("client.py"), &url]).output().await.unwrap();
    let (told, failed) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{told}\n{failed}");
    for binding in ["JSONRPC", "HTTP+JSON", "GRPC"] {
        assert!(told.contains(&format!("{binding}: done")), "{told}");
    }
}

fn script(name: &str) -> String {
    format!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/{}"), name)
}

/// The interpreter of an environment with what `requirements.txt` names, made when it is first needed.
fn python() -> Option<PathBuf> {
    let requirements = script("requirements.txt");
    let wanted = std::fs::read_to_string(&requirements).unwrap();
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.local/a2a-python"));
    std::fs::create_dir_all(folder).unwrap();
    File::create(folder.join("lock")).unwrap().lock().unwrap();
    let (interpreter, made) = (folder.join("bin/python"), folder.join("made"));
    if std::fs::read_to_string(&made).is_ok_and(|made| made == wanted) {
        return Some(interpreter);
    }
    let run = |program: &Path, arguments: &[&str]| {
        Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
    };
    let is_made = run(Path::new("python3"), &["-m", "venv", folder.to_str().unwrap()])
        && run(&interpreter, &["-m", "pip", "install", "--quiet", "--requirement", &requirements]);
    if !is_made {
        skipped("the official Python client", "python3, venv or the packages cannot be had");
        return None;
    }
    std::fs::write(made, wanted).unwrap();
    Some(interpreter)
}

/// Tells people, past the test harness, that something was not tried; where it must be tried, that is a failure.
#[expect(clippy::explicit_write, reason = "the harness swallows what is printed by a test that passes")]
fn skipped(what: &str, why: &str) {
    assert!(std::env::var_os("CI").is_none(), "{what}: {why}");
    writeln!(std::io::stderr(), "SKIPPED: {what}: {why}").unwrap();
}
