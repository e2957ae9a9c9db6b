//! Mending what the checker finds, and reading chapters anew.

use std::collections::BTreeSet;

use crate::WritingTask;
use crate::context::{ChapterFixContext, ChapterReviewContext};
use crate::progress::Progress;
use crate::writing::KEEP;
use crate::writing::fix::{DisputedIssue, Fix, Fixes};
use crate::writing::review::Dimension;
use qingyu_llm::Error as ModelError;
use qingyu_llm::testing::{ModelScript, ScriptedModel};
use qingyu_story::{Config, ReadMark, ReadState, Severity, Story, findings};

use super::bench::{BLACK, BLUE, Bench, context, good, issue, read_eyes, review, written};
use crate::tests::bench::answered;

fn bench(task: WritingTask) -> Bench {
    let first = format!("雨停了。{BLACK}船不在。");
    let second = format!("他走进旧港的酒馆。{BLUE}没有人说话。夜深了。");
    let model = ScriptedModel::responding("scripted", |request| match request.purpose.as_str() {
        "chapter.settle" => read_eyes(request),
        "chapter.fix" => {
            let fix = Fix { find: "蓝色".into(), with: "黑色".into(), issue: 1 };
            answered(&Fixes { fixes: vec![fix], ..Fixes::default() })
        }
        _ => good(request),
    });
    Bench::with(written(3, &[&first, &second, "天亮了。"]), model).task(task).rules(&["QY408"])
}

#[tokio::test]
async fn a_reading_reviews_chapters_reads_them_into_the_story_and_leaves_their_text() {
    let bench = bench(WritingTask::Read { chapters: Vec::new() });
    let texts: Vec<String> = (1..=3).map(|number| bench.text(number)).collect();
    let state = bench.run().await.done();
    assert_eq!(bench.purposes(), ["settle", "settle", "settle", "review", "review", "review"]);
    assert_eq!((1..=3).map(|number| bench.text(number)).collect::<Vec<_>>(), texts);
    assert!(state.accepted.iter().all(|row| !row.changed && row.read && !row.forced));
    let codes = state.accepted[1].findings.iter().filter_map(|finding| finding.code.as_deref());
    assert_eq!(codes.collect::<Vec<_>>(), ["QY408"], "the contradiction is reported with the chapter that brings it");
    let story = bench.workspace.story();
    assert_eq!(story.facts.len(), 2);
    assert!(findings(&story, &Config::default()).iter().any(|finding| finding.issue.code.as_deref() == Some("QY408")));
    assert_eq!(story.documents[0].summary, "读过了。");
    assert!(story.documents.iter().all(|document| document.read_state() == ReadState::Read));
    assert_eq!(story.documents[0].read.as_ref().unwrap().model, "scripted");
}

#[tokio::test]
async fn chapters_are_read_side_by_side_and_each_is_reviewed_against_what_the_others_say() {
    let first = bench(WritingTask::Read { chapters: Vec::new() }).config(|config| config.read_at_once = 2);
    let broken = ModelError::Transport { model: "scripted".into(), message: "gone".into() };
    let model = ScriptedModel::responding("scripted", move |request| match request.purpose.as_str() {
        "chapter.settle" => read_eyes(request),
        "chapter.review" if context::<ChapterReviewContext>(request).chapter == 2 => broken.clone().into(),
        _ => good(request),
    });
    let first = Bench { model, ..first };
    assert!(first.run().await.outcome.is_err(), "the reviewer cannot be reached");
    let asked: Vec<ChapterReviewContext> = first.asked("chapter.review");
    let of_second = asked.iter().find(|reading| reading.chapter == 2).unwrap();
    assert!(of_second.card.chapter.contains('黑'), "what the first chapter says: {}", of_second.card.chapter);
    assert!(first.workspace.story().documents.iter().all(|document| document.read.is_none()));

    let second = Bench {
        model: ScriptedModel::responding("scripted", |request| match request.purpose.as_str() {
            "chapter.settle" => read_eyes(request),
            _ => good(request),
        }),
        ..first
    };
    let state = second.resume().await.done();
    assert_eq!(second.purposes(), ["review", "settle", "review"], "only what is missing, and the last chapter");
    let rows: Vec<_> = state.accepted.iter().map(|row| (row.chapter, row.read, row.calls)).collect();
    assert_eq!(rows, [(1, true, 2), (2, true, 2), (3, true, 2)]);
    assert!(state.readings.is_empty() && state.to_read.is_empty());
    let keys: BTreeSet<&str> = state.messages.iter().map(|call| call.key.as_str()).collect();
    assert_eq!((keys.len(), state.messages.len()), (6, 6), "each call is one of its own: {keys:?}");
}

