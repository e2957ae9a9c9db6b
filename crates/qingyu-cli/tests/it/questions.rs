//! Search, questions and the story's graph on the command line.

use crate::home::Home;

const STORY: &str = r#"{
    "language": "zh",
    "characters": [
        {"name": "林青", "role_type": "protagonist"}, {"name": "苏婉", "traits": ["谨慎"]}, {"name": "老周", "traits": ["勇敢"]}
    ],
    "worldview": {"locations": [{"name": "迷雾森林"}]},
    "character_relations": [{"from": "苏婉", "to": "林青", "type": "friend", "description": "苏婉救过林青。"}],
    "facts": [{"subject": "老周", "predicate": "背叛", "object": "林青", "from": "第三章 旧港",
               "source": {"document": "第三章 旧港", "version": 1, "quote": "老周把林青的去向说了出去。"}}],
    "outline_nodes": [{"name": "第一章 雨夜", "order": 1}, {"name": "第三章 旧港", "order": 3}],
    "documents": [{"title": "第三章 旧港", "order": 3, "version": 1, "outline_node": "第三章 旧港",
                   "text": "老周把林青的去向说了出去。雨还在下。"}]
}"#;

fn project(home: &Home) -> String {
    let file = home.file("story.json", STORY.as_bytes());
    let imported = home.run(&["import-story", file.to_str().unwrap(), "--json"]).expect(0).json();
    imported["project"]["project"].as_str().unwrap().to_owned()
}

#[test]
fn a_search_says_what_found_each_hit() {
    let home = Home::new();
    let project = project(&home);
    let text = home.run(&["search", &project, "谁曾经背叛过主角", "--explain", "--ui-lang", "zh"]).expect(0).stdout;
    let first = text.split("\n\n").find(|part| part.starts_with(" 1")).unwrap();
    assert!(first.contains("人物 老周") && first.contains("图谱第 1 位"), "{text}");
    assert!(first.contains("老周 —背叛→ 林青") && first.contains("「老周把林青的去向说了出去。"), "{text}");
    assert!(text.contains("BM25") && text.contains("余弦"), "{text}");
    let arguments =
        ["search", &project, "勇敢的人", "--type", "character,chapter", "--where", "traits contains 勇敢", "--json"];
    let found = home.run(&arguments).expect(0).json();
    let names: Vec<_> =
        found["hits"].as_array().unwrap().iter().map(|hit| hit["chunk"]["fields"]["name"][0].clone()).collect();
    assert_eq!(names, ["老周"]);
    assert!(
        home.run(&["search", &project, "谁", "--type", "dragon", "--json"]).expect(2).json()["error"]["code"]
            == "unknown_kind"
    );
    let long = "a = \"".repeat(3_000);
    assert!(home.run(&["search", &project, "谁", "--where", &long]).expect(2).stderr.len() < 2_000);
    let json = r#"{"content_type": "character", "traits": {"$contains": "勇敢"}}"#;
    let filtered = home.run(&["search", &project, "勇敢的人", "--where", json, "--json"]).expect(0).json();
    let names = filtered["hits"].as_array().unwrap().iter().map(|hit| &hit["chunk"]["fields"]["name"][0]);
    assert_eq!(names.collect::<Vec<_>>(), ["老周"]);
    let unknown = home.run(&["search", &project, "谁", "--where", "rolle = x", "--json"]).expect(2).json();
    assert_eq!(unknown["error"]["code"], "unknown_search_field");
    assert!(unknown.to_string().contains("role_type"), "the known ones are listed: {unknown}");
    let refused = home.run(&["search", &project, "谁", "--where", "traits ="]).expect(2);
    assert!(refused.stderr.contains("traits ="), "{}", refused.stderr);
}

