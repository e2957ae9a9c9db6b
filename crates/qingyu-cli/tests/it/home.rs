//! A data folder of its own, and the binary run in it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

pub(crate) const ZH: &str = "创作一部赛博朋克背景的侦探小说，主角是私家侦探，擅长黑客技术";
pub(crate) const EN: &str = "A locked-room mystery on a generation ship; the detective is the ship's gardener";
pub(crate) const OFFLINE: [&str; 2] = ["--model", "offline-rules-1"];

pub(crate) struct Home(TempDir);

impl Home {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    /// The command with nothing of this machine's environment but what a process needs.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_qingyu"));
        command.args(arguments).env_clear().stdin(Stdio::null());
        command.env("QINGYU_HOME", self.path()).env("LANG", "C.UTF-8").env("COLUMNS", "80");
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> CommandOutput {
        CommandOutput::of(self.command(arguments).output().unwrap())
    }

    /// Creates on the offline model, with more arguments.
    pub(crate) fn create(&self, requirement: &str, more: &[&str]) -> CommandOutput {
        self.run(&[&["create", requirement], &OFFLINE[..], more].concat())
    }
}

/// A run of the binary that has ended.
#[derive(Debug)]
pub(crate) struct CommandOutput {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl CommandOutput {
    pub(crate) fn of(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// The one document on standard output.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }

    /// A run that came to its end: done, or waiting for a person.
    #[track_caller]
    pub(crate) fn expect_worked(self) -> Self {
        assert!(matches!(self.code, Some(0 | 3)), "{self:?}");
        self
    }
}
