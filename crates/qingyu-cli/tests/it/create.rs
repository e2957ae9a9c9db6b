use std::process::Stdio;

use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use crate::home::{CommandOutput, EN, Home, OFFLINE, ZH};

/// The top-level keys that scripts rely on.
const KEYS: [&str; 18] = [
    "project",
    "run",
    "usage",
    "requirement_analysis",
    "execution_plan",
    "outline_nodes",
    "characters",
    "character_relations",
    "timeline_events",
    "plot_nodes",
    "diagnostic_report",
    "quality_score",
    "iteration_count",
    "reasoning",
    "warnings",
    "current_step",
    "workspace_context",
    "rag_context",
];

fn is_han(text: &str) -> bool {
    text.chars().any(qingyu_studio::story::language::is_han)
}

#[test]
fn one_sentence_becomes_one_document() {
    for (requirement, chinese) in [(ZH, true), (EN, false)] {
        let home = Home::new();
        let ended = home.create(requirement, &["--json"]).expect_worked();
        let document = ended.json();
        for key in KEYS {
            assert!(!document[key].is_null(), "{key}: {document}");
        }
        let steps = document["execution_plan"]["steps"].as_array().unwrap().len();
        assert_eq!(document["current_step"].as_u64().unwrap() as usize, steps - 1, "all but the review: {document}");
        assert!(document["workspace_context"]["plot_agent"]["outline_node"].is_array(), "{document}");
        for key in ["outline_nodes", "characters", "timeline_events", "reasoning"] {
            assert!(document[key].as_array().is_some_and(|list| !list.is_empty()), "{key}");
        }
        assert_eq!(is_han(document["outline_nodes"][0]["name"].as_str().unwrap()), chinese, "{document}");
        assert_eq!(document["diagnostic_report"]["basis"]["judge"], "rules", "{document}");
        let waits = ended.code == Some(3);
        assert_eq!(document["status"], if waits { "waiting" } else { "done" });
        assert_eq!(document["resume"].is_string(), waits, "{document}");
        assert_eq!(document["human_review"].is_object(), waits, "{document}");
        assert!(!ended.stderr.is_empty() && !ended.stderr.contains('\u{1b}'), "{}", ended.stderr);
    }
}

#[test]
fn people_see_plan_report_and_end_and_who_is_at_work() {
    let home = Home::new();
    let ended = home.create(EN, &[]).expect_worked();
    for heading in ["Plan\n", "Diagnostic report 1", "judged by rules alone", "Next\n", "qingyu show ", "Cost: free"] {
        assert!(ended.stdout.contains(heading), "{heading}: {}", ended.stdout);
    }
    assert!(!ended.stdout.contains("judged by a model"), "{}", ended.stdout);
    for line in ["[OFFLINE ASSISTANT]", "offline-rules-1", "✓ Outline", "✓ Characters"] {
        assert!(ended.stderr.contains(line), "{line}: {}", ended.stderr);
        assert!(!ended.stdout.contains(line), "{line}");
    }
    for line in ended.stdout.lines().chain(ended.stderr.lines()) {
        assert!(line.width() <= 80, "{line}");
    }
    let ended = home.create(ZH, &[]).expect_worked();
    assert!(ended.stdout.contains("执行计划"), "the requirement's language is spoken");
    assert!(ended.stdout.contains("只由规则评审") && !ended.stdout.contains("模型也评审过"), "{}", ended.stdout);
}

#[test]
fn colours_are_for_terminals_unless_they_are_forced() {
    let home = Home::new();
    let escapes = |arguments: &[&str], variable: Option<&str>| {
        let mut command = home.command(&[&["create", EN], &OFFLINE[..], arguments].concat());
        command.envs(variable.map(|name| (name, "1")));
        let ended = CommandOutput::of(command.output().unwrap()).expect_worked();
        (ended.stdout + &ended.stderr).contains('\u{1b}')
    };
    assert!(!escapes(&[], None));
    assert!(!escapes(&[], Some("NO_COLOR")));
    assert!(escapes(&[], Some("CLICOLOR_FORCE")));
    assert!(escapes(&["--color", "always"], None));
    assert!(!escapes(&["--color", "never"], Some("CLICOLOR_FORCE")));
}