#[test]
fn whoever_writes_a_chapter_is_told_nothing_later() {
    let home = Home::new();
    let project = project(&home);
    let at = |chapter: &str| home.run(&["search", &project, "老周", "--at", chapter, "--json"]).expect(0).json();
    let sources = |found: &serde_json::Value| {
        let hits = found["hits"].as_array().unwrap().iter();
        hits.map(|hit| hit["chunk"]["source"]["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for chapter in ["3", "第三章 旧港", "#2"] {
        assert!(!sources(&at(chapter)).contains(&"d-1".to_owned()), "{chapter} tells it");
    }
    assert!(sources(&at("4")).contains(&"d-1".to_owned()), "the next chapter comes after all of them");
}

#[test]
fn a_question_is_answered_with_its_sources_or_not_at_all() {
    let home = Home::new();
    let project = project(&home);
    let text = home.run(&["ask", &project, "谁把林青的去向说了出去？", "--ui-lang", "zh"]).expect(0).stdout;
    assert!(
        text.contains("“老周把林青的去向说了出去。”[") && text.contains("出处") && text.contains("d-1，第 1 版"),
        "{text}"
    );
    let unknown = home.run(&["ask", &project, "林青最喜欢吃什么？", "--json"]).expect(0).json();
    assert_eq!((&unknown["holds"], &unknown["citations"]), (&false.into(), &serde_json::json!([])));
    assert_eq!(unknown["model"], "offline-rules-1");
}

#[test]
fn a_story_is_drawn_as_of_a_chapter() {
    let home = Home::new();
    let project = project(&home);
    let at = |time: &str| home.run(&["graph", &project, "--as-of", time, "--format", "json"]).expect(0).json();
    let betrayed =
        |graph: &serde_json::Value| graph["edges"].as_array().unwrap().iter().any(|edge| edge["relation"] == "betrays");
    assert!(!betrayed(&at("chapter:1")) && betrayed(&at("chapter:3")));
    let picture = home.path().join("story.svg");
    home.run(&["graph", &project, "--format", "svg", "-o", picture.to_str().unwrap(), "--ui-lang", "zh"]).expect(0);
    let svg = std::fs::read_to_string(picture).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("苏婉") && svg.contains("背叛"), "{svg}");
    let rows =
        home.run(&["graph", &project, "--match", "(x)-[:friend_of]-(a \"林青\") return x", "--json"]).expect(0).json();
    assert_eq!(rows["rows"][0]["nodes"]["x"]["name"], "苏婉");
    let refused = home.run(&["graph", &project, "--match", "(x)-[", "--json"]).expect(2).json();
    assert_eq!(refused["error"]["code"], "bad_pattern");
    assert!(
        home.run(&["graph", "pipeline"]).expect(0).stdout.contains("dispatch"),
        "graphs of runs are drawn as before"
    );
}

#[test]
fn an_index_is_made_anew() {
    let home = Home::new();
    let project = project(&home);
    let search = || home.run(&["search", &project, "旧港的雨", "--json"]).expect(0).json();
    let before = search();
    let rebuilt = home.run(&["index", &project, "--rebuild", "--json"]).expect(0).json();
    assert_eq!((&rebuilt["having"], &rebuilt["embedder"]), (&rebuilt["passages"], &"lexical-hash-1024".into()));
    assert_eq!(search(), before);
}

#[test]
fn the_seed_s_own_sentence_is_read_in_quotation_marks() {
    let home = Home::new();
    let story = r#"{
        "language": "zh",
        "characters": [{"name": "林青", "role_type": "protagonist"}, {"name": "沈默"}, {"name": "老周"}],
        "worldview": {"locations": [{"name": "迷雾森林"}]},
        "character_relations": [
            {"from": "沈默", "to": "林青", "type": "friend"}, {"from": "沈默", "to": "林青", "type": "enemy"},
            {"from": "老周", "to": "林青", "type": "friend"}
        ],
        "timeline_events": [{"title": "迷路", "participants": ["沈默", "老周"], "location": "迷雾森林"}]
    }"#;
    let file = home.file("story.json", story.as_bytes());
    let imported = home.run(&["import-story", file.to_str().unwrap(), "--json"]).expect(0).json();
    let project = imported["project"]["project"].as_str().unwrap();
    for place in ["'迷雾森林'", "‘迷雾森林’", "“迷雾森林”", "「迷雾森林」", "《迷雾森林》"]
    {
        let sentence = format!("找到和主角亦敌亦友，并且去过{place}的角色");
        let found = home.run(&["search", project, &sentence, "--json"]).expect(0).json();
        assert!(found["pattern"].is_string(), "{place}: {found}");
        assert_eq!(found["hits"][0]["chunk"]["fields"]["name"][0], "沈默", "{place}");
    }
}

#[test]
fn cards_and_the_handbook_answer_without_a_language_model() {
    let home = Home::new();
    let story = r#"{
        "language": "zh",
        "characters": [
            {"name": "沈砚秋", "age": 26, "occupation": "账房先生", "background": "灰色的眼睛像雾。"}, {"name": "沈老大"}
        ],
        "character_relations": [
            {"from": "沈老大", "to": "沈砚秋", "type": "parent_of", "description": "沈砚秋的父亲。"}
        ]
    }"#;
    let file = home.file("story.json", story.as_bytes());
    let imported = home.run(&["import-story", file.to_str().unwrap(), "--json"]).expect(0).json();
    let project = imported["project"]["project"].as_str().unwrap();
    let asked = |question: &str| home.run(&["ask", project, question, "--json"]).expect(0).json();
    for (question, answer) in [
        ("沈砚秋多大？", "沈砚秋的年龄：26[1]"),
        ("沈砚秋的眼睛是什么颜色？", "沈砚秋的眼睛颜色：灰色的眼睛像雾[1]"),
        ("沈砚秋多大？谁是他父亲？", "沈砚秋的年龄：26[1]\n沈砚秋的父亲：沈老大（沈砚秋的父亲。）[2]"),
    ] {
        let told = asked(question);
        assert_eq!((&told["answer"], &told["model"], &told["holds"]), (&answer.into(), &"".into(), &true.into()));
        assert!(told["citations"][0]["quote"].is_string(), "{told}");
    }
    assert_eq!(asked("沈砚秋的弱点是什么？")["holds"], false, "an empty field answers nothing");
    for (question, heading) in [("怎么导出成 EPUB？", "导入与导出"), ("How do I export to EPUB?", "Import and export")]
    {
        let told = asked(question);
        let answer = told["answer"].as_str().unwrap();
        assert!(told["holds"] == true && answer.contains("--format epub") && answer.contains(heading), "{told}");
    }
    let task = home.run(&["task", project, "怎么导出成 EPUB？", "--model", "offline-rules-1"]).expect(0).stdout;
    assert!(task.contains("--format epub"), "{task}");
    let task = home.run(&["task", project, "沈砚秋多大？", "--model", "offline-rules-1"]).expect(0).stdout;
    assert!(task.contains("年龄：26"), "{task}");
}
