//! The pieces of a story as passages.

use qingyu_story::Story;
use serde::{Deserialize, Serialize};

/// A piece of text that can be found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// The id of the piece it comes from, such as `c-3`.
    pub id: String,
    /// Its text.
    pub text: String,
}

impl Passage {
    /// A passage of the piece `id`.
    pub fn new(id: impl Into<String>, text: impl Into<String>) -> Self {
        Self { id: id.into(), text: text.into() }
    }

    /// One passage for each piece of `story` that says something, in the story's order.
    pub fn of(story: &Story) -> Vec<Self> {
        let mut passages = Vec::new();
        let mut add = |id: &str, parts: &[&str]| {
            let parts = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()).collect::<Vec<_>>();
            if parts.len() > 1 {
                passages.push(Self::new(id, parts.join(" · ")));
            }
        };
        if let Some(world) = &story.worldview {
            add("worldview", &[&world.genre, &world.era, &world.summary]);
            for rule in &world.rules {
                add(&rule.id, &[&rule.name, &rule.statement, &rule.limit]);
            }
            for place in &world.locations {
                add(&place.id, &[&place.name, &place.alias.join(" "), &place.description]);
            }
            for organisation in &world.organisations {
                add(&organisation.id, &[&organisation.name, &organisation.alias.join(" "), &organisation.description]);
            }
            for item in &world.items {
                add(&item.id, &[&item.name, &item.alias.join(" "), &item.description]);
            }
        }
        for node in &story.outline_nodes {
            add(&node.id, &[&node.name, &node.description, &node.goal, &node.participants.join(" ")]);
        }
        for character in &story.characters {
            let alias = character.alias.join(" ");
            let traits = character.traits.join(" ");
            add(
                &character.id,
                &[
                    &character.name,
                    &alias,
                    &character.occupation,
                    &traits,
                    &character.personality,
                    &character.background,
                    &character.goals,
                ],
            );
        }
        for event in &story.timeline_events {
            let participants = event.participants.join(" ");
            add(&event.id, &[&event.title, &event.timestamp, &event.description, &participants]);
        }
        for node in &story.plot_nodes {
            add(&node.id, &[&node.title, &node.description]);
        }
        passages
    }
}

#[cfg(test)]
mod tests {
    use qingyu_story::{Character, OutlineNode};

    use super::*;

    #[test]
    fn a_piece_that_says_nothing_beyond_its_name_is_no_passage() {
        let story = Story {
            characters: vec![
                Character { id: "c-1".into(), name: "林深".into(), ..Default::default() },
                Character {
                    id: "c-2".into(), name: "苏曼".into(), occupation: "线人".into(), ..Default::default()
                },
            ],
            outline_nodes: vec![OutlineNode {
                id: "o-1".into(),
                name: "第一章".into(),
                description: "雨夜来客".into(),
                ..Default::default()
            }],
            ..Default::default()
        };
        let passages = Passage::of(&story);
        assert_eq!(passages, [Passage::new("o-1", "第一章 · 雨夜来客"), Passage::new("c-2", "苏曼 · 线人")]);
    }
}
