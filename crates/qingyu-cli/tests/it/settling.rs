//! Chapters edited by hand: the story follows, the checker sees both sentences, and all of it is taken back at once.

use serde_json::Value;

use crate::home::Home;

const STORY: &str = r#"{
    "premise": "雨夜里的两段供词。",
    "language": "zh",
    "characters": [{"name": "林深", "background": "记者"}],
    "outline_nodes": [
        {"name": "第一章 雨", "order": 1, "description": "林深来了。"}, {"name": "第二章 夜", "order": 2, "description": "林深走了。"}
    ],
    "documents": [
        {"title": "雨", "order": 1, "outline_node": "第一章 雨", "version": 1, "text": "雨停了。\n林深今年二十六岁。"},
        {"title": "夜", "order": 2, "outline_node": "第二章 夜", "version": 1, "text": "林深没有说话。"}
    ]
}"#;

fn import(home: &Home) -> String {
    let file = home.path().join("story.json");
    std::fs::write(&file, STORY).unwrap();
    let imported = home.run(&["import-story", file.to_str().unwrap(), "--json"]).expect(0).json();
    imported["project"]["project"].as_str().unwrap().to_owned()
}

fn facts(home: &Home, project: &str) -> Vec<Value> {
    let story = home.run(&["export-story", project]).expect(0).json();
    story["facts"].as_array().cloned().unwrap_or_default()
}

#[test]
fn an_edit_by_hand_is_followed_checked_and_taken_back() {
    let home = Home::new();
    let project = import(&home);
    let shown = home.run(&["reconcile", &project, "--json"]).expect(0).json();
    assert_eq!((shown["is_pending"].clone(), shown["change"].clone()), (true.into(), Value::Null));
    assert_eq!(shown["created"].as_array().unwrap().len(), 1, "{shown}");
    assert!(facts(&home, &project).is_empty());
    home.run(&["reconcile", &project, "--apply"]).expect(0);
    assert_eq!(facts(&home, &project)[0]["value"], 26);
    let again = home.run(&["reconcile", &project, "--rules", "--json"]).expect(0).json();
    assert_eq!(again["is_pending"], false, "{again}");

    let file = home.path().join("second.txt");
    std::fs::write(&file, "林深没有说话。\n林深今年三十一岁了。\n").unwrap();
    let edited = home.run(&["edit", &project, "2", "--file", file.to_str().unwrap(), "--json"]).expect(0).json();
    assert_eq!(edited["found"].as_array().unwrap().len(), 1, "{edited}");
    let age =
        edited["findings"].as_array().unwrap().iter().find(|finding| finding["issue"]["code"] == "QY314").unwrap();
    let evidence = age["issue"]["evidence"].to_string();
    assert!(evidence.contains("二十六岁") && evidence.contains("三十一岁"), "{evidence}");

    let text = home.run(&["edit", &project, "夜", "--file", file.to_str().unwrap()]).expect(0).stdout;
    assert!(text.contains("夜"), "{text}");
    home.run(&["undo", &project]).expect(0);
    assert_eq!(facts(&home, &project).len(), 1);
    let empty = home.file("empty.txt", b"\n");
    let emptied = home.run(&["edit", &project, "2", "--file", empty.to_str().unwrap(), "--json"]).expect(2).json();
    assert_eq!(emptied["error"]["code"], "empty_unconfirmed");
    home.run(&["edit", &project, "2", "--file", empty.to_str().unwrap(), "--yes"]);
    let story = home.run(&["export-story", &project]).expect(0).json();
    assert_eq!(story["documents"][1]["text"].as_str().unwrap_or_default().trim(), "");
    home.run(&["undo", &project]).expect(0);
    let unknown = home.run(&["edit", &project, "9", "--file", file.to_str().unwrap(), "--json"]).expect(1).json();
    assert_eq!(unknown["error"]["code"], "unknown_document");
}
