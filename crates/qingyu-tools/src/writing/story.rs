//! `story_tool`: any piece of the story, even without a tool of its own: facts, promises, plot, style.

use qingyu_story::{Piece, PieceKind};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Entries, Fields, needed, page, settings};
use crate::desk::{ArgumentPath, Desk, StoryTool};
use crate::{Action, Category, Metadata, ToolError, fields};

/// The tool.
#[derive(Debug)]
pub(crate) struct StoryPiecesTool;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// What to do. overview counts what there is, describe gives the schema of the fields of a kind; the others work
    /// on pieces of one kind.
    action: Do,
    /// The kind of piece; needed by all actions but overview.
    kind: Option<Kind>,
    /// The id, name or title; for get, update and delete. Not for the world and the style, of which there is one.
    id: Option<String>,
    /// The fields, by the names that describe gives, such as {"subject": "Ann", "predicate": "holds", "object":
    /// "key"} for a fact, {"name": "the key", "planted": ["Chapter 1"]} for a promise.
    data: Option<Fields>,
    /// Entries to add to lists, such as {"paid": ["Chapter 9"]}; for update.
    add: Option<Entries>,
    /// Entries to take out of lists; for update.
    remove: Option<Entries>,
    /// How many pieces to skip; for list.
    offset: Option<usize>,
    /// How many pieces to give at most; for list.
    limit: Option<usize>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Do {
    Overview,
    Describe,
    Create,
    Update,
    Get,
    List,
    Delete,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Character,
    Relation,
    OutlineNode,
    Event,
    PlotNode,
    Location,
    Organisation,
    Item,
    WorldRule,
    Ladder,
    Document,
    Fact,
    Promise,
    Worldview,
    Style,
}

const PLACE: ArgumentPath<'static> = ArgumentPath { fields: "/data", target: "/id" };

impl Kind {
    fn piece(self) -> PieceKind {
        match self {
            Self::Character => PieceKind::Character,
            Self::Relation => PieceKind::Relation,
            Self::OutlineNode => PieceKind::OutlineNode,
            Self::Event => PieceKind::Event,
            Self::PlotNode => PieceKind::PlotNode,
            Self::Location => PieceKind::Location,
            Self::Organisation => PieceKind::Organisation,
            Self::Item => PieceKind::Item,
            Self::WorldRule => PieceKind::WorldRule,
            Self::Ladder => PieceKind::Ladder,
            Self::Document => PieceKind::Document,
            Self::Fact => PieceKind::Fact,
            Self::Promise => PieceKind::Promise,
            Self::Worldview => PieceKind::Worldview,
            Self::Style => PieceKind::Style,
        }
    }
}

impl StoryTool for StoryPiecesTool {
    type Arguments = Arguments;

    fn metadata() -> Metadata {
        let actions = vec![
            Action::read("overview"),
            Action::read("describe"),
            Action::write("create"),
            Action::write("update"),
            Action::read("get"),
            Action::read("list"),
            Action::write("delete"),
        ];
        Metadata::of::<Arguments>("story_tool", Category::Writing, actions)
    }

    fn work(&self, arguments: Arguments, desk: &mut Desk) -> Result<Value, ToolError> {
        let Arguments { action, kind, id, data, add, remove, offset, limit } = arguments;
        if let Do::Overview = action {
            return Ok(overview(desk));
        }
        let kind = needed(kind, "/kind")?.piece();
        let one = || if kind.is_single() { Ok(None) } else { needed(id.as_deref(), "/id").map(Some) };
        match action {
            Do::Overview => Ok(overview(desk)),
            Do::Describe => Ok(json!({"kind": kind, "fields": fields::of(kind)})),
            Do::Create => Ok(json!({"piece": shown(&desk.create(kind, needed(data, "/data")?, PLACE)?)})),
            Do::Update => {
                let fields = settings(data, add, remove);
                let piece = match one()? {
                    None if desk.story().count(kind) == 0 => desk.create(kind, fields, PLACE)?,
                    name => desk.update(kind, name, fields, PLACE)?,
                };
                Ok(json!({"piece": shown(&piece)}))
            }
            Do::Get => {
                let position = one()?.map_or(Ok(0), |name| desk.find(kind, name, "/id"))?;
                Ok(json!({"piece": desk.story().piece(kind, position).as_ref().map(shown)}))
            }
            Do::List => {
                let pieces: Vec<Piece> = desk.story().pieces_of(kind).collect();
                Ok(page("pieces", pieces, offset, limit, |piece| shown(&piece)))
            }
            Do::Delete => Ok(json!({"deleted": shown(&desk.delete(kind, one()?, PLACE)?)})),
        }
    }
}

fn shown(piece: &Piece) -> Value {
    let mut fields = piece.fields();
    fields.insert("kind_of_piece".into(), json!(piece.kind()));
    Value::Object(fields)
}

fn overview(desk: &Desk) -> Value {
    let story = desk.story();
    let counts = PieceKind::ALL.into_iter().map(|kind| (kind.name().to_owned(), json!(story.count(kind))));
    json!({
        "premise": story.premise,
        "language": story.language,
        "pieces": counts.collect::<serde_json::Map<_, _>>(),
        "waivers": story.waivers.len(),
    })
}
