//! The examples, run as anybody would run them. `cargo test` builds them before it runs this.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How every example ends.
const LAST_LINES: &[(&str, &str)] = &[
    ("branch_and_loop", "after 3 rounds: it rained and nobody came to ..."),
    ("chain", "1. the lighthouse begins / 2. the lighthouse was something else all along"),
    ("creative_workflow", "  text: Sorry, nothing can be written today."),
    ("durable_steps", r#"["text 1", "text 2", "text 3"]"#),
    ("human_in_the_loop", "approved: Dear reader, who came in from the rain"),
    ("leases", "It rained. It stopped."),
    ("map_reduce", "characters: [15, 38, 4]; the longest chapter is Some(1)"),
    ("reducers", "refused: praise, blame wrote `verdict` in one superstep, and it has no reducer for that"),
    ("streaming", r#"dropped: superstep 0 is stored, next ["write"]"#),
    ("subgraph", r#"write#0 at  1: "dusk: it rained, and nobody came.""#),
    ("time_travel", r#"  1 on branch 0, Input, next ["begin"]: []"#),
];

#[test]
fn every_example_ends_as_it_should() {
    let folder = tempfile::tempdir().unwrap();
    for (name, last) in LAST_LINES {
        // Where an example keeps something, it takes a file's name.
        let output = Command::new(program(name)).arg(folder.path().join(name)).output().unwrap();
        let (told, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{name} fails: {errors}");
        assert_eq!(told.lines().last(), Some(*last), "{name} says:\n{told}");
    }
}

#[test]
fn no_example_is_forgotten() {
    let files = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")).unwrap();
    let names = files.map(|file| file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned());
    let known = LAST_LINES.iter().map(|(name, _)| (*name).to_owned());
    assert_eq!(names.collect::<BTreeSet<_>>(), known.collect());
}

/// Where cargo puts a built example: beside the folder of this program.
fn program(name: &str) -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let built = tests.parent().and_then(Path::parent).unwrap().join("examples");
    let program = built.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(program.exists(), "{name} is not built: cargo build -p qingyu-graph --examples");
    program
}
