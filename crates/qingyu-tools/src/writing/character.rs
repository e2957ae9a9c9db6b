//! `character_tool`: the cast.

mod arc;

use qingyu_story::{Character, Piece, PieceKind};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Entries, Fields, is_same_name, needed, page, settings};
use crate::desk::{ArgumentPath, Desk, StoryTool};
use crate::fields::CharacterFields;
use crate::{Action, Category, Metadata, ToolError};

/// The tool.
#[derive(Debug)]
pub(crate) struct CharacterTool;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// What to do.
    action: Do,
    /// The id, name or alias of the character; needed by all actions but create and list.
    character_id: Option<String>,
    /// The fields of the card, for create and update.
    #[schemars(with = "Option<CharacterFields>")]
    character_data: Option<Fields>,
    /// Entries to add to lists of the card, such as {"traits": ["patient"]}; for update.
    add: Option<Entries>,
    /// Entries to take out of lists of the card; for update.
    remove: Option<Entries>,
    /// How many characters to skip; for list.
    offset: Option<usize>,
    /// How many characters to give at most; for list.
    limit: Option<usize>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Do {
    Create,
    Update,
    Get,
    List,
    AnalyzeArc,
    Delete,
}

const PLACE: ArgumentPath<'static> = ArgumentPath { fields: "/character_data", target: "/character_id" };

impl StoryTool for CharacterTool {
    type Arguments = Arguments;

    fn metadata() -> Metadata {
        let actions = vec![
            Action::write("create"),
            Action::write("update"),
            Action::read("get"),
            Action::read("list"),
            Action::read("analyze_arc"),
            Action::write("delete"),
        ];
        Metadata::of::<Arguments>("character_tool", Category::Writing, actions)
    }

    fn work(&self, arguments: Arguments, desk: &mut Desk) -> Result<Value, ToolError> {
        let Arguments { action, character_id, character_data, add, remove, offset, limit } = arguments;
        let id = || needed(character_id.as_deref(), "/character_id");
        match action {
            Do::Create => {
                let made = desk.create(PieceKind::Character, needed(character_data, "/character_data")?, PLACE)?;
                Ok(json!({"character": made.fields()}))
            }
            Do::Update => {
                let fields = settings(character_data, add, remove);
                let card = desk.update(PieceKind::Character, Some(id()?), fields, PLACE)?;
                Ok(json!({"character": card.fields()}))
            }
            Do::Get => Ok(get(desk, desk.find(PieceKind::Character, id()?, "/character_id")?)),
            Do::List => Ok(page("characters", list(desk), offset, limit, |shown| shown)),
            Do::AnalyzeArc => {
                let position = desk.find(PieceKind::Character, id()?, "/character_id")?;
                Ok(arc::analyze(desk.story(), position, desk.language()))
            }
            Do::Delete => {
                let card = desk.delete(PieceKind::Character, Some(id()?), PLACE)?;
                Ok(json!({"deleted": card.fields()}))
            }
        }
    }
}

/// Returns a card with the character's relations.
fn get(desk: &Desk, position: usize) -> Value {
    let story = desk.story();
    let card = &story.characters[position];
    let is_about = |name: &str| name == card.id || is_same_name(name, &card.name);
    let relations =
        story.character_relations.iter().filter(|relation| is_about(&relation.from) || is_about(&relation.to));
    let relations: Vec<_> = relations.collect();
    json!({"character": Piece::Character(card.clone()).fields(), "relations": relations})
}

fn list(desk: &Desk) -> Vec<Value> {
    let line = |card: &Character| {
        json!({
            "id": card.id,
            "name": card.name,
            "alias": card.alias,
            "role_type": card.role_type,
            "occupation": card.occupation,
            "goals": card.goals,
        })
    };
    desk.story().characters.iter().map(line).collect()
}
