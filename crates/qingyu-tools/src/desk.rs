//! An in-memory editor of a story, for tools that only read and edit the story, without async work.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use futures::future::BoxFuture;
use qingyu_story::chapters::{ChapterLookupError, Chapters};
use qingyu_story::edit::{self, AppliedEdit};
use qingyu_story::production::Field;
use qingyu_story::{Config, Edit, EditTarget, Language, Names, Piece, PieceKind, Story, settlement};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::workspace::{DocumentVersion, FoundPassages, LoadedStory, PassageQuery, WorkspaceSave};
use crate::{Metadata, Tool, ToolContext, ToolError, fields};

/// Maximum changed pieces listed in an answer.
const CHANGES: usize = 50;

/// A tool that only reads and edits the story.
pub(crate) trait StoryTool: Debug + Send + Sync + 'static {
    /// The tool's arguments.
    type Arguments: DeserializeOwned + JsonSchema + Send;

    /// Returns the tool's metadata.
    fn metadata() -> Metadata;

    /// Returns the id or title of the document whose earlier versions the tool needs, if any.
    fn history(_arguments: &Self::Arguments) -> Option<&str> {
        None
    }

    /// Returns the search for passages that the tool needs, if any; its result is [`Desk::found`].
    fn search(&self, _arguments: &Self::Arguments, _desk: &Desk) -> Option<PassageQuery> {
        None
    }

    /// Returns whether an answer may be kept, as [`Tool::may_keep`].
    fn may_keep(_answer: &Value) -> bool {
        true
    }

    /// Runs the tool and returns the answer, an object. On failure, all edits are rolled back.
    fn work(&self, arguments: Self::Arguments, desk: &mut Desk) -> Result<Value, ToolError>;
}

/// A [`StoryTool`] as a [`Tool`]: loads the story, runs the tool, and saves the edits as a single change.
///
/// The answer gets `version`, the resulting version of the project, and `changed`, the changed pieces, if any; for many
/// pieces the first, and `changed_total`.
#[derive(Debug)]
pub(crate) struct StoryToolAdapter<T> {
    tool: T,
    metadata: Metadata,
}

impl<T: StoryTool> StoryToolAdapter<T> {
    /// Returns the tool, ready to register.
    pub(crate) fn new(tool: T) -> Self {
        Self { tool, metadata: T::metadata() }
    }

    async fn run(&self, arguments: Value, context: &ToolContext) -> Result<Value, ToolError> {
        let arguments: T::Arguments = read(arguments)?;
        let mut desk = open(context).await?;
        if let Some(position) = T::history(&arguments).and_then(|name| desk.document(name)) {
            let id = desk.story().documents[position].id.clone();
            desk.history = context.workspace()?.document_versions(&id).await?;
        }
        if let Some(query) = self.tool.search(&arguments, &desk) {
            desk.found = context.workspace()?.search(&query).await?;
        }
        let answer = self.tool.work(arguments, &mut desk)?;
        desk.close(answer, &self.metadata.name, context).await
    }
}

impl<T: StoryTool> Tool for StoryToolAdapter<T> {
    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn call<'a>(&'a self, arguments: Value, context: &'a ToolContext) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(self.run(arguments, context))
    }

    fn may_keep(&self, answer: &Value) -> bool {
        T::may_keep(answer)
    }
}

/// Deserializes the arguments; the schema is validated already, so a failure is outside the schema's reach.
pub(crate) fn read<A: DeserializeOwned>(arguments: Value) -> Result<A, ToolError> {
    serde_path_to_error::deserialize(arguments).map_err(|error| {
        let path = error.path().to_string().replace(['.', '['], "/").replace(']', "");
        ToolError::invalid(&format!("/{}", path.trim_matches('/')), error.inner().to_string())
    })
}

