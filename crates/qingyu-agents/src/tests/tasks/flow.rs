//! What becomes of a task when everything goes well.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::orchestrator::{Status, Written};
use crate::progress::Progress;
use crate::{TaskOptions, WriteAnswer, Writes};
use qingyu_llm::testing::ScriptedModel;

use super::bench::{Bench, REWRITE_AND_CHECK, THIRD, good, order, split, task};

const CHANGED: &str = "雨停了。\n“你来了。”苏曼说。\n“芯片。”林深伸出手，“现在。”\n苏曼没有回答，把灯关了。";

#[tokio::test]
async fn a_chapter_is_changed_when_its_author_agrees_and_then_checked() {
    let bench = Bench::new();
    let ended = bench.run(task(REWRITE_AND_CHECK)).await;
    let asked = ended.question();
    assert_eq!(asked["writes"][0]["proposal"]["document"], "d-3");
    assert_eq!(asked["writes"][0]["proposal"]["spans"][0]["before"], "“来了。”林深说，“芯片在哪里？”");
    assert_eq!(bench.text(3).await, THIRD, "nothing is written before somebody agrees");

    let state = bench.answer(&WriteAnswer::Approve).await.done();
    assert_eq!(bench.text(3).await, CHANGED, "only the named place is another");
    assert!(matches!(&state.written["t1"], Written::Saved { document, version: 1 } if document == "d-3"), "{state:?}");
    assert_eq!((state.status("t1"), state.status("t2")), (Status::Done, Status::Done));
    let findings = &state.results["t2"].result.as_ref().unwrap().metadata.data["findings"];
    assert_eq!(findings[0]["code"], "QY301", "events in a circle: {findings}");
    assert!(state.output.contains("完成 2 个") && state.output.contains("QY301"), "{}", state.output);
    assert_eq!(bench.purposes(), ["orchestrator.split", "creative.rewrite"], "the checker needs no model");
    let made = bench.workspace_made().await;
    assert_eq!((made.agent.as_str(), made.run.as_deref()), ("creative", Some("run-1")));
}

#[tokio::test]
async fn words_that_decide_on_no_agent_are_asked_about() {
    let by_rules = || Bench::new().options(TaskOptions { split_by_model: false, ..TaskOptions::default() });
    let bench = by_rules();
    let asked = bench.run(task("随便")).await.question();
    let part = &asked["undecided"][0];
    assert_eq!((&part["task"], &part["description"]), (&"t1".into(), &"随便".into()));
    let agents = part["agents"].as_array().unwrap();
    let checker = agents.iter().find(|agent| agent["name"] == "checker").unwrap();
    assert!(agents.len() > 3 && checker["does"].as_str().is_some_and(|does| !does.is_empty()), "{asked}");
    let again = bench.resume().await.question();
    assert_eq!(again, asked, "it waits until it is answered");
    let state = bench.answer(&BTreeMap::from([("t1", "checker")])).await.done();
    assert_eq!((state.subtasks[0].agent.as_str(), state.status("t1")), ("checker", Status::Done));
    assert!(state.subtasks[0].candidates.is_empty() && state.errors.is_empty(), "{state:?}");

    let bench = Bench::new().on("orchestrator.split", split("t1 analysis|checker - 看看"));
    let asked = bench.run(task("看看")).await.question();
    let names = asked["undecided"][0]["agents"].as_array().unwrap().iter().map(|agent| agent["name"].as_str().unwrap());
    assert_eq!(names.collect::<Vec<_>>(), ["analysis", "checker"], "an answer may leave it open as well");

    let bench = by_rules();
    bench.run(task("随便")).await.question();
    let state = bench.answer(&BTreeMap::<String, String>::new()).await.done();
    assert_eq!((state.status("t1"), state.errors.len()), (Status::Failed, 1));
    assert!(state.output.contains("checker"), "it says who may be named: {}", state.output);

    // What waits for another part is refused once, and not asked about again when its turn comes.
    let parts = split("t1 checker - 检查时间线; t2 analysis|checker - 看看 <- t1; t3 checker - 再看 <- t2");
    let bench = Bench::new().on("orchestrator.split", parts);
    bench.run(task("检查时间线，然后看看，再看")).await.question();
    let state = bench.answer(&BTreeMap::<String, String>::new()).await.done();
    let statuses = ["t1", "t2", "t3"].map(|name| state.status(name));
    assert_eq!(statuses, [Status::Done, Status::Failed, Status::Skipped]);
}

impl Bench {
    /// Who made the third chapter what it is.
    async fn workspace_made(&self) -> qingyu_story::Provenance {
        use qingyu_tools::Workspace;
        let made = self.workspace.provenance(qingyu_story::PieceKind::Document, "d-3").await.unwrap();
        made.unwrap().provenance
    }
}

