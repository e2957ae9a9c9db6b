//! Waivers: findings accepted by the author, for good or until a chapter.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::chapters::{Chapter, Chapters, heading};
use crate::{Story, says_something};

/// A finding, or all findings of a rule, that somebody has looked at and lets stand.
///
/// It holds only with a reason and an owner. What it covers is still reported, as waived, and costs nothing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Waiver {
    /// The id of the finding, such as `QS011-5f2a91`, or the code of a rule, such as `QS011`.
    pub finding: String,
    /// Only where this piece is touched: its name, title or id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<String>,
    /// Why it may stand.
    pub reason: String,
    /// Who says so.
    pub owner: String,
    /// When, such as `2026-11-22`; may be left empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub date: String,
    /// The chapter by which what it covers is to be mended: its number, title or id. Once a text tells this chapter or a
    /// later one, the waiver no longer holds. Without one, it holds for good.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due: Option<String>,
}

impl Waiver {
    /// Returns whether reason and owner are present.
    pub fn holds(&self) -> bool {
        !self.reason.trim().is_empty() && !self.owner.trim().is_empty()
    }

    /// Returns whether it has fallen due: a text tells the chapter [`due`](Self::due), or a later one.
    pub fn is_due(&self, story: &Story) -> bool {
        self.due.is_some() && self.is_due_in(story, &Chapters::of(story))
    }

    /// Same as [`is_due`](Self::is_due), with the chapters of the story.
    pub(crate) fn is_due_in(&self, story: &Story, chapters: &Chapters) -> bool {
        let Some(due) = self.due.as_deref().map(str::trim).filter(|due| !due.is_empty()) else { return false };
        let place = chapters.find(due).iter().map(|chapter| chapter.place).max();
        let number = heading(due).map(|heading| heading.number);
        let is_told = |chapter: &&Chapter| {
            chapter.documents.iter().any(|document| says_something(&story.documents[*document].text))
        };
        chapters.all().iter().filter(is_told).any(|chapter| match place {
            Some(place) => chapter.place >= place,
            // A chapter that is not planned yet: later ones are known by their numbers.
            None => number.zip(chapter.number).is_some_and(|(due, number)| number >= due),
        })
    }
}
