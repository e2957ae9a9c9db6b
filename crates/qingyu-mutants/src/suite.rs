//! The tests of a crate: how long each takes, which mutants it comes by, and whether it notices one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::compile::Program;

/// A test by itself takes at most this long, or it is left out.
const LONGEST: Duration = Duration::from_secs(120);
/// How many times as long tests may take with a mutant as without, and some time more.
const SLOWER: u32 = 3;

pub(crate) struct Test {
    program: usize,
    pub name: String,
    takes: Duration,
}

pub(crate) struct Suite {
    programs: Vec<Program>,
    /// How much longer tests may take with a mutant than [`SLOWER`] times what they take.
    patience: Duration,
    /// Whether the tests of a program pass when they run in one process, so that many may.
    together: Vec<bool>,
    tests: Vec<Test>,
    /// The tests that come by a mutant, the quickest first.
    by: BTreeMap<u32, Vec<usize>>,
    /// Tests that fail, or do not end, without any mutant.
    pub left_out: Vec<String>,
}

/// What came of a mutant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// No test comes by.
    Unreached,
    /// The tests that come by do not fail.
    Survived,
    Noticed,
    /// The tests did not end, which is noticed.
    Endless,
}

impl Suite {
    /// Runs every test by itself, without a mutant.
    ///
    /// # Errors
    /// If a program cannot be run, or the folder cannot be written.
    pub(crate) fn measured(
        programs: Vec<Program>,
        notes: &Path,
        patience: Duration,
        workers: usize,
        mut progress: impl FnMut(usize, usize) + Send,
    ) -> Result<Self> {
        let mut tests = Vec::new();
        for (number, program) in programs.iter().enumerate() {
            let listed = command(program)
                .args(["--list", "--format", "terse"])
                .output()
                .with_context(|| program.path.display().to_string())?;
            ensure!(listed.status.success(), "{} does not list its tests", program.path.display());
            let names = String::from_utf8_lossy(&listed.stdout);
            tests.extend(
                names.lines().filter_map(|line| line.strip_suffix(": test")).map(|name| (number, name.to_owned())),
            );
        }
        if notes.exists() {
            fs::remove_dir_all(notes)?;
        }
        fs::create_dir_all(notes)?;
        let all = tests.len();
        let measured = Mutex::new((0, &mut progress));
        let outcomes = in_parallel(workers, &tests, |number, (program, name)| {
            let note = notes.join(number.to_string());
            let began = Instant::now();
            let mut running = command(&programs[*program]);
            running.args(["--exact", name]).env("QINGYU_MUTANTS_REACHED", &note).env_remove("QINGYU_MUTANT");
            let passed = within(running, LONGEST)? == Some(true);
            let reached = fs::read_to_string(&note).unwrap_or_default();
            let reached: BTreeSet<u32> = reached.lines().filter_map(|line| line.parse().ok()).collect();
            if let Ok(mut done) = measured.lock() {
                done.0 += 1;
                let count = done.0;
                (done.1)(count, all);
            }
            Ok((passed, began.elapsed(), reached))
        })?;
        let mut suite = Self {
            together: vec![true; programs.len()],
            programs,
            patience,
            tests: Vec::new(),
            by: BTreeMap::new(),
            left_out: Vec::new(),
        };
        for ((program, name), (passed, takes, reached)) in tests.into_iter().zip(outcomes) {
            if !passed {
                suite.left_out.push(name);
                continue;
            }
            for mutant in reached {
                suite.by.entry(mutant).or_default().push(suite.tests.len());
            }
            suite.tests.push(Test { program, name, takes });
        }
        for tests in suite.by.values_mut() {
            tests.sort_by_key(|&test| suite.tests[test].takes);
        }
        for (program, tests, takes) in suite.portions(&Vec::from_iter(0..suite.tests.len())) {
            suite.together[program] &= suite.passes(program, &tests, takes, None)? == Some(true);
        }
        Ok(suite)
    }

    pub(crate) fn len(&self) -> usize {
        self.tests.len()
    }

