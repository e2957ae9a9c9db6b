//! The time to build an index.

use std::path::Path;

use qingyu_knowledge::chunk;
use qingyu_knowledge::embed::LexicalEmbedder;
use serde_json::{Value, json};

use crate::book::{self, SampleBook};
use crate::clock::milliseconds;
use crate::passages;

pub(crate) async fn measure(file: &Path) -> anyhow::Result<Value> {
    let story = book::story(&passages::lines(file)?);
    let folder = tempfile::tempdir()?;
    let mut book = SampleBook::new(&book::database(&folder).await?).await?;
    book.save(book::all_of(&story)).await?;
    let before = milliseconds();
    book.search.rebuild(&book.project).await?;
    let whole = milliseconds() - before;
    let texts: Vec<String> = chunk::of(&story).iter().map(chunk::Chunk::embedded).collect();
    let embedder = LexicalEmbedder::new();
    let before = milliseconds();
    let sum: f32 = texts.iter().map(|text| embedder.vector(text)[0]).sum();
    let embedding = milliseconds() - before;
    let bytes: usize = story.documents.iter().map(|document| document.text.len()).sum();
    Ok(json!({
        "megabytes": bytes as f64 / 1e6,
        "chunks": texts.len(),
        "whole_cpu_ms": whole,
        "embedding_cpu_ms": embedding,
        "check": sum.is_finite(),
    }))
}
