//! A story through `qingyu mcp` alone, by the official Python client; where that cannot be had the test says so and passes.

use std::process::Command;

use crate::home::Home;
use crate::python::{python, script};

#[test]
fn a_story_is_built_asked_checked_and_mended_by_a_client_alone() {
    let Some(programs) = python() else { return };
    let home = Home::new();
    let output = Command::new(programs.join("python"))
        .arg(script("author.py"))
        .arg(env!("CARGO_BIN_EXE_qingyu"))
        .arg(home.path())
        .output()
        .unwrap();
    let (told, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{told}\n{errors}");
    assert_eq!(told.lines().count(), 2, "both generations of the protocol: {told}");
    let projects = home.run(&["projects", "--json"]).expect(0).json();
    assert_eq!(projects.as_array().unwrap().len(), 2, "{projects}");
}
