//! The content tools: reading, updating and exporting fields of a production, web search, and orders to a producer.
//!
//! - [`read_field`], [`update_field`], [`export_content`]: on the current project
//! - [`web_search`]: hits of a search engine; untrusted text
//! - [`generate_field`], [`deep_research`], [`evaluate_content`], [`simulate_consumer`]: orders to a [`Producer`]

mod answer;
pub mod deep_research;
pub mod evaluate_content;
pub mod export_content;
pub mod generate_field;
mod order;
mod ordering;
pub mod read_field;
pub mod simulate_consumer;
pub mod update_field;
pub mod web_search;

use std::sync::Arc;

use qingyu_web::WebSearchEngine;

use crate::desk::StoryToolAdapter;
use crate::{Tool, Toolbox};

pub use order::{ContentOrder, ProducedContent, Producer};

impl Toolbox {
    /// Returns the toolbox with the content tools. Tools that need models send their orders to `producer`; without
    /// `search`, web search fails.
    ///
    /// Not for agents inside runs: no run starts another.
    #[must_use]
    pub fn with_content(mut self, producer: Arc<dyn Producer>, search: Option<Arc<dyn WebSearchEngine>>) -> Self {
        let tools: [Arc<dyn Tool>; 8] = [
            Arc::new(deep_research::DeepResearch::new(Arc::clone(&producer))),
            Arc::new(web_search::WebSearch::new(search)),
            Arc::new(generate_field::GenerateField::new(Arc::clone(&producer))),
            Arc::new(evaluate_content::EvaluateContent::new(Arc::clone(&producer))),
            Arc::new(simulate_consumer::SimulateConsumer::new(producer)),
            Arc::new(StoryToolAdapter::new(read_field::ReadField)),
            Arc::new(StoryToolAdapter::new(update_field::UpdateField)),
            Arc::new(export_content::ExportContent::default()),
        ];
        for tool in tools {
            self.register_ours(tool);
        }
        self
    }
}
