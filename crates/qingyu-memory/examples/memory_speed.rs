//! Measures the embedded long-term memory: the cost of adding, listing and searching for a user with many memories.
//!
//! `cargo run --release -p qingyu-memory --example memory_speed [memories]`

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use qingyu_db::{Database, Settings};
use qingyu_memory::long_term::{Kind, MemoryFilter, NewMemory, Source, Standing, StoredLongTerm};
use qingyu_memory::{LongTermMemory, SystemClock, UserId};

const SEARCHES: u32 = 20;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let count: usize = std::env::args().nth(1).map_or(Ok(1_000), |given| given.parse())?;
    let folder = tempfile::tempdir()?;
    let database = Database::open(&folder.path().join("memory.db"), Settings::default()).await?;
    let memory = StoredLongTerm::open(database, Arc::new(SystemClock)).await?;
    let user = UserId::new("somebody")?;

    let begun = Instant::now();
    futures::future::try_join_all((0..count).map(|number| memory.add(&user, preference(number)))).await?;
    println!("{count} added in {:.0} ms", begun.elapsed().as_secs_f64() * 1e3);

    let begun = Instant::now();
    let listed = memory.list(&user, &MemoryFilter::default()).await?.len();
    println!("{listed} listed in {:.1} ms", begun.elapsed().as_secs_f64() * 1e3);

    let begun = Instant::now();
    for _ in 0..SEARCHES {
        memory.search(&user, "第七章的雨夜不要太长", &MemoryFilter::default(), 10).await?;
    }
    println!("a search in {:.1} ms", begun.elapsed().as_secs_f64() * 1e3 / f64::from(SEARCHES));
    Ok(())
}

/// Returns one of many similar preferences.
fn preference(number: usize) -> NewMemory {
    let subjects = ["雨夜", "对话", "结尾", "主角的弱点", "第七章的节奏", "旧港的描写", "反派的动机"];
    let wishes = ["不要太长", "要留白", "少用感叹号", "写得更具体", "放到后面再说"];
    let text = format!("{}{}（第 {number} 条）", subjects[number % subjects.len()], wishes[number % wishes.len()]);
    NewMemory {
        kind: Kind::Preference,
        project: None,
        topic: text.clone(),
        text,
        evidence: Vec::new(),
        source: Source::User,
        standing: Standing::On,
    }
}
