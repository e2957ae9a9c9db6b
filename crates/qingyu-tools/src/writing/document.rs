//! `document_tool`: the texts of the book, with their versions.

use qingyu_story::edit::Replacement;
use qingyu_story::prose::editors_count;
use qingyu_story::{Document, Language, PieceKind};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Fields, needed, page};
use crate::desk::{ArgumentPath, Desk, StoryTool};
use crate::{Action, Category, Metadata, ToolError};

/// The tool.
#[derive(Debug)]
pub(crate) struct DocumentTool;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// What to do. write puts a whole text, new or in place of the old one; update changes parts of one; batch does
    /// several of these, all or none.
    action: Do,
    #[serde(flatten)]
    work: Work,
    /// For read: an earlier version.
    version: Option<u32>,
    /// For create_version: a word on it.
    label: Option<String>,
    /// For batch: what to do, one after the other.
    operations: Option<Vec<Operation>>,
    /// How many characters of a text, or entries of a list, to skip.
    offset: Option<usize>,
    /// How many characters of a text, or entries of a list, to give at most; 20000 or 100 if left out.
    limit: Option<usize>,
}

/// What is to be done to one document.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Work {
    /// The id or title of the document. write without it makes a new one.
    document_id: Option<String>,
    /// The whole text, for write.
    content: Option<String>,
    /// A text to add at the end, for update.
    append: Option<String>,
    /// Places to change, for update. Each must stand in the text exactly once.
    replacements: Option<Vec<Change>>,
    /// The title; a new document needs one.
    title: Option<String>,
    /// The place in reading order, from 1; 0 for a note that is not part of the book. A new document comes last.
    order: Option<u32>,
    /// The outline node that it tells, by id or name.
    outline_node: Option<String>,
}

/// One of several.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Operation {
    /// What to do.
    action: Edit,
    #[serde(flatten)]
    work: Work,
}

