//! Measures how long checking a long book takes, and rechecking after a change; default: 2,000 chapters, 500
//! characters, 4,000 events, 60,000 facts.
//!
//! `cargo run --release -p qingyu-story --example check_speed [chapters]`

use std::time::Instant;

use qingyu_story::check::StoryChecker;
use qingyu_story::edit::{AppliedEdit, EditStep};
use qingyu_story::truth::{GroundTruth, Question};
use qingyu_story::{
    Character, CharacterRelation, Config, Document, Fact, Item, Knower, Location, OutlineNode, Piece, Quotation,
    RelationKind, RoleType, Story, TimelineEvent, Worldview, check, findings, impact,
};
use serde_json::json;

fn main() {
    let chapters = std::env::args().nth(1).and_then(|number| number.parse().ok()).unwrap_or(2000);
    let story = book(chapters);
    println!("{chapters} chapters, {} characters, {} facts", story.characters.len(), story.facts.len());
    let config = Config::default();
    let (found, full) = best(|| check(&story, &config).len());
    row("full check", full, &format!("{found} findings"));
    let bare = Story { facts: Vec::new(), ..story.clone() };
    let (found, time) = best(|| check(&bare, &config).len());
    row("the same without facts", time, &format!("{found} findings"));
    let (truth, time) = best(|| GroundTruth::of(&story));
    row("the ground truth", time, "");
    let question = Question { about: Some("人物1".into()), as_of: Some("第900章".into()), ..Question::default() };
    let (answers, time) = best(|| truth.ask(&question).expect("the book knows them").len());
    row("a question", time, &format!("{answers} answers"));
    for piece in ["f-77", "c-7"] {
        let (touched, time) = best(|| impact(&story, piece, Some(3)).expect("the piece is there").len());
        row(&format!("the impact of {piece}, 3 steps"), time, &format!("{touched} pieces"));
    }
    again(story, full);
}

/// Measures rechecking after small changes.
fn again(story: Story, full: ElapsedTimes) {
    let before = resident();
    let (mut checker, time) = once(|| StoryChecker::new(story, Config::default()));
    row("a checker that keeps what it found", time, &format!("{:.0} MB more memory", resident() - before));
    let changes = checker.story().facts.len() / 400;
    let mut times = Vec::new();
    let mut facts = 0;
    for position in (0..changes).map(|number| number * 397) {
        let before = checker.story().facts[position].clone();
        let other = &checker.story().facts[(position * 7 + 11) % checker.story().facts.len()];
        let after = match position % 4 {
            0 => Fact { value: json!(position), ..before.clone() },
            1 => Fact { subject: other.subject.clone(), ..before.clone() },
            2 => Fact { from: other.from.clone(), until: String::new(), ..before.clone() },
            _ => Fact { id: before.id.clone(), ..other.clone() },
        };
        let change = replace(position, Piece::Fact(before), Piece::Fact(after));
        let (effort, time) = once(|| checker.apply(&change).expect("the change fits"));
        facts += effort.facts;
        times.push(time);
    }
    let median = spread("one changed fact", &mut times, full);
    println!(
        "  {} facts looked at for each; a full check takes {:.0} times as long",
        facts / changes,
        ratio(full, median)
    );
    let mut times = Vec::new();
    let texts = checker.story().documents.len();
    for position in (0..20).map(|number| number * texts / 20) {
        let before = checker.story().documents[position].clone();
        let after =
            Document { text: format!("{}天亮了。", before.text), version: before.version + 1, ..before.clone() };
        let change = replace(position, Piece::Document(before), Piece::Document(after));
        times.push(once(|| checker.apply(&change).expect("the change fits")).1);
    }
    spread("one rewritten chapter", &mut times, full);
    let before = checker.story().timeline_events[7].clone();
    let after = TimelineEvent { timestamp: "第9天".into(), ..before.clone() };
    let change = replace(7, Piece::Event(before), Piece::Event(after));
    let (effort, time) = once(|| checker.apply(&change).expect("the change fits"));
    row(
        "one changed event",
        time,
        &format!("{} rules looked at all; ratio {:.1}", effort.whole.len(), ratio(full, time)),
    );
    let same = checker.findings().cloned().collect::<Vec<_>>() == findings(checker.story(), &Config::default());
    println!("after all changes the findings are those of a full check: {same}");
}

fn replace(position: usize, before: Piece, after: Piece) -> AppliedEdit {
    AppliedEdit { steps: vec![EditStep { position, before: Some(before), after: Some(after) }] }
}

/// The elapsed time of a task: wall clock, and CPU time of all threads together.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct ElapsedTimes {
    wall: f64,
    cpu: f64,
}

/// Returns the result of `work` and the elapsed milliseconds.
fn once<T>(work: impl FnOnce() -> T) -> (T, ElapsedTimes) {
    let cpu = || {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
    };
    let (start, start_cpu) = (Instant::now(), cpu());
    let made = work();
    (made, ElapsedTimes { wall: start.elapsed().as_secs_f64() * 1e3, cpu: cpu() - start_cpu })
}

/// Returns the result of `work` and the shortest elapsed time of five runs.
fn best<T>(mut work: impl FnMut() -> T) -> (T, ElapsedTimes) {
    let (made, first) = once(&mut work);
    let least = |a: ElapsedTimes, b: ElapsedTimes| ElapsedTimes { wall: a.wall.min(b.wall), cpu: a.cpu.min(b.cpu) };
    (made, (0..4).map(|_| once(&mut work).1).fold(first, least))
}

