//! Any text as a story: it is refused, or it can be checked, asked and written again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use qingyu_story::check::{self, Config};
use qingyu_story::truth::{GroundTruth, Question};
use qingyu_story::{Story, ids, impact};

fuzz_target!(|json: &[u8]| {
    let Ok(mut story) = serde_json::from_slice::<Story>(json) else { return };
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
});
