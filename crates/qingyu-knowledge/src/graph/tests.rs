use std::collections::BTreeSet;

use insta::assert_snapshot;
use qingyu_story::truth::{GroundTruth, Question};
use qingyu_story::{Mode, Story};
use serde_json::json;

use super::{NodeKind, SpanEvaluator, StoryGraph, StorySpan, vocabulary};
use crate::pattern::{Error, Query, QueryLimits};

/// A small story in which friends become enemies and friends again, and a key changes hands.
pub(crate) fn story() -> Story {
    serde_json::from_value(json!({
        "characters": [
            {"id": "c-1", "name": "林青", "alias": ["青鸟"], "role_type": "protagonist", "traits": ["果断"], "age": 28},
            {"id": "c-2", "name": "苏婉", "traits": ["谨慎小心", "聪明"], "occupation": "医生"},
            {"id": "c-3", "name": "沈策", "role_type": "antagonist", "traits": ["谨慎"]},
            {"id": "c-4", "name": "老周", "traits": ["话多"]}
        ],
        "character_relations": [
            {"id": "r-1", "from": "苏婉", "to": "林青", "type": "friend", "until": "第二章"},
            {"id": "r-2", "from": "林青", "to": "苏婉", "type": "friend", "since": "第四章"},
            {"id": "r-3", "from": "苏婉", "to": "青鸟", "type": "enemy", "since": "第二章", "until": "第三章"},
            {"id": "r-4", "from": "沈策", "to": "林青", "type": "enemy"},
            {"id": "r-5", "from": "老周", "to": "林青", "type": "student_of"},
            {"id": "r-6", "from": "沈策", "to": "老周", "type": "ally", "since": "第三章"}
        ],
        "outline_nodes": [
            {"id": "o-1", "name": "第一章 雨夜", "order": 1}, {"id": "o-2", "name": "第二章 旧港", "order": 2},
            {"id": "o-3", "name": "第三章 背叛", "order": 3},
            {"id": "o-4", "name": "第四章 重逢", "order": 4, "location": "迷雾森林", "participants": ["苏婉"]}
        ],
        "worldview": {
            "locations": [{"id": "l-1", "name": "迷雾森林", "alias": ["Misty Forest"]}, {"id": "l-2", "name": "旧港"}],
            "items": [{"id": "i-1", "name": "铜钥匙", "holder": "苏婉"}],
            "organisations": [{"id": "g-1", "name": "黑帆会"}]
        },
        "timeline_events": [
            {"id": "e-1", "title": "林中相遇", "timestamp": "第1天", "participants": ["苏婉", "沈策"], "location": "迷雾森林", "outline_node": "第一章"},
            {"id": "e-2", "title": "追踪", "timestamp": "第2天", "after": ["林中相遇"], "participants": ["青鸟"], "location": "旧港", "outline_node": "第二章"},
            {"id": "e-3", "title": "决斗", "timestamp": "第5天", "participants": ["林青", "沈策"], "deaths": ["沈策"], "outline_node": "第四章"}
        ],
        "facts": [
            {"id": "f-1", "subject": "林青", "predicate": "持有", "object": "铜钥匙", "from": "追踪",
             "source": {"document": "d-1", "quote": "他收下了铜钥匙。"}},
            {"id": "f-2", "subject": "沈策", "predicate": "隶属", "object": "黑帆会"},
            {"id": "f-3", "subject": "老周", "predicate": "friend_of", "object": "沈策", "mode": "lied", "by": "老周"},
            {"id": "f-4", "subject": "林青", "predicate": "仰慕", "object": "无名剑客"},
            {"id": "f-5", "subject": "林青", "predicate": "职务", "value": "巡捕", "from": "第一章"},
            {"id": "f-6", "subject": "林青", "predicate": "职务", "value": "总捕头", "from": "第三章"},
            {"id": "f-7", "subject": "林青", "predicate": "enemy_of", "object": "老周", "mode": "retconned"},
            {"id": "f-8", "subject": "苏婉", "predicate": "瞳色", "value": "黑"}
        ]
    }))
    .expect("the story is well formed")
}

