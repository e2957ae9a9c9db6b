//! Lists the chapters of published novels rejected by the floor, from a folder of chapters for each book.
//!
//! `cargo run --release -p qingyu-text --example floor_novels FOLDER...`; `bench/text/chapters.py` creates such
//! folders.

use std::path::{Path, PathBuf};
use std::time::Instant;

use qingyu_story::Language;
use qingyu_text::floor::talk;
use qingyu_text::{ChapterCandidate, Floor};

fn main() -> std::io::Result<()> {
    let floor = Floor::default();
    let (mut chapters, mut stopped, mut touched, mut millis) = (0, 0, 0, 0.0);
    for folder in std::env::args().skip(1) {
        let book = read(Path::new(&folder))?;
        let language = Language::of(&book.iter().map(|(_, text)| text.as_str()).collect::<String>());
        for (number, (name, text)) in book.iter().enumerate() {
            // Books are written in order, so each chapter is compared with earlier chapters only.
            let others = book[..number].iter().map(|(name, text)| (name.as_str(), text.as_str()));
            let candidate = ChapterCandidate { text, language, words: None, is_whole: true };
            let begun = Instant::now();
            let shortfalls = floor.examine(&candidate, others);
            millis += begun.elapsed().as_secs_f64() * 1e3;
            let parted = talk::part(text);
            chapters += 1;
            stopped += usize::from(!shortfalls.is_empty());
            touched += usize::from(!parted.taken.is_empty());
            for shortfall in shortfalls {
                println!("{folder}/{name}: {} {}", shortfall.kind.name(), shortfall.title);
            }
            for taken in parted.taken {
                println!("{folder}/{name}: taken off: {taken}");
            }
        }
    }
    println!(
        "{chapters} chapters: {stopped} stopped, {touched} with something taken off, {:.1} ms each",
        millis / f64::from(chapters)
    );
    Ok(())
}

/// Returns the names and texts of the chapters in a folder, in order.
fn read(folder: &Path) -> std::io::Result<Vec<(String, String)>> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    paths.sort();
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    paths.into_iter().map(|path| Ok((name(&path), std::fs::read_to_string(&path)?))).collect()
}