#[tokio::test]
async fn a_contradiction_is_mended_in_the_prose_and_the_story_follows() {
    let settled = bench(WritingTask::Read { chapters: Vec::new() });
    settled.run().await.done();
    let before = settled.text(2);
    let bench = Bench { run: "run-2".into(), ..settled }
        .task(WritingTask::Correct { chapters: vec![2_u32.into(), 3_u32.into()] });
    let ended = bench.run().await;
    let state = ended.done();
    let purposes = &bench.purposes()[6..];
    assert_eq!(purposes, ["fix", "settle"], "rules judge what rules found; the third chapter has nothing to mend");
    let asked: Vec<ChapterFixContext> = bench.asked("chapter.fix");
    assert_eq!((asked[0].chapter, asked[0].findings[0].quote.as_str()), (2, BLUE));
    assert!(asked[0].findings[0].against.iter().any(|other| other.contains("黑色")), "{:?}", asked[0].findings);
    assert_eq!(bench.text(2), before.replace("蓝色", "黑色"), "nothing else changes");
    let changed: Vec<_> = state.accepted.iter().map(|row| (row.chapter, row.changed, row.forced)).collect();
    assert_eq!(changed, [(2, true, false), (3, false, false)]);
    let story = bench.workspace.story();
    assert!(!findings(&story, &Config::default()).iter().any(|finding| finding.issue.code.as_deref() == Some("QY408")));
}

#[tokio::test]
async fn a_text_of_the_author_s_is_never_written_again() {
    let settled = bench(WritingTask::Read { chapters: Vec::new() });
    settled.run().await.done();
    let model = ScriptedModel::responding("scripted", |request| match request.purpose.as_str() {
        "chapter.settle" => read_eyes(request),
        "chapter.fix" => answered(&Fixes::default()),
        _ => good(request),
    });
    let bench =
        Bench { run: "run-2".into(), model, ..settled }.task(WritingTask::Correct { chapters: vec![2_u32.into()] });
    let (before, known) =
        (bench.text(2), bench.workspace.story().facts.iter().map(|fact| fact.value.clone()).collect::<Vec<_>>());
    let state = bench.run().await.done();
    assert_eq!(bench.purposes(), ["fix"], "the text that was read is the one that stands");
    assert_eq!((bench.text(2), state.accepted[0].forced), (before, true));
    assert!(state.accepted[0].read && state.accepted[0].calls == 1, "{:?}", state.accepted[0]);
    let facts: Vec<_> = bench.workspace.story().facts.iter().map(|fact| fact.value.clone()).collect();
    assert_eq!(facts, known, "what is known of it stays");
    assert_eq!(state.accepted[0].retries, 1, "it was asked for fixes once");
    assert!(state.warnings.iter().any(|said| said.contains("试改了 1 轮")), "{:?}", state.warnings);
}

