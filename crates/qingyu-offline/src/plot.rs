//! Timeline and plot, derived from the outline: an event per chapter in story time, and the turns of the plot.

use qingyu_agents::context::WorkContext;
use qingyu_agents::output::PlotWork;
use qingyu_story::{Language, OutlineNode, OutlineNodeKind, PlotKind, PlotNode, TimelineEvent, placeholder};

use crate::character::year_of;
use crate::frame::{AnswerFrame, People};

/// The position of each plot turn in the outline, in hundredths, with its kind.
const BEATS: [(usize, PlotKind); 6] = [
    (0, PlotKind::Setup),
    (25, PlotKind::Conflict),
    (50, PlotKind::Turn),
    (70, PlotKind::Conflict),
    (88, PlotKind::Climax),
    (100, PlotKind::Resolution),
];

/// Returns timeline and plot of the outline.
pub(crate) fn make(work: &WorkContext) -> PlotWork {
    let mut frame = AnswerFrame::new(work, "plot", People::Needed(Vec::new()));
    let chapters: Vec<&OutlineNode> =
        work.story.outline_nodes.iter().filter(|node| node.kind == OutlineNodeKind::Chapter).collect();
    if chapters.is_empty() {
        let reasoning = vec![frame.text(&frame.phrases.no_outline)];
        return PlotWork { plot_summary: placeholder(work.language).into(), reasoning, ..PlotWork::default() };
    }
    let era = work.story.worldview.as_ref().and_then(|world| year_of(&world.era));
    let mut clock = StoryClock::new(&mut frame, era);
    let mut events: Vec<TimelineEvent> = Vec::new();
    for (index, node) in chapters.iter().enumerate() {
        let known = work.story.timeline_events.iter().find(|event| belongs_to(event, node));
        let timestamp = clock.next(&mut frame);
        let mut told = event(node, work.language);
        // Titles of events are unique in a story; those of chapters need not be.
        if events.iter().any(|event| event.title == told.title) {
            told.title.clone_from(&node.name);
        }
        let after = events.last().map(|event| event.title.clone()).into_iter().collect();
        let importance = importance(index, chapters.len());
        events.push(known.cloned().unwrap_or(TimelineEvent { timestamp, after, importance, ..told }));
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

/// Returns the event of `node`, without its time.
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

fn belongs_to(event: &TimelineEvent, node: &OutlineNode) -> bool {
    event.outline_node.as_ref().is_some_and(|told| *told == node.name || (!node.id.is_empty() && *told == node.id))
}

/// Returns the reference to `node` in other pieces.
fn reference(node: &OutlineNode) -> String {
    node.name.clone()
}

/// Returns a chapter's title without its number.
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

/// Returns the chapter at a hundredth of the outline.
fn chapter_at(hundredth: usize, count: usize) -> usize {
    (hundredth * (count - 1) + 50) / 100
}

/// Returns the turns of the plot, each with the events up to the next turn.
fn turns(frame: &AnswerFrame, chapters: &[&OutlineNode], events: &[TimelineEvent]) -> Vec<PlotNode> {
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

/// A clock of story time: dates if the era is a year, otherwise days.
struct StoryClock {
    year: Option<i32>,
    /// Days since the first of January, or since the beginning.
    day: i32,
    language: Language,
}

/// The hours of events in a day, in words and figures.
const HOURS: [(&str, &str); 4] = [("清晨", "06:30"), ("上午", "10:00"), ("黄昏", "18:00"), ("夜", "22:00")];

impl StoryClock {
    fn new(frame: &mut AnswerFrame, year: Option<i32>) -> Self {
        let day = if year.is_some() { frame.draw.between(40, 300) } else { 1 };
        Self { year, day, language: frame.brief.language }
    }

    /// Returns the time of the next event, at the pace of the kind of story.
    fn next(&mut self, frame: &mut AnswerFrame) -> String {
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

/// Returns the month and day for a day of the year, from 0; every year has 365 days.
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
