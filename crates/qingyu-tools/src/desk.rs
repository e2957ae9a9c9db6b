//! A story on a desk: where tools that only read and edit the story do their work, without waiting for anything.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use futures::future::BoxFuture;
use qingyu_story::chapters::{Chapters, Unresolved};
use qingyu_story::edit::{self, Change};
use qingyu_story::production::Field;
use qingyu_story::{Config, Edit, Language, Names, Piece, PieceKind, Story, Target, settlement};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::workspace::{DocumentVersion, Loaded, Save};
use crate::{Context, Metadata, Tool, ToolError, fields};

/// The most changed pieces that an answer names.
const CHANGES: usize = 50;

/// A tool that reads and edits the story, and nothing else.
pub trait StoryTool: Debug + Send + Sync + 'static {
    /// Its arguments.
    type Arguments: DeserializeOwned + JsonSchema + Send;

    /// What it says of itself.
    fn metadata() -> Metadata;

    /// The document whose earlier versions it needs on the desk, by id or title.
    fn history(_arguments: &Self::Arguments) -> Option<&str> {
        None
    }

    /// Does it, and gives the answer, an object. If it fails, nothing that it did on the desk is kept.
    fn work(&self, arguments: Self::Arguments, desk: &mut Desk) -> Result<Value, ToolError>;
}

/// A [`StoryTool`] as a [`Tool`]: loads the story, lets it work, and saves what it changed as one change.
///
/// The answer gets a `version`, that of the project after it, and `changed`, the pieces that changed, if any did; of
/// many the first, and `changed_total`.
#[derive(Debug)]
pub struct OnDesk<T> {
    tool: T,
    metadata: Metadata,
}

impl<T: StoryTool> OnDesk<T> {
    /// The tool, ready to be registered.
    pub fn new(tool: T) -> Self {
        Self { tool, metadata: T::metadata() }
    }

    async fn run(&self, arguments: Value, context: &Context) -> Result<Value, ToolError> {
        let arguments: T::Arguments = read(arguments)?;
        let mut desk = open(context).await?;
        if let Some(position) = T::history(&arguments).and_then(|name| desk.document(name)) {
            let id = desk.story().documents[position].id.clone();
            desk.history = context.workspace()?.document_versions(&id).await?;
        }
        let answer = self.tool.work(arguments, &mut desk)?;
        desk.close(answer, &self.metadata.name, context).await
    }
}

impl<T: StoryTool> Tool for OnDesk<T> {
    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn call<'a>(&'a self, arguments: Value, context: &'a Context) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(self.run(arguments, context))
    }
}

/// The arguments as a type; the schema has been checked already, so that a failure says what the schema could not.
pub fn read<A: DeserializeOwned>(arguments: Value) -> Result<A, ToolError> {
    serde_path_to_error::deserialize(arguments).map_err(|error| {
        let path = error.path().to_string().replace(['.', '['], "/").replace(']', "");
        ToolError::invalid(&format!("/{}", path.trim_matches('/')), error.inner().to_string())
    })
}

/// Lays the project of a call on a desk.
///
/// Fails with [`ToolError::Conflict`] if the caller expected another version.
pub async fn open(context: &Context) -> Result<Desk, ToolError> {
    let workspace = context.workspace()?;
    let loaded = workspace.load().await?;
    match context.expected_version.filter(|expected| *expected != loaded.version) {
        Some(expected) => Err(ToolError::Conflict { expected, found: loaded.version, named: true }),
        None => {
            let (checks, agent) = (workspace.checks()?, context.caller.agent.clone());
            Ok(Desk { checks, agent, ..Desk::new(loaded, context.caller.language) })
        }
    }
}

/// A story, and the edits made to it.
#[derive(Debug)]
pub struct Desk {
    loaded: Loaded,
    edited: Option<Story>,
    changes: Vec<Change>,
    language: Language,
    note: String,
    history: Vec<DocumentVersion>,
    checks: Config,
    agent: String,
}

/// Where in the arguments an edit comes from, for errors.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// Where the fields stand, such as `/character_data`.
    pub fields: &'a str,
    /// Where the piece is named, such as `/character_id`.
    pub target: &'a str,
}

