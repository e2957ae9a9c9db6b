//! Stories, times, the arguments of tools.

use std::sync::LazyLock;

use qingyu_story::check::{self, Config};
use qingyu_story::time;
use qingyu_story::truth::{GroundTruth, Question};
use qingyu_story::{Story, TimelineEvent, ids, impact};
use qingyu_tools::Toolbox;
use qingyu_tools::testing::fuzz;
use qingyu_tools::toolbox::ToolFilter;

use crate::input;

/// Maximum number of events; more would slow down a run without finding more.
const EVENTS: usize = 24;

/// Parses any text as a story: rejected, or the story can be checked, queried and serialized.
pub fn story(bytes: &[u8]) {
    let Ok(mut story) = serde_json::from_slice::<Story>(bytes) else { return };
    ids::assign(&mut story);
    let findings = check::findings(&story, &Config::default());
    check::sarif(&findings, &story);
    check::fix(&story, &findings, &Config::default());
    let everything = GroundTruth::of(&story).ask(&Question::default());
    assert!(everything.is_ok(), "a question without words has nothing unclear");
    if let Some(character) = story.characters.first() {
        impact(&story, &character.id, Some(3));
    }
    let text = serde_json::to_string(&story).expect("a story is plain data");
    let again: Story = serde_json::from_str(&text).expect("what was written can be read");
    assert_eq!(again, story);
}

/// Parses any text as times of a story: each line as the time and the duration of an event.
pub fn times(bytes: &[u8]) {
    let event = |(number, line): (usize, &str)| {
        let (timestamp, duration) = (line.to_owned(), line.to_owned());
        TimelineEvent { id: format!("e-{number}"), timestamp, duration, ..TimelineEvent::default() }
    };
    let timeline_events = input::text(bytes).lines().take(EVENTS).enumerate().map(event).collect();
    let story = Story { timeline_events, ..Story::default() };
    time::lines(&story);
    check::findings(&story, &Config::default());
}

static NAMES: LazyLock<Vec<String>> =
    LazyLock::new(|| Toolbox::writing().list(ToolFilter::default()).map(|tool| tool.name.clone()).collect());

/// Parses any text as the arguments of a writing tool selected by the first byte. The result has the documented form;
/// failed and read-only calls change nothing.
pub fn tool_arguments(bytes: &[u8]) {
    let (choice, arguments) = input::choice(bytes);
    fuzz(&NAMES[usize::from(choice) % NAMES.len()], input::text(arguments));
}
