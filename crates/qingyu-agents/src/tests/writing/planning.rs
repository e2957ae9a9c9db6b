//! A book of a thousand chapters, planned with answers that are cut, that repeat and that break off; a book that is planned
//! on while it is written; gates.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::WritingTask;
use crate::context::{LaterContext, LevelContext};
use crate::levels::PlanTarget;
use crate::levels::later::OwnPlan;
use crate::output::{ArcPlan, ArcsPlan, BookPlan, ChapterOutline, ChaptersPlan, LaterChange, LaterPlans, VolumePlan};
use crate::writing::questions::About;
use crate::writing::trouble::TroubleCode;
use crate::writing::{AuthorAnswers, AuthorQuestions, Decision, GateReason, WritingGate};
use qingyu_llm::testing::{ModelScript, ScriptedModel};
use qingyu_llm::{ChatRequest, Error as ModelError, FinishReason, Reply};
use qingyu_story::{Document, Levels, OutlineNode, OutlineNodeKind, Provenance, Story};
use qingyu_tools::Workspace;
use qingyu_tools::workspace::WorkspaceSave;

use super::bench::{Bench, book, context, good};
use crate::tests::bench::answered;

/// Volumes of a hundred chapters, arcs of twenty, and the chapters that are asked for.
fn planner(request: &ChatRequest) -> ModelScript {
    match request.purpose.as_str() {
        "outline.book" => answered(&volumes(&context(request))),
        "outline.arcs" => answered(&arcs(&context(request))),
        "outline.chapters" => answered(&chapters(&context(request))),
        "outline.later" => answered(&LaterPlans::default()),
        _ => good(request),
    }
}

fn parts(context: &LevelContext, size: u32) -> Vec<(u32, u32)> {
    let (first, last) = (context.shown.first, context.shown.last);
    (first..=last).step_by(size as usize).map(|from| (from, (from + size - 1).min(last))).collect()
}

fn volumes(context: &LevelContext) -> BookPlan {
    let volume = |(first, last)| VolumePlan {
        first,
        last,
        name: "旧港".into(),
        description: "林青对上旧港的人，守住了码头。".into(),
        goal: "让林青离真相更近".into(),
        ..VolumePlan::default()
    };
    let volumes = parts(context, 100).into_iter().map(volume).collect();
    BookPlan { course: "林青查到底。".into(), ending: "灯亮了。".into(), volumes, ..BookPlan::default() }
}

fn arcs(context: &LevelContext) -> ArcsPlan {
    let arc = |(first, last)| ArcPlan {
        first,
        last,
        name: "试探".into(),
        description: "林青与苏曼互相试探。".into(),
        function: "试探".into(),
        hook: "谁先亮底".into(),
        ..ArcPlan::default()
    };
    ArcsPlan { arcs: parts(context, 20).into_iter().map(arc).collect(), ..ArcsPlan::default() }
}

fn chapters(context: &LevelContext) -> ChaptersPlan {
    let chapter = |number: &u32| ChapterOutline {
        number: *number,
        name: "雨夜".into(),
        description: "林青在旧港追查线索，遇到苏曼。".into(),
        goal: "让调查更近一步".into(),
        participants: vec!["林青".into(), "苏曼".into()],
        ..ChapterOutline::default()
    };
    ChaptersPlan { chapters: context.shown.numbers.iter().map(chapter).collect(), ..ChaptersPlan::default() }
}

/// A book without an outline that says how long it is to be.
fn unplanned(chapters: u32) -> Story {
    Story { premise: format!("写一部{chapters}章的悬疑连载"), outline_nodes: Vec::new(), ..book(1) }
}

fn plan(until: PlanTarget) -> WritingTask {
    WritingTask::Plan { until }
}

fn nodes(story: &Story, kind: OutlineNodeKind) -> Vec<&OutlineNode> {
    let mut nodes: Vec<&OutlineNode> = story.outline_nodes.iter().filter(|node| node.kind == kind).collect();
    nodes.sort_by_key(|node| node.order);
    nodes
}

