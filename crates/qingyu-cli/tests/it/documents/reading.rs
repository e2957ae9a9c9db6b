//! A document gone through from top to bottom: in a folder of its own, without keys and without network.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use super::blocks::{Block, is_typed, parted, shown, typed};
use super::commands::unknown;
use super::{root, text_of};
use crate::home::Home;

/// Why a block is not typed: its mark, and what it needs that a test has not.
pub(super) const NOT_RUN: [(&str, &str); 8] = [
    ("needs-build", "it compiles for minutes"),
    ("needs-key", "it asks a provider of models, which wants a key"),
    ("needs-browser", "it opens a browser"),
    ("needs-terminal", "it talks with a person at a terminal"),
    ("needs-docker", "it wants containers"),
    ("needs-root", "it changes the system"),
    ("needs-network", "it asks machines on the internet"),
    ("needs-program", "it uses a program that is not part of this"),
];

/// What the documents call the address of a server.
const ADDRESS: &str = "127.0.0.1:7400";
/// What of the repository a reader has at hand.
const AT_HAND: [&str; 3] = ["crates", "samples", "schemas"];
/// Words that a line begins with if somebody is to type it.
const TYPED: [&str; 8] = ["$ ", "qingyu ", "make ", "curl ", "cargo ", "docker ", "sudo ", "npm "];

/// Goes through a document, and tells everything in it that does not hold.
pub(super) fn wrong_in(document: &str) -> Vec<String> {
    let text = text_of(document);
    let mut wrong: Vec<_> = shown(&text)
        .iter()
        .flat_map(|shown| unknown(&shown.text).into_iter().map(|wrong| format!("{}: {wrong}", shown.line)))
        .collect();
    let mut desk = DocumentFolder::new(if document.contains(".zh.") { "zh" } else { "en" });
    for block in parted(&text).0 {
        let told = if is_typed(&block) { desk.go_through(document, &block) } else { looked_at(document, &block) };
        wrong.extend(told.err());
    }
    wrong.iter().map(|wrong| format!("{document}:{wrong}")).collect()
}

/// A block that nobody types.
fn looked_at(document: &str, block: &Block) -> Result<(), String> {
    let line = block.line;
    if let Some(command) = block.text.lines().find(|line| TYPED.iter().any(|word| line.starts_with(word))) {
        return Err(format!("{line}: the block has a command and is neither `sh` nor `console`: {command}"));
    }
    if block.marks.contains_key("settings") {
        let home = Home::new();
        home.file("config.toml", block.text.as_bytes());
        let ended = home.run(&["config", "--ui-lang", "en"]);
        return if ended.code == Some(0) { Ok(()) } else { Err(format!("{line}: {}", ended.stderr)) };
    }
    let lines = |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    let quoted = lines(&block.text);
    if let Some(file) = block.marks.get("is") {
        if lines(&text_of(file)) != quoted {
            return Err(format!("{line}: {file} says something else"));
        }
    } else if let Some(file) = block.marks.get("from") {
        if !lines(&text_of(file)).windows(quoted.len()).any(|part| part == quoted) {
            return Err(format!("{line}: {file} has no such lines"));
        }
    } else if block.language == "rust" && document.starts_with("docs/guide-") {
        return Err(format!("{line}: it is not said which file the code is from (`is=` or `from=`)"));
    }
    Ok(())
}

/// The folder in which a document is followed.
struct DocumentFolder {
    folder: TempDir,
    tongue: &'static str,
    server: Option<Server>,
}

