//! What the help of a command promises, held against what the command does: that nothing is changed, asked or written, and
//! how many things there are.
//!
//! | promise | of |
//! |---|---|
//! | Say what would be done, and do nothing | `import --dry-run` |
//! | it is only shown | `reconcile` without `--apply` |
//! | Change nothing; show what would be changed | `task --dry` |
//! | it is only printed | `continue` without `--save` |
//! | Write no prose | `write --brief` |
//! | Review once, correct nothing | `create --no-meta-scheduler` |
//! | Never ask: stop where a person must decide (exit code 3) | `--yes` |
//! | nothing is written over | `export` |
//! | so many can be fixed automatically: --fix | `check` |
//! | for this command | `--set` |

use serde_json::Value;

use crate::home::{CommandOutput, EN, Home, OFFLINE};

const BOOK: &str = "# 第一章\n\n他来了，，雨还在下。沈砚秋住在河埠东街。\n\n# 第二章\n\n他走了，，天亮了。\n";

/// A project of two written chapters.
fn book(home: &Home) -> String {
    let file = home.file("book.md", BOOK.as_bytes());
    let imported = home.run(&["import", file.to_str().unwrap(), "--json"]).expect(0).json();
    let projects = home.run(&["projects", "--json"]).expect(0).json();
    let project = projects[0]["project"].as_str();
    project.unwrap_or_else(|| panic!("{imported}")).to_owned()
}

/// All projects with their stories and logs.
fn everything(home: &Home) -> Vec<String> {
    let projects = home.run(&["projects", "--json"]).expect(0).json();
    let projects = projects.as_array().unwrap().iter().map(|row| row["project"].as_str().unwrap().to_owned());
    let told = |project: String| {
        [&["export-story", &project][..], &["log", &project, "--json"]].map(|asked| home.run(asked).expect(0).stdout)
    };
    projects.flat_map(told).collect()
}

/// Runs a command that must leave everything as it was `before`.
#[track_caller]
fn idle(home: &Home, before: &[String], arguments: &[&str]) -> CommandOutput {
    let ended = home.run(arguments);
    assert!(before == everything(home), "{arguments:?} changed something: {ended:?}");
    ended
}