/// Opens the project of a call for editing.
///
/// Fails with [`ToolError::Conflict`] if the caller expected another version.
pub(crate) async fn open(context: &ToolContext) -> Result<Desk, ToolError> {
    let workspace = context.workspace()?;
    let loaded = workspace.load().await?;
    match context.expected_version.filter(|expected| *expected != loaded.version) {
        Some(expected) => Err(ToolError::Conflict { expected, found: loaded.version, named: true }),
        None => {
            let (checks, agent) = (workspace.checks().await?, context.caller.agent.clone());
            Ok(Desk { checks, agent, ..Desk::new(loaded, context.caller.language) })
        }
    }
}

/// A story with pending edits.
#[derive(Debug)]
pub struct Desk {
    loaded: LoadedStory,
    edited: Option<Story>,
    changes: Vec<AppliedEdit>,
    language: Language,
    note: String,
    history: Vec<DocumentVersion>,
    found: Option<FoundPassages>,
    checks: Config,
    agent: String,
}

/// The argument paths of an edit, for errors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ArgumentPath<'a> {
    /// Path of the fields, such as `/character_data`.
    pub(crate) fields: &'a str,
    /// Path of the piece's name, such as `/character_id`.
    pub(crate) target: &'a str,
}

impl Desk {
    /// Returns an editor of the story, with output in `language` and the default checker rules.
    pub fn new(loaded: LoadedStory, language: Language) -> Self {
        Self {
            loaded,
            edited: None,
            changes: Vec::new(),
            language,
            note: String::new(),
            history: Vec::new(),
            found: None,
            checks: Config::default(),
            agent: String::new(),
        }
    }

    /// Returns the editing agent; empty by default.
    pub fn agent(&self) -> &str {
        &self.agent
    }

    /// Returns the story with all edits so far.
    pub fn story(&self) -> &Story {
        self.edited.as_ref().unwrap_or(&self.loaded.story)
    }

    /// Returns the output language of the caller.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Returns the enabled checker rules and their severities.
    pub fn checks(&self) -> &Config {
        &self.checks
    }

    /// Returns the versions of the document requested by the tool, oldest first.
    pub fn history(&self) -> &[DocumentVersion] {
        &self.history
    }

    /// Returns the passages found by search servers for the tool; `None` without such servers.
    pub fn found(&self) -> Option<&FoundPassages> {
        self.found.as_ref()
    }

    fn document(&self, name: &str) -> Option<usize> {
        self.find(PieceKind::Document, name, "").ok()
    }

    /// Returns the edits so far.
    pub fn changes(&self) -> &[AppliedEdit] {
        &self.changes
    }

    /// Sets a note, stored in the log with the change.
    pub fn note(&mut self, note: &str) {
        note.clone_into(&mut self.note);
    }

    /// Returns the position of the piece matching `name`: an id, name, title or alias, or a part of one person's name.
    pub fn find(&self, kind: PieceKind, name: &str, path: &str) -> Result<usize, ToolError> {
        let story = self.story();
        if is_named_by_id(kind) {
            let found = story.pieces_of(kind).position(|piece| !name.trim().is_empty() && piece.id() == name.trim());
            return found.ok_or_else(|| not_found(kind, name, path));
        }
        match Names::of(story).meant(&[kind], name).as_slice() {
            [one] => Ok(one.position),
            _ if matches!(kind, PieceKind::OutlineNode | PieceKind::Document) => self.of_chapter(kind, name, path),
            [] => Err(not_found(kind, name, path)),
            several => Err(ToolError::Ambiguous {
                kind: kind.name().into(),
                name: name.to_owned(),
                count: several.len(),
                path: path.to_owned(),
            }),
        }
    }

    /// Returns the position of a chapter's node or text, found by number, volume or position.
    fn of_chapter(&self, kind: PieceKind, name: &str, path: &str) -> Result<usize, ToolError> {
        let chapters = Chapters::of(self.story());
        let chapter = chapters.resolve(name).map_err(|error| match error {
            ChapterLookupError::Ambiguous { choices, .. } => {
                ToolError::invalid(path, format!("one chapter; this may be {}", choices.join(", ")))
            }
            _ => not_found(kind, name, path),
        })?;
        let found = if kind == PieceKind::OutlineNode { chapter.node } else { chapter.documents.first().copied() };
        found.ok_or_else(|| not_found(kind, name, path))
    }