#[tokio::test]
async fn a_thousand_chapters_are_planned_whatever_the_answers_are_like() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&calls);
    let model = ScriptedModel::responding("scripted", move |request| {
        if !request.purpose.starts_with("outline.") {
            return good(request);
        }
        let call = counter.fetch_add(1, Ordering::SeqCst);
        match (call % 9, request.purpose.as_str()) {
            // Half of the items, as if nothing was wrong; then with repeats and a number that nobody asked for.
            (2, "outline.chapters") => {
                let mut answer = chapters(&context(request));
                answer.chapters.truncate(answer.chapters.len().div_ceil(2));
                answered(&answer)
            }
            (5, "outline.chapters") => {
                let mut answer = chapters(&context(request));
                let again = answer.chapters.clone();
                answer.chapters.extend(again);
                answer.chapters[1].number = 9_999;
                answered(&answer)
            }
            (4, "outline.arcs") => {
                let mut answer = arcs(&context(request));
                answer.arcs.remove(1);
                answered(&answer)
            }
            // Cut in the middle of a word, and said to be whole.
            (7, "outline.chapters") => {
                let text = serde_json::to_string(&chapters(&context(request))).unwrap();
                let half = text.char_indices().nth(text.chars().count() / 2).unwrap().0;
                Reply { text: text[..half].into(), finish: FinishReason::Stop, ..Reply::default() }.into()
            }
            _ => planner(request),
        }
    });
    // The connection breaks twice.
    let broken = || ModelError::Truncated { partial: String::new() };
    let bench = Bench::with(unplanned(1_000), model).task(plan(PlanTarget::Chapter { number: 1_000 }));
    let bench = bench.on("outline.arcs", broken()).on("outline.chapters", broken());
    let mut ended = bench.run().await;
    let mut resumed = 0;
    while ended.outcome.is_err() {
        resumed += 1;
        assert!(resumed <= 6, "{:?}", ended.outcome);
        ended = bench.resume().await;
    }
    let state = ended.done();
    assert!(!state.output_metadata.error, "{:?}", state.errors);
    let story = bench.workspace.story();
    let made = nodes(&story, OutlineNodeKind::Chapter);
    let names: Vec<String> = made.iter().map(|node| node.name.clone()).collect();
    let expected: Vec<String> =
        (1..=1_000).map(|number| format!("第{}章 雨夜", qingyu_story::numerals::chinese(number))).collect();
    assert_eq!(names, expected, "every number once, in order");
    assert_eq!((nodes(&story, OutlineNodeKind::Act).len(), nodes(&story, OutlineNodeKind::Arc).len()), (10, 50));
    let levels = Levels::of(&story).unwrap();
    assert_eq!((levels.length, levels.planned, levels.open()), (1_000, 1_000, 0));
    let found = qingyu_story::findings(&story, &qingyu_story::Config::default());
    let structure = ["QY905", "QY906", "QY907", "QY912"];
    let structure: Vec<_> =
        found.iter().filter(|one| one.issue.code.as_deref().is_some_and(|code| structure.contains(&code))).collect();
    assert!(structure.is_empty(), "{structure:?}");
    // The prompt of the last arc is as long as that of the first.
    let lengths: Vec<(u32, usize)> = bench
        .model
        .requests()
        .iter()
        .filter(|request| request.purpose == "outline.chapters")
        .map(|request| {
            let length = request.messages.iter().map(|message| message.text.chars().count()).sum();
            (context::<LevelContext>(request).shown.first, length)
        })
        .collect();
    let at = |first: u32| lengths.iter().find(|(from, _)| *from >= first).unwrap().1;
    let (early, late) = (at(12), at(990));
    assert!(late * 10 <= early * 11 && early * 10 <= late * 11, "{early} characters, and {late} at the end");
}

