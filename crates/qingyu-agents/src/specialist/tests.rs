use qingyu_story::{
    Action, CharacterRelation, Location, OutlineNode, PlotNode, RelationKind, RoleType, StyleGuide, TimelineEvent,
    WorldRule,
};
use qingyu_story::{Agent, Language, Story};
use serde_json::json;

use super::*;
use crate::context::WorkMode;
use crate::output::{CharacterWork, OutlineWork, PlotWork, StyleWork, WorldviewWork};

fn node(id: &str, order: u32, name: &str) -> OutlineNode {
    OutlineNode { id: id.into(), order, name: name.into(), description: "雨".into(), ..Default::default() }
}

fn card(id: &str, name: &str) -> qingyu_story::Character {
    qingyu_story::Character { id: id.into(), name: name.into(), role_type: RoleType::Protagonist, ..Default::default() }
}

fn problems<S: Specialist>(output: &S::Output, mode: WorkMode) -> String {
    let story = Story::default();
    S::problems(output, AnswerExpectation { mode, language: Language::En, story: &story }).join("; ")
}

#[test]
fn a_whole_answer_must_hold_something_and_a_correction_need_not() {
    let (generate, correct) = (WorkMode::Generate, WorkMode::Correct);
    let cases = [
        (problems::<outline::OutlineSpecialist>(&OutlineWork::default(), generate), "outline_nodes must not be empty"),
        (problems::<outline::OutlineSpecialist>(&OutlineWork::default(), correct), ""),
        (
            problems::<character::CharacterSpecialist>(&CharacterWork::default(), generate),
            "characters must not be empty",
        ),
        (
            problems::<plot::PlotSpecialist>(&PlotWork::default(), WorkMode::Regenerate),
            "timeline_events must not be empty",
        ),
        (problems::<worldview::WorldviewSpecialist>(&WorldviewWork::default(), generate), "the worldview is empty"),
        (
            problems::<style::StyleSpecialist>(&StyleWork::default(), generate),
            "the style has neither tone nor guidelines",
        ),
        (problems::<style::StyleSpecialist>(&StyleWork::default(), correct), ""),
    ];
    for (said, expected) in cases {
        assert_eq!(said, expected);
    }
}

#[test]
fn names_are_there_and_stand_once() {
    let outline = OutlineWork {
        title: String::new(),
        outline_nodes: vec![node("", 1, "Rain"), node("", 2, " "), node("", 3, "RAIN")],
        ..Default::default()
    };
    assert_eq!(
        problems::<outline::OutlineSpecialist>(&outline, WorkMode::Generate),
        r#"outline node number 2 has no name; the outline node "RAIN" stands twice"#
    );
    let cast = CharacterWork {
        characters: vec![qingyu_story::Character { role_type: RoleType::Minor, ..card("", "Ada") }],
        ..Default::default()
    };
    assert_eq!(
        problems::<character::CharacterSpecialist>(&cast, WorkMode::Generate),
        "at least one character must have the role_type protagonist"
    );
}

#[test]
fn what_is_made_stands_beside_what_is_there() {
    let story = Story {
        outline_nodes: vec![node("o-1", 1, "第一章"), node("o-2", 2, "第二章")],
        characters: vec![card("c-1", "林深")],
        ..Default::default()
    };
    let made =
        Story { outline_nodes: vec![node("", 2, "第二章"), node("o-1", 3, "第三章")], ..Default::default() };
    let after = place::<outline::OutlineSpecialist>(&story, &story, made);
    let nodes = after.outline_nodes.iter().map(|node| format!("{} {} {}", node.id, node.order, node.name));
    assert_eq!(nodes.collect::<Vec<_>>(), ["o-1 1 第一章", "o-2 2 第二章", "o-3 3 第三章"]);
    assert_eq!(after.characters, story.characters);
}

#[test]
fn what_is_made_anew_keeps_the_ids_of_its_names() {
    let before = Story { characters: vec![card("c-1", "林深"), card("c-2", "老周")], ..Default::default() };
    let cleared = Story::default();
    let made = Story {
        characters: vec![card("", "苏曼"), card("", "林深")],
        character_relations: vec![CharacterRelation {
            from: "苏曼".into(), to: "林深".into(), ..Default::default()
        }],
        ..Default::default()
    };
    let after = place::<character::CharacterSpecialist>(&cleared, &before, made);
    let ids = after.characters.iter().map(|card| format!("{} {}", card.id, card.name)).collect::<Vec<_>>();
    assert_eq!(ids, ["c-3 苏曼", "c-1 林深"]);
    assert_eq!(after.character_relations[0].id, "r-1");
}

