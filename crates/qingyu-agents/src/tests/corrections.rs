//! Corrections: what changes, and what must not.

use crate::output::{CharacterWork, Judgement};
use crate::progress::Progress;
use qingyu_story::{Action, Agent, Character, CorrectionInstruction, Issue, RoleType, Severity, Strategy};
use serde_json::json;

use crate::tests::bench::{Bench, card, cast, judgement, outline, version_1};

fn issue(sub_category: &str, entity: &str) -> Issue {
    Issue {
        id: "issue-001".into(),
        severity: Severity::High,
        sub_category: sub_category.into(),
        title: "动机不足".into(),
        root_cause: "没有写明为什么接下委托".into(),
        affected_entities: vec![entity.into()],
        ..Default::default()
    }
}

fn told(agent: Agent, action: Action, parameters: serde_json::Value) -> CorrectionInstruction {
    CorrectionInstruction {
        issue_id: "issue-001".into(),
        target_agent: agent,
        action,
        specific_instruction: "为林深补上接下委托的理由".into(),
        parameters,
        priority: 8,
    }
}

pub(crate) fn unhappy(score: u8, sub_category: &str, instructions: Vec<CorrectionInstruction>) -> Judgement {
    Judgement {
        issues: vec![issue(sub_category, "林深")],
        correction_strategy: Strategy::IncrementalFix,
        correction_instructions: instructions,
        ..judgement(score)
    }
}

/// An answer that changes what it was told to, and everything else besides.
fn overeager() -> CharacterWork {
    let mut work = cast();
    work.characters[0].goals = "替搭档讨回公道".into();
    work.characters[0].occupation = "赏金猎人".into();
    work.characters[1].weakness = "贪财".into();
    work.characters.push(card("不速之客", RoleType::Minor));
    work.character_relations[0].strength = 0.1;
    work
}

#[tokio::test]
async fn an_incremental_correction_changes_only_what_it_was_told_to() {
    let instruction =
        told(Agent::Character, Action::Update, json!({ "kind": "character", "name": "林深", "goals": null }));
    // `null` leaves the words to the agent, so the model is asked.
    let bench = Bench::new()
        .on("review.judge", &unhappy(70, "character", vec![instruction]))
        .on("character.correct", &overeager());
    let ended = bench.run().await;
    let rounds = ended
        .progress
        .iter()
        .filter_map(|progress| match progress {
            Progress::CorrectionPlanned { iteration, mode, agents, .. } => {
                Some((*iteration, mode.clone(), agents.clone()))
            }
            _ => None,
        })
        .collect::<Vec<_>>();
    assert_eq!(rounds, [(1, "incremental".into(), vec![Agent::Character])]);
    let state = ended.done();
    assert_eq!(bench.purposes()[4..], ["review.judge", "character.correct", "review.judge"]);

    let mut expected = Bench::new().run().await.done().story();
    expected.characters[0].goals = "替搭档讨回公道".into();
    let bytes = |story| serde_json::to_string(story).unwrap();
    assert_eq!(bytes(&state.story()), bytes(&expected));
    assert!(state.warnings.iter().any(|line| line.contains("苏曼")), "{:?}", state.warnings);
    assert_eq!((state.iteration_count, state.scores.as_slice()), (1, &[70, 90][..]));
}

#[tokio::test]
async fn the_correcting_agent_is_told_in_the_design_s_layout() {
    let instruction =
        told(Agent::Character, Action::Update, json!({ "kind": "character", "name": "林深", "goals": null }));
    let bench = Bench::new()
        .on("review.judge", &unhappy(70, "character", vec![instruction]))
        .on("character.correct", &overeager());
    let state = bench.run().await.done();
    let request = bench.request("character.correct");
    let prompt = &request.messages[1].text;
    for line in [
        "# 修正任务",
        "**修正模式**: 增量修复",
        "- 质量分数: 70/100",
        "### 指令 1: 修改",
        "**问题根因**: 没有写明为什么接下委托",
    ] {
        assert!(prompt.contains(line), "{line}");
    }
    assert!(prompt.contains(&state.correction_prompts["character_agent"]));
    assert_eq!(request.context["mode"], "correct");
    assert_eq!(request.context["instructions"][0]["target_agent"], "character_agent");
}

