//! A story on the command line alone: built, checked, mended, asked, and its changes taken back.

use crate::home::Home;

/// A project of the story in `json`; its id.
fn import(home: &Home, json: &str) -> String {
    let file = home.path().join("story.json");
    std::fs::write(&file, json).unwrap();
    let imported = home.run(&["import-story", file.to_str().unwrap(), "--json"]).expect(0).json();
    imported["project"]["project"].as_str().unwrap().to_owned()
}

const STORY: &str = r#"{
    "premise": "雨夜里，一把铜钥匙换了主人。",
    "language": "zh",
    "characters": [{"name": "林青", "background": "更夫"}, {"name": "白露"}],
    "worldview": {"items": [{"name": "铜钥匙"}], "locations": [{"name": "码头"}]},
    "timeline_events": [
        {"title": "交钥匙", "timestamp": "第2天", "participants": ["林青", "白露"], "location": "码头", "description": "林青把铜钥匙交给白露。"}
    ],
    "facts": [
        {"subject": "林青", "predicate": "持有", "object": "铜钥匙", "from": "第1天", "until": "第2天"},
        {"subject": "白露", "predicate": "持有", "object": "铜钥匙", "from": "第2天"}
    ]
}"#;

#[test]
fn a_story_is_built_checked_and_asked_from_the_command_line_alone() {
    let home = Home::new();
    let project = import(&home, STORY);
    let made = home.run(&[
        "tool",
        &project,
        "relationship_tool",
        r#"{"action": "create", "from_character": "林青", "to_character": "白露", "relationship_type": "friend"}"#,
    ]);
    let made = made.expect(0).json();
    assert_eq!(made["ok"], true, "{made}");
    let graph = home.run(&["tool", &project, "relationship_tool", r#"{"action": "get_graph"}"#]).expect(0).json();
    assert_eq!(graph["ok"], true, "{graph}");

    let now = home.run(&["ask-facts", &project, "铜钥匙", "--as-of", "第2天", "--json"]).expect(0).json();
    let holders: Vec<_> = now.as_array().unwrap().iter().map(|answer| answer["subject"].clone()).collect();
    assert!(holders.contains(&"白露".into()), "{now}");
    let text = home.run(&["ask-facts", &project, "铜钥匙"]).expect(0).stdout;
    assert!(text.contains("白露") && text.contains("铜钥匙"), "{text}");
    let touched = home.run(&["impact", &project, "铜钥匙"]).expect(0).stdout;
    assert!(touched.contains("交钥匙") && !touched.contains(" e-"), "names, no ids: {touched}");
    assert_eq!(home.run(&["ask-facts", &project, "无此人"]).expect(1).code, Some(1));
    assert_eq!(home.run(&["impact", &project, "无此物", "--json"]).expect(1).json()["error"]["code"], "unknown_piece");

    let log = home.run(&["log", &project, "--json"]).expect(0).json();
    assert_eq!(log.as_array().unwrap().len(), 2, "{log}");
    assert_eq!(log[1]["run"], "tool relationship_tool");
    let undone = home.run(&["undo", &project, "--json"]).expect(0).json();
    assert_eq!(undone["undoes"], 2);
    let story = home.run(&["export-story", &project]).expect(0).json();
    let first = home.run(&["export-story", &project, "--at", "1"]).expect(0).json();
    assert_eq!(story["character_relations"], first["character_relations"]);
    assert_eq!(story["facts"].as_array().unwrap().len(), 2);
}

#[test]
fn a_panel_is_shown_as_of_a_chapter() {
    let home = Home::new();
    let story = r#"{
        "language": "zh",
        "characters": [{"id": "c-1", "name": "林青", "role_type": "protagonist"}],
        "outline_nodes": [{"id": "o-1", "order": 1, "name": "第一章 雨"}, {"id": "o-2", "order": 2, "name": "第二章 晴"}],
        "facts": [
            {"id": "f-1", "subject": "林青", "predicate": "境界", "value": "炼气三层", "from": "第一章 雨"},
            {"id": "f-2", "subject": "林青", "predicate": "力量", "value": 12, "from": "第一章 雨"},
            {"id": "f-3", "subject": "林青", "predicate": "力量", "value": "+5", "from": "第二章 晴"}
        ]
    }"#;
    let project = import(&home, story);
    let taken = home.run(&["genres", "xianxia", "--take-ladders", &project, "--json"]).expect(0).json();
    assert_eq!((taken[0]["name"].as_str(), taken[0]["id"].as_str()), (Some("境界"), Some("ladder-1")), "{taken}");
    let ladder = home.run(&["show", &project, "ladder"]).expect(0).stdout;
    assert!(ladder.contains("筑基") && ladder.contains("筑基丹 1"), "{ladder}");

    let rows = |at: &str| {
        let panels = home.run(&["show", &project, "panel", "--who", "林青", "--at", at, "--json"]).expect(0).json();
        let rows = panels[0]["rows"].as_array().unwrap().iter();
        rows.map(|row| format!("{} {} {}", row["kind"], row["key"], row["value"])).collect::<Vec<_>>()
    };
    let first = [r#""ladder" "境界" "炼气三层""#, r#""attribute" "力量" 12"#];
    assert_eq!(rows("第1章"), first);
    assert_eq!(rows("第2章")[1], r#""attribute" "力量" 17"#);
    let text = home.run(&["show", &project, "panel"]).expect(0).stdout;
    assert!(text.contains("力量") && text.contains("17"), "{text}");
    assert_eq!(home.run(&["show", &project, "panel", "--who", "无此人"]).expect(1).code, Some(1));

    let exported = home.run(&["export-story", &project]).expect(0).json();
    assert_eq!(exported["worldview"]["ladders"][0]["steps"][0]["name"], "炼气");
    home.run(&["genres", "xianxia", "--take-ladders", &project]).expect(0);
    let again = home.run(&["export-story", &project]).expect(0).json();
    assert_eq!(again["worldview"]["ladders"].as_array().unwrap().len(), 1);

    // All ladders of a genre are one change.
    let taken = home.run(&["genres", "litrpg", "--take-ladders", &project, "--json"]).expect(0).json();
    assert_eq!(taken.as_array().unwrap().len(), 3, "{taken}");
    home.run(&["undo", &project]).expect(0);
    let undone = home.run(&["show", &project, "ladder", "--json"]).expect(0).json();
    assert_eq!(undone.as_array().unwrap().len(), 1, "{undone}");
}

#[test]
fn the_author_s_own_fields_of_a_card_are_shown_exported_and_searched() {
    let home = Home::new();
    let story = r#"{
        "language": "zh",
        "characters": [
            {"id": "c-1", "name": "林青", "gender": "女", "appearance": "左眉有一道疤", "background": "渔家女儿",
             "custom": [{"name": "灵根", "value": "水火双灵根"}]},
            {"id": "c-2", "name": "白露", "background": "渔家女儿"}
        ]
    }"#;
    let project = import(&home, story);
    let cards = home.run(&["show", &project, "characters"]).expect(0).stdout;
    assert!(["女", "左眉有一道疤", "灵根", "水火双灵根"].iter().all(|words| cards.contains(words)), "{cards}");
    let exported = home.run(&["export-story", &project]).expect(0).json();
    assert_eq!(exported["characters"][0]["custom"][0]["value"], "水火双灵根");
    assert!(exported["characters"][1].get("custom").is_none(), "{exported}");
    let data = r#"{"action": "update", "character_id": "白露", "character_data": {"custom": [{"name": "灵根", "value": "木"}]}}"#;
    home.run(&["tool", &project, "character_tool", data]).expect(0);
    for (condition, name) in
        [("custom contains 双灵根", "林青"), ("custom contains 木", "白露"), ("gender = 女", "林青")]
    {
        let found = home.run(&["search", &project, "渔家女儿", "--where", condition, "--json"]).expect(0).stdout;
        let other = if name == "林青" { "白露" } else { "林青" };
        assert!(found.contains(name) && !found.contains(other), "{condition}: {found}");
    }
}

#[test]
fn an_author_s_own_kinds_of_relation_are_declared_used_and_shown() {
    let home = Home::new();
    let story = r#"{"language": "zh", "characters": [{"id": "c-1", "name": "林青"}, {"id": "c-2", "name": "白露"}]}"#;
    let project = import(&home, story);
    let kinds = r#"{"action": "update", "data": {"relation_kinds": [{"name": "供奉", "inverse": "受供于"}, {"name": "道侣", "symmetric": true}]}}"#;
    home.run(&["tool", &project, "worldview_tool", kinds]).expect(0);
    let relation = r#"{"action": "create", "from_character": "林青", "to_character": "白露", "own_kind": "供奉"}"#;
    home.run(&["tool", &project, "relationship_tool", relation]).expect(0);
    let shown = home.run(&["show", &project, "relations"]).expect(0).stdout;
    assert!(["供奉", "受供于", "道侣（相互）"].iter().all(|words| shown.contains(words)), "{shown}");
    let exported = home.run(&["export-story", &project]).expect(0).json();
    assert_eq!(exported["character_relations"][0]["own_kind"], "供奉");
    assert_eq!(exported["worldview"]["relation_kinds"][1]["symmetric"], true);
}

#[test]
fn a_story_is_checked_and_mended() {
    let home = Home::new();
    let broken = STORY.replace(r#"["林青", "白露"]"#, r#"["林青", "白露", "韩铁"]"#);
    let project = import(&home, &broken);
    let found = home.run(&["check", &project, "--json"]).json();
    let of_name = found["findings"].as_array().unwrap().iter().find(|finding| finding["issue"]["code"] == "QY101");
    let finding = of_name.unwrap_or_else(|| panic!("{found}"))["issue"]["id"].as_str().unwrap().to_owned();
    assert_eq!(home.run(&["check", &project]).code, Some(4), "something must be mended");

    let sarif = home.run(&["check", &project, "--sarif", "--rule", "QY101"]).json();
    assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), 1);
    assert_eq!(home.run(&["check", &project, "--rule", "QY7777"]).expect(2).code, Some(2));
    for fix in [&[][..], &["--fix"]] {
        let hint = |given: &str| {
            let arguments = [&["check", &project, "--json", "--rule", given][..], fix].concat();
            home.run(&arguments).expect(2).json()["error"]["hint"].to_string()
        };
        assert!(hint("QY101-zzzzzz").contains(&finding), "the ids are listed");
        assert!(hint("QY7777").contains("QY101"), "the rules are listed");
    }

    home.run(&["waive", &project, &finding, "--reason", "下一卷才出场"]).expect(0);
    let after = home.run(&["check", &project, "--rule", "QY101", "--json"]).expect(0).json();
    assert_eq!(after["findings"][0]["issue"]["waived"]["reason"], "下一卷才出场");
    let text = home.run(&["check", &project, "--rule", "QY101"]).expect(0).stdout;
    assert!(text.contains("下一卷才出场"), "{text}");

    let mended = home.run(&["check", &project, "--fix", "--json"]).json();
    if let Some(change) = mended["change"].as_u64() {
        let undone = home.run(&["undo", &project, &change.to_string(), "--json"]).expect(0).json();
        assert_eq!(undone["undoes"], change);
    }
}

#[test]
fn a_file_is_checked_as_it_is() {
    let home = Home::new();
    let file = home.path().join("book.json");
    std::fs::write(&file, STORY.replace(r#""premise""#, r#""bookmark": 3, "premise""#)).unwrap();
    let file = file.to_str().unwrap();
    let text = home.run(&["check", file]).stdout;
    assert!(text.contains("bookmark"), "{text}");
    assert_eq!(home.run(&["check", file, "--fix"]).expect(2).code, Some(2));
    for rubbish in ["", "[1, 2]", r#"{"characters": [{"name": 7}]}"#, "\u{0}\u{1}"] {
        std::fs::write(file, rubbish).unwrap();
        let failed = home.run(&["check", file, "--json"]).expect(1).json();
        assert_eq!(failed["error"]["code"], "bad_material", "{failed}");
        home.run(&["import-story", file]).expect(1);
    }
    assert_eq!(home.run(&["projects", "--json"]).expect(0).json().as_array().unwrap().len(), 0, "nothing half made");
}

#[test]
fn tools_are_listed_described_and_refuse_what_does_not_fit() {
    let home = Home::new();
    let all = home.run(&["tools", "--json"]).expect(0).json();
    let names: Vec<_> = all.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    for name in ["outline_tool", "character_tool", "relationship_tool", "timeline_tool"] {
        assert!(names.contains(&name), "{names:?}");
        let schema = home.run(&["tools", name, "--json"]).expect(0).json();
        let parameters = schema["parameters_schema"]["properties"].as_object().expect("a tool has arguments");
        for language in ["zh", "en"] {
            let page = home.run(&["tools", name, "--ui-lang", language]).expect(0).stdout;
            assert!(parameters.keys().all(|parameter| page.contains(parameter)), "{page}");
            assert!(!page.contains("properties"), "a page has no schema: {page}");
        }
    }
    home.run(&["tools", "no_such_tool"]).expect(2);
    let project = import(&home, STORY);
    home.run(&["tool", &project, "character_tool", "{not json"]).expect(2);
    let refused = home.run(&["tool", &project, "character_tool", r#"{"action": 3}"#]).expect(1).json();
    assert_eq!(refused["ok"], false);
    assert!(refused["error"]["path"].as_str().unwrap_or_default().contains("action"), "{refused}");
}

#[test]
fn the_tools_of_other_servers_are_listed_and_called() {
    let home = Home::new();
    let project = import(&home, STORY);
    let other = home.path().join("other").to_str().unwrap().to_owned();
    let binary = env!("CARGO_BIN_EXE_qingyu");
    let settings = format!(
        "[mcp_servers.other]\ncommand = '{binary}'\nargs = ['--home', '{other}', 'mcp']\n\
         [mcp_servers.gone]\ncommand = '/no/such/program'\n"
    );
    std::fs::write(home.path().join("config.toml"), settings).unwrap();
    let listed = home.run(&["tools"]).expect(0);
    assert!(
        listed.stdout.contains("other__project_tool") && listed.stdout.contains("服务器 other"),
        "{}",
        listed.stdout
    );
    assert!(listed.stderr.contains("gone"), "{}", listed.stderr);
    let one = home.run(&["tools", "other__project_tool", "--json"]).expect(0).json();
    assert_eq!(one["foreign"], "other");
    let called = home.run(&["tool", &project, "other__project_tool", r#"{"action": "list"}"#]).expect(0).json();
    assert_eq!(called["ok"], true, "{called}");
}

#[test]
fn hints_name_the_project_that_was_asked_about() {
    let home = Home::new();
    let project = import(&home, STORY);
    for (arguments, exit, names) in [
        (&["impact", &project, "无此物"][..], 1, format!("qingyu show {project} provenance")),
        (&["waive", &project, "QY999", "--reason", "无妨"], 2, format!("qingyu check {project}")),
        (&["branch", &project, "create"], 2, format!("qingyu branch {project} list")),
        (&["ask-facts", &project, "林青", "--as-of", "第99章"], 1, "chapter:2".to_owned()),
    ] {
        let refused = home.run(arguments).expect(exit).stderr;
        let told: String = refused.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains(&names), "{names}: {refused}");
    }
}

#[test]
fn a_card_has_a_picture_with_a_description() {
    let home = Home::new();
    let project = import(&home, STORY);
    let png: &[u8] = b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR";
    let (picture, drawing) = (home.path().join("face.png"), home.path().join("face.svg"));
    std::fs::write(&picture, png).unwrap();
    std::fs::write(&drawing, "<svg><script>alert(1)</script></svg>").unwrap();
    let (picture, drawing) = (picture.to_str().unwrap(), drawing.to_str().unwrap());
    let refused = home.run(&["picture", &project, "林青", "--alt", "提灯的人", "--json"]).expect(2).json();
    assert_eq!(refused["error"]["code"], "bad_picture", "there is none to describe");
    let refused = home.run(&["picture", &project, "林青", drawing, "--json"]).expect(2).json();
    assert_eq!(refused["error"]["code"], "bad_picture");
    assert!(refused["error"]["message"].as_str().unwrap().contains("SVG"), "{refused}");
    assert_eq!(
        home.run(&["picture", &project, "无此人", picture, "--json"]).expect(1).json()["error"]["code"],
        "unknown_piece"
    );

    let set = home.run(&["picture", &project, "林青", picture, "--json"]).expect(0).json();
    assert_eq!((&set["media_type"], &set["alt"]), (&"image/png".into(), &"".into()));
    home.run(&["picture", &project, "林青", "--alt", "提灯的人"]).expect(0);
    let listed = home.run(&["picture", &project, "--json"]).expect(0).json();
    assert_eq!((&listed[0]["name"], &listed[0]["alt"]), (&"林青".into(), &"提灯的人".into()));
    assert_eq!(listed[0]["card"], set["card"]);
    let empty = home.path().join("empty.png");
    std::fs::write(&empty, "").unwrap();
    let refused = home.run(&["picture", &project, "林青", empty.to_str().unwrap(), "--json"]).expect(2).json();
    assert_eq!(refused["error"]["code"], "bad_picture", "an empty file removes nothing");
    let refused = home.run(&["project", "cover", &project, empty.to_str().unwrap(), "--json"]).expect(2).json();
    assert_eq!(refused["error"]["code"], "bad_picture");
    let again = home.run(&["picture", &project, "林青", picture, "--json"]).expect(0).json();
    assert_eq!(again["alt"], "提灯的人", "the description stays");
    home.run(&["picture", &project, "林青", "--remove"]).expect(0);
    assert_eq!(home.run(&["picture", &project, "--json"]).expect(0).json(), serde_json::json!([]));
}
