//! Parsing of the input files.

use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A passage of a book.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct SamplePassage {
    pub(crate) id: String,
    pub(crate) chapter: u32,
    pub(crate) text: String,
}

/// A question, and the passages with the answer.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct SampleQuestion {
    pub(crate) question: String,
    pub(crate) gold: Vec<String>,
}

/// Parses a file of JSON lines.
pub(crate) fn lines<T: DeserializeOwned>(path: &Path) -> anyhow::Result<Vec<T>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

/// Parses a file of little-endian floats: `count` consecutive vectors of equal length.
pub(crate) fn vectors(path: &Path, count: usize) -> anyhow::Result<Vec<Vec<f32>>> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    let values = qingyu_knowledge::vector::from_bytes(&bytes);
    anyhow::ensure!(
        count > 0 && values.len().is_multiple_of(count),
        "{} does not hold {count} vectors",
        path.display()
    );
    Ok(values.chunks_exact((values.len() / count).max(1)).map(<[f32]>::to_vec).collect())
}
