use serde_json::{Value, json};

use super::incremental::RefusalReason;
use super::{
    AppliedEdit, Edit, EditTarget, Error, apply, changed_fields, from_instruction, incremental, is_plain_update,
};
use crate::piece::{Piece, PieceKind};
use crate::{Action, Agent, Character, CorrectionInstruction, Document, RelationKind, Story};

fn story() -> Story {
    serde_json::from_value(json!({
        "worldview": { "era": "2077", "locations": [{ "id": "l-1", "name": "旧港" }],
            "items": [{ "id": "i-1", "name": "铜钥匙", "holder": "林青" }] },
        "characters": [
            { "id": "c-1", "name": "林青", "alias": ["青鸟"], "role_type": "protagonist", "age": 30, "goals": "找到妹妹" },
            { "id": "c-2", "name": "李四", "role_type": "supporting", "age": 40 },
        ],
        "character_relations": [
            { "id": "r-1", "from": "林青", "to": "李四", "type": "friend", "strength": 0.5 },
            { "id": "r-2", "from": "林青", "to": "李四", "type": "student_of" },
        ],
        "outline_nodes": [{ "id": "o-1", "name": "第一章 雨夜", "order": 1, "description": "林青与李四相遇，林青青年时见过他",
            "participants": ["林青", "李四"] }],
        "timeline_events": [
            { "id": "e-1", "title": "失窃", "participants": ["林青"], "outline_node": "第一章 雨夜" },
            { "id": "e-2", "title": "追捕", "after": ["失窃"] },
        ],
    }))
    .unwrap()
}

fn instruction(agent: Agent, action: Action, parameters: Value) -> CorrectionInstruction {
    CorrectionInstruction { target_agent: agent, action, parameters, ..CorrectionInstruction::default() }
}

#[test]
fn a_secret_is_hidden_until_a_chapter_however_the_chapter_is_called() {
    for until in [json!(1), json!("1"), json!("chapter 1"), json!("第1章"), json!("第一章 雨夜"), json!("o-1")] {
        let mut story = story();
        for parameters in [json!({ "truth_until": until }), json!({ "name": "李四", "secret_until": until })] {
            // The agent named by the instruction makes no difference.
            let told = instruction(Agent::Outline, Action::Update, parameters);
            assert!(is_plain_update(&told));
            apply(&mut story, from_instruction(&told).unwrap()).unwrap();
        }
        let kept = [story.worldview.clone().unwrap().truth_until, story.characters[1].secret_until.clone()];
        for name in kept.map(Option::unwrap_or_default) {
            let names = crate::Names::of(&story);
            let node = names.resolve(PieceKind::OutlineNode, &name).map(|named| named.id.as_str());
            assert_eq!(node, Some("o-1"), "{until} became {name}");
        }
    }
    let open = instruction(Agent::Character, Action::Update, json!({ "name": "李四", "goals": null }));
    assert!(!is_plain_update(&open), "the words are left to the agent");
}

#[test]
fn the_fields_that_identify_a_piece_are_not_changed_by_an_instruction() {
    let cases = [
        (Agent::Character, json!({ "kind": "fact", "id": "f-1", "from": "o-1" }), "from"),
        (Agent::Character, json!({ "from": "林青", "to": "李四", "type": "friend", "strength": 0.7 }), "strength"),
        (Agent::Character, json!({ "kind": "relation", "id": "r-1", "type": "enemy" }), "type"),
        (Agent::Outline, json!({ "id": "o-1", "name": "第一章 雨夜", "type": "scene" }), "kind"),
        (Agent::Outline, json!({ "name": "第一章 雨夜", "new_name": "第一章 雪夜" }), "name"),
        (Agent::Character, json!({ "name": "李四", "goals": null, "age": 41 }), "age goals"),
        (Agent::Character, json!({ "kind": "character", "name": "李四" }), ""),
        (Agent::Character, json!("李四"), ""),
    ];
    for (agent, parameters, fields) in cases {
        let told = instruction(agent, Action::Update, parameters.clone());
        assert_eq!(changed_fields(&told).into_iter().collect::<Vec<_>>().join(" "), fields, "{parameters}");
    }
}

