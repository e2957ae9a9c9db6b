//! Mending converges: places are checked, refused fixes are told back once, and nothing else changes.

use crate::context::ChapterFixContext;
use crate::progress::{ChapterStep, Progress};
use crate::writing::fix::{DisputedIssue, Fix, Fixes};
use crate::writing::review::{Dimension, HeldReason};
use qingyu_llm::testing::ScriptedModel;
use qingyu_story::Severity;

use super::bench::{Bench, book, good, issue, reading, review};
use crate::tests::bench::answered;

const QUOTE: &str = "他数到第1盏灯，第2个人从雾里走过去。";

fn high(quote: &str) -> qingyu_llm::testing::ModelScript {
    answered(&review(75, vec![issue(Severity::High, Dimension::Character, quote)]))
}

fn fixes(fixes: &[(&str, &str, u32)]) -> qingyu_llm::testing::ModelScript {
    let fix =
        |(find, with, issue): &(&str, &str, u32)| Fix { find: (*find).into(), with: (*with).into(), issue: *issue };
    answered(&Fixes { fixes: fixes.iter().map(fix).collect(), ..Fixes::default() })
}

#[tokio::test]
async fn everything_but_the_places_stays_byte_for_byte() {
    let plain = Bench::new(1);
    plain.run().await.done();
    let bench =
        Bench::new(1).on("chapter.review", high(QUOTE)).on("chapter.fix", fixes(&[(QUOTE, "没有人走过去。", 1)]));
    bench.run().await.done();
    assert_eq!(bench.text(1), plain.text(1).replace(QUOTE, "没有人走过去。"));
}

#[tokio::test]
async fn fixes_that_do_not_fit_are_told_back_once() {
    let elsewhere = "林青在第1天的第0个夜里到了旧港。";
    let bench = Bench::new(1)
        .config(|config| config.words = 120)
        .on("chapter.review", high("他数到第1盏灯，第4个人从雾里走过去。"))
        .on("chapter.fix", fixes(&[(elsewhere, "别处的话。", 1), ("没有的话", "x", 1)]))
        .on("chapter.fix", fixes(&[("他数到第1盏灯，第4个人从雾里走过去。", "雾里没有人。", 1)]));
    let state = bench.run().await.done();
    assert_eq!(bench.purposes(), ["understand", "generate", "review", "fix", "fix", "review", "settle"]);
    let asked: Vec<ChapterFixContext> = bench.asked("chapter.fix");
    assert!(asked[0].refused.is_empty());
    assert_eq!(asked[1].refused.len(), 3, "both, and the issue that is still there: {:?}", asked[1].refused);
    assert!(bench.text(1).contains("雾里没有人。") && bench.text(1).contains(elsewhere));
    assert_eq!(state.accepted[0].retries, 1);
}

#[tokio::test]
async fn refused_fixes_are_counted_and_an_untouched_issue_is_not_called_changed() {
    let bench = Bench::new(1)
        .on("chapter.review", high(QUOTE))
        .on("chapter.fix", fixes(&[("没有的话", "x", 1), ("也没有的话", "y", 1)]))
        .on("chapter.fix", fixes(&[]));
    let ended = bench.run().await;
    let fixed = ended.progress.iter().find_map(|progress| match progress {
        Progress::Chapter { step: ChapterStep::Fixed { fixed, refused, .. }, .. } => Some((*fixed, *refused)),
        _ => None,
    });
    assert_eq!(fixed, Some((0, 2)));
    let asked: Vec<ChapterFixContext> = bench.asked("chapter.fix");
    assert_eq!(asked[1].refused.len(), 3, "{:?}", asked[1].refused);
    assert!(asked[1].refused[2].ends_with("还没有改动"), "{:?}", asked[1].refused);
}

#[tokio::test]
async fn a_chapter_that_nothing_mends_is_written_again_and_then_taken() {
    let model = ScriptedModel::responding("scripted", |request| match request.purpose.as_str() {
        "chapter.review" => {
            let draft = reading(request).draft;
            let quote = draft.split_inclusive('。').next().unwrap().to_owned();
            high(&quote)
        }
        "chapter.fix" => fixes(&[]),
        _ => good(request),
    });
    let bench = Bench::with(book(1), model);
    let state = bench.run().await.done();
    let row = &state.accepted[0];
    assert!(row.forced && row.retries == 3, "{row:?}");
    let count = |purpose: &str| bench.purposes().iter().filter(|asked| *asked == purpose).count();
    assert_eq!((count("review"), count("fix"), count("generate")), (4, 3, 4), "hard caps: {:?}", bench.purposes());
}

#[tokio::test]
async fn what_an_earlier_review_passed_is_not_opened_again() {
    let settled = "林青在第1天的第0个夜里到了旧港。";
    let bench = Bench::new(1)
        .on("chapter.review", high(QUOTE))
        .on("chapter.review", answered(&review(75, vec![issue(Severity::High, Dimension::Style, settled)])));
    let state = bench.run().await.done();
    assert_eq!(bench.purposes(), ["understand", "generate", "review", "fix", "review", "settle"]);
    assert!(!state.accepted[0].forced);
    assert!(state.warnings.iter().any(|warning| warning.contains("上次审核认为成立")), "{:?}", state.warnings);
}

