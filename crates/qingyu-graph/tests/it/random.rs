//! Laws that hold for every graph, tried on random ones.

mod diary;
mod dying;
mod past;
mod plan;

use std::num::NonZeroUsize;
use std::sync::Arc;

use proptest::prelude::*;
use qingyu_graph::store::MemoryStore;
use qingyu_graph::{Error, GraphRun, Outcome, Page, PastCheckpoint, Source, Store, Thread};

use crate::board::Board;
use crate::extent::cases;
pub(crate) use diary::{Diary, Heard, Task};
use dying::Dying;
pub(crate) use plan::{Plan, plans};

/// How a run ended: with a state, or with a refusal that every order of events must come to.
pub(crate) type End = Result<Board, String>;

/// How fast the tasks of a run are, and how many run at once.
type Pace = (Vec<u8>, usize);

fn paces() -> impl Strategy<Value = Pace> {
    (prop::collection::vec(0..6_u8, 1..8), 1..5_usize)
}

fn thread(plan: &Plan, store: Arc<dyn Store>, diary: &Diary, at_once: usize) -> Thread<Board> {
    let thread = plan.graph(diary).thread(store, "t").recursion_limit(10_000);
    thread.max_concurrency(NonZeroUsize::new(at_once).unwrap())
}

/// Waits for the end of a run; `None` if the process died.
async fn end(run: Result<GraphRun<Board>, Error>) -> Option<End> {
    match run.unwrap().finish().await {
        Ok(Outcome::Done(board)) => Some(Ok(stored(board))),
        Ok(other) => panic!("nobody asked or cancelled: {other:?}"),
        Err(Error::Store(_)) => None,
        Err(error) => Some(Err(error.to_string())),
    }
}

/// What a store gives back of a state.
pub(crate) fn stored(board: Board) -> Board {
    Board { scratch: None, ..board }
}

/// A checkpoint without its position, which depends on how often something was stored between two.
pub(crate) type View = (Source, i64, Vec<String>, Board);

fn view(past: PastCheckpoint<Board>) -> View {
    (past.source, past.superstep, past.next, past.state)
}

async fn history(thread: &Thread<Board>) -> Vec<PastCheckpoint<Board>> {
    let mut history = thread.history(Page::default()).await.unwrap();
    history.reverse();
    history
}

pub(crate) async fn views(thread: &Thread<Board>) -> Vec<View> {
    history(thread).await.into_iter().map(view).collect()
}

/// Tries a law on one thread, where only the pace decides who is faster.
fn block_on(law: impl Future<Output = Result<(), TestCaseError>>) -> Result<(), TestCaseError> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(law)
}

/// A run from its start to its end, and its history.
async fn whole(plan: &Plan, (pace, at_once): Pace) -> (End, Thread<Board>) {
    let thread = thread(plan, Arc::new(MemoryStore::new()), &Diary::new(pace), at_once);
    let end = end(thread.start(Board::update()).await).await.expect("nobody dies");
    (end, thread)
}

/// Runs it in a process that dies after so many appends, again and again; returns how often it died.
async fn killed(
    plan: &Plan,
    (pace, at_once): &Pace,
    appends: usize,
    undisturbed: &(End, Vec<View>),
) -> Result<u32, TestCaseError> {
    let diary = Diary::new(pace.clone());
    let (fate, store) = Dying::new(Arc::new(MemoryStore::new()));
    let thread = thread(plan, store, &diary, *at_once);
    let mut deaths = 0;
    let end = loop {
        fate.live(appends);
        let newest = thread.history(Page { limit: Some(1), ..Page::default() }).await.unwrap().pop();
        let before = newest.map(|newest| (fate.finished(newest.id), newest));
        let run = if before.is_some() { thread.resume().await } else { thread.start(Board::update()).await };
        let end = end(run).await;
        let began = diary.take();
        if let Some((finished, applied)) = before {
            check_resumed(&applied, &finished, began)?;
        }
        if let Some(end) = end {
            break end;
        }
        deaths += 1;
        prop_assert!(deaths < 1000, "it never comes to an end");
    };
    prop_assert_eq!(&(end, views(&thread).await), undisturbed);
    prop_assert_eq!(diary.paid_again(), Vec::<Task>::new());
    Ok(deaths)
}

/// A resumed run executes nothing of the supersteps that were applied, and of the one that was under way only what
/// had not finished.
fn check_resumed(
    applied: &PastCheckpoint<Board>,
    finished: &[String],
    began: Vec<(Task, Board)>,
) -> Result<(), TestCaseError> {
    let due = applied.next.iter().filter(|task| !finished.contains(task));
    let mut due: Vec<_> = due.filter_map(|task| task.split('#').next()).collect();
    for (task, _) in began {
        prop_assert!(task.superstep > applied.superstep, "{task:?} belongs to an applied superstep");
        if task.superstep == applied.superstep + 1 {
            let place = due.iter().position(|node| *node == task.node);
            prop_assert!(place.is_some(), "{task:?} was not due any more");
            due.swap_remove(place.unwrap());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(32, 128)))]
    #[test]
    fn the_order_of_finishing_never_matters(plan in plans(), one in paces(), other in paces()) {
        block_on(async {
            let (one_end, one) = whole(&plan, one).await;
            let (other_end, other) = whole(&plan, other).await;
            prop_assert_eq!(one_end, other_end);
            prop_assert_eq!(views(&one).await, views(&other).await);
            Ok(())
        })?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(8, 40)))]
    #[test]
    fn c41_a_replay_from_any_checkpoint_comes_to_the_same_end(plan in plans(), pace in paces()) {
        block_on(async {
            let (expected, thread) = whole(&plan, pace).await;
            let told = history(&thread).await;
            for (index, past) in told.iter().enumerate() {
                prop_assert_eq!(end(thread.at(past.id).resume().await).await.expect("nobody dies"), expected.clone());
                let newest = Page { limit: Some(told.len() - index), ..Page::default() };
                let mut again = thread.history(newest).await.unwrap();
                again.reverse();
                prop_assert_eq!(again[0].source, Source::Fork);
                again[0].source = past.source;
                let views = |pasts: &[PastCheckpoint<Board>]| pasts.iter().cloned().map(view).collect::<Vec<_>>();
                prop_assert_eq!(views(&again), views(&told[index..]));
            }
            Ok(())
        })?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(6, 24)))]
    #[test]
    fn p2_a_crash_after_any_append_changes_nothing_and_repeats_nothing(plan in plans(), pace in paces()) {
        block_on(async {
            let (end, thread) = whole(&plan, pace.clone()).await;
            let undisturbed = (end, views(&thread).await);
            let mut appends = 1;
            while killed(&plan, &pace, appends, &undisturbed).await? > 0 {
                appends += 1;
            }
            Ok(())
        })?;
    }
}
