//! Stored threads in which bytes were changed: refused with the reason, or read as what stands there now, never a panic.

use std::sync::Arc;

use proptest::prelude::*;
use qingyu_db::Sqlite;
use qingyu_graph::store::SqliteStore;
use qingyu_graph::{CompiledGraph, Context, END, Error, Graph, NodeError, Outcome, Page, START, Thread};
use serde_json::json;

use crate::board::{Board, BoardUpdate, log, waiting};
use crate::extent::cases;

type Written = Result<BoardUpdate, NodeError>;

/// Two nodes that write, one of them after a paid step, and one that asks.
fn graph() -> CompiledGraph<Board> {
    Graph::<Board>::new("damaged")
        .node("first", |_: Arc<Board>, context: Context| async move {
            let line = context.step("line", "雨", async || Ok::<_, NodeError>("雨夜".to_owned())).await?;
            Written::Ok(log(line).x(7).y(Some(-3)))
        })
        .node("second", |board: Arc<Board>, _: Context| async move { Written::Ok(log(format!("{}", board.x))) })
        .node("ask", |_: Arc<Board>, context: Context| async move {
            let paid = context.step("paid", &1, async || Ok::<_, NodeError>(json!({"words": 12}))).await?;
            let answer: String = context.ask("q", &paid).await?;
            Written::Ok(log(answer))
        })
        .edge(START, "first")
        .edge("first", "second")
        .edge("second", "ask")
        .edge("ask", END)
        .compile()
        .unwrap()
}

/// A thread that waits for an answer, and where it is kept.
async fn asked() -> (Sqlite, Thread<Board>) {
    let database = Sqlite::in_memory().await.unwrap();
    let store = SqliteStore::open(database.clone()).await.unwrap();
    let thread = graph().thread(Arc::new(store), "t");
    waiting(thread.start(Board::update()).await).await;
    (database, thread)
}

/// All records, or those that somebody who looks at the thread or goes on with it has to read.
async fn bodies(database: &Sqlite, which: Which) -> Vec<(i64, Vec<u8>)> {
    let read = move |tx: &rusqlite::Connection| {
        let needed = "kind IN ('snapshot', 'delta') OR position > (SELECT head FROM graph_thread)";
        let condition = if which == Which::All { "true" } else { needed };
        let sql = format!("SELECT position, CAST(body AS BLOB) FROM graph_record WHERE {condition} ORDER BY position");
        let mut select = tx.prepare(&sql)?;
        let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok::<_, qingyu_db::Error>(rows.collect::<Result<Vec<_>, _>>()?)
    };
    database.read(read).await.unwrap()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Which {
    All,
    Needed,
}

async fn replace(database: &Sqlite, position: i64, body: Vec<u8>) {
    let write = move |tx: &rusqlite::Connection| {
        let changed =
            tx.execute("UPDATE graph_record SET body = CAST(?2 AS TEXT) WHERE position = ?1", (position, body))?;
        assert_eq!(changed, 1);
        Ok::<_, qingyu_db::Error>(())
    };
    database.write(write).await.unwrap();
}

/// A refusal that says what is wrong, and no task that fell over.
fn check(error: &Error) -> Result<(), TestCaseError> {
    let is_panic = matches!(error, Error::Broken { .. }) || error.to_string().contains("panic");
    prop_assert!(!is_panic && !error.to_string().is_empty(), "{:?}", error);
    Ok(())
}

/// Does all that can be done with a thread; gives how often it was refused.
async fn use_it(thread: &Thread<Board>) -> Result<usize, TestCaseError> {
    let mut refusals = Vec::new();
    refusals.extend(thread.snapshot().await.err());
    match thread.history(Page::default()).await {
        Ok(history) => {
            for past in history {
                refusals.extend(thread.at(past.id).snapshot().await.err());
            }
        }
        Err(error) => refusals.push(error),
    }
    for is_answered in [false, true] {
        let run = if is_answered { thread.answer("yes").await } else { thread.resume().await };
        match run {
            Ok(run) => refusals.extend(run.finish().await.err()),
            Err(error) => refusals.push(error),
        }
    }
    refusals.iter().try_for_each(check)?;
    Ok(refusals.len())
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(24, 96)))]
    #[test]
    fn changed_bytes_of_a_record_are_refused_or_read(
        record in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 1..=255_u8), 1..6),
    ) {
        block_on(async {
            let (database, thread) = asked().await;
            let (position, mut body) = record.get(&bodies(&database, Which::All).await).clone();
            for (place, change) in changes {
                let place = place.index(body.len());
                body[place] ^= change;
            }
            replace(&database, position, body).await;
            use_it(&thread).await.map(drop)
        })?;
    }

    #[test]
    fn a_record_that_was_cut_off_is_refused(
        record in any::<prop::sample::Index>(),
        end in any::<prop::sample::Index>(),
    ) {
        block_on(async {
            let (database, thread) = asked().await;
            let (position, mut body) = record.get(&bodies(&database, Which::Needed).await).clone();
            body.truncate(end.index(body.len()));
            replace(&database, position, body).await;
            let refused = use_it(&thread).await?;
            prop_assert!(refused > 0, "record {} is not what it was, and nobody noticed", position);
            Ok(())
        })?;
    }
}

#[tokio::test]
async fn a_thread_whose_newest_checkpoint_is_damaged_goes_on_from_the_one_before() {
    let (database, thread) = asked().await;
    let history = thread.history(Page::default()).await.unwrap();
    let (newest, before) = (history[0].id, history[1].id);
    let position: i64 = serde_json::from_value(json!(newest)).unwrap();
    replace(&database, position, b"{\"mark\": ".to_vec()).await;
    for refused in [thread.snapshot().await.unwrap_err(), thread.resume().await.unwrap_err()] {
        assert!(matches!(&refused, Error::Corrupt { reason } if !reason.is_empty()), "{refused}");
    }
    let Outcome::Waiting { state, questions } = thread.at(before).resume().await.unwrap().finish().await.unwrap()
    else {
        panic!("it asks again");
    };
    assert_eq!((state.log, questions.len()), (vec!["雨夜".to_owned(), "7".to_owned()], 1));
    let done = thread.answer("yes").await.unwrap().finish().await.unwrap();
    assert_eq!(done.into_state().log, ["雨夜", "7", "yes"]);
}

#[tokio::test]
async fn a_form_that_is_not_known_is_refused() {
    let (database, thread) = asked().await;
    for (position, body) in bodies(&database, Which::All).await {
        let text = String::from_utf8(body.clone()).unwrap();
        if !text.contains("\"form\":1") {
            continue;
        }
        replace(&database, position, text.replace("\"form\":1", "\"form\":9").into_bytes()).await;
        let error = match thread.snapshot().await {
            Err(error) => error,
            Ok(_) => thread.history(Page::default()).await.unwrap_err(),
        };
        assert!(error.to_string().contains("its form is 9, this program knows 1"), "{error}");
        replace(&database, position, body).await;
    }
}
