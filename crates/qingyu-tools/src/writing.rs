//! The writing tools: one file each, on the story as it is.

pub mod character;
pub mod document;
pub mod encyclopedia;
pub mod outline;
pub mod relationship;
pub mod statistics;
pub mod story;
pub mod timeline;
pub mod worldview;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use serde_json::{Map, Value, json};

use crate::checking::{ask_facts, check, impact};
use crate::desk::OnDesk;
use crate::knowledge::{graph, rag};
use crate::workspace_context::WorkspaceContextTool;
use crate::{Tool, ToolError, Toolbox};
use qingyu_llm::tokens::{AnyModel, TokenCounter};

impl Toolbox {
    /// All tools that need nothing but a project, with tokens counted for a model nothing is known about.
    pub fn writing() -> Self {
        static USUAL: LazyLock<Toolbox> =
            LazyLock::new(|| Toolbox::writing_for(&(Arc::new(AnyModel) as Arc<dyn TokenCounter>)));
        USUAL.clone()
    }

    /// All tools that need nothing but a project; those with a budget of tokens count with `counter`.
    pub fn writing_for(counter: &Arc<dyn TokenCounter>) -> Self {
        let tools: Vec<Arc<dyn Tool>> = vec![
            Arc::new(OnDesk::new(outline::OutlineTool)),
            Arc::new(OnDesk::new(character::CharacterTool)),
            Arc::new(OnDesk::new(relationship::RelationshipTool)),
            Arc::new(OnDesk::new(timeline::TimelineTool)),
            Arc::new(OnDesk::new(worldview::WorldviewTool)),
            Arc::new(OnDesk::new(encyclopedia::EncyclopediaTool)),
            Arc::new(OnDesk::new(document::DocumentTool)),
            Arc::new(OnDesk::new(statistics::StatisticsTool)),
            Arc::new(OnDesk::new(story::StoryPiecesTool)),
            Arc::new(OnDesk::new(check::CheckTool)),
            Arc::new(OnDesk::new(ask_facts::AskFactsTool)),
            Arc::new(OnDesk::new(impact::ImpactTool)),
            Arc::new(OnDesk::new(WorkspaceContextTool::new(Arc::clone(counter)))),
            Arc::new(OnDesk::new(rag::RagTool::new(Arc::clone(counter)))),
            Arc::new(OnDesk::new(graph::KnowledgeGraphTool)),
        ];
        let mut toolbox = Self::new();
        for tool in tools {
            toolbox.register(tool).expect("our tools have different names and schemas of objects");
        }
        toolbox
    }
}

/// Fields of a piece, by their JSON names.
pub(crate) type Fields = BTreeMap<String, Value>;
/// Entries for lists of a piece, by the names of the lists.
pub(crate) type Entries = BTreeMap<String, Vec<Value>>;

/// How many entries a list gives unless it is asked for more.
pub(crate) const PAGE: usize = 100;

/// The fields to set, with the entries to add to lists and to take out of them.
pub(crate) fn settings(data: Option<Fields>, add: Option<Entries>, remove: Option<Entries>) -> Fields {
    let mut fields = data.unwrap_or_default();
    let entries = |prefix: &'static str, lists: Option<Entries>| {
        lists
            .unwrap_or_default()
            .into_iter()
            .map(move |(list, entries)| (format!("{prefix}_{list}"), Value::from(entries)))
    };
    fields.extend(entries("add", add));
    fields.extend(entries("remove", remove));
    fields
}

/// The argument, which the action cannot do without.
pub(crate) fn needed<T>(argument: Option<T>, path: &str) -> Result<T, ToolError> {
    argument.ok_or_else(|| ToolError::invalid(path, "a value; the action needs it"))
}

/// A page of a list, with how many there are in all. Only what is on the page is shown.
pub(crate) fn page<T>(
    name: &str,
    entries: Vec<T>,
    offset: Option<usize>,
    limit: Option<usize>,
    show: impl FnMut(T) -> Value,
) -> Value {
    let total = entries.len();
    let entries = entries.into_iter().skip(offset.unwrap_or(0)).take(limit.unwrap_or(PAGE));
    let shown: Vec<Value> = entries.map(show).collect();
    let mut page = Map::new();
    page.insert("total".into(), total.into());
    if shown.len() < total {
        page.insert("offset".into(), offset.unwrap_or(0).into());
    }
    page.insert(name.to_owned(), json!(shown));
    Value::Object(page)
}

/// Whether two names mean the same, as names are compared in stories.
pub(crate) fn is_same_name(a: &str, b: &str) -> bool {
    qingyu_story::names::fold(a) == qingyu_story::names::fold(b)
}

/// The words of a card, without ids.
pub(crate) fn text_of(piece: &qingyu_story::Piece) -> String {
    let fields = piece.fields();
    let mut words: Vec<String> = vec![piece.name().to_owned(), piece.aliases().join(" ")];
    for (field, value) in &fields {
        let is_known =
            matches!(field.as_str(), "id" | "name" | "title" | "alias" | "outline_node" | "mode" | "role_type");
        match value {
            Value::String(text) if !is_known => words.push(text.clone()),
            Value::Array(list) if !is_known => {
                words.extend(list.iter().filter_map(Value::as_str).map(str::to_owned));
            }
            _ => {}
        }
    }
    words.retain(|word| !word.trim().is_empty());
    words.join(" · ")
}
