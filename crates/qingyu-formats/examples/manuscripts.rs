//! Reads all manuscripts of a folder and prints the number of chapters found in each, beside the expected number if a
//! list has it: `manuscripts FOLDER [EXPECTED]`. The list is JSON, `{"file name without extension": chapters}`, where
//! `{"numbered": chapters}` counts only the numbered chapters, without prefaces. The default list is `expected.json` in
//! the folder. `--titles` prints the headings as well.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use qingyu_formats::{Format, HeadingRule, ReadOptions, Split, SplitOptions, Warning, read, split};
use serde::Deserialize;

/// The expected number of chapters.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged)]
enum ExpectedCount {
    /// The number of all chapters.
    All(usize),
    /// The number of numbered chapters.
    Numbered {
        /// Number of chapters.
        numbered: usize,
    },
}

impl ExpectedCount {
    fn of(self, found: &Split) -> (usize, usize) {
        match self {
            Self::All(all) => (all, found.chapters.len()),
            Self::Numbered { numbered } => (numbered, found.chapters.iter().filter(|one| one.number.is_some()).count()),
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let with_titles = arguments.iter().any(|argument| argument == "--titles");
    arguments.retain(|argument| argument != "--titles");
    let folder = PathBuf::from(arguments.first().ok_or("name the folder")?);
    let list = arguments.get(1).map_or_else(|| folder.join("expected.json"), PathBuf::from);
    let expected = expected(&list)?;
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    files.retain(|file| file.is_file() && format(file).is_some());
    files.sort();
    let (mut known, mut right, mut silent) = (0, 0, 0);
    println!("| file | encoding | characters | true | found | seconds | said |");
    println!("|---|---|--:|--:|--:|--:|---|");
    for file in &files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let begun = Instant::now();
        let (encoding, found) = match found(file) {
            Ok(found) => found,
            Err(error) => {
                println!("| {name} | | | | | | {error} |");
                continue;
            }
        };
        let seconds = begun.elapsed().as_secs_f64();
        let wanted = expected.get(&name).map(|expected| expected.of(&found));
        let is_wrong = wanted.is_some_and(|(wanted, count)| wanted != count);
        let mark = if is_wrong { "**" } else { "" };
        known += usize::from(wanted.is_some());
        right += usize::from(wanted.is_some() && !is_wrong);
        silent += usize::from(is_wrong && found.warnings.is_empty());
        let count = wanted.map_or(found.chapters.len(), |(_, count)| count);
        let wanted = wanted.map_or_else(String::new, |(wanted, _)| wanted.to_string());
        let characters = found.coverage.characters();
        println!(
            "| {name} | {encoding} | {characters} | {wanted} | {mark}{count}{mark} | {seconds:.2} | {} |",
            said(&found)
        );
        if with_titles {
            titles(&found);
        }
    }
    println!("\n{right} of {known} right; {silent} wrong without a warning");
    Ok(())
}

fn format(file: &Path) -> Option<Format> {
    Format::of_name(&file.file_name()?.to_string_lossy())
}

fn expected(list: &Path) -> Result<BTreeMap<String, ExpectedCount>, Box<dyn std::error::Error>> {
    if !list.exists() {
        return Ok(BTreeMap::new());
    }
    Ok(serde_json::from_str(&std::fs::read_to_string(list)?)?)
}

fn found(file: &Path) -> Result<(String, Split), qingyu_formats::Error> {
    let bytes = std::fs::read(file).map_err(qingyu_formats::Error::Read)?;
    let reading = ReadOptions { format: format(file), ..ReadOptions::default() };
    let ingested = read(&mut bytes.as_slice(), &reading)?;
    let encoding =
        ingested.encoding.as_ref().map_or_else(String::new, |encoding| format!("{} {:?}", encoding.name, encoding.by));
    let splitting = SplitOptions { cut: None, headings: HeadingRule::Learnt };
    Ok((encoding, split(&ingested, &splitting)?))
}

/// Returns the warnings, counted by kind.
fn said(found: &Split) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for warning in &found.warnings {
        let kind = match warning {
            Warning::Missing { .. } => "missing",
            Warning::Twice { .. } => "twice",
            Warning::Backwards { .. } => "backwards",
            Warning::OneChapter { .. } => "one chapter",
            Warning::Guessed { .. } => "guessed",
            Warning::Long { .. } => "long",
            Warning::Outside { .. } => "outside",
            Warning::Unread { .. } => "unread",
            Warning::NoText { .. } => "no text",
            Warning::Misprinted { .. } => "misprinted",
            Warning::Unfound { .. } => "unfound",
            Warning::Truncated { .. } => "truncated",
        };
        *counts.entry(kind).or_default() += 1;
    }
    let warnings = counts.into_iter().map(|(kind, count)| format!("{kind} {count}"));
    let apart = found.apart.iter().map(|apart| format!("{:?} {}", apart.kind, apart.lines).to_lowercase());
    let front = Some(format!("front {}", found.coverage.front())).filter(|_| found.coverage.front() > 0);
    warnings.chain(apart).chain(front).collect::<Vec<_>>().join(", ")
}

fn titles(found: &Split) {
    println!("    title {:?}, author {:?}, kinds {:?}", found.title, found.author, found.headings);
    for chapter in &found.chapters {
        let volume = chapter.volume.as_deref().map(|volume| format!("{volume} / ")).unwrap_or_default();
        println!("    {volume}{} [{:?}] {}", chapter.title, chapter.number, chapter.characters);
    }
    for warning in &found.warnings {
        println!("    ! {warning:?}");
    }
    for apart in &found.apart {
        println!("    - {apart:?}");
    }
}
