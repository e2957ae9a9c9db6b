//! Fuzzed tool calls.

#![expect(clippy::unwrap_used, reason = "a suite may panic as tests do")]

use std::sync::{Arc, LazyLock};

use qingyu_story::Story;
use serde_json::Value;

use super::NoProducer;
use super::suite;
use crate::{Engine, MemoryWorkspace, Permission, ToolCaller, Toolbox, Workspace, workspace};

/// Cached: compiling all schemas takes longer than a call.
static TOOLBOX: LazyLock<Toolbox> = LazyLock::new(|| Toolbox::writing().with_content(Arc::new(NoProducer), None));

/// Calls the named tool with an arbitrary text, on the story of the [suite], and returns the outcome.
///
/// Made for fuzzing: panics if the tool does, if a failed or reading call changed the story, or if the outcome has an
/// invalid form.
pub fn fuzz(tool: &str, arguments: &str) -> Value {
    on(suite::beginning(), tool, arguments)
}

/// Like [`fuzz`], on any story. `web_search`, which works without a project, returns no version.
pub fn on(story: Story, tool: &str, arguments: &str) -> Value {
    let Ok(arguments) = serde_json::from_str::<Value>(arguments) else { return Value::Null };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(call(story, tool, arguments))
}

/// Like [`fuzz`], on any story.
pub(crate) async fn call(story: Story, tool: &str, arguments: Value) -> Value {
    let projects = workspace::only(MemoryWorkspace::new("p-1", story));
    let project: Arc<dyn Workspace> = projects.open(None).await.unwrap();
    let engine = Engine::new(TOOLBOX.clone(), projects);
    let before = project.load().await.unwrap();
    let outcome = engine.call(tool, arguments, &ToolCaller::new("anybody", Permission::Write)).await.to_json();
    let after = project.load().await.unwrap();
    if outcome["ok"] == true {
        assert_eq!(outcome["result"]["version"], after.version, "{tool}: the answer has the version");
        let changed = outcome["result"]["changed"].is_array();
        assert_eq!(
            changed,
            after.version > before.version,
            "{tool}: what changed is said, and nothing else: {outcome}"
        );
    } else {
        assert_eq!(before, after, "{tool}: what failed changed nothing");
        let error = &outcome["error"];
        assert_ne!(error["code"], "internal", "{tool} is at fault: {outcome}");
        assert!(error["code"].is_string() && error["message"].is_string() && error["retryable"].is_boolean());
    }
    outcome
}