#[tokio::test]
async fn what_is_complete_as_data_needs_no_model() {
    let instruction = told(
        Agent::Character,
        Action::Update,
        json!({ "kind": "character", "name": "林深", "goals": "替搭档讨回公道" }),
    );
    let bench = Bench::new().on("review.judge", &unhappy(70, "character", vec![instruction]));
    let state = bench.run().await.done();
    assert_eq!(bench.purposes()[4..], ["review.judge", "review.judge"]);
    assert_eq!(state.characters[0].goals, "替搭档讨回公道");
    assert!(state.review_passed);
}

/// A judgement with a score that is enough, and an issue that can be mended.
fn nearly_content(goals: &str) -> Judgement {
    let parameters = json!({ "kind": "character", "name": "林深", "goals": goals });
    let mut named = unhappy(84, "character", vec![told(Agent::Character, Action::Update, parameters)]);
    named.issues[0].severity = Severity::Medium;
    named
}

#[tokio::test]
async fn a_named_issue_is_mended_though_the_score_is_enough() {
    let bench = Bench::new().on("review.judge", &nearly_content("替搭档讨回公道"));
    let state = bench.run().await.done();
    assert_eq!(bench.purposes()[4..], ["review.judge", "review.judge"]);
    assert_eq!(state.characters[0].goals, "替搭档讨回公道");
    assert_eq!((state.iteration_count, state.scores.as_slice()), (1, &[84, 90][..]));
    assert!(state.review_passed);
}

#[tokio::test]
async fn a_small_issue_with_a_correction_as_data_is_mended_once() {
    let small = |until: &str| {
        let parameters = json!({ "kind": "character", "name": "林深", "secret_until": until });
        let mut named = unhappy(92, "character", vec![told(Agent::Character, Action::Update, parameters)]);
        named.issues[0].severity = Severity::Low;
        named
    };
    let bench = Bench::new().on("review.judge", &small("第二章")).on("review.judge", &small("第一章"));
    let state = bench.run().await.done();
    assert_eq!(bench.purposes()[4..], ["review.judge", "review.judge"], "no agent is asked");
    assert_eq!(state.characters[0].secret_until.as_deref(), Some("第二章"));
    assert_eq!((state.iteration_count, state.review_passed), (1, true));
}

#[tokio::test]
async fn a_named_issue_that_stays_is_said_to_be_open() {
    let mut bench = Bench::new();
    for goals in ["替搭档讨回公道", "找到搭档", "找到凶手"] {
        bench = bench.on("review.judge", &nearly_content(goals));
    }
    let state = bench.run().await.done();
    assert_eq!((state.iteration_count, state.scores.as_slice()), (2, &[84, 84, 84][..]));
    assert!(!state.review_passed && !state.diagnostic_report.unwrap().passed);
    assert!(state.warnings.iter().any(|line| line.contains("1 个问题还没有改好")), "{:?}", state.warnings);

    let bench = Bench::new().config(version_1()).on("review.judge", &nearly_content("替搭档讨回公道"));
    let state = bench.run().await.done();
    assert_eq!((state.iteration_count, state.review_passed), (0, false), "good work is not made anew for it");
    assert!(state.warnings.iter().any(|line| line.contains("1 个问题还没有改好")), "{:?}", state.warnings);
}

