//! Directions: proposals for a new book, chosen by the author before planning.

use std::collections::BTreeMap;

use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Maximum number of directions in one proposal.
pub const MOST: u32 = 5;

/// A direction that a book could take.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Direction {
    /// The title, without title marks.
    pub title: String,
    /// The text of the back cover.
    pub blurb: String,
    /// The leading people, a sentence each.
    pub cast: String,
    /// The central conflict.
    pub conflict: String,
    /// How long it is, in how many chapters.
    pub length: String,
    /// For whom it is.
    pub audience: String,
    /// Where it could appear; empty if that is open.
    pub platform: String,
}

/// A field of a direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DirectionField {
    /// The title.
    Title,
    /// The text of the back cover.
    Blurb,
    /// The leading people.
    Cast,
    /// The central conflict.
    Conflict,
    /// How long it is.
    Length,
    /// For whom it is.
    Audience,
    /// Where it could appear.
    Platform,
}

impl DirectionField {
    /// All fields, in display order.
    pub const ALL: [Self; 7] =
        [Self::Title, Self::Blurb, Self::Cast, Self::Conflict, Self::Length, Self::Audience, Self::Platform];

    /// Returns the field's name in a document.
    pub fn name(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Blurb => "blurb",
            Self::Cast => "cast",
            Self::Conflict => "conflict",
            Self::Length => "length",
            Self::Audience => "audience",
            Self::Platform => "platform",
        }
    }

    /// Returns the label of the field.
    pub fn label(self, language: Language) -> &'static str {
        match (self, language) {
            (Self::Title, Language::Zh) => "书名",
            (Self::Blurb, Language::Zh) => "简介",
            (Self::Cast, Language::Zh) => "人物",
            (Self::Conflict, Language::Zh) => "冲突",
            (Self::Length, Language::Zh) => "篇幅",
            (Self::Audience, Language::Zh) => "读者",
            (Self::Platform, Language::Zh) => "平台",
            (Self::Title, Language::En) => "Title",
            (Self::Blurb, Language::En) => "Blurb",
            (Self::Cast, Language::En) => "Cast",
            (Self::Conflict, Language::En) => "Conflict",
            (Self::Length, Language::En) => "Length",
            (Self::Audience, Language::En) => "Audience",
            (Self::Platform, Language::En) => "Platform",
        }
    }
}

impl Direction {
    /// Returns the text of a field.
    pub fn get(&self, field: DirectionField) -> &str {
        match field {
            DirectionField::Title => &self.title,
            DirectionField::Blurb => &self.blurb,
            DirectionField::Cast => &self.cast,
            DirectionField::Conflict => &self.conflict,
            DirectionField::Length => &self.length,
            DirectionField::Audience => &self.audience,
            DirectionField::Platform => &self.platform,
        }
    }

    fn get_mut(&mut self, field: DirectionField) -> &mut String {
        match field {
            DirectionField::Title => &mut self.title,
            DirectionField::Blurb => &mut self.blurb,
            DirectionField::Cast => &mut self.cast,
            DirectionField::Conflict => &mut self.conflict,
            DirectionField::Length => &mut self.length,
            DirectionField::Audience => &mut self.audience,
            DirectionField::Platform => &mut self.platform,
        }
    }

    /// Returns direction number `chosen` of `offered`, counted from 1, with some fields overridden by other directions;
    /// `None` for an unknown number.
    pub fn mixed(offered: &[Self], chosen: u32, mix: &BTreeMap<DirectionField, u32>) -> Option<Self> {
        let numbered = |number: u32| offered.get(usize::try_from(number.checked_sub(1)?).ok()?);
        let mut direction = numbered(chosen)?.clone();
        for (field, number) in mix {
            *direction.get_mut(*field) = numbered(*number)?.get(*field).to_owned();
        }
        Some(direction)
    }

    /// Returns the direction as prompt text, a line for each field with a text.
    pub fn text(&self, language: Language) -> String {
        let between = if language == Language::Zh { "：" } else { ": " };
        let line = |field: DirectionField| {
            let text = self.get(field).trim();
            (!text.is_empty()).then(|| format!("{}{between}{text}", field.label(language)))
        };
        DirectionField::ALL.into_iter().filter_map(line).collect::<Vec<_>>().join("\n")
    }
}

/// What a person is asked: which direction the book takes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct DirectionsRequest {
    /// The directions, counted from 1.
    pub directions: Vec<Direction>,
    /// How often directions were offered, this time included.
    pub round: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_mixed_field_by_field() {
        let direction = |name: &str| Direction {
            title: format!("{name}书"),
            conflict: format!("{name}冲突"),
            ..Direction::default()
        };
        let offered = [direction("甲"), direction("乙")];
        let mixed = Direction::mixed(&offered, 1, &[(DirectionField::Conflict, 2)].into()).unwrap();
        assert_eq!(mixed.text(Language::Zh), "书名：甲书\n冲突：乙冲突");
        assert_eq!(Direction::mixed(&offered, 0, &BTreeMap::new()), None);
        assert_eq!(Direction::mixed(&offered, 1, &[(DirectionField::Title, 3)].into()), None);
    }
}
