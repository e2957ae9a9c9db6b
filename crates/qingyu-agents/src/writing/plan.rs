//! What is to happen in a chapter.

use qingyu_story::OutlineNode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the model understood of a chapter: the answer of `chapter.understand`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ChapterPlan {
    /// The kind of work in a word, such as `draft`.
    pub task_type: String,
    /// What the chapter must achieve for the story.
    pub goal: String,
    /// Whose eyes it is seen through, by name; empty if nobody's.
    pub point_of_view: String,
    /// Its scenes in order; at least one.
    pub scenes: Vec<ScenePlan>,
    /// What must stay as it is or must be said.
    pub must_keep: Vec<String>,
    /// What must not happen or be told yet.
    pub must_avoid: Vec<String>,
    /// What should be looked up in the book before writing: words that stand there.
    pub searches: Vec<String>,
    /// How this was understood, a sentence each.
    pub reasoning: Vec<String>,
}

/// A scene of a chapter.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ScenePlan {
    /// A short title.
    pub title: String,
    /// Where, by name.
    pub location: String,
    /// Who is there, by name.
    pub participants: Vec<String>,
    /// What happens, beat by beat.
    pub beats: Vec<String>,
    /// Chinese characters or English words.
    pub words: u32,
}

/// The most scenes of a chapter.
pub const MAX_SCENES: usize = 12;

/// The plan that the outline alone gives: its scenes, or one scene with the node's description.
pub fn fallback(node: &OutlineNode, scenes: &[&OutlineNode], words: u32) -> ChapterPlan {
    let scene = |node: &OutlineNode, words: u32| ScenePlan {
        title: super::book::title(node).to_owned(),
        location: node.location.clone().unwrap_or_default(),
        participants: node.participants.clone(),
        beats: [&node.description, &node.goal].into_iter().filter(|text| !text.trim().is_empty()).cloned().collect(),
        words: node.words.unwrap_or(words),
    };
    let share = words / u32::try_from(scenes.len().max(1)).unwrap_or(1);
    let planned = match scenes {
        [] => vec![scene(node, words)],
        scenes => scenes.iter().take(MAX_SCENES).map(|scene_node| scene(scene_node, share)).collect(),
    };
    ChapterPlan {
        task_type: "draft".into(),
        goal: node.goal.clone(),
        scenes: planned,
        must_keep: node.plants.iter().chain(&node.pays).cloned().collect(),
        searches: node.participants.iter().take(2).cloned().collect(),
        ..ChapterPlan::default()
    }
}
