//! The ranks at which questions find their passages.
//!
//! The folder holds `passages.jsonl` and `questions.jsonl`; optionally, if computed by a model, `passages.f32` and
//! `questions.f32`.

use std::path::Path;

use qingyu_knowledge::{Fusion, Query, QueryVector};
use serde_json::{Map, Value};

use crate::book::{self, SampleBook};
use crate::passages::{self, SamplePassage, SampleQuestion};

const MODEL: &str = "given";
/// Number of results checked.
const DEPTH: usize = 10;

/// Returns, for each search mode, the rank of the first right passage for each question; 0 if no right passage is in
/// the first ten.
pub(crate) async fn measure(folder: &Path) -> anyhow::Result<Value> {
    let all: Vec<SamplePassage> = passages::lines(&folder.join("passages.jsonl"))?;
    let questions: Vec<SampleQuestion> = passages::lines(&folder.join("questions.jsonl"))?;
    let place = tempfile::tempdir()?;
    let mut book = SampleBook::new(&book::database(&place).await?).await?;
    book.save(book::all_of(&book::story(&all))).await?;
    let lexical = |question: &SampleQuestion| QueryVector::lexical(&question.question);
    let mut results = Map::new();
    results.insert("keyword".into(), ranks(&book, &questions, (1.0, 0.0), lexical).await?);
    results.insert("lexical".into(), ranks(&book, &questions, (0.0, 1.0), lexical).await?);
    results.insert("keyword + lexical".into(), ranks(&book, &questions, (1.0, 1.0), lexical).await?);
    if folder.join("passages.f32").exists() {
        let vectors = passages::vectors(&folder.join("passages.f32"), all.len())?;
        let asked = passages::vectors(&folder.join("questions.f32"), questions.len())?;
        let waiting = book.search.unembedded(&book.project, MODEL, usize::MAX >> 1).await?;
        let place = |text: &str| all.iter().position(|passage| text.lines().next() == Some(passage.id.as_str()));
        let made = waiting.iter().filter_map(|chunk| Some((chunk.number, vectors[place(&chunk.text)?].clone())));
        book.search.put_vectors(&book.project, MODEL, made.collect()).await?;
        let given = |question: &SampleQuestion| {
            let at = questions.iter().position(|other| std::ptr::eq(other, question)).unwrap_or_default();
            QueryVector { model: MODEL.into(), values: asked[at].clone() }
        };
        results.insert("model".into(), ranks(&book, &questions, (0.0, 1.0), given).await?);
        results.insert("keyword + model".into(), ranks(&book, &questions, (1.0, 1.0), given).await?);
    }
    Ok(results.into())
}

async fn ranks(
    book: &SampleBook,
    questions: &[SampleQuestion],
    (keyword, vector): (f64, f64),
    vector_of: impl Fn(&SampleQuestion) -> QueryVector,
) -> anyhow::Result<Value> {
    let mut ranks = Vec::new();
    for question in questions {
        let fusion = Fusion { keyword, vector, ..Fusion::default() };
        let query = Query { vector: Some(vector_of(question)), limit: DEPTH, fusion, ..Query::new(&question.question) };
        let hits = book.search.search(&book.project, query).await?;
        let right = hits.iter().position(|hit| question.gold.contains(&hit.chunk.source.id));
        ranks.push(Value::from(right.map_or(0, |place| place + 1)));
    }
    Ok(ranks.into())
}
