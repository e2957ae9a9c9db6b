//! Shows what a book remembers of what a model told: replays the readings of a recorded run into the story that its plan made,
//! and counts what was kept, asked, lost and doubled.
//!
//! `cargo run -p qingyu-story --example memory FOLDER`; the folder holds `NNNN.request.md` (or `queue/NNNN.md`) and
//! `NNNN.answer.txt` (or `answers/NNNN.txt`).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use qingyu_story::settlement::{Config, Extraction, Settlement, check_extraction, complete, follow, settle};
use qingyu_story::{Document, Mode, Names, PieceKind, Story, findings, ids};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Kept, asked, lost.
#[derive(Debug, Default, Clone, Copy)]
struct Count {
    kept: usize,
    asked: usize,
    lost: usize,
}

fn main() {
    let folder = std::env::args().nth(1).expect("the folder of a recorded run");
    let mut story = Story::default();
    println!(
        "| chapter | reading | entities | facts | dates | promises | knowledge | earlier statements withdrawn | doubled |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let mut readings: BTreeMap<u32, usize> = BTreeMap::new();
    for (request, answer) in calls(Path::new(&folder)) {
        let Some(value) = object(&answer) else { continue };
        if let Some(chapter) = chapter_of(&request).filter(|_| value.get("promises").is_some()) {
            let Ok(extraction) = serde_json::from_value::<Extraction>(value) else { continue };
            let draft = request.rsplit("<draft>\n").next().and_then(|rest| rest.split("</draft>").next());
            let reading = readings.entry(chapter).or_default();
            *reading += 1;
            row(&mut story, chapter, *reading, draft.unwrap_or_default().trim(), &extraction);
        } else if readings.is_empty() {
            plan(&mut story, &value);
        }
    }
    println!();
    for finding in findings(&story, &qingyu_story::Config::default()) {
        let issue = finding.issue;
        if issue.code.as_deref().is_some_and(|code| code.starts_with("QY")) {
            println!("{} {}: {}", issue.code.unwrap_or_default(), issue.title, issue.root_cause);
        }
    }
}

/// The requests and answers of the run, in order.
fn calls(folder: &Path) -> Vec<(String, String)> {
    let read = |path: std::path::PathBuf| std::fs::read_to_string(path).ok();
    let call = |number: u32| {
        let name = format!("{number:04}");
        let request = read(folder.join(format!("{name}.request.md")))
            .or_else(|| read(folder.join(format!("queue/{name}.md"))))?;
        let answer = read(folder.join(format!("{name}.answer.txt")))
            .or_else(|| read(folder.join(format!("answers/{name}.txt"))));
        Some((request, answer.unwrap_or_default()))
    };
    (1..10_000).map_while(call).collect()
}

/// The object in an answer.
fn object(answer: &str) -> Option<Value> {
    let (start, end) = (answer.find('{')?, answer.rfind('}')?);
    serde_json::from_str(answer.get(start..=end)?).ok()
}

/// The chapter that a request is about: the last number before its text.
fn chapter_of(request: &str) -> Option<u32> {
    let head = &request[..request.rfind("<draft>\n")?];
    let last = |marker: &str| {
        let rest = &head[head.rfind(marker)? + marker.len()..];
        rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok()
    };
    last("第 ").or_else(|| last("Chapter "))
}

/// Takes what a specialist made.
fn plan(story: &mut Story, made: &Value) {
    fn take<T: DeserializeOwned>(made: &Value, key: &str) -> Option<T> {
        serde_json::from_value(made.get(key)?.clone()).ok()
    }
    story.worldview = take(made, "worldview").or(story.worldview.take());
    story.style = take(made, "style").or(story.style.take());
    put(&mut story.outline_nodes, take(made, "outline_nodes"), |node| node.name.clone());
    put(&mut story.characters, take(made, "characters"), |card| card.name.clone());
    put(&mut story.character_relations, take(made, "character_relations"), |one| format!("{} {}", one.from, one.to));
    put(&mut story.timeline_events, take(made, "timeline_events"), |event| event.title.clone());
    put(&mut story.plot_nodes, take(made, "plot_nodes"), |node| node.title.clone());
    ids::assign(story);
}

/// Puts pieces in the place of those of the same name, and new ones at the end: a correction answers with what changes.
fn put<T>(list: &mut Vec<T>, made: Option<Vec<T>>, name: impl Fn(&T) -> String) {
    for piece in made.into_iter().flatten() {
        match list.iter_mut().find(|old| name(old) == name(&piece)) {
            Some(old) => *old = piece,
            None => list.push(piece),
        }
    }
}

fn row(story: &mut Story, chapter: u32, reading: usize, text: &str, extraction: &Extraction) {
    let id = format!("d-{chapter}");
    let chapters = story.outline_nodes.iter().filter(|node| node.kind == qingyu_story::OutlineNodeKind::Chapter);
    let node = chapters.map(|node| node.id.clone()).nth(chapter as usize - 1);
    match story.documents.iter().position(|document| document.id == id) {
        Some(at) => {
            let before = story.documents[at].clone();
            text.clone_into(&mut story.documents[at].text);
            story.documents[at].version += 1;
            let after = story.documents[at].clone();
            follow(story, &before, Some(&after));
        }
        None => story.documents.push(Document {
            id: id.clone(),
            title: format!("第{chapter}章"),
            order: chapter,
            outline_node: node,
            version: 1,
            text: text.to_owned(),
            ..Document::default()
        }),
    }
    let standing = statements(story, &id);
    let disagreements = check_extraction(story, &id, extraction).expect("the document is there");
    let completed = complete(extraction.clone(), &disagreements, Config::default());
    let settlement = settle(story, &id, &completed, Config::default()).expect("the document is there");
    let after = statements(story, &id);
    let withdrawn = standing
        .iter()
        .filter(|(label, quote)| text.contains(quote.as_str()) && !after.iter().any(|(other, _)| other == label));
    let cells = counts(story, extraction, &settlement, text);
    let cell = |count: &Count| match count.asked {
        0 => format!("{} of {}", count.kept, count.kept + count.lost),
        asked => format!("{} of {}, {asked} asked", count.kept, count.kept + count.lost + asked),
    };
    let cells: Vec<String> = cells.iter().map(cell).collect();
    let withdrawn: Vec<&String> = withdrawn.map(|(label, _)| label).collect();
    let of = standing.len();
    println!("| {chapter} | {reading} | {} | {} of {of} | {} |", cells.join(" | "), withdrawn.len(), doubled(story));
    for label in withdrawn {
        eprintln!("withdrawn from chapter {chapter}: {label}");
    }
}

/// The facts that rest on the document, with their quotes.
fn statements(story: &Story, document: &str) -> Vec<(String, String)> {
    let own = story.facts.iter().filter_map(|fact| Some((fact, fact.source.as_ref()?)));
    own.filter(|(_, source)| source.document == document)
        .map(|(fact, source)| (fact.label(), source.quote.clone()))
        .collect()
}

/// Entities, facts, dates, promises, knowledge.
fn counts(story: &Story, told: &Extraction, settlement: &Settlement, text: &str) -> [Count; 5] {
    let names = Names::of(story);
    let asked: BTreeSet<&str> = settlement.questions.iter().map(|question| question.told.quote.as_str()).collect();
    let mut counts = [Count::default(); 5];
    let mut note = |at: usize, kept: bool, quote: &str| {
        let count = &mut counts[at];
        match kept {
            true => count.kept += 1,
            false if asked.contains(quote) => count.asked += 1,
            false => {
                count.lost += 1;
                if text.contains(quote) {
                    eprintln!("lost ({at}): {quote}");
                }
            }
        }
    };
    for one in &told.entities {
        note(0, names.knows(PieceKind::from(one.kind), &one.name), &one.quote);
    }
    for said in &told.facts {
        // What has been told by another chapter, or by words that the rules read better, is known all the same.
        let meant = |name: &str, other: &str| {
            name.trim() == other.trim() || names.find(PieceKind::Character, name).iter().any(|one| one.name == other)
        };
        let found = story.facts.iter().find(|fact| {
            meant(&said.subject, &fact.subject)
                && (fact.source.as_ref().is_some_and(|source| source.quote.contains(said.quote.trim()))
                    || fact.object == said.object && !fact.object.as_deref().unwrap_or_default().is_empty())
        });
        note(1, found.is_some(), &said.quote);
        for knower in &said.known_by {
            let known = found.is_some_and(|fact| fact.known_by.iter().any(|one| meant(&knower.who, &one.who)));
            note(4, known, &said.quote);
        }
    }
    for said in told.events.iter().filter(|event| !event.timestamp.trim().is_empty()) {
        let event = story.timeline_events.iter().find(|event| {
            Some(event.title.as_str()) == said.planned.as_deref() || event.title.starts_with(said.title.trim())
        });
        let differs = |id: &str| {
            let settled = story.documents.iter().filter_map(|document| document.settled.as_ref());
            settled.flat_map(|settled| &settled.differs).any(|differs| differs.event == id)
        };
        note(
            2,
            event.is_some_and(|event| {
                event.timestamp == said.timestamp
                    || differs(&event.id)
                    || said.mode != Mode::Narrated
                    || event.timestamp.contains(said.timestamp.trim())
            }),
            &said.quote,
        );
    }
    for said in &told.promises {
        let known = story.promises.iter().any(|promise| promise.name == said.name.trim());
        note(3, known, &said.quote);
    }
    counts
}

/// Facts that say the same, and promises that are called nearly alike.
fn doubled(story: &Story) -> usize {
    let mut seen = BTreeSet::new();
    let facts = story
        .facts
        .iter()
        .filter(|fact| !seen.insert(format!("{} {:?} {} {}", fact.label(), fact.mode, fact.from, fact.until)))
        .count();
    let pairs = |name: &str| -> BTreeSet<(char, char)> { name.chars().zip(name.chars().skip(1)).collect() };
    let names: Vec<BTreeSet<(char, char)>> = story.promises.iter().map(|promise| pairs(&promise.name)).collect();
    let alike =
        |a: &BTreeSet<(char, char)>, b: &BTreeSet<(char, char)>| a.intersection(b).count() * 2 > a.len().min(b.len());
    let promises =
        names.iter().enumerate().filter(|(at, one)| names[..*at].iter().any(|other| alike(one, other))).count();
    facts + promises
}
