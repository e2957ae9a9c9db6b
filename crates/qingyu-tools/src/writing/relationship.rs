//! `relationship_tool`: the relations of the characters.

mod analysis;

use std::collections::BTreeSet;

use qingyu_story::{CharacterRelation, Names, PieceKind, RelationKind};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Fields, needed};
use crate::desk::{ArgumentPath, Desk, StoryTool};
use crate::reading::ReadingOrder;
use crate::{Action, Category, Metadata, ToolError};

/// The tool.
#[derive(Debug)]
pub(crate) struct RelationshipTool;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// What to do.
    action: Do,
    /// The id of the relation; for update and delete, instead of both ends.
    relationship_id: Option<String>,
    /// Whose relation it is: the id, name or alias of a character.
    from_character: Option<String>,
    /// The other: the id, name or alias of a character.
    to_character: Option<String>,
    /// What the first is to the other. In an update, which of several relations of the pair is meant, or what the only one
    /// becomes.
    relationship_type: Option<RelationKind>,
    /// The author's own word for it, such as 道侣, shown instead of the type; a new relation may have it alone.
    own_kind: Option<String>,
    /// How strong it is, from 0 to 1; 0.5 if left out in create.
    #[schemars(range(min = 0.0, max = 1.0))]
    strength: Option<f64>,
    /// The relation in a sentence.
    description: Option<String>,
    /// The outline node from which it holds, if not from the beginning.
    since: Option<String>,
    /// The outline node at which it ends, if it does.
    until: Option<String>,
    /// For get_graph and analyze: only what holds at this outline node.
    at: Option<String>,
    /// For get_graph and analyze: how many characters and relations to give at most, of each; 500 if left out.
    limit: Option<usize>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Do {
    Create,
    Update,
    GetGraph,
    Analyze,
    Delete,
}

const PLACE: ArgumentPath<'static> = ArgumentPath { fields: "", target: "/relationship_id" };
/// Default number of relations shown.
const SHOWN: usize = 500;
/// Default strength of a relation.
const STRENGTH: f64 = 0.5;

impl StoryTool for RelationshipTool {
    type Arguments = Arguments;

    fn metadata() -> Metadata {
        let actions = vec![
            Action::write("create"),
            Action::write("update"),
            Action::read("get_graph"),
            Action::read("analyze"),
            Action::write("delete"),
        ];
        let metadata = Metadata::of::<Arguments>("relationship_tool", Category::Writing, actions);
        Metadata { aliases: vec!["RelationTool".into()], ..metadata }
    }

    fn work(&self, arguments: Arguments, desk: &mut Desk) -> Result<Value, ToolError> {
        match arguments.action {
            Do::Create => create(&arguments, desk),
            Do::Update => {
                let id = arguments.locate(desk)?;
                let mut fields = arguments.fields();
                if let Some(kind) = arguments.relationship_type {
                    fields.insert("type".into(), json!(kind));
                }
                let relation = desk.update(PieceKind::Relation, Some(&id), fields, PLACE)?;
                Ok(json!({"relationship": relation.fields()}))
            }
            Do::GetGraph => graph(arguments.at.as_deref(), arguments.limit.unwrap_or(SHOWN), desk),
            Do::Analyze => {
                let held = held(arguments.at.as_deref(), desk)?;
                Ok(analysis::analyze(desk.story(), &held, arguments.limit.unwrap_or(SHOWN)))
            }
            Do::Delete => {
                let id = arguments.locate(desk)?;
                let relation = desk.delete(PieceKind::Relation, Some(&id), PLACE)?;
                Ok(json!({"deleted": relation.fields()}))
            }
        }
    }
}

impl Arguments {
    /// Returns the given fields, except the ends and the kind.
    fn fields(&self) -> Fields {
        let mut fields = Fields::new();
        fields.extend(self.strength.map(|strength| ("strength".to_owned(), json!(strength))));
        let texts = [
            ("own_kind", &self.own_kind),
            ("description", &self.description),
            ("since", &self.since),
            ("until", &self.until),
        ];
        for (name, value) in texts {
            fields.extend(value.as_ref().map(|value| (name.to_owned(), json!(value))));
        }
        fields
    }

