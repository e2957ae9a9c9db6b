//! The material of a card.

use std::collections::BTreeMap;

use qingyu_story::Story;
use serde_json::Value;

use crate::writing::plan::ChapterPlan;

/// The material of a card, beside the chapter's surroundings.
#[derive(Debug, Default)]
pub(crate) struct CardMaterial<'a> {
    /// The story.
    pub(crate) story: Option<&'a Story>,
    /// The plan that stands in the same prompt, if one does.
    pub(crate) plan: Option<&'a ChapterPlan>,
    /// Result of the context tool, by section.
    pub(crate) related: Value,
    /// Ids of the participants.
    pub(crate) people: Vec<String>,
    /// Ids of people that the chapter is about and who do not take part.
    pub(crate) absent: Vec<String>,
    /// Recent lines of dialogue, by id.
    pub(crate) said: BTreeMap<String, Vec<String>>,
    /// Places, things and organisations named in the chapter's plan.
    pub(crate) mentioned: Vec<Value>,
    /// Passages of earlier chapters.
    pub(crate) passages: Vec<Value>,
    /// Whether the chapter already has a text, which is reviewed or rewritten; its own facts are not known before it.
    pub(crate) has_text: bool,
    /// The people in earlier books, a line each.
    pub(crate) earlier: Vec<String>,
}
