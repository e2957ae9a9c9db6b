//! Asks cargo for the crate, and hears which changes are none.

use std::fs;
use std::io::BufReader;
use std::iter::successors;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use cargo_metadata::Message;
use cargo_metadata::diagnostic::DiagnosticLevel;

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
    for message in Message::parse_stream(BufReader::new(said)) {
        match message.context("what cargo says")? {
            Message::CompilerMessage(said)
                if matches!(said.message.level, DiagnosticLevel::Error | DiagnosticLevel::Ice) =>
            {
                let mut spans: Vec<_> = said.message.spans.iter().collect();
                spans.sort_by_key(|span| !span.is_primary);
                let spans = spans
                    .into_iter()
                    .flat_map(|span| successors(Some(span), |span| span.expansion.as_ref().map(|macros| &macros.span)));
                let spans = spans
                    .map(|span| (PathBuf::from(&span.file_name), span.byte_start as usize..span.byte_end as usize))
                    .collect();
                refusals.push(Refusal { spans, told: said.message.rendered.unwrap_or(said.message.message) });
            }
            Message::CompilerArtifact(made) if made.profile.test => {
                if let (Some(path), Some(folder)) = (made.executable, made.manifest_path.parent()) {
                    programs.push(Program { path: path.into(), folder: folder.into() });
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
