//! A part of a chapter, as the author wants it.

use crate::WritingTask;
use crate::context::{ChapterFixContext, ChapterProseContext, ChapterReviewContext, ChapterSettleContext};
use crate::writing::Part;
use crate::writing::review::{Dimension, HeldReason};
use crate::writing::trouble::TroubleCode;
use qingyu_llm::testing::ScriptedModel;
use qingyu_story::settlement::Extraction;
use qingyu_story::settlement::extraction::ToldFact;
use qingyu_story::{Config, Item, Language, Remark, Severity, Worldview, findings};

use super::bench::{Bench, book, context, good, issue, review, written};
use crate::tests::bench::answered;

const TEXT: &str = "雨停了。林青在码头等船。\n“你来了。”苏曼说。他没有回答。\n天亮的时候，船还没有来。";

fn bench(part: Part) -> Bench {
    let story = written(2, &[TEXT]);
    let task = WritingTask::Rewrite { chapter: 1_u32.into(), part, instruction: "对话更有张力".into() };
    Bench::with(story, Bench::new(1).model).task(task)
}

#[tokio::test]
async fn only_the_part_changes() {
    let new = "“你还敢来。”苏曼说。“我没有别的地方可去。”";
    for part in [
        Part::Paragraphs { from: 2, to: 2 },
        Part::Characters { from: 13, to: 13 + "“你来了。”苏曼说。他没有回答。".chars().count() },
    ] {
        let bench = bench(part).on("chapter.generate", new);
        let state = bench.run().await.done();
        assert_eq!(bench.purposes(), ["generate", "review", "settle"]);
        assert_eq!(bench.text(1), TEXT.replace("“你来了。”苏曼说。他没有回答。", new), "{part:?}");
        let asked: Vec<ChapterProseContext> = bench.asked("chapter.generate");
        assert_eq!(asked[0].original, "“你来了。”苏曼说。他没有回答。");
        assert!(asked[0].before.ends_with("等船。") && asked[0].after.starts_with("天亮"));
        assert_eq!((asked[0].instruction.as_str(), state.accepted[0].changed), ("对话更有张力", true));
    }
}

/// The chapter before is read first; the instruction is about the second one.
#[tokio::test]
async fn the_instruction_of_a_rewrite_is_shown_for_its_own_chapter_alone() {
    let story = written(2, &["雨停了。船不在。", TEXT]);
    let task =
        WritingTask::Rewrite { chapter: 2_u32.into(), part: Part::Whole, instruction: "对话更有张力".into() };
    let bench = Bench::with(story, Bench::new(1).model).task(task).on(
        "chapter.generate",
        "雨没有停。林青在旧港的酒馆里等了一夜，门开了又关，关了又开，苏曼始终没有来，天却慢慢亮了。",
    );
    bench.run().await.done();
    assert_eq!(bench.purposes(), ["settle", "review", "generate", "review", "settle"]);
    let asked: Vec<ChapterReviewContext> = bench.asked("chapter.review");
    assert!(asked[0].asked.is_empty() && asked[0].kind == "read", "{:?}", asked[0].asked);
    assert_eq!((asked[1].asked[0].text.as_str(), asked[1].kind.as_str()), ("对话更有张力", "rewrite"));
}

#[tokio::test]
async fn mending_stays_within_the_part() {
    let new = "“你还敢来。”苏曼说。他笑了笑，没有回答。";
    let outside = issue(Severity::High, Dimension::Logic, "天亮的时候，船还没有来。");
    let bench = bench(Part::Paragraphs { from: 2, to: 2 })
        .on("chapter.generate", new)
        .on("chapter.review", answered(&review(55, vec![outside])));
    let state = bench.run().await.done();
    assert_eq!(bench.purposes(), ["generate", "review", "settle"], "what is outside starts no round");
    assert_eq!(state.accepted[0].findings[0].held, Some(HeldReason::OutsidePart), "it is reported");
    assert!(state.warnings.iter().any(|said| said.contains("改写范围之外")), "{:?}", state.warnings);
    assert_eq!(bench.workspace.story().documents[0].remarks.len(), 1, "and the check goes on to name it");
    assert!(
        bench.text(1).ends_with("天亮的时候，船还没有来。") && bench.text(1).starts_with("雨停了。林青在码头等船。")
    );
}

/// A finding of an earlier reading outlives a rewrite of other words, until a reviewer who is told of it finds it mended.
#[tokio::test]
async fn an_open_remark_is_shown_to_the_reviewer_and_judged_again() {
    let quote = "天亮的时候，船还没有来。";
    let remark = Remark {
        severity: Severity::Medium,
        title: "船昨夜已经到了".into(),
        quote: quote.into(),
        why: "第一章说船夜里靠了岸".into(),
        fix: "改成船已经在岸边".into(),
        ..Remark::default()
    };
    for stays in [true, false] {
        let mut story = written(2, &[TEXT]);
        story.documents[0].remarks = vec![remark.clone()];
        let task = WritingTask::Rewrite {
            chapter: 1_u32.into(),
            part: Part::Paragraphs { from: 2, to: 2 },
            instruction: "对话更有张力".into(),
        };
        let found = if stays { vec![issue(Severity::Medium, Dimension::Continuity, quote)] } else { Vec::new() };
        let bench = Bench::with(story, Bench::new(1).model)
            .task(task)
            .rules(&["QY002"])
            .config(|config| config.max_retries = 0)
            .on("chapter.generate", "“你还敢来。”苏曼说。“我没有别的地方可去。”")
            .on("chapter.review", answered(&review(90, found)));
        bench.run().await.done();
        let asked: Vec<ChapterReviewContext> = bench.asked("chapter.review");
        let shown = asked[0].earlier.as_ref().expect("the remark is shown");
        assert_eq!(shown.findings[0].quote, quote);
        assert!(asked[0].findings.iter().all(|finding| finding.quote != quote), "not as a finding of the rules too");
        let left = bench.workspace.story().documents[0].remarks.len();
        assert_eq!(left, usize::from(stays), "it lives until it is mended");
    }
}

