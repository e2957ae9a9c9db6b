//! Asks cargo for the crate, and hears which changes are none.

use std::fs;
use std::io::{BufRead, BufReader};
use std::iter::successors;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use serde::Deserialize;

/// What the compiler refuses.
pub(crate) struct Refusal {
    /// Where it sees it, the most likely place first: a file as cargo names it, and bytes of it. Behind a place in a macro stands
    /// where that is called.
    pub spans: Vec<(PathBuf, Range<usize>)>,
    pub told: String,
}

/// A program of tests.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub path: PathBuf,
    /// The folder of its crate, in which it runs.
    pub folder: PathBuf,
}

/// Checks the library of a crate.
///
/// # Errors
/// If cargo cannot be run.
pub(crate) fn check(root: &Path, package: &str) -> Result<Vec<Refusal>> {
    Ok(cargo(root, &["check", "--locked", "--all-features", "--lib", "-p", package])?.0)
}

/// Builds the programs of a crate's tests, and copies them to a folder: whoever builds the crate meanwhile writes over the ones
/// of cargo.
///
/// # Errors
/// If cargo cannot be run, or a program cannot be copied.
pub(crate) fn build_tests(root: &Path, package: &str, folder: &Path) -> Result<(Vec<Refusal>, Vec<Program>)> {
    let (refusals, mut programs) =
        cargo(root, &["test", "--no-run", "--locked", "--all-features", "--lib", "--tests", "-p", package])?;
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    for program in &mut programs {
        let copy = folder.join(program.path.file_name().context("a program has a name")?);
        // One that still runs cannot be written over, but gives its name away.
        let _ = fs::remove_file(&copy);
        fs::copy(&program.path, &copy).with_context(|| copy.display().to_string())?;
        program.path = copy;
    }
    Ok((refusals, programs))
}

fn cargo(root: &Path, arguments: &[&str]) -> Result<(Vec<Refusal>, Vec<Program>)> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // Nobody steps through a mutant, and its tests run thousands of times: to optimise a little takes two minutes more of building,
    // and a third of the time after it.
    cargo.env("CARGO_INCREMENTAL", "1").env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
    cargo
        .args(arguments)
        .args(["--quiet", "--message-format", "json"])
        .current_dir(root)
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut running = cargo.spawn().context("cargo cannot be run")?;
    let said = running.stdout.take().context("cargo says nothing")?;
    let mut refusals = Vec::new();
    let mut programs = Vec::new();
    for line in BufReader::new(said).lines() {
        let line = line.context("what cargo says")?;
        // A macro may print lines of its own.
        if !line.starts_with('{') {
            continue;
        }
        match serde_json::from_str(&line).context("a message of cargo")? {
            Message::Diagnosed { message } if message.is_error() => {
                let mut spans: Vec<_> = message.spans.iter().collect();
                spans.sort_by_key(|span| !span.is_primary);
                let spans = spans.into_iter().flat_map(|span| {
                    successors(Some(span), |span| span.expansion.as_ref().map(|macros| &*macros.span))
                });
                let spans = spans.map(|span| (span.file_name.clone(), span.byte_start..span.byte_end)).collect();
                refusals.push(Refusal { spans, told: message.rendered.unwrap_or(message.message) });
            }
            Message::Compiled { executable: Some(path), manifest_path, profile } if profile.test => {
                if let Some(folder) = manifest_path.parent() {
                    programs.push(Program { path, folder: folder.into() });
                }
            }
            _ => {}
        }
    }
    let status = running.wait()?;
    if !status.success() && refusals.is_empty() {
        refusals.push(Refusal { spans: Vec::new(), told: format!("cargo {}: {status}", arguments.join(" ")) });
    }
    Ok((refusals, programs))
}

/// A message of cargo, a line of JSON; only what is needed of it.
#[derive(Deserialize)]
#[serde(tag = "reason")]
enum Message {
    #[serde(rename = "compiler-message")]
    Diagnosed { message: Diagnostic },
    #[serde(rename = "compiler-artifact")]
    Compiled { executable: Option<PathBuf>, manifest_path: PathBuf, profile: Profile },
    #[serde(other)]
    Other,
}

/// What the compiler says about a piece of source.
#[derive(Deserialize)]
struct Diagnostic {
    level: String,
    message: String,
    /// As the compiler would print it.
    rendered: Option<String>,
    spans: Vec<Span>,
}

impl Diagnostic {
    /// Whether the crate does not compile, because of an error of its own or of the compiler.
    fn is_error(&self) -> bool {
        matches!(self.level.as_str(), "error" | "error: internal compiler error")
    }
}

/// Bytes of a file.
#[derive(Deserialize)]
struct Span {
    file_name: PathBuf,
    byte_start: usize,
    byte_end: usize,
    is_primary: bool,
    expansion: Option<Expansion>,
}

/// The call of the macro that made a piece of source.
#[derive(Deserialize)]
struct Expansion {
    span: Box<Span>,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}
