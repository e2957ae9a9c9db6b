//! Tasks on the command line: who gets them, in which order, and what happens if the words do not decide.

use serde_json::Value;

use crate::home::{Home, OFFLINE};

const STORY: &str = r#"{
    "language": "zh",
    "characters": [{"name": "林青", "role_type": "protagonist"}, {"name": "老周"}],
    "outline_nodes": [{"name": "第一章 雨夜", "order": 1}],
    "documents": [{"title": "第一章 雨夜", "order": 1, "version": 1, "outline_node": "第一章 雨夜",
                   "text": "雨下了一夜。林青把铜钥匙交给老周。老周没有说话。"}]
}"#;

fn project(home: &Home) -> String {
    let file = home.file("story.json", STORY.as_bytes());
    let imported = home.run(&["import-story", file.to_str().unwrap(), "--json"]).expect(0).json();
    imported["project"]["project"].as_str().unwrap().to_owned()
}

/// Returns the agents of the parts, in order.
fn agents(document: &Value) -> Vec<String> {
    let parts = document["subtasks"].as_array().unwrap_or_else(|| panic!("{document}"));
    parts.iter().map(|part| part["agent"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn tasks_go_where_they_belong() {
    let home = Home::new();
    let project = project(&home);
    let task = |words: &str| home.run(&[&["task", &project, words, "--json"][..], &OFFLINE].concat());
    for (words, expected) in [
        ("检查第一章的原创度", &["text_review"][..]),
        ("第一章合规检查", &["text_review"]),
        ("先分析第一章的节奏，再检查时间线，最后统计字数", &["analysis", "checker", "data_analysis"]),
    ] {
        assert_eq!(agents(&task(words).expect(0).json()), expected, "{words}");
    }
}

#[test]
fn a_task_stops_at_a_breakpoint_before_its_first_start() {
    let home = Home::new();
    let project = project(&home);
    let task = ["task", &project, "检查第一章的原创度", "--json", "--stop-before", "gather"];
    let stopped = home.run(&[&task[..], &OFFLINE].concat()).expect(3).json();
    assert_eq!(stopped["breakpoint"]["before"], serde_json::json!(["gather"]));
    let run = stopped["run"].as_str().unwrap();
    let ended = home.run(&["resume", run, "--json"]).expect(0).json();
    assert_eq!(agents(&ended), ["text_review"]);
    let refused = [&["task", &project, "检查第一章的原创度", "--stop-after", "planner_agent"], &OFFLINE[..]].concat();
    let refused = home.run(&refused).expect(2).stderr;
    assert!(refused.contains("error[unknown_node]") && refused.contains("gather"), "{refused}");
}

/// A task without the author's own words is worded like the book, not like the terminal.
#[test]
fn a_built_in_task_is_in_the_language_of_the_book() {
    let home = Home::new();
    let project = project(&home);
    let last_task = || home.run(&["runs", "--json"]).json()[0]["requirement"].as_str().unwrap().to_owned();
    home.run(&[&["continue", &project, "--ui-lang", "en", "--json"][..], &OFFLINE].concat());
    assert_eq!(last_task(), "续写最后一章");
    home.run(&[&["analyze", &project, "1", "--judge", "--ui-lang", "en", "--json"][..], &OFFLINE].concat());
    assert_eq!(last_task(), "分析这一章。");
}

#[test]
fn a_sequence_of_agents_can_be_given() {
    let home = Home::new();
    let project = project(&home);
    let given = |agents: &str| {
        home.run(&[&["task", &project, "看看第一章", "--agents", agents, "--json"][..], &OFFLINE].concat())
    };
    let done = given("analysis,text_review").expect(0).json();
    assert_eq!(agents(&done), ["analysis", "text_review"]);
    assert_eq!(done["subtasks"][1]["depends_on"], serde_json::json!(["t1"]), "{done}");
    let refused = given("analysis,critic").expect(2).json();
    assert_eq!(refused["error"]["code"], "unknown_agent");
    assert!(refused.to_string().contains("text_review"), "the known ones are named: {refused}");
}

#[test]
fn words_that_decide_on_no_agent_are_asked_about() {
    let home = Home::new();
    let project = project(&home);
    let begun = ["task", &project, "随便", "--yes", "--ui-lang", "zh"];
    let told = home.run(&[&begun[..], &OFFLINE].concat()).expect(3).stdout;
    assert!(told.contains("说不准该交给哪个智能体") && told.contains("checker"), "{told}");
    let run = home.run(&["runs", "--json"]).json()[0]["run"].as_str().unwrap().to_owned();
    assert!(told.contains(&format!("qingyu resume {run} --agents ")), "{told}");

    let waiting = home.run(&["resume", &run, "--json"]).expect(3).json();
    let part = &waiting["undecided"][0];
    assert!(part["task"] == "t1" && part["agents"][0]["does"].is_string(), "{waiting}");
    let answered = |agents: &str| home.run(&["resume", &run, "--agents", agents, "--json"]);
    assert_eq!(answered("critic").expect(2).json()["error"]["code"], "unknown_agent");
    assert_eq!(answered("analysis,checker").expect(1).json()["error"]["code"], "bad_material");
    let done = answered("checker").expect(0).json();
    assert_eq!(agents(&done), ["checker"], "{done}");

    let waiting = home.run(&[&["task", &project, "随便", "--json"][..], &OFFLINE].concat()).expect(3).json();
    let run = waiting["run"].as_str().unwrap();
    let left = home.run(&["resume", run, "--reject", "", "--json"]).expect(1).json();
    assert!(left["output"].as_str().unwrap().contains("checker"), "it says who may be named: {left}");
}

#[test]
fn plots_are_suggested_by_a_tool() {
    let home = Home::new();
    let project = project(&home);
    let found = home.run(&["tool", &project, "outline_tool", r#"{"action": "suggest_plot"}"#]).expect(0).json();
    assert!(found.to_string().contains("no_climax"), "{found}");
}
