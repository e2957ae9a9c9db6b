//! The Python in which a test's clients run, of the crate whose tests it is in: another crate uses this file as well.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file of the folder with what runs in it.
pub(crate) fn script(name: &str) -> String {
    format!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/{}"), name)
}

/// The interpreter of the environment `name` with what `requirements.txt` names, made when it is first needed. None, and `what`
/// is skipped, where it cannot be had.
pub(crate) fn python(name: &str, what: &str) -> Option<PathBuf> {
    let requirements = script("requirements.txt");
    let wanted = std::fs::read_to_string(&requirements).unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.local").join(name);
    std::fs::create_dir_all(&folder).unwrap();
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
        skipped(what, "python3, venv or the packages cannot be had");
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