/// The end of a run names the sentences of later chapters that rest on what the rewrite took out, and so does the check.
#[tokio::test]
async fn a_rewrite_names_what_later_chapters_rest_on() {
    const GOT: &str = "林青捡到一把铜钥匙。";
    const USED: &str = "林青用铜钥匙开了门。";
    let model = ScriptedModel::responding("scripted", |request| match request.purpose.as_str() {
        "chapter.settle" => {
            let asked: ChapterSettleContext = context(request);
            let fact = |(predicate, quote): &(&str, &str)| ToldFact {
                subject: "林青".into(),
                predicate: (*predicate).into(),
                object: Some("铜钥匙".into()),
                quote: (*quote).into(),
                confidence: 0.95,
                ..ToldFact::default()
            };
            let said = [("得到", GOT), ("使用", USED)];
            let facts = said.iter().filter(|(_, quote)| asked.text.contains(quote)).map(fact).collect();
            answered(&Extraction { summary: "读过了。".into(), facts, ..Extraction::default() })
        }
        _ => good(request),
    });
    let mut story = written(2, &[&format!("雨停了。{GOT}"), &format!("天亮了。{USED}")]);
    let key = Item { id: "i-1".into(), name: "铜钥匙".into(), ..Item::default() };
    story.worldview = Some(Worldview { items: vec![key], ..Worldview::default() });
    let read = Bench::with(story, model).task(WritingTask::Read { chapters: Vec::new() });
    read.run().await.done();
    let task = WritingTask::Rewrite { chapter: 1_u32.into(), part: Part::Whole, instruction: "冷清一些".into() };
    let bench =
        Bench { run: "run-2".into(), ..read }.task(task).on("chapter.generate", "雨没有停。林青在码头站了一夜。");
    let state = bench.run().await.done();
    let [found] = state.accepted[0].findings.as_slice() else { panic!("{:?}", state.accepted[0].findings) };
    assert_eq!((found.quote.as_str(), found.against.as_slice()), (USED, &[GOT.to_owned()][..]));
    let story = bench.workspace.story();
    let check = findings(&story, &Config::default());
    let check = check.iter().find(|one| one.issue.code.as_deref() == Some("QY002")).expect("the check names it");
    assert!(check.issue.evidence[0].quote == USED && check.issue.root_cause.contains(GOT), "{check:?}");
}

#[tokio::test]
async fn a_part_must_be_there() {
    for part in [
        Part::Paragraphs { from: 3, to: 4 },
        Part::Paragraphs { from: 0, to: 1 },
        Part::Characters { from: 5, to: 5 },
        Part::Characters { from: 0, to: 1_000 },
    ] {
        let bench = bench(part);
        let state = bench.run().await.done();
        assert_eq!(state.trouble.unwrap().code, TroubleCode::UnknownPart, "{part:?}");
        assert!(bench.purposes().is_empty());
    }
    let task = WritingTask::Rewrite { chapter: 1_u32.into(), part: Part::Whole, instruction: "短一点".into() };
    let state = Bench::with(book(1), Bench::new(1).model).task(task).run().await.done();
    assert_eq!(state.trouble.unwrap().code, TroubleCode::UnknownChapter, "there is no text yet");
}

/// A fix loop about the part is not told of the rest.
#[tokio::test]
async fn only_what_lies_in_the_part_is_to_be_fixed() {
    let mut story = written(2, &["It rained.\nShe came in. He smiled.\nNo ship was there."]);
    story.language = Language::En;
    let task = WritingTask::Rewrite {
        chapter: 1_u32.into(),
        part: Part::Paragraphs { from: 2, to: 2 },
        instruction: "Let her be angry".into(),
    };
    let outside = issue(Severity::High, Dimension::Logic, "No ship was there.");
    let inside = issue(Severity::High, Dimension::Character, "He smiled again.");
    let bench = Bench::with(story, Bench::new(1).model)
        .task(task)
        .on("chapter.generate", "She slammed the door. He smiled again.")
        .on("chapter.review", answered(&review(70, vec![outside, inside])));
    bench.run().await.done();
    let asked: Vec<ChapterFixContext> = bench.asked("chapter.fix");
    let quotes: Vec<&str> = asked[0].findings.iter().map(|finding| finding.quote.as_str()).collect();
    assert_eq!(quotes, ["He smiled again."]);
    assert_eq!(asked[0].asked[0].passage, "She slammed the door. He", "where the passage begins");
    assert!(bench.text(1).ends_with("\nNo ship was there."), "{}", bench.text(1));
}

#[tokio::test]
async fn the_whole_chapter_may_be_the_part() {
    let bench = bench(Part::Whole).on("chapter.generate", "雨没有停。林青也没有等到船。苏曼先走了，什么也没说。");
    bench.run().await.done();
    assert_eq!(bench.text(1), "雨没有停。林青也没有等到船。苏曼先走了，什么也没说。");
}