    /// Returns the positions of all pieces uniquely matched by any of `names`, as in [`find`](Self::find); indexes the
    /// story only once.
    pub fn find_each(&self, kind: PieceKind, names: &BTreeSet<&str>) -> BTreeSet<usize> {
        let story = self.story();
        if is_named_by_id(kind) {
            let pieces = story.pieces_of(kind).enumerate();
            return pieces.filter(|(_, piece)| names.contains(piece.id())).map(|(place, _)| place).collect();
        }
        let known = Names::of(story);
        let one = |name: &&str| match known.meant(&[kind], name).as_slice() {
            [one] => Some(one.position),
            _ => None,
        };
        names.iter().filter_map(one).collect()
    }

    /// Inserts a piece with the given fields; other fields get their defaults. Returns the resulting piece.
    pub(crate) fn create(
        &mut self,
        kind: PieceKind,
        fields: BTreeMap<String, Value>,
        place: ArgumentPath<'_>,
    ) -> Result<Piece, ToolError> {
        fields::verify(kind, &fields, place.fields)?;
        let mut piece = Piece::empty(kind);
        for (field, value) in fields {
            let refused = |error| ToolError::of_edit(error, place.fields, place.target);
            piece = piece.with_field(&field, value).map_err(refused)?;
        }
        let change = self.edit(Edit::Create { piece }, place)?;
        // Prerequisites, such as the world of a place, are inserted before the piece.
        let made = change.steps.last().and_then(|step| step.after.clone());
        made.ok_or_else(|| ToolError::Internal { message: "nothing was created".into() })
    }

    /// Sets fields of the named piece, as in [`Edit::Update`]; `None` means a singleton. Returns the resulting piece.
    pub(crate) fn update(
        &mut self,
        kind: PieceKind,
        name: Option<&str>,
        fields: BTreeMap<String, Value>,
        place: ArgumentPath<'_>,
    ) -> Result<Piece, ToolError> {
        fields::verify(kind, &fields, place.fields)?;
        let (before, target) = self.target(kind, name, place.target)?;
        let change = self.edit(Edit::Update { kind, target, fields }, place)?;
        // The piece comes first, then pieces updated with its new name.
        Ok(change.steps.first().and_then(|step| step.after.clone()).unwrap_or(before))
    }

    /// Deletes a piece and returns the deleted piece.
    pub(crate) fn delete(
        &mut self,
        kind: PieceKind,
        name: Option<&str>,
        place: ArgumentPath<'_>,
    ) -> Result<Piece, ToolError> {
        let (before, target) = self.target(kind, name, place.target)?;
        self.edit(Edit::Delete { kind, target }, place)?;
        Ok(before)
    }

    /// Applies a change of several pieces at once.
    pub(crate) fn apply(&mut self, change: AppliedEdit, place: ArgumentPath<'_>) -> Result<(), ToolError> {
        let mut story = self.edited.take().unwrap_or_else(|| Story::clone(&self.loaded.story));
        let done = change.apply(&mut story);
        self.edited = Some(story);
        done.map_err(|error| ToolError::of_edit(error, place.fields, place.target))?;
        self.changes.push(change);
        Ok(())
    }

    /// Changes phases and fields; reverts all changes on failure.
    pub fn change_fields<T>(
        &mut self,
        change: impl FnOnce(&mut Story) -> Result<T, ToolError>,
    ) -> Result<T, ToolError> {
        let mut story = self.story().clone();
        let done = change(&mut story)?;
        self.edited = Some(story);
        Ok(done)
    }

    /// Applies an edit.
    pub(crate) fn edit(&mut self, edit: Edit, place: ArgumentPath<'_>) -> Result<&AppliedEdit, ToolError> {
        let mut story = self.edited.take().unwrap_or_else(|| Story::clone(&self.loaded.story));
        let done = edit::apply(&mut story, edit);
        self.edited = Some(story);
        let change = done.map_err(|error| ToolError::of_edit(error, place.fields, place.target))?;
        self.changes.push(change);
        Ok(self.changes.last().expect("it was pushed"))
    }