#[tokio::test]
async fn nodes_of_the_author_stay_as_they_are() {
    let bench = Bench::with(unplanned(120), ScriptedModel::responding("scripted", planner));
    let bench = bench.task(plan(PlanTarget::Next));
    bench.run().await.done();
    let mut story = (*bench.workspace.story()).clone();
    assert_eq!(nodes(&story, OutlineNodeKind::Chapter).len(), 20);
    let second = nodes(&story, OutlineNodeKind::Arc)[1].clone();
    let mine = OutlineNode {
        id: "o-900".into(),
        kind: OutlineNodeKind::Chapter,
        order: second.order + 1,
        name: "第二十一章 我写的".into(),
        parent: Some(second.name.clone()),
        description: "作者自己排的一章。".into(),
        locked: true,
        ..OutlineNode::default()
    };
    story.outline_nodes.push(mine);
    let next = Bench { run: "run-2".into(), ..Bench::with(story.clone(), ScriptedModel::responding("s", planner)) };
    let next = next.task(plan(PlanTarget::Arc { number: 2 }));
    next.run().await.done();
    let after = next.workspace.story();
    for node in &story.outline_nodes {
        assert!(after.outline_nodes.contains(node), "{} has changed", node.name);
    }
    let made = nodes(&after, OutlineNodeKind::Chapter);
    assert_eq!(
        (made.len(), made[20].name.as_str(), made[21].name.as_str()),
        (40, "第二十一章 我写的", "第二十二章 雨夜")
    );
}

#[tokio::test]
async fn what_the_text_has_made_impossible_is_proposed_and_changed_by_the_author_alone() {
    let first = Bench::with(unplanned(60), ScriptedModel::responding("scripted", planner));
    let first = first.task(plan(PlanTarget::Next));
    first.run().await.done();
    let mut story = (*first.workspace.story()).clone();
    for (number, node) in (1_u32..).zip(nodes(&story.clone(), OutlineNodeKind::Chapter)) {
        story.documents.push(Document {
            id: format!("d-{number}"),
            title: node.name.clone(),
            order: number,
            outline_node: Some(node.id.clone()),
            version: 1,
            text: "苏曼倒在码头上，再也没有醒来。".into(),
            summary: "苏曼死了。".into(),
            ..Document::default()
        });
    }
    let model = ScriptedModel::responding("scripted", |request| match request.purpose.as_str() {
        "outline.later" => {
            let shown: LaterContext = context(request);
            let change = LaterChange {
                node: shown.plans[0].id.clone(),
                field: "hook".into(),
                text: "苏曼留下的信在谁手里".into(),
                reason: "苏曼死在第二十章".into(),
                ..LaterChange::default()
            };
            let turns = LaterChange {
                field: "turns".into(),
                text: String::new(),
                items: vec!["信是假的".into(), "信是真的".into()],
                ..change.clone()
            };
            let unknown = LaterChange { node: "o-9999".into(), ..change.clone() };
            let by_hand = LaterChange { node: shown.plans[1].id.clone(), ..change.clone() };
            answered(&LaterPlans { changes: vec![change, turns, unknown, by_hand], ..LaterPlans::default() })
        }
        _ => planner(request),
    });
    let bench = Bench { run: "run-2".into(), ..Bench::with(story.clone(), model) };
    let bench = bench.task(plan(PlanTarget::Next));
    // The third arc is the author's own since an edit.
    let before = bench.workspace.story();
    let mut after = (*before).clone();
    let arcs = nodes(&before, OutlineNodeKind::Arc);
    let own = after.outline_nodes.iter_mut().find(|node| node.id == arcs[2].id).unwrap();
    own.goal = "作者自己的打算".into();
    let save = WorkspaceSave {
        before: Arc::clone(&before),
        after,
        expected: 0,
        key: "by hand".into(),
        provenance: Provenance { agent: "person".into(), ..Provenance::default() },
    };
    bench.workspace.save(save).await.unwrap();
    let (ended, payload) = bench.run().await.waiting();
    let AuthorQuestions { questions } = serde_json::from_value(payload).unwrap();
    let [question, turns, own] = questions.as_slice() else { panic!("{questions:?}") };
    let About::LaterPlan(held) = &own.about else { panic!("{own:?}") };
    assert_eq!((held.node.as_str(), held.own), (arcs[2].id.as_str(), Some(OwnPlan::ByHand)), "left to the author");
    assert!(ended.warnings.iter().any(|line| line.contains("其中由作者写定")), "{:?}", ended.warnings);
    let About::LaterPlan(proposed) = &turns.about else { panic!("{turns:?}") };
    assert_eq!((proposed.field.as_str(), proposed.after.as_str()), ("turns", "信是假的\n信是真的"));
    let About::LaterPlan(proposal) = &question.about else { panic!("{question:?}") };
    assert_eq!((proposal.before.as_str(), proposal.reason.as_str()), ("谁先亮底", "苏曼死在第二十章"));
    let before = bench.workspace.story();
    let node = |story: &Story| story.outline_nodes.iter().find(|node| node.id == proposal.node).cloned().unwrap();
    assert_eq!(node(&before).hook, "谁先亮底", "nothing changes before the author says so");
    let answers = [(question.id.clone(), Decision::Accept), (turns.id.clone(), Decision::Accept)].into();
    bench.answer(&AuthorAnswers { answers, ..AuthorAnswers::default() }).await.done();
    assert_eq!(node(&bench.workspace.story()).hook, "苏曼留下的信在谁手里");
    assert_eq!(node(&bench.workspace.story()).turns, ["信是假的", "信是真的"]);
    let is_own = |node: &&OutlineNode| node.id == arcs[2].id;
    assert_eq!(
        nodes(&bench.workspace.story(), OutlineNodeKind::Arc).into_iter().find(is_own).unwrap().hook,
        "谁先亮底"
    );
    let later: Vec<LaterContext> = bench.asked("outline.later");
    assert_eq!((later.len(), later[0].left, later[0].cast.is_empty()), (1, 0, false));
    let chapters: Vec<LevelContext> = bench.asked("outline.chapters");
    assert!(chapters[0].shown.before.iter().any(|line| line.contains("苏曼死了")), "{:?}", chapters[0].shown.before);
}

