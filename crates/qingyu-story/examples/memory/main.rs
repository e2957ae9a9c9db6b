//! Measures how much of a model's extractions a book keeps: replays the chapter readings of a recorded run into the
//! story made by its plan, and counts kept, questioned, lost and duplicate entries.
//!
//! `cargo run -p qingyu-story --example memory [FOLDER]`. A folder with `expected.toml` (by default the recorded run of
//! this repository) is compared with expectations written by hand; any other folder holds `NNNN.request.md` (or
//! `queue/NNNN.md`) and `NNNN.answer.txt` (or `answers/NNNN.txt`), and is compared with what its reader told.

mod labels;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use qingyu_story::settlement::{Extraction, Settlement};
use qingyu_story::{Mode, Names, PieceKind, Story, findings, ids};
use serde::de::DeserializeOwned;
use serde_json::Value;

use self::labels::{KINDS, LabelCounts, read, statements};

/// The recorded run of this repository.
const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../qingyu-studio/tests/strong");

/// Counts of kept, questioned and lost entries.
#[derive(Debug, Default, Clone, Copy)]
struct MemoryCounts {
    kept: usize,
    asked: usize,
    lost: usize,
}

fn main() {
    let folder = std::env::args().nth(1).unwrap_or_else(|| RECORDED.to_owned());
    if Path::new(&folder).join("expected.toml").exists() {
        return labelled(Path::new(&folder));
    }
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

/// Prints what became of the expectations of a folder after every reading.
fn labelled(folder: &Path) {
    println!("| reading | chapter | {} |", KINDS.join(" | "));
    println!("|---|---|{}", "---|".repeat(KINDS.len()));
    for (number, (chapter, counts)) in (1..).zip(labels::replay(folder)) {
        println!("| {number} | {chapter} | {} |", counts.map(cell_of).join(" | "));
    }
}

/// Returns `kept of all`, and what else became of the others.
fn cell_of(count: LabelCounts) -> String {
    let LabelCounts { kept, asked, lost, wrong, doubled } = count;
    let mut cell = format!("{kept} of {}", kept + asked + lost + wrong);
    for (number, what) in [(asked, "asked"), (lost, "lost"), (wrong, "wrong"), (doubled, "doubled")] {
        if number > 0 {
            cell.push_str(&format!(", {number} {what}"));
        }
    }
    cell
}

/// Returns the requests and answers of the run, in order.
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

/// Parses the JSON object in an answer.
fn object(answer: &str) -> Option<Value> {
    let (start, end) = (answer.find('{')?, answer.rfind('}')?);
    serde_json::from_str(answer.get(start..=end)?).ok()
}

/// Returns the chapter of a request: the last number before the chapter's text.
fn chapter_of(request: &str) -> Option<u32> {
    let head = &request[..request.rfind("<draft>\n")?];
    let last = |marker: &str| {
        let rest = &head[head.rfind(marker)? + marker.len()..];
        rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok()
    };
    last("第 ").or_else(|| last("Chapter "))
}

/// Inserts a specialist's output into the story.
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

/// Replaces pieces of the same name and appends new ones, since a correction returns only the changed pieces.
fn put<T>(list: &mut Vec<T>, made: Option<Vec<T>>, name: impl Fn(&T) -> String) {
    for piece in made.into_iter().flatten() {
        match list.iter_mut().find(|old| name(old) == name(&piece)) {
            Some(old) => *old = piece,
            None => list.push(piece),
        }
    }
}

fn row(story: &mut Story, chapter: u32, reading: usize, text: &str, extraction: &Extraction) {
    let (settlement, standing) = read(story, chapter, text, extraction);
    let after = statements(story, &format!("d-{chapter}"));
    let withdrawn = standing
        .iter()
        .filter(|(label, quote)| text.contains(quote.as_str()) && !after.iter().any(|(other, _)| other == label));
    let cells = counts(story, extraction, &settlement, text);
    let cell = |count: &MemoryCounts| match count.asked {
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

/// Counts entities, facts, dates, promises and knowledge.
fn counts(story: &Story, told: &Extraction, settlement: &Settlement, text: &str) -> [MemoryCounts; 5] {
    let names = Names::of(story);
    let asked: BTreeSet<&str> = settlement.questions.iter().map(|question| question.told.quote.as_str()).collect();
    let mut counts = [MemoryCounts::default(); 5];
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
        // An entry counts as kept if another chapter, or a reading by the rules, already has it.
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
            settled
                .flat_map(|settled| &settled.differs)
                .any(|differs| differs.event == id && differs.field == "timestamp")
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

/// Counts duplicate facts and promises with nearly equal names.
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