#[tokio::test]
async fn what_the_author_rejects_is_not_written_and_the_check_sees_the_old_text() {
    let bench = Bench::new();
    bench.run(task(REWRITE_AND_CHECK)).await.question();
    let state = bench.answer(&WriteAnswer::Reject { feedback: "太急".into() }).await.done();
    assert_eq!(bench.version().await, 0);
    assert!(state.output.contains("没有同意写入：太急"), "{}", state.output);
    assert_eq!(state.status("t2"), Status::Done, "the check does not depend on the answer");
}

#[tokio::test]
async fn places_are_taken_by_themselves_and_a_place_that_is_not_there_is_none() {
    let bench = Bench::new();
    bench.run(task(REWRITE_AND_CHECK)).await.question();
    let choose = |place: usize| WriteAnswer::Choose {
        tasks: Vec::new(),
        places: BTreeMap::from([("t1".to_owned(), BTreeSet::from([place]))]),
    };
    let state = bench.answer(&choose(0)).await.done();
    assert_eq!(bench.text(3).await, CHANGED, "it is the only place of the proposal");
    assert!(matches!(state.written["t1"], Written::Saved { .. }), "{:?}", state.written);

    let bench = Bench::new();
    bench.run(task(REWRITE_AND_CHECK)).await.question();
    let state = bench.answer(&choose(7)).await.done();
    assert_eq!(bench.text(3).await, THIRD);
    assert!(matches!(state.written["t1"], Written::Rejected { .. }), "{:?}", state.written);
}

#[tokio::test]
async fn what_is_allowed_beforehand_is_not_asked_about_and_what_is_forbidden_only_shown() {
    let allowed = Bench::new().options(TaskOptions { writes: Writes::Allowed, ..TaskOptions::default() });
    let state = allowed.run(task(REWRITE_AND_CHECK)).await.done();
    assert_eq!(allowed.text(3).await, CHANGED);
    assert!(matches!(state.written["t1"], Written::Saved { .. }));

    let forbidden = Bench::new().options(TaskOptions { writes: Writes::Never, ..TaskOptions::default() });
    let state = forbidden.run(task(REWRITE_AND_CHECK)).await.done();
    assert_eq!((forbidden.version().await, &state.written["t1"]), (0, &Written::Shown));
    assert_eq!(state.results["t1"].result.as_ref().unwrap().metadata.proposal.as_ref().unwrap().text, CHANGED);
}

#[tokio::test]
async fn a_change_of_a_text_that_somebody_else_changed_is_not_written_over_it() {
    let bench = Bench::new();
    bench.run(task(REWRITE_AND_CHECK)).await.question();
    bench.rewrite_elsewhere("d-3", "作者自己改了。").await;
    let state = bench.answer(&WriteAnswer::Approve).await.done();
    assert_eq!(bench.text(3).await, "作者自己改了。");
    assert!(matches!(state.written["t1"], Written::Failed { .. }), "{:?}", state.written);
    assert!(state.output.contains("没有写入"), "{}", state.output);
}

impl Bench {
    async fn rewrite_elsewhere(&self, document: &str, text: &str) {
        use qingyu_tools::{Engine, Permission, ToolCaller, Toolbox, workspace};
        let engine = Engine::new(Toolbox::writing(), workspace::only(std::sync::Arc::clone(&self.workspace)));
        let arguments = serde_json::json!({"action": "write", "document_id": document, "content": text});
        let outcome = engine.call("document_tool", arguments, &ToolCaller::new("person", Permission::Write)).await;
        outcome.result.unwrap();
    }
}

#[tokio::test]
async fn going_on_gathers_thinks_writes_and_looks_at_what_it_wrote() {
    let bench = Bench::new();
    let ended = bench.run(order("creative", "续写第三章")).await;
    let steps = ended.progress.iter().filter_map(|progress| match progress {
        Progress::StepStarted { action, .. } => Some(action.as_str()),
        _ => None,
    });
    let expected = ["retrieve_context", "generate_plot", "write_content", "consistency_check"];
    assert_eq!(steps.collect::<Vec<_>>(), expected);
    let state = ended.done();
    let result = state.results["t1"].result.clone().unwrap();
    assert_eq!(result.output, "黑暗里只有水声。林深摸到门边，门已经开了。");
    assert_eq!(state.output, result.output, "a task of one part is its result");
    assert_eq!(result.metadata.kind, "continue");
    assert!(result.confidence > 0.9, "{result:?}");
    assert_eq!(result.tool_calls[0].tool_name, "workspace_context_tool");
    assert!(result.tool_calls[0].success, "{result:?}");
    // The model was shown how the text ends and what is to happen.
    let sent = bench.request("creative.continue").messages[1].text.clone();
    assert!(sent.contains("把灯关了。") && sent.contains("1. 林深追到码头"), "{sent}");
    let proposal = result.metadata.proposal.unwrap();
    assert_eq!(proposal.text, format!("{THIRD}\n\n黑暗里只有水声。林深摸到门边，门已经开了。"));
    assert_eq!(bench.version().await, 0, "nobody asked for it to be saved");
}

