//! What is remembered, through the door: added, listed, changed, forgotten; learnt from decisions and told to agents.

use serde_json::Value;

use crate::home::{EN, Home, OFFLINE};

const STORY: &str = r#"{
    "premise": "雨夜里，一把铜钥匙换了主人。",
    "language": "zh",
    "characters": [{"name": "林青", "background": "更夫"}],
    "timeline_events": [
        {"title": "交钥匙", "timestamp": "第2天", "participants": ["林青", "白露", "韩铁", "周七"], "description": "林青把钥匙交了出去。"}
    ]
}"#;

fn memories(home: &Home, more: &[&str]) -> Vec<Value> {
    let listed = home.run(&[&["memory", "list", "--json"], more].concat()).expect(0).json();
    listed.as_array().unwrap().clone()
}

#[test]
fn what_is_said_is_remembered_changed_and_forgotten() {
    let home = Home::new();
    let empty = home.run(&["memory", "list", "--ui-lang", "en"]).expect(0).stdout;
    assert!(empty.starts_with("There are no such memories."), "{empty}");
    let added = home.run(&["memory", "add", "少用感叹号", "--json"]).expect(0).json();
    let id = added["id"].as_str().unwrap().to_owned();
    assert_eq!((&added["kind"], &added["active"], &added["count"]), (&"preference".into(), &true.into(), &1.into()));
    assert_eq!(added["evidence"][0]["what"], "said");
    let again = home.run(&["memory", "add", " 少用感叹号 ", "--json"]).expect(0).json();
    assert_eq!((again["id"].as_str(), &again["count"]), (Some(id.as_str()), &2.into()), "counted, not kept twice");
    home.run(&["memory", "add", "The clock loses a quarter of an hour a day", "--kind", "knowledge"]).expect(0);
    assert_eq!(memories(&home, &[]).len(), 2);
    assert_eq!(memories(&home, &["--kind", "preference"])[0]["id"], id.as_str());
    assert_eq!(memories(&home, &["clocks"])[0]["kind"], "knowledge", "found by its words");
    assert!(memories(&home, &["月亮"]).is_empty());

    let edited = home.run(&["memory", "edit", &id[..8], "--text", "不用感叹号", "--off", "--json"]).expect(0).json();
    assert_eq!((&edited["text"], &edited["active"]), (&"不用感叹号".into(), &false.into()));
    let shown = home.run(&["memory", "list", "--ui-lang", "zh"]).expect(0).stdout;
    assert!(shown.contains("停用") && shown.contains("见过 2 次"), "{shown}");
    assert_eq!(home.run(&["memory", "edit", &id[2..6], "--on", "--json"]).expect(0).json()["active"], true);

    home.run(&["memory", "edit", &id]).expect(2);
    home.run(&["memory", "edit", &id, "--on", "--off"]).expect(2);
    home.run(&["memory", "add", "  "]).expect(2);
    let unknown = home.run(&["memory", "edit", "m-ffff", "--on", "--json"]).expect(1).json();
    assert_eq!(unknown["error"]["code"], "unknown_memory");
    home.run(&["memory", "add", "x", "--project", "nobody"]).expect(1);

    let forgotten = home.run(&["memory", "forget", &id, "--ui-lang", "en"]).expect(0).stdout;
    assert_eq!(forgotten.trim(), "Forgotten: 不用感叹号");
    home.run(&["memory", "forget"]).expect(2);
    home.run(&["memory", "forget", &id, "--all"]).expect(2);
    let unasked = home.run(&["memory", "forget", "--all", "--json"]).expect(2).json();
    assert_eq!(unasked["error"]["code"], "unconfirmed");
    assert_eq!(memories(&home, &[]).len(), 1, "nothing is forgotten without a word");
    assert_eq!(home.run(&["memory", "forget", "--all", "--yes", "--json"]).expect(0).json()["forgotten"], 1);
    assert!(memories(&home, &[]).is_empty());
}

