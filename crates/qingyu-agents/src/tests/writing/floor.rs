//! The floor: no reviewer lifts a text above it, a person may, and what they do not take is not taken.

use crate::WritingTask;
use crate::context::ChapterProseContext;
use crate::writing::questions::About;
use crate::writing::trouble::TroubleCode;
use crate::writing::{AuthorAnswers, AuthorQuestion, AuthorQuestions, Decision, Part};
use qingyu_llm::testing::ScriptedModel;
use qingyu_text::{Floor, ShortfallKind};

use super::bench::{Bench, book, context, good, written};
use crate::tests::bench::answered;

const REFUSAL: &str = "抱歉，我无法协助完成这个请求。";
const CHAPTERS: [&str; 2] = [
    "雨停在天亮以前。林青推开库房的门，门轴干涩地响了一声。他把灯举高，看见架子上的账册少了一本，灰尘里留着一个方方正正的空。",
    "苏曼在码头等了一夜。潮水退下去的时候，石阶上露出一只鞋，鞋里塞着半张船票。她把船票收进袖子，朝旧港的方向走去。",
];

/// The real floor, with a reviewer who likes everything and a writer who says `text`.
fn bench(text: impl Fn(&ChapterProseContext) -> String + Send + Sync + 'static) -> Bench {
    let model = ScriptedModel::responding("scripted", move |request| match request.purpose.as_str() {
        "chapter.generate" => text(&context(request)).as_str().into(),
        _ => good(request),
    });
    Bench::with(book(2), model).config(|config| config.floor = Floor::default())
}

fn chapter(asked: &ChapterProseContext) -> String {
    CHAPTERS[usize::try_from(asked.chapter - 1).unwrap()].to_owned()
}

/// The question about the chapter, and how it falls short.
fn asked(payload: serde_json::Value) -> (AuthorQuestion, String, Vec<ShortfallKind>) {
    let AuthorQuestions { questions } = serde_json::from_value(payload).unwrap();
    let [question] = questions.as_slice() else { panic!("{questions:?}") };
    let About::BelowFloor { text, shortfalls } = &question.about else { panic!("{question:?}") };
    (question.clone(), text.clone(), shortfalls.iter().map(|shortfall| shortfall.kind).collect())
}

fn says(question: &AuthorQuestion, decision: Decision) -> AuthorAnswers {
    AuthorAnswers { answers: [(question.id.clone(), decision)].into(), ..AuthorAnswers::default() }
}

#[tokio::test]
async fn a_refusal_is_asked_again_with_the_reason_and_then_a_person_is_asked() {
    let bench = bench(|_| REFUSAL.to_owned());
    let ended = bench.run().await;
    assert!(!ended.steps().iter().any(|step| step.contains("accepted") || step.contains("forced")));
    let (state, payload) = ended.waiting();
    let (question, text, kinds) = asked(payload);
    assert_eq!((question.chapter, text.as_str()), (1, REFUSAL), "what was written is shown");
    assert_eq!(kinds, [ShortfallKind::Length, ShortfallKind::Refusal]);
    assert!(state.accepted.is_empty() && bench.workspace.story().documents.is_empty());
    assert!(!bench.purposes().contains(&"review".to_owned()), "no reviewer is paid: {:?}", bench.purposes());
    let requests: Vec<ChapterProseContext> = bench.asked("chapter.generate");
    let again: Vec<&ChapterProseContext> = requests.iter().filter(|request| !request.findings.is_empty()).collect();
    assert!(again.len() >= 3 && again[0].findings.iter().any(|finding| finding.title.contains("拒绝")), "{again:?}");
    let state = bench.answer(&says(&question, Decision::Reject)).await.done();
    assert!(state.output_metadata.error && state.accepted.is_empty());
    assert_eq!(state.trouble.unwrap().code, TroubleCode::BelowFloor);
    assert!(bench.workspace.story().documents.is_empty());
}

#[tokio::test]
async fn a_person_may_keep_it_and_the_book_goes_on() {
    let bench = bench(|asked| if asked.chapter == 1 { "雨停了。".to_owned() } else { chapter(asked) });
    let (_, payload) = bench.run().await.waiting();
    let (question, ..) = asked(payload);
    let (state, payload) = bench.answer(&says(&question, Decision::Later)).await.waiting();
    assert!(state.accepted.is_empty(), "later is asked again");
    let (question, ..) = asked(payload);
    let state = bench.answer(&says(&question, Decision::Accept)).await.done();
    let rows: Vec<_> = state.accepted.iter().map(|row| (row.chapter, row.forced, row.score)).collect();
    assert_eq!(rows, [(1, true, None), (2, false, Some(85))], "kept without a score");
    assert_eq!(bench.text(1), "雨停了。");
    assert!(state.warnings.iter().any(|warning| warning.contains("按作者的决定")), "{:?}", state.warnings);
}

