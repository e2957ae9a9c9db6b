//! The story as a whole.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::production::{Field, Production};
use crate::{
    Character, CharacterRelation, Comment, Document, Fact, Language, OutlineNode, PlotNode, Promise, StyleGuide,
    TimelineEvent, Waiver, Worldview,
};

/// A book as data: its world, cast, outline, events, facts and prose; or another content, as phases and fields.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Story {
    /// The author's own words for it.
    pub premise: String,
    /// The language it is told in.
    pub language: Language,
    /// The world, once there is one.
    pub worldview: Option<Worldview>,
    /// The outline in reading order.
    pub outline_nodes: Vec<OutlineNode>,
    /// The cast.
    pub characters: Vec<Character>,
    /// What is between them.
    pub character_relations: Vec<CharacterRelation>,
    /// Events in story time.
    pub timeline_events: Vec<TimelineEvent>,
    /// The plot.
    pub plot_nodes: Vec<PlotNode>,
    /// The prose that is written so far.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<Document>,
    /// What is known to be so, statement by statement.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
    /// What the reader is led to expect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub promises: Vec<Promise>,
    /// The style guide, once there is one.
    pub style: Option<StyleGuide>,
    /// The findings that the author lets stand.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waivers: Vec<Waiver>,
    /// Comments on words of the prose.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<Comment>,
    /// How its content is produced, if it is by phases and fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub production: Option<Production>,
    /// The fields of the production, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<Field>,
    /// The highest number given in ids, by prefix, so that no id is given twice. Kept by [`ids`](crate::ids).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub last_ids: BTreeMap<String, u64>,
}