#[tokio::test]
async fn each_kind_of_writing_has_its_own_steps() {
    for (description, kind, tools) in [
        ("写一段林深和苏曼的对话", "dialogue", &["character_tool", "character_tool", "relationship_tool"][..]),
        ("描写码头的场景", "scene", &["workspace_context_tool"]),
        ("写苏曼的人物小传", "character", &["character_tool", "character_tool", "relationship_tool"]),
    ] {
        let bench = Bench::new();
        let mut task = order("creative", description);
        task.context.characters = vec!["林深".into(), "苏曼".into()];
        task.chapter = Some("3".into());
        let state = bench.run(task).await.done();
        let result = state.results["t1"].result.as_ref().unwrap();
        assert_eq!(result.metadata.kind, kind);
        let called = result.tool_calls.iter().map(|call| call.tool_name.as_str()).collect::<Vec<_>>();
        assert_eq!(called, tools, "{description}");
        assert!(result.tool_calls.iter().all(|call| call.success), "{result:?}");
        assert_eq!(bench.purposes(), [format!("creative.{kind}")]);
    }
}

#[tokio::test]
async fn an_analysis_counts_and_a_judgement_names_what_it_rests_on() {
    let bench = Bench::new();
    let mut task = order("analysis", "分析第三章的文风");
    task.chapter = Some("3".into());
    let state = bench.run(task).await.done();
    let result = state.results["t1"].result.as_ref().unwrap();
    assert_eq!(result.metadata.kind, "style");
    assert!(result.metadata.data["figures"]["sentences"]["count"].as_u64().unwrap() >= 4, "{result:?}");
    assert!(result.output.contains("## 文风") && result.output.contains("> 雨停了。"), "{}", result.output);
    assert!((result.confidence - 1.0).abs() < f64::EPSILON, "{:?}", result.metadata.checks);
}

#[tokio::test]
async fn the_book_in_numbers_and_a_question_with_its_source() {
    let bench = Bench::new();
    let state = bench.run(order("data_analysis", "统计全书对话占比")).await.done();
    let output = &state.output;
    assert!(output.starts_with("全书对话不多。") && output.contains("已写章节: 3/3"), "{output}");

    let bench = Bench::new();
    let state = bench.run(order("assistant", "谁捡到了芯片？")).await.done();
    assert!(
        state.output.starts_with("林深。") && state.output.contains("“林深在旧港捡到一块芯片”"),
        "{}",
        state.output
    );
}

#[tokio::test(start_paused = true)]
async fn independent_parts_run_side_by_side_and_results_are_handed_on() {
    let parts = "t1 analysis 3 分析文风; t2 data_analysis - 统计字数; t3 creative 3 续写第三章 <- t1 t2";
    let model = ScriptedModel::responding("slow", good).with_latency(Duration::from_secs(1));
    let bench = Bench::with(model).on("orchestrator.split", split(parts));
    let ended = bench.run(task("分析第三章文风，同时统计字数，然后续写第三章")).await;
    let order = ended.progress.iter().filter_map(|progress| match progress {
        Progress::SubtaskStarted { task, .. } => Some(format!("+{task}")),
        Progress::SubtaskFinished { task, .. } => Some(format!("-{task}")),
        _ => None,
    });
    let order = order.collect::<Vec<_>>();
    assert_eq!(order[..2].iter().filter(|told| told.starts_with('+')).count(), 2, "{order:?}");
    assert_eq!(order[4], "+t3", "{order:?}");
    ended.done();
    let sent = bench.request("creative.continue").messages[1].text.clone();
    assert!(sent.contains("t1: # 文本分析报告") && sent.contains("t2: 全书对话不多"), "{sent}");
}

