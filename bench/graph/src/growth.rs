//! A list that grows by one message of 600 bytes a superstep: what is stored, how long a superstep takes in the end, how
//! long the newest state takes to read.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use qingyu_graph::{CompiledGraph, Context, END, Error, Graph, NodeError, START, State, Store};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::measure::{Spent, cpu_time, least_wall, median_cpu, median_wall, microseconds, spent};
use crate::places::{PostgresPlace, SqlitePlace};

const MESSAGES: usize = 2000;
/// Characters of three bytes.
const CHARACTERS: usize = 200;
const PAYLOAD: usize = MESSAGES * CHARACTERS * 3;
/// How many supersteps at the start and at the end are compared.
const STRETCH: usize = 100;

#[derive(Debug, Clone, Default, State)]
struct Talk {
    #[channel(append)]
    messages: Vec<Message>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Message {
    who: String,
    text: String,
}

/// When each superstep began, on the wall and on the processor.
type Stamps = Arc<Mutex<Vec<(Instant, Duration)>>>;

fn talk(stamps: Stamps) -> Result<CompiledGraph<Talk>, Error> {
    let say = move |talk: Arc<Talk>, _: Context| {
        let stamps = Arc::clone(&stamps);
        async move {
            stamps.lock().unwrap_or_else(PoisonError::into_inner).push((Instant::now(), cpu_time()));
            let message = Message { who: "user".to_owned(), text: text(talk.messages.len()) };
            Ok::<_, NodeError>(Talk::update().messages(vec![message]))
        }
    };
    Graph::<Talk>::new("talk")
        .node("say", say)
        .edge(START, "say")
        .route("say", ["say", END], |talk: &Talk| [if talk.messages.len() < MESSAGES { "say" } else { END }])
        .compile()
}

/// Characters without a pattern, which a database can hardly compress.
fn text(number: usize) -> String {
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64 ^ number as u64;
    let next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        char::from_u32(0x4E00 + u32::try_from(seed % 20_000).unwrap_or_default()).unwrap_or('一')
    };
    std::iter::repeat_with(next).take(CHARACTERS).collect()
}

pub async fn on_sqlite(folder: &str) -> anyhow::Result<Value> {
    let place = SqlitePlace::open(folder).await?;
    let mut line = grow(Arc::clone(&place.store) as _).await?;
    line["bodies"] = place.number("SELECT sum(length(CAST(ifnull(packed, body) AS BLOB))) FROM graph_record").await?.into();
    let pages = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()";
    line["stored"] = place.number(pages).await?.into();
    Ok(line)
}

pub async fn on_postgres(url: &str) -> anyhow::Result<Value> {
    let place = PostgresPlace::open(url).await?;
    let measured = async {
        let mut line = grow(Arc::clone(&place.store) as _).await?;
        line["bodies"] = place.number("SELECT sum(octet_length(body))::bigint FROM graph_record").await?.into();
        let tables = "SELECT pg_total_relation_size('graph_record') + pg_total_relation_size('graph_thread')";
        line["stored"] = place.number(tables).await?.into();
        Ok(line)
    };
    let measured = measured.await;
    place.leave(measured).await
}

async fn grow(store: Arc<dyn Store>) -> anyhow::Result<Value> {
    let stamps = Stamps::default();
    let limit = u32::try_from(MESSAGES + 1)?;
    let thread = talk(Arc::clone(&stamps))?.thread(store, "talk").recursion_limit(limit);
    let work = async { Ok::<_, anyhow::Error>(thread.start(Talk::update()).await?.finish().await?.into_state()) };
    let (talk, whole) = spent(work).await?;
    anyhow::ensure!(talk.messages.len() == MESSAGES, "there are {} messages", talk.messages.len());
    let mut reads = Vec::new();
    for _ in 0..20 {
        let (snapshot, read) = spent(thread.snapshot()).await?;
        let messages = snapshot.map_or(0, |snapshot| snapshot.state.messages.len());
        anyhow::ensure!(messages == MESSAGES, "{messages} messages were read");
        reads.push(read);
    }
    let stamps = stamps.lock().unwrap_or_else(PoisonError::into_inner);
    let steps: Vec<_> =
        stamps.windows(2).map(|pair| Spent { wall: pair[1].0 - pair[0].0, cpu: pair[1].1 - pair[0].1 }).collect();
    let (first, last) = (&steps[..STRETCH], &steps[steps.len() - STRETCH..]);
    Ok(json!({
        "cpu_us": microseconds(whole.cpu),
        "wall_us": microseconds(whole.wall),
        "payload": PAYLOAD,
        "first_wall_us": median_wall(first),
        "last_wall_us": median_wall(last),
        "pace": median_wall(last) / median_wall(first),
        "cpu_pace": median_cpu(last) / median_cpu(first),
        "read_us": least_wall(&reads),
    }))
}
