//! The writing tools on the current story, a file per tool.

mod arguments;
pub mod character;
pub mod document;
pub mod encyclopedia;
mod listing;
pub mod outline;
pub mod relationship;
pub mod statistics;
pub mod story;
pub mod timeline;
pub mod worldview;

use std::sync::{Arc, LazyLock};

use crate::checking::{ask_facts, check, impact};
use crate::desk::StoryToolAdapter;
use crate::knowledge::{graph, rag};
use crate::workspace_context::WorkspaceContextTool;
use crate::{Tool, Toolbox};
use qingyu_llm::tokens::{DefaultCounter, TokenCounter};

pub(crate) use arguments::{Entries, Fields, needed, settings};
pub(crate) use listing::{PAGE, is_same_name, page, text_of};

impl Toolbox {
    /// Returns all tools that need only a project, with the default token counter.
    pub fn writing() -> Self {
        static USUAL: LazyLock<Toolbox> =
            LazyLock::new(|| Toolbox::writing_for(&(Arc::new(DefaultCounter) as Arc<dyn TokenCounter>)));
        USUAL.clone()
    }

    /// Returns all tools that need only a project; tools with a token budget use `counter`.
    fn writing_for(counter: &Arc<dyn TokenCounter>) -> Self {
        let tools: Vec<Arc<dyn Tool>> = vec![
            Arc::new(StoryToolAdapter::new(outline::OutlineTool)),
            Arc::new(StoryToolAdapter::new(character::CharacterTool)),
            Arc::new(StoryToolAdapter::new(relationship::RelationshipTool)),
            Arc::new(StoryToolAdapter::new(timeline::TimelineTool)),
            Arc::new(StoryToolAdapter::new(worldview::WorldviewTool)),
            Arc::new(StoryToolAdapter::new(encyclopedia::EncyclopediaTool)),
            Arc::new(StoryToolAdapter::new(document::DocumentTool)),
            Arc::new(StoryToolAdapter::new(statistics::StatisticsTool)),
            Arc::new(StoryToolAdapter::new(story::StoryPiecesTool)),
            Arc::new(StoryToolAdapter::new(check::CheckTool)),
            Arc::new(StoryToolAdapter::new(ask_facts::AskFactsTool)),
            Arc::new(StoryToolAdapter::new(impact::ImpactTool)),
            Arc::new(StoryToolAdapter::new(WorkspaceContextTool::new(Arc::clone(counter)))),
            Arc::new(StoryToolAdapter::new(rag::RagTool::new(Arc::clone(counter)))),
            Arc::new(StoryToolAdapter::new(graph::KnowledgeGraphTool)),
        ];
        let mut toolbox = Self::new();
        for tool in tools {
            toolbox.register_ours(tool);
        }
        toolbox
    }
}

#[cfg(test)]
mod tests;