#[test]
fn what_a_story_becomes() {
    let graph = StoryGraph::of(&story());
    let edges = graph.edges().map(|(_, edge)| {
        let [from, to] = [edge.from, edge.to].map(|end| graph[end].name.as_str());
        let by = edge.by.map(|by| format!(" by {}", graph[by].name)).unwrap_or_default();
        let word = &graph.word(edge.kind).name;
        format!("{from} {word} {to} [{} – {}] {}{by}: {}", edge.since, edge.until, edge.says.anchor, edge.says.quote)
    });
    assert_snapshot!(edges.collect::<Vec<_>>().join("\n"));
    let unknown: Vec<&str> = graph.of_kind(NodeKind::Unknown).iter().map(|node| graph[*node].name.as_str()).collect();
    assert_eq!(unknown, ["无名剑客"]);
}

/// The first column of what is found, by names.
pub(crate) fn names(text: &str) -> Vec<String> {
    let graph = StoryGraph::of(&story());
    let query = Query::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let found = query.run(&graph, QueryLimits::default()).unwrap_or_else(|error| panic!("{text}: {error}"));
    found.rows.iter().map(|row| row.nodes.first().map_or("()", |node| &graph[*node].name).to_owned()).collect()
}

#[test]
fn what_holds_when() {
    for (text, expected) in [
        // Friends until chapter two, enemies in two and three, friends again in four.
        (r#"(x)-[:friend_of @ch1]-({role_type = "protagonist"})"#, &["苏婉"][..]),
        (r#"(x)-[:friend_of @ch3]-({role_type = "protagonist"})"#, &[]),
        (r#"(x)-[:朋友 @ch4]->(:Character "青鸟")"#, &["苏婉"]),
        (r#"(x)-[:friend_of @ch2]-(p "林青"), (x)-[:enemy_of]-(p) @ch2 return x"#, &["苏婉"]),
        (r#"(x)-[:friend_of]-(p "林青"), (x)-[:enemy_of]-(p) @ch1..ch2 return x"#, &["苏婉"]),
        (r#"(x)-[:enemy_of @ch4]-("林青") return x"#, &["沈策"]),
        // Who was once somewhere has been there for ever; who is there, only then.
        (r#"(x)-[:visited @ch3]->("迷雾森林")"#, &["苏婉", "沈策"]),
        (r#"(x)-[:is_at @ch3]->("迷雾森林")"#, &[]),
        (r#"(x)-[:is_at @"林中相遇"]->("迷雾森林")"#, &["苏婉", "沈策"]),
        (r#"(x)-[:is_at @"第2天"]->("旧港")"#, &["林青"]),
        (r#"(x)-[:visited @ch1]->("旧港")"#, &[]),
        // A thing has one holder at a time.
        (r#"(x)-[:holds @ch1]->("铜钥匙")"#, &["苏婉"]),
        (r#"(x)-[:holds @ch2]->("铜钥匙")"#, &["林青"]),
        (r#"("铜钥匙")-[:held_by @"第3天"]->(x)"#, &["林青"]),
        (r#"(x)-[:holds]->("铜钥匙")"#, &["林青", "苏婉"]),
        // Said from the other side.
        (r#"(x)-[:mentor_of]->("老周")"#, &["林青"]),
        (r#"(x)<-[:student_of]-("老周")"#, &["林青"]),
        (r#"(x)-[:student_of]->("老周")"#, &[]),
        // What is only said does not count, unless it is asked for.
        (r#"(x)-[:friend_of]-("老周")"#, &[]),
        (r#"(x)-[:friend_of {mode = "lied"}]-("老周")"#, &["沈策"]),
        (r#"(x)-[:friend_of {mode in ["lied", "narrated"], by = "老周"}]-(:Character "老周")"#, &["沈策"]),
        (r#"(x)-[:enemy_of {source = "f-7"}]-("老周")"#, &[]),
        // Properties, some of them with a time.
        (r#"(x {traits contains "谨慎"})"#, &["苏婉", "沈策"]),
        (r#"(x {traits = "谨慎"})"#, &["沈策"]),
        (r#"(x:Character {traits != "谨慎", age != 28})"#, &["苏婉", "老周"]),
        (r#"(x {age >= 28})"#, &["林青"]),
        (r#"(x {rank = "巡捕"}) @ch2"#, &["林青"]),
        (r#"(x {职务 = "巡捕"}) @ch3"#, &[]),
        (r#"(x {eye_colour in ["黑", "灰"]})"#, &["苏婉"]),
        (r#"(x:Organisation|Unknown)<-[]-()"#, &["黑帆会", "无名剑客"]),
        (r#"(x)-[:仰慕]->()"#, &["林青"]),
        (r#"(x)-[:died_in]->(:Event)"#, &["沈策"]),
        (r#"(x:Event)-[:comes_after]->(:Event "e-1")"#, &["追踪"]),
        (r#"(x:Event)<-[:comes_before]-(:Event "e-1")"#, &["追踪"]),
        // Hops.
        (r#"(x:Character)-[:ally_of|mentor_of *2]-("林青")"#, &["沈策"]),
        (r#"(x:Character)-[:ally_of|mentor_of *2 @ch2]-("林青")"#, &[]),
        (r#"(x:Character)-[:tied_to *2]-("林青")"#, &[]),
        (r#"{(x:Character)-[:visited]->("迷雾森林")} except (x)-[:enemy_of]-("林青") @ch1"#, &["苏婉"]),
        (r#"(x:Character)-[:member_of]->() or (x)-[:student_of]->()"#, &["沈策", "老周"]),
    ] {
        assert_eq!(names(text), expected, "{text}");
    }
}

#[test]
fn a_thing_is_with_the_holder_of_the_last_hand_over() {
    let fact = |who: &str, predicate: &str, from: &str, (document, start): (u32, u32)| {
        json!({"id": format!("f-{document}-{start}-{predicate}"), "subject": who, "predicate": predicate,
            "object": "银戒", "from": from,
            "source": {"document": format!("d-{document}"), "quote": "。", "start": start}})
    };
    let day = "1934年10月9日";
    for (facts, told) in [
        // By chapters, by dates and by nothing but the places in the text; listed in the wrong order.
        (
            vec![fact("林青", "持有", "第二章", (2, 50)), fact("沈策", "持有", "第二章", (2, 10))],
            ["苏婉", "林青", "林青"],
        ),
        (vec![fact("林青", "持有", day, (2, 50)), fact("沈策", "持有", day, (2, 10))], ["苏婉", "林青", "林青"]),
        (vec![fact("林青", "持有", "", (2, 50)), fact("沈策", "持有", "", (2, 10))], ["苏婉", "林青", "林青"]),
        // Handed over and back.
        (vec![fact("林青", "持有", day, (1, 50)), fact("苏婉", "持有", day, (3, 10))], ["林青", "林青", "苏婉"]),
        (
            vec![
                fact("林青", "持有", day, (1, 50)),
                fact("苏婉", "得到", "第二章", (2, 10)),
                fact("沈策", "持有", "第三章", (3, 10)),
            ],
            ["林青", "苏婉", "沈策"],
        ),
        // Given and got; a flashback is not of now, and a date compares with chapters by the order of telling.
        (
            vec![
                fact("苏婉", "交出", "第二章", (2, 10)),
                fact("林青", "得到", "第二章", (2, 20)),
                fact("林青", "交出", day, (3, 10)),
                fact("沈策", "得到", day, (3, 20)),
                json!({"id": "f-9", "subject": "苏婉", "predicate": "持有", "object": "银戒", "mode": "flashback",
                    "source": {"document": "d-3", "quote": "。", "start": 90}}),
            ],
            ["苏婉", "林青", "沈策"],
        ),
        // Given away, and nobody is named.
        (vec![fact("苏婉", "失去", "第二章", (2, 10))], ["苏婉", "", ""]),
    ] {
        let story: Story = serde_json::from_value(json!({
            "characters": [{"id": "c-1", "name": "林青"}, {"id": "c-2", "name": "苏婉"}, {"id": "c-3", "name": "沈策"}],
            "worldview": {"items": [{"id": "i-1", "name": "银戒", "holder": "苏婉"}]},
            "outline_nodes": [{"id": "o-1", "name": "第一章", "order": 1}, {"id": "o-2", "name": "第二章", "order": 2},
                {"id": "o-3", "name": "第三章", "order": 3}],
            "documents": [
                {"id": "d-1", "title": "第一章", "order": 1, "outline_node": "o-1", "text": "。"},
                {"id": "d-2", "title": "第二章", "order": 2, "outline_node": "o-2", "text": "。"},
                {"id": "d-3", "title": "第三章", "order": 3, "outline_node": "o-3", "text": "。"}
            ],
            "facts": facts
        }))
        .unwrap();
        let graph = StoryGraph::of(&story);
        let holder = |chapter: u32| {
            let query = Query::parse(&format!(r#"(x)-[:holds @ch{chapter}]->("银戒")"#)).unwrap();
            let found = query.run(&graph, QueryLimits::default()).unwrap();
            let names = found.rows.iter().filter_map(|row| Some(graph[*row.nodes.first()?].name.as_str()));
            names.collect::<Vec<_>>().join("、")
        };
        assert_eq!([1, 2, 3].map(holder), told, "{:?}", story.facts);
    }
}

#[test]
fn own_kinds_of_relation_and_own_fields_are_found() {
    let story: Story = serde_json::from_value(json!({
        "characters": [
            {"name": "林青", "gender": "女", "custom": [{"name": "灵根", "value": "水火双灵根"}]},
            {"name": "苏婉"},
            {"name": "白露"}
        ],
        "worldview": {"relation_kinds": [
            {"name": "供奉", "inverse": "受供于"}, {"name": "道侣", "symmetric": true}, {"name": "暗恋"}
        ]},
        "character_relations": [
            {"from": "林青", "to": "苏婉", "own_kind": "供奉"}, {"from": "苏婉", "to": "白露", "own_kind": "道侣"}
        ]
    }))
    .unwrap();
    let graph = StoryGraph::of(&story);
    let names = |text: &str| -> Vec<String> {
        let found = Query::parse(text).unwrap().run(&graph, QueryLimits::default()).unwrap();
        found.rows.iter().filter_map(|row| Some(graph[*row.nodes.first()?].name.clone())).collect()
    };
    for (text, expected) in [
        (r#"(x)-[:供奉]->("苏婉")"#, &["林青"][..]),
        (r#"(x)<-[:受供于]-("苏婉")"#, &["林青"]),
        (r#"(x)-[:受供于]->("林青")"#, &["苏婉"]),
        (r#"(x)-[:供奉]->("林青")"#, &[]),
        (r#"(x)-[:道侣]->("苏婉")"#, &["白露"]),
        (r#"(x)-[:道侣]->("白露")"#, &["苏婉"]),
        (r#"(x)-[:暗恋]->()"#, &[]),
        (r#"(x {灵根 contains "火"})"#, &["林青"]),
        (r#"(x {性别 = "女"})"#, &["林青"]),
    ] {
        assert_eq!(names(text), expected, "{text}");
    }
}

#[test]
fn shortest_ways_and_neighbourhoods() {
    let graph = StoryGraph::of(&story());
    let ways = |text: &str| {
        let found = Query::parse(text).unwrap().run(&graph, QueryLimits::default()).unwrap();
        let way = |row: &crate::pattern::PatternRow| {
            row.ties[0].nodes.iter().map(|node| graph[*node].name.as_str()).collect::<Vec<_>>().join("–")
        };
        found.rows.iter().map(way).collect::<Vec<_>>()
    };
    assert_eq!(ways(r#"shortest (a "苏婉")-[*..6]-(b "黑帆会")"#), ["苏婉–林青–沈策–黑帆会"]);
    assert_eq!(ways(r#"shortest (a "苏婉")-[:tied_to *..6]-(b "沈策")"#), ["苏婉–林青–沈策"]);
    assert_eq!(
        ways(r#"shortest (a:Character)-[:enemy_of|ally_of *..6]-(b "老周")"#),
        ["沈策–老周", "林青–沈策–老周", "苏婉–林青–沈策–老周"]
    );
    assert_eq!(ways(r#"within 2 ("铜钥匙")-[:holds]-()"#), ["铜钥匙–林青", "铜钥匙–苏婉"]);
    assert_eq!(
        ways(r#"within 2 ("老周")-[:tied_to @ch2]-(x:Character)"#),
        ["老周–林青", "老周–林青–苏婉", "老周–林青–沈策"]
    );
    assert!(ways(r#"shortest (a "苏婉")-[:tied_to *..6 @ch3]-(b "无名剑客")"#).is_empty());
}

#[test]
fn what_the_story_does_not_know_is_an_error_with_suggestions() {
    let graph = StoryGraph::of(&story());
    let error = |text: &str| Query::parse(text).unwrap().run(&graph, QueryLimits::default()).unwrap_err().to_string();
    assert_eq!(
        error(r#"(:Location "迷雾树林")"#),
        "nothing in the story is called '迷雾树林'; did you mean '迷雾森林'?"
    );
    assert_eq!(error(r#"(:Location "林青")"#), "nothing in the story is called '林青'");
    assert_eq!(
        error("(x)-[:freind_of]-(y)"),
        "'freind_of' is no relation of the story or the vocabulary; did you mean 'friend_of'?"
    );
    assert_eq!(
        error(r#"(x {trait_s = "a"})"#),
        "'trait_s' is no property that a piece of the story has; did you mean 'trait'?"
    );
    assert_eq!(
        error(r#"(x)-[@"月圆之夜"]-(y)"#),
        "'月圆之夜' is no event, time, outline node or document of the story"
    );
    let backwards = Query::parse("(x)-[@ch4..ch2]-(y)").unwrap().run(&graph, QueryLimits::default());
    assert_eq!(backwards, Err(Error::Invalid("a time from place 4 to place 2 runs backwards".into())));
}

#[test]
fn each_edge_of_an_answer_has_its_evidence() {
    let graph = StoryGraph::of(&story());
    let query = Query::parse(r#"(x)-[r:friend_of]-("林青"), (x)-[:holds]->(k) return x, k"#).unwrap();
    let found = query.run(&graph, QueryLimits::default()).unwrap();
    insta::assert_json_snapshot!(found.to_json(&graph));
}

#[test]
fn a_name_that_two_pieces_have_means_both() {
    let story: Story = serde_json::from_value(json!({
        "characters": [{"id": "c-1", "name": "李伟"}, {"id": "c-2", "name": "李伟"}, {"id": "c-3", "name": "王五"}],
        "facts": [{"subject": "c-1", "predicate": "friend_of", "object": "王五"}, {"subject": "李伟", "predicate": "enemy_of", "object": "王五"}]
    }))
    .unwrap();
    let graph = StoryGraph::of(&story);
    let ids = |text: &str| {
        let found = Query::parse(text).unwrap().run(&graph, QueryLimits::default()).unwrap();
        let place = found.columns.iter().position(|column| column.as_str() == "x").unwrap();
        let nodes = found.rows.iter().map(|row| &graph[row.nodes[place]]);
        nodes.map(|node| (node.kind.name(), node.id.clone())).collect::<Vec<_>>()
    };
    assert_eq!(ids(r#"(x:Character "李伟")-[:friend_of]-()"#), [("Character", "c-1".to_owned())]);
    assert_eq!(ids(r#"(x "李伟")-[:enemy_of]-()"#), [("Unknown", String::new())], "it is not said which one is meant");
}

#[test]
fn the_graph_holds_what_the_ground_truth_answers() {
    let story = story();
    let truth = GroundTruth::of(&story);
    let graph = StoryGraph::from_truth(&story, &truth);
    // What the graph adds by itself; a thing has one holder here and may have several there.
    let own = ["visited", "died_in", "happened_at", "told_in", "comes_after", "appears_in", "set_in", "holds"];
    for when in ["第一章", "第二章", "第三章", "第四章", "第1天", "第3天", "追踪", "决斗"] {
        let question = Question { as_of: Some(when.into()), ..Question::default() };
        let answers = truth.ask(&question).unwrap().into_iter().filter_map(|answer| {
            let is_certain = matches!(answer.mode, Mode::Narrated | Mode::Flashback);
            let object = answer.object.filter(|_| is_certain)?;
            let meaning = vocabulary::meaning(&answer.predicate);
            let (from, to) = if meaning.turned { (object, answer.subject) } else { (answer.subject, object) };
            Some((from, meaning.word.name, to))
        });
        let answers: BTreeSet<_> = answers.filter(|(_, word, _)| !own.contains(&word.as_str())).collect();
        let holding = SpanEvaluator::new(&graph, StorySpan::AsOf(graph.clock().read(when).unwrap().unwrap()));
        let edges = graph.edges().filter(|(id, edge)| edge.dated.is_certain() && holding.holds(*id));
        let edges = edges.map(|(_, edge)| {
            let [from, to] = [edge.from, edge.to].map(|end| graph[end].name.clone());
            (from, graph.word(edge.kind).name.clone(), to)
        });
        let edges: BTreeSet<_> = edges.filter(|(_, word, _)| !own.contains(&word.as_str())).collect();
        assert!(!answers.is_empty());
        assert_eq!(edges, answers, "as of {when}");
    }
}
