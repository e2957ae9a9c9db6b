//! Contradictions that the facts of a draft show are mended before the chapter is settled.

use crate::context::{ChapterFixContext, ChapterSettleContext};
use crate::writing::fix::{DisputedIssue, Fix, Fixes};
use crate::writing::review::{ChapterFinding, HeldReason};
use qingyu_llm::ChatRequest;
use qingyu_llm::testing::{ModelScript, ScriptedModel};
use qingyu_story::settlement::Extraction;
use qingyu_story::settlement::extraction::{ToldEvent, ToldFact};
use qingyu_story::{Config, TimelineEvent, findings};

use super::bench::{BLACK, Bench, book, context, good, written};
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

#[tokio::test]
async fn a_dispute_stays_when_another_finding_is_mended_in_the_same_round() {
    let why = "这一章写的是另一天";
    let model = ScriptedModel::responding("scripted", move |request| match request.purpose.as_str() {
        "chapter.settle" => {
            let asked: ChapterSettleContext = context(request);
            let fact = |(quote, colour): (&str, &str)| ToldFact {
                subject: "林青".into(),
                predicate: "瞳色".into(),
                value: colour.into(),
                quote: quote.into(),
                confidence: 0.95,
                ..ToldFact::default()
            };
            let told = ToldEvent {
                title: "进酒馆".into(),
                planned: Some("进酒馆".into()),
                timestamp: "八月十二".into(),
                participants: vec!["林青".into()],
                quote: "他走进旧港的酒馆。".into(),
                confidence: 0.95,
                ..ToldEvent::default()
            };
            let said = [(BLACK, "黑"), (GLEAM, "蓝")].into_iter().filter(|(quote, _)| asked.text.contains(quote));
            let events = if asked.text.contains(&told.quote) { vec![told] } else { Vec::new() };
            let facts = said.map(fact).collect();
            answered(&Extraction { summary: "读过了。".into(), facts, events, ..Extraction::default() })
        }
        "chapter.generate" => format!("八月十二，雨。他走进旧港的酒馆。{GLEAM}林青没有说话。夜深了。").into(),
        "chapter.fix" => {
            let asked: ChapterFixContext = context(request);
            let numbered = || (1..).zip(&asked.findings);
            let number = |is_date: bool| {
                let found = numbered().find(|(_, one)| one.is_choice() == is_date);
                found.map(|(number, _)| number)
            };
            let fix = |issue| Fix { find: "蓝得发亮".into(), with: "黑得发亮".into(), issue };
            let dispute = |issue| DisputedIssue { issue, reason: why.into() };
            answered(&Fixes {
                fixes: number(false).map(fix).into_iter().collect(),
                disputed: number(true).map(dispute).into_iter().collect(),
                ..Fixes::default()
            })
        }
        _ => good(request),
    });
    let mut story = written(2, &[&format!("雨停了。{BLACK}船不在。")]);
    story.timeline_events.push(TimelineEvent {
        id: "e-1".into(),
        title: "进酒馆".into(),
        timestamp: "景和十七年八月初七".into(),
        participants: vec!["林青".into()],
        outline_node: Some("o-2".into()),
        ..TimelineEvent::default()
    });
    let bench = Bench::with(story, model).rules(&["QY408", "QY316"]);
    let state = bench.run().await.done();
    assert!(bench.text(2).contains("黑得发亮"), "{}", bench.text(2));
    let asked: Vec<ChapterFixContext> = bench.asked("chapter.fix");
    let put: usize = asked.iter().map(|asked| asked.findings.len()).sum();
    assert_eq!(put, 2, "each is put to the writer once");
    let held: Vec<_> = state.accepted[1].findings.iter().map(|finding| finding.held.clone()).collect();
    assert_eq!(held, [Some(HeldReason::Disputed { why: why.into() })], "{:?}", state.accepted[1].findings);
    let found = findings(&bench.workspace.story(), &Config::default());
    let date = found.iter().find(|finding| finding.issue.code.as_deref() == Some("QY316"));
    assert_eq!(date.and_then(|date| date.issue.disputed.as_deref()), Some(why));
}

#[tokio::test]
async fn weekdays_of_the_whole_book_are_left_to_the_author() {
    for premise in ["", "三月初九，星期二，领江死了。"] {
        let model = ScriptedModel::responding("scripted", |request| match request.purpose.as_str() {
            "chapter.generate" => "三月初九，星期二，林青上了船。三月十一，星期四，船到了万县。".into(),
            _ => good(request),
        });
        let mut story = book(1);
        story.premise = premise.into();
        let event = |day: &str| TimelineEvent {
            id: format!("e-{day}"),
            title: format!("{day}的事"),
            timestamp: format!("民国二十二年三月{day} 20:00"),
            outline_node: Some("o-1".into()),
            ..TimelineEvent::default()
        };
        story.timeline_events = vec![event("初九"), event("十一")];
        let bench = Bench::with(story, model).rules(&["QY317"]);
        let state = bench.run().await.done();
        assert!(!bench.purposes().iter().any(|purpose| *purpose == "fix"), "{premise}: {:?}", bench.purposes());
        assert!(bench.text(1).contains("三月十一，星期四"), "{}", bench.text(1));
        let of_rule = |finding: &&ChapterFinding| finding.code.as_deref() == Some("QY317");
        let held: Vec<_> = state.accepted[0].findings.iter().filter(of_rule).map(|one| one.held.clone()).collect();
        assert!(held.iter().all(|held| *held == Some(HeldReason::ToldOtherwise)), "{premise}: {held:?}");
        let found = findings(&bench.workspace.story(), &Config::default());
        assert_eq!(found.iter().filter(|one| one.issue.code.as_deref() == Some("QY317")).count(), 1, "{premise}");
    }
}