#[test]
fn a_rule_of_style_that_is_waived_three_times_is_not_minded() {
    let home = Home::new();
    let text = "他像断了线的风筝一样倒下。雨还在下。她像受惊的小鹿一样跑开。船像一片落叶一样漂走。";
    let chapter = |order: u32| serde_json::json!({"title": format!("第{order}章"), "order": order, "text": text});
    let mut story: Value = serde_json::from_str(STORY).unwrap();
    story["documents"] = (1..=3).map(chapter).collect::<Vec<_>>().into();
    let file = home.file("story.json", story.to_string().as_bytes());
    let imported = home.run(&["import-story", file.to_str().unwrap(), "--json"]).expect(0).json();
    let project = imported["project"]["project"].as_str().unwrap().to_owned();
    let findings = |rule: &str| -> Vec<String> {
        let found = home.run(&["check", &project, "--rule", rule, "--json"]).json();
        let found = found["findings"].as_array().unwrap();
        let ids = found.iter().map(|finding| finding["issue"]["id"].as_str().unwrap().to_owned());
        ids.collect()
    };
    let of_fact = findings("QY101");
    assert_eq!(of_fact.len(), 3, "{of_fact:?}");
    for finding in &of_fact {
        home.run(&["waive", &project, finding, "--reason", "下一卷才出场"]).expect(0);
    }
    assert!(memories(&home, &[]).is_empty(), "a waived fact is no preference");
    let of_style = findings("QS014");
    assert_eq!(of_style.len(), 3, "{of_style:?}");
    let mut stands = Vec::new();
    for finding in &of_style {
        home.run(&["waive", &project, finding, "--reason", "下一卷才出场"]).expect(0);
        let rows = memories(&home, &["--project", &project]);
        assert_eq!(rows.len(), 1, "{rows:?}");
        stands.push((rows[0]["count"].as_u64().unwrap(), rows[0]["standing"].as_str().unwrap().to_owned()));
    }
    let expected = [(1, "proposed"), (2, "proposed"), (3, "on")].map(|(count, stand)| (count, stand.to_owned()));
    assert_eq!(stands, expected);
    let row = &memories(&home, &[])[0];
    assert_eq!((&row["source"], &row["project"]), (&"learnt".into(), &project.as_str().into()));
    assert_eq!(row["text"], "不介意同一个比喻反复使用，不必为此改动");
    assert_eq!(row["evidence"][2]["before"], "下一卷才出场");
    let shown = home.run(&["memory", "list", "--ui-lang", "en"]).expect(0).stdout;
    assert!(shown.contains("waived") && shown.contains("seen 3×"), "{shown}");
}

#[test]
fn what_the_author_prefers_reaches_the_work_unless_it_is_switched_off() {
    let home = Home::new();
    home.run(&["memory", "add", "Never use an exclamation mark"]).expect(0);
    let guidelines = |home: &Home, more: &[&str]| {
        let asked = format!("{EN}. Write a style guide.");
        let made = home.create(&asked, &[&["--json"], more].concat()).expect_worked().json();
        made["style"].to_string()
    };
    let told = guidelines(&home, &[]);
    assert!(told.contains("exclamation"), "{told}");
    let untold = guidelines(&home, &["--set", "pipeline.preferences=false"]);
    assert!(!untold.contains("exclamation"), "{untold}");
    let off = memories(&home, &[])[0]["id"].as_str().unwrap().to_owned();
    home.run(&["memory", "edit", &off, "--off"]).expect(0);
    assert!(!guidelines(&home, &[]).contains("exclamation"));
}

#[test]
fn a_session_remembers_its_turns_and_forgets_them() {
    let home = Home::new();
    let file = home.file("story.json", STORY.as_bytes());
    let imported = home.run(&["import-story", file.to_str().unwrap(), "--json"]).expect(0).json();
    let project = imported["project"]["project"].as_str().unwrap();
    home.run(&["ask", project, "谁把钥匙交了出去？", "--session", "夜谈"]).expect(0);
    home.run(&["ask", project, "林青是什么人？"]).expect(0);
    home.run(&["ask", project, "记住：城里没有第二把钥匙"]).expect(0);
    let turns = || home.run(&["memory", "list", "--session", "夜谈", "--json"]).expect(0).json();
    let kept = turns();
    assert_eq!((kept.as_array().unwrap().len(), &kept[0]["said"]), (1, &"谁把钥匙交了出去？".into()), "{kept}");
    let shown = home.run(&["memory", "list", "--session", "夜谈", "--ui-lang", "en"]).expect(0).stdout;
    assert!(shown.contains("谁把钥匙交了出去？") && shown.contains("forgotten"), "{shown}");
    let known = memories(&home, &[]);
    assert_eq!(known.len(), 1, "only what is to be remembered is kept for good: {known:?}");
    let row = &known[0];
    assert_eq!((&row["kind"], &row["text"]), (&"knowledge".into(), &"城里没有第二把钥匙".into()));
    assert_eq!(row["project"].as_str(), Some(project));
    let task = ["task", project, "检查人物设定", "--agent", "checker", "--session", "夜谈", "--json"];
    home.run(&[&task[..], &OFFLINE].concat()).expect_worked();
    assert_eq!(memories(&home, &["--kind", "history"])[0]["text"], "交办过：检查人物设定");
    assert_eq!(turns().as_array().unwrap().len(), 2);
    assert_eq!(home.run(&["memory", "forget", "--session", "夜谈", "--json"]).expect(0).json()["forgotten"], 2);
    assert_eq!(turns(), serde_json::json!([]));
    home.run(&["memory", "forget", "--session", "夜谈", "--all"]).expect(2);
}