#[tokio::test]
async fn writing_plans_as_it_goes_and_waits_at_its_gates() {
    let model = ScriptedModel::responding("scripted", planner);
    let first = Bench::with(unplanned(60), model).task(plan(PlanTarget::Next));
    first.run().await.done();
    let story = (*first.workspace.story()).clone();
    let task = WritingTask::Draft { chapters: vec!["1-23".into()] };
    let bench = Bench { run: "run-2".into(), ..Bench::with(story, ScriptedModel::responding("scripted", planner)) };
    let bench = bench.task(task).config(|config| config.gates = vec![WritingGate::Arc, WritingGate::Chapters(15)]);
    let mut waits = Vec::new();
    let mut ended = bench.run().await;
    let state = loop {
        if !matches!(ended.outcome, Ok(qingyu_graph::Outcome::Waiting { .. })) {
            break ended.done();
        }
        let (state, payload) = ended.waiting();
        let AuthorQuestions { questions } = serde_json::from_value(payload).unwrap();
        let About::Gate { reason, left } = questions[0].about.clone() else { panic!("{questions:?}") };
        waits.push((state.accepted.len(), matches!(reason, GateReason::ArcEnded { .. }), left));
        let answers = [(questions[0].id.clone(), Decision::Accept)].into();
        ended = bench.answer(&AuthorAnswers { answers, ..AuthorAnswers::default() }).await;
    };
    assert_eq!(waits, [(15, false, 8), (20, true, 3)]);
    assert_eq!(state.accepted.len(), 23);
    let story = bench.workspace.story();
    assert_eq!(nodes(&story, OutlineNodeKind::Chapter).len(), 40, "the second arc was planned on the way");
    assert!(state.warnings.iter().any(|warning| warning.contains("第 41～60 章")), "{:?}", state.warnings);
}

