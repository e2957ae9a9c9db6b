//! A book from its outline, and every way from a review.

use crate::WritingTask;
use crate::context::{ChapterPlanContext, ChapterProseContext};
use crate::writing::review::Dimension;
use qingyu_llm::estimate;
use qingyu_story::Severity;
use qingyu_tools::Workspace;

use super::bench::{Bench, issue, review};
use crate::tests::bench::answered;

#[tokio::test]
async fn a_book_is_written_chapter_by_chapter() {
    let bench = Bench::new(3);
    let ended = bench.run().await;
    let steps = ended.steps();
    let state = ended.done();
    let per_chapter = ["understand", "generate", "review", "settle"];
    assert_eq!(bench.purposes(), per_chapter.repeat(3), "four requests a chapter");
    let steps_of = |chapter| {
        ["started", "planned", "written", "reviewed", "accepted", "settled"].map(|step| format!("{chapter} {step}"))
    };
    assert_eq!(steps, (1..=3).flat_map(steps_of).collect::<Vec<_>>());
    assert_eq!((state.accepted.len(), state.warnings.as_slice(), state.errors.as_slice()), (3, &[][..], &[][..]));
    for (number, row) in (1..).zip(&state.accepted) {
        assert_eq!((row.chapter, row.score, row.forced, row.retries, row.calls), (number, Some(85), false, 0, 4));
        assert!(row.changed && row.tokens > 0 && row.settled.facts == 1, "{row:?}");
        assert!(bench.text(number).starts_with(&format!("林青在第{number}天")));
    }
    let story = bench.workspace.story();
    assert_eq!(story.documents.iter().map(|document| document.order).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(story.facts.len(), 3);
    assert!(story.documents.iter().all(|document| document.summary.contains("林青在旧港")));
    assert_eq!(state.tokens_used, state.accepted.iter().map(|row| row.tokens).sum::<u64>());
    assert!(state.messages.iter().all(|call| call.chapter.is_some() && call.raw.is_empty()));
}

#[tokio::test]
async fn a_chapter_knows_what_came_before() {
    let bench = Bench::new(5);
    bench.run().await.done();
    let asked: Vec<ChapterPlanContext> = bench.asked("chapter.understand");
    let last = &asked[4].surroundings;
    assert_eq!(last.before.len(), 4, "the last three chapters, and those before them in one line: {:?}", last.before);
    assert!(last.before[3].contains("第4章：林青在旧港过了一夜。"), "as they were settled: {:?}", last.before);
    assert!(bench.text(4).ends_with(&last.ending));
    assert_eq!((asked[0].surroundings.ending.as_str(), last.next.as_str()), ("", ""));
    assert!(asked[0].surroundings.next.contains("第2章"));
    let asked: Vec<ChapterProseContext> = bench.asked("chapter.generate");
    assert!(
        asked[4].card.chapter.contains("【前文片段】") && asked[4].card.chapter.contains("【人物】"),
        "{}",
        asked[4].card.chapter
    );
    assert!(asked[4].card.stable.contains("冷峻"));
    assert_eq!(
        asked[4].card.tokens,
        estimate::tokens(&asked[4].card.stable) + estimate::tokens(&asked[4].card.chapter)
    );
    assert!(asked.iter().all(|other| other.card.stable == asked[0].card.stable));
}

#[tokio::test]
async fn only_chapters_without_text_are_written_unless_they_are_named() {
    let bench = Bench::with(super::bench::written(3, &["林青来了。"]), Bench::new(1).model);
    bench.run().await.done();
    assert_eq!(bench.text(1), "林青来了。");
    assert!(bench.text(2).starts_with("林青在第2天") && bench.text(3).starts_with("林青在第3天"));
    let again = Bench { run: "run-2".into(), ..bench }.task(WritingTask::Draft { chapters: vec![1_u32.into()] });
    again.run().await.done();
    assert!(again.text(1).starts_with("林青在第1天"), "{}", again.text(1));
    let versions = again.workspace.document_versions("d-1").await.unwrap();
    assert_eq!(versions[0].text, "林青来了。", "what was there is kept as a version");
}

#[tokio::test]
async fn a_review_that_does_not_pass_leads_to_mending() {
    let quote = "他数到第1盏灯，第1个人从雾里走过去。";
    let bench = Bench::new(1)
        .on("chapter.review", answered(&review(75, vec![issue(Severity::High, Dimension::Character, quote)])));
    let state = bench.run().await.done();
    assert_eq!(bench.purposes(), ["understand", "generate", "review", "fix", "review", "settle"]);
    let row = &state.accepted[0];
    assert_eq!((row.score, row.forced, row.retries), (Some(85), false, 1));
    let text = bench.text(1);
    assert!(text.contains("他改了主意。") && !text.contains(quote), "{text}");
}

#[tokio::test]
async fn a_low_score_is_written_again_with_the_checklist() {
    let quote = "他数到第1盏灯，第1个人从雾里走过去。";
    let bench =
        Bench::new(1).on("chapter.review", answered(&review(50, vec![issue(Severity::High, Dimension::Logic, quote)])));
    let state = bench.run().await.done();
    assert_eq!(bench.purposes(), ["understand", "generate", "review", "generate", "review", "settle"]);
    let asked: Vec<ChapterProseContext> = bench.asked("chapter.generate");
    assert!(asked[0].findings.is_empty());
    assert_eq!(asked[1].findings[0].quote, quote);
    assert_eq!(state.accepted[0].retries, 1);
}

#[tokio::test]
async fn a_very_low_score_starts_again_from_understanding() {
    let bench = Bench::new(1).on("chapter.review", answered(&review(20, vec![])));
    let state = bench.run().await.done();
    assert_eq!(bench.purposes(), ["understand", "generate", "review", "understand", "generate", "review", "settle"]);
    assert_eq!((state.accepted[0].retries, state.accepted[0].forced), (1, false));
}

#[tokio::test]
async fn when_the_retries_are_used_up_the_chapter_is_taken_with_a_warning() {
    let quote = "林青在第1天的第0个夜里到了旧港。";
    let mut bench = Bench::new(2);
    for _ in 0..4 {
        bench = bench.on("chapter.review", answered(&review(50, vec![issue(Severity::High, Dimension::Task, quote)])));
    }
    let ended = bench.run().await;
    assert!(ended.steps().contains(&"1 forced".to_owned()));
    let state = ended.done();
    let rows: Vec<_> = state.accepted.iter().map(|row| (row.forced, row.retries, row.score)).collect();
    assert_eq!(rows, [(true, 3, Some(50)), (false, 0, Some(85))], "the next chapter begins anew");
    assert_eq!(state.warnings.len(), 1);
    assert!(state.warnings[0].contains("3 轮"), "{:?}", state.warnings);
    assert!(bench.text(1).contains(quote), "and it is kept");
    assert_eq!(bench.purposes().iter().filter(|purpose| *purpose == "review").count(), 5);
}

#[tokio::test]
async fn an_author_s_length_and_manner_reach_the_writer() {
    let bench = Bench::new(1);
    let constraints = crate::writing::state::Constraints { words: Some(90), style_sample: "海风很咸。".into() };
    let input = bench.input().constraints(constraints).preferences(vec!["少用感叹号".into()]);
    let run = bench.thread().start(input).await.unwrap();
    run.finish().await.unwrap();
    let asked: Vec<ChapterProseContext> = bench.asked("chapter.generate");
    assert_eq!(asked[0].words, 90);
    assert!(asked[0].card.stable.contains("海风很咸。") && asked[0].card.stable.contains("少用感叹号"));
}
