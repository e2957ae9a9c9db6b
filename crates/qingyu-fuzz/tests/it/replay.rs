//! The seeds of each target and variations of them.

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};
use qingyu_fuzz::TARGETS;

use crate::variation::{changed, changes};

/// The most memory that a target may have taken at any time, in kilobytes. All limits of its parser are far below.
const MOST_MEMORY: u64 = 512 << 10;

/// The longest variation that is tried.
const LONGEST: usize = 64 << 10;

fn folder(kind: &str, target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz").join(kind).join(target)
}

/// The files of a target: the seeds, and what the fuzzer has learned on this machine. By name, so that a case is the same
/// everywhere.
fn files(kind: &str, target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let Ok(entries) = fs::read_dir(folder(kind, target)) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    paths.sort();
    // A fuzzer that runs meanwhile puts smaller files in place of others.
    let read = |path: PathBuf| match fs::read(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        bytes => Some((path, bytes.unwrap())),
    };
    paths.into_iter().filter_map(read).collect()
}

/// What the fuzzer has learned of a target on any machine, as `KEEP=1 make fuzz` packs it.
fn kept(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let path = folder("corpora", &format!("{target}.zip"));
    let Ok(file) = fs::File::open(&path) else { return Vec::new() };
    let mut archive = zip::ZipArchive::new(file).unwrap();
    (0..archive.len())
        .map(|index| {
            let mut entry = archive.by_index(index).unwrap();
            let name = entry.name().unwrap().into_owned();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            (path.join(name), bytes)
        })
        .collect()
}

/// Feeds a target with its files as they are, and with variations of the seeds and, as often, of what was learned: `cases`, or as
/// many as `PROPTEST_CASES` says, or as many as take `QINGYU_FUZZ_SECONDS`; a part of them with `QINGYU_FUZZ_SHARE`.
fn replay(name: &str, cases: u32) {
    let (_, target) = TARGETS.iter().find(|(known, _)| *known == name).unwrap();
    let seeds = files("seeds", name);
    assert!(!seeds.is_empty(), "{name} has seeds");
    let share = share();
    let kept: Vec<_> = kept(name).into_iter().step_by(share as usize).collect();
    for (path, bytes) in seeds.iter().chain(&kept).chain(&files("corpus", name)) {
        let outcome = std::panic::catch_unwind(|| target(bytes));
        assert!(outcome.is_ok(), "{} breaks a promise", path.display());
    }
    let bytes_of = |files: Vec<(PathBuf, Vec<u8>)>| files.into_iter().map(|(_, bytes)| bytes).collect::<Vec<_>>();
    let (seeds, kept) = (bytes_of(seeds), bytes_of(kept));
    let usual = Config::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { usual.cases } else { cases.div_ceil(share) };
    let (began, least) = (Instant::now(), least_time());
    // In small portions, so that the last one is over soon.
    let cases = if least.is_zero() { cases } else { cases.div_ceil(20) };
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 4_096, ..usual };
    let strategy = (any::<bool>(), any::<Index>(), changes());
    let varied = |(is_of_kept, base, changes): (bool, Index, Vec<_>)| {
        let bases = if is_of_kept && !kept.is_empty() { &kept } else { &seeds };
        let mut bytes = changed(base.get::<Vec<u8>>(bases), &changes, &seeds);
        bytes.truncate(LONGEST);
        let outcome = std::panic::catch_unwind(|| target(&bytes));
        prop_assert!(outcome.is_ok(), "to be kept in fuzz/seeds/{name}: {}", bytes.escape_ascii());
        Ok(())
    };
    let mut runner = TestRunner::new(config.clone());
    let mut tried = 0;
    loop {
        if let Err(error) = runner.run(&strategy, varied) {
            panic!("{name}: {error}");
        }
        tried += cases;
        if began.elapsed() >= least {
            break;
        }
        // A runner runs once.
        runner = TestRunner::new_with_rng(config.clone(), runner.new_rng());
    }
    println!("{name}: {tried} variations in {:.0?}", began.elapsed());
    let most = most_memory();
    assert!(most < MOST_MEMORY, "{name} took {most} KB");
}

/// Returns `QINGYU_FUZZ_SHARE`, 1 if it is not set: one in that many learned files is replayed, and as large a part of the variations.
/// Seeds are always replayed, as they are what has once been found.
fn share() -> u32 {
    let Ok(share) = std::env::var("QINGYU_FUZZ_SHARE") else { return 1 };
    share.parse().ok().filter(|share| *share > 0).expect("QINGYU_FUZZ_SHARE is a whole number from 1")
}

/// For how long each target is varied at least; no time without `QINGYU_FUZZ_SECONDS`.
fn least_time() -> Duration {
    let Ok(seconds) = std::env::var("QINGYU_FUZZ_SECONDS") else { return Duration::ZERO };
    Duration::from_secs(seconds.parse().expect("QINGYU_FUZZ_SECONDS is a whole number"))
}

/// The most memory that this process has had, in kilobytes; 0 where the system does not say.
fn most_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.trim().trim_end_matches(" kB").parse().ok()).unwrap_or_default()
}

/// A test per target, so that they run side by side, each in its own process where the runner does so.
macro_rules! replays {
    ($($name:ident: $cases:literal),+ $(,)?) => {
        $(#[test]
        fn $name() {
            replay(stringify!($name), $cases);
        })+

        const REPLAYED: &[&str] = &[$(stringify!($name)),+];
    };
}

replays! {
    cassette: 20_000,
    condition: 20_000,
    journal: 5_000,
    manuscript_archive: 20_000,
    manuscript_entries: 5_000,
    manuscript_text: 5_000,
    mcp_message: 5_000,
    model_answer: 5_000,
    pattern: 20_000,
    prose: 1_000,
    provider_stream: 20_000,
    question: 20_000,
    request: 5_000,
    run_events: 20_000,
    settings: 5_000,
    story: 5_000,
    times: 5_000,
    tool_arguments: 20_000,
    web_address: 20_000,
    web_page: 5_000,
    web_pdf: 5_000,
}

#[test]
fn every_target_is_fuzzed_and_replayed() {
    let names: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
    assert_eq!(REPLAYED, names, "each is replayed");
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let mut files: Vec<String> = fs::read_dir(fuzz.join("fuzz_targets"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    files.sort();
    assert_eq!(files, names, "each has a file of its own in fuzz/fuzz_targets");
    let manifest = fs::read_to_string(fuzz.join("Cargo.toml")).unwrap();
    for name in names {
        assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name} is built");
    }
}
