//! The history of a run: states, edits and forks; and breakpoints.

use serde_json::Value;

use crate::home::{Home, OFFLINE, ZH};

/// The parts of a run's document that do not differ between runs.
const MADE: [&str; 6] =
    ["outline_nodes", "characters", "timeline_events", "plot_nodes", "quality_score", "iteration_count"];

#[track_caller]
fn same(left: &Value, right: &Value) {
    for key in MADE {
        assert_eq!(left[key], right[key], "{key}");
    }
}

fn checkpoint(row: &Value) -> String {
    row["checkpoint"].to_string()
}

#[test]
fn a_run_is_looked_back_at_edited_and_forked() {
    let home = Home::new();
    let made = home.create(ZH, &["--json", "--yes"]).expect(0).json();
    let run = made["run"].as_str().unwrap();
    let json = |arguments: &[&str]| home.run(&[arguments, &["--json"]].concat()).expect(0).json();

    let history = json(&["runs", "history", run]);
    let rows = history.as_array().unwrap();
    assert_eq!(rows.last().unwrap()["source"], "input");
    assert_eq!(rows[0]["next"], serde_json::json!([]));
    let review = rows.iter().rfind(|row| row["next"] == serde_json::json!(["review_agent"])).unwrap();
    let at = checkpoint(review);
    for language in ["zh", "en"] {
        let shown = home.run(&["runs", "history", run, "--ui-lang", language]).expect(0).stdout;
        assert!(shown.contains("review_agent") && shown.contains(&format!("qingyu runs state {run}")), "{shown}");
        let shown = home.run(&["runs", "state", run, "--at", &at, "--ui-lang", language]).expect(0).stdout;
        assert!(shown.contains("outline_nodes") && shown.contains("run_id *"), "{shown}");
    }
    let short = json(&["runs", "history", run, "-n", "2", "--before", &at]);
    assert_eq!(short.as_array().map(Vec::len), Some(2));

    let state = json(&["runs", "state", run, "--at", &at]);
    assert_eq!((&state["values"]["quality_score"], &state["values"]["iteration_count"]), (&0.into(), &0.into()));
    assert_eq!(state["values"]["run_id"], run);
    let prompts = json(&["runs", "state", run, "--prompt", "character_agent"]);
    assert!(prompts["correction"].is_string(), "{prompts}");
    let purposes: Vec<_> = prompts["prompts"].as_array().unwrap().iter().map(|prompt| &prompt["purpose"]).collect();
    assert_eq!(purposes, ["character.generate", "character.correct"]);
    let shown = home.run(&["runs", "state", run, "--prompt", "character_agent"]).expect(0).stdout;
    assert!(shown.contains(prompts["correction"].as_str().unwrap().lines().next().unwrap()), "{shown}");

    let fork = home.run(&["runs", "fork", run, "--at", &at, "--resume", "--yes", "--events"]).expect(0).stdout;
    let events: Vec<Value> = fork.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let called: Vec<_> = events.iter().filter(|event| event["kind"] == "called").collect();
    assert!(!called.is_empty() && called.iter().all(|event| event["reused"] == true), "{called:?}");
    let forked = events[0]["run"].as_str().unwrap();
    assert_ne!(forked, run);
    let end = json(&["runs", "state", forked]);
    same(&end["values"], &json(&["runs", "state", run])["values"]);
    assert_eq!(json(&["runs", "history", run]), history, "the old run is as it was");

    let edit = ["runs", "edit", run, "--at", &at, "--set", "characters=[]", "--set", "character_summary=没有人"];
    let edited = json(&edit);
    assert_eq!((&edited["is_fork"], &edited["next"]), (&true.into(), &serde_json::json!(["review_agent"])));
    let state = json(&["runs", "state", edited["run"].as_str().unwrap()]);
    assert_eq!(state["values"]["characters"], serde_json::json!([]));
    assert_eq!(state["values"]["character_summary"], "没有人");
    assert_eq!(state["checkpoint"]["source"], "update");
    home.run(&["resume", edited["run"].as_str().unwrap(), "--yes"]).expect_worked();
}