#[test]
fn reading_instructions() {
    use Action::{Create, Delete, Update};
    let cases: Vec<(Agent, Action, Value, Result<Value, &str>)> = vec![
        (
            Agent::Character,
            Update,
            json!({ "kind": "character", "name": "李四", "age": 41 }),
            Ok(
                json!({ "action": "update", "kind": "character", "target": { "named": "李四" }, "fields": { "age": 41 } }),
            ),
        ),
        (
            Agent::Character,
            Update,
            json!({ "id": "c-2", "name": "李肆" }),
            Ok(
                json!({ "action": "update", "kind": "character", "target": { "named": "c-2" }, "fields": { "name": "李肆" } }),
            ),
        ),
        (
            Agent::Plot,
            Update,
            json!({ "title": "失窃", "new_name": "盗窃" }),
            Ok(
                json!({ "action": "update", "kind": "event", "target": { "named": "失窃" }, "fields": { "title": "盗窃" } }),
            ),
        ),
        (
            Agent::Outline,
            Update,
            json!({ "name": "第一章", "type": "scene", "goal": null, "location": null, "add_pays": ["芯片"] }),
            Ok(json!({ "action": "update", "kind": "outline_node", "target": { "named": "第一章" },
                "fields": { "kind": "scene", "location": null, "add_pays": ["芯片"] } })),
        ),
        (
            Agent::Character,
            Delete,
            json!({ "from": "林青", "to": "李四", "type": "friend" }),
            Ok(json!({ "action": "delete", "kind": "relation",
                "target": { "pair": { "from": "林青", "to": "李四", "kind": "friend" } } })),
        ),
        (
            Agent::Style,
            Update,
            json!({ "tone": "冷峻" }),
            Ok(json!({ "action": "update", "kind": "style", "target": "only", "fields": { "tone": "冷峻" } })),
        ),
        (Agent::Character, Update, json!({ "name": "李四", "agee": 41 }), Err("unknown field at parameters/agee")),
        (Agent::Character, Create, json!({ "name": "王五", "hobby": "x" }), Err("unknown field at parameters/hobby")),
        (Agent::Character, Update, json!({ "name": "李四", "add_age": 1 }), Err("unknown field at parameters/add_age")),
        (Agent::Character, Update, json!({ "age": 41 }), Err("the parameters name no character")),
        (Agent::Character, Create, json!({ "age": 41 }), Err("the character has no name")),
        (
            Agent::Character,
            Update,
            json!({ "kind": "dragon", "name": "李四" }),
            Err("invalid value at parameters/kind: no kind of piece is called \"dragon\""),
        ),
        (Agent::Character, Update, json!(["李四"]), Err("parameters must be an object")),
    ];
    for (agent, action, parameters, expected) in cases {
        let read = from_instruction(&instruction(agent, action, parameters.clone()));
        let read = read.map(|edit| serde_json::to_value(edit).unwrap()).map_err(|error| error.to_string());
        assert_eq!(read, expected.map_err(str::to_owned), "{parameters}");
    }
    let wrong = from_instruction(&instruction(Agent::Character, Create, json!({ "name": "王五", "age": "old" })));
    assert!(matches!(wrong, Err(Error::InvalidField { path, .. }) if path == "parameters/age"));
}

#[test]
fn creating_gives_a_new_id_for_ever() {
    let mut story = story();
    let wang = || Edit::Create { piece: Piece::Character(Character { name: "王五".into(), ..Character::default() }) };
    let created = apply(&mut story, wang()).unwrap();
    assert_eq!(story.characters[2].id, "c-3");
    assert_eq!(apply(&mut story, wang()), Err(Error::NameTaken { kind: PieceKind::Character, name: "王五".into() }));
    let alias = Piece::Character(Character { name: "青鸟".into(), ..Character::default() });
    assert!(
        matches!(apply(&mut story, Edit::Create { piece: alias }), Err(Error::NameTaken { .. })),
        "an alias is a name"
    );
    created.inverse().apply(&mut story).unwrap();
    apply(&mut story, wang()).unwrap();
    assert_eq!(story.characters[2].id, "c-4", "c-3 was given before");
}

#[test]
fn a_world_comes_with_its_first_place_and_goes_with_the_undo() {
    let mut story = Story::default();
    let place = json!({ "kind": "location", "name": "旧港" });
    let edit = from_instruction(&instruction(Agent::Worldview, Action::Create, place)).unwrap();
    let change = apply(&mut story, edit).unwrap();
    assert_eq!(story.locations()[0].id, "l-1");
    let all = Edit::Delete { kind: PieceKind::Worldview, target: EditTarget::Only };
    assert_eq!(apply(&mut story, all), Err(Error::NotEmpty { kind: PieceKind::Worldview }));
    change.inverse().apply(&mut story).unwrap();
    assert_eq!(story.worldview, None);
}