#[tokio::test]
async fn a_rule_s_finding_is_mended_and_found_no_more() {
    let mut incomplete = cast();
    incomplete.characters.remove(1);
    incomplete.character_relations.clear();
    let new = CharacterWork { characters: vec![card("苏曼", RoleType::Supporting)], ..Default::default() };
    let bench = Bench::new()
        .on("character.generate", &incomplete)
        .on("review.judge", &judgement(75))
        .on("character.correct", &new);
    let state = bench.run().await.done();
    let names = state.characters.iter().map(|card: &Character| card.name.as_str()).collect::<Vec<_>>();
    assert_eq!(names, ["林深", "苏曼"]);
    assert_eq!(state.iteration_count, 1);
    assert!(state.correction_prompts["character_agent"].contains("苏曼"));
}

#[tokio::test]
async fn corrections_go_in_restart_order_and_see_each_other() {
    let instructions = vec![
        told(Agent::Plot, Action::Update, json!({ "kind": "event", "name": "委托", "description": "林深拒绝了两次" })),
        told(
            Agent::Outline,
            Action::Update,
            json!({ "kind": "outline_node", "name": "第一章 雨夜来客", "goal": "立住林深" }),
        ),
    ];
    let bench = Bench::new().on("review.judge", &unhappy(70, "plot", instructions));
    let ended = bench.run().await;
    let order = ended
        .progress
        .iter()
        .filter_map(|progress| match progress {
            Progress::AgentStarted { agent, step_id: None, .. } => Some(agent.clone()),
            _ => None,
        })
        .collect::<Vec<_>>();
    assert_eq!(order, ["outline_agent", "plot_agent"]);
    let state = ended.done();
    assert_eq!(state.outline_nodes[0].goal, "立住林深");
    assert_eq!(state.timeline_events[0].description, "林深拒绝了两次");
}

#[tokio::test]
async fn regeneration_clears_what_is_made_anew() {
    let again = Judgement { correction_strategy: Strategy::Regenerate, ..unhappy(55, "outline", Vec::new()) };
    let mut other = outline();
    other.outline_nodes[1].name = "第二章 潮水".into();
    other.outline_nodes[1].description = "林深与苏曼在潮水里对质。".into();
    let bench = Bench::new().on("review.judge", &again).on("outline.regenerate", &other);
    let ended = bench.run().await;
    let state = match ended.outcome.unwrap() {
        qingyu_graph::Outcome::Waiting { state, .. } | qingyu_graph::Outcome::Done(state) => state,
        other => panic!("{other:?}"),
    };
    let request = bench.request("outline.regenerate");
    assert_eq!(request.context["story"]["outline_nodes"], json!([]));
    assert_eq!(request.context["story"]["characters"][0]["name"], "林深");
    let nodes = state.outline_nodes.iter().map(|node| format!("{} {}", node.id, node.name)).collect::<Vec<_>>();
    assert_eq!(nodes, ["o-1 第一章 雨夜来客", "o-3 第二章 潮水"]);
}

#[tokio::test]
async fn what_cannot_be_made_anew_stays_as_it_was() {
    let again = Judgement { correction_strategy: Strategy::Regenerate, ..unhappy(55, "outline", Vec::new()) };
    let bench =
        (0..3).fold(Bench::new().on("review.judge", &again), |bench, _| bench.says("outline.regenerate", "不会"));
    let state = bench.run().await.done();
    assert_eq!(state.outline_nodes.len(), 2);
    assert!(state.warnings.iter().any(|line| line.contains("恢复之前的内容")), "{:?}", state.warnings);
}

#[tokio::test]
async fn rounds_that_gain_too_little_end_with_a_person() {
    let instruction = |goal: &str| {
        told(Agent::Character, Action::Update, json!({ "kind": "character", "name": "林深", "goals": goal }))
    };
    let bench = Bench::new()
        .on("review.judge", &unhappy(60, "character", vec![instruction("一")]))
        .on("review.judge", &unhappy(62, "character", vec![instruction("二")]))
        .on("review.judge", &unhappy(62, "character", vec![instruction("二")]));
    let (state, question) = bench.run().await.waiting();
    assert_eq!((state.iteration_count, &question["reason"]), (2, &"stalled".into()));
    assert_eq!(state.characters[0].goals, "二", "what is data is made first");
}