fn row(what: &str, ElapsedTimes { wall, cpu }: ElapsedTimes, note: &str) {
    println!("{what:<36} {wall:>8.2} ms  cpu {cpu:>8.2} ms  {note}");
}

/// Prints the median and the maximum of `times`, and returns the median.
fn spread(what: &str, times: &mut [ElapsedTimes], full: ElapsedTimes) -> ElapsedTimes {
    times.sort_by(|a, b| a.wall.total_cmp(&b.wall));
    let (median, longest) = (times[times.len() / 2], times[times.len() - 1]);
    let note = format!("{} times; longest {:.2} ms; ratio {:.0}", times.len(), longest.wall, ratio(full, median));
    row(what, median, &note);
    median
}

fn ratio(full: ElapsedTimes, part: ElapsedTimes) -> f64 {
    full.cpu / part.cpu
}

/// Returns the resident memory of the process in megabytes, or 0 if unknown.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<f64>().ok()).unwrap_or_default() / 1024.0
}

/// Returns a book in which every character appears, with two dated events per chapter.
fn book(chapters: u32) -> Story {
    let cast = chapters / 4 + 2;
    let name = |number: u32| format!("人物{}", number % cast);
    let characters = (0..cast).map(|number| Character {
        id: format!("c-{}", number + 1),
        name: name(number),
        role_type: if number == 0 { RoleType::Protagonist } else { RoleType::Supporting },
        background: "从旧港来，有一段不愿提起的往事。".repeat(4),
        ..Character::default()
    });
    let relations = (1..cast).map(|number| CharacterRelation {
        id: format!("r-{number}"),
        from: name(number),
        to: name(number - 1),
        kind: RelationKind::Ally,
        ..CharacterRelation::default()
    });
    let nodes = (0..chapters).map(|number| OutlineNode {
        id: format!("o-{}", number + 1),
        name: format!("第{}章 雨夜", number + 1),
        order: number + 1,
        goal: "逼近真相".into(),
        description: format!("{}在旧港遇见{}，得知一桩旧案的线索。", name(number), name(number * 7)).repeat(5),
        participants: vec![name(number), name(number * 7)],
        ..OutlineNode::default()
    });
    let events = (0..chapters * 2).map(|number| TimelineEvent {
        id: format!("e-{}", number + 1),
        title: format!("事件{number}"),
        timestamp: format!("第{}天 10:{:02}", number / 50 + 1, number % 50),
        after: number.checked_sub(1).map(|before| format!("事件{before}")).into_iter().collect(),
        participants: vec![name(number), name(number * 3)],
        deaths: if number % 100 == 99 { vec![name(number)] } else { Vec::new() },
        location: Some("旧港".into()),
        outline_node: Some(format!("o-{}", number / 2 + 1)),
        ..TimelineEvent::default()
    });
    let items = (0..cast / 2).map(|number| Item {
        id: format!("i-{}", number + 1),
        name: format!("器物{number}"),
        ..Item::default()
    });
    let port = Location { id: "l-1".into(), name: "旧港".into(), ..Location::default() };
    let documents = (0..chapters).map(|number| Document {
        id: format!("d-{}", number + 1),
        title: format!("雨夜{}", number + 1),
        order: number + 1,
        outline_node: Some(format!("o-{}", number + 1)),
        version: 1,
        text: "雨下了一夜。".repeat(20),
        ..Document::default()
    });
    Story {
        worldview: Some(Worldview { locations: vec![port], items: items.collect(), ..Worldview::default() }),
        documents: documents.collect(),
        facts: (0..chapters * 30).map(|number| fact(number, cast, &name)).collect(),
        characters: characters.collect(),
        character_relations: relations.collect(),
        outline_nodes: nodes.collect(),
        timeline_events: events.collect(),
        ..Story::default()
    }
}

/// Returns a fact of one of ten sorts, thirty per chapter: attributes, holdings, stays, numbers, knowledge.
fn fact(number: u32, cast: u32, name: &impl Fn(u32) -> String) -> Fact {
    let chapter = number / 30;
    let subject = name(number * 13);
    let item = format!("器物{}", number % (cast / 2));
    let day = |from: u32| format!("第{}天", number / 1500 + 1 + from);
    let (predicate, object, value, unit) = match number % 10 {
        0 => ("瞳色", None, json!("黑"), ""),
        1 => ("身高", None, json!(175), "厘米"),
        2 | 3 => ("持有", Some(item), json!(null), ""),
        4 => ("位于", Some("旧港".to_owned()), json!(null), ""),
        5 => ("余额", None, json!(1000 + number), "文"),
        6 => ("收入", None, json!(1), "文"),
        7 => ("使用", Some(item), json!(null), ""),
        8 => ("提到", Some(format!("f-{}", number / 2 + 1)), json!(null), ""),
        _ => ("喜欢", None, json!("雨"), ""),
    };
    let knower = Knower { who: name(number * 17), since: day(1), ..Knower::default() };
    let source =
        Quotation {
            document: format!("d-{}", chapter + 1), quote: "雨下了一夜。".into(), ..Quotation::default()
        };
    Fact {
        id: format!("f-{}", number + 1),
        subject,
        predicate: predicate.into(),
        object,
        value,
        unit: unit.into(),
        from: if number.is_multiple_of(4) { format!("事件{}", number / 15) } else { day(0) },
        until: if number.is_multiple_of(3) { day(1) } else { String::new() },
        source: Some(source),
        known_by: if number.is_multiple_of(5) { vec![knower] } else { Vec::new() },
        ..Fact::default()
    }
}