#[tokio::test]
async fn a_review_finds_by_lists_and_a_model_only_words_doubts() {
    use crate::Task;
    let doubt = |number: u32| {
        serde_json::json!({"doubts": [{"number": number, "harmless": true, "why": "是人物随口的说法"}]}).to_string()
    };
    let text = "他把微信号 wx_abc12345 写在墙上，又写了电话 13800138000。海洛因的味道。";
    let task = || Task { text: Some(text.into()), ..order("text_review", "审核这段文本") };
    let bench = Bench::new().on("text_review.judge", doubt(9_999)).on("text_review.judge", doubt(1));
    let mut strict = task();
    strict.context.level = Some("strict".into());
    let state = bench.run(strict).await.done();
    let result = state.results["t1"].result.as_ref().unwrap();
    let review = &result.metadata.data["review"];
    let (hits, rules) = (review["sensitive"].as_array().unwrap(), review["compliance"].as_array().unwrap());
    assert!(!hits.is_empty() && !rules.is_empty(), "{review}");
    assert_eq!(bench.purposes().len(), 2, "a doubt about nothing is asked about again");
    assert!(result.output.contains("模型认为此处无碍：是人物随口的说法"), "{}", result.output);
    assert!(result.output.contains("没有可比对的文本"), "{}", result.output);

    // What a chapter shares with the rest of the book is found without any model.
    let bench = Bench::new();
    let mut chapter = order("text_review", "查重");
    chapter.chapter = Some("3".into());
    let state = bench.run(chapter).await.done();
    let review = &state.results["t1"].result.as_ref().unwrap().metadata.data["review"];
    assert!(review["originality"].is_object(), "it is compared with the rest of the book: {review}");
    assert_eq!(bench.purposes(), [""; 0], "no word was found, so nobody is asked");
}

#[tokio::test]
async fn a_review_without_a_usable_answer_tells_what_was_found() {
    use crate::Task;
    let mut bench = Bench::new();
    for _ in 0..3 {
        bench = bench.on("text_review.judge", "不知道");
    }
    let task = Task { text: Some("海洛因的味道。".into()), ..order("text_review", "审核") };
    let state = bench.run(task).await.done();
    assert_eq!(state.status("t1"), Status::Done);
    assert!(state.warnings.iter().any(|warning| warning.contains("只列出检出结果")), "{:?}", state.warnings);
    assert!(state.output.contains("海洛因"), "{}", state.output);
}

#[tokio::test]
async fn agents_find_what_the_lists_of_the_author_say() {
    use std::sync::Arc;

    use crate::Task;
    use crate::service::Yardstick;
    use qingyu_text::compliance::Inspector;
    use qingyu_text::figures::{Lists, PaceWords};
    use qingyu_text::report::Reviewer;
    use qingyu_text::{Meter, OriginalityRules, Scanner, WordLists};
    let words = WordLists::parse("[[lists]]\ncategory = 'secret'\nwords = ['灯塔']\n").unwrap();
    let reviewer = Reviewer::new(Scanner::new(&words, None).unwrap(), Inspector::default());
    let numbers = "typical_sentence = 22.0\ntypical_actions = 12.0";
    let own = format!(
        "[weights]\nsentences = 0.4\ndialogue = 0.2\nactions = 0.4\n[zh]\n{numbers}\nactions = ['发呆']\n\
         [en]\n{numbers}\nactions = []\n"
    );
    let pace = PaceWords::builtin().extended(PaceWords::parse(&own).unwrap());
    let meter = Meter::new(&Lists { pace, ..Lists::builtin() });
    let yardstick = Yardstick { meter, reviewer, originality: OriginalityRules::builtin() };
    let doubts = || serde_json::json!({"doubts": [{"number": 1, "harmless": true, "why": "只是地名"}]}).to_string();
    let text = "灯塔下有人赌博。他发呆。";
    let order = |agent| Task { text: Some(text.into()), ..order(agent, "看看这段文本") };

    let mut bench = Bench::new().on("text_review.judge", doubts());
    bench.yardstick = Some(Arc::new(yardstick.clone()));
    let state = bench.run(order("text_review")).await.done();
    let sent = &bench.request("text_review.judge").context["hits"];
    assert_eq!((sent.as_array().unwrap().len(), &sent[0]["word"]), (1, &"灯塔".into()), "{sent}");
    assert_eq!(state.results["t1"].result.as_ref().unwrap().metadata.data["doubts"][0]["why"], "只是地名");

    let actions = async |yardstick: Option<Arc<Yardstick>>| {
        let mut bench = Bench::new();
        bench.yardstick = yardstick;
        bench.run(order("analysis")).await;
        let figures = bench.request("analysis.judge").context["figures"].clone();
        let found = figures.as_array().unwrap().iter().find(|figure| figure["name"] == "pace.actions").cloned();
        found.unwrap()["value"].as_f64().unwrap()
    };
    assert_eq!(actions(None).await, 0.0);
    assert!(actions(Some(Arc::new(yardstick))).await > 0.0);
}
