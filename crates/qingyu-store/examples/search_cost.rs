//! What indexing and searching a long book costs: processor time per save, per edit and per query.
//!
//! `cargo run --release -p qingyu-store --example search_cost -- [chapters] [characters per chapter]`; needs no key and no
//! network. The text is made of common characters at random, in sentences, so that pairs are about as rare as in prose.

use std::time::{Duration, Instant};

use qingyu_db::{Database, Settings};
use qingyu_knowledge::{Filter, Query};
use qingyu_store::{ChangeKey, Error, NewProject, Projects, Provenance, Save, Search, Stories, change};
use qingyu_story::{Character, Document, Story};

/// Numbers that look random and are the same at every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    /// Small numbers more often than large ones, as words are.
    fn skewed(&mut self, end: usize) -> usize {
        let (a, b) = (self.below(end), self.below(end));
        a * b / end
    }
}

const NAMES: [&str; 6] = ["林深", "苏曼", "沈策", "顾长安", "叶知秋", "陆沉舟"];

fn prose(numbers: &mut Numbers, length: usize) -> String {
    let mut text = String::new();
    let mut count = 0;
    while count < length {
        if numbers.below(4) == 0 {
            text.push_str(NAMES[numbers.below(NAMES.len())]);
        }
        let sentence = 6 + numbers.below(18);
        text.extend((0..sentence).filter_map(|_| char::from_u32(0x4e00 + numbers.skewed(3_000) as u32)));
        text.push(if numbers.below(3) == 0 { '，' } else { '。' });
        if numbers.below(8) == 0 {
            text.push('\n');
        }
        count += sentence + 1;
    }
    text
}

fn book(chapters: usize, length: usize) -> Story {
    let mut numbers = Numbers(7);
    let card =
        |(at, name): (usize, &&str)| Character { id: format!("c-{at}"), name: (*name).into(), ..Character::default() };
    let chapter = |at: usize| Document {
        id: format!("d-{at}"),
        title: format!("第{at}章"),
        order: at as u32,
        version: 1,
        text: prose(&mut numbers, length),
        ..Document::default()
    };
    Story {
        characters: NAMES.iter().enumerate().map(card).collect(),
        documents: (1..=chapters).map(chapter).collect(),
        ..Story::default()
    }
}

/// The processor time of this process.
fn spent() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok()).unwrap_or_default();
    Duration::from_millis((ticks(11) + ticks(12)) * 10)
}

async fn save(stories: &Stories, project: &str, step: &str, before: &Story, after: &Story) -> Result<(), Error> {
    let save = Save {
        project: project.into(),
        key: ChangeKey { run: "bench".into(), step: step.into(), iteration: 0 },
        provenance: Provenance::default(),
        expected: None,
        changes: change::difference(before, after),
    };
    stories.save(save, jiff::Timestamp::now()).await.map(drop)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<usize>());
    let chapters = arguments.next().transpose()?.unwrap_or(500);
    let length = arguments.next().transpose()?.unwrap_or(4_000);
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("book.db");
    let database = Database::open(&file, Settings::default()).await?;
    qingyu_store::migrate(&database).await?;
    let now = jiff::Timestamp::now();
    let project = Projects::new(&database, "local").create(NewProject::default(), now).await?.id;
    let (stories, search) = (Stories::new(&database, "local"), Search::new(&database, "local"));
    let story = book(chapters, length);
    let bytes: usize = story.documents.iter().map(|document| document.text.len()).sum();

    let before = spent();
    save(&stories, &project, "all", &Story::default(), &story).await?;
    let whole = (spent() - before).as_secs_f64();
    let before = spent();
    search.rebuild(&project).await?;
    let anew = (spent() - before).as_secs_f64();
    let megabytes = bytes as f64 / 1e6;
    println!(
        "{chapters} chapters, {megabytes:.1} MB: saved in {whole:.2} CPU-s; index made anew in {anew:.2} CPU-s, {:.1} MB/s",
        megabytes / anew
    );
    println!("database {:.1} MB", std::fs::metadata(&file)?.len() as f64 / 1e6);

    let mut after = story.clone();
    let mut edits = Vec::new();
    for step in 0..10 {
        let before = after.clone();
        after.documents[step * chapters / 10].text.push_str("他把灯吹灭了。");
        let start = Instant::now();
        save(&stories, &project, &step.to_string(), &before, &after).await?;
        edits.push(start.elapsed());
    }
    edits.sort();
    println!("edit of a chapter, whole save: {:?} median, wall", edits[5]);

    let mut numbers = Numbers(99);
    let texts: Vec<String> = (0..200)
        .map(|_| {
            let text: Vec<char> = story.documents[numbers.below(chapters)].text.chars().collect();
            let start = numbers.below(text.len() - 12);
            text[start..start + 12].iter().collect()
        })
        .collect();
    let early = Filter::parse(&format!("chapter < {}", chapters / 100 + 2))?;
    let most = Filter::parse(&format!("chapter < {}", chapters * 6 / 10))?;
    for (name, filter) in [("no filter", None), ("1 % of it", Some(early)), ("60 % of it", Some(most))] {
        for (sides, vectors) in [("keywords", false), ("hybrid", true)] {
            let query = |text: &str| {
                let query = Query { filter: filter.clone(), ..Query::new(text) };
                if vectors { query } else { Query { vector: None, ..query } }
            };
            search.search(&project, query(&texts[0])).await?;
            let before = spent();
            let mut walls = Vec::new();
            for text in &texts {
                let start = Instant::now();
                search.search(&project, query(text)).await?;
                walls.push(start.elapsed());
            }
            let each = (spent() - before).as_secs_f64() * 1e3 / texts.len() as f64;
            walls.sort();
            println!("{name}, {sides}: {each:.2} ms CPU, {:?} median wall", walls[texts.len() / 2]);
        }
    }
    Ok(())
}
