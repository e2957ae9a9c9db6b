//! Long chapters are written scene by scene, and what is cut goes on.

use crate::context::{ChapterProseContext, ChapterSeamsContext};
use crate::writing::review::Dimension;
use crate::writing::seams::{SeamFix, SeamVerdict, SeamVerdicts};
use qingyu_llm::testing::{ModelScript, ScriptedModel};
use qingyu_llm::{ChatRequest, FinishReason, Reply};
use qingyu_story::Severity;

use super::bench::{Bench, book, context, good, issue, plan, prose, review};
use crate::tests::bench::answered;

/// A chapter of three scenes.
fn long(answer: impl Fn(&ChatRequest) -> Option<ModelScript> + Send + Sync + 'static) -> Bench {
    let model = ScriptedModel::responding("scripted", move |request| {
        answer(request).unwrap_or_else(|| match request.purpose.as_str() {
            "chapter.understand" => answered(&plan(1, 3, 4_500)),
            _ => good(request),
        })
    });
    Bench::with(book(1), model).config(|config| config.words = 4_500)
}

#[tokio::test]
async fn each_scene_sees_the_end_of_the_one_before() {
    let bench = long(|_| None);
    let ended = bench.run().await;
    assert_eq!(ended.steps().iter().filter(|step| *step == "1 written").count(), 3);
    let state = ended.done();
    assert_eq!(bench.purposes(), ["understand", "generate", "generate", "generate", "seams", "review", "settle"]);
    let asked: Vec<ChapterProseContext> = bench.asked("chapter.generate");
    assert_eq!(
        asked.iter().map(|asked| (asked.scene, asked.words)).collect::<Vec<_>>(),
        [(1, 1_500), (2, 1_500), (3, 1_500)]
    );
    assert_eq!(asked[0].before, "");
    let first = prose(&asked[0]);
    assert!(first.ends_with(&asked[1].before) && (200..=500).contains(&asked[1].before.chars().count()));
    let text = bench.text(1);
    assert_eq!(text.matches("个夜里到了旧港。").count(), 3);
    assert_eq!(state.accepted[0].calls, 7);
    // The prompts of one chapter begin alike, so that a provider's cache finds them again.
    let prompts: Vec<String> = bench
        .model
        .requests()
        .iter()
        .filter(|request| request.purpose == "chapter.generate")
        .map(|request| request.messages[1].text.clone())
        .collect();
    let same = prompts[0].chars().zip(prompts[1].chars()).take_while(|(a, b)| a == b).count();
    assert!(prompts[0][..prompts[0].char_indices().nth(same).unwrap().0].contains("## 任务"), "the task alone differs");
}

#[tokio::test]
async fn a_broken_seam_is_mended_once() {
    let bench = long(|request| {
        (request.purpose == "chapter.seams").then(|| {
            let asked: ChapterSeamsContext = context(request);
            let verdict = |number: u32| {
                let find = asked.seams[0].after.split_inclusive('。').next().unwrap().to_owned();
                let fixes = vec![SeamFix { find, with: "天还没有亮，他又回到旧港。".into() }];
                if number == 1 {
                    SeamVerdict { number, fixes, ..SeamVerdict::default() }
                } else {
                    SeamVerdict { number, holds: true, ..SeamVerdict::default() }
                }
            };
            answered(&SeamVerdicts { seams: vec![verdict(1), verdict(2)] })
        })
    });
    bench.run().await.done();
    let text = bench.text(1);
    assert!(text.contains("天还没有亮，他又回到旧港。") && !text.contains("第2个夜里到了旧港"), "{text}");
    assert!(text.contains("第3个夜里到了旧港"));
}

#[tokio::test]
async fn only_the_scene_that_fails_is_written_again() {
    let quote = "林青在第1天的第2个夜里到了旧港。";
    let bench = long(|_| None)
        .on("chapter.review", answered(&review(50, vec![issue(Severity::High, Dimension::Logic, quote)])));
    bench.run().await.done();
    let asked: Vec<ChapterProseContext> = bench.asked("chapter.generate");
    assert_eq!(asked.iter().map(|asked| asked.scene).collect::<Vec<_>>(), [1, 2, 3, 2]);
    assert_eq!(asked[3].findings[0].quote, quote);
}

#[tokio::test]
async fn what_is_cut_goes_on_and_is_bounded() {
    let bench = Bench::with(
        book(1),
        ScriptedModel::responding("scripted", |request| match request.purpose.as_str() {
            "chapter.generate" => {
                let text = if request.messages[1].text.contains("断了") {
                    "港口空着。他还没有"
                } else {
                    "林青推开门，看见"
                };
                ModelScript::from(Reply { text: text.into(), finish: FinishReason::Length, ..Reply::default() })
            }
            _ => good(request),
        }),
    )
    .config(|config| config.words = 20);
    let state = bench.run().await.done();
    let generated = bench.purposes().iter().filter(|purpose| *purpose == "generate").count();
    assert_eq!(generated, 3, "two continuations at most");
    assert_eq!(bench.text(1), "林青推开门，看见港口空着。他还没有港口空着。", "up to the last whole sentence");
    assert!(state.warnings[0].contains("没有写完"), "{:?}", state.warnings);
    let asked: Vec<ChapterProseContext> = bench.asked("chapter.generate");
    assert_eq!(asked[1].before, "林青推开门，看见");
}

#[tokio::test]
async fn an_answer_that_is_far_too_short_is_asked_for_once_more() {
    let bench = Bench::new(1).on("chapter.generate", "雨停了。");
    let state = bench.run().await.done();
    let asked: Vec<ChapterProseContext> = bench.asked("chapter.generate");
    assert_eq!(asked.iter().map(|asked| asked.last_words).collect::<Vec<_>>(), [0, 4]);
    assert!(state.warnings.is_empty() && bench.text(1).starts_with("林青在第1天"));
    let bench = Bench::new(1).on("chapter.generate", "雨停了。").on("chapter.generate", "天亮了，雨停了。");
    let state = bench.run().await.done();
    assert!(state.warnings[0].contains("只有 8 字"), "{:?}", state.warnings);
    assert_eq!(bench.text(1), "天亮了，雨停了。", "the longer of both");
}
