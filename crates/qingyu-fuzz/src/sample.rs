//! A small story in both languages, for what is asked of a story and told in it.

use std::sync::LazyLock;

use qingyu_knowledge::StoryGraph;
use qingyu_story::Story;

/// The id of its one chapter.
pub(crate) const CHAPTER: &str = "d-1";

/// People, places, things, ties and times; a chapter without words.
pub(crate) static STORY: LazyLock<Story> =
    LazyLock::new(|| serde_json::from_str(include_str!("sample.json")).expect("the sample is a story"));

pub(crate) static GRAPH: LazyLock<StoryGraph> = LazyLock::new(|| StoryGraph::of(&STORY));
