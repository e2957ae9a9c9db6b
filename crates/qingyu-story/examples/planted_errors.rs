//! Measures the checker's recall on errors planted in clean stories, and its rate of false findings.
//!
//! `cargo run -p qingyu-story --example planted_errors [-- --json]`

#[path = "../tests/planted/mod.rs"]
mod planted;

use planted::{Extent, Table, findings, fixtures, run};
use qingyu_story::Manuscript;

fn main() -> Result<(), serde_json::Error> {
    let stories = fixtures();
    let clean: usize = stories.iter().map(|(_, story)| findings(story, false, &mut Manuscript::default()).len()).sum();
    let cases = run(Extent::Whole);
    let table = Table::of(&cases);
    if std::env::args().any(|argument| argument == "--json") {
        println!("{}", serde_json::to_string_pretty(&table)?);
    } else {
        println!("{} clean stories with {clean} findings, {} stories made from them", stories.len(), cases.len());
        print!("{table}");
    }
    Ok(())
}