    /// Returns the positions of both ends.
    fn ends(&self, desk: &Desk) -> Result<(usize, usize), ToolError> {
        let from = needed(self.from_character.as_deref(), "/from_character")?;
        let to = needed(self.to_character.as_deref(), "/to_character")?;
        let find = |name, path| desk.find(PieceKind::Character, name, path);
        Ok((find(from, "/from_character")?, find(to, "/to_character")?))
    }

    /// Returns the id of the requested relation.
    fn locate(&self, desk: &Desk) -> Result<String, ToolError> {
        if let Some(id) = &self.relationship_id {
            desk.find(PieceKind::Relation, id, "/relationship_id")?;
            return Ok(id.trim().to_owned());
        }
        let (from, to) = self.ends(desk)?;
        let reading = ReadingOrder::of(desk.story());
        let is_meant = |relation: &&CharacterRelation| {
            let ends = reading.characters([&relation.from]).into_iter().zip(reading.characters([&relation.to])).next();
            ends == Some((from, to))
        };
        let of_pair: Vec<&CharacterRelation> = desk.story().character_relations.iter().filter(is_meant).collect();
        let of_kind = of_pair.iter().filter(|relation| Some(relation.kind) == self.relationship_type);
        let meant: Vec<_> = if of_pair.len() > 1 { of_kind.collect() } else { of_pair.iter().collect() };
        match meant.as_slice() {
            [one] => Ok(one.id.clone()),
            [] if of_pair.is_empty() => Err(ToolError::NotFound {
                kind: PieceKind::Relation.name().into(),
                name: format!(
                    "{} > {}",
                    self.from_character.as_deref().unwrap_or_default(),
                    self.to_character.as_deref().unwrap_or_default()
                ),
                path: "/from_character".into(),
            }),
            _ => Err(ToolError::invalid("/relationship_type", "which of several relations of the pair is meant")),
        }
    }
}

fn create(arguments: &Arguments, desk: &mut Desk) -> Result<Value, ToolError> {
    let (from, to) = arguments.ends(desk)?;
    if from == to {
        return Err(ToolError::invalid("/to_character", "another character than from_character"));
    }
    let own = arguments.own_kind.as_ref().map(|_| RelationKind::Knows);
    let kind = needed(arguments.relationship_type.or(own), "/relationship_type")?;
    let mut fields = arguments.fields();
    let name = |position: usize| desk.story().characters[position].name.clone();
    fields.insert("from".into(), name(from).into());
    fields.insert("to".into(), name(to).into());
    fields.insert("type".into(), json!(kind));
    fields.entry("strength".into()).or_insert(STRENGTH.into());
    let relation = desk.create(PieceKind::Relation, fields, PLACE)?;
    Ok(json!({"relationship": relation.fields()}))
}

/// Returns the relations valid at a node; by default all.
fn held<'d>(at: Option<&str>, desk: &'d Desk) -> Result<Vec<&'d CharacterRelation>, ToolError> {
    let relations = desk.story().character_relations.iter();
    let Some(at) = at else { return Ok(relations.collect()) };
    let reading = ReadingOrder::of(desk.story());
    let now = reading.place(desk.find(PieceKind::OutlineNode, at, "/at")?);
    let place =
        |name: &Option<String>| name.as_deref().and_then(|name| reading.node(name)).map(|node| reading.place(node));
    let holds = |relation: &&CharacterRelation| {
        place(&relation.since).is_none_or(|since| since <= now)
            && place(&relation.until).is_none_or(|until| until > now)
    };
    Ok(relations.filter(holds).collect())
}

fn graph(at: Option<&str>, limit: usize, desk: &Desk) -> Result<Value, ToolError> {
    let held = held(at, desk)?;
    let names = Names::of(desk.story());
    let ends = held.iter().flat_map(|relation| [relation.from.as_str(), relation.to.as_str()]);
    let strangers: BTreeSet<&str> = ends.filter(|name| !names.knows(PieceKind::Character, name)).collect();
    let cards = desk.story().characters.iter().take(limit);
    let nodes = cards.map(|card| json!({"id": card.id, "name": card.name, "role_type": card.role_type}));
    Ok(json!({
        "characters": desk.story().characters.len(),
        "relations": held.len(),
        "nodes": nodes.collect::<Vec<_>>(),
        "edges": held.iter().take(limit).collect::<Vec<_>>(),
        "unknown_names": strangers,
    }))
}
