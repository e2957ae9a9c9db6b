//! Contradictions that the facts of a draft show are mended before the chapter is settled.

use crate::context::{ChapterFixContext, ChapterSettleContext};
use crate::writing::fix::{DisputedIssue, Fix, Fixes};
use crate::writing::review::HeldReason;
use qingyu_llm::ChatRequest;
use qingyu_llm::testing::{ModelScript, ScriptedModel};
use qingyu_story::settlement::Extraction;
use qingyu_story::settlement::extraction::{ToldEvent, ToldFact};
use qingyu_story::{Config, TimelineEvent, findings};

use super::bench::{BLACK, Bench, context, good, written};
use crate::tests::bench::answered;

/// A sentence whose colour only a model reads.
const GLEAM: &str = "灯下那双眼睛蓝得发亮。";

/// Reads the colour of eyes in the sentences of both chapters.
fn read_gleam(request: &ChatRequest) -> ModelScript {
    let asked: ChapterSettleContext = context(request);
    let fact = |(quote, colour): (&str, &str)| ToldFact {
        subject: "林青".into(),
        predicate: "瞳色".into(),
        value: colour.into(),
        quote: quote.into(),
        confidence: 0.95,
        ..ToldFact::default()
    };
    let said = [(BLACK, "黑"), (GLEAM, "蓝")].into_iter().filter(|(quote, _)| asked.text.contains(quote));
    answered(&Extraction { summary: "读过了。".into(), facts: said.map(fact).collect(), ..Extraction::default() })
}

/// A book whose second chapter is drafted against the first one.
fn against_first(fixes: Fixes) -> Bench {
    let model = ScriptedModel::responding("scripted", move |request| match request.purpose.as_str() {
        "chapter.settle" => read_gleam(request),
        "chapter.generate" => format!("他走进旧港的酒馆。{GLEAM}没有人说话。夜深了，雨还在下。").into(),
        "chapter.fix" => answered(&fixes),
        _ => good(request),
    });
    let first = format!("雨停了。{BLACK}船不在。");
    Bench::with(written(2, &[&first]), model).rules(&["QY408"])
}

#[tokio::test]
async fn a_contradiction_that_only_the_facts_show_is_mended_before_the_chapter_is_settled() {
    let fix = Fix { find: "蓝得发亮".into(), with: "黑得发亮".into(), issue: 1 };
    let bench = against_first(Fixes { fixes: vec![fix], ..Fixes::default() });
    let state = bench.run().await.done();
    let of_draft = ["understand", "generate", "review", "settle", "fix", "review", "settle"];
    assert_eq!(bench.purposes(), [&["settle", "review"][..], &of_draft[..]].concat());
    let asked: Vec<ChapterFixContext> = bench.asked("chapter.fix");
    assert_eq!((asked[0].findings[0].code.as_deref(), asked[0].findings[0].quote.as_str()), (Some("QY408"), GLEAM));
    assert!(bench.text(2).contains("黑得发亮") && state.accepted[1].findings.is_empty(), "{:?}", state.accepted[1]);
    let found = findings(&bench.workspace.story(), &Config::default());
    assert!(!found.iter().any(|finding| finding.issue.code.as_deref() == Some("QY408")));
}

#[tokio::test]
async fn a_contradiction_that_nobody_mends_is_given_once_and_told_with_the_chapter() {
    let bench = against_first(Fixes::default());
    let state = bench.run().await.done();
    let fixes = bench.purposes().iter().filter(|purpose| *purpose == "fix").count();
    assert_eq!(fixes, 1, "{:?}", bench.purposes());
    let codes: Vec<_> = state.accepted[1].findings.iter().filter_map(|finding| finding.code.as_deref()).collect();
    assert_eq!(codes, ["QY408"]);
    assert!(state.warnings.iter().any(|warning| warning.contains("与故事矛盾")), "{:?}", state.warnings);
}

#[tokio::test]
async fn a_draft_that_tells_another_date_than_planned_is_mended_or_left_to_the_author() {
    let read = |request: &ChatRequest| {
        let asked: ChapterSettleContext = context(request);
        let day = ["八月十二", "八月初七"].into_iter().find(|day| asked.text.contains(day)).unwrap_or_default();
        let told = ToldEvent {
            title: "进酒馆".into(),
            planned: Some("进酒馆".into()),
            timestamp: day.into(),
            participants: vec!["林青".into()],
            quote: "他走进旧港的酒馆。".into(),
            confidence: 0.95,
            ..ToldEvent::default()
        };
        answered(&Extraction { summary: "读过了。".into(), events: vec![told], ..Extraction::default() })
    };
    let why = "这一章写的是另一天";
    for is_disputed in [false, true] {
        let fix = Fix { find: "八月十二".into(), with: "八月初七".into(), issue: 1 };
        let disputed = DisputedIssue { issue: 1, reason: why.into() };
        let fixes = match is_disputed {
            true => Fixes { disputed: vec![disputed], ..Fixes::default() },
            false => Fixes { fixes: vec![fix], ..Fixes::default() },
        };
        let model = ScriptedModel::responding("scripted", move |request| match request.purpose.as_str() {
            "chapter.settle" => read(request),
            "chapter.generate" => "八月十二，雨。他走进旧港的酒馆。林青没有说话。".into(),
            "chapter.fix" => answered(&fixes),
            _ => good(request),
        });
        let mut story = written(1, &[]);
        story.timeline_events.push(TimelineEvent {
            id: "e-1".into(),
            title: "进酒馆".into(),
            timestamp: "景和十七年八月初七".into(),
            participants: vec!["林青".into()],
            outline_node: Some("o-1".into()),
            ..TimelineEvent::default()
        });
        let bench = Bench::with(story, model).rules(&["QY316"]);
        let ended = bench.run().await;
        let accepted = ended.steps().iter().filter(|step| *step == "1 accepted").count();
        assert_eq!(accepted, 1, "{:?}", ended.steps());
        let state = ended.done();
        let asked: Vec<ChapterFixContext> = bench.asked("chapter.fix");
        assert_eq!(asked[0].findings[0].quote, "八月十二，雨。");
        let found = findings(&bench.workspace.story(), &Config::default());
        let date = found.iter().find(|finding| finding.issue.code.as_deref() == Some("QY316"));
        if is_disputed {
            assert_eq!(state.accepted[0].findings[0].held, Some(HeldReason::Disputed { why: why.into() }));
            assert_eq!(date.and_then(|date| date.issue.disputed.as_deref()), Some(why));
            let read = bench.purposes().iter().filter(|purpose| *purpose == "settle").count();
            assert_eq!(read, 1, "the facts of an unchanged text are not read again");
        } else {
            assert!(bench.text(1).starts_with("八月初七，雨。") && date.is_none(), "{date:?}");
        }
    }
}
