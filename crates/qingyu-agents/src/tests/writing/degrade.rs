//! Each way in which something fails: what goes on without it, what ends the run, and that nothing is lost.

use crate::WritingTask;
use crate::context::ChapterProseContext;
use crate::writing::trouble::TroubleCode;
use qingyu_llm::testing::{ModelScript, ScriptedModel};
use qingyu_llm::{Error as ModelError, FinishReason, Reply};
use qingyu_story::Story;
use qingyu_tools::Toolbox;

use super::bench::{Bench, book, context, good, plan};
use crate::tests::bench::answered;

/// A good model whose answer for one purpose is something else.
fn but(purpose: &'static str, script: impl Fn() -> ModelScript + Send + Sync + 'static) -> ScriptedModel {
    ScriptedModel::responding(
        "scripted",
        move |request| {
            if request.purpose == purpose { script() } else { good(request) }
        },
    )
}

fn refused(model: &str) -> ModelScript {
    ModelError::Unsupported { model: model.into(), purpose: "chapter.generate".into(), hint: "prose".into() }.into()
}

#[tokio::test]
async fn without_a_plan_the_outline_is_the_plan() {
    let bench = Bench::with(book(1), but("chapter.understand", || "我不会写 JSON".into()));
    let state = bench.run().await.done();
    assert!(state.warnings[0].contains("改按大纲来写"), "{:?}", state.warnings);
    let asked: Vec<ChapterProseContext> = bench.asked("chapter.generate");
    let plan = &asked[0].plan;
    assert_eq!(
        (&plan.scenes[0].beats[..], plan.goal.as_str()),
        (&["林青在旧港追查第1条线索。".to_owned()][..], "让调查更近一步")
    );
    assert!(!state.accepted[0].forced);
}

#[tokio::test]
async fn without_tools_the_card_is_what_the_outline_says() {
    let bench = Bench { toolbox: Toolbox::new(), ..Bench::new(1) };
    let state = bench.run().await.done();
    let failed: Vec<_> = state.tool_calls.iter().map(|call| (call.tool.as_str(), call.error.is_some())).collect();
    assert!(failed.is_empty(), "cleared with the chapter");
    assert_eq!(state.warnings.len(), 2, "both tools are missed: {:?}", state.warnings);
    let asked: Vec<ChapterProseContext> = bench.asked("chapter.generate");
    assert!(asked[0].card.chapter.contains("第1条线索") && !asked[0].card.chapter.contains("【人物】"));
    assert_eq!(state.accepted.len(), 1);
}

#[tokio::test]
async fn a_review_that_cannot_be_read_never_passes() {
    let bench = Bench::with(book(1), but("chapter.review", || "写得很好！".into()));
    let state = bench.run().await.done();
    let row = &state.accepted[0];
    assert_eq!((row.forced, row.score), (true, None));
    assert!(state.warnings.iter().any(|warning| warning.contains("没有得到可读的审核")), "{:?}", state.warnings);
    assert_eq!(state.errors.len(), 2, "asked for twice: {:?}", state.errors);
    assert!(!bench.text(1).is_empty(), "the chapter is kept");
}

#[tokio::test]
async fn without_an_extraction_the_chapter_is_kept_all_the_same() {
    let bench = Bench::with(book(1), but("chapter.settle", || "没有什么好记的".into()));
    let state = bench.run().await.done();
    assert!(state.warnings.iter().any(|warning| warning.contains("只按规则提取")), "{:?}", state.warnings);
    assert!(!bench.text(1).is_empty() && bench.workspace.story().documents[0].settled.is_some());
}

