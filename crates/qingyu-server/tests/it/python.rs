//! The Python in which the official client runs. Tests of the command use this file as well.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file of the folder with what runs in it.
pub(crate) fn script(name: &str) -> String {
    format!(concat!(env!("CARGO_MANIFEST_DIR"), "/../qingyu-server/tests/python/{}"), name)
}

/// Tells people, past the test harness, that something was not tried.
#[expect(clippy::explicit_write, reason = "the harness swallows what is printed by a test that passes")]
pub(crate) fn skipped(what: &str, why: &str) {
    writeln!(std::io::stderr(), "SKIPPED: {what}: {why}").unwrap();
}

/// The programs of the environment with what `requirements.txt` names, made when it is first needed.
pub(crate) fn python() -> Option<PathBuf> {
    let requirements = script("requirements.txt");
    let wanted = std::fs::read_to_string(&requirements).unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mcp-python");
    std::fs::create_dir_all(&folder).unwrap();
    let lock = File::create(folder.join("lock")).unwrap();
    lock.lock().unwrap();
    let programs = folder.join("bin");
    let made = folder.join("made");
    if std::fs::read_to_string(&made).is_ok_and(|made| made == wanted) {
        return Some(programs);
    }
    let run = |program: &Path, arguments: &[&str]| {
        Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
    };
    let is_made = run(Path::new("python3"), &["-m", "venv", folder.to_str().unwrap()])
        && run(&programs.join("pip"), &["install", "--quiet", "--requirement", &requirements]);
    if !is_made {
        skipped("the official Python client", "python3, venv or the packages cannot be had");
        return None;
    }
    std::fs::write(made, wanted).unwrap();
    Some(programs)
}