#[test]
fn an_edit_names_what_can_be_edited() {
    let home = Home::new();
    let made = home.create(ZH, &["--json", "--yes"]).expect(0).json();
    let run = made["run"].as_str().unwrap();
    for (arguments, exit, code, part) in [
        (&["runs", "edit", run, "--set", "dragon=1"][..], 2, "unknown_field", "characters"),
        (&["runs", "edit", run, "--set", "run_id=r-1"], 2, "unknown_field", "characters"),
        (&["runs", "edit", run, "--set", "characters=7"], 1, "bad_material", "characters"),
        (&["runs", "edit", run, "--set", "premise=x", "--as", "dragon"], 2, "unknown_node", "planner_agent"),
        (&["runs", "edit", run, "--set", "premise"], 2, "bad_setting", "premise"),
        (&["runs", "state", run, "--at", "99999"], 1, "unknown_checkpoint", "99999"),
        (&["runs", "state", run, "--prompt", "dragon"], 2, "unknown_node", "planner_agent"),
        (&["runs", "fork", run, "--at", "2"], 1, "unknown_checkpoint", "2"),
        (&["runs", "history", "r-nothing"], 1, "unknown_run", "r-nothing"),
    ] {
        let refused = home.run(arguments).expect(exit).stderr;
        assert!(refused.contains(&format!("error[{code}]")) && refused.contains(part), "{arguments:?}: {refused}");
    }
    assert_eq!(home.run(&["runs", "--json"]).json().as_array().map(Vec::len), Some(1), "nothing was forked");
}

#[test]
fn a_breakpoint_stops_says_where_and_leads_to_the_same_end() {
    let plain = Home::new().create(ZH, &["--json", "--yes"]).expect(0).json();
    let home = Home::new();
    let told = home.create(ZH, &["--stop-before", "review_agent", "--ui-lang", "en"]).expect(3).stdout;
    assert!(told.contains("Stopped at a breakpoint.") && told.contains("review_agent"), "{told}");
    let runs = home.run(&["runs", "--json"]).json();
    assert_eq!(runs[0]["status"], "waiting");
    let run = runs[0]["run"].as_str().unwrap();
    assert!(told.contains(&format!("qingyu resume {run}")), "{told}");
    let mut stops = 1;
    let end = loop {
        let document = home.run(&["resume", run, "--json"]).expect_worked().json();
        if document["status"] != "waiting" {
            break document;
        }
        assert_eq!(document["breakpoint"]["before"], serde_json::json!(["review_agent"]));
        stops += 1;
        assert!(stops < 9, "{document}");
    };
    assert_eq!(stops, 2, "once for each review");
    same(&end, &plain);
}

#[test]
fn breakpoints_are_set_by_flags_of_known_nodes_and_by_settings() {
    let home = Home::new();
    for flag in ["--stop-before", "--stop-after"] {
        let refused = home.create(ZH, &[flag, "generation"]).expect(2).stderr;
        assert!(refused.contains("error[unknown_node]") && refused.contains("planner_agent"), "{refused}");
    }
    assert_eq!(home.run(&["runs", "--json"]).json(), serde_json::json!([]), "a refused request leaves no run");
    // The settings name nodes of several graphs.
    home.file("config.toml", b"[breakpoints]\nbefore = [\"generation\"]\nafter = [\"planner_agent\"]\n");
    let stopped = home.create(ZH, &["--json"]).expect(3).json();
    assert_eq!(stopped["breakpoint"]["after"], serde_json::json!(["planner_agent"]));
    let run = stopped["run"].as_str().unwrap();
    let edited = home.run(&["runs", "edit", run, "--set", "max_iterations=0", "--json"]).expect(0).json();
    assert_eq!((&edited["is_fork"], edited["run"].as_str()), (&false.into(), Some(run)));
    assert_eq!(home.run(&["runs", "--json"]).json()[0]["status"], "interrupted");
    let ended = home.run(&["resume", run, "--yes", "--json"]).expect_worked().json();
    assert_eq!(ended["iteration_count"], 0);
    home.file("config.toml", b"[breakpoints]\nbefore = [\"nobody\"]\n");
    let refused = home.run(&[&["create", ZH], &OFFLINE[..]].concat()).expect(2).stderr;
    assert!(refused.contains("error[unknown_node]"), "{refused}");
}