    /// Returns a piece and its edit target.
    fn target(&self, kind: PieceKind, name: Option<&str>, path: &str) -> Result<(Piece, EditTarget), ToolError> {
        let position = name.map_or(Ok(0), |name| self.find(kind, name, path))?;
        let piece = self.story().piece(kind, position).ok_or_else(|| not_found(kind, kind.name(), path))?;
        let target = match name {
            None => EditTarget::Only,
            Some(_) if !piece.id().is_empty() => EditTarget::Named(piece.id().to_owned()),
            Some(name) => EditTarget::Named(name.to_owned()),
        };
        Ok((piece, target))
    }

    /// Saves the changes and completes the answer.
    ///
    /// Settlements of a changed text are updated in the same save.
    pub async fn close(mut self, mut answer: Value, tool: &str, context: &ToolContext) -> Result<Value, ToolError> {
        self.follow();
        let changed = self.changed();
        let LoadedStory { story: before, version: expected } = self.loaded;
        let version = match self.edited.filter(|_| !changed.is_empty()) {
            None => expected,
            Some(after) => {
                let mut provenance = context.provenance(tool);
                provenance.note = self.note;
                let key = context.call.to_string();
                context.workspace()?.save(WorkspaceSave { before, after, expected, key, provenance }).await?
            }
        };
        if changed.len() > CHANGES {
            answer["changed_total"] = changed.len().into();
        }
        if !changed.is_empty() {
            answer["changed"] = changed.into_iter().take(CHANGES).collect();
        }
        answer["version"] = version.into();
        Ok(answer)
    }

    /// Updates the story after changes of texts.
    fn follow(&mut self) {
        let mut steps = self.changes.iter().flat_map(|change| &change.steps);
        let touches_texts = steps.any(|step| step.kind() == Some(PieceKind::Document));
        if let Some(edited) = self.edited.as_mut().filter(|_| touches_texts) {
            let followed = settlement::follow_all(&self.loaded.story, edited);
            settlement::mark_unsupported(&self.loaded.story, edited);
            self.changes.extend(followed.into_iter().map(|following| following.change));
        }
    }

    /// Returns the changes, a line per piece.
    fn changed(&self) -> Vec<Value> {
        let steps = self.changes.iter().flat_map(|change| &change.steps);
        let line = |step: &edit::EditStep| {
            let (what, piece) = match (&step.before, &step.after) {
                (None, Some(piece)) => ("created", piece),
                (Some(_), Some(piece)) => ("updated", piece),
                (Some(piece), None) => ("deleted", piece),
                (None, None) => return None,
            };
            Some(json!({"change": what, "kind": piece.kind(), "id": piece.id(), "label": piece.label()}))
        };
        let mut lines: Vec<Value> = steps.filter_map(line).collect();
        lines.dedup();
        lines.extend(self.edited.iter().flat_map(|edited| changed_fields(&self.loaded.story, edited)));
        lines
    }
}

/// Returns the changes of fields, a line per field.
fn changed_fields(before: &Story, after: &Story) -> Vec<Value> {
    let by_path = |story: &Story| -> BTreeMap<String, Field> {
        story.fields.iter().map(|field| (field.path.clone(), field.clone())).collect()
    };
    let mut gone = by_path(before);
    let mut lines = Vec::new();
    let mut line = |what: &str, field: &Field| {
        lines.push(json!({"change": what, "kind": "field", "id": field.path, "label": field.title}));
    };
    for field in &after.fields {
        match gone.remove(&field.path) {
            None => line("created", field),
            Some(known) if known != *field => line("updated", field),
            Some(_) => {}
        }
    }
    gone.values().for_each(|field| line("deleted", field));
    lines
}

/// Returns whether pieces of the kind have no name except their id.
fn is_named_by_id(kind: PieceKind) -> bool {
    matches!(kind, PieceKind::Relation | PieceKind::Fact)
}

fn not_found(kind: PieceKind, name: &str, path: &str) -> ToolError {
    ToolError::NotFound { kind: kind.name().into(), name: name.to_owned(), path: path.to_owned() }
}
