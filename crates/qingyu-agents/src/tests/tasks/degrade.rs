//! What becomes of a task when something goes wrong: a test for each way.

use std::sync::Arc;
use std::time::Duration;

use crate::orchestrator::Status;
use crate::service::Failure;
use crate::{Task, TaskOptions, Writes};
use qingyu_llm::testing::ScriptedModel;
use qingyu_story::Story;
use qingyu_tools::MemoryWorkspace;
use serde_json::json;

use super::bench::{Bench, REWRITE_AND_CHECK, book, fixes, good, judgement, order, split, task};

#[tokio::test]
async fn a_split_that_cannot_be_read_is_made_by_rules() {
    for answer in [
        "我不知道",
        &split("t1 nobody - 做点什么"),
        &split("t1 creative 3 改 <- t2; t2 checker - 查 <- t1"),
        &split("t1 creative 3 改 <- t7"),
        r#"{"subtasks": []}"#,
    ] {
        let bench = Bench::new()
            .on("orchestrator.split", answer)
            .on("orchestrator.split", answer)
            .on("orchestrator.split", answer)
            .options(TaskOptions { writes: Writes::Never, ..TaskOptions::default() });
        let state = bench.run(task(REWRITE_AND_CHECK)).await.done();
        let parts = state.subtasks.iter().map(|part| (part.agent.as_str(), part.chapter.as_deref(), part.change));
        let expected = [("creative", Some("第三章"), true), ("checker", None, false)];
        assert_eq!(parts.collect::<Vec<_>>(), expected, "{answer}");
        assert_eq!(state.subtasks[1].depends_on, ["t1"]);
        assert!(state.split_fallback.is_some() && state.warnings[0].contains("按规则拆分"), "{:?}", state.warnings);
        assert_eq!(state.status("t2"), Status::Done);
    }
}

#[tokio::test]
async fn without_a_tool_the_work_goes_on_and_says_so() {
    let mut bench = Bench::new();
    assert!(bench.toolbox.unregister("workspace_context_tool"));
    let state = bench.run(order("creative", "续写第三章")).await.done();
    let result = state.results["t1"].result.as_ref().unwrap();
    assert_eq!(result.output, "黑暗里只有水声。林深摸到门边，门已经开了。");
    assert!(!result.tool_calls[0].success && result.tool_calls[0].error.is_some(), "{result:?}");
    assert!(state.warnings[0].contains("workspace_context_tool"), "{:?}", state.warnings);
    assert!(result.confidence < 1.0, "what was not had counts: {:?}", result.metadata.checks);
}

#[tokio::test]
async fn a_judgement_that_quotes_what_is_not_there_is_left_out() {
    let cases = [
        ("雪下了一夜。", "sentences.mean", "句子短。", "does not say"),
        ("雨停了。", "sentences.feeling", "句子短。", "there is no figure"),
        ("雨停了。", "sentences.mean", "平均 99 字一句。", "the number 99 is no figure"),
    ];
    for (quote, figure, verdict, problem) in cases {
        let wrong = judgement(&[("style", verdict, figure, quote)]);
        let mut bench = Bench::new();
        for _ in 0..3 {
            bench = bench.on("analysis.judge", wrong.as_str());
        }
        let mut task = order("analysis", "分析第三章的文风");
        task.chapter = Some("第三章".into());
        let state = bench.run(task).await.done();
        let again = &bench.request("analysis.judge").messages;
        assert!(again.iter().any(|message| message.text.contains(problem)), "{again:?}");
        let result = state.results["t1"].result.as_ref().unwrap();
        assert!(result.metadata.data["judgement"].is_null() && !result.output.contains(verdict), "{}", result.output);
        assert!(result.output.contains("平均句长"), "the figures stand: {}", result.output);
        assert!(state.warnings[0].contains("只给出计算出的指标"), "{:?}", state.warnings);
        assert!(result.confidence < 1.0);
    }
}

