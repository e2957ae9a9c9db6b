//! The past of random threads, on every branch, beside the states that the nodes themselves saw.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::Index;
use qingyu_db::Sqlite;
use qingyu_graph::store::{MemoryStore, SqliteStore};
use qingyu_graph::{CheckpointId, OnUnfinished, Page, PastCheckpoint, Source, State, Store, Thread};

use super::diary::Diary;
use super::dying::Dying;
use super::plan::{Plan, plans};
use super::{Pace, block_on, end, history, paces, stored, thread};
use crate::board::{Board, BoardUpdate, log};
use crate::extent::cases;

/// One thing that happens to a thread.
#[derive(Debug, Clone)]
enum Happening {
    /// A run, in a process that dies after so many appends, if it does.
    Run { from: From, appends: Option<usize> },
    /// A change by hand, at the newest checkpoint or at one of the past, perhaps as if by a node.
    Change { at: Option<Index>, as_node: Option<Index> },
}

/// What a run begins with.
#[derive(Debug, Clone, Copy)]
enum From {
    Input,
    Newest,
    Past(Index),
}

fn happenings() -> impl Strategy<Value = Vec<Happening>> {
    let from = prop_oneof![Just(From::Input), Just(From::Newest), any::<Index>().prop_map(From::Past)];
    let run = (from, prop::option::of(1..20_usize)).prop_map(|(from, appends)| Happening::Run { from, appends });
    let (at, as_node) = (prop::option::of(any::<Index>()), prop::option::of(any::<Index>()));
    let change = (at, as_node).prop_map(|(at, as_node)| Happening::Change { at, as_node });
    prop::collection::vec(prop_oneof![3 => run, 2 => change], 1..10)
}

/// A thread, and what its history must be.
struct Told {
    names: Vec<String>,
    diary: Diary,
    fate: Arc<Dying>,
    thread: Thread<Board>,
    expected: Vec<PastCheckpoint<Board>>,
}

impl Told {
    fn new(plan: &Plan, store: Arc<dyn Store>, (pace, at_once): Pace) -> Self {
        let diary = Diary::new(pace);
        let (fate, store) = Dying::new(store);
        let thread = thread(plan, store, &diary, at_once).on_unfinished(OnUnfinished::Discard);
        Self { names: plan.names(), diary, fate, thread, expected: Vec::new() }
    }

    /// Lets something happen to a thread that exists, and input come to one that does not.
    async fn happen(&mut self, happening: Happening) -> Result<(), TestCaseError> {
        let update = log(format!("by hand, after {}", self.expected.len())).x(7);
        match happening {
            _ if self.expected.is_empty() => self.run(From::Input, usize::MAX, update).await,
            Happening::Run { from, appends } => self.run(from, appends.unwrap_or(usize::MAX), update).await,
            Happening::Change { at, as_node } => {
                let (base, node) = (at.map(|at| self.past(at)), as_node.map(|node| node.get(&self.names).as_str()));
                let changed = match base {
                    Some(past) => self.thread.at(past).update_state(update.clone(), node).await,
                    None => self.thread.update_state(update.clone(), node).await,
                };
                changed.unwrap();
                self.check(base, &update, None).await
            }
        }
    }

    async fn run(&mut self, from: From, appends: usize, input: BoardUpdate) -> Result<(), TestCaseError> {
        self.fate.live(appends);
        let base = if let From::Past(past) = from { Some(self.past(past)) } else { None };
        let run = match (from, base) {
            (_, Some(past)) => self.thread.at(past).resume().await,
            (From::Newest, None) => self.thread.resume().await,
            (_, None) => self.thread.start(input.clone()).await,
        };
        let last = end(run).await.and_then(Result::ok);
        self.fate.live(usize::MAX);
        self.check(base, &input, last).await
    }

    fn past(&self, past: Index) -> CheckpointId {
        past.get(&self.expected).id
    }

    /// Compares the checkpoints that are new with what must be: `base` is where a new branch began, `update` what was
    /// written from outside, `last` what the run ended with.
    async fn check(
        &mut self,
        base: Option<CheckpointId>,
        update: &BoardUpdate,
        last: Option<Board>,
    ) -> Result<(), TestCaseError> {
        let mut seen = BTreeMap::new();
        for (task, board) in self.diary.take() {
            let first = seen.entry(task.superstep - 1).or_insert_with(|| stored(board.clone()));
            prop_assert_eq!(&*first, &stored(board), "all tasks of a superstep see one state");
        }
        let history = history(&self.thread).await;
        let (old, new) = history.split_at(self.expected.len());
        prop_assert_eq!(old, &self.expected, "nothing old changes");
        for (index, past) in new.iter().enumerate() {
            let newest = self.expected.last();
            let is_fork = index == 0 && base.is_some();
            let parent = if is_fork { self.expected.iter().find(|past| Some(past.id) == base) } else { newest };
            let mut state = parent.map_or_else(Board::default, |parent| parent.state.clone());
            match past.source {
                Source::Input | Source::Update => state.fold(vec![("hand".into(), update.clone())], None).unwrap(),
                Source::Fork => {}
                Source::Loop if past.next.is_empty() => {
                    // A join that starves after a change by hand is the one end that shows no state.
                    state = last.clone().unwrap_or_else(|| past.state.clone());
                }
                Source::Loop => state = seen[&past.superstep].clone(),
            }
            if let Some(seen) = seen.get(&past.superstep) {
                prop_assert_eq!(seen, &state);
            }
            let superstep = parent.map_or(-1, |parent| parent.superstep + i64::from(past.source != Source::Fork));
            let branch = newest.map_or(0, |newest| newest.branch + u64::from(is_fork));
            let parent = parent.map(|parent| parent.id);
            self.expected.push(PastCheckpoint { parent, branch, superstep, state, ..past.clone() });
        }
        prop_assert_eq!(new, &self.expected[history.len() - new.len()..]);
        Ok(())
    }

    /// Reads every checkpoint by itself, and the page that ends with it.
    async fn check_singly(&self) -> Result<(), TestCaseError> {
        for (index, past) in self.expected.iter().enumerate() {
            let snapshot = self.thread.at(past.id).snapshot().await.unwrap();
            prop_assert_eq!((snapshot.checkpoint, snapshot.superstep), (past.id, past.superstep));
            prop_assert_eq!(snapshot.committed(), &past.state);
            let page = Page { before: Some(past.id), limit: Some(1) };
            let older = index.checked_sub(1).map(|older| self.expected[older].clone());
            prop_assert_eq!(self.thread.history(page).await.unwrap(), Vec::from_iter(older));
        }
        Ok(())
    }
}

async fn check(plan: &Plan, store: Arc<dyn Store>, pace: Pace, all: Vec<Happening>) -> Result<(), TestCaseError> {
    let mut told = Told::new(plan, store, pace);
    for happening in all {
        told.happen(happening).await?;
    }
    told.check_singly().await
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(16, 64)))]

    #[test]
    fn c44_deltas_give_the_states_that_were_seen_on_every_branch(plan in plans(), pace in paces(), all in happenings()) {
        block_on(check(&plan, Arc::new(MemoryStore::new()), pace, all))?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(3, 8)))]

    #[test]
    fn c44_the_same_in_sqlite(plan in plans(), pace in paces(), all in happenings()) {
        block_on(async {
            let database = Sqlite::in_memory().await.unwrap();
            check(&plan, Arc::new(SqliteStore::open(database).await.unwrap()), pace, all).await
        })?;
    }
}
