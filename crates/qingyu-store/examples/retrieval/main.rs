//! Cost and quality of search; called by `bench/retrieval/run.py` beside its peers.
//!
//! `cargo run --release -p qingyu-store --example retrieval -- WORK ARGUMENTS` prints a line of JSON. All times are CPU
//! times of all threads of the process.
//!
//! | work | measures |
//! |---|---|
//! | `indexing PASSAGES` | time to index the passages |
//! | `edit CHAPTERS CHARACTERS EDITS` | saves of one chapter in a book of the given size |
//! | `hybrid FOLDER` | queries with and without filter over passages with given vectors |
//! | `quality FOLDER` | the rank at which each question finds its passage |

mod book;
mod clock;
mod edit;
mod hybrid;
mod indexing;
mod passages;
mod quality;

use std::path::Path;

use anyhow::{Context, bail};
use serde_json::Value;

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result: Value = match words.as_slice() {
        ["indexing", passages] => indexing::measure(Path::new(passages)).await?,
        ["edit", chapters, characters, edits] => {
            let number = |text: &str| text.parse().with_context(|| text.to_owned());
            edit::measure(number(chapters)?, number(characters)?, number(edits)?).await?
        }
        ["hybrid", folder] => hybrid::measure(Path::new(folder)).await?,
        ["quality", folder] => quality::measure(Path::new(folder)).await?,
        _ => bail!("indexing PASSAGES | edit CHAPTERS CHARACTERS EDITS | hybrid FOLDER | quality FOLDER"),
    };
    println!("{result}");
    Ok(())
}
