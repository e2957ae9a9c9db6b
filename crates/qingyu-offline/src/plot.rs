//! Timeline and plot, made from the outline: one event a chapter in story time, and the turns that drive them.

use qingyu_agents::context::Work;
use qingyu_agents::output::PlotWork;
use qingyu_story::{Language, OutlineNode, OutlineNodeKind, PlotKind, PlotNode, TimelineEvent, placeholder};

use crate::character::year_of;
use crate::frame::{Frame, People};

/// Where in the outline each turn of the plot lies, in hundredths, and its work.
const BEATS: [(usize, PlotKind); 6] = [
    (0, PlotKind::Setup),
    (25, PlotKind::Conflict),
    (50, PlotKind::Turn),
    (70, PlotKind::Conflict),
    (88, PlotKind::Climax),
    (100, PlotKind::Resolution),
];

/// Lays the outline out in time and names its turns.
pub(crate) fn make(work: &Work) -> PlotWork {
    let mut frame = Frame::new(work, "plot", People::Needed(Vec::new()));
    let chapters: Vec<&OutlineNode> =
        work.story.outline_nodes.iter().filter(|node| node.kind == OutlineNodeKind::Chapter).collect();
    if chapters.is_empty() {
        let reasoning = vec![frame.text(&frame.phrases.no_outline)];
        return PlotWork { plot_summary: placeholder(work.language).into(), reasoning, ..PlotWork::default() };
    }
    let era = work.story.worldview.as_ref().and_then(|world| year_of(&world.era));
    let mut clock = Clock::new(&mut frame, era);
    let mut events: Vec<TimelineEvent> = Vec::new();
    for (index, node) in chapters.iter().enumerate() {
        let known = work.story.timeline_events.iter().find(|event| tells(event, node));
        let timestamp = clock.next(&mut frame);
        events.push(known.cloned().unwrap_or_else(|| TimelineEvent {
            timestamp,
            after: events.last().map(|event| event.title.clone()).into_iter().collect(),
            importance: importance(index, chapters.len()),
            ..event(node, work.language)
        }));
    }
    let plot_nodes = turns(&frame, &chapters, &events);
    let reasoning = vec![frame.text(&frame.phrases.plot_reason), frame.text(&frame.phrases.plot_time)];
    let first = &events[0].title;
    let last = &events[events.len() - 1].title;
    let count = events.len().to_string();
    let words = [("first", first.as_str()), ("last", last.as_str()), ("count", &count)];
    let summary = frame.text_with(&frame.phrases.plot_summary, None, &words);
    PlotWork { timeline_events: events, plot_nodes, plot_summary: summary, reasoning }
}

/// The event that happens in `node`, without its time.
pub(crate) fn event(node: &OutlineNode, language: Language) -> TimelineEvent {
    TimelineEvent {
        title: title(&node.name),
        description: first_sentence(&node.description, language),
        participants: node.participants.clone(),
        location: node.location.clone(),
        importance: 5,
        outline_node: Some(reference(node)),
        ..TimelineEvent::default()
    }
}

fn tells(event: &TimelineEvent, node: &OutlineNode) -> bool {
    event.outline_node.as_ref().is_some_and(|told| *told == node.name || (!node.id.is_empty() && *told == node.id))
}

/// How other pieces name `node`.
fn reference(node: &OutlineNode) -> String {
    node.name.clone()
}

/// A chapter's title without its number.
fn title(name: &str) -> String {
    let parts = name
        .split_once(": ")
        .or_else(|| name.split_once(' '))
        .filter(|(head, _)| head.starts_with('第') || head.to_ascii_lowercase().starts_with("chapter"));
    parts.map_or(name, |(_, title)| title).trim().to_owned()
}

fn first_sentence(text: &str, language: Language) -> String {
    let end = match language {
        Language::Zh => text.find(['。', '！', '？']).map(|at| at + '。'.len_utf8()),
        Language::En => text.find(". ").map(|at| at + 1),
    };
    text[..end.unwrap_or(text.len())].to_owned()
}

