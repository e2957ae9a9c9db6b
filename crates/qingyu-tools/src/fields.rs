//! JSON Schemas of the fields of each kind of piece, shown to callers and used for validation.

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use jsonschema::Validator;
use qingyu_llm::OutputSchema;
use qingyu_llm::structured::schema_of;
use qingyu_story::{
    Character, CharacterRelation, Clause, CustomField, Document, Fact, Item, Ladder, Location, Organisation,
    OutlineNode, OwnRelationKind, PieceKind, PlotNode, Promise, StyleGuide, TimelineEvent, Travel, WorldFrame,
    WorldRule,
};
use schemars::JsonSchema;
use serde_json::{Map, Value};

use crate::ToolError;
use crate::engine::arguments;
use crate::writing::Fields;

static KNOWN: LazyLock<BTreeMap<PieceKind, KindSchema>> =
    LazyLock::new(|| PieceKind::ALL.into_iter().map(|kind| (kind, KindSchema::of(kind))).collect());

struct KindSchema {
    schema: Value,
    /// Compiled at the first change of such a piece: compiling takes longer than a call.
    validator: OnceLock<Validator>,
}

impl KindSchema {
    fn of(kind: PieceKind) -> Self {
        Self { schema: schema(kind), validator: OnceLock::new() }
    }

    fn validator(&self) -> &Validator {
        let compile = || jsonschema::validator_for(&self.schema).expect("the schemas of our types are schemas");
        self.validator.get_or_init(compile)
    }
}

/// What the schema of a world rule leaves out, because models are not asked for it.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Clauses {
    /// What it forbids, so that facts and events can be checked.
    forbids: Option<Clause>,
    /// What it demands.
    demands: Option<Clause>,
}

/// The same of a place.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Ways {
    /// How long it takes to other places.
    travel: Vec<Travel>,
}

/// A character card, with the fields that models are not asked for.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct CharacterFields {
    #[serde(flatten)]
    card: Character,
    /// The gender, in the author's words; empty if it does not matter.
    #[serde(default)]
    gender: String,
    /// How the character looks.
    #[serde(default)]
    appearance: String,
    /// Fields of the author's own, in the author's order; at most 40.
    #[serde(default)]
    custom: Vec<CustomField>,
}

/// The same of a relation.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct OwnWord {
    /// The author's own word for what the first is to the other.
    own_kind: String,
}

/// The same of the world.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct OwnKinds {
    /// The author's own kinds of relation; at most 40.
    relation_kinds: Vec<OwnRelationKind>,
}

/// Returns the schema with the properties of `A` added.
fn with<A: JsonSchema>(OutputSchema { name, mut schema }: OutputSchema) -> OutputSchema {
    let more = schema_of::<A>().schema["properties"].take();
    for (property, value) in more.as_object().into_iter().flatten() {
        schema["properties"][property] = value.clone();
    }
    OutputSchema { name, schema }
}

fn schema(kind: PieceKind) -> Value {
    let schema = match kind {
        PieceKind::Character => schema_of::<CharacterFields>(),
        PieceKind::Relation => with::<OwnWord>(schema_of::<CharacterRelation>()),
        PieceKind::OutlineNode => schema_of::<OutlineNode>(),
        PieceKind::Event => schema_of::<TimelineEvent>(),
        PieceKind::PlotNode => schema_of::<PlotNode>(),
        PieceKind::Location => with::<Ways>(schema_of::<Location>()),
        PieceKind::Organisation => schema_of::<Organisation>(),
        PieceKind::Item => schema_of::<Item>(),
        PieceKind::WorldRule => with::<Clauses>(schema_of::<WorldRule>()),
        PieceKind::Ladder => schema_of::<Ladder>(),
        PieceKind::Document => schema_of::<Document>(),
        PieceKind::Fact => schema_of::<Fact>(),
        PieceKind::Promise => schema_of::<Promise>(),
        PieceKind::Worldview => with::<OwnKinds>(schema_of::<WorldFrame>()),
        PieceKind::Style => schema_of::<StyleGuide>(),
    };
    schema.schema
}

/// Returns the object schema of the fields of a kind.
pub(crate) fn of(kind: PieceKind) -> &'static Value {
    &KNOWN[&kind].schema
}

/// Validates the values of fields recursively, so that an unknown key in a list entry is not lost silently. Keys
/// unknown to the piece itself, such as `add_traits`, are left to the edit. `path` is the path of the fields in the
/// arguments.
pub(crate) fn verify(kind: PieceKind, fields: &Fields, path: &str) -> Result<(), ToolError> {
    let of_kind = &KNOWN[&kind];
    let known: Map<String, Value> = fields
        .iter()
        .filter(|(name, _)| of_kind.schema["properties"].get(name.as_str()).is_some())
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    arguments::validate(of_kind.validator(), &Value::Object(known)).map_err(|error| error.below(path))
}

#[cfg(test)]
mod tests {
    use qingyu_story::Piece;

    use super::*;

    #[test]
    fn every_field_of_every_piece_is_described() {
        for kind in PieceKind::ALL {
            let described = of(kind)["properties"].as_object().unwrap();
            let fields = Piece::empty(kind).fields();
            assert!(fields.keys().all(|field| described.contains_key(field)), "{kind}: {fields:?}");
            assert_eq!(fields.len(), described.len(), "{kind}");
            assert!(jsonschema::validator_for(of(kind)).is_ok(), "{kind}");
        }
    }
}