#[test]
fn events_are_a_line_each_and_numbered() {
    let home = Home::new();
    let ended = home.create(ZH, &["--events"]).expect_worked();
    let events: Vec<Value> = ended.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kept: Vec<u64> =
        events.iter().filter(|event| event["kind"] != "text").map(|event| event["seq"].as_u64().unwrap()).collect();
    assert_eq!(kept, (1..=kept.len() as u64).collect::<Vec<_>>());
    let kinds: Vec<&str> = events.iter().map(|event| event["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds.first(), Some(&"run_started"));
    assert!(
        ["planned", "agent_started", "called", "agent_finished", "reviewed"].iter().all(|kind| kinds.contains(kind))
    );
    assert!(matches!(kinds.last(), Some(&"completed" | &"waiting")), "{kinds:?}");
    assert_eq!(ended.stderr, "");
}

#[test]
fn quiet_says_only_what_came_of_it() {
    let home = Home::new();
    let ended = home.create(EN, &["--quiet"]).expect_worked();
    assert_eq!(ended.stderr, "");
    assert!(!ended.stdout.contains("Plan\n") && ended.stdout.contains("Next\n"), "{}", ended.stdout);
}

#[test]
fn a_requirement_comes_from_a_file_or_standard_input() {
    let home = Home::new();
    let file = home.file("idea.txt", format!("\u{feff}{EN}\r\n").as_bytes());
    let from_file = home.create(&format!("@{}", file.display()), &["--json"]).expect_worked().json();
    let input = std::fs::File::open(&file).unwrap();
    let mut command = home.command(&[&["create", "-", "--json"], &OFFLINE[..]].concat());
    let from_input = CommandOutput::of(command.stdin(Stdio::from(input)).output().unwrap()).expect_worked().json();
    assert_eq!(from_file["outline_nodes"], from_input["outline_nodes"]);
    assert_eq!(home.run(&["runs", "--json"]).json()[0]["requirement"], EN);
}

#[test]
fn two_at_once_on_one_folder_both_end() {
    let home = Home::new();
    let start = |requirement| {
        let arguments = [&["create", requirement, "--json"], &OFFLINE[..]].concat();
        home.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let children = [start(ZH), start(EN), start(ZH)];
    let mut runs: Vec<Value> = children
        .into_iter()
        .map(|child| CommandOutput::of(child.wait_with_output().unwrap()).expect_worked().json()["run"].clone())
        .collect();
    let listed = home.run(&["runs", "--json"]).json();
    let mut listed: Vec<Value> = listed.as_array().unwrap().iter().map(|row| row["run"].clone()).collect();
    runs.sort_by_key(Value::to_string);
    listed.sort_by_key(Value::to_string);
    assert_eq!(runs, listed);
}

#[test]
fn switches_reach_the_pipeline() {
    let home = Home::new();
    let all_off = ["--no-planner", "--no-meta-scheduler", "--no-workspace-context", "--no-rag", "--no-knowledge-graph"];
    let document = home.create(ZH, &[&all_off[..], &["--json"]].concat()).expect_worked().json();
    assert_eq!(document["iteration_count"], 0, "{document}");
    let document = home.create(ZH, &["--max-iterations", "0", "--json"]).expect_worked().json();
    assert_eq!(document["iteration_count"], 0, "{document}");
}

#[test]
fn more_of_a_project_is_of_its_genre() {
    let home = Home::new();
    home.create("写一个赛博朋克短篇：黑客林深要找回被删除的记忆", &["--quiet"]).expect_worked();
    let project = home.run(&["projects", "--json"]).expect(0).json()[0]["project"].as_str().unwrap().to_owned();
    let more = home.create("再加三章", &["--project", &project]).expect_worked().stdout;
    assert!(more.contains("赛博朋克") && !more.contains("需求没有点明题材"), "{more}");
    let story = home.run(&["export-story", &project]).expect(0).json();
    assert_eq!(story["premise"], "写一个赛博朋克短篇：黑客林深要找回被删除的记忆");
}

#[test]
fn a_change_of_a_project_is_carried_out_or_said_not_to_be() {
    let home = Home::new();
    let begun = home.create("写一个赛博朋克短篇：黑客林深要找回被删除的记忆", &[]).expect_worked().stdout;
    assert!(begun.contains("没有可逐条核对的"), "{begun}");
    let project = home.run(&["projects", "--json"]).expect(0).json()[0]["project"].as_str().unwrap().to_owned();
    let before = home.run(&["export-story", &project]).expect(0).json();
    let name = before["characters"][0]["name"].as_str().unwrap();
    let told = home.create(&format!("把{name}的弱点改成怕黑"), &["--project", &project]).expect_worked().stdout;
    assert!(told.contains("已落实 1") && !told.contains("0/0"), "{told}");
    let mut expected = before.clone();
    expected["characters"][0]["weakness"] = "怕黑".into();
    let after = home.run(&["export-story", &project]).expect(0).json();
    assert_eq!(after["characters"], expected["characters"]);

    let document = home.create("增加一个反派角色，叫沈夜", &["--project", &project, "--json"]).expect_worked().json();
    assert_eq!(document["diagnostic_report"]["wishes"][0]["state"], "met", "{document}");
    let told = home.create("把周沉的弱点改成怕黑", &["--project", &project]).expect_worked().stdout;
    assert!(told.contains("未落实") && told.contains("故事里没有叫“周沉”的条目"), "{told}");
    let story = home.run(&["export-story", &project]).expect(0).json();
    assert!(story["characters"].as_array().unwrap().iter().any(|card| card["name"] == "沈夜"), "{story}");
}

#[test]
fn a_length_is_a_wish_and_its_numbers_are_told() {
    let home = Home::new();
    for (said, told) in [
        ("写三章，每章约800字，讲一位灯塔看守", ["已落实 2", "大纲共 3 章", "每章 800 字"]),
        (
            "A ghost story in three chapters, about 800 words a chapter",
            ["met 2", "the outline has 3 chapters", "800 words a chapter"],
        ),
    ] {
        let made = home.create(said, &[]).expect_worked().stdout;
        assert!(told.iter().all(|words| made.contains(words)), "{made}");
    }
}

#[test]
fn parameters_of_the_outline_win_over_the_words() {
    let home = Home::new();
    let given = ["--genre", "武侠", "--audience", "中学生", "--chapters", "6", "--json"];
    let made = home.create("写一个赛博朋克故事，写十章，主角是黑客", &given).expect_worked().json();
    let chapters = made["outline_nodes"].as_array().unwrap().iter().filter(|node| node["kind"] == "chapter").count();
    assert_eq!(chapters, 6, "{}", made["outline_nodes"]);
    let wishes = &made["diagnostic_report"]["wishes"];
    assert_eq!(wishes[0]["text"], "共6章", "{wishes}");
    assert_eq!(wishes[0]["state"], "met", "{wishes}");
    let plan = made["execution_plan"].to_string();
    assert!(plan.contains("武侠"), "{plan}");
    let project = made["project"].as_str().unwrap();
    let story = home.run(&["export-story", project]).expect(0).json();
    assert!(
        story["premise"].as_str().unwrap().ends_with("类型：武侠；目标读者：中学生；章数：6"),
        "{}",
        story["premise"]
    );
    home.create("写十章", &["--chapters", "0"]).expect(2);
}

#[test]
fn what_is_made_is_in_the_encyclopedia() {
    let home = Home::new();
    let made = home.create(ZH, &["--json"]).expect_worked().json();
    let project = made["project"].as_str().unwrap();
    let listed = home.run(&["tool", project, "encyclopedia_tool", r#"{"action": "list"}"#]).expect(0).json();
    let named: Vec<&str> =
        listed["result"]["entries"].as_array().unwrap().iter().filter_map(|entry| entry["name"].as_str()).collect();
    for card in made["characters"].as_array().unwrap() {
        assert!(named.contains(&card["name"].as_str().unwrap()), "{card}: {listed}");
    }
}

#[test]
fn a_step_calls_the_tools_of_its_plan() {
    let home = Home::new();
    let called = |more: &[&str]| {
        let ended = home.create(ZH, &[&["--no-planner", "--events"], more].concat()).expect_worked();
        let events = ended.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let called = events.filter(|event| event["kind"] == "tool_called");
        called.map(|event| format!("{} {}", event["agent"], event["tool"])).collect::<Vec<_>>()
    };
    // The default plan names the search for each specialist; the other tools show nothing that is not visible.
    let agents = ["outline_agent", "character_agent", "plot_agent"];
    let named = called(&[]);
    assert_eq!(named[..3], agents.map(|agent| format!("\"{agent}\" \"rag_tool\"")), "{named:?}");
    assert_eq!(called(&["--no-rag"]), [""; 0]);
}
