//! Orders to a producer.

use std::fmt::Debug;

use futures::future::BoxFuture;
use qingyu_production::simulation::{Interaction, Persona};
use qingyu_story::production::{Criterion, Field};

use crate::error::ToolError;

/// Work for a model, done in a run of its own.
#[derive(Debug, Clone, PartialEq)]
pub enum ContentOrder {
    /// Searches and reads the web.
    Research {
        /// The question.
        question: String,
        /// Maximum number of sources; defaults to the usual number.
        max_sources: Option<usize>,
    },
    /// Generates a field.
    Make {
        /// Path of the field.
        path: String,
        /// The field, if not yet in the project.
        new: Option<Box<Field>>,
        /// Instruction for the model.
        instruction: String,
    },
    /// Lets simulated consumers read content.
    Simulate {
        /// The simulated consumers.
        personas: Vec<Persona>,
        /// Paths of the content; defaults to all content.
        contents: Vec<String>,
        /// A text in place of content of the project.
        text: Option<String>,
        /// Interactions; defaults to all.
        interactions: Vec<Interaction>,
    },
    /// Evaluates content.
    Evaluate {
        /// Paths of the content; defaults to all content.
        contents: Vec<String>,
        /// A text in place of content of the project.
        text: Option<String>,
        /// The criteria; defaults to the criteria of the production.
        criteria: Vec<Criterion>,
    },
}

/// The result of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProducedContent {
    /// Path of the field with the value.
    pub field: String,
    /// The producing run.
    pub run: String,
    /// Descriptions of simplified steps.
    pub warnings: Vec<String>,
}

/// Executes orders, each as a run, recorded and paid once.
pub trait Producer: Debug + Send + Sync {
    /// Executes an order on the project with the id `project`, and returns when finished.
    ///
    /// The run continues if the future is dropped. Orders on one project wait for each other, and for a run that works
    /// on it. Fails with the code `busy` if another run begins meanwhile, and with `not_made` if the run ended without a value; a new field then stays, without a value.
    fn order<'a>(&'a self, project: &'a str, order: ContentOrder) -> BoxFuture<'a, Result<ProducedContent, ToolError>>;
}
