//! Productions through the door: from a sentence to files, fields by hand, what becomes stale, and the same for a book.

use std::io::Read;
use std::path::Path;

use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use crate::home::{CommandOutput, Home, OFFLINE};

const ZH: &str = "为独立开发者写一门关于定价的短课程";
const EN: &str = "a short course on pricing for independent developers";

fn produce(home: &Home, arguments: &[&str]) -> CommandOutput {
    home.run(&[&["produce"], arguments].concat())
}

/// A production that has gone the whole way, and its project.
fn made(home: &Home, premise: &str, more: &[&str]) -> (String, CommandOutput) {
    let ended = produce(home, &[&["new", premise, "--autonomy", "all=auto"], &OFFLINE[..], more].concat()).expect(0);
    let projects = home.run(&["projects", "--json"]).expect(0).json();
    (projects[0]["project"].as_str().unwrap().to_owned(), ended)
}

/// Paths with how each stands.
fn statuses(home: &Home, project: &str) -> Vec<(String, String)> {
    let view = produce(home, &["fields", project, "--json"]).expect(0).json();
    let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    view["fields"].as_array().unwrap().iter().map(|row| (text(row, "path"), text(row, "status"))).collect()
}

fn version(home: &Home, project: &str, field: &str) -> u64 {
    produce(home, &["read", project, field, "--json"]).expect(0).json()["version"].as_u64().unwrap()
}

fn stale(home: &Home, project: &str) -> Vec<String> {
    let rows = produce(home, &["stale", project, "--json"]).expect(0).json();
    rows.as_array().unwrap().iter().map(|row| row["path"].as_str().unwrap().to_owned()).collect()
}

fn report(goal: &str) -> String {
    json!({
        "audience": "独立开发者", "constraints": ["十节以内"], "goal": goal, "problem": "不敢涨价",
        "promise": "写下自己的价格", "success": ["写下价格"], "tone": "平实"
    })
    .to_string()
}

#[track_caller]
fn fits(text: &str) {
    for line in text.lines() {
        assert!(line.width() <= 80, "{} columns: {line}", line.width());
    }
}

/// Fails with this code and exit code, and says so in words of both languages.
#[track_caller]
fn refused(home: &Home, arguments: &[&str], exit: i32, code: &str, words: [&str; 2]) {
    let told = produce(home, &[arguments, &["--json"]].concat()).expect(exit).json();
    assert_eq!(told["error"]["code"], code, "{told}");
    for (language, words) in ["zh", "en"].into_iter().zip(words) {
        let said = produce(home, &[arguments, &["--ui-lang", language]].concat()).expect(exit).stderr;
        fits(&said);
        // A line ends where it must, in the middle of a sentence.
        let gap = if language == "zh" { "" } else { " " };
        let flat = said.split_whitespace().collect::<Vec<_>>().join(gap);
        let words = words.split_whitespace().collect::<Vec<_>>().join(gap);
        assert!(flat.contains(&format!("error[{code}]")) && flat.contains(&words), "{language}: {said}");
    }
}

#[test]
fn who_is_never_asked_is_not_decided_for() {
    let home = Home::new();
    let ended = produce(&home, &[&["new", EN, "--yes", "--json"], &OFFLINE[..]].concat()).expect(3).json();
    assert_eq!(ended["status"], "waiting", "{ended}");
    let project = ended["project"].as_str().unwrap();
    assert!(statuses(&home, project).iter().all(|(_, status)| status != "confirmed"));
    // One phase at a time: what waits is taken by a person, and the next phase waits again.
    let said = produce(&home, &["chat", project, "--say", "go ahead", "--yes", "--json"]).json();
    assert_eq!(said["status"], "waiting", "{said}");
}

#[test]
fn a_sentence_becomes_a_course_without_a_question() {
    for (premise, language, done) in [(ZH, "zh", "所有阶段都完成了"), (EN, "en", "All phases are done")] {
        let home = Home::new();
        let (project, ended) = made(&home, premise, &["--ui-lang", language]);
        assert_eq!(ended.stdout.matches(done).count(), 1, "{}", ended.stdout);
        fits(&ended.stdout);
        fits(&ended.stderr);
        let fields = statuses(&home, &project);
        assert!(fields.len() >= 18, "{fields:?}");
        assert!(fields.iter().all(|(_, status)| status == "confirmed"), "{fields:?}");
        let shown = produce(&home, &["fields", &project, "--phase", "intent", "--ui-lang", language]).expect(0).stdout;
        assert!(shown.contains("intent/report") && !shown.contains("evaluate/report"), "{shown}");
        fits(&shown);
        let read = produce(&home, &["read", &project, "outline", "--ui-lang", language]).expect(0).stdout;
        assert!(read.contains("design_inner/outline") && read.contains("offline-rules-1"), "{read}");
        fits(&read);
        let none = produce(&home, &["stale", &project, "--ui-lang", language]).expect(0).stdout;
        assert!(none.contains(if language == "zh" { "没有过期" } else { "Nothing is stale" }), "{none}");
        let templates = produce(&home, &["templates", "--ui-lang", language]).expect(0).stdout;
        for name in ["course", "articles", "product_page", "short_video"] {
            assert!(templates.contains(name), "{templates}");
        }
        fits(&templates);
    }
}

