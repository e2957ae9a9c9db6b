//! A book is written in a process that is killed.

use std::path::Path;
use std::process::Stdio;

use qingyu_llm::Reply;
use qingyu_llm::testing::server::{Recorded, Scripted, Server};
use qingyu_studio::agents::WritingTask;
use qingyu_studio::{ChapterWriteRequest, CreateRequest, RunStatus, Settings, Studio};
use serde_json::json;
use tokio::process::{Child, Command};
use tokio::sync::mpsc;

use crate::script::{REQUIREMENT, USAGE};
use crate::wire::{self, KEY, write_settings};
use crate::{environment, finish};

/// Names the data folder in the child.
const HOME: &str = "QINGYU_TEST_BOOK_HOME";
/// The calls of a chapter that passes its first review.
const CALLS: usize = 4;
/// The chapters of the book.
const CHAPTERS: usize = 2;

/// The child: writes the book of the folder, or goes on with it, until it is done or the child is killed.
#[tokio::test]
#[ignore = "it is the child of another test"]
async fn writer() {
    let Ok(home) = std::env::var(HOME) else { return };
    let studio = open(Path::new(&home)).await;
    let runs = studio.runs().await.unwrap();
    let run = match runs.iter().find(|row| row.status == RunStatus::Interrupted) {
        Some(row) => studio.resume(&row.run, None).await.unwrap(),
        None => {
            let task = WritingTask::Draft { chapters: Vec::new() };
            let project = runs[0].project.clone();
            studio
                .write(ChapterWriteRequest { project, task, words: Some(300), ..ChapterWriteRequest::default() })
                .await
                .unwrap()
        }
    };
    assert_eq!(finish(run).await.1.status, RunStatus::Done);
}

async fn open(home: &Path) -> Studio {
    let settings = Settings::load(environment(home, &[("MINE_API_KEY", KEY)]), toml::Table::new()).unwrap();
    Studio::open(settings).await.unwrap()
}

fn start(home: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["book::writer", "--exact", "--ignored", "--nocapture", "--test-threads=1"]).env(HOME, home);
    command.stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true).spawn().unwrap()
}

/// Answers every call of the writing; the prose differs from request to request, and is the same for the same one.
fn answer(asked: &Recorded) -> Scripted {
    let schema = asked.schema_name().unwrap_or_default().to_lowercase();
    let text = match schema.as_str() {
        name if name.contains("chapterplan") || name.contains("chapter_plan") => json!({
            "task_type": "create_chapter", "goal": "推进调查", "point_of_view": "林深",
            "scenes": [{"title": "码头", "location": "", "participants": ["林深"], "beats": ["见面"], "words": 300}],
        })
        .to_string(),
        name if name.contains("review") => {
            let dimensions = ["task", "setting", "timeline", "continuity", "character", "logic", "style"];
            let verdicts =
                dimensions.map(|dimension| json!({"dimension": dimension, "verdict": "holds", "note": "好"}));
            json!({"score": 88, "verdicts": verdicts, "issues": [], "suggestions": [], "summary": "好"}).to_string()
        }
        name if name.contains("extraction") => json!({"summary": "两个人见了面。"}).to_string(),
        "" => prose(&asked.body.to_string()),
        _ => return wire::reply(asked),
    };
    Scripted::reply(Reply { text, usage: USAGE, ..Reply::default() })
}

fn prose(seed: &str) -> String {
    // No two sentences have more than their beginning in common, so that no rule takes one for a repetition.
    const WHEN: [&str; 11] = [
        "天没亮",
        "雨停了",
        "灯灭之前",
        "船靠岸时",
        "风转向北",
        "茶凉了",
        "门响第三声",
        "钟敲过九下",
        "雾散得很慢",
        "街上没人",
        "月亮偏西",
    ];
    const WHAT: [&str; 11] = [
        "把芯片翻了过来",
        "数了一遍楼梯",
        "没有接那把伞",
        "听见隔壁有人搬箱子",
        "写下一个号码又划掉",
        "拉上窗帘",
        "把钥匙压在碗底",
        "认出了那双鞋",
        "掐灭烟头",
        "翻到账本末页",
        "扶正歪掉的招牌",
    ];
    const HOW: [&str; 11] = [
        "手上还沾着机油",
        "话到嘴边换了一句",
        "窗外的货轮叫了一声",
        "桌上的账单压着半块饼",
        "谁也不看谁",
        "汗从鬓角流下来",
        "像从没来过",
        "楼下有人喊卖鱼",
        "心里另有一本账",
        "收音机断断续续",
        "墙皮落了一地",
    ];
    let sum = seed.bytes().fold(7_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into())) % 11;
    let paragraph = |at: usize| {
        let who = ["林深", "苏曼"][(at + sum) % 2];
        format!("{}，{who}{}，{}。", WHEN[at], WHAT[(at * 3 + sum) % 11], HOW[(at * 5 + sum * 2) % 11])
    };
    (0..11).map(paragraph).collect::<Vec<_>>().join("\n\n")
}

#[tokio::test]
async fn a_book_whose_writer_is_killed_keeps_what_was_accepted_and_pays_nothing_twice() {
    for kill_at in [1, 2, 3, 5, 6, 8] {
        let home = tempfile::tempdir().unwrap();
        let (tell, mut asked) = mpsc::unbounded_channel();
        let server = Server::responding(move |request: &Recorded| {
            tell.send(()).unwrap();
            answer(request)
        })
        .await;
        write_settings(home.path(), &server, "openai");
        let studio = open(home.path()).await;
        let (_, created) = finish(studio.create(CreateRequest::new(REQUIREMENT)).await.unwrap()).await;
        assert_eq!(created.status, RunStatus::Done, "{:?}", created.errors);
        let before = server.requests().len();
        while asked.try_recv().is_ok() {}

        let mut child = start(home.path());
        for _ in 0..kill_at {
            asked.recv().await.unwrap();
        }
        child.kill().await.unwrap();
        let accepted = studio.show(&created.project).await.unwrap().story.documents;
        assert!(accepted.len() <= CHAPTERS);

        let status = start(home.path()).wait().await.unwrap();
        assert!(status.success(), "killed at {kill_at}: {status}");
        let view = studio.show(&created.project).await.unwrap();
        assert_eq!(view.story.documents.len(), CHAPTERS, "killed at {kill_at}");
        for document in &accepted {
            assert!(
                view.story.documents.contains(document),
                "killed at {kill_at}: an accepted chapter is kept as it was"
            );
        }
        assert!(view.story.documents.iter().all(|document| document.summary == "两个人见了面。"));
        let made = view.provenance.iter().filter(|piece| piece.kind == "document").map(|piece| &piece.made);
        for made in made {
            assert_eq!((made.agent.as_str(), made.tool.as_str()), ("writer_agent", "keep"), "killed at {kill_at}");
            assert!(made.run.is_some() && made.model.is_some(), "killed at {kill_at}: {made:?}");
            let tokens = (USAGE.input + USAGE.output) * u64::try_from(CALLS).unwrap();
            assert_eq!(made.tokens, tokens, "killed at {kill_at}: the calls of one chapter");
        }
        let requests = server.requests().len() - before;
        let paid = view.usage.calls - u64::try_from(before).unwrap();
        assert_eq!(paid, u64::try_from(CALLS * CHAPTERS).unwrap(), "killed at {kill_at}");
        assert!(requests <= CALLS * CHAPTERS + 1, "killed at {kill_at}: {requests} requests, one was under way");
    }
}
