//! Resources of a production.

use std::sync::Arc;

use qingyu_tools::Workspace;
use qingyu_web::Web;

use crate::workshop::PipelineResources;

/// Resources of a production. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ProductionResources {
    /// Models, prompts, prices.
    pub workshop: PipelineResources,
    /// The project.
    pub workspace: Arc<dyn Workspace>,
    /// Access to the web.
    pub web: Arc<Web>,
}
