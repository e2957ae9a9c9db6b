//! Correction instructions are obeyed to the letter.

use qingyu_agents::context::{WorkContext, WorkMode};
use qingyu_agents::output::{CharacterWork, OutlineWork, PlotWork, WorldviewWork};
use qingyu_story::{Action, Agent, CorrectionInstruction, RelationKind, RoleType, Story};
use serde_json::{Value, json};

use crate::bench::{REQUIREMENTS, ask, everything, work};

async fn told(story: &Story, orders: &[(Agent, Action, Value)]) -> WorkContext {
    let instructions = orders.iter().map(|(agent, action, parameters)| CorrectionInstruction {
        issue_id: "QY-1".into(),
        target_agent: *agent,
        action: *action,
        specific_instruction: "照办".into(),
        parameters: parameters.clone(),
        priority: 5,
    });
    WorkContext { mode: WorkMode::Correct, instructions: instructions.collect(), ..work(REQUIREMENTS[0], story) }
}

#[tokio::test]
async fn a_created_character_fits_the_outline_and_knows_the_protagonist() {
    let (story, _) = everything(REQUIREMENTS[0]).await;
    let known = |name: &String| story.characters.iter().any(|card| card.name == *name);
    let mut participants = story.outline_nodes.iter().flat_map(|node| &node.participants);
    let missing = participants.find(|name| !known(name)).unwrap();
    let node = story.outline_nodes.iter().find(|node| node.participants.contains(missing)).unwrap();
    let order = json!({ "kind": "character", "name": missing, "role_type": "supporting", "traits": ["开朗", "冲动"], "goals": null });
    let made: CharacterWork =
        ask("character.correct", &told(&story, &[(Agent::Character, Action::Create, order)]).await).await;
    let [card] = made.characters.as_slice() else { panic!("{:#?}", made.characters) };
    assert_eq!((&card.name, card.role_type), (missing, RoleType::Supporting));
    assert_eq!(card.traits, ["开朗", "冲动"]);
    assert!(node.description.contains(&format!("{}{}", card.occupation, card.name)), "{}", card.occupation);
    for field in [&card.weakness, &card.goals, &card.conflicts, &card.background] {
        assert!(!field.is_empty() && !field.contains("待写"), "{card:#?}");
    }
    let hero = story.characters.iter().find(|card| card.role_type == RoleType::Protagonist).unwrap();
    let [to, back] = made.character_relations.as_slice() else { panic!("{:#?}", made.character_relations) };
    assert_eq!((&to.from, &to.to, &back.from, &back.to), (&hero.name, missing, missing, &hero.name));
    assert_eq!(back.kind, to.kind.inverse());
}

#[tokio::test]
async fn an_update_sets_what_it_names_and_nothing_else() {
    let (mut story, _) = everything(REQUIREMENTS[0]).await;
    story.characters[1].weakness.clear();
    let name = story.characters[1].name.clone();
    let orders = [
        (Agent::Character, Action::Update, json!({ "name": name, "age": 50 })),
        (Agent::Character, Action::Update, json!({ "name": name, "weakness": null })),
    ];
    let made: CharacterWork = ask("character.correct", &told(&story, &orders[..1]).await).await;
    let mut expected = story.characters[1].clone();
    expected.age = Some(50);
    assert_eq!((made.characters, made.character_relations), (vec![expected], vec![]));
    let made: CharacterWork = ask("character.correct", &told(&story, &orders[1..]).await).await;
    let mut filled = made.characters[0].clone();
    assert!(!std::mem::take(&mut filled.weakness).is_empty());
    assert_eq!(filled, story.characters[1]);
}

#[tokio::test]
async fn the_other_side_of_a_relation_is_its_inverse() {
    let (mut story, _) = everything(REQUIREMENTS[0]).await;
    let kept = story.character_relations[2].clone();
    story.character_relations = vec![kept.clone()];
    let order = json!({ "kind": "relation", "from": kept.to, "to": kept.from, "type": kept.kind.inverse() });
    let made: CharacterWork =
        ask("character.correct", &told(&story, &[(Agent::Character, Action::Create, order)]).await).await;
    let [relation] = made.character_relations.as_slice() else { panic!("{made:#?}") };
    assert_eq!((relation.kind, &relation.description), (kept.kind.inverse(), &kept.description));
    assert_ne!(relation.kind, RelationKind::default());
}

#[tokio::test]
async fn the_other_agents_obey_too() {
    let (mut story, _) = everything(REQUIREMENTS[0]).await;
    let node = story.outline_nodes[2].clone();
    let event = story.timeline_events.remove(1);
    let orders = [
        (Agent::Outline, Action::Update, json!({ "name": node.name, "add_participants": ["路人甲"] })),
        (Agent::Plot, Action::Create, json!({ "title": "补上的事", "outline_node": event.outline_node })),
        (Agent::Worldview, Action::Create, json!({ "kind": "location", "name": "无人旧巷" })),
        (
            Agent::Worldview,
            Action::Delete,
            json!({ "kind": "location", "name": story.worldview.as_ref().unwrap().locations[0].name }),
        ),
    ];
    let outline: OutlineWork = ask("outline.correct", &told(&story, &orders[..1]).await).await;
    let [changed] = outline.outline_nodes.as_slice() else { panic!("{outline:#?}") };
    assert_eq!(changed.participants.last().unwrap(), "路人甲");
    assert_eq!((&changed.description, &changed.goal), (&node.description, &node.goal));

    let plot: PlotWork = ask("plot.correct", &told(&story, &orders[1..2]).await).await;
    let [made] = plot.timeline_events.as_slice() else { panic!("{plot:#?}") };
    assert_eq!(
        (made.title.as_str(), &made.participants, &made.location),
        ("补上的事", &event.participants, &event.location)
    );
    assert_eq!(made.after, event.after);

    let world: WorldviewWork = ask("worldview.correct", &told(&story, &orders[2..]).await).await;
    let [place] = world.worldview.locations.as_slice() else { panic!("{world:#?}") };
    assert_eq!((place.name.as_str(), place.description.as_str()), ("无人旧巷", "〔待写〕"));
    assert!(world.worldview.items.is_empty() && world.worldview.rules.is_empty());
}

#[tokio::test]
async fn what_cannot_be_done_is_told_and_left() {
    let (story, _) = everything(REQUIREMENTS[0]).await;
    let orders = [(Agent::Character, Action::Update, json!({ "name": "查无此人", "age": 50 }))];
    let made: CharacterWork = ask("character.correct", &told(&story, &orders).await).await;
    assert!(made.characters.is_empty());
    assert!(made.reasoning[0].starts_with("无法执行指令"), "{:?}", made.reasoning);
}