/// An extraction of another shape is asked for again and said as failed; it never counts as an empty one.
#[tokio::test]
async fn an_extraction_of_another_shape_is_no_extraction() {
    for answer in
        ["{}", r#"{"summary": "林青来了。", "claims": [{"who": "林青", "does": "来了"}]}"#, r#"[{"who": "林青"}]"#]
    {
        let bench = Bench::with(book(1), but("chapter.settle", move || answer.into()));
        let state = bench.run().await.done();
        let warning = state.warnings.iter().find(|warning| warning.contains("只按规则提取"));
        assert!(warning.is_some(), "{answer}: {:?}", state.warnings);
        assert!(!state.accepted[0].read, "{answer}: no model has read the chapter");
        assert_eq!(bench.purposes().iter().filter(|purpose| *purpose == "settle").count(), 3, "{answer}");
    }
}

#[tokio::test]
async fn seams_and_fixes_that_cannot_be_read_are_done_without() {
    let model = ScriptedModel::responding("scripted", |request| match request.purpose.as_str() {
        "chapter.understand" => answered(&plan(1, 2, 4_000)),
        "chapter.seams" => "都很好".into(),
        _ => good(request),
    });
    let state = Bench::with(book(1), model).config(|config| config.words = 4_000).run().await.done();
    assert!(state.warnings[0].contains("衔接"), "{:?}", state.warnings);
    assert!(!state.accepted[0].forced);
}

#[tokio::test]
async fn a_prompt_that_is_too_long_is_made_shorter() {
    let long = ModelError::PromptTooLong { model: "scripted".into(), message: "9000 > 8000".into(), limit: None };
    let bench = Bench::new(3).on("chapter.generate", long);
    let state = bench.run().await.done();
    assert_eq!(state.accepted.len(), 3);
    let asked: Vec<ChapterProseContext> = bench.asked("chapter.generate");
    assert!(asked[0].card.chapter.contains("【人物】") && !asked[1].card.chapter.contains("【人物】"));
    assert!(asked[1].card.tokens < asked[0].card.tokens);
    assert!(asked[2].card.chapter.contains("【人物】"), "the next chapter has its tools again");
    assert!(state.errors[0].contains("长度上限"), "{:?}", state.errors);
}

#[tokio::test]
async fn what_cannot_be_helped_ends_the_run_with_a_clear_answer_and_loses_nothing() {
    let cases: Vec<(TroubleCode, Box<dyn Fn() -> ModelScript + Send + Sync>)> = vec![
        (TroubleCode::CannotWrite, Box::new(|| refused("offline-rules-1"))),
        (TroubleCode::Refused, Box::new(|| Reply { finish: FinishReason::Filtered, ..Reply::default() }.into())),
        (TroubleCode::Refused, Box::new(|| "   ".into())),
        (
            TroubleCode::TooLong,
            Box::new(|| {
                ModelError::PromptTooLong { model: "scripted".into(), message: "9 > 8".into(), limit: None }.into()
            }),
        ),
    ];
    for (code, script) in cases {
        let model = ScriptedModel::responding("scripted", move |request| {
            if request.purpose == "chapter.generate" && context::<ChapterProseContext>(request).chapter == 2 {
                script()
            } else {
                good(request)
            }
        });
        let bench = Bench::with(book(3), model);
        let state = bench.run().await.done();
        assert!(state.output_metadata.error, "{code:?}");
        assert_eq!(state.trouble.as_ref().map(|trouble| trouble.code), Some(code));
        assert_eq!((state.output_metadata.chapter, state.accepted.len()), (2, 1), "{code:?}");
        assert!(!state.final_output.is_empty() && state.errors.last() == Some(&state.final_output));
        assert!(!bench.text(1).is_empty() && bench.text(2).is_empty());
        // A second run goes on where the first ended.
        let again = Bench { run: "run-2".into(), model: ScriptedModel::responding("scripted", good), ..bench };
        assert_eq!(again.run().await.done().accepted.len(), 2);
    }
}

#[tokio::test]
async fn there_must_be_chapters_to_write() {
    let none = Bench::with(Story::default(), ScriptedModel::responding("scripted", good)).run().await.done();
    assert_eq!(none.trouble.unwrap().code, TroubleCode::NoOutline);
    for task in [
        WritingTask::Draft { chapters: vec![2_u32.into(), 9_u32.into()] },
        WritingTask::Correct { chapters: vec![1_u32.into()] },
        WritingTask::Read { chapters: vec![2_u32.into()] },
    ] {
        let bench = Bench::new(2).task(task);
        let state = bench.run().await.done();
        assert_eq!(state.trouble.unwrap().code, TroubleCode::UnknownChapter);
        assert!(state.output_metadata.error && bench.purposes().is_empty(), "and nothing is paid");
    }
}

#[tokio::test]
async fn a_model_that_cannot_be_reached_stops_the_run_and_resuming_repeats_nothing() {
    let lost = || ModelError::Transport { model: "scripted".into(), message: "no route".into() };
    for purpose in ["chapter.understand", "chapter.generate", "chapter.review", "chapter.settle"] {
        let bench = Bench::new(2).on(purpose, lost());
        let ended = bench.run().await;
        assert!(ended.outcome.unwrap_err().to_string().contains("no route"), "{purpose}");
        let state = bench.resume().await.done();
        assert_eq!((state.accepted.len(), state.warnings.len()), (2, 0), "{purpose}");
        assert_eq!(bench.purposes().len(), 8 + 1, "only the lost call was repeated: {:?}", bench.purposes());
    }
}