#[tokio::test]
async fn a_disputed_finding_is_not_put_again_in_a_later_correction() {
    let settled = bench(WritingTask::Read { chapters: Vec::new() });
    settled.run().await.done();
    let model = ScriptedModel::responding("scripted", |request| match request.purpose.as_str() {
        "chapter.settle" => read_eyes(request),
        "chapter.fix" => {
            let disputed = vec![DisputedIssue { issue: 1, reason: "他戴了镜片".into() }];
            answered(&Fixes { disputed, ..Fixes::default() })
        }
        _ => good(request),
    });
    let first =
        Bench { run: "run-2".into(), model, ..settled }.task(WritingTask::Correct { chapters: vec![2_u32.into()] });
    let before = first.text(2);
    let state = first.run().await.done();
    assert_eq!(first.purposes(), ["fix"]);
    assert!(!state.accepted[0].forced && first.text(2) == before, "{:?}", state.accepted[0]);
    let story = first.workspace.story();
    let found = findings(&story, &Config::default()).into_iter();
    let found = found.filter(|finding| finding.issue.code.as_deref() == Some("QY408"));
    let found: Vec<Option<String>> = found.map(|finding| finding.issue.disputed).collect();
    assert_eq!(found, [Some("他戴了镜片".to_owned())], "it is open for the author, with the reason");
    let again = Bench { run: "run-3".into(), ..first };
    let state = again.run().await.done();
    assert_eq!(again.purposes(), ["fix"], "nobody is asked again");
    assert_eq!(state.accepted[0].findings.len(), 1, "the end of the run names it");
}

#[tokio::test]
async fn a_chapter_that_was_edited_is_read_before_it_is_corrected() {
    let read = bench(WritingTask::Read { chapters: Vec::new() });
    read.run().await.done();
    // By hand, and the reviewer finds what no rule does.
    let edited = format!("{} 他把信烧了。", read.text(3));
    let story = read.workspace.story();
    let mut after = Story::clone(&story);
    after.documents[2].text.clone_from(&edited);
    assert_eq!(after.documents[2].read_state(), ReadState::Changed);
    let model = ScriptedModel::responding("scripted", |request| match request.purpose.as_str() {
        "chapter.settle" => read_eyes(request),
        "chapter.review" if context::<ChapterReviewContext>(request).draft.contains("烧了") => {
            answered(&review(60, vec![issue(Severity::High, Dimension::Continuity, "他把信烧了。")]))
        }
        "chapter.fix" => {
            let fix = Fix { find: "他把信烧了。".into(), with: "他把信收好。".into(), issue: 1 };
            answered(&Fixes { fixes: vec![fix], ..Fixes::default() })
        }
        _ => good(request),
    });
    let bench = Bench::with(after, model).task(WritingTask::Correct { chapters: vec![1_u32.into(), 3_u32.into()] });
    let ended = bench.run().await;
    let says_so =
        |progress: &&Progress| matches!(progress, Progress::Warning { message } if message.contains("先通读"));
    assert_eq!(ended.progress.iter().filter(says_so).count(), 1);
    let state = ended.done();
    assert_eq!(
        bench.purposes(),
        ["settle", "review", "fix", "review", "settle"],
        "the first chapter is read already; what was mended is judged by reading again"
    );
    assert!(bench.text(3).ends_with("他把信收好。"), "{}", bench.text(3));
    assert!(state.accepted.iter().all(|row| row.read), "{:?}", state.accepted);
    assert!(!state.warnings.iter().any(|warning| warning.contains("先通读")), "said once: {:?}", state.warnings);
}

#[tokio::test]
async fn what_a_reading_found_lives_until_it_is_mended() {
    let model = ScriptedModel::responding("scripted", |request| match request.purpose.as_str() {
        "chapter.settle" => read_eyes(request),
        "chapter.review" if context::<ChapterReviewContext>(request).draft.contains("揣着手炉") => {
            answered(&review(84, vec![issue(Severity::Medium, Dimension::Character, "崔景明揣着手炉。")]))
        }
        "chapter.fix" => {
            let fixes = [("崔景明揣着手炉。", "崔景明捻着胡须。"), ("手炉停了一停。", "捻须的手停了一停。")];
            let fix = |(find, with): (&str, &str)| Fix { find: find.into(), with: with.into(), issue: 1 };
            answered(&Fixes { fixes: fixes.map(fix).to_vec(), ..Fixes::default() })
        }
        _ => good(request),
    });
    let story = written(1, &["崔景明揣着手炉。冰房里点了十二盏灯。她数过三遍。水从顶门灌下去。手炉停了一停。"]);
    let read = Bench::with(story, model).task(WritingTask::Read { chapters: Vec::new() }).rules(&["QY002"]);
    read.run().await.done();
    let found = |story: &Story| {
        let found = findings(story, &Config::default());
        found.into_iter().filter(|one| one.issue.code.as_deref() == Some("QY002")).count()
    };
    assert_eq!(found(&read.workspace.story()), 1, "the check tells it, without asking anybody");
    let bench = Bench { run: "run-2".into(), ..read }.task(WritingTask::Correct { chapters: Vec::new() });
    let state = bench.run().await.done();
    assert_eq!(bench.purposes()[2..], ["fix", "review", "settle"], "it is not 100 without a call");
    assert_eq!(bench.text(1), "崔景明捻着胡须。冰房里点了十二盏灯。她数过三遍。水从顶门灌下去。捻须的手停了一停。");
    assert!(state.accepted[0].changed && !state.accepted[0].forced);
    assert_eq!(found(&bench.workspace.story()), 0);
}

