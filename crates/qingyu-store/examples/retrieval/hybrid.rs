//! Queries over many passages with given vectors.
//!
//! The folder holds `passages.jsonl` with `vectors.f32`, `queries.jsonl` with `queries.f32`, and `truth.json`: for each
//! filter the ten nearest passages of each query in full precision. The first tenth of the passages is also a separate
//! project in the same database; its truth is named `book`.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use qingyu_knowledge::{Filter, Fusion, Query, QueryVector};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::book::{self, SampleBook};
use crate::clock::{milliseconds, summary};
use crate::passages::{self, SamplePassage};

const MODEL: &str = "given";

/// A query text.
#[derive(Deserialize)]
struct Words {
    text: String,
}

/// The ten nearest passages of each query, by filter; `all` is unfiltered.
type RelevantPassages = BTreeMap<String, Vec<Vec<String>>>;

pub(crate) async fn measure(folder: &Path) -> anyhow::Result<Value> {
    let all: Vec<SamplePassage> = passages::lines(&folder.join("passages.jsonl"))?;
    let vectors = passages::vectors(&folder.join("vectors.f32"), all.len())?;
    let words: Vec<Words> = passages::lines(&folder.join("queries.jsonl"))?;
    let asked = passages::vectors(&folder.join("queries.f32"), words.len())?;
    let queries: Vec<(String, Vec<f32>)> = words.into_iter().map(|words| words.text).zip(asked).collect();
    let truth: RelevantPassages = serde_json::from_slice(&std::fs::read(folder.join("truth.json"))?)?;

    let place = tempfile::tempdir()?;
    let database = book::database(&place).await?;
    let mut library = SampleBook::new(&database).await?;
    let mut single = SampleBook::new(&database).await?;
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

/// Inserts passages with their vectors into a project.
async fn fill(book: &mut SampleBook, passages: &[SamplePassage], vectors: &[Vec<f32>]) -> anyhow::Result<()> {
    book.save(book::all_of(&book::story(passages))).await?;
    let places: HashMap<&str, usize> = passages.iter().map(|passage| passage.id.as_str()).zip(0..).collect();
    loop {
        let waiting = book.search.unembedded(&book.project, MODEL, 5_000).await?;
        if waiting.is_empty() {
            return Ok(());
        }
        // The heading comes first and is the passage id.
        let vector = |text: &str| vectors[places[text.lines().next().unwrap_or_default()]].clone();
        let made = waiting.iter().map(|chunk| (chunk.number, vector(&chunk.text))).collect();
        book.search.put_vectors(&book.project, MODEL, made).await?;
    }
}

async fn ask(
    book: &SampleBook,
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
        // Scanned data is read by the first query; terms are cached between queries, as in production.
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
