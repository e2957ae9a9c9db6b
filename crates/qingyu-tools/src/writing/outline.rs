//! `outline_tool`: acts, chapters and scenes.

mod generate;
mod place;
mod structure;
mod suggest;

use qingyu_story::chapters::Chapters;
use qingyu_story::edit::{AppliedEdit, EditStep};
use qingyu_story::prose::editors_count;
use qingyu_story::{OutlineNode, OutlineNodeKind, Piece, PieceKind};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Entries, Fields, needed, page, settings};
use crate::desk::{Desk, StoryTool};
use crate::reading::ReadingOrder;
use crate::{Action, Category, Metadata, ToolError};

use place::PLACE;
use structure::{Beat, StructureType};

/// The tool.
#[derive(Debug)]
pub(crate) struct OutlineTool;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// What to do.
    action: Do,
    /// The id or name of the node; for update and delete, and for get of a single one.
    node_id: Option<String>,
    /// The fields of the node, for create and update.
    #[schemars(with = "Option<OutlineNode>")]
    outline_data: Option<Fields>,
    /// Entries to add to lists of the node, such as {"participants": ["Ann"]}; for update.
    add: Option<Entries>,
    /// Entries to take out of lists of the node; for update.
    remove: Option<Entries>,
    /// The node after which a new one stands, by id or name; at the end if left out. For create.
    after: Option<String>,
    /// The structure to build, for generate_auto: three acts, the hero's journey, or your own beats.
    structure_type: Option<StructureType>,
    /// The beats of a custom structure, for generate_auto.
    beats: Option<Vec<Beat>>,
    /// Whether generate_auto only shows what it would make. Without it, the outline must be empty.
    preview: Option<bool>,
    /// How many nodes to skip; for get.
    offset: Option<usize>,
    /// How many nodes or suggestions to give at most; for get and suggest_plot.
    limit: Option<usize>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Do {
    Create,
    Update,
    Get,
    GenerateAuto,
    SuggestPlot,
    Delete,
}

impl StoryTool for OutlineTool {
    type Arguments = Arguments;

    fn metadata() -> Metadata {
        let actions = vec![
            Action::write("create"),
            Action::write("update"),
            Action::read("get"),
            Action::write("generate_auto"),
            Action::read("suggest_plot"),
            Action::write("delete"),
        ];
        Metadata::of::<Arguments>("outline_tool", Category::Writing, actions)
    }

    fn work(&self, arguments: Arguments, desk: &mut Desk) -> Result<Value, ToolError> {
        let Arguments { action, node_id, outline_data, add, remove, after, .. } = arguments;
        let id = || needed(node_id.as_deref(), "/node_id");
        match action {
            Do::Create => create(needed(outline_data, "/outline_data")?, after.as_deref(), desk),
            Do::Update => {
                let fields = settings(outline_data, add, remove);
                let node = desk.update(PieceKind::OutlineNode, Some(id()?), fields, PLACE)?;
                Ok(json!({"outline_node": node.fields()}))
            }
            Do::Get => match node_id.as_deref() {
                None => Ok(all(desk, arguments.offset, arguments.limit)),
                Some(id) => Ok(node_details(desk, desk.find(PieceKind::OutlineNode, id, "/node_id")?)),
            },
            Do::GenerateAuto => {
                let structure = arguments.structure_type.unwrap_or(StructureType::ThreeAct);
                generate::generate(structure, arguments.beats, arguments.preview.unwrap_or(false), desk)
            }
            Do::SuggestPlot => Ok(suggest::suggest(desk, arguments.limit)),
            Do::Delete => {
                let texts = texts_of(desk, desk.find(PieceKind::OutlineNode, id()?, "/node_id")?);
                let node = desk.delete(PieceKind::OutlineNode, Some(id()?), PLACE)?;
                for text in &texts {
                    desk.delete(PieceKind::Document, Some(text), PLACE)?;
                }
                Ok(json!({"deleted": node.fields(), "deleted_documents": texts}))
            }
        }
    }
}

/// Inserts a node after another, or at the end; later nodes move by 1.
fn create(mut fields: Fields, after: Option<&str>, desk: &mut Desk) -> Result<Value, ToolError> {
    let last = desk.story().outline_nodes.iter().map(|node| node.order).max().unwrap_or(0);
    if let Some(after) = after {
        let before = desk.find(PieceKind::OutlineNode, after, "/after")?;
        let order = desk.story().outline_nodes[before].order;
        let nodes = desk.story().outline_nodes.iter().enumerate().filter(|(_, node)| node.order > order);
        let steps = nodes.map(|(position, node)| {
            let moved = OutlineNode { order: node.order.saturating_add(1), ..node.clone() };
            let [before, after] = [node.clone(), moved].map(Piece::OutlineNode);
            EditStep { position, before: Some(before), after: Some(after) }
        });
        let change = AppliedEdit { steps: steps.collect() };
        desk.apply(change, PLACE)?;
        fields.insert("order".into(), order.saturating_add(1).into());
    }
    fields.entry("order".into()).or_insert_with(|| last.saturating_add(1).into());
    let node = desk.create(PieceKind::OutlineNode, fields, PLACE)?;
    Ok(json!({"outline_node": node.fields()}))
}

/// Returns the nodes in reading order, each with its depth and written length.
fn all(desk: &Desk, offset: Option<usize>, limit: Option<usize>) -> Value {
    let reading = ReadingOrder::of(desk.story());
    let nodes: Vec<usize> = reading.nodes.clone();
    page("outline_nodes", nodes, offset, limit, |node| shown(&reading, node))
}

/// Returns a node with its descendants, its events, and its texts.
fn node_details(desk: &Desk, node: usize) -> Value {
    let story = desk.story();
    let reading = ReadingOrder::of(story);
    let below = reading.nodes.iter().filter(|other| reading.above(**other).first() == Some(&node));
    let below: Vec<Value> = below.map(|other| shown(&reading, *other)).collect();
    let events: Vec<_> = reading.events_of(node).into_iter().map(|event| &story.timeline_events[event]).collect();
    let documents = reading
        .documents_of(node)
        .iter()
        .map(|document| json!({"id": document.id, "title": document.title, "version": document.version}));
    json!({
        "outline_node": shown(&reading, node),
        "children": below,
        "timeline_events": events,
        "documents": documents.collect::<Vec<_>>(),
    })
}

fn shown(reading: &ReadingOrder<'_>, node: usize) -> Value {
    let mut fields = json!(reading.story.outline_nodes[node]);
    let language = reading.story.language;
    let texts = reading.documents_of(node);
    let written: usize = texts.iter().map(|document| editors_count(&document.text, language)).sum();
    fields["depth"] = reading.above(node).len().into();
    fields["written"] = written.into();
    fields
}

/// Returns the ids of a chapter's texts, deleted together with the chapter.
fn texts_of(desk: &Desk, node: usize) -> Vec<String> {
    let story = desk.story();
    let is_chapter = story.outline_nodes[node].kind == OutlineNodeKind::Chapter;
    let chapters = Chapters::of(story);
    let texts = chapters.of_node(node).filter(|_| is_chapter).into_iter().flat_map(|chapter| &chapter.documents);
    texts.map(|document| story.documents[*document].id.clone()).collect()
}
