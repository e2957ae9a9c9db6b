use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use crate::home::{EN, Home, ZH};

const VIEWS: [&str; 10] =
    ["outline", "characters", "relations", "timeline", "world", "plot", "style", "report", "reasoning", "provenance"];

#[test]
fn every_view_of_a_project_is_text_and_json() {
    for requirement in [ZH, EN] {
        let home = Home::new();
        let made = home.create(requirement, &["--json"]).expect_worked().json();
        let project = made["project"].as_str().unwrap();
        let whole = home.run(&["show", project, "--json"]).expect(0).json();
        assert_eq!(whole["story"]["outline_nodes"], made["outline_nodes"]);
        for view in VIEWS {
            let text = home.run(&["show", project, view]).expect(0);
            assert!(!text.stdout.trim().is_empty(), "{view}");
            for line in text.stdout.lines() {
                assert!(line.width() <= 80, "{view}: {line}");
            }
            home.run(&["show", project, view, "--json"]).expect(0).json();
        }
        let outline = home.run(&["show", project, "outline"]).stdout;
        let first = made["outline_nodes"][0]["name"].as_str().unwrap();
        assert!(outline.contains(first), "{first}: {outline}");
        assert_eq!(home.run(&["show", project, "outline", "--json"]).json(), made["outline_nodes"]);
        assert_eq!(
            home.run(&["show", made["run"].as_str().unwrap(), "--json"]).expect(0).json()["project"],
            whole["project"]
        );
    }
}

#[test]
fn runs_and_projects_are_listed() {
    let home = Home::new();
    let made = home.create(EN, &["--json"]).expect_worked().json();
    let runs = home.run(&["runs", "--json"]).expect(0).json();
    assert_eq!(runs[0]["run"], made["run"]);
    assert_eq!(runs[0]["status"], made["status"]);
    let projects = home.run(&["projects", "--json"]).expect(0).json();
    assert_eq!(projects[0]["project"], made["project"]);
    assert_eq!(projects[0]["premise"], EN);
    for command in ["runs", "projects"] {
        let text = home.run(&[command, "--ui-lang", "en"]).expect(0).stdout;
        let id = made[&command[..command.len() - 1]].as_str().unwrap();
        assert!(text.replace([' ', '┆', '│', '\n'], "").contains(id), "{id} can be copied: {text}");
    }
}

#[test]
fn a_finished_run_has_nothing_to_resume() {
    let home = Home::new();
    let made = home.create(ZH, &["--json"]).expect_worked();
    let run = made.json()["run"].as_str().unwrap().to_owned();
    if made.code == Some(3) {
        home.run(&["resume", &run, "--approve", "--json"]).expect(0);
    }
    let ended = home.run(&["resume", &run, "--json"]).expect(1);
    assert_eq!(ended.json()["error"]["code"], "nothing_to_resume");
}

#[test]
fn rules_are_listed_and_explained() {
    let home = Home::new();
    for language in ["zh", "en"] {
        let listed = home.run(&["rules", "--json", "--ui-lang", language]).expect(0).json();
        let rules = listed.as_array().unwrap();
        assert!(rules.len() >= 12, "{}", rules.len());
        let has_stories = |rule: &&Value| rule["fires"]["story"].is_object() && rule["spares"]["story"].is_object();
        assert_eq!(rules.iter().find(|rule| !has_stories(rule)), None);
        let code = rules[0]["code"].as_str().unwrap();
        let text = home.run(&["rules", &code.to_lowercase(), "--ui-lang", language]).expect(0).stdout;
        assert!(text.starts_with(code), "{text}");
    }
}

