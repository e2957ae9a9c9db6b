//! `worldview_tool`: the world, its rules, places, organisations and things.

use qingyu_story::{Piece, PieceKind};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Entries, Fields, needed, page, settings};
use crate::desk::{ArgumentPath, Desk, StoryTool};
use crate::{Action, Category, Metadata, ToolError};

/// The tool.
#[derive(Debug)]
pub(crate) struct WorldviewTool;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// What to do.
    action: Do,
    /// What it is about; left out, the world itself: its summary, genre and era.
    kind: Option<Kind>,
    /// The id, name or alias; for get, update and delete of what the world holds.
    id: Option<String>,
    /// The fields. The world: summary, genre, era, relation_kinds. A world_rule: name, statement, limit, forbids,
    /// demands. A location: name, alias, description, travel. An organisation: name, alias, description. An item:
    /// name, alias, description, holder.
    data: Option<Fields>,
    /// Entries to add to lists, such as {"alias": ["the Tower"]}; for update.
    add: Option<Entries>,
    /// Entries to take out of lists; for update.
    remove: Option<Entries>,
    /// How many entries to skip; for list.
    offset: Option<usize>,
    /// How many entries to give at most; for list.
    limit: Option<usize>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Do {
    Create,
    Update,
    Get,
    List,
    Delete,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    WorldRule,
    Location,
    Organisation,
    Item,
}

const PLACE: ArgumentPath<'static> = ArgumentPath { fields: "/data", target: "/id" };
const KINDS: [Kind; 4] = [Kind::WorldRule, Kind::Location, Kind::Organisation, Kind::Item];

impl Kind {
    fn piece(self) -> PieceKind {
        match self {
            Self::WorldRule => PieceKind::WorldRule,
            Self::Location => PieceKind::Location,
            Self::Organisation => PieceKind::Organisation,
            Self::Item => PieceKind::Item,
        }
    }
}

impl StoryTool for WorldviewTool {
    type Arguments = Arguments;

    fn metadata() -> Metadata {
        let actions = vec![
            Action::write("create"),
            Action::write("update"),
            Action::read("get"),
            Action::read("list"),
            Action::write("delete"),
        ];
        let metadata = Metadata::of::<Arguments>("worldview_tool", Category::Writing, actions);
        Metadata { aliases: vec!["SettingTool".into()], ..metadata }
    }

    fn work(&self, arguments: Arguments, desk: &mut Desk) -> Result<Value, ToolError> {
        let Arguments { action, kind, id, data, add, remove, offset, limit } = arguments;
        let id = || needed(id.as_deref(), "/id");
        match (action, kind) {
            (Do::Create, None) => {
                let world = desk.create(PieceKind::Worldview, needed(data, "/data")?, PLACE)?;
                Ok(json!({"worldview": world.fields()}))
            }
            (Do::Update, None) => {
                let fields = settings(data, add, remove);
                let world = match &desk.story().worldview {
                    None => desk.create(PieceKind::Worldview, fields, PLACE)?,
                    Some(_) => desk.update(PieceKind::Worldview, None, fields, PLACE)?,
                };
                Ok(json!({"worldview": world.fields()}))
            }
            (Do::Get, None) => Ok(overview(desk)),
            (Do::List, None) => {
                let all = KINDS.into_iter().flat_map(|kind| list(desk, kind)).collect();
                Ok(page("entries", all, offset, limit, |shown| shown))
            }
            (Do::Delete, None) => {
                let world = desk.delete(PieceKind::Worldview, None, PLACE)?;
                Ok(json!({"deleted": world.fields()}))
            }
            (Do::Create, Some(kind)) => {
                let made = desk.create(kind.piece(), needed(data, "/data")?, PLACE)?;
                Ok(json!({"entry": entry(&made)}))
            }
            (Do::Update, Some(kind)) => {
                let fields = settings(data, add, remove);
                let changed = desk.update(kind.piece(), Some(id()?), fields, PLACE)?;
                Ok(json!({"entry": entry(&changed)}))
            }
            (Do::Get, Some(kind)) => {
                let position = desk.find(kind.piece(), id()?, "/id")?;
                Ok(json!({"entry": desk.story().piece(kind.piece(), position).as_ref().map(entry)}))
            }
            (Do::List, Some(kind)) => Ok(page("entries", list(desk, kind), offset, limit, |shown| shown)),
            (Do::Delete, Some(kind)) => {
                let gone = desk.delete(kind.piece(), Some(id()?), PLACE)?;
                Ok(json!({"deleted": entry(&gone)}))
            }
        }
    }
}

/// Returns a piece with its kind.
fn entry(piece: &Piece) -> Value {
    let mut fields = piece.fields();
    fields.insert("kind".into(), json!(piece.kind()));
    Value::Object(fields)
}

fn list(desk: &Desk, kind: Kind) -> Vec<Value> {
    desk.story().pieces_of(kind.piece()).map(|piece| entry(&piece)).collect()
}

/// Returns the world's own fields, and the names of its pieces.
fn overview(desk: &Desk) -> Value {
    let story = desk.story();
    let names = |kind: PieceKind| story.pieces_of(kind).map(|piece| piece.name().to_owned()).collect::<Vec<_>>();
    json!({
        "worldview": story.worldview.as_ref().map(|world| json!(world.frame())),
        "world_rules": story.world_rules(),
        "locations": names(PieceKind::Location),
        "organisations": names(PieceKind::Organisation),
        "items": names(PieceKind::Item),
    })
}
