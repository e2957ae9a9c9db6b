//! Named operations on a story, for agents, people and other programs alike.
//!
//! The map:
//!
//! - [`tool`]: the [`Tool`] trait, and what a tool says of itself
//! - [`toolbox`]: the registry: find, list, describe
//! - [`engine`]: carries calls out: validation, permission, time-out, retries, cache, log
//! - [`error`]: why a call failed, as data for the caller
//! - [`context`]: who calls, and on which project
//! - [`workspace`]: how tools see one project, in memory or behind HTTP
//! - [`desk`]: a story on which a tool works, and the edits it makes there
//! - [`writing`]: the writing tools, one file each
//! - [`content`]: fields of a production read, changed and handed out; the web searched; orders to those who make
//! - [`projects`]: the tool that lists projects and begins new ones
//! - `mcp`: the tools of other servers, mounted as ours
//! - [`checking`]: the checker, the ground truth and what a change touches, as tools
//! - [`workspace_context`]: what a writing task needs to know, within a budget
//! - [`knowledge`]: passages by their words, people by what ties them, as tools
//! - [`network`]: measures of a network
//! - [`texts`]: what people and models read, in Chinese and English
//!
//! The feature `testing` adds the suite that every [`Workspace`] must pass, and a tool with a script. The
//! feature `mcp` brings the protocol's SDK; without it, `mcp::mount` refuses every server.
//!
//! ```
//! use std::sync::Arc;
//!
//! use qingyu_story::{Character, Story};
//! use qingyu_tools::{Caller, Engine, MemoryWorkspace, Permission, Toolbox, workspace};
//! use serde_json::json;
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let story = Story { characters: vec![Character { name: "林青".into(), ..Character::default() }], ..Story::default() };
//! let project = workspace::only(MemoryWorkspace::new("p-1", story));
//! let engine = Engine::new(Toolbox::writing(), project);
//! let reader = Caller::new("a reader", Permission::Read);
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
pub mod network;
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

pub use context::{Caller, Context};
pub use engine::{Engine, Outcome};
pub use error::{Problem, ToolError};
pub use tool::{Action, Category, Demand, Metadata, Permission, Tool};
pub use toolbox::Toolbox;
pub use workspace::{MemoryWorkspace, RemoteWorkspace, Workspace, Workspaces};
