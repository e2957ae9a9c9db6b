//! Measures the import of a book and of a book with twice as many chapters: `import_speed [FILE]`. By default both
//! books are generated, with a cast growing with the number of chapters; from a file the example imports all chapters,
//! and then the first half.
//!
//! Prints the seconds and their ratio; the import is linear if the ratio is about 2.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result};
use qingyu_formats::{HeadingRule, ReadOptions, SplitOptions, read, split};
use qingyu_story::numerals::chinese;
use qingyu_studio::{Environment, ImportRequest, ManuscriptRole, Settings, Studio};

/// The default number of chapters of the larger book.
const CHAPTERS: usize = 2171;

#[tokio::main]
async fn main() -> Result<()> {
    let file = std::env::args().nth(1).map(PathBuf::from);
    let chapters = match &file {
        Some(file) => chapters_of(file)?,
        None => (1..=CHAPTERS).map(chapter).collect(),
    };
    let home = tempfile::tempdir()?;
    let variables = [("QINGYU_HOME".to_owned(), home.path().to_string_lossy().into_owned())];
    let studio = Studio::open(Settings::load(Environment::new(variables), toml::Table::new())?).await?;
    let mut seconds = Vec::new();
    for count in [chapters.len() / 2, chapters.len()] {
        let bytes: Arc<[u8]> = chapters[..count].concat().into_bytes().into();
        let request = ImportRequest {
            name: format!("book-{count}.txt"),
            bytes,
            files: Vec::new(),
            role: ManuscriptRole::Book,
            project: None,
            title: Some(format!("{count}")),
            language: None,
            encoding: None,
            cut: None,
            headings: HeadingRule::Learnt,
            replace: false,
            dry_run: false,
        };
        let begun = Instant::now();
        let brought = studio.import_manuscript(request).await?;
        let took = begun.elapsed().as_secs_f64();
        println!(
            "{} chapters, {} facts, {} in the cast: {took:.2} s",
            brought.chapters.len(),
            brought.settled.facts,
            brought.settled.cast.len()
        );
        seconds.push(took);
    }
    println!("twice as many chapters take {:.2} times as long", seconds[1] / seconds[0]);
    Ok(())
}

/// Parses a manuscript and returns its chapters with their headings.
fn chapters_of(file: &PathBuf) -> Result<Vec<String>> {
    let bytes = std::fs::read(file)?;
    let ingested = read(&mut bytes.as_slice(), &ReadOptions::default())?;
    let found = split(&ingested, &SplitOptions { cut: None, headings: HeadingRule::Learnt }).context("no chapters")?;
    Ok(found.chapters.into_iter().map(|one| format!("{}\n\n{}\n\n", one.title, one.text)).collect())
}

/// Returns a generated chapter with recurring characters and characters of this chapter only.
fn chapter(number: usize) -> String {
    const SURNAMES: [&str; 12] = ["沈", "周", "林", "陆", "苏", "顾", "许", "孟", "冯", "韩", "秦", "罗"];
    const NAMES: [&str; 16] = [
        "砚秋", "德海", "青禾", "怀瑾", "子衿", "明远", "若水", "清和", "望舒", "知微", "景行", "思齐", "长风", "念安",
        "云岫", "听雪",
    ];
    let person = |at: usize| format!("{}{}", SURNAMES[at % SURNAMES.len()], NAMES[at / SURNAMES.len() % NAMES.len()]);
    let mut text = format!("第{}章 夜雨{number}\n\n", chinese(u32::try_from(number).unwrap_or(1)));
    let people = [person(0), person(1), person(13), person(number), person(number / 7 + 40)];
    for (turn, one) in people.iter().cycle().take(24).enumerate() {
        let other = &people[(turn + 2) % people.len()];
        writeln!(text, "　　{one}推开门，雨声一下子大了。{one}道：“你来晚了，{other}已经走了{turn}天。”").ok();
        writeln!(text, "　　{other}住在旧港东街，今年{}岁。{other}笑道：“等一等再说。”{one}没有回答。", 20 + turn).ok();
    }
    text.push('\n');
    text
}