/// A place of a text.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Change {
    /// The words that stand there.
    find: String,
    /// The words that are to stand there.
    with: String,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Do {
    Read,
    Write,
    Update,
    List,
    CreateVersion,
    Batch,
    Versions,
    Delete,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Edit {
    Write,
    Update,
    CreateVersion,
    Delete,
}

const PLACE: ArgumentPath<'static> = ArgumentPath { fields: "", target: "/document_id" };
/// Default number of characters returned.
const READ: usize = 20_000;
/// Maximum operations of a batch.
const MOST: usize = 500;

impl StoryTool for DocumentTool {
    type Arguments = Arguments;

    fn metadata() -> Metadata {
        let actions = vec![
            Action::read("read"),
            Action::write("write"),
            Action::write("update"),
            Action::read("list"),
            Action::write("create_version"),
            Action::write("batch"),
            Action::read("versions"),
            Action::write("delete"),
        ];
        Metadata::of::<Arguments>("document_tool", Category::Writing, actions)
    }

    fn history(arguments: &Arguments) -> Option<&str> {
        let earlier = matches!(arguments.action, Do::Read) && arguments.version.is_some();
        arguments.work.document_id.as_deref().filter(|_| earlier || matches!(arguments.action, Do::Versions))
    }

    fn work(&self, arguments: Arguments, desk: &mut Desk) -> Result<Value, ToolError> {
        let Arguments { action, work, version, label, operations, offset, limit } = arguments;
        match action {
            Do::Read => read(desk, &work, version, offset, limit),
            Do::List => Ok(page("documents", list(desk), offset, limit, |shown| shown)),
            Do::Versions => versions(desk, &work),
            Do::Write => edit(Edit::Write, work, desk),
            Do::Update => edit(Edit::Update, work, desk),
            Do::Delete => edit(Edit::Delete, work, desk),
            Do::CreateVersion => {
                desk.note(label.as_deref().unwrap_or_default());
                edit(Edit::CreateVersion, work, desk)
            }
            Do::Batch => batch(needed(operations, "/operations")?, desk),
        }
    }
}

fn batch(operations: Vec<Operation>, desk: &mut Desk) -> Result<Value, ToolError> {
    if operations.is_empty() || operations.len() > MOST {
        return Err(ToolError::invalid("/operations", format!("1 to {MOST} operations")));
    }
    let mut results = Vec::new();
    for (index, operation) in operations.into_iter().enumerate() {
        let done = edit(operation.action, operation.work, desk);
        results.push(done.map_err(|error| within(error, &format!("/operations/{index}")))?);
    }
    Ok(json!({"results": results}))
}

/// Returns the error of an operation with the path of the batch.
fn within(error: ToolError, outer: &str) -> ToolError {
    match error {
        ToolError::Invalid { mut problems } => {
            for problem in &mut problems {
                problem.path.insert_str(0, outer);
            }
            ToolError::Invalid { problems }
        }
        ToolError::NotFound { kind, name, path } => ToolError::NotFound { kind, name, path: format!("{outer}{path}") },
        ToolError::Ambiguous { kind, name, count, path } => {
            ToolError::Ambiguous { kind, name, count, path: format!("{outer}{path}") }
        }
        other => other,
    }
}

fn edit(action: Edit, work: Work, desk: &mut Desk) -> Result<Value, ToolError> {
    if let Some(node) = &work.outline_node {
        desk.find(PieceKind::OutlineNode, node, "/outline_node")?;
    }
    let id = || needed(work.document_id.as_deref(), "/document_id");
    match action {
        Edit::Write => write(work, desk),
        Edit::Update => {
            let position = desk.find(PieceKind::Document, id()?, "/document_id")?;
            update(position, work, desk)
        }
        Edit::CreateVersion => {
            let position = desk.find(PieceKind::Document, id()?, "/document_id")?;
            let document = &desk.story().documents[position];
            let (id, next) = (document.id.clone(), document.version.saturating_add(1));
            let fields = Fields::from([("version".to_owned(), next.into())]);
            desk.update(PieceKind::Document, Some(&id), fields, PLACE)?;
            Ok(json!({"document": head(&desk.story().documents[position], desk.story().language)}))
        }
        Edit::Delete => {
            let gone = desk.delete(PieceKind::Document, Some(id()?), PLACE)?;
            Ok(json!({"deleted": {"id": gone.id(), "title": gone.name()}}))
        }
    }
}

/// Replaces the whole text.
fn write(work: Work, desk: &mut Desk) -> Result<Value, ToolError> {
    let mut fields = work.fields();
    fields.insert("text".into(), needed(work.content, "/content")?.into());
    let written = match work.document_id.as_deref() {
        Some(id) => desk.update(PieceKind::Document, Some(id), fields, PLACE)?,
        None => {
            let last = desk.story().documents.iter().map(|document| document.order).max().unwrap_or(0);
            fields.entry("order".into()).or_insert_with(|| last.saturating_add(1).into());
            fields.insert("version".into(), 1.into());
            needed(work.title, "/title")?;
            desk.create(PieceKind::Document, fields, PLACE)?
        }
    };
    let position = desk.find(PieceKind::Document, written.id(), "/document_id")?;
    Ok(json!({"document": head(&desk.story().documents[position], desk.story().language)}))
}

/// Replaces parts of a text.
fn update(position: usize, work: Work, desk: &mut Desk) -> Result<Value, ToolError> {
    let mut fields = work.fields();
    let document = &desk.story().documents[position];
    let (id, text) = (document.id.clone(), &document.text);
    let changes = work.replacements.unwrap_or_default();
    let places: Result<Vec<Replacement>, ToolError> =
        changes.iter().enumerate().map(|(index, change)| place(text, change, index)).collect();
    let places = places?;
    let overlap = || ToolError::invalid("/replacements", "places that do not overlap");
    let mut changed = qingyu_story::edit::replace(text, &places).ok_or_else(overlap)?;
    if let Some(more) = work.append.as_deref().filter(|more| !more.is_empty()) {
        if !changed.is_empty() && !changed.ends_with('\n') {
            changed.push('\n');
        }
        changed.push_str(more);
    }
    if changed != *text {
        fields.insert("text".into(), changed.into());
    }
    if let Some(content) = work.content {
        let clash = !places.is_empty() || work.append.is_some();
        if clash {
            return Err(ToolError::invalid("/content", "no content beside replacements or append"));
        }
        fields.insert("text".into(), content.into());
    }
    if fields.is_empty() {
        return Err(ToolError::invalid("/", "something to change: replacements, append, title, order or outline_node"));
    }
    desk.update(PieceKind::Document, Some(&id), fields, PLACE)?;
    Ok(json!({"document": head(&desk.story().documents[position], desk.story().language)}))
}

/// Returns the position of a change: the words must occur exactly once in the text.
fn place(text: &str, change: &Change, index: usize) -> Result<Replacement, ToolError> {
    let path = format!("/replacements/{index}/find");
    if change.find.is_empty() {
        return Err(ToolError::invalid(&path, "words of the text"));
    }
    match text.matches(&change.find).count() {
        1 => {
            let start = text.find(&change.find).expect("it was counted");
            let range = (start, start + change.find.len());
            Ok(Replacement { range, was: change.find.clone(), with: change.with.clone() })
        }
        0 => Err(ToolError::invalid(&path, "words that stand in the text; these do not")),
        count => {
            Err(ToolError::invalid(&path, format!("words that stand there once; these stand there {count} times")))
        }
    }
}

impl Work {
    /// Returns the given fields, except the text.
    fn fields(&self) -> Fields {
        let mut fields = Fields::new();
        fields.extend(self.title.as_ref().map(|title| ("title".to_owned(), json!(title))));
        fields.extend(self.order.map(|order| ("order".to_owned(), json!(order))));
        fields.extend(self.outline_node.as_ref().map(|node| ("outline_node".to_owned(), json!(node))));
        fields
    }
}

fn read(
    desk: &Desk,
    work: &Work,
    version: Option<u32>,
    offset: Option<usize>,
    limit: Option<usize>,
) -> Result<Value, ToolError> {
    let id = needed(work.document_id.as_deref(), "/document_id")?;
    let document = &desk.story().documents[desk.find(PieceKind::Document, id, "/document_id")?];
    let language = desk.story().language;
    let mut shown = head(document, language);
    let text = match version.filter(|version| *version != document.version) {
        None => &document.text,
        Some(version) => {
            let earlier = desk.history().iter().rev().find(|earlier| earlier.version == version);
            let known = || desk.history().iter().map(|earlier| earlier.version.to_string()).collect::<Vec<_>>();
            let absent = || ToolError::invalid("/version", format!("a version that is kept: {}", known().join(", ")));
            let earlier = earlier.ok_or_else(absent)?;
            shown["version"] = version.into();
            shown["length"] = editors_count(&earlier.text, language).into();
            &earlier.text
        }
    };
    let characters = text.chars().count();
    let part: String = text.chars().skip(offset.unwrap_or(0)).take(limit.unwrap_or(READ)).collect();
    if part.len() < text.len() {
        shown["offset"] = offset.unwrap_or(0).into();
    }
    shown["characters"] = characters.into();
    shown["content"] = part.into();
    Ok(json!({"document": shown}))
}

fn versions(desk: &Desk, work: &Work) -> Result<Value, ToolError> {
    let id = needed(work.document_id.as_deref(), "/document_id")?;
    desk.find(PieceKind::Document, id, "/document_id")?;
    let language = desk.story().language;
    let line = |version: &crate::workspace::DocumentVersion| {
        json!({
            "version": version.version, "length": editors_count(&version.text, language), "made": version.made,
        })
    };
    Ok(json!({"versions": desk.history().iter().map(line).collect::<Vec<_>>()}))
}

/// Returns all texts in reading order, notes last, without their prose.
fn list(desk: &Desk) -> Vec<Value> {
    let mut documents: Vec<&Document> = desk.story().documents.iter().collect();
    documents.sort_by_key(|document| (document.order == 0, document.order));
    let language = desk.story().language;
    documents.into_iter().map(|document| head(document, language)).collect()
}

/// Returns a document without its prose.
fn head(document: &Document, language: Language) -> Value {
    json!({
        "id": document.id,
        "title": document.title,
        "order": document.order,
        "outline_node": document.outline_node,
        "version": document.version,
        "length": editors_count(&document.text, language),
    })
}
