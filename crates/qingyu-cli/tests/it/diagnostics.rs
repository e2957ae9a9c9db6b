//! `qingyu doctor --report`: what a bug report needs, and nothing of the author.

use std::process::Command;

use serde_json::Value;

use crate::home::{CommandOutput, EN, Home, ZH};

/// Secrets, names, titles and prose that are put into the home: none of them may be found in the report. `Obsidian` and `黑曜石` stand in
/// every text of the author.
const CANARIES: [&str; 9] =
    ["canary", "obsidian", "黑曜石", "私家侦探", "gardener", "locked-room", "acme", "mei.lin", "sk-"];

fn with_secrets(home: &Home) {
    let settings = r#"
[models]
default = "offline-rules-1"
writer = "sk-canary-in-the-wrong-place"
[retries]
attempts = 1
[budget]
tokens = 123456
[providers.acme-obsidian]
base_url = "http://mei.lin:canary@127.0.0.1:9/canary/v1?key=canary"
key_variable = "OBSIDIAN_API_KEY"
headers = { x-canary = "canary" }
extra_body = { note = "canary" }
[prices."acme-obsidian/canary"]
currency = "USD"
input = 1.0
output = 2.0
[mcp_servers.obsidian-notes]
command = "/home/mei.lin/bin/canary"
args = ["--token", "canary"]
env = { TOKEN = "canary" }
[web]
search_endpoint = "https://search.acme.example/canary"
allow = ["intranet.acme.example:80"]
[prompts]
folder = "/home/mei.lin/obsidian/prompts"
"#;
    home.file("config.toml", settings.as_bytes());
    home.file("model-keys.toml", b"deepseek = \"sk-canary-kept\"\n");
    std::fs::create_dir_all(home.path().join("projects")).unwrap();
    std::fs::create_dir_all(home.path().join("lists")).unwrap();
    home.file("lists/canary.toml", b"words = [\"canary\"]\n");
}

fn command(home: &Home, arguments: &[&str]) -> Command {
    let mut command = home.command(arguments);
    command.env("OPENAI_API_KEY", "sk-canary-environment").env("OBSIDIAN_API_KEY", "sk-canary-own");
    command
}

#[track_caller]
fn hides_all(text: &str, home: &Home) -> Value {
    let small = text.to_lowercase();
    let found: Vec<_> = CANARIES.iter().filter(|canary| small.contains(*canary)).collect();
    assert!(found.is_empty(), "{found:?} in {text}");
    let around = home.path().parent().unwrap().to_str().unwrap();
    assert!(!text.contains(&format!("{around}/")), "a path in {text}");
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_report_has_nothing_of_the_author_in_it() {
    let home = Home::new();
    with_secrets(&home);
    let run = |arguments: &[&str]| CommandOutput::of(command(&home, arguments).output().unwrap());
    run(&["create", ZH, "--title", "黑曜石之城", "--model", "offline-rules-1", "--yes"]).expect_worked();
    run(&["create", EN, "--title", "Obsidian", "--model", "offline-rules-1", "--yes"]).expect_worked();
    // A run that fails, with an address and a model of the author's in its failure.
    run(&["create", EN, "--title", "Obsidian 2", "--model", "acme-obsidian/canary", "--yes"]).expect(1);
    let manuscript = home.file("obsidian.txt", "第一章 黑曜石\n\n园丁 the gardener 在黑曜石的门前停下。\n".as_bytes());
    run(&["import", manuscript.to_str().unwrap(), "--title", "黑曜石"]).expect(0);

    let report = home.path().join("report.json");
    let told = run(&["doctor", "--local", "--report", report.to_str().unwrap(), "--ui-lang", "en"]);
    assert!(told.stdout.contains("Read it before you send it"), "{told:?}");
    let text = std::fs::read_to_string(&report).unwrap();
    let report_of = hides_all(&text, &home);

    assert_eq!(report_of["format"], "qingyu-diagnostics-1");
    assert_eq!(report_of["program"]["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(report_of["platform"]["architecture"], std::env::consts::ARCH);
    assert_eq!(report_of["folder"], home.path().file_name().unwrap().to_str().unwrap());
    let setting = |key: &str| {
        let settings = report_of["settings"].as_array().unwrap();
        settings
            .iter()
            .find(|setting| setting["key"] == key)
            .unwrap_or_else(|| panic!("{key} is not in {text}"))
            .clone()
    };
    let tokens = setting("budget.tokens");
    assert_eq!(
        (&tokens["value"], &tokens["layer"], &tokens["source"]),
        (&123_456.into(), &"user".into(), &"config.toml".into())
    );
    assert_eq!(setting("models.writer")["value"], "<hidden>");
    assert_eq!(setting("providers.<provider>.base_url")["value"], "<hidden>");
    assert!(report_of["checks"].as_array().unwrap().iter().any(|check| check["check"] == "database"), "{text}");
    let failures = report_of["failures"].as_array().unwrap();
    let [failure] = failures.as_slice() else { panic!("{text}") };
    assert_eq!((&failure["kind"], &failure["code"]), (&"create".into(), &"provider_unreachable".into()));
    assert_eq!(failure["model"], "<hidden>");
    assert_eq!((&report_of["sizes"]["projects"], &report_of["runs"]["failed"]), (&4.into(), &1.into()));
    assert!(report_of["sizes"]["database_bytes"].as_u64().unwrap() > 100_000);
    assert_eq!(report_of["unread"], serde_json::json!({}));

    // A file that is there is not written over without a word.
    let again = run(&["doctor", "--local", "--report", report.to_str().unwrap()]).expect(1);
    assert!(again.stderr.contains("error[file_exists]"), "{again:?}");
    run(&["doctor", "--local", "--report", report.to_str().unwrap(), "--force", "--json"]);
}

#[test]
fn a_report_is_made_of_a_new_and_of_a_broken_home() {
    let home = Home::new();
    let path = home.path().join("report.json");
    let arguments = ["doctor", "--local", "--report", path.to_str().unwrap(), "--force"];
    home.run(&arguments).expect(0);
    let report = hides_all(&std::fs::read_to_string(&path).unwrap(), &home);
    assert_eq!((&report["runs"], &report["failures"]), (&serde_json::json!({}), &serde_json::json!([])));
    assert!(!home.path().join("qingyu.db").exists(), "looking makes nothing");

    home.file("qingyu.db", &b"The gardener of Obsidian. ".repeat(400));
    home.run(&arguments).expect(1);
    let report = hides_all(&std::fs::read_to_string(&path).unwrap(), &home);
    assert!(report["unread"]["database"].is_string(), "{report}");
    let database = report["checks"].as_array().unwrap().iter().find(|check| check["check"] == "database").unwrap();
    assert_eq!((&database["state"], &database["data"]["code"]), (&"failed".into(), &report["unread"]["database"]));
}
