//! A production made in a conversation, in a terminal: asked, answered, led through its phases, left, killed, gone on with.

use serde_json::Value;

use crate::home::{Home, OFFLINE};
use crate::terminal::Terminal;

const COURSE: &str = "为独立开发者写一门关于定价的短课程";
const YOU: &str = "您> ";
const CTRL_D: &str = "\u{4}";
const UP: &str = "\u{1b}[A";

fn begin(home: &Home) -> Terminal {
    let mut terminal = Terminal::start(home, &[&["produce", "new", COURSE, "--ui-lang", "zh"], &OFFLINE[..]].concat());
    terminal.see("Ctrl-D");
    terminal.see("他们现在卡在什么问题上？");
    terminal.see(YOU);
    terminal
}

fn go_on(home: &Home, project: &str) -> Terminal {
    Terminal::start(home, &[&["produce", "chat", project, "--ui-lang", "zh"], &OFFLINE[..]].concat())
}

fn project(home: &Home) -> String {
    home.run(&["projects", "--json"]).expect(0).json()[0]["project"].as_str().unwrap().to_owned()
}

fn phases_done(home: &Home, project: &str) -> Vec<String> {
    let view = home.run(&["produce", "fields", project, "--json"]).expect(0).json();
    let phases = view["phases"].as_array().unwrap();
    let is_done = |phase: &&Value| phase["is_done"] == true;
    phases.iter().filter(is_done).map(|phase| phase["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_course_is_made_in_a_conversation() {
    let home = Home::new();
    let mut terminal = begin(&home);
    terminal.say("价格定低了，不敢涨", &["看完之后，他们能自己做成什么？"], YOU);
    terminal.say("给自己的产品定一个价", &["有什么限制？"], YOU);
    terminal.say("生成", &["「意图分析」阶段完成", "继续"], YOU);
    terminal.say("/fields", &["▶ 意图分析", "intent/report  待确认", "research/report  空"], YOU);
    terminal.say("/read 意图报告", &["路径：intent/report", "价格定低了，不敢涨"], YOU);
    terminal.say("/read 没有的", &["error[production]", "没有的"], YOU);
    terminal.say("/什么", &["/fields", "/quit"], YOU);
    // There is no network: that is a warning, and the phase ends all the same.
    terminal.say("继续", &["消费者调研", "! ", "没有来源", "「消费者调研」阶段完成"], YOU);
    terminal.say("继续", &["「内涵设计」阶段完成"], YOU);
    terminal.say("@课程承诺 改短一点", &["已完成：课程承诺"], YOU);
    terminal.press(&format!("{UP}{UP}\r"));
    terminal.see("「内涵生产」阶段完成");
    terminal.see(YOU);
    terminal.press(CTRL_D);
    terminal.see("制作在等您");
    let project = project(&home);
    terminal.see(&format!("qingyu produce chat {project}"));
    let (code, drawn) = terminal.end();
    assert_eq!(code, 0, "{drawn}");
    for once in ["他们现在卡在什么问题上？", "看完之后，他们能自己做成什么？", "有什么限制？"]
    {
        assert_eq!(drawn.matches(once).count(), 1, "{once}: what was read while it came is not drawn again: {drawn}");
    }
    assert_eq!(drawn.matches("offline-rules-1 — ").count(), 1, "the model is named once: {drawn}");
    assert_eq!(phases_done(&home, &project), ["intent", "research", "design_inner"]);

    let mut terminal = go_on(&home, &project);
    terminal.see("「内涵生产」阶段完成");
    terminal.see(YOU);
    // What was typed in another conversation is remembered.
    terminal.press(&format!("{UP}\r"));
    terminal.see("「外延设计」阶段完成");
    terminal.see(YOU);
    terminal.say("继续", &["「外延生产」阶段完成"], YOU);
    terminal.say("继续", &["「消费者模拟」阶段完成"], YOU);
    terminal.say("继续", &["「评估」阶段完成"], YOU);
    terminal.press("继续\r");
    terminal.see("所有阶段都完成了");
    let (code, drawn) = terminal.end();
    assert_eq!(code, 0, "{drawn}");
    assert_eq!(drawn.matches("所有阶段都完成了").count(), 1, "{drawn}");
    assert_eq!(phases_done(&home, &project).len(), 8);
    let file = home.path().join("course.md");
    let lessons = ["produce", "export", &project, "produce_inner/lessons", "--draft", "--output"];
    home.run(&[&lessons[..], &[file.to_str().unwrap()]].concat()).expect(0);
    let course = std::fs::read_to_string(file).unwrap();
    assert!(course.starts_with("# ") && course.contains("## 课文 5"), "{course}");
}

#[test]
fn what_was_said_outlives_a_killed_process() {
    let home = Home::new();
    let mut terminal = begin(&home);
    terminal.say("价格定低了，不敢涨", &["看完之后，他们能自己做成什么？"], YOU);
    // Killed while the answer to this is on its way.
    terminal.press("给自己的产品定一个价\r");
    terminal.see("有什么限制？");
    terminal.kill();

    let project = project(&home);
    let mut terminal = go_on(&home, &project);
    terminal.see("有什么限制？");
    terminal.see(YOU);
    // Killed while fields are made.
    terminal.press("生成\r");
    terminal.see("intent/");
    terminal.kill();

    let mut terminal = go_on(&home, &project);
    terminal.see("「意图分析」阶段完成");
    terminal.see(YOU);
    terminal.press(CTRL_D);
    assert_eq!(terminal.end().0, 0);
    let report = home.run(&["produce", "read", &project, "intent/report", "--json"]).expect(0).json();
    let value = report["value"].to_string();
    for said in ["价格定低了，不敢涨", "给自己的产品定一个价"] {
        assert!(value.contains(said), "{said}: {value}");
    }
    assert_eq!(report["version"], 1, "made once");
}

#[test]
fn it_talks_english_too() {
    let home = Home::new();
    let asked = "a short course on pricing for independent developers";
    let arguments = [&["produce", "new", asked, "--ui-lang", "en"], &OFFLINE[..]].concat();
    let mut terminal = Terminal::start(&home, &arguments);
    terminal.see("/help shows commands");
    terminal.see("?");
    terminal.see("you> ");
    terminal.say("go ahead", &["Intent", "intent/personas", "go on"], "you> ");
    terminal.say("/help", &["/research", "search and read the web"], "you> ");
    terminal.press("/quit\r");
    terminal.see("nothing is lost");
    assert_eq!(terminal.end().0, 0);
}