#[test]
fn every_specialist_adds_only_its_own_pieces() {
    let story = Story::default();
    let everything = Story {
        worldview: Some(qingyu_story::Worldview {
            genre: "noir".into(),
            rules: vec![WorldRule { name: "rain".into(), ..Default::default() }],
            ..Default::default()
        }),
        outline_nodes: vec![node("", 1, "one")],
        characters: vec![card("", "Ada")],
        timeline_events: vec![TimelineEvent { title: "start".into(), ..Default::default() }],
        plot_nodes: vec![PlotNode { title: "lie".into(), ..Default::default() }],
        style: Some(StyleGuide::default()),
        ..Default::default()
    };
    let kinds = |after: &Story| after.pieces().map(|piece| piece.kind().agent()).collect::<Vec<_>>();
    for (agent, after) in [
        (Agent::Outline, place::<outline::OutlineSpecialist>(&story, &story, everything.clone())),
        (Agent::Character, place::<character::CharacterSpecialist>(&story, &story, everything.clone())),
        (Agent::Plot, place::<plot::PlotSpecialist>(&story, &story, everything.clone())),
        (Agent::Worldview, place::<worldview::WorldviewSpecialist>(&story, &story, everything.clone())),
        (Agent::Style, place::<style::StyleSpecialist>(&story, &story, everything.clone())),
    ] {
        assert!(!kinds(&after).is_empty() && kinds(&after).iter().all(|kind| *kind == agent), "{agent:?}");
    }
}

#[test]
fn a_card_that_is_made_again_keeps_what_models_are_not_asked_for() {
    let field = |value: &str| qingyu_story::CustomField { name: "灵根".into(), value: value.into() };
    let known = qingyu_story::Character {
        gender: "女".into(),
        appearance: "高个子".into(),
        custom: vec![field("火")],
        ..card("c-1", "林深")
    };
    let story = Story { characters: vec![known.clone()], ..Default::default() };
    let again = qingyu_story::Character { weakness: "怕水".into(), gender: "男".into(), ..card("", "林深") };
    let made = Story { characters: vec![again], ..Default::default() };
    let after = place::<character::CharacterSpecialist>(&story, &story, made);
    let card = &after.characters[0];
    assert_eq!((card.weakness.as_str(), card.gender.as_str()), ("怕水", "男"));
    assert_eq!((&card.appearance, &card.custom), (&known.appearance, &known.custom));
}

fn instruction(agent: Agent, action: Action, parameters: serde_json::Value) -> qingyu_story::CorrectionInstruction {
    qingyu_story::CorrectionInstruction { target_agent: agent, action, parameters, ..Default::default() }
}

#[test]
fn only_what_is_complete_as_data_is_carried_out() {
    let aged = qingyu_story::Character { age: Some(30), ..card("c-1", "林深") };
    let story = Story { characters: vec![aged, card("c-2", "老周")], ..Default::default() };
    let (create, update, delete) = (Action::Create, Action::Update, Action::Delete);
    let cases = [
        (delete, json!({ "kind": "character", "name": "老周" }), true),
        (delete, json!({ "kind": "character", "name": "无名" }), false),
        (update, json!({ "kind": "character", "name": "林深", "weakness": "优柔寡断" }), true),
        (update, json!({ "kind": "character", "name": "林深", "age": null }), true),
        (update, json!({ "kind": "character", "name": "林深", "add_traits": ["多疑"] }), true),
        (update, json!({ "kind": "character", "name": "林深" }), false),
        (update, json!({ "kind": "character", "name": "林深", "weakness": null }), false),
        (update, json!({ "kind": "character", "name": "林深", "mood": "冷" }), false),
        (create, json!({ "kind": "character", "name": "李四", "background": "挚友" }), true),
        (create, json!({ "kind": "character", "name": "李四", "background": null }), false),
        (create, json!({ "kind": "character", "name": "李四" }), false),
        (create, json!({ "kind": "character", "name": "林深", "background": "重名" }), false),
        (create, json!({ "name": "李四", "background": "挚友", "relationship_to_protagonist": "挚友" }), false),
        (update, serde_json::Value::Null, false),
    ];
    for (action, parameters, done) in cases {
        let corrected = carry_out(&story, &[instruction(Agent::Character, action, parameters.clone())]);
        assert_eq!(corrected.open.is_empty(), done, "{action:?} {parameters}");
        assert_eq!(corrected.story != story, done, "{action:?} {parameters}");
    }
}

#[test]
fn a_person_s_general_word_opens_the_agent_s_work_and_nothing_else() {
    let story = Story {
        characters: vec![card("c-1", "林深")],
        outline_nodes: vec![node("o-1", 1, "第一章")],
        ..Default::default()
    };
    let answer = Story {
        characters: vec![qingyu_story::Character { weakness: "怕水".into(), ..card("c-1", "林深") }, card("", "苏曼")],
        outline_nodes: vec![node("o-1", 1, "第一章 改名")],
        character_relations: vec![CharacterRelation {
            from: "苏曼".into(),
            to: "林深".into(),
            kind: RelationKind::Friend,
            ..Default::default()
        }],
        worldview: Some(qingyu_story::Worldview {
            locations: vec![Location { name: "旧港".into(), ..Default::default() }],
            ..Default::default()
        }),
        ..Default::default()
    };
    let told = |issue_id: &str| qingyu_story::CorrectionInstruction {
        issue_id: issue_id.into(),
        specific_instruction: "人物太完美了".into(),
        ..instruction(Agent::Character, Action::Update, serde_json::Value::Null)
    };
    let by_person = guarded(&story, &answer, &[told("human-1")]);
    assert_eq!(by_person.story.characters[0].weakness, "怕水");
    assert_eq!((by_person.story.characters.len(), by_person.story.character_relations.len()), (2, 1));
    assert_eq!((by_person.story.outline_nodes, by_person.story.worldview), (story.outline_nodes.clone(), None));
    let by_model = guarded(&story, &answer, &[told("model-1")]);
    assert_eq!(by_model.story, story);
}
