//! The cost of a long book on a PostgreSQL server: wall time of indexing, of an edit, and of queries.
//!
//! `cargo run --release -p qingyu-engines --features postgres --example postgres_cost -- URL [chapters]`. Creates a
//! temporary schema and drops the schema at the end.

use std::time::{Duration, Instant};

use qingyu_db::{Postgres, PostgresSettings};
use qingyu_engines::postgres::PostgresSearch;
use qingyu_knowledge::engine::{Scope, SearchEngine};
use qingyu_knowledge::{Filter, Query, chunk};
use qingyu_story::{Document, Story};

const SCHEMA: &str = "qingyu_cost";
/// Number of characters in a chapter.
const LENGTH: usize = 4_000;

/// A deterministic pseudorandom number generator.
struct CostFigures(u64);

impl CostFigures {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

fn chapter(numbers: &mut CostFigures, number: usize) -> Document {
    // Small numbers more often than large numbers, like character frequencies.
    let mut letter = || char::from_u32(0x4e00 + (numbers.below(3_000) * numbers.below(3_000) / 3_000) as u32);
    let text: String = (1..=LENGTH).filter_map(|at| if at % 20 == 0 { Some('。') } else { letter() }).collect();
    let (id, title, order) = (format!("d-{number}"), format!("第{number}章"), number as u32);
    Document { id, title, order, version: 1, text, ..Document::default() }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let url = arguments.next().unwrap_or_else(|| "postgresql://postgres@127.0.0.1:5432/test".to_owned());
    let chapters = arguments.next().map_or(Ok(300), |count| count.parse())?;
    let postgres = Postgres::open(PostgresSettings { schema: SCHEMA.into(), ..PostgresSettings::new(url) }).await?;
    let search = PostgresSearch::open(postgres.clone()).await?;
    let measured = measure(&search, chapters).await;
    postgres.client().await?.batch_execute(&format!("DROP SCHEMA {SCHEMA} CASCADE")).await?;
    measured
}

async fn measure(search: &PostgresSearch, chapters: usize) -> Result<(), Box<dyn std::error::Error>> {
    let (scope, mut numbers) = (Scope::new("local", "book"), CostFigures(7));
    let documents = (1..=chapters).map(|number| chapter(&mut numbers, number)).collect();
    let mut story = Story { documents, ..Story::default() };
    let start = Instant::now();
    search.sync(&scope, &story).await?;
    println!("{chapters} chapters, {} chunks: indexed in {:.1?}", chunk::of(&story).len(), start.elapsed());

    let mut edits = Vec::new();
    for step in 0..10 {
        story.documents[step * chapters / 10].text.push_str("他把灯吹灭了。");
        let start = Instant::now();
        search.sync(&scope, &story).await?;
        edits.push(start.elapsed());
    }
    println!("edit of a chapter: {:.1?} median", median(edits));

    let early = Filter::parse(&format!("chapter < {}", chapters / 100 + 2))?;
    for (name, filter) in [("all", None), ("1 % of it", Some(early))] {
        let mut queries = Vec::new();
        for _ in 0..100 {
            let text: Vec<char> = story.documents[numbers.below(chapters)].text.chars().collect();
            let from = numbers.below(LENGTH - 12);
            let text: String = text[from..from + 12].iter().collect();
            let query = Query { filter: filter.clone(), ..Query::new(&text) };
            let start = Instant::now();
            search.search(&scope, &query).await?;
            queries.push(start.elapsed());
        }
        println!("hybrid query among {name}: {:.1?} median", median(queries));
    }
    Ok(())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