#[tokio::test]
async fn a_text_without_a_fix_is_not_reviewed_once_more() {
    let model = ScriptedModel::responding("scripted", |request| match request.purpose.as_str() {
        "chapter.settle" => read_eyes(request),
        "chapter.review" => {
            answered(&review(84, vec![issue(Severity::Medium, Dimension::Character, "崔景明揣着手炉。")]))
        }
        "chapter.fix" => answered(&Fixes::default()),
        _ => good(request),
    });
    let story = written(1, &["崔景明揣着手炉。冰房里点了十二盏灯。她数过三遍。水从顶门灌下去。手炉停了一停。"]);
    let read = Bench::with(story, model).task(WritingTask::Read { chapters: Vec::new() }).rules(&["QY002"]);
    read.run().await.done();
    let bench = Bench { run: "run-2".into(), ..read }.task(WritingTask::Correct { chapters: Vec::new() });
    let state = bench.run().await.done();
    assert_eq!(bench.purposes()[2..], ["fix"], "a review of the same text says the same");
    let row = &state.accepted[0];
    assert!(row.forced && !row.changed && row.read, "{row:?}");
    assert_eq!(row.calls as usize, state.messages.len(), "the table adds up");
    assert_eq!(row.tokens, state.tokens_used);
    assert!(state.warnings.iter().any(|said| said.contains("没有给出改法")), "{:?}", state.warnings);
}

#[tokio::test]
async fn the_chapters_before_are_read_before_the_next_is_written() {
    let mut story = written(5, &["一。", "二。", "三。", "四。", ""]);
    story.documents.retain(|document| !document.text.is_empty());
    let second = ReadMark::new(&story.documents[1], "scripted");
    story.documents[1].read = Some(second);
    let bench = Bench::with(story, ScriptedModel::responding("scripted", good)).config(|config| config.words = 1);
    let state = bench.run().await.done();
    let rows: Vec<_> = state.accepted.iter().map(|row| (row.chapter, row.read, row.changed)).collect();
    assert_eq!(rows, [(3, true, false), (4, true, false), (5, true, true)], "at most three, and only the unread");
}

#[tokio::test]
async fn a_reading_without_its_review_is_none_and_can_be_tried_again() {
    let model = ScriptedModel::responding("scripted", |request| match request.purpose.as_str() {
        "chapter.settle" => read_eyes(request),
        "chapter.review" => ModelScript::from("no JSON"),
        _ => good(request),
    });
    let bench = Bench::with(written(1, &["天亮了。"]), model).task(WritingTask::Read { chapters: Vec::new() });
    let state = bench.run().await.done();
    assert!(!state.accepted[0].read && state.lacks_reading(&state.accepted[0]));
    assert!(bench.workspace.story().documents[0].read_state().is_open());
    let again = Bench { model: ScriptedModel::responding("scripted", good), ..bench };
    again.thread().update_state(state.retried(), Some(KEEP)).await.unwrap();
    let state = again.resume().await.done();
    assert_eq!((state.accepted.len(), state.accepted[0].read), (1, true));
}
