//! How tools see one project: its story as a whole, with a version.
//!
//! - [`Workspace`]: loads and saves one project; [`Workspaces`]: finds projects
//! - [`MemoryWorkspace`]: a project in memory, and in a file if there is one
//! - [`remote`]: projects on a server

mod error;
mod memory;
mod project;
pub mod remote;
mod single;

pub use error::Error;
pub use memory::MemoryWorkspace;
pub use project::{
    DocumentVersion, FoundPassages, LoadedStory, Made, PassageQuery, ProjectEntry, ProjectSeed, Workspace,
    WorkspaceSave, Workspaces,
};
pub use single::only;