#[test]
fn models_doctor_and_settings_say_what_is() {
    let home = Home::new();
    let models = home.run(&["models", "--json"]).expect(0).json();
    let has = |provider: &str| models.as_array().unwrap().iter().any(|row| row["provider"] == provider);
    assert!(has("deepseek") && has("anthropic") && has("ollama"), "{models}");
    let checks = home.run(&["doctor", "--json"]).expect(0).json();
    assert!(checks.as_array().unwrap().iter().all(|row| row["state"] != "failed"), "{checks}");
    let told = home.run(&["doctor", "--ui-lang", "zh"]).expect(0).stdout.replace(['\n', ' '], "");
    assert!(
        told.contains("ollamapullbge-m3（MIT许可）"),
        "the embedder that needs nothing names one that understands: {told}"
    );
    let mut command = home.command(&["config", "--json"]);
    let settings: Value =
        serde_json::from_slice(&command.env("QINGYU_MAX_ITERATIONS", "2").output().unwrap().stdout).unwrap();
    let rounds = settings.as_array().unwrap().iter().find(|row| row["key"] == "pipeline.max_iterations").unwrap();
    assert_eq!((&rounds["value"], &rounds["layer"]), (&Value::from(2), &Value::from("environment")));
    assert_eq!(rounds["maximum"], 20.0);
    let unset = settings.as_array().unwrap().iter().find(|row| row["key"] == "budget.tokens").unwrap();
    assert_eq!(
        (&unset["value"], &unset["layer"], &unset["form"]),
        (&Value::Null, &Value::Null, &"whole_number".into())
    );
    assert_eq!(unset["variable"], "QINGYU_BUDGET_TOKENS");
    for (language, says) in [
        ("en", ["Not set", "budget.tokens  whole number", "models.<role>"]),
        ("zh", ["尚未设置", "budget.tokens  整数", "models.<role>"]),
    ] {
        let shown = home.run(&["config", "--ui-lang", language]).expect(0).stdout;
        let set = shown.find("budget.free_models = ").unwrap();
        assert!(says.iter().all(|says| shown.find(says).is_some_and(|place| place > set)), "{shown}");
    }
    let path = home.run(&["config", "path"]).expect(0).stdout;
    assert_eq!(path.trim(), home.path().join("config.toml").to_str().unwrap());
    for command in ["models", "doctor", "config"] {
        for language in ["zh", "en"] {
            for line in home.run(&[command, "--ui-lang", language]).expect(0).stdout.lines() {
                assert!(line.width() <= 80, "{command}: {line}");
            }
        }
    }
}

#[test]
fn graphs_are_listed_and_drawn() {
    let home = Home::new();
    for language in ["zh", "en"] {
        let listed = home.run(&["graph", "--ui-lang", language]).expect(0).stdout;
        assert!(listed.starts_with("pipeline  "), "{listed}");
    }
    let graph = home.run(&["graph", "pipeline", "--json"]).expect(0).json();
    let listed = home.run(&["graph", "--json"]).expect(0).json();
    let names: Vec<_> = listed.as_array().unwrap().iter().map(|graph| graph["name"].as_str().unwrap()).collect();
    assert_eq!((&listed[0], names.as_slice()), (&graph, ["pipeline", "writing", "task", "production"].as_slice()));
    let nodes: Vec<_> = graph["nodes"].as_array().unwrap().iter().map(|node| node["name"].as_str().unwrap()).collect();
    assert!(nodes.contains(&"planner_agent") && nodes.contains(&"human_review"), "{nodes:?}");

    let mermaid = home.run(&["graph", "pipeline"]).expect(0).stdout;
    assert!(mermaid.starts_with("flowchart TD\n"), "{mermaid}");
    let svg = home.run(&["graph", "pipeline", "--format", "svg", "--ui-lang", "zh"]).expect(0).stdout;
    assert!(svg.starts_with("<svg ") && svg.contains(">由节点选择</text>"), "{svg}");
    for node in nodes {
        assert!(mermaid.contains(&format!("[\"{node}\"]")) && svg.contains(&format!(">{node}</text>")), "{node}");
    }

    let file = home.path().join("pipeline.svg");
    let arguments = ["graph", "pipeline", "--format", "svg", "--ui-lang", "zh", "--output", file.to_str().unwrap()];
    let told = home.run(&arguments).expect(0).stdout;
    assert!(told.replace('\n', "").contains("pipeline.svg"), "{told}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), svg);
    let told = home.run(&[&arguments[..], &["--json"]].concat()).expect(0).json();
    assert_eq!(told, serde_json::json!({"graph": "pipeline", "path": file}));
    let left: Vec<_> = std::fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["pipeline.svg"], "looking needs no data");
}

#[test]
fn the_pipeline_compiles_without_warnings() {
    let logged = Home::new().run(&["graph", "pipeline", "--verbose"]).expect(0);
    assert_eq!(logged.stderr, "");
}

/// The log goes by what everything else goes by: no colours but on a terminal, or where they are asked for.
#[test]
fn the_log_has_colours_only_where_they_are_wanted() {
    let home = Home::new();
    for (more, is_colored) in [(&["--verbose"][..], false), (&["--verbose", "--color", "always"], true)] {
        let logged = home.create(EN, &[&["--yes", "--json"][..], more].concat()).expect_worked().stderr;
        assert!(logged.contains("run started"), "{logged}");
        assert_eq!(logged.contains('\u{1b}'), is_colored, "{more:?}: {logged}");
    }
}
