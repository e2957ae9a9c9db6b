//! The workspace part of the OpenAPI document.

use qingyu_story::production::{Field, Production};
use qingyu_story::{
    Character, CharacterRelation, Document, Fact, Item, Ladder, Location, Organisation, OutlineNode, PieceKind,
    PlotNode, Promise, Story, StyleGuide, TimelineEvent, Waiver, WorldFrame, WorldRule,
};
use qingyu_tools::workspace::remote::operation::Operation;
use qingyu_tools::workspace::remote::routes;
use qingyu_tools::workspace::{DocumentVersion, Made};
use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

use super::address::{at, of_one};

/// The tag of the routes.
pub(crate) const TAG: &str = "workspace";

/// Example requests and responses, in an executable order. `tests/it/workspace_examples.rs` runs the list.
const EXAMPLES: &str = include_str!("examples.json");

/// An operation of a path.
struct WorkspaceRoute {
    path: String,
    method: &'static str,
    name: String,
    about: String,
    right: &'static str,
    /// The query parameters: name, description, type.
    query: Vec<(&'static str, &'static str, &'static str)>,
    body: Option<Value>,
    data: Value,
}

/// Returns the paths; their schemas are registered with `generator`.
pub(crate) fn paths(generator: &mut SchemaGenerator) -> Map<String, Value> {
    let examples: Vec<Value> = serde_json::from_str(EXAMPLES).expect("it is compiled in");
    let mut paths = Map::new();
    for route in of_project(generator).into_iter().chain(worked_out()).chain(of_pieces(generator)) {
        let asks = |example: &&Value| example["path"] == route.path && example["method"] == route.method;
        let described = describe(&route, examples.iter().find(asks));
        paths.entry(format!("/api/v1{}", route.path)).or_insert_with(|| json!({}))[route.method] = described;
    }
    paths
}

fn route(path: &str, method: &'static str, name: &str, about: &str, data: Value) -> WorkspaceRoute {
    let right = if method == "get" { "read" } else { "write" };
    let (name, about) = (format!("workspace_{name}"), about.to_owned());
    WorkspaceRoute { path: at(path), method, name, about, right, query: Vec::new(), body: None, data }
}

/// Returns the routes of the project itself, and of data outside of its story.
fn of_project(generator: &mut SchemaGenerator) -> Vec<WorkspaceRoute> {
    let mut schema = |of: fn(&mut SchemaGenerator) -> schemars::Schema| of(generator).to_value();
    let story = schema(SchemaGenerator::subschema_for::<Story>);
    let operation = schema(SchemaGenerator::subschema_for::<Operation>);
    let (waiver, field) =
        (schema(SchemaGenerator::subschema_for::<Waiver>), schema(SchemaGenerator::subschema_for::<Field>));
    let production = schema(SchemaGenerator::subschema_for::<Production>);
    let made = schema(SchemaGenerator::subschema_for::<Made>);
    let version = schema(SchemaGenerator::subschema_for::<DocumentVersion>);
    let event = schema(SchemaGenerator::subschema_for::<TimelineEvent>);
    let nothing = json!({"type": "null"});
    let head = json!({"type": "object", "required": ["id", "title", "premise", "language", "last_ids"], "properties": {
        "id": {"type": "string"},
        "title": {"type": "string"},
        "premise": {"type": "string", "description": "The author's words for what the book is about."},
        "language": {"type": "string"},
        "last_ids": {"type": "object", "additionalProperties": {"type": "integer"}, "description": "The highest number given in ids, by prefix."},
    }});
    let batch = json!({"type": "object", "required": ["operations"], "properties": {
        "expected": {"type": ["integer", "null"], "minimum": 0, "description": "The version that the changes are made for, if `If-Match` does not say it."},
        "operations": {"type": "array", "items": operation, "description": "What is changed, one after the other."},
    }});
    let label = json!({"type": "object", "properties": {
        "label": {"type": ["string", "null"], "description": "A word on it."},
        "version": {"type": ["integer", "null"], "minimum": 0, "description": "Its number, from a tool at a distance."},
    }});
    let production_or_not = json!({"anyOf": [production.clone(), nothing.clone()]});
    let versions = "documents/{document}/versions";
    vec![
        WorkspaceRoute {
            path: "/projects/{project}".into(),
            ..route("", "get", "read_project", "The project itself, without its story; cheap.", head)
        },
        route(routes::PIECES, "get", "read_story", "The whole story, of one moment.", story),
        WorkspaceRoute {
            body: Some(batch),
            ..route(
                routes::BATCH,
                "post",
                "change_several",
                "Several changes made exactly as they are given, all or none, in one transaction.",
                nothing.clone(),
            )
        },
        route("provenance/{kind}/{id}", "get", "read_provenance", "The change that made a piece what it is.", made),
        route(versions, "get", "list_versions", "The versions of a text, oldest first.", list_of(&version)),
        WorkspaceRoute {
            body: Some(label),
            ..route(versions, "post", "keep_version", "Keeps a text as it stands as a version.", head_of_document())
        },
        WorkspaceRoute {
            query: vec![(
                "chapterRef",
                "Only events that this outline node, or one in it, tells: its id or name.",
                "string",
            )],
            ..route(
                "timeline-events",
                "get",
                "list_told_events",
                "The events of the timeline, or those that a chapter tells.",
                list_of(&event),
            )
        },
        route(routes::WAIVERS, "get", "list_waivers", "The findings that the author lets stand.", list_of(&waiver)),
        WorkspaceRoute {
            body: Some(list_of(&waiver)),
            ..route(
                routes::WAIVERS,
                "put",
                "set_waivers",
                "Puts findings that the author lets stand in the place of those before.",
                nothing.clone(),
            )
        },
        route(
            routes::PHASES,
            "get",
            "read_phases",
            "How content is produced: phases, criteria, channels; null if it is not.",
            production_or_not,
        ),
        WorkspaceRoute {
            body: Some(production),
            ..route(routes::PHASES, "put", "set_phases", "Sets how content is produced.", nothing.clone())
        },
        route(routes::PHASES, "delete", "remove_phases", "Content is no longer produced.", nothing.clone()),
        route(routes::FIELDS, "get", "list_fields", "The fields of the production, in order.", list_of(&field)),
        WorkspaceRoute {
            body: Some(field),
            query: vec![POSITION],
            ..route(
                "production/fields/{path}",
                "put",
                "set_field",
                "A field as it is from now on, new or in the place of the one with its path.",
                nothing.clone(),
            )
        },
        route("production/fields/{path}", "delete", "remove_field", "Takes a field out.", nothing),
    ]
}

const POSITION: (&str, &str, &str) = (
    "position",
    "Where in its list a piece stands afterwards, from 0, if it comes from a tool at a distance.",
    "integer",
);

/// Returns the routes computed by tools.
fn worked_out() -> Vec<WorkspaceRoute> {
    let answer =
        || json!({"type": "object", "description": "What the tool of that name answers; see the list of tools."});
    let words = |names: &[&str]| {
        let properties = names.iter().map(|name| ((*name).to_owned(), json!({"type": ["string", "null"]})));
        json!({"type": "object", "properties": properties.collect::<Map<_, _>>()})
    };
    let structure = json!({"type": "object", "properties": {
        "structure_type": {"type": ["string", "null"], "enum": ["three_act", "hero_journey", "custom", null], "description": "Three acts if left out."},
        "beats": {"type": ["array", "null"], "items": {"type": "object"}, "description": "The beats of a custom structure."},
        "preview": {"type": ["boolean", "null"], "description": "Only shows what it would make."},
    }});
    let held = || {
        json!({"type": "object", "properties": {
            "at": {"type": ["string", "null"], "description": "Only what holds at this outline node."},
            "limit": {"type": ["integer", "null"], "minimum": 0, "description": "The most characters and relations that are given."},
        }})
    };
    let reads = |route: WorkspaceRoute| WorkspaceRoute { right: "read", ..route };
    vec![
        WorkspaceRoute {
            body: Some(structure),
            ..route(
                "outline/generate",
                "post",
                "generate_outline",
                "Builds an outline on a structure, from what is known of the story; the outline must be empty.",
                answer(),
            )
        },
        reads(route(
            "characters/{id}/analyze-arc",
            "post",
            "analyze_arc",
            "How a character changes: appearances, turns, gaps.",
            answer(),
        )),
        WorkspaceRoute {
            query: vec![
                ("at", "Only what holds at this outline node.", "string"),
                ("limit", "The most characters and relations that are given.", "integer"),
            ],
            ..route(
                "relationships/graph",
                "get",
                "read_relationships",
                "Characters and what is between them.",
                answer(),
            )
        },
        reads(WorkspaceRoute {
            body: Some(held()),
            ..route(
                "relationships/analyze",
                "post",
                "analyze_relationships",
                "Who stands in the middle of the relations, and which groups there are.",
                answer(),
            )
        }),
        reads(WorkspaceRoute {
            body: Some(words(&["participant", "outline_node"])),
            ..route(
                "timeline/check-conflicts",
                "post",
                "check_timeline",
                "What cannot be, of the events of one character, of one outline node, or all.",
                answer(),
            )
        }),
    ]
}

/// Returns the routes of lists and single pieces.
fn of_pieces(generator: &mut SchemaGenerator) -> Vec<WorkspaceRoute> {
    let mut all = Vec::new();
    for kind in PieceKind::ALL {
        let schema = schema(kind, generator);
        let (name, list) = (kind.name(), routes::list(kind));
        let changed = if kind == PieceKind::Document { head_of_document() } else { schema.clone() };
        // Responses to remote tools contain only the version.
        let changed = json!({"anyOf": [changed, {"type": "null"}]});
        let word = name.replace('_', " ");
        let sent = if kind == PieceKind::Document { document(&schema) } else { schema.clone() };
        if kind.is_single() {
            let data = json!({"anyOf": [schema, {"type": "null"}]});
            all.push(route(list, "get", &format!("read_{name}"), &format!("The {word}; null if there is none."), data));
            let set =
                route(list, "put", &format!("set_{name}"), &format!("Sets fields of the {word}."), changed.clone());
            all.push(WorkspaceRoute { body: Some(sent), ..set });
            all.push(route(list, "delete", &format!("remove_{name}"), &format!("Takes the {word} out."), changed));
            continue;
        }
        let ids = ("ids", "Only these: ids or names, with commas between them.", "string");
        let about = format!("All pieces of the kind {word}, in order.");
        all.push(WorkspaceRoute {
            query: vec![ids],
            ..route(list, "get", &format!("list_{name}"), &about, list_of(&schema))
        });
        let mut query = vec![POSITION];
        query.extend((kind == PieceKind::OutlineNode).then_some((
            "after",
            "The node behind which a new one stands.",
            "string",
        )));
        let create =
            route(routes::create(kind), "post", &format!("add_{name}"), &format!("A new {word}."), changed.clone());
        all.push(WorkspaceRoute { query, body: Some(sent.clone()), ..create });
        if kind == PieceKind::OutlineNode {
            let body = json!({"anyOf": [list_of(&schema), schema]});
            let about = "Puts these nodes in the place of the outline; or sets fields of one, by its id.";
            let data = json!({"anyOf": [list_of(&schema), schema]});
            all.push(WorkspaceRoute { body: Some(body), ..route(list, "put", "set_outline", about, data) });
        }
        let path = of_one(kind);
        all.push(route(
            &path,
            "get",
            &format!("read_{name}"),
            &format!("One {word}, by its id or name."),
            shown(kind, &schema),
        ));
        let about = format!("Sets fields of one {word}; those that are left out stay as they are.");
        let set = route(&path, "put", &format!("set_{name}"), &about, changed.clone());
        all.push(WorkspaceRoute { query: vec![POSITION], body: Some(sent), ..set });
        all.push(route(&path, "delete", &format!("remove_{name}"), &format!("Takes one {word} out."), changed));
    }
    all
}

fn schema(kind: PieceKind, generator: &mut SchemaGenerator) -> Value {
    match kind {
        PieceKind::Character => generator.subschema_for::<Character>(),
        PieceKind::Relation => generator.subschema_for::<CharacterRelation>(),
        PieceKind::OutlineNode => generator.subschema_for::<OutlineNode>(),
        PieceKind::Event => generator.subschema_for::<TimelineEvent>(),
        PieceKind::PlotNode => generator.subschema_for::<PlotNode>(),
        PieceKind::Location => generator.subschema_for::<Location>(),
        PieceKind::Organisation => generator.subschema_for::<Organisation>(),
        PieceKind::Item => generator.subschema_for::<Item>(),
        PieceKind::WorldRule => generator.subschema_for::<WorldRule>(),
        PieceKind::Ladder => generator.subschema_for::<Ladder>(),
        PieceKind::Document => generator.subschema_for::<Document>(),
        PieceKind::Fact => generator.subschema_for::<Fact>(),
        PieceKind::Promise => generator.subschema_for::<Promise>(),
        PieceKind::Worldview => generator.subschema_for::<WorldFrame>(),
        PieceKind::Style => generator.subschema_for::<StyleGuide>(),
    }
    .to_value()
}

fn list_of(schema: &Value) -> Value {
    let properties = json!({"items": {"type": "array", "items": schema}, "total": {"type": "integer", "minimum": 0}});
    json!({"type": "object", "required": ["items"], "properties": properties})
}

/// Returns the schema of a piece with the extra fields of responses.
fn shown(kind: PieceKind, schema: &Value) -> Value {
    let beside = match kind {
        PieceKind::OutlineNode => {
            let participants = json!({"type": "array", "items": {"type": "string"}});
            json!({"metadata": {"type": "object", "properties": {"participants": participants}}})
        }
        PieceKind::Document => json!({"content": {"type": "string", "description": "The text."}}),
        _ => return schema.clone(),
    };
    json!({"allOf": [schema, {"type": "object", "properties": beside}]})
}

/// Returns the schema of a document whose text may also be called `content`.
fn document(schema: &Value) -> Value {
    let replacement = json!({"type": "object", "required": ["find", "with"],
        "properties": {"find": {"type": "string"}, "with": {"type": "string"}}});
    json!({"allOf": [schema, {"type": "object", "properties": {
        "content": {"type": "string", "description": "The whole text."},
        "append": {"type": "string", "description": "A text to add at the end."},
        "replacements": {"type": "array", "items": replacement, "description": "Places to change; each must stand in the text once."},
    }}]})
}

/// Returns the schema of a document without its text.
fn head_of_document() -> Value {
    let number = json!({"type": "integer", "minimum": 0});
    json!({"type": ["object", "null"], "properties": {
        "id": {"type": "string"}, "title": {"type": "string"}, "order": number,
        "outline_node": {"type": ["string", "null"]}, "version": number,
        "length": {"type": "integer", "minimum": 0, "description": "Characters and words, as an editor counts them."},
    }})
}

fn describe(route: &WorkspaceRoute, example: Option<&Value>) -> Value {
    let changes = route.method != "get";
    let in_path = route.path.split('{').skip(1).filter_map(|part| part.split('}').next());
    let given = |place: &str, name: &str| example.and_then(|example| example.get(place)?.get(name)).cloned();
    let parameter = |name: &str, place: &str, about: &str, schema: Value| {
        let required = place == "path" || (name == VERSION && EXACT.contains(&&*route.name));
        let mut parameter =
            json!({"name": name, "in": place, "required": required, "description": about, "schema": schema});
        if let Some(value) = given(place, name) {
            parameter["example"] = value;
        }
        parameter
    };
    let mut parameters: Vec<Value> =
        in_path.map(|name| parameter(name, "path", named(name), json!({"type": "string"}))).collect();
    let in_query = route.query.iter();
    parameters.extend(in_query.map(|(name, about, kind)| parameter(name, "query", about, json!({"type": kind}))));
    if changes && route.right == "write" {
        parameters.extend(HEADERS.map(|(name, about)| parameter(name, "header", about, json!({"type": "string"}))));
    }
    let mut described = json!({
        "operationId": route.name,
        "summary": route.about,
        "tags": [TAG],
        "x-right": route.right,
        "parameters": parameters,
        "responses": responses(route, example.and_then(|example| example.get("answer"))),
    });
    if let Some(schema) = &route.body {
        let mut content = json!({"schema": schema});
        if let Some(body) = example.and_then(|example| example.get("body")) {
            content["example"] = body.clone();
        }
        described["requestBody"] = json!({"required": false, "content": {"application/json": content}});
    }
    described
}

/// The header with the expected version of a change.
const VERSION: &str = "If-Match";
/// Changes always applied exactly, so an expected version is required.
const EXACT: [&str; 5] = ["set_waivers", "set_phases", "remove_phases", "set_field", "remove_field"];

/// The headers of a change.
const HEADERS: [(&str, &str); 3] = [
    (
        VERSION,
        "The version of the project that the change is made for, such as \"7\"; it fails with 412 if the project has another. Needed for changes that are made exactly as they are given.",
    ),
    ("Idempotency-Key", "What the change is named by: made again under that name, it changes nothing."),
    (
        "X-Provenance",
        "JSON with `agent`, `tool`, `run`, `prompt_hash`, `model`: who makes the change, a tool at a distance that has worked out all that follows from it. It is made exactly as it is given then.",
    ),
];

fn named(name: &str) -> &'static str {
    match name {
        "project" => "The project.",
        "document" => "The document: its id or title.",
        "kind" => "The kind of the piece, such as `character`.",
        "path" => "The path of the field; its slashes are escaped.",
        _ => "The piece: its id or name.",
    }
}

fn responses(route: &WorkspaceRoute, example: Option<&Value>) -> Value {
    let schema = json!({"type": "object", "required": ["data", "version"], "properties": {
        "data": route.data,
        "version": {"type": "integer", "minimum": 0, "description": "The version of the project."},
    }});
    let mut content = json!({"schema": schema});
    if let Some(example) = example {
        content["example"] = example.clone();
    }
    let tag = json!({"description": "The version of the project.", "schema": {"type": "string"}});
    let done = json!({"description": "Done.", "headers": {"ETag": tag}, "content": {"application/json": content}});
    let mut responses = json!({"200": done});
    if route.method == "post" && route.name.starts_with("workspace_add_") {
        responses["201"] = done;
        responses["201"]["headers"]["Location"] = json!({"description": "The piece.", "schema": {"type": "string"}});
    }
    let problem = json!({"$ref": "#/components/responses/Problem"});
    for status in ["400", "401", "403", "404", "409", "412", "413", "415", "422", "428", "429", "500", "503", "504"] {
        responses[status] = problem.clone();
    }
    responses
}
