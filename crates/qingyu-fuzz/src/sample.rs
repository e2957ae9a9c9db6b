//! A small story in both languages, used by other targets.

use std::sync::LazyLock;

use qingyu_knowledge::StoryGraph;
use qingyu_story::Story;

/// The id of its single chapter.
pub(crate) const CHAPTER: &str = "d-1";

/// A story with people, places, things, relations and times, and an empty chapter.
pub(crate) static STORY: LazyLock<Story> =
    LazyLock::new(|| serde_json::from_str(include_str!("sample.json")).expect("the sample is a story"));

pub(crate) static GRAPH: LazyLock<StoryGraph> = LazyLock::new(|| StoryGraph::of(&STORY));