#[tokio::test]
async fn an_issue_that_quotes_nothing_is_asked_for_again_and_then_left_out() {
    let invented = review(80, vec![issue(Severity::High, Dimension::Logic, "他忽然长出了翅膀，飞过旧港。")]);
    let bench = Bench::new(1).on("chapter.review", answered(&invented)).on("chapter.review", answered(&invented));
    let state = bench.run().await.done();
    assert_eq!(bench.purposes(), ["understand", "generate", "review", "review", "settle"]);
    assert_eq!(state.messages.iter().find(|call| call.purpose == "chapter.review").unwrap().attempts, 2);
    assert!(!state.accepted[0].forced && state.warnings[0].contains("不在本章里"), "{:?}", state.warnings);
}

#[tokio::test]
async fn a_medium_issue_with_its_remedy_is_mended_whatever_the_score() {
    let medium = review(84, vec![issue(Severity::Medium, Dimension::Character, QUOTE)]);
    let bench =
        Bench::new(1).on("chapter.review", answered(&medium)).on("chapter.fix", fixes(&[(QUOTE, "没有人走过去。", 1)]));
    let state = bench.run().await.done();
    assert_eq!(bench.purposes(), ["understand", "generate", "review", "fix", "review", "settle"]);
    assert!(bench.text(1).contains("没有人走过去。") && !state.accepted[0].forced);
    // What nobody can mend is known of the chapter that is taken.
    let bench = Bench::new(1)
        .on("chapter.review", answered(&medium))
        .on("chapter.fix", fixes(&[]))
        .config(|config| config.max_retries = 1);
    bench.run().await.done();
    let story = bench.workspace.story();
    assert!(story.documents[0].remarks.iter().all(|remark| remark.quote == QUOTE), "{:?}", story.documents[0].remarks);
}

#[tokio::test]
async fn what_the_writer_holds_to_be_wrong_is_left_to_the_author_with_the_reason() {
    let why = "前一章也是这样写的";
    let medium = review(84, vec![issue(Severity::Medium, Dimension::Character, QUOTE)]);
    let disputed = vec![DisputedIssue { issue: 1, reason: why.into() }];
    let bench = Bench::new(1)
        .on("chapter.review", answered(&medium))
        .on("chapter.fix", answered(&Fixes { disputed, ..Fixes::default() }));
    let state = bench.run().await.done();
    assert_eq!(bench.purposes(), ["understand", "generate", "review", "fix", "settle"], "the point is not put again");
    let row = &state.accepted[0];
    assert!(!row.forced && state.warnings.is_empty(), "{:?}", state.warnings);
    assert_eq!(row.findings[0].held, Some(HeldReason::Disputed { why: why.into() }));
    let story = bench.workspace.story();
    let document = &story.documents[0];
    let dispute = document.disputes.iter().find(|dispute| dispute.finding.is_empty() && dispute.quote == QUOTE);
    assert_eq!(dispute.map(|dispute| dispute.reason.as_str()), Some(why));
    assert_eq!(document.remarks.len(), 1, "it stays open for the author");
    // A point that is mended all the same is not disputed.
    let fix = Fix { find: QUOTE.into(), with: "没有人走过去。".into(), issue: 1 };
    let disputed = vec![DisputedIssue { issue: 1, reason: why.into() }];
    let bench = Bench::new(1)
        .on("chapter.review", answered(&medium))
        .on("chapter.fix", answered(&Fixes { fixes: vec![fix], disputed, ..Fixes::default() }));
    bench.run().await.done();
    assert!(bench.text(1).contains("没有人走过去。") && bench.workspace.story().documents[0].disputes.is_empty());
}

#[tokio::test]
async fn a_fix_that_is_half_done_is_mended_again_before_the_chapter_is_taken() {
    let (half, whole) = ("雾里好像没有人走过去。", "雾里没有人。");
    let medium = |quote: &str| answered(&review(84, vec![issue(Severity::Medium, Dimension::Character, quote)]));
    let bench = Bench::new(1)
        .on("chapter.review", medium(QUOTE))
        .on("chapter.fix", fixes(&[(QUOTE, half, 1)]))
        .on("chapter.review", medium(half))
        .on("chapter.fix", fixes(&[(half, whole, 1)]));
    let state = bench.run().await.done();
    assert_eq!(bench.purposes(), ["understand", "generate", "review", "fix", "review", "fix", "review", "settle"]);
    assert!(bench.text(1).contains(whole) && !bench.text(1).contains(half));
    assert!(!state.accepted[0].forced);
}

#[tokio::test]
async fn a_rule_sends_a_chapter_back_as_a_reviewer_does() {
    let model = ScriptedModel::responding("scripted", |request| match request.purpose.as_str() {
        "chapter.generate" => "雨停了。\n他在码头等人。作为AI语言模型，我无法描写这一幕。他等到天亮。\n船来了。".into(),
        "chapter.fix" => fixes(&[("作为AI语言模型，我无法描写这一幕。", "", 1)]),
        _ => good(request),
    });
    let bench = Bench::with(book(1), model).config(|config| config.words = 30).rules(&["QS07"]);
    let state = bench.run().await.done();
    assert_eq!(bench.purposes(), ["understand", "generate", "review", "fix", "review", "settle"]);
    assert_eq!(bench.text(1), "雨停了。\n他在码头等人。他等到天亮。\n船来了。");
    assert!(!state.accepted[0].forced);
}