#[test]
fn phases_go_on_by_themselves_only_where_they_are_told_to() {
    let home = Home::new();
    let asked = produce(&home, &[&["new", ZH, "--json"], &OFFLINE[..]].concat()).expect(3).json();
    assert_eq!(asked["status"], "waiting");
    let project = asked["project"].as_str().unwrap();
    let said = produce(&home, &["chat", project, "--say", "不敢涨价", "--say", "生成", "--ui-lang", "zh"]).expect(0);
    for words in ["看完之后，他们能自己做成什么？", "「意图分析」阶段完成"] {
        assert_eq!(said.stdout.matches(words).count(), 1, "{words}: {}", said.stdout);
    }
    let statuses = statuses(&home, project);
    assert_eq!(statuses[0].1, "draft", "it waits to be confirmed: {statuses:?}");
    produce(&home, &["confirm", project, "intent/report", "personas"]).expect(0);
    let confirmed = self::statuses(&home, project).into_iter().filter(|(_, status)| status == "confirmed").count();
    assert_eq!(confirmed, 2);

    let other = Home::new();
    let settings = ["--autonomy", "intent=auto,research=auto", "--json"];
    let run = produce(&other, &[&["new", ZH], &settings[..], &OFFLINE[..]].concat()).expect(3).json();
    let view = produce(&other, &["fields", run["project"].as_str().unwrap(), "--json"]).expect(0).json();
    assert_eq!(view["phases"][1]["autonomy"], "auto");
    assert_eq!(view["phases"][2]["autonomy"], "wait");
}

#[test]
fn a_change_makes_stale_what_is_made_from_it_and_only_that_is_made_anew() {
    let home = Home::new();
    let (project, _) = made(&home, ZH, &[]);
    let positioning =
        json!({"statement": "给不敢涨价的人", "alternatives": [], "difference": "有练习", "not_for": "大公司"});
    let typed = positioning.to_string();
    let change = produce(&home, &["update", &project, "positioning", "--value", &typed, "--json"]).expect(0).json();
    assert_eq!((&change["path"], &change["version"]), (&"design_outer/positioning".into(), &2.into()));
    let mut told: Vec<&str> = change["stale"].as_array().unwrap().iter().map(|path| path.as_str().unwrap()).collect();
    let reports = ["simulate/report", "evaluate/report"];
    told.retain(|path| !reports.contains(path));
    assert_eq!(
        told,
        [
            "design_outer/channel_plan",
            "produce_outer/landing_page",
            "produce_outer/emails",
            "produce_outer/social_posts"
        ]
    );
    let listed: Vec<String> = stale(&home, &project);
    assert!(told.iter().all(|path| listed.contains(&(*path).to_owned())), "{listed:?}");
    let words = produce(&home, &["stale", &project, "--ui-lang", "en"]).expect(0).stdout;
    assert!(words.contains("because of") && words.contains("design_outer/positioning"), "{words}");
    fits(&words);

    let before: Vec<(String, String)> = provenance(&home, &project);
    produce(&home, &[&["regenerate", &project], &OFFLINE[..]].concat()).expect(0);
    let after = stale(&home, &project);
    assert!(after.iter().all(|path| reports.contains(&path.as_str())), "{after:?}");
    let changed: Vec<String> = provenance(&home, &project)
        .into_iter()
        .zip(before)
        .filter(|(after, before)| after != before)
        .map(|(after, _)| after.0)
        .collect();
    assert!(changed.iter().all(|path| told.contains(&path.as_str())), "nothing else was made anew: {changed:?}");
    assert_eq!(version(&home, &project, "design_inner/outline"), 1);
    assert_eq!(
        produce(&home, &["read", &project, "positioning", "--json"]).json()["value"],
        positioning,
        "what a person wrote stays"
    );
}

/// Paths with value and maker.
fn provenance(home: &Home, project: &str) -> Vec<(String, String)> {
    let paths = statuses(home, project).into_iter().map(|(path, _)| path);
    paths
        .map(|path| {
            let field = produce(home, &["read", project, &path, "--json"]).expect(0).json();
            (path, format!("{} {} {}", field["version"], field["value"], field["made_by"]))
        })
        .collect()
}