    /// Runs the tests that come by a mutant with it switched on, the quickest first, until one fails.
    ///
    /// # Errors
    /// If a program cannot be run.
    pub(crate) fn notices(&self, mutant: u32) -> Result<Outcome> {
        let Some(tests) = self.by.get(&mutant) else { return Ok(Outcome::Unreached) };
        for (program, tests, takes) in self.portions(tests) {
            match self.passes(program, &tests, takes, Some(mutant))? {
                Some(true) => {}
                Some(false) => return Ok(Outcome::Noticed),
                None => return Ok(Outcome::Endless),
            }
        }
        Ok(Outcome::Survived)
    }

    /// Whether all of these pass; none if they do not end.
    fn passes(&self, program: usize, tests: &[usize], takes: Duration, mutant: Option<u32>) -> Result<Option<bool>> {
        let mut running = command(&self.programs[program]);
        running.arg("--exact").args(tests.iter().map(|&test| &self.tests[test].name)).env_remove("QINGYU_MUTANT");
        running.envs(mutant.map(|mutant| ("QINGYU_MUTANT", mutant.to_string())));
        within(running, takes * SLOWER + self.patience)
    }

    /// Tests that run in one process, and how long they take together: a few at first, since most mutants are noticed by any test.
    fn portions(&self, tests: &[usize]) -> Vec<(usize, Vec<usize>, Duration)> {
        let mut portions: Vec<(usize, Vec<usize>, Duration)> = Vec::new();
        let mut rest = tests;
        let mut most = Duration::from_millis(200);
        while !rest.is_empty() {
            let mut taken = Duration::ZERO;
            let mut count = 0;
            while count < rest.len() && (count == 0 || taken + self.tests[rest[count]].takes <= most) {
                taken += self.tests[rest[count]].takes;
                count += 1;
            }
            let (portion, others) = rest.split_at(count);
            let mut of_program: BTreeMap<usize, (Vec<usize>, Duration)> = BTreeMap::new();
            for &test in portion {
                let Test { program, takes, .. } = self.tests[test];
                if self.together[program] {
                    let entry = of_program.entry(program).or_default();
                    entry.0.push(test);
                    entry.1 += takes;
                } else {
                    portions.push((program, vec![test], takes));
                }
            }
            portions.extend(of_program.into_iter().map(|(program, (tests, takes))| (program, tests, takes)));
            rest = others;
            most = (most * 3).min(Duration::from_secs(20));
        }
        portions
    }
}

/// One after the other by so many workers; the answers are in the order of the questions.
///
/// # Errors
/// The first one.
pub(crate) fn in_parallel<Q: Sync, A: Send>(
    workers: usize,
    questions: &[Q],
    answer: impl Fn(usize, &Q) -> Result<A> + Sync,
) -> Result<Vec<A>> {
    let next = AtomicUsize::new(0);
    let answers: Mutex<Vec<Option<Result<A>>>> = Mutex::new(questions.iter().map(|_| None).collect());
    thread::scope(|scope| {
        for _ in 0..workers.max(1) {
            scope.spawn(|| {
                while let Some((number, question)) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|number| Some((number, questions.get(number)?)))
                {
                    let answered = answer(number, question);
                    if let Ok(mut answers) = answers.lock() {
                        answers[number] = Some(answered);
                    }
                }
            });
        }
    });
    let answers = answers.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    answers.into_iter().map(|answer| answer.context("a worker has panicked")?).collect()
}

fn command(program: &Program) -> Command {
    let mut command = Command::new(&program.path);
    command
        .current_dir(&program.folder)
        .env("CARGO_MANIFEST_DIR", &program.folder)
        .env("INSTA_UPDATE", "no")
        .env("RUST_BACKTRACE", "0");
    command
}

/// Whether it ends well; none if it does not end in time, and is killed with all it has started.
fn within(mut command: Command, time: Duration) -> Result<Option<bool>> {
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0).spawn()?;
    let began = Instant::now();
    let mut pause = Duration::from_millis(1);
    let ended = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status.success());
        }
        if began.elapsed() > time {
            break None;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    };
    kill(&mut child);
    Ok(ended)
}

/// A test that fails may leave processes that it has started.
fn kill(child: &mut Child) {
    let group = format!("-{}", child.id());
    let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
    let _ = child.wait();
}
