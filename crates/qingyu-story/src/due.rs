//! Waivers that have fallen due.

use crate::chapters::{Chapter, Chapters, heading};
use crate::{Story, Waiver, says_something};

/// Returns whether a waiver has fallen due: a text tells its chapter [`due`](Waiver::due), or a later one. `chapters` are
/// those of the story.
pub(crate) fn is_due(waiver: &Waiver, story: &Story, chapters: &Chapters) -> bool {
    let Some(due) = waiver.due.as_deref().map(str::trim).filter(|due| !due.is_empty()) else { return false };
    let place = chapters.find(due).iter().map(|chapter| chapter.place).max();
    let number = heading(due).map(|heading| heading.number);
    let is_told =
        |chapter: &&Chapter| chapter.documents.iter().any(|document| says_something(&story.documents[*document].text));
    chapters.all().iter().filter(is_told).any(|chapter| match place {
        Some(place) => chapter.place >= place,
        // A chapter that is not planned yet: later ones are known by their numbers.
        None => number.zip(chapter.number).is_some_and(|(due, number)| number >= due),
    })
}

/// Returns the waivers of a story with a reason and an owner, those that have fallen due apart from those in force.
pub(crate) fn due_and_in_force(story: &Story) -> (Vec<&Waiver>, Vec<&Waiver>) {
    let holding = || story.waivers.iter().filter(|waiver| waiver.holds());
    if holding().all(|waiver| waiver.due.is_none()) {
        return (Vec::new(), holding().collect());
    }
    let chapters = Chapters::of(story);
    holding().partition(|waiver| is_due(waiver, story, &chapters))
}