#[test]
fn what_cannot_be_is_refused_clearly() {
    let home = Home::new();
    let (project, _) = made(&home, ZH, &[]);
    let project = project.as_str();
    let before = statuses(&home, project);
    let update = |field: &'static str, value: &'static str| ["update", project, field, "--value", value];
    refused(&home, &update("outline", r#"{"a":1}"#), 1, "production", ["\"title\"", "\"title\""]);
    refused(&home, &update("intent/report", "涨价"), 2, "not_json", ["不是 JSON", "not JSON"]);
    refused(&home, &update("intent/nothing", "x"), 1, "production", ["没有", "There is no field intent/nothing."]);
    refused(&home, &["read", project, "report"], 1, "production", ["intent/report", "Similar ones: intent/report"]);
    refused(&home, &["confirm", project, "nobody"], 1, "production", ["nobody", "no field nobody"]);
    let new = |more: [&'static str; 2]| [&["new", ZH, "--yes"], &more[..], &OFFLINE[..]].concat();
    refused(&home, &new(["--template", "opera"]), 1, "production", ["「opera」", "no template opera"]);
    refused(&home, &new(["--autonomy", "lunch=auto"]), 1, "production", ["「lunch」", "no phase lunch"]);
    refused(&home, &new(["--autonomy", "research=often"]), 2, "bad_autonomy", ["--autonomy", "--autonomy"]);
    refused(&home, &["fields", "nobody"], 1, "unknown_project", ["nobody", "nobody"]);
    let channel = ["export", project, "--format", "channel", "--channel", "radio"];
    refused(&home, &channel, 1, "production", ["「radio」", "handout"]);
    let open = ["内容还不能发布", "The content is not ready to be published."];
    refused(&home, &["export", project, "--output", "x"], 1, "production", open);
    produce(&home, &["export", project, "--format", "channel"]).expect(2);

    let value = report("敢涨价");
    let old = ["update", project, "intent/report", "--value", &value, "--expected", "7"];
    refused(&home, &old, 1, "field_conflict", ["现在是第 1 版，不是第 7 版", "it has version 1, not 7"]);
    assert_eq!(statuses(&home, project), before, "nothing of this changed anything");
    assert_eq!(home.run(&["projects", "--json"]).json().as_array().unwrap().len(), 1);
    produce(&home, &["update", project, "intent/report", "--value", &value, "--expected", "1"]).expect(0);
}

#[test]
fn a_production_has_a_schedule_until_it_is_switched_off() {
    let home = Home::new();
    let (project, _) = made(&home, ZH, &[]);
    let schedule = |options: &[&str]| produce(&home, &[&["schedule", &project][..], options].concat());
    assert!(schedule(&["--ui-lang", "zh"]).expect(0).stdout.contains("没有定时"));
    let set = schedule(&["--every", "1w", "--say", "写这一周的", "--json"]).expect(0).json();
    assert_eq!((&set["every"], &set["order"]), (&json!("1w"), &json!({"do": "say", "text": "写这一周的"})));
    assert!(set["next"].is_string() && set["last"].is_null(), "{set}");
    let shown = schedule(&["--ui-lang", "zh"]).expect(0).stdout;
    assert!(shown.contains("每 1w 一次") && shown.contains("写这一周的"), "{shown}");
    let refused = schedule(&["--every", "weekly", "--json"]).json();
    assert_eq!(refused["error"]["code"], "bad_request");
    assert!(schedule(&["--off", "--json"]).expect(0).json()["every"].is_null());
}

#[test]
fn content_goes_out_as_files() {
    let home = Home::new();
    let (project, _) = made(&home, ZH, &[]);
    let file = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
    // What the offline model makes is open in places, and goes out as a draft alone.
    let export = |format: &[&str], output: &str| {
        produce(&home, &[&["export", &project, "--output", output, "--draft", "--json"], format].concat())
    };
    let lessons = |format: &[&'static str]| [&["produce_inner/lessons"], format].concat();
    let (markdown, word, data) = (file("course.md"), file("course.docx"), file("course.json"));
    let told = export(&lessons(&[]), &markdown).expect(0).json();
    assert_eq!(told["files"], json!([markdown]));
    let kinds = told["problems"].as_array().unwrap().iter().map(|problem| problem["kind"].as_str().unwrap());
    assert!(kinds.clone().any(|kind| kind == "open") && kinds.clone().any(|kind| kind == "short"), "{told}");
    let text = std::fs::read_to_string(&markdown).unwrap();
    assert!(text.starts_with("# ") && text.contains("\n\n## 课文 1") && !text.contains("null"), "{text}");

    let again = ["export", &project, "produce_inner/lessons", "--draft", "--output", &markdown];
    refused(&home, &again, 1, "file_exists", ["--force", "--force"]);
    std::fs::write(&markdown, "mine").unwrap();
    export(&lessons(&["--format", "docx"]), &markdown).expect(1);
    assert_eq!(std::fs::read_to_string(&markdown).unwrap(), "mine");
    export(&lessons(&["--force"]), &markdown).expect(0);
    assert_eq!(std::fs::read_to_string(&markdown).unwrap(), text);

    // One file for each audience, and the page and the e-mails are not in the learners' text.
    let all = export(&[], &file("all")).expect(0).json();
    let names: Vec<&str> = all["files"].as_array().unwrap().iter().map(|file| file.as_str().unwrap()).collect();
    assert_eq!(names.len(), 4, "{names:?}");
    for audience in ["学员", "访客", "邮件订阅者", "社交媒体"] {
        assert!(names.iter().any(|name| name.contains(audience)), "{names:?}");
    }
    let pages = export(&["--format", "html"], &file("pages")).expect(0).json();
    let page = std::fs::read_to_string(pages["files"][0].as_str().unwrap()).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<h1>"), "{page}");

    export(&lessons(&["--format", "docx"]), &word).expect(0);
    let imported = home.run(&["import", &word, "--lang", "zh", "--json"]).expect_worked();
    assert!(imported.stdout.contains("docx"), "our own reader takes it: {imported:?}");
    let document = part(Path::new(&word), b"word/document.xml");
    assert!(document, "it has the part that Word opens");

    export(&["--format", "json"], &data).expect(0);
    let fields: Value = serde_json::from_slice(&std::fs::read(&data).unwrap()).unwrap();
    assert!(fields.to_string().contains("design_inner/outline"), "{fields}");
    let mail = export(&["--format", "channel", "--channel", "email"], &file("mail")).expect(0).json();
    let first = mail["files"][0].as_str().unwrap();
    assert!(!std::fs::read_to_string(first).unwrap().trim().is_empty());
    let one = file("one.md");
    export(&["produce_inner/lessons/2"], &one).expect(0);
    let one = std::fs::read_to_string(one).unwrap();
    assert!(one.starts_with("# ") && one.matches("## 练习").count() == 1, "one lesson alone: {one}");
}

/// Whether the archive names this part.
fn part(archive: &Path, name: &[u8]) -> bool {
    let mut bytes = Vec::new();
    std::fs::File::open(archive).unwrap().read_to_end(&mut bytes).unwrap();
    bytes.starts_with(b"PK") && bytes.windows(name.len()).any(|window| window == name)
}

#[test]
fn a_book_has_readers_judges_and_the_same_context() {
    const BOOK: &str = "第一章 雨夜\n\n更夫林青在雨里敲了三下梆子。铜钥匙换了主人，没有人看见。\n\n“你来晚了。”白露说。\n\n第二章 清晨\n\n天亮以后，钥匙不见了。林青沿着河走了一里路。\n";
    let home = Home::new();
    let file = home.file("book.txt", BOOK.as_bytes());
    home.run(&["import", file.to_str().unwrap(), "--lang", "zh"]).expect_worked();
    let project = home.run(&["projects", "--json"]).expect(0).json()[0]["project"].as_str().unwrap().to_owned();
    refused(&home, &["fields", &project], 1, "production", ["produce simulate", "produce simulate"]);
    produce(&home, &[&["simulate", &project], &OFFLINE[..]].concat()).expect(0);
    produce(&home, &[&["evaluate", &project, "chapters/1"], &OFFLINE[..]].concat()).expect(0);
    produce(&home, &[&["evaluate", &project, "chapters/9"], &OFFLINE[..]].concat()).expect(1);
    for field in ["simulate/report", "evaluate/report"] {
        assert_eq!(version(&home, &project, field), 1, "{field}");
    }
    let goal = "让读者相信更夫会救人";
    let task = ["task", &project, "分析第一章的情节", "--model", "offline-rules-1"];
    home.run(&task).expect(0);
    assert!(requests(&home).iter().all(|request| !request.contains(goal)));
    let known = requests(&home).len();
    produce(&home, &["update", &project, "intent/report", "--value", &report(goal)]).expect(0);
    home.run(&task).expect(0);
    let asked = requests(&home);
    let told = asked.iter().filter(|request| request.contains(goal)).count();
    assert!(told > 0 && told == asked.len() - known, "{told} of {} new requests", asked.len() - known);
}

/// Every request that was recorded.
fn requests(home: &Home) -> Vec<String> {
    let mut found = Vec::new();
    for file in std::fs::read_dir(home.path().join("cassettes")).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        found.extend(lines.filter_map(|line| Some(line.get("request")?.to_string())));
    }
    found
}