struct Server {
    child: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl DocumentFolder {
    fn new(tongue: &'static str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["home", "bin", "work"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        symlink(env!("CARGO_BIN_EXE_qingyu"), folder.path().join("bin/qingyu")).unwrap();
        for name in AT_HAND {
            symlink(root().join(name), folder.path().join("work").join(name)).unwrap();
        }
        std::fs::write(folder.path().join("variables"), "").unwrap();
        // Research must not leave this machine.
        std::fs::write(folder.path().join("home/config.toml"), "[web]\nsearch = \"none\"\n").unwrap();
        Self { folder, tongue, server: None }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Types the commands of a block, or says why not.
    fn go_through(&mut self, document: &str, block: &Block) -> Result<(), String> {
        if let Some(reason) = block.marks.get("not-run") {
            let Some((_, why)) = NOT_RUN.iter().find(|(name, _)| name == reason) else {
                return Err(format!("{}: `{reason}` is no reason; these are: {NOT_RUN:?}", block.line));
            };
            eprintln!("{document}:{}: not typed, since {why}", block.line);
            return Ok(());
        }
        let commands = typed(block);
        let end = block.marks.get("exit").map_or(0, |code| code.parse().unwrap());
        for (place, typed) in (1..).zip(&commands) {
            let expected = if place == commands.len() { end } else { 0 };
            let (code, output) = self.type_in(&typed.command);
            let told = || format!("{}: {}", typed.line, typed.command);
            if code != expected {
                return Err(format!("{} ends with {code}, not {expected}:\n{output}", told()));
            }
            let actual: Vec<_> = output.lines().map(str::trim_end).collect();
            let said: Vec<_> = typed.output.iter().map(|line| line.trim_end()).collect();
            if block.language == "console" && !fits(&said, &actual) {
                return Err(format!("{} shows something else:\n{output}", told()));
            }
        }
        Ok(())
    }

    /// The exit code of a command, and all that it shows.
    fn type_in(&mut self, command: &str) -> (i32, String) {
        let serve = command.split('#').next().unwrap_or_default().trim().trim_end_matches('&').trim();
        if serve.starts_with("qingyu serve") {
            self.server = None;
            self.server = Some(self.serve(serve));
            return (0, String::new());
        }
        if serve == "kill %1" && self.server.take().is_some() {
            return (0, String::new());
        }
        let address = self.server.as_ref().map_or(ADDRESS, |server| server.address.as_str());
        let command = command.replace(ADDRESS, address);
        let variables = self.path("variables");
        let variables = variables.display();
        let script =
            format!("set -a\n. {variables}\n{{\n{command}\n}} 2>&1\ncode=$?\nexport -p >{variables}\nexit $code\n");
        let output = self.shell(&script).output().unwrap();
        let shown = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        (output.status.code().unwrap_or(-1), shown.into_owned())
    }

    fn serve(&self, command: &str) -> Server {
        let mut shell = self.shell(&format!("exec {command} --port 0 --json"));
        let child = shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut server = Server { child, address: String::new() };
        let mut told = String::new();
        for line in BufReader::new(server.child.stdout.take().unwrap()).lines() {
            told.push_str(&line.unwrap());
            if let Ok(told) = serde_json::from_str::<Value>(&told) {
                server.address = told["url"].as_str().unwrap().trim_start_matches("http://").to_owned();
                return server;
            }
        }
        let mut errors = String::new();
        server.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        panic!("`{command}` does not serve: {told}{errors}");
    }

    /// A shell in the folder, with nothing of this machine but its programs.
    fn shell(&self, script: &str) -> Command {
        let path = std::env::var("PATH").unwrap();
        let mut command = Command::new("sh");
        command.arg("-c").arg(script).env_clear().stdin(Stdio::null()).current_dir(self.path("work"));
        command.env("PATH", format!("{}:{path}", self.path("bin").display()));
        command.env("HOME", self.folder.path()).env("QINGYU_HOME", self.path("home"));
        command.env("QINGYU_MODEL", "offline-rules-1").env("QINGYU_UI_LANG", self.tongue);
        command.env("LANG", "C.UTF-8").env("COLUMNS", "100").env("NO_PROXY", "127.0.0.1");
        command
    }
}

/// Whether what is shown is what was said, where `…` stands for anything: in a line, or as a line for any number of lines.
fn fits(said: &[&str], shown: &[&str]) -> bool {
    match said.split_first() {
        None => shown.is_empty(),
        Some((&"…", rest)) => (0..=shown.len()).any(|skipped| fits(rest, &shown[skipped..])),
        Some((line, rest)) => shown.split_first().is_some_and(|(first, more)| same(line, first) && fits(rest, more)),
    }
}

fn same(said: &str, shown: &str) -> bool {
    let mut parts = said.split('…');
    let Some(mut left) = parts.next().and_then(|first| shown.strip_prefix(first)) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return left.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return left.ends_with(part);
        }
        match left.split_once(part) {
            Some((_, rest)) => left = rest,
            None => return false,
        }
    }
    true
}

#[test]
fn what_is_shown_is_compared_but_for_the_ellipses() {
    for (said, shown, expected) in [
        ("a\nb", "a\nb", true),
        ("a", "a\nb", false),
        ("a\n…", "a\nb\nc", true),
        ("…\nc", "a\nb\nc", true),
        ("a…c d…", "a b c d e", true),
        ("a…c", "a b d", false),
        ("a\n…\nd", "a\nb\nc", false),
    ] {
        let lines = |text: &'static str| text.lines().collect::<Vec<_>>();
        assert_eq!(fits(&lines(said), &lines(shown)), expected, "{said:?} {shown:?}");
    }
}

#[test]
fn a_document_that_is_wrong_is_told_so() {
    let wrong = |text: &str| {
        let mut desk = DocumentFolder::new("en");
        let mut told = |block: Block| {
            if is_typed(&block) { desk.go_through("x.md", &block) } else { looked_at("docs/guide-x.md", &block) }
        };
        parted(text).0.into_iter().filter_map(|block| told(block).err()).collect::<Vec<_>>().join("\n")
    };
    for text in [
        "```sh\nA='one two'\ntest \"$A\" = 'one two'\nqingyu projects --json\n```\n",
        "```sh\necho later >a.txt\n```\n```console exit=1\n$ cat a.txt\nlater\n$ false\n```\n",
        "```sh not-run=needs-key\nqingyu create x\n```\n```toml settings\n[budget]\ntokens = 5\n```\n",
        "```sh\nqingyu serve &\ncurl -sf http://127.0.0.1:7400/livez\n```\n",
        "```rust from=Makefile\nCARGO ?= cargo\n```\n",
    ] {
        assert_eq!(wrong(text), "", "{text}");
    }
    for text in [
        "```sh\nqingyu show p-none\n```\n",
        "```sh\nfalse\ntrue\n```\n",
        "```sh exit=1\ntrue\n```\n",
        "```console\n$ echo a\nb\n```\n",
        "```sh not-run=tired\ntrue\n```\n",
        "```\nqingyu projects\n```\n",
        "```toml settings\n[budget]\ntokns = 5\n```\n",
        "```rust\nfn main() {}\n```\n",
        "```rust is=Makefile\nfn main() {}\n```\n",
        "```rust from=Makefile\nfn main() {}\n```\n",
    ] {
        assert_ne!(wrong(text), "", "{text}");
    }
}

#[test]
fn a_desk_has_what_a_reader_has() {
    let desk = DocumentFolder::new("zh");
    assert!(AT_HAND.iter().all(|name| Path::new(&desk.path("work")).join(name).is_dir()));
}