#[test]
fn a_new_name_is_carried_along() {
    let mut story = story();
    let edit =
        from_instruction(&instruction(Agent::Character, Action::Update, json!({ "name": "青鸟", "new_name": "林静" })));
    let change = apply(&mut story, edit.unwrap()).unwrap();
    assert_eq!(story.characters[0].name, "林静");
    assert_eq!(story.characters[0].alias, ["青鸟"], "other names stay");
    assert_eq!(story.character_relations[0].from, "林静");
    assert_eq!(story.outline_nodes[0].participants, ["林静", "李四"]);
    assert_eq!(story.outline_nodes[0].description, "林静与李四相遇，林静青年时见过他");
    assert_eq!(story.items()[0].holder.as_deref(), Some("林静"));
    assert_eq!(story.timeline_events[0].participants, ["林静"]);
    let touched: Vec<_> = change.steps.iter().filter_map(super::EditStep::kind).collect();
    assert_eq!(touched[0], PieceKind::Character);
    assert_eq!(touched.len(), 6, "the card, two relations, node, event and thing, and nothing else: {touched:?}");

    let edit =
        from_instruction(&instruction(Agent::Plot, Action::Update, json!({ "name": "失窃", "new_name": "盗窃" })));
    apply(&mut story, edit.unwrap()).unwrap();
    assert_eq!(story.timeline_events[1].after, ["盗窃"]);
}

#[test]
fn relations_of_a_pair_are_told_apart_by_kind() {
    let mut story = story();
    let pair = |kind| EditTarget::Pair { from: "青鸟".into(), to: "李四".into(), kind };
    let delete = |kind| Edit::Delete { kind: PieceKind::Relation, target: pair(kind) };
    assert!(matches!(apply(&mut story, delete(None)), Err(Error::Ambiguous { count: 2, .. })));
    apply(&mut story, delete(Some(RelationKind::Friend))).unwrap();
    let edit = instruction(Agent::Character, Action::Update, json!({ "from": "林青", "to": "李四", "type": "rival" }));
    apply(&mut story, from_instruction(&edit).unwrap()).unwrap();
    assert_eq!(story.character_relations.len(), 1);
    assert_eq!(story.character_relations[0].kind, RelationKind::Rival, "with one left, the kind is what changes");
}

#[test]
fn a_change_that_does_not_fit_any_more_is_a_conflict() {
    let mut story = story();
    let age = |age| {
        from_instruction(&instruction(Agent::Character, Action::Update, json!({ "id": "c-2", "age": age }))).unwrap()
    };
    let first = apply(&mut story, age(41)).unwrap();
    let second = apply(&mut story, age(42)).unwrap();
    let current = story.clone();
    assert!(matches!(first.inverse().apply(&mut story), Err(Error::Conflict { .. })));
    assert_eq!(story, current);
    story.characters.swap(0, 1);
    second.inverse().apply(&mut story).unwrap();
    assert_eq!(story.characters[0].age, Some(41), "found by its id in another place");
}

