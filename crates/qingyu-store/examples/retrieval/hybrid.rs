//! Queries over many passages whose vectors are given.
//!
//! The folder holds `passages.jsonl` with `vectors.f32`, `queries.jsonl` with `queries.f32`, and `truth.json`: for each
//! filter the ten nearest passages of each query in full precision. The first tenth of the passages is also a project of its
//! own, beside the others in the same database; its truth is called `book`.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use qingyu_knowledge::{Filter, Fusion, Query, QueryVector};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::book::{self, Book};
use crate::clock::{milliseconds, summary};
use crate::passages::{self, Passage};

const MODEL: &str = "given";

/// What is asked, in words.
#[derive(Deserialize)]
struct Words {
    text: String,
}

/// The ten nearest of each query, by filter; `all` has none.
type Truth = BTreeMap<String, Vec<Vec<String>>>;

pub(crate) async fn measure(folder: &Path) -> anyhow::Result<Value> {
    let all: Vec<Passage> = passages::lines(&folder.join("passages.jsonl"))?;
    let vectors = passages::vectors(&folder.join("vectors.f32"), all.len())?;
    let words: Vec<Words> = passages::lines(&folder.join("queries.jsonl"))?;
    let asked = passages::vectors(&folder.join("queries.f32"), words.len())?;
    let queries: Vec<(String, Vec<f32>)> = words.into_iter().map(|words| words.text).zip(asked).collect();
    let truth: Truth = serde_json::from_slice(&std::fs::read(folder.join("truth.json"))?)?;

    let place = tempfile::tempdir()?;
    let database = book::database(&place).await?;
    let mut library = Book::new(&database).await?;
    let mut single = Book::new(&database).await?;
    fill(&mut library, &all, &vectors).await?;
    fill(&mut single, &all[..all.len() / 10], &vectors).await?;

    let mut results = Map::new();
    for (filter, nearest) in &truth {
        let (book, condition) = match filter.as_str() {
            "book" => (&single, None),
            "all" => (&library, None),
            condition => (&library, Some(Filter::parse(condition)?)),
        };
        results.insert(filter.clone(), ask(book, condition.as_ref(), &queries, nearest).await?);
    }
    Ok(json!({"chunks": all.len(), "queries": queries.len(), "filters": results}))
}

/// Puts passages with their vectors into a project.
async fn fill(book: &mut Book, passages: &[Passage], vectors: &[Vec<f32>]) -> anyhow::Result<()> {
    book.save(book::all_of(&book::story(passages))).await?;
    let places: HashMap<&str, usize> = passages.iter().map(|passage| passage.id.as_str()).zip(0..).collect();
    loop {
        let waiting = book.search.unembedded(&book.project, MODEL, 5_000).await?;
        if waiting.is_empty() {
            return Ok(());
        }
        // The heading, which comes first, is the title, and the title is the passage's id.
        let vector = |text: &str| vectors[places[text.lines().next().unwrap_or_default()]].clone();
        let made = waiting.iter().map(|chunk| (chunk.number, vector(&chunk.text))).collect();
        book.search.put_vectors(&book.project, MODEL, made).await?;
    }
}

async fn ask(
    book: &Book,
    filter: Option<&Filter>,
    queries: &[(String, Vec<f32>)],
    nearest: &[Vec<String>],
) -> anyhow::Result<Value> {
    let sides = [("hybrid", 1.0, 1.0), ("keyword", 1.0, 0.0), ("vector", 0.0, 1.0)];
    let mut results = Map::new();
    for (name, keyword, vector) in sides {
        let query = |(text, values): &(String, Vec<f32>)| Query {
            vector: (vector > 0.0).then(|| QueryVector { model: MODEL.into(), values: values.clone() }),
            filter: filter.cloned(),
            fusion: Fusion { keyword, vector, ..Fusion::default() },
            ..Query::new(text)
        };
        // What is scanned is read with the first query; terms are remembered from query to query, as in any running program.
        let search = book.fresh_search();
        search.search(&book.project, query(&queries[0])).await?;
        let (mut readings, mut right) = (Vec::new(), 0);
        for (asked, nearest) in queries.iter().zip(nearest) {
            let asked = query(asked);
            let start = milliseconds();
            let hits = search.search(&book.project, asked).await?;
            readings.push(milliseconds() - start);
            right += hits.iter().filter(|hit| nearest.contains(&hit.chunk.source.id)).count();
        }
        let mut result = summary(readings);
        if name == "vector" {
            result["recall"] = json!(right as f64 / nearest.iter().map(Vec::len).sum::<usize>() as f64);
        }
        results.insert(name.into(), result);
    }
    Ok(results.into())
}