#[test]
fn what_is_only_shown_changes_nothing() {
    let home = Home::new();
    let project = book(&home);
    let file = home.file("more.md", "# 第三章\n\n雨停了。\n".as_bytes());
    let offline = |arguments: &[&'static str]| -> Vec<&'static str> { [arguments, &OFFLINE[..]].concat() };
    let before = everything(&home);
    idle(&home, &before, &["import", file.to_str().unwrap(), "--dry-run"]).expect(0);
    idle(&home, &before, &["reconcile", &project]);
    idle(&home, &before, &["check", &project]);
    idle(&home, &before, &["ask", &project, "沈砚秋住在哪里？"]).expect(0);
    let task = offline(&["--dry"]);
    idle(&home, &before, &[&["task", "把第一章的第一句改短", "--project", &project][..], &task[..]].concat());
    let more = offline(&["--chapter", "2"]);
    idle(&home, &before, &[&["continue", &project][..], &more[..]].concat());
    let brief = offline(&["--chapters", "1", "--brief"]);
    home.run(&[&["write", &project][..], &brief[..]].concat());
    let story = home.run(&["export-story", &project]).expect(0).json();
    let texts: Vec<&Value> = story["documents"].as_array().unwrap().iter().map(|text| &text["version"]).collect();
    assert_eq!(texts, [1, 1], "no prose was written");
}

#[test]
fn as_many_are_mended_as_can_be() {
    let home = Home::new();
    let project = book(&home);
    let checked = home.run(&["check", &project, "--json"]).expect(0).json();
    let promised = checked["mendable"].as_array().unwrap().len();
    assert!(promised > 0, "{checked}");
    let said = home.run(&["check", &project, "--ui-lang", "en"]).expect(0).stdout;
    assert!(said.contains(&format!("{promised} of them can be fixed automatically: --fix")), "{said}");
    let mended = home.run(&["check", &project, "--fix", "--json"]).expect(0).json();
    let mut ids = [&checked["mendable"], &mended["mended"]].map(|ids| {
        let mut ids: Vec<String> = ids.as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect();
        ids.sort();
        ids
    });
    assert_eq!(std::mem::take(&mut ids[0]), ids[1], "{mended}");
    let again = home.run(&["check", &project, "--ui-lang", "en"]).expect(0).stdout;
    assert!(!again.contains("--fix"), "{again}");
    let none = home.run(&["check", &project, "--fix", "--ui-lang", "en"]).expect(0).stdout;
    assert!(none.contains("Nothing could be fixed"), "{none}");
}

#[test]
fn a_file_promises_no_mending_in_place() {
    let home = Home::new();
    let project = book(&home);
    let story = home.file("story.json", home.run(&["export-story", &project]).expect(0).stdout.as_bytes());
    let said = home.run(&["check", story.to_str().unwrap(), "--ui-lang", "en"]).stdout;
    assert!(said.contains("can be fixed") && !said.contains("--fix"), "{said}");
}

#[test]
fn a_finished_book_is_not_scored_for_its_outline() {
    let home = Home::new();
    let chapters: String = (1..=10).map(|number| format!("第{number}章\n\n第{number}天下了雨。\n\n")).collect();
    let file = home.file("in.txt", chapters.as_bytes());
    home.run(&["import", file.to_str().unwrap()]).expect(0);
    let projects = home.run(&["projects", "--json"]).expect(0).json();
    let checked = home.run(&["check", projects[0]["project"].as_str().unwrap(), "--json"]).expect(0).json();
    assert!(checked["score"].as_u64().unwrap() >= 95, "{checked}");
}

#[test]
fn reviewed_once_and_corrected_never() {
    let home = Home::new();
    let strict = ["--no-meta-scheduler", "--set", "pipeline.thresholds.complete=100", "--yes", "--json"];
    let ended = home.create(EN, &strict).expect(3).json();
    assert_eq!((&ended["iteration_count"], &ended["status"]), (&0.into(), &"waiting".into()), "{ended}");
    let agents = ended["usage"]["by_agent"].as_object().unwrap().len();
    assert_eq!(ended["usage"]["calls"], agents, "each agent is asked once: {ended}");
    let both = home.create(EN, &["--no-meta-scheduler", "--max-iterations", "2"]);
    assert_eq!(both.code, Some(2), "{both:?}");
}

#[test]
fn what_is_set_for_a_command_holds_for_that_command() {
    let home = Home::new();
    let stopped = home
        .create(EN, &["--set", "budget.tokens=2000", "--set", "budget.free_models=true", "--json"])
        .expect(1)
        .json();
    assert_eq!(stopped["errors"][0]["code"], "budget", "{stopped}");
    home.run(&["resume", stopped["run"].as_str().unwrap(), "--yes", "--json"]).expect_worked();

    let new = ["produce", "new", EN, "--set", "web.search=searxng", "--json"];
    let failed = home.run(&[&new[..], &OFFLINE[..]].concat());
    assert_ne!(failed.code, Some(3), "a search engine without an address: {failed:?}");
    assert!(failed.stdout.contains("web"), "{failed:?}");
    let projects = home.run(&["projects", "--json"]).expect(0).json();
    for project in projects.as_array().unwrap().iter().map(|row| row["project"].as_str().unwrap()) {
        if project != stopped["project"] {
            let turn = home.run(&["produce", "chat", project, "--say", "For beginners", "--json"]);
            assert!(!turn.stdout.contains("searxng") && turn.code == Some(0), "{turn:?}");
        }
    }
}

#[test]
fn a_wrong_value_is_blamed_on_where_it_came_from() {
    let home = Home::new();
    let flag = home.create(EN, &["--set", "budget.tokens=lots", "--ui-lang", "en"]).expect(1).stderr;
    assert!(flag.contains("given with this command") && !flag.contains("config path"), "{flag}");
    let mut command = home.command(&["projects", "--ui-lang", "en"]);
    let variable = CommandOutput::of(command.env("QINGYU_BUDGET_TOKENS", "lots").output().unwrap()).stderr;
    assert!(variable.contains("QINGYU_BUDGET_TOKENS") && !variable.contains("config path"), "{variable}");
    home.file("config.toml", b"[budget]\ntokens = \"lots\"\n");
    let file = home.run(&["projects", "--ui-lang", "en"]).stderr;
    assert!(file.contains("config.toml") && file.contains("config path"), "{file}");
}

#[test]
fn a_question_is_answered_only_by_a_sentence_that_says_it() {
    let home = Home::new();
    let project = book(&home);
    let asked = |question: &str| home.run(&["ask", &project, question, "--json"]).expect(0).json();
    assert_eq!(asked("沈砚秋住在哪里？")["holds"], true);
    for question in ["沈砚秋的父亲是谁？", "沈硯秋多大年紀？", "谁住在雨里？"] {
        assert_eq!(asked(question)["holds"], false, "{question}");
    }
}
