//! Chapters for any kind of story: what happens between the protagonist and one other person.

use qingyu_story::{Language, OutlineNode, RoleType};

use crate::draw::SeededDraw;
use crate::frame::AnswerFrame;
use crate::person::Person;
use crate::tables::{BeatPhase, BeatTemplate, CastPart, LanguageTables, LevelTable};

/// Returns a chapter by a template of the tables; `seed` selects the other person in it.
pub(crate) fn told(frame: &AnswerFrame, beat: &BeatTemplate, seed: usize) -> OutlineNode {
    let other = other(frame, seed as u32);
    let filled = frame.fill_with(&beat.text, Some(&other), &[]);
    let say = |text: &str| frame.text_with(text, Some(&other), &[]);
    OutlineNode {
        name: say(&beat.name),
        description: filled.text,
        goal: say(&beat.goal),
        hook: say(&beat.hook),
        participants: filled.people,
        location: frame.place_of(&beat.place),
        ..OutlineNode::default()
    }
}

/// Returns the middle chapters of the tables, in random order.
pub(crate) fn middle(language: Language, draw: &mut SeededDraw) -> Vec<&'static BeatTemplate> {
    let middle = table(language).of_phase(BeatPhase::Middle);
    draw.shuffled(&middle).into_iter().copied().collect()
}

/// Returns the tables of long books.
pub(crate) fn table(language: Language) -> &'static LevelTable {
    &LanguageTables::of(language).levels
}

/// Returns the person beside the protagonist in chapter `number`: the others in turn.
pub(crate) fn other(frame: &AnswerFrame, number: u32) -> Person {
    let others = &frame.players[1..];
    match others.is_empty() {
        true => frame.hero().person.clone(),
        false => others[number as usize % others.len()].person.clone(),
    }
}

/// Names the antagonist `foe`, whatever the kind of story calls the part.
pub(crate) fn with_foe(frame: &mut AnswerFrame) {
    let is_foe = |part: &CastPart| part.role_type == RoleType::Antagonist;
    let foe = frame.players.iter().find(|player| player.part.is_some_and(is_foe)).unwrap_or(&frame.players[0]);
    let person = foe.person.clone();
    frame.slots.people.entry("foe".into()).or_insert(person);
}
