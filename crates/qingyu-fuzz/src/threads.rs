//! The journal of a thread.

use std::sync::Arc;
use std::time::Duration;

use qingyu_graph::store::{JournalRecord, MemoryStore, Owner, RecordKind};
use qingyu_graph::{Context, END, Graph, NodeError, Page, START, State, Store, Thread, ThreadId};

use crate::input;

/// A state with each kind of channel.
#[derive(Debug, Clone, Default, PartialEq, State)]
struct FuzzDraft {
    topic: String,
    #[channel(append)]
    notes: Vec<String>,
    score: f64,
}

async fn compose(draft: Arc<FuzzDraft>, context: Context) -> Result<FuzzDraftUpdate, NodeError> {
    let text = context.step("text", &draft.topic, || async { Ok::<_, NodeError>(format!("about {}", draft.topic)) });
    Ok(FuzzDraft::update().notes(vec![text.await?]).score(0.5))
}

async fn review(_: Arc<FuzzDraft>, context: Context) -> Result<FuzzDraftUpdate, NodeError> {
    let verdict: String = context.ask("verdict", "is it good?").await?;
    Ok(FuzzDraft::update().notes(vec![verdict]))
}

fn thread(store: &Arc<MemoryStore>) -> Thread<FuzzDraft> {
    let graph = Graph::<FuzzDraft>::new("draft").node("compose", compose).node("review", review);
    let graph = graph.edge(START, "compose").edge("compose", "review").edge("review", END);
    let graph = graph.compile().expect("the graph is sound");
    graph.thread(Arc::clone(store) as Arc<dyn Store>, NAME).recursion_limit(8)
}

const NAME: &str = "t";

/// Parses the record in a line: kind, scope, branch, parent, task, key and body, separated by tabs.
fn record(line: &str) -> Option<JournalRecord> {
    let mut words = line.splitn(7, '\t');
    let mut word = || words.next();
    let name = word()?;
    let kind = RecordKind::ALL.into_iter().find(|kind| kind.name() == name)?;
    let (scope, branch, parent) = (word()?.to_owned(), word()?.parse().ok()?, word()?.parse().ok()?);
    let (task, key, body) = (word()?.to_owned(), word()?.to_owned(), word()?.to_owned());
    Some(JournalRecord { scope, branch, parent, kind, task, key, body })
}

/// Returns the journals of a thread waiting for an answer and after its end, in the format of [`journal`]; used as
/// seeds.
pub fn journals_left() -> [String; 2] {
    input::block_on(async {
        let store = Arc::new(MemoryStore::new());
        let thread = thread(&store);
        let run = thread.start(FuzzDraft::update().topic("rain".to_owned())).await.expect("nobody else has the thread");
        run.finish().await.expect("the nodes do not fail");
        let waiting = lines(&store).await;
        let run = thread.answer("yes").await.expect("a question is open");
        run.finish().await.expect("the nodes do not fail");
        [waiting, lines(&store).await]
    })
}

async fn lines(store: &MemoryStore) -> String {
    let records = store.records(&ThreadId::from(NAME), 0, 100).await.expect("memory can be read");
    records.iter().map(|(_, record)| line(record)).collect()
}

fn line(record: &JournalRecord) -> String {
    let JournalRecord { scope, branch, parent, kind, task, key, body } = record;
    format!("{}\t{scope}\t{branch}\t{parent}\t{task}\t{key}\t{body}\n", kind.name())
}

/// Parses any lines as the journal of a thread: rejected as corrupt, or shown and resumed, with appended records read
/// again. Nothing hangs.
pub fn journal(bytes: &[u8]) {
    let records: Vec<JournalRecord> = input::text(bytes).lines().filter_map(record).collect();
    if !records.is_empty() {
        let work = async { tokio::time::timeout(Duration::from_secs(10), go_on(records)).await };
        input::block_on(work).expect("a run comes to an end");
    }
}

async fn go_on(records: Vec<JournalRecord>) {
    let store = Arc::new(MemoryStore::new());
    let id = ThreadId::from(NAME);
    let lease = store.acquire(&id, &Owner::this_process(), Duration::from_secs(60)).await.expect("nobody else has it");
    store.append(&lease, records, Vec::new()).await.expect("the lease is the present one");
    store.release(&lease).await.expect("a lease can be given back");
    let thread = thread(&store);
    let (shown, again) = (thread.snapshot().await, thread.snapshot().await);
    assert_eq!(format!("{shown:?}"), format!("{again:?}"), "looking changes nothing");
    if let Ok(past) = thread.history(Page::default()).await {
        for one in past.iter().take(4) {
            // A checkpoint of the past may belong to another graph.
            drop(thread.at(one.id).snapshot().await);
        }
    }
    for is_answer in [false, true] {
        let run = if is_answer { thread.answer("yes").await } else { thread.resume().await };
        let Ok(run) = run else { continue };
        let ended = run.finish().await;
        let after = thread.snapshot().await;
        assert!(after.is_ok(), "what a run leaves can be read: {ended:?}, then {after:?}");
    }
}
