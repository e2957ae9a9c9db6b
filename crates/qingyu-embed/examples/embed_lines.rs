//! Demonstrates a model in a folder: reads a text per line, writes the vectors as little-endian floats, and reports the
//! duration.
//!
//! `cargo run --release -p qingyu-embed --example embed_lines -- FOLDER passage < lines.txt > vectors.f32`
//!
//! The second argument is `passage` or `question`, the kind of the lines. `RAYON_NUM_THREADS=1` limits the work to one
//! thread.

use std::io::{Read, Write};
use std::sync::Arc;
use std::time::Instant;

use qingyu_embed::LocalEmbedder;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [_, folder, kind] =
        std::env::args().collect::<Vec<_>>().try_into().map_err(|_| "name a folder, and passage or question")?;
    let mut lines = String::new();
    std::io::stdin().read_to_string(&mut lines)?;
    let texts: Vec<String> = lines.lines().map(str::to_owned).collect();
    let begin = Instant::now();
    let local = LocalEmbedder::open(folder.as_ref())?;
    let prefixes = local.prefixes().clone();
    let embedder = prefixes.before(Arc::new(local));
    let opened = begin.elapsed();
    let begin = Instant::now();
    let vectors = match kind.as_str() {
        "question" => {
            let mut vectors = Vec::new();
            for text in &texts {
                vectors.push(embedder.embed_question(text).await?);
            }
            vectors
        }
        _ => embedder.embed(&texts).await?,
    };
    let each = begin.elapsed() / u32::try_from(texts.len().max(1))?;
    eprintln!("{}: opened in {opened:.2?}; {} texts, {each:.2?} each", embedder.name(), texts.len());
    let bytes: Vec<u8> = vectors.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
    Ok(std::io::stdout().write_all(&bytes)?)
}