#[tokio::test]
async fn each_kind_stops_a_chapter_that_the_reviewer_passes() {
    let english = "The rain stopped before dawn. He pushed the storeroom door open, and the hinge gave a dry creak. He raised the lamp and saw that one ledger was missing from the shelf.";
    let open = format!("{}一只空船在柱子上轻轻地", CHAPTERS[0]);
    let marked = format!("{}<|return|>", CHAPTERS[0]);
    for (text, kind) in [
        (english.to_owned(), ShortfallKind::Language),
        (open, ShortfallKind::Ending),
        (marked, ShortfallKind::Marks),
        ("他走到门口，又走了回来。".repeat(9), ShortfallKind::Repetition),
    ] {
        let bench = bench(move |_| text.clone()).config(|config| config.max_retries = 1);
        let (_, payload) = bench.run().await.waiting();
        assert_eq!(asked(payload).2, [kind]);
    }
}

#[tokio::test]
async fn eleven_equal_chapters_are_one() {
    let bench = bench(|_| CHAPTERS[0].to_owned());
    let (state, payload) = bench.run().await.waiting();
    assert_eq!(state.accepted.len(), 1);
    assert_eq!(asked(payload).2, [ShortfallKind::Likeness]);
}

#[tokio::test]
async fn what_is_mended_in_time_is_accepted() {
    let bench = bench(|asked| if asked.findings.is_empty() { REFUSAL.to_owned() } else { chapter(asked) });
    let state = bench.run().await.done();
    let rows: Vec<_> = state.accepted.iter().map(|row| (row.forced, row.retries, row.score)).collect();
    assert_eq!(rows, [(false, 1, Some(85)), (false, 1, Some(85))]);
}

#[tokio::test]
async fn a_sentence_of_the_machine_amid_the_prose_is_taken_out_at_its_place() {
    let aside = "作为AI语言模型，我无法描写这一幕。";
    let prose = |aside: &str| format!("{}\n他在码头等人。\n{aside}他等到天亮。\n船来了。\n没有人下船。", CHAPTERS[0]);
    let text = prose(aside);
    let model = ScriptedModel::responding("scripted", move |request| match request.purpose.as_str() {
        "chapter.generate" => text.as_str().into(),
        "chapter.fix" => {
            let fix = crate::writing::fix::Fix { find: aside.into(), with: String::new(), issue: 1 };
            answered(&crate::writing::fix::Fixes { fixes: vec![fix], ..Default::default() })
        }
        _ => good(request),
    });
    let bench = Bench::with(book(1), model).config(|config| config.floor = Floor::default());
    bench.run().await.done();
    assert_eq!(bench.purposes(), ["understand", "generate", "fix", "review", "settle"]);
    assert_eq!(bench.text(1), prose(""));
}

#[tokio::test]
async fn what_is_taken_off_is_told() {
    let bench = bench(|asked| format!("好的，以下是本章正文：{}\n（本章完，共60字）", chapter(asked)));
    let state = bench.run().await.done();
    assert_eq!(bench.text(1), CHAPTERS[0]);
    assert!(state.warnings[0].contains("「好的，以下是本章正文：」「（本章完，共60字）」"), "{:?}", state.warnings);
}

#[tokio::test]
async fn an_author_s_chapter_is_never_thrown_away() {
    // Short, unfinished and beside the point: it is theirs.
    let theirs = "雨停了，他推开门，";
    for task in
        [WritingTask::Correct { chapters: vec![1_u32.into()] }, WritingTask::Read { chapters: vec![1_u32.into()] }]
    {
        let bench = Bench::with(written(1, &[theirs]), ScriptedModel::responding("scripted", good)).task(task);
        let bench = bench.config(|config| config.floor = Floor::default());
        bench.run().await.done();
        assert_eq!(bench.text(1), theirs);
    }
    // A rewriting that is none leaves what was there.
    let task = WritingTask::Rewrite { chapter: 1_u32.into(), part: Part::Whole, instruction: "短一点".into() };
    let model = ScriptedModel::responding("scripted", |request| match request.purpose.as_str() {
        "chapter.generate" => REFUSAL.into(),
        _ => good(request),
    });
    let bench = Bench::with(written(1, &[CHAPTERS[0]]), model).task(task);
    let bench = bench.config(|config| config.floor = Floor::default());
    let (_, payload) = bench.run().await.waiting();
    let (question, _, kinds) = asked(payload);
    assert_eq!(kinds, [ShortfallKind::Refusal], "an author may want it as short as they like");
    bench.answer(&says(&question, Decision::Reject)).await.done();
    assert_eq!(bench.text(1), CHAPTERS[0]);
}
