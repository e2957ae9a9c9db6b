//! Any text as times of a story: each line is read by itself, and all of them as the times of events.
#![no_main]

use libfuzzer_sys::fuzz_target;
use qingyu_story::time::{self, Chronology};
use qingyu_story::{Names, Story, TimelineEvent};

/// More events than this make a run slow without finding more.
const EVENTS: usize = 24;

fuzz_target!(|text: &str| {
    let event = |(number, line): (usize, &str)| {
        time::parse(line);
        time::length(line);
        time::relative(line);
        TimelineEvent { id: format!("e-{number}"), timestamp: line.to_owned(), ..TimelineEvent::default() }
    };
    let timeline_events = text.lines().take(EVENTS).enumerate().map(event).collect();
    let story = Story { timeline_events, ..Story::default() };
    Chronology::of(&story, &Names::of(&story)).contradictions();
    time::lines(&story);
});