/// Answers and what comes of them: instructions, answer, expected differences, expected refusals.
#[test]
fn the_guard() {
    use Action::{Create, Delete, Update};
    type Case = (&'static str, Vec<CorrectionInstruction>, Value, Value, Vec<RefusalReason>);
    let character = |action, parameters| instruction(Agent::Character, action, parameters);
    let said = |agent, action, text: &str| CorrectionInstruction {
        specific_instruction: text.to_owned(),
        ..instruction(agent, action, Value::Null)
    };
    let cases: Vec<Case> = vec![
        (
            "only the named field",
            vec![character(Update, json!({ "name": "李四", "age": 41 }))],
            json!({ "characters": [{ "name": "李四", "age": 41, "occupation": "船长" }] }),
            json!({ "characters/1": { "age": 41 } }),
            vec![RefusalReason::FieldNotNamed],
        ),
        (
            "an empty field is left out, not emptied",
            vec![character(Update, json!({ "name": "林青" }))],
            json!({ "characters": [{ "name": "林青", "occupation": "侦探" }] }),
            json!({ "characters/0": { "occupation": "侦探" } }),
            vec![],
        ),
        (
            "a field that is named as empty may be emptied",
            vec![character(Update, json!({ "name": "林青", "age": null, "goals": "" }))],
            json!({ "characters": [{ "name": "林青" }] }),
            json!({ "characters/0": { "age": null, "goals": "" } }),
            vec![],
        ),
        (
            "a field that is left to the agent, and that the answer leaves out",
            vec![character(Update, json!({ "name": "林青", "goals": null }))],
            json!({ "characters": [{ "name": "林青" }] }),
            json!({}),
            vec![],
        ),
        (
            "a piece nobody named",
            vec![character(Update, json!({ "name": "林青" }))],
            json!({ "characters": [{ "id": "c-2", "name": "李四", "age": 10 }], "premise": "other" }),
            json!({}),
            vec![RefusalReason::PieceNotNamed],
        ),
        (
            "named by the text alone",
            vec![said(Agent::Character, Update, "让青鸟的职业更具体")],
            json!({ "characters": [{ "name": "林青", "occupation": "侦探" }, { "name": "李四", "age": 10 }] }),
            json!({ "characters/0": { "occupation": "侦探" } }),
            vec![RefusalReason::PieceNotNamed],
        ),
        (
            "a new character with a relation, and another nobody asked for",
            vec![character(Create, json!({ "kind": "character", "name": "王五" }))],
            json!({ "characters": [{ "id": "c-1", "name": "王五", "age": 20 }, { "name": "赵六" }],
                "character_relations": [{ "from": "王五", "to": "林青", "type": "friend" }] }),
            json!({ "characters/2": { "id": "c-3", "name": "王五", "age": 20 },
                "character_relations/2": { "id": "r-3", "from": "王五", "to": "林青", "type": "friend" } }),
            vec![RefusalReason::CreationNotOrdered],
        ),
        (
            "references to a new piece follow its new id",
            vec![instruction(Agent::Plot, Create, json!({ "kind": "event" }))],
            json!({ "timeline_events": [{ "id": "e-0", "title": "对质" }, { "title": "落网", "after": ["e-0"] }] }),
            json!({ "timeline_events/2": { "id": "e-3", "title": "对质" },
                "timeline_events/3": { "id": "e-4", "title": "落网", "after": ["e-3"] } }),
            vec![],
        ),
        (
            "a new name only when ordered",
            vec![character(Update, json!({ "id": "c-2" }))],
            json!({ "characters": [{ "id": "c-2", "name": "李肆", "age": 41 }] }),
            json!({}),
            vec![RefusalReason::CreationNotOrdered],
        ),
        (
            "a new name that is ordered",
            vec![character(Update, json!({ "id": "i-1", "kind": "item", "new_name": "银钥匙" }))],
            json!({ "worldview": { "items": [{ "name": "银钥匙", "holder": "李四" }] } }),
            json!({ "worldview/items/0": { "name": "银钥匙" } }),
            vec![RefusalReason::FieldNotNamed],
        ),
        (
            "deletions come from instructions",
            vec![character(Delete, json!({ "kind": "relation", "id": "r-1" }))],
            json!({ "character_relations": [{ "id": "r-1", "from": "林青", "to": "李四", "type": "friend", "strength": 1.0 }] }),
            json!({ "character_relations/0": null }),
            vec![RefusalReason::ToBeDeleted],
        ),
        (
            "an unclear deletion deletes nothing",
            vec![said(Agent::Character, Delete, "删掉林青或李四")],
            json!({}),
            json!({}),
            vec![RefusalReason::DeletionUnclear],
        ),
        (
            "the style that is not there yet",
            vec![instruction(Agent::Style, Update, json!({ "tone": "冷峻" }))],
            json!({ "style": { "tone": "冷峻" } }),
            json!({ "style": { "tone": "冷峻" } }),
            vec![],
        ),
        (
            "the world, but not its places",
            vec![instruction(Agent::Worldview, Update, json!({ "kind": "worldview", "era": "2078" }))],
            json!({ "worldview": { "era": "2078", "summary": "x", "locations": [{ "name": "旧港", "description": "x" }] } }),
            json!({ "worldview": { "era": "2078" } }),
            vec![RefusalReason::PieceNotNamed, RefusalReason::FieldNotNamed],
        ),
    ];
    for (name, instructions, answer, expected, reasons) in cases {
        let before = story();
        let outcome = incremental(&before, &serde_json::from_value(answer).unwrap(), &instructions);
        assert_eq!(differences(&before, &outcome.story), expected, "{name}");
        let mut found: Vec<RefusalReason> = outcome.refusals.iter().map(|refusal| refusal.reason).collect();
        let mut reasons = reasons;
        found.sort_by_key(|reason| format!("{reason:?}"));
        reasons.sort_by_key(|reason| format!("{reason:?}"));
        assert_eq!(found, reasons, "{name}: {:?}", outcome.refusals);
    }
}

/// The pieces that differ, by list and place, with the fields that differ; new pieces with what they say.
fn differences(before: &Story, after: &Story) -> Value {
    let mut all = serde_json::Map::new();
    for kind in PieceKind::ALL {
        let deleted = before.count(kind) > after.count(kind);
        for position in 0..before.count(kind).max(after.count(kind)) {
            let (old, new) = (before.piece(kind, position), after.piece(kind, position));
            let place = if kind.is_single() { kind.list().to_owned() } else { format!("{}/{position}", kind.list()) };
            if deleted {
                all.insert(place, Value::Null);
                break;
            }
            let old = old.unwrap_or_else(|| Piece::empty(kind)).fields();
            let mut fields = new.map(|piece| piece.fields()).unwrap_or_default();
            fields.retain(|field, value| old.get(field) != Some(value));
            if !fields.is_empty() {
                all.insert(place, Value::Object(fields));
            }
        }
    }
    Value::Object(all)
}

#[test]
fn facts_documents_and_promises_are_pieces_like_others() {
    let mut story = Story {
        characters: vec![Character { id: "c-1".into(), name: "林青".into(), ..Character::default() }],
        documents: vec![Document {
            id: "d-1".into(),
            title: "第一章 雨夜".into(),
            version: 1,
            text: "林青推门进来。".into(),
            ..Document::default()
        }],
        ..Story::default()
    };
    let instruction = |action, parameters| CorrectionInstruction { action, parameters, ..Default::default() };
    let made = [
        instruction(
            Action::Create,
            json!({
                "kind": "fact", "subject": "林青", "predicate": "瞳色", "value": "黑",
                "source": {"document": "第一章 雨夜", "version": 1, "quote": "林青推门进来。"},
                "known_by": [{"who": "林青", "how": "林青自己"}]
            }),
        ),
        instruction(Action::Create, json!({"kind": "promise", "name": "雨", "planted": ["第一章 雨夜"]})),
    ];
    let before = story.clone();
    let mut changes: Vec<AppliedEdit> =
        made.iter().map(|made| apply(&mut story, from_instruction(made).unwrap()).unwrap()).collect();
    let renames = [
        instruction(Action::Update, json!({"kind": "character", "id": "c-1", "name": "沈墨"})),
        instruction(Action::Update, json!({"kind": "document", "id": "d-1", "new_title": "第一章 夜雨"})),
        instruction(Action::Update, json!({"kind": "fact", "id": "f-1", "from": "第3天"})),
    ];
    changes.extend(renames.iter().map(|rename| apply(&mut story, from_instruction(rename).unwrap()).unwrap()));
    let [fact] = story.facts.as_slice() else { panic!("{:?}", story.facts) };
    assert_eq!((fact.id.as_str(), fact.label().as_str()), ("f-1", "沈墨 瞳色 黑"));
    assert_eq!((fact.known_by[0].who.as_str(), fact.known_by[0].how.as_str()), ("沈墨", "沈墨自己"));
    let source = fact.source.as_ref().unwrap();
    assert_eq!((source.document.as_str(), source.quote.as_str()), ("第一章 夜雨", "沈墨推门进来。"));
    assert_eq!((story.documents[0].text.as_str(), story.documents[0].version), ("沈墨推门进来。", 2));
    assert_eq!((story.promises[0].id.as_str(), story.promises[0].planted[0].as_str()), ("promise-1", "第一章 夜雨"));
    let unknown = instruction(Action::Delete, json!({"kind": "fact", "id": "f-9"}));
    assert!(matches!(apply(&mut story, from_instruction(&unknown).unwrap()), Err(Error::NotFound { .. })));
    for change in changes.iter().rev() {
        change.inverse().apply(&mut story).unwrap();
    }
    assert_eq!(story.pieces().collect::<Vec<_>>(), before.pieces().collect::<Vec<_>>());
}

#[test]
fn a_reference_that_may_mean_two_kinds_is_not_renamed() {
    let mut story: Story = serde_json::from_value(json!({
        "outline_nodes": [{"id": "o-1", "name": "第一章 雨夜"}],
        "documents": [{"id": "d-1", "title": "第一章 雨夜"}],
        "promises": [{"id": "promise-1", "name": "雨", "planted": ["第一章 雨夜", "d-1"]}]
    }))
    .unwrap();
    let fields = [("title".to_owned(), json!("第一章 夜雨"))].into();
    let edit = Edit::Update { kind: PieceKind::Document, target: EditTarget::Named("d-1".into()), fields };
    apply(&mut story, edit).unwrap();
    assert_eq!(story.promises[0].planted, ["第一章 雨夜", "d-1"]);
}

#[test]
fn a_whole_name_is_renamed_though_it_is_a_part_of_another() {
    let mut story: Story = serde_json::from_value(json!({
        "characters": [{"id": "c-1", "name": "沈青锋"}],
        "worldview": {"items": [{"id": "i-1", "name": "青锋"}]},
        "facts": [{"id": "f-1", "subject": "青锋", "predicate": "length", "value": 3}]
    }))
    .unwrap();
    let fields = [("name".to_owned(), json!("承影"))].into();
    apply(&mut story, Edit::Update { kind: PieceKind::Item, target: EditTarget::Named("i-1".into()), fields }).unwrap();
    assert_eq!(story.facts[0].subject, "承影");
}

#[test]
fn the_author_s_own_fields_of_a_card_are_set_in_their_order_and_have_limits() {
    let old = json!({"characters": [{"id": "c-1", "name": "林青"}, {"id": "c-2", "name": "白露"}]});
    let mut story: Story = serde_json::from_value(old).unwrap();
    let written = serde_json::to_string(&story).unwrap();
    assert!(!["gender", "appearance", "custom"].iter().any(|field| written.contains(field)), "{written}");
    let mut update = |fields: serde_json::Value| {
        let fields = fields.as_object().unwrap().clone().into_iter().collect();
        let edit = Edit::Update { kind: PieceKind::Character, target: EditTarget::Named("林青".into()), fields };
        apply(&mut story, edit).map(|_| story.characters[0].clone()).map_err(|error| error.to_string())
    };
    let custom = json!([{"name": "灵根", "value": "火"}, {"name": "道侣", "value": "白露"}]);
    let card = update(json!({"gender": "女", "appearance": "左眉有一道疤。", "custom": custom})).unwrap();
    assert_eq!(card.custom_fields().collect::<Vec<_>>(), [("灵根", "火"), ("道侣", "白露")]);
    assert_eq!((card.gender.as_str(), card.appearance.as_str()), ("女", "左眉有一道疤。"));
    let many = vec![json!({"name": "灵根", "value": "火"}); 41];
    for (custom, limit) in [
        (json!(many), "at most 40"),
        (json!([{"name": "灵".repeat(41), "value": ""}]), "at most 40"),
        (json!([{"name": "灵根", "value": "火".repeat(1001)}]), "at most 1000"),
    ] {
        let refused = update(json!({ "custom": custom })).unwrap_err();
        assert!(refused.contains(limit), "{refused}");
    }
    // A new name goes into the values, as it does into other texts.
    let fields = [("name".to_owned(), json!("白霜"))].into();
    let edit = Edit::Update { kind: PieceKind::Character, target: EditTarget::Named("c-2".into()), fields };
    apply(&mut story, edit).unwrap();
    assert_eq!(story.characters[0].custom[1].value, "白霜");
}

#[test]
fn optional_fields_that_are_not_written_can_be_set() {
    let mut story: Story =
        serde_json::from_value(json!({"worldview": {"rules": [{"id": "w-1", "name": "宵禁"}]}})).unwrap();
    assert!(!serde_json::to_string(&story).unwrap().contains("forbids"));
    let fields = [("forbids".to_owned(), json!({"predicate": "位于", "place": "城外"}))].into();
    let edit = Edit::Update { kind: PieceKind::WorldRule, target: EditTarget::Named("w-1".into()), fields };
    apply(&mut story, edit).unwrap();
    assert_eq!(story.world_rules()[0].forbids.as_ref().unwrap().place.as_deref(), Some("城外"));
}
