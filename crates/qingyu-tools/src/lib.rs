//! Named operations on a story, for agents, people and other programs.
//!
//! Modules:
//!
//! - [`tool`]: the [`Tool`] trait and its metadata
//! - [`toolbox`]: the registry: find, list, describe
//! - [`engine`]: execution of calls: validation, permission, timeout, retries, cache, log
//! - [`error`]: errors of calls, as data for the caller
//! - [`context`]: the caller and the project
//! - [`workspace`]: access to a project, in memory or over HTTP
//! - [`desk`]: an in-memory editor of a story
//! - [`writing`]: the writing tools, a file per tool
//! - [`content`]: fields of a production, web search, orders to a producer
//! - [`projects`]: the tool that lists and creates projects
//! - `mcp`: mounted tools of other servers
//! - [`checking`]: the checker, the ground truth and the impact of a change, as tools
//! - [`workspace_context`]: the context of a writing task, within a budget
//! - [`knowledge`]: passages by words, people by relations, as tools
//! - `network`: network measures
//! - [`texts`]: texts for people and models, in Chinese and English; `fields`: JSON Schemas of the fields of pieces
//! - `reading`: the reading order of a book
//!
//! The feature `testing` adds the test suite of every [`Workspace`], and a scripted tool. The feature `mcp` adds the
//! protocol's SDK; without the feature, `mcp::mount` refuses every server.
//!
//! ```
//! use std::sync::Arc;
//!
//! use qingyu_story::{Character, Story};
//! use qingyu_tools::{ToolCaller, Engine, MemoryWorkspace, Permission, Toolbox, workspace};
//! use serde_json::json;
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let story = Story { characters: vec![Character { name: "林青".into(), ..Character::default() }], ..Story::default() };
//! let project = workspace::only(MemoryWorkspace::new("p-1", story));
//! let engine = Engine::new(Toolbox::writing(), project);
//! let reader = ToolCaller::new("a reader", Permission::Read);
//!
//! let answer = engine.call("character_tool", json!({"action": "get", "character_id": "林青"}), &reader).await.to_json();
//! assert_eq!(answer["result"]["character"]["id"], "c-1");
//!
//! let refused = engine.call("character_tool", json!({"action": "create"}), &reader).await.to_json();
//! assert_eq!(refused["error"]["code"], "forbidden");
//! # });
//! ```

pub mod checking;
pub mod content;
pub mod context;
pub mod desk;
pub mod engine;
pub mod error;
mod fields;
pub mod knowledge;
pub mod mcp;
mod network;
pub mod projects;
mod reading;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod texts;
pub mod tool;
pub mod toolbox;
pub mod workspace;
pub mod workspace_context;
pub mod writing;

pub use context::{ToolCaller, ToolContext};
pub use engine::{Engine, Outcome};
pub use error::{ArgumentProblem, ToolError};
pub use tool::{Action, CallDemand, Category, Metadata, Permission, Tool};
pub use toolbox::Toolbox;
pub use workspace::{MemoryWorkspace, Workspace, Workspaces};
