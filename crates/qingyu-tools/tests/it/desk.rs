//! A small book in both languages, and a way to call tools on it.

use std::sync::Arc;

use qingyu_story::{Language, Story};
use qingyu_tools::{Engine, MemoryWorkspace, Permission, ToolCaller, Toolbox, Workspace, workspace};
use serde_json::Value;

/// The book: two chapters written, one planned; the same ids in both languages.
pub(crate) fn book(language: Language) -> Story {
    let text = match language {
        Language::Zh => include_str!("../fixtures/zh.json"),
        Language::En => include_str!("../fixtures/en.json"),
    };
    serde_json::from_str(text).unwrap()
}

/// A project with tools on it.
pub(crate) struct DeskTool {
    pub(crate) engine: Engine,
    pub(crate) language: Language,
}

impl DeskTool {
    pub(crate) fn new(story: Story, language: Language) -> Self {
        let project = workspace::only(MemoryWorkspace::new("p-1", story));
        Self { engine: Engine::new(Toolbox::writing(), project), language }
    }

    pub(crate) fn with_book(language: Language) -> Self {
        Self::new(book(language), language)
    }

    pub(crate) async fn workspace(&self) -> Arc<dyn Workspace> {
        self.engine.workspaces().open(None).await.unwrap()
    }

    pub(crate) async fn story(&self) -> Arc<Story> {
        self.workspace().await.load().await.unwrap().story
    }

    /// Calls a tool as somebody who may write, and gives the whole outcome.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Value {
        let caller = ToolCaller { language: self.language, ..ToolCaller::new("person", Permission::Write) };
        self.engine.call(tool, arguments, &caller).await.to_json()
    }

    /// Calls a tool that must succeed, and gives its answer.
    pub(crate) async fn ask(&self, tool: &str, arguments: Value) -> Value {
        let mut outcome = self.call(tool, arguments.clone()).await;
        assert_eq!(outcome["ok"], true, "{tool} {arguments}: {outcome}");
        outcome["result"].take()
    }
}