impl Desk {
    /// A desk with that story, for a caller who reads that language; all rules run there as they are by themselves.
    pub fn new(loaded: Loaded, language: Language) -> Self {
        Self {
            loaded,
            edited: None,
            changes: Vec::new(),
            language,
            note: String::new(),
            history: Vec::new(),
            checks: Config::default(),
            agent: String::new(),
        }
    }

    /// Who works at the desk; empty if nobody has said.
    pub fn agent(&self) -> &str {
        &self.agent
    }

    /// The story with all edits so far.
    pub fn story(&self) -> &Story {
        self.edited.as_ref().unwrap_or(&self.loaded.story)
    }

    /// The language in which the caller is spoken to.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Which rules run on the story, and how bad their findings are.
    pub fn checks(&self) -> &Config {
        &self.checks
    }

    /// The versions of the document that the tool asked for, oldest first.
    pub fn history(&self) -> &[DocumentVersion] {
        &self.history
    }

    fn document(&self, name: &str) -> Option<usize> {
        self.find(PieceKind::Document, name, "").ok()
    }

    /// The edits so far.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Leaves a word in the log beside the change.
    pub fn note(&mut self, note: &str) {
        note.clone_into(&mut self.note);
    }

    /// The place of the piece that `name` means: an id, name, title or alias.
    pub fn find(&self, kind: PieceKind, name: &str, path: &str) -> Result<usize, ToolError> {
        let story = self.story();
        if is_named_by_id(kind) {
            let found = story.pieces_of(kind).position(|piece| !name.trim().is_empty() && piece.id() == name.trim());
            return found.ok_or_else(|| not_found(kind, name, path));
        }
        match Names::of(story).find(kind, name).as_slice() {
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

    /// The place of the node or text of the chapter that is called so, by its number, volume or place.
    fn of_chapter(&self, kind: PieceKind, name: &str, path: &str) -> Result<usize, ToolError> {
        let chapters = Chapters::of(self.story());
        let chapter = chapters.resolve(name).map_err(|error| match error {
            Unresolved::Ambiguous { choices, .. } => {
                ToolError::invalid(path, format!("one chapter; this may be {}", choices.join(", ")))
            }
            _ => not_found(kind, name, path),
        })?;
        let found = if kind == PieceKind::OutlineNode { chapter.node } else { chapter.documents.first().copied() };
        found.ok_or_else(|| not_found(kind, name, path))
    }

    /// The places of all pieces that exactly one of `names` means, as [`find`](Self::find) finds them; the story is read once for
    /// all of them.
    pub fn find_each(&self, kind: PieceKind, names: &BTreeSet<&str>) -> BTreeSet<usize> {
        let story = self.story();
        if is_named_by_id(kind) {
            let pieces = story.pieces_of(kind).enumerate();
            return pieces.filter(|(_, piece)| names.contains(piece.id())).map(|(place, _)| place).collect();
        }
        let known = Names::of(story);
        let one = |name: &&str| match known.find(kind, name).as_slice() {
            [one] => Some(one.position),
            _ => None,
        };
        names.iter().filter_map(one).collect()
    }

    /// Adds a piece with those fields; what they leave out is empty. Gives the piece as it is now.
    pub fn create(
        &mut self,
        kind: PieceKind,
        fields: BTreeMap<String, Value>,
        place: Place<'_>,
    ) -> Result<Piece, ToolError> {
        fields::verify(kind, &fields, place.fields)?;
        let mut piece = Piece::empty(kind);
        for (field, value) in fields {
            let refused = |error| ToolError::of_edit(error, place.fields, place.target);
            piece = piece.with_field(&field, value).map_err(refused)?;
        }
        let change = self.edit(Edit::Create { piece }, place)?;
        // What has to be there first, such as the world of a place, comes before it.
        let made = change.steps.last().and_then(|step| step.after.clone());
        made.ok_or_else(|| ToolError::Internal { message: "nothing was created".into() })
    }

    /// Sets fields of the piece of that name, as [`Edit::Update`] understands them; `None` means what there is only
    /// one of. Gives the piece as it is now.
    pub fn update(
        &mut self,
        kind: PieceKind,
        name: Option<&str>,
        fields: BTreeMap<String, Value>,
        place: Place<'_>,
    ) -> Result<Piece, ToolError> {
        fields::verify(kind, &fields, place.fields)?;
        let (before, target) = self.target(kind, name, place.target)?;
        let change = self.edit(Edit::Update { kind, target, fields }, place)?;
        // The piece comes first, then those that a new name was carried into.
        Ok(change.steps.first().and_then(|step| step.after.clone()).unwrap_or(before))
    }

    /// Takes a piece out. Gives the piece as it was.
    pub fn delete(&mut self, kind: PieceKind, name: Option<&str>, place: Place<'_>) -> Result<Piece, ToolError> {
        let (before, target) = self.target(kind, name, place.target)?;
        self.edit(Edit::Delete { kind, target }, place)?;
        Ok(before)
    }

    /// Makes a change of several pieces at once.
    pub fn apply(&mut self, change: Change, place: Place<'_>) -> Result<(), ToolError> {
        let mut story = self.edited.take().unwrap_or_else(|| Story::clone(&self.loaded.story));
        let done = change.apply(&mut story);
        self.edited = Some(story);
        done.map_err(|error| ToolError::of_edit(error, place.fields, place.target))?;
        self.changes.push(change);
        Ok(())
    }

    /// Changes phases and fields. If that fails, nothing is changed.
    pub fn change_fields<T>(
        &mut self,
        change: impl FnOnce(&mut Story) -> Result<T, ToolError>,
    ) -> Result<T, ToolError> {
        let mut story = self.story().clone();
        let done = change(&mut story)?;
        self.edited = Some(story);
        Ok(done)
    }

    /// Carries out an edit.
    pub fn edit(&mut self, edit: Edit, place: Place<'_>) -> Result<&Change, ToolError> {
        let mut story = self.edited.take().unwrap_or_else(|| Story::clone(&self.loaded.story));
        let done = edit::apply(&mut story, edit);
        self.edited = Some(story);
        let change = done.map_err(|error| ToolError::of_edit(error, place.fields, place.target))?;
        self.changes.push(change);
        Ok(self.changes.last().expect("it was pushed"))
    }

    /// A piece, and how an edit names it.
    fn target(&self, kind: PieceKind, name: Option<&str>, path: &str) -> Result<(Piece, Target), ToolError> {
        let position = name.map_or(Ok(0), |name| self.find(kind, name, path))?;
        let piece = self.story().piece(kind, position).ok_or_else(|| not_found(kind, kind.name(), path))?;
        let target = match name {
            None => Target::Only,
            Some(_) if !piece.id().is_empty() => Target::Named(piece.id().to_owned()),
            Some(name) => Target::Named(name.to_owned()),
        };
        Ok((piece, target))
    }

    /// Saves what changed, and completes the answer.
    ///
    /// What was settled from a text that changed follows it, in the same save.
    pub async fn close(mut self, mut answer: Value, tool: &str, context: &Context) -> Result<Value, ToolError> {
        self.follow();
        let changed = self.changed();
        let Loaded { story: before, version: expected } = self.loaded;
        let version = match self.edited.filter(|_| !changed.is_empty()) {
            None => expected,
            Some(after) => {
                let mut provenance = context.provenance(tool);
                provenance.note = self.note;
                let key = context.call.to_string();
                context.workspace()?.save(Save { before, after, expected, key, provenance }).await?
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

    /// Lets the story follow the texts that changed.
    fn follow(&mut self) {
        let mut steps = self.changes.iter().flat_map(|change| &change.steps);
        let touches_texts = steps.any(|step| step.kind() == Some(PieceKind::Document));
        if let Some(edited) = self.edited.as_mut().filter(|_| touches_texts) {
            let followed = settlement::follow_all(&self.loaded.story, edited);
            self.changes.extend(followed.into_iter().map(|following| following.change));
        }
    }

    /// What changed, a line for each piece.
    fn changed(&self) -> Vec<Value> {
        let steps = self.changes.iter().flat_map(|change| &change.steps);
        let line = |step: &edit::Step| {
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

/// What changed of the fields, a line for each.
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

/// Whether pieces of this kind have no name but their id.
fn is_named_by_id(kind: PieceKind) -> bool {
    matches!(kind, PieceKind::Relation | PieceKind::Fact)
}

fn not_found(kind: PieceKind, name: &str, path: &str) -> ToolError {
    ToolError::NotFound { kind: kind.name().into(), name: name.to_owned(), path: path.to_owned() }
}