#[tokio::test]
async fn later_plans_are_looked_at_when_an_arc_is_written_even_if_the_next_is_planned() {
    let scripted = || ScriptedModel::responding("scripted", planner);
    let first = Bench::with(unplanned(60), scripted()).task(plan(PlanTarget::Chapter { number: 40 }));
    first.run().await.done();
    let story = (*first.workspace.story()).clone();
    let task = WritingTask::Draft { chapters: vec!["1-20".into()] };
    let writing = Bench { run: "run-2".into(), ..Bench::with(story, scripted()) }.task(task);
    let state = writing.run().await.done();
    assert_eq!((state.accepted.len(), state.plan_looked), (20, 20));
    let looks = |bench: &Bench| {
        let asked: Vec<LaterContext> = bench.asked("outline.later");
        asked.iter().map(|shown| (shown.written, shown.left)).collect::<Vec<_>>()
    };
    // Twenty chapters, two arcs and the volume, in one request.
    assert_eq!(looks(&writing), [(20, 0)]);
    assert_eq!(nodes(&writing.workspace.story(), OutlineNodeKind::Chapter).len(), 40, "nothing is planned by a look");
    // A plan looks once at what is written: the second has nothing new to consider.
    let workspace = Arc::clone(&writing.workspace);
    let next = Bench { run: "run-3".into(), workspace, ..Bench::with(unplanned(60), scripted()) };
    let next = next.task(plan(PlanTarget::Next));
    next.run().await.done();
    assert_eq!((looks(&next).len(), nodes(&next.workspace.story(), OutlineNodeKind::Chapter).len()), (1, 60));
    let again = Bench { run: "run-4".into(), workspace: next.workspace, ..Bench::with(unplanned(60), scripted()) };
    let again = again.task(plan(PlanTarget::Next));
    again.run().await.done();
    assert!(looks(&again).is_empty());
    // An early chapter is rewritten: the plans are held against it.
    let before = again.workspace.story();
    let mut after = (*before).clone();
    after.documents.iter_mut().find(|document| document.order == 3).unwrap().text.push_str("苏曼走了。");
    let expected = again.workspace.version().await.unwrap();
    let provenance = Provenance { agent: "person".into(), ..Provenance::default() };
    let save = WorkspaceSave { before, after, expected, key: "rewritten".into(), provenance };
    again.workspace.save(save).await.unwrap();
    let last = Bench { run: "run-5".into(), workspace: again.workspace, ..Bench::with(unplanned(60), scripted()) };
    let last = last.task(plan(PlanTarget::Next));
    last.run().await.done();
    assert!(!looks(&last).is_empty());
}

#[tokio::test]
async fn a_gate_that_is_not_passed_ends_the_run_with_what_is_written() {
    let story = Story { premise: "写六十章".into(), ..book(3) };
    let bench = Bench::with(story, ScriptedModel::responding("scripted", planner));
    let bench = bench.config(|config| config.gates = vec![WritingGate::Chapters(1)]);
    let (_, payload) = bench.run().await.waiting();
    let AuthorQuestions { questions } = serde_json::from_value(payload).unwrap();
    let answers = [(questions[0].id.clone(), Decision::Reject)].into();
    let state = bench.answer(&AuthorAnswers { answers, ..AuthorAnswers::default() }).await.done();
    assert_eq!((state.accepted.len(), state.output_metadata.error), (1, false));
}

#[tokio::test]
async fn a_plan_without_a_length_or_without_answers_says_so() {
    let short = Bench::with(book(3), ScriptedModel::responding("scripted", planner)).task(plan(PlanTarget::Next));
    assert_eq!(short.run().await.done().trouble.unwrap().code, TroubleCode::NoLength);
    let silent = ScriptedModel::responding("scripted", |_| "没有".into());
    let silent = Bench::with(unplanned(100), silent).task(plan(PlanTarget::Next));
    let state = silent.run().await.done();
    assert_eq!(state.trouble.unwrap().code, TroubleCode::PlanStopped);
    assert!(state.output_metadata.error && silent.workspace.story().outline_nodes.is_empty());
    assert!(silent.model.requests().len() <= 12, "asked a bounded number of times");
    let planned = Bench::with(unplanned(60), ScriptedModel::responding("scripted", planner));
    let planned = planned.task(plan(PlanTarget::Arc { number: 99 }));
    assert_eq!(planned.run().await.done().trouble.unwrap().code, TroubleCode::UnknownArc);
}
