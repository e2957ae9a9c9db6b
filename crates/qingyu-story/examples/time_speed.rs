//! Measures reading the times of a long story with dates, durations, orders and relative times, and a contradiction per
//! thousand events.
//!
//! `cargo run --release -p qingyu-story --example time_speed [events]`

use std::time::Instant;

use qingyu_story::check::{self, Config};
use qingyu_story::{Story, TimelineEvent, time};

fn main() {
    let events = std::env::args().nth(1).and_then(|number| number.parse().ok()).unwrap_or(20_000);
    for (kind, story) in [("sound", story(events, None)), ("with errors", story(events, Some(1000)))] {
        let start = Instant::now();
        let lines = time::lines(&story);
        let laid = start.elapsed();
        let findings = check::findings(&story, &Config::default());
        let contradictions = findings.iter().filter_map(|finding| finding.issue.code.as_deref());
        println!(
            "{events} events, {kind}: {} lines in {laid:.1?}; {} contradictions in {:.1?}, with all other rules",
            lines.len(),
            contradictions.filter(|code| code.starts_with("QY3")).count(),
            start.elapsed() - laid
        );
    }
}

/// Returns shuffled events, each after another event: a quarter with a date, a quarter with a time relative to the
/// previous event.
fn story(events: u64, error_every: Option<u64>) -> Story {
    let event = |number: u64| {
        let timestamp = match number % 4 {
            0 => format!("第{}天 {:02}:00", number / 4 * 3 + 1, 8 + number % 5),
            1 => "次日".to_owned(),
            2 => String::new(),
            _ if error_every.is_some_and(|every| number % every == 3) => "四天后".to_owned(),
            _ => "两小时后".to_owned(),
        };
        TimelineEvent {
            id: format!("e-{}", number + 1),
            title: format!("事件{number}"),
            timestamp,
            duration: if number.is_multiple_of(3) { "2小时".into() } else { String::new() },
            after: number.checked_sub(1).map(|before| format!("e-{}", before + 1)).into_iter().collect(),
            ..TimelineEvent::default()
        }
    };
    // A step coprime to the count visits every number once.
    let step = (events / 2..)
        .find(|step| (2..=*step).all(|by| !step.is_multiple_of(by) || !events.is_multiple_of(by)))
        .unwrap_or(1);
    Story { timeline_events: (0..events).map(|number| event(number * step % events)).collect(), ..Story::default() }
}
