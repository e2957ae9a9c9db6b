//! Changes a crate in small ways, one at a time, and looks whether a test fails.
//!
//! To build a crate and its tests anew for every change takes most of a minute. Here all changes stand in one program, each
//! behind a switch ("mutant schemata": R. H. Untch, A. J. Offutt, M. J. Harrold, *Mutation Analysis Using Mutant
//! Schemata*, ISSTA 1993); a test that never comes by a switch need not be run for it.
//!
//! The map, in the order in which it goes:
//!
//! - `sources`: what is changed, and the number of each change
//! - `place`, `values`: where a source can be changed, and how
//! - `weave`: a source that has all its changes in it
//! - `copy`, `compile`: where it is written and built; what does not compile is taken out again
//! - `suite`: which test comes by which change, and whether one notices
//! - `argued`: changes that no test need notice

mod argued;
mod compile;
mod copy;
mod place;
mod sources;
mod suite;
mod told;
mod values;
mod weave;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Parser;

use copy::Copy;
use sources::Sources;
use suite::{Outcome, Suite, in_parallel};
use told::Told;

/// What is put into the crate, so that a mutant can be switched on.
const SWITCH: &str = include_str!("switch.rs");

/// Changes a crate of the workspace in small ways, one at a time, and looks whether one of its tests fails.
#[derive(Parser)]
struct Asked {
    /// The crate.
    #[arg(long, short)]
    package: String,
    /// Files, or folders of files, that are changed: all of the crate, unless some are named.
    within: Vec<PathBuf>,
    /// Which part of the changes is tried: 0/40 is about a fortieth. A change stays in its part when lines move.
    #[arg(long, value_parser = shard)]
    shard: Option<(u32, u32)>,
    /// Only changes that a line of this file ends with, such as what an earlier run said: their lines may have moved.
    #[arg(long)]
    among: Option<PathBuf>,
    /// How many are tried at once.
    #[arg(long, default_value_t = thread::available_parallelism().map_or(1, Into::into))]
    workers: usize,
    /// Tests may take three times as long with a change as without, and so many seconds more.
    #[arg(long, default_value_t = 10)]
    patience: u64,
    /// Where the changed copy is, and what came of each change.
    #[arg(long, default_value = ".local/mutants")]
    folder: PathBuf,
    /// Lists the changes and ends.
    #[arg(long)]
    list: bool,
}

fn shard(text: &str) -> Result<(u32, u32), String> {
    let parts = text.split_once('/').and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
    parts.filter(|(part, parts)| part < parts).ok_or_else(|| format!("{text} is no part: 0/40 is the first of forty"))
}

/// A change's file and name, of `survived:   crates/small/src/lib.rs:3: replace + with -`.
fn unplaced(told: &str) -> Option<(&str, &str)> {
    let (place, name) = told.split_once(".rs:")?;
    let (_, name) = name.split_once(": ")?;
    Some((place.split_whitespace().last()?, name))
}

/// A number that a change keeps when lines move: FNV-1a of its file and name.
fn lasting(told: &str) -> u32 {
    let (file, name) = unplaced(told).unwrap_or_default();
    file.bytes().chain(name.bytes()).fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn main() -> ExitCode {
    run(&Asked::parse()).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}

/// Fails if a change is noticed by no test.
fn run(asked: &Asked) -> Result<ExitCode> {
    let among = asked.among.as_deref().map(fs::read_to_string).transpose().context("what is to be tried")?;
    let among: Option<BTreeSet<_>> = among.as_deref().map(|among| among.lines().filter_map(unplaced).collect());
    let root = std::env::current_dir()?;
    let mut sources = Sources::of(&root, &asked.package, &asked.within)?;
    if asked.list {
        for (mutant, name) in &sources.names {
            anstream::println!("{mutant:>5} {name}");
        }
        return Ok(ExitCode::SUCCESS);
    }
    let (part, parts) = asked.shard.unwrap_or((0, 1));
    let is_among = |name: &str| among.as_ref().is_none_or(|among| unplaced(name).is_some_and(|it| among.contains(&it)));
    let tried = sources.names.iter().filter(|(_, name)| lasting(name) % parts == part && is_among(name));
    let tried: Vec<u32> = tried.map(|(mutant, _)| *mutant).collect();
    if tried.is_empty() {
        anstream::println!("{}: none of its changes is among those that are asked for", asked.package);
        return Ok(ExitCode::SUCCESS);
    }
    let folder = root.join(&asked.folder).join(&asked.package);
    let copy = Copy::of(&root, folder.join("tree"), &sources.paths())?;
    copy.write(&sources.library.with_file_name("mutant_switch.rs"), SWITCH.as_bytes())?;

    let told = Told::new();
    let programs = loop {
        sources.write(&copy)?;
        told.begin(&format!("compiling {} changes", sources.left().len()));
        let refusals = compile::check(&copy.root, &asked.package)?;
        if !refusals.is_empty() {
            sources.take_out(&refusals)?;
            continue;
        }
        told.begin("compiling the tests");
        let (refusals, programs) = compile::build_tests(&copy.root, &asked.package, &folder.join("programs"))?;
        if refusals.is_empty() {
            break programs;
        }
        sources.take_out(&refusals)?;
    };
    let suite = Suite::measured(
        programs,
        &folder.join("reached"),
        Duration::from_secs(asked.patience),
        asked.workers,
        |done, all| told.state(&format!("{done} of {all} tests measured")),
    )?;
    ensure!(suite.len() > 0, "no test of {} passes without any change", asked.package);
    for name in &suite.left_out {
        told.line(&format!("left out, since it fails or takes too long by itself: {name}"));
    }

    let names = &sources.names;
    let left = sources.left();
    let (compiled, refused): (Vec<u32>, Vec<u32>) = tried.iter().partition(|mutant| left.contains(mutant));
    let mut kept = File::create(folder.join("outcomes.tsv"))?;
    for mutant in &refused {
        writeln!(kept, "does not compile\t{}", names[mutant])?;
    }
    let kept = Mutex::new((kept, 0));
    let outcomes = in_parallel(asked.workers, &compiled, |_, &mutant| {
        let outcome = suite.notices(mutant)?;
        let (kept, count) = &mut *kept.lock().unwrap_or_else(PoisonError::into_inner);
        *count += 1;
        writeln!(kept, "{}\t{}", outcome.name(), names[&mutant])?;
        if matches!(outcome, Outcome::Survived | Outcome::Unreached) {
            told.line(&format!("{:<12}{}", format!("{}:", outcome.name()), names[&mutant]));
        }
        told.state(&format!("{count} of {} changes tried", compiled.len()));
        Ok(outcome)
    })?;
    told.end();

    let count = |wanted: Outcome| outcomes.iter().filter(|outcome| **outcome == wanted).count();
    let [noticed, endless, survived, unreached] =
        [Outcome::Noticed, Outcome::Endless, Outcome::Survived, Outcome::Unreached].map(count);
    anstream::println!(
        "{}: {} changes in {} s: {} do not compile, {noticed} noticed, {endless} noticed by never ending, {survived} survived, {unreached} not reached; {} argued",
        asked.package,
        tried.len(),
        told.seconds(),
        refused.len(),
        sources.argued.len()
    );
    Ok(if survived + unreached == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Outcome {
    fn name(&self) -> &'static str {
        match self {
            Self::Unreached => "not reached",
            Self::Survived => "survived",
            Self::Noticed => "noticed",
            Self::Endless => "endless",
        }
    }
}