fn importance(index: usize, count: usize) -> u8 {
    let beat = BEATS.iter().rev().find(|(at, _)| chapter_at(*at, count) == index);
    match beat.map(|(_, kind)| kind) {
        Some(PlotKind::Climax) => 10,
        Some(PlotKind::Turn | PlotKind::Resolution) => 9,
        Some(PlotKind::Setup) => 8,
        Some(PlotKind::Conflict) => 7,
        None => 5,
    }
}

/// The chapter at a hundredth of the outline.
fn chapter_at(hundredth: usize, count: usize) -> usize {
    (hundredth * (count - 1) + 50) / 100
}

/// The turns of the plot, each made of the events up to the next.
fn turns(frame: &Frame, chapters: &[&OutlineNode], events: &[TimelineEvent]) -> Vec<PlotNode> {
    let mut beats: Vec<(usize, PlotKind)> =
        BEATS.iter().map(|(at, kind)| (chapter_at(*at, chapters.len()), *kind)).collect();
    beats.dedup_by_key(|(index, _)| *index);
    let mut nodes: Vec<PlotNode> = Vec::new();
    for (position, (index, kind)) in beats.iter().enumerate() {
        let end = beats.get(position + 1).map_or(chapters.len(), |(next, _)| *next);
        let node = chapters[*index];
        let cause = nodes.last().map(|cause: &PlotNode| cause.title.clone());
        let words = [("name", events[*index].title.as_str()), ("goal", node.goal.trim_end_matches(['。', '.']))];
        let phrase = &frame.phrases.turn(*kind);
        nodes.push(PlotNode {
            title: frame.text_with(&phrase.name, None, &words),
            description: frame.text_with(&phrase.text, None, &words),
            kind: *kind,
            outline_node: Some(reference(node)),
            events: events[*index..end].iter().map(|event| event.title.clone()).collect(),
            causes: cause.into_iter().collect(),
            ..PlotNode::default()
        });
    }
    nodes
}

/// Story time: dates where the era is a year, days where it is not.
struct Clock {
    year: Option<i32>,
    /// Days since the first of January, or since the beginning.
    day: i32,
    language: Language,
}

/// The hours of a day at which things happen, in words and figures.
const HOURS: [(&str, &str); 4] = [("清晨", "06:30"), ("上午", "10:00"), ("黄昏", "18:00"), ("夜", "22:00")];

impl Clock {
    fn new(frame: &mut Frame, year: Option<i32>) -> Self {
        let day = if year.is_some() { frame.draw.between(40, 300) } else { 1 };
        Self { year, day, language: frame.brief.language }
    }

    /// The time of the next event, at the pace of the kind of story.
    fn next(&mut self, frame: &mut Frame) -> String {
        let (words, figures) = *frame.draw.one(&HOURS);
        let now = self.day;
        let (fewest, most) = frame.brief.shape.pace;
        self.day += frame.draw.between(fewest, most);
        let date = self.year.map(|year| (year + now / 365, month_and_day(now % 365)));
        match (date, self.language) {
            (Some((year, (month, day))), Language::Zh) => format!("{year}年{month}月{day}日{words}"),
            (Some((year, (month, day))), Language::En) => format!("{year:04}-{month:02}-{day:02} {figures}"),
            (None, Language::Zh) => format!("第{now}天{words}"),
            (None, Language::En) => format!("Day {now} {figures}"),
        }
    }
}

/// The date of a day of the year, from 0; every year has 365.
fn month_and_day(day: i32) -> (i32, i32) {
    const LENGTHS: [i32; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut rest = day;
    for (month, length) in (1..).zip(LENGTHS) {
        if rest < length {
            return (month, rest + 1);
        }
        rest -= length;
    }
    (12, 31)
}