#[tokio::test]
async fn a_number_that_was_not_computed_is_asked_about_again() {
    let wrong = json!({"answer": "全书约 99999 字。", "figures": ["total.length"]}).to_string();
    let bench = Bench::new().on("data_analysis.phrase", wrong);
    let state = bench.run(order("data_analysis", "统计字数")).await.done();
    assert_eq!(bench.purposes().len(), 2);
    assert!(state.output.starts_with("全书对话不多。"), "{}", state.output);
    assert_eq!(state.warnings, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn what_takes_too_long_is_given_up_and_the_rest_goes_on() {
    let model = ScriptedModel::responding("slow", good).with_latency(Duration::from_secs(40));
    let bench = Bench::with(model);
    let task = Task { timeout: 30, ..task("续写第三章，另外检查时间线") };
    let bench = bench.options(TaskOptions { split_by_model: false, ..TaskOptions::default() });
    let state = bench.run(task).await.done();
    assert_eq!(state.results["t1"].failure, Some(Failure::TimedOut { seconds: 30 }));
    assert_eq!(state.status("t2"), Status::Done);
    assert!(state.output.contains("超过 30 秒") && state.output.contains("完成 1 个"), "{}", state.output);
}

#[tokio::test]
async fn an_agent_that_nobody_knows_is_named_with_those_that_there_are() {
    let state = Bench::new().run(order("critic", "评一评")).await.done();
    let Some(Failure::UnknownAgent { agent, known }) = &state.results["t1"].failure else { panic!("{state:?}") };
    assert!(agent == "critic" && known.contains(&"creative".to_owned()), "{known:?}");
    assert!(state.output.contains("没有叫「critic」的智能体"), "{}", state.output);
}

#[tokio::test]
async fn a_text_that_is_empty_or_cannot_be_found_asks_no_model() {
    let empty = Task { text: Some("  \n".into()), ..order("analysis", "分析文风") };
    let missing = Task { chapter: Some("第九十九章".into()), ..order("analysis", "分析文风") };
    let unnamed = order("analysis", "分析文风");
    for (task, failure) in [
        (empty, Failure::EmptyText),
        (missing, Failure::UnknownChapter { given: "第九十九章".into() }),
        (unnamed, Failure::NoText),
    ] {
        let bench = Bench::new();
        let state = bench.run(task).await.done();
        assert_eq!(state.results["t1"].failure, Some(failure));
        assert_eq!(bench.purposes(), [""; 0]);
        assert_eq!(state.errors.len(), 1);
    }
}

#[tokio::test]
async fn no_chapter_goes_on_where_none_has_a_text() {
    let bare = Story { documents: Vec::new(), ..book() };
    let bench = Bench { workspace: Arc::new(MemoryWorkspace::new("p-1", bare)), ..Bench::new() };
    let task = Task { project: Some("p-1".into()), ..order("creative", "续写最后一章") };
    let state = bench.run(task).await.done();
    assert_eq!(state.results["t1"].failure, Some(Failure::NothingWritten), "{state:?}");
    assert!(state.output.contains("还没有哪一章有正文"), "{}", state.output);
}

#[tokio::test]
async fn a_text_of_two_megabytes_is_cut_and_that_is_said() {
    let text = "雨停了。".repeat(2 << 20 >> 4) + &"夜里下着雨。\n".repeat(60_000);
    assert!(text.len() > 2 << 20 >> 1);
    let bench = Bench::new();
    let state = bench.run(Task { text: Some(text.repeat(2)), ..order("analysis", "分析文风") }).await.done();
    assert_eq!(state.status("t1"), Status::Done, "{:?}", state.errors);
    assert!(state.warnings.iter().any(|warning| warning.contains("文本太长")), "{:?}", state.warnings);
    let sent: usize = bench.request("analysis.judge").messages.iter().map(|message| message.text.len()).sum();
    assert!(sent < 60_000, "{sent} bytes are sent");
    let result = state.results["t1"].result.as_ref().unwrap();
    assert!(result.output.contains("雨停了。"));
}

#[tokio::test]
async fn a_budget_that_is_used_up_ends_the_run_and_it_can_be_resumed() {
    let budget = qingyu_llm::Error::Budget { message: "500 of 500 tokens".into(), overdraft: None };
    let bench = Bench::new().on("creative.continue", budget);
    let ended = bench.run(order("creative", "续写第三章")).await;
    assert!(ended.outcome.unwrap_err().to_string().contains("budget"));
    let state = bench.resume().await.done();
    assert_eq!(state.status("t1"), Status::Done);
    assert_eq!(bench.purposes(), ["creative.plot", "creative.continue", "creative.continue"], "the plot is paid once");
}

#[tokio::test]
async fn a_part_that_fails_does_not_take_the_others_with_it() {
    let parts = "t1 analysis 99 分析; t2 creative 3 续写 <- t1; t3 checker - 检查时间线";
    let bench = Bench::new().on("orchestrator.split", split(parts));
    let state = bench.run(task("分析第99章再续写，同时检查时间线")).await.done();
    let statuses = ["t1", "t2", "t3"].map(|name| state.status(name));
    assert_eq!(statuses, [Status::Failed, Status::Skipped, Status::Done]);
    assert_eq!(state.results["t2"].failure, Some(Failure::Dependency { task: "t1".into() }));
    assert!(state.output.contains("找不到「99」") && state.output.contains("子任务 t1 没有完成"), "{}", state.output);
}

#[tokio::test]
async fn a_model_that_cannot_write_fails_the_task_with_its_own_words() {
    let refusal = || qingyu_llm::Error::Unsupported {
        model: "rules".into(),
        purpose: "creative.scene".into(),
        hint: "connect a model".into(),
    };
    let bench = Bench::new().on("creative.scene", refusal());
    let state = bench.run(order("creative", "描写码头的场景")).await.done();
    let Some(Failure::Unsupported { hint, .. }) = &state.results["t1"].failure else { panic!("{state:?}") };
    assert_eq!(hint, "connect a model");
    assert!(state.output.contains("connect a model"));
}

#[tokio::test]
async fn changes_that_do_not_fit_are_asked_for_again_and_then_given_up() {
    let wrong = fixes(&[("根本没有的话", "另一句")]);
    let mut bench = Bench::new();
    for _ in 0..3 {
        bench = bench.on("creative.rewrite", wrong.as_str());
    }
    let mut task = order("creative", "把第三章的对话改得更有张力");
    task.chapter = Some("3".into());
    task.context.change = true;
    let state = bench.run(task).await.done();
    assert!(matches!(state.results["t1"].failure, Some(Failure::Model { .. })), "{:?}", state.results);
    assert_eq!((bench.version().await, bench.purposes().len()), (0, 3));
}

#[tokio::test]
async fn what_the_rules_find_in_new_words_is_mended_and_the_rest_left() {
    let slip = "黑暗里只有水声。\n她说：“走吧。\n林深没有动，门已经开了。";
    let bench =
        Bench::new().on("creative.continue", slip).on("creative.mend", fixes(&[("她说：“走吧。", "她说：“走吧。”")]));
    let state = bench.run(order("creative", "续写第三章")).await.done();
    assert_eq!(bench.purposes().last().unwrap(), "creative.mend", "{:?}", state.results);
    let result = state.results["t1"].result.as_ref().unwrap();
    assert!(result.output.contains("她说：“走吧。”") && result.output.starts_with("黑暗里"), "{}", result.output);
    let sent = &bench.request("creative.mend").messages[1].text;
    assert!(sent.contains("QS042"), "{sent}");
    assert!(sent.contains("<material>"), "the fixes keep to the book: {sent}");
}
