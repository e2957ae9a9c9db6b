use qingyu_story::{
    Action, Basis, Character, CharacterRelation, Judge, Language, OutlineNode, PlotNode, StyleGuide, TimelineEvent,
    Worldview,
};
use serde_json::json;

use super::*;
use crate::prompts::{PromptName, Prompts};

fn situation(report: &DiagnosticReport) -> CorrectionState<'_> {
    CorrectionState {
        report,
        iteration_count: 0,
        max_iterations: 3,
        previous_score: None,
        made: &Agent::ALL,
        standing: &[],
        human_feedback: None,
        ordered: None,
        last: &[],
        thresholds: Thresholds::default(),
        auto_downgrade_threshold: 0.3,
    }
}

fn issue(severity: Severity, sub_category: &str) -> Issue {
    Issue { id: format!("i-{sub_category}"), severity, sub_category: sub_category.into(), ..Default::default() }
}

fn report(score: u8, strategy: Strategy, issues: Vec<Issue>) -> DiagnosticReport {
    let basis = Basis { pieces: 1, judge: Judge::Model, ..Basis::default() };
    DiagnosticReport { quality_score: score, correction_strategy: strategy, issues, basis, ..Default::default() }
}

/// The decision in a word or two.
fn told(decision: &ReportDecision) -> String {
    match decision {
        ReportDecision::Complete => "complete".into(),
        ReportDecision::Human { reason } => format!("human {}", reason.name()),
        ReportDecision::Correct(correction) => correction.mode.name().into(),
    }
}

#[test]
fn every_border_of_the_score() {
    use Severity::{Critical, High};
    use Strategy::{HumanReview, IncrementalFix, None, Regenerate};
    let cases = [
        (100, None, High, "complete"),
        (80, None, High, "complete"),
        (80, Regenerate, High, "complete"),
        (80, None, Critical, "regenerate"),
        (79, IncrementalFix, High, "incremental"),
        (79, None, High, "incremental"),
        (79, Regenerate, High, "regenerate"),
        (60, IncrementalFix, High, "incremental"),
        (60, IncrementalFix, Critical, "regenerate"),
        (59, IncrementalFix, High, "regenerate"),
        (50, IncrementalFix, High, "regenerate"),
        (49, IncrementalFix, High, "human low_score"),
        (49, IncrementalFix, Critical, "human low_score"),
        (0, None, High, "human low_score"),
        (95, HumanReview, High, "human strategy"),
        (30, HumanReview, Critical, "human strategy"),
    ];
    for (score, strategy, severity, expected) in cases {
        let report = report(score, strategy, vec![issue(severity, "outline")]);
        assert_eq!(told(&decide(&situation(&report))), expected, "{score} {strategy:?} {severity:?}");
    }
}

#[test]
fn every_border_of_the_rounds() {
    let cases = [
        // rounds, score before, score now
        (0, None, 70, "incremental"),
        (2, Some(40), 70, "incremental"),
        (3, Some(40), 70, "human max_iterations"),
        (4, Some(40), 70, "human max_iterations"),
        (3, Some(40), 80, "complete"),
        (1, Some(60), 72, "incremental"),
        (1, Some(60), 71, "human stalled"),
        (1, Some(70), 79, "incremental"),
        (1, Some(70), 78, "human stalled"),
        (1, Some(70), 70, "human stalled"),
        (1, Some(70), 61, "human stalled"),
    ];
    for (iteration_count, previous_score, score, expected) in cases {
        let report = report(score, Strategy::IncrementalFix, vec![issue(Severity::High, "plot")]);
        let decision = decide(&CorrectionState { iteration_count, previous_score, ..situation(&report) });
        assert_eq!(told(&decision), expected, "{iteration_count} {previous_score:?} {score}");
    }
}

#[test]
fn thresholds_are_settings() {
    let report = report(70, Strategy::None, Vec::new());
    let thresholds = Thresholds { complete: 70, ..Default::default() };
    assert_eq!(decide(&CorrectionState { thresholds, ..situation(&report) }), ReportDecision::Complete);
    assert_eq!(told(&decide(&CorrectionState { max_iterations: 0, ..situation(&report) })), "human max_iterations");
    let patient = CorrectionState {
        iteration_count: 1,
        previous_score: Some(70),
        auto_downgrade_threshold: 0.0,
        ..situation(&report)
    };
    assert_eq!(told(&decide(&patient)), "incremental");
}

#[test]
fn what_the_reviewer_names_with_a_correction_is_mended_however_good_the_rest_is() {
    let named = |severity| Issue { source: Source::Model, ..issue(severity, "worldview") };
    let told = |id: &str, agent| CorrectionInstruction {
        issue_id: id.into(),
        target_agent: agent,
        ..CorrectionInstruction::default()
    };
    let of_rule = Issue { source: Source::Rule, ..issue(Severity::High, "plot") };
    let mut good = report(84, Strategy::Regenerate, vec![named(Severity::Medium), of_rule]);
    good.correction_instructions = vec![told("i-worldview", Agent::Worldview), told("i-plot", Agent::Plot)];
    good.affected_agents = vec![Agent::Plot, Agent::Worldview];
    let after = |report: &DiagnosticReport, iteration_count, max_iterations| {
        let previous_score = Some(report.quality_score);
        told_of(&CorrectionState { iteration_count, max_iterations, previous_score, ..situation(report) })
    };
    assert_eq!(after(&good, 0, 3), "incremental", "nothing good is made anew");
    assert_eq!(after(&good, 1, 3), "incremental", "one that is half mended is gone on with");
    assert_eq!(after(&good, 2, 3), "complete", "and then it is left, and said to be open");
    assert_eq!(after(&good, 0, 0), "complete");
    let ReportDecision::Correct(round) = decide(&situation(&good)) else { panic!("nothing to correct") };
    let instructions = round.instructions.iter().map(|instruction| instruction.issue_id.as_str());
    assert_eq!(instructions.collect::<Vec<_>>(), ["i-worldview"], "what a rule found is left to the author");
    assert_eq!(round.agents, [Agent::Worldview]);

    let mut low = report(84, Strategy::IncrementalFix, vec![named(Severity::Low)]);
    low.correction_instructions = vec![told("i-worldview", Agent::Worldview)];
    assert_eq!(after(&low, 0, 3), "complete");
    let parameters = json!({"kind": "worldview", "truth_until": "第三章"});
    low.correction_instructions[0].parameters = parameters.clone();
    assert_eq!(after(&low, 0, 3), "incremental", "what is data costs no call");
    assert_eq!(after(&low, 1, 3), "complete", "and is made once");
    low.correction_instructions[0].issue_id = "none".into();
    let ReportDecision::Correct(round) = decide(&situation(&low)) else { panic!("nothing to correct") };
    assert_eq!((round.agents, round.instructions[0].parameters.clone()), (vec![Agent::Worldview], parameters));
    low.correction_instructions[0].issue_id = format!("{BY_A_PERSON}1");
    assert_eq!(after(&low, 0, 3), "complete", "a person's wish has its own rounds");
    let without = report(84, Strategy::IncrementalFix, vec![named(Severity::Medium)]);
    assert_eq!(after(&without, 0, 3), "complete", "nobody knows how to mend it");
}

#[test]
fn a_correction_that_is_data_is_made_however_little_the_last_round_gained() {
    let by_model = |severity, of| Issue { source: Source::Model, ..issue(severity, of) };
    let issues = vec![by_model(Severity::Critical, "plot"), by_model(Severity::Low, "character")];
    let mut stalled = report(70, Strategy::Regenerate, issues);
    let data = CorrectionInstruction {
        issue_id: "i-character".into(),
        target_agent: Agent::Character,
        parameters: json!({"kind": "character", "name": "林青", "age": 31}),
        ..CorrectionInstruction::default()
    };
    let words = CorrectionInstruction { issue_id: "i-plot".into(), target_agent: Agent::Plot, ..Default::default() };
    stalled.correction_instructions = vec![words, data.clone()];
    let after = |last: &[CorrectionInstruction]| {
        decide(&CorrectionState { iteration_count: 1, previous_score: Some(70), last, ..situation(&stalled) })
    };
    let ReportDecision::Correct(round) = after(&[]) else { panic!("the age is left as it is") };
    assert_eq!((round.mode, round.agents), (CorrectionMode::Incremental, vec![Agent::Character]));
    assert_eq!(round.instructions, std::slice::from_ref(&data));
    assert_eq!(told(&after(&[data])), "human stalled", "it is made once");
}

fn told_of(situation: &CorrectionState<'_>) -> String {
    told(&decide(situation))
}

fn agents(decision: &ReportDecision) -> Vec<&'static str> {
    let ReportDecision::Correct(correction) = decision else { panic!("{decision:?} corrects nothing") };
    correction.agents.iter().map(|agent| agent.name()).collect()
}

#[test]
fn affected_agents_in_restart_order() {
    let cases: [(&[Agent], &[&str], &[&str]); 6] = [
        (&[], &[], &["outline_agent"]),
        (&[], &["something else"], &["outline_agent"]),
        (&[], &["timeline", "character"], &["character_agent", "plot_agent"]),
        (&[], &["relation", "outline", "relation"], &["outline_agent", "character_agent"]),
        (&[Agent::Style], &["character"], &["style_agent"]),
        (
            &[Agent::Style, Agent::Worldview, Agent::Plot, Agent::Character, Agent::Outline],
            &[],
            &["outline_agent", "character_agent", "plot_agent", "worldview_agent", "style_agent"],
        ),
    ];
    for (affected_agents, sub_categories, expected) in cases {
        let issues = sub_categories.iter().map(|sub_category| issue(Severity::High, sub_category)).collect();
        let mut report = report(70, Strategy::None, issues);
        report.affected_agents = affected_agents.to_vec();
        assert_eq!(agents(&decide(&situation(&report))), expected);
    }
}

#[test]
fn every_affected_agent_is_told_something() {
    let mut report = report(70, Strategy::None, vec![issue(Severity::High, "outline"), issue(Severity::Low, "plot")]);
    report.affected_agents = vec![Agent::Plot, Agent::Style];
    let ReportDecision::Correct(correction) = decide(&situation(&report)) else { panic!("nothing to correct") };
    let told = correction.instructions.iter().map(|i| (i.target_agent, i.issue_id.as_str())).collect::<Vec<_>>();
    assert_eq!(told, [(Agent::Plot, "i-plot"), (Agent::Style, "i-outline"), (Agent::Style, "i-plot")]);
}

#[test]
fn what_an_issue_asks_for_is_as_urgent_as_it_is_severe() {
    use Severity::{Critical, High, Low, Medium};
    let told = |title: &str, root_cause: &str| Issue {
        title: title.into(),
        root_cause: root_cause.into(),
        ..issue(Medium, "plot")
    };
    let severities = [Low, Medium, High, Critical].map(|severity| issue(severity, "plot"));
    let priorities = severities.iter().map(|issue| instruction_from(Agent::Plot, issue).priority);
    assert_eq!(priorities.collect::<Vec<_>>(), [2, 5, 8, 10]);
    let words = |issue: &Issue| instruction_from(Agent::Plot, issue).specific_instruction;
    assert_eq!(words(&told("李四死了两次", "第三章")), "李四死了两次 · 第三章");
    assert_eq!(words(&told("李四死了两次", "")), "李四死了两次");
    assert_eq!(words(&told("", "")), "");
}

#[test]
fn the_most_urgent_is_told_first() {
    let order = |priority, agent| CorrectionInstruction { priority, target_agent: agent, ..Default::default() };
    let mut report = report(70, Strategy::None, Vec::new());
    report.correction_instructions =
        vec![order(3, Agent::Plot), order(9, Agent::Plot), order(1, Agent::Character), order(5, Agent::Plot)];
    let ReportDecision::Correct(correction) = decide(&situation(&report)) else { panic!("nothing to correct") };
    let told = correction.instructions.iter().map(|order| (order.target_agent, order.priority));
    let expected = [(Agent::Character, 1), (Agent::Plot, 9), (Agent::Plot, 5), (Agent::Plot, 3)];
    assert_eq!(told.collect::<Vec<_>>(), expected);
}

#[test]
fn a_person_s_words_lead_to_one_more_round() {
    let report = report(30, Strategy::HumanReview, vec![issue(Severity::Low, "plot")]);
    let cases = [
        ("主角太完美了，给他一个弱点", "character_agent"),
        ("The timeline makes no sense", "plot_agent"),
        ("真相揭得太早", "worldview_agent"),
        ("The secret is told too early", "character_agent"),
        ("不好看", "plot_agent"),
    ];
    for (feedback, expected) in cases {
        let decision =
            decide(&CorrectionState { iteration_count: 9, human_feedback: Some(feedback), ..situation(&report) });
        assert_eq!(agents(&decision), [expected], "{feedback}");
        let ReportDecision::Correct(correction) = decision else { unreachable!() };
        let told = &correction.instructions[0];
        assert_eq!((told.issue_id.as_str(), told.specific_instruction.as_str()), ("human-10", feedback));
        assert_eq!(told.priority, 10, "nothing that a model asks for is more urgent");
        assert_eq!(correction.iteration, 10);
    }
}

#[test]
fn without_a_word_the_report_speaks() {
    let report = report(70, Strategy::None, vec![issue(Severity::High, "plot")]);
    let decision = decide(&CorrectionState { human_feedback: Some(" "), iteration_count: 3, ..situation(&report) });
    let ReportDecision::Correct(correction) = decision else { panic!("nothing to correct") };
    let told = correction.instructions.iter().map(|i| (i.target_agent, i.issue_id.as_str())).collect::<Vec<_>>();
    assert_eq!(told, [(Agent::Plot, "i-plot")]);
}

/// A story in which everybody has made something.
fn everything() -> Story {
    Story {
        outline_nodes: vec![OutlineNode::default()],
        characters: vec![Character::default()],
        character_relations: vec![CharacterRelation::default()],
        timeline_events: vec![TimelineEvent::default()],
        plot_nodes: vec![PlotNode::default()],
        worldview: Some(Worldview::default()),
        style: Some(StyleGuide::default()),
        ..Default::default()
    }
}

#[test]
fn only_the_affected_work_is_cleared() {
    assert_eq!(made(&everything()), Agent::ALL);
    for agent in Agent::ALL {
        let mut story = everything();
        clear(&mut story, &[agent]);
        let left = Agent::ALL.into_iter().filter(|other| *other != agent).collect::<Vec<_>>();
        assert_eq!(made(&story), left, "{agent:?}");
        clear(&mut story, &left);
        assert_eq!(story, Story::default(), "{agent:?} and all the others");
    }
}

fn corrected(mode: CorrectionMode, language: Language) -> String {
    let report = DiagnosticReport {
        quality_score: 65,
        issues: vec![
            Issue {
                id: "issue-001".into(),
                severity: Severity::High,
                root_cause: "角色生成时未检测到大纲中提及的角色".into(),
                impact: "情节无法展开，角色关系不明确".into(),
                ..Default::default()
            },
            issue(Severity::Medium, "plot"),
        ],
        reasoning_chain: vec!["检查大纲节点：发现第三章提及'李四'".into(), "检查角色列表：未找到'李四'的定义".into()],
        suggestions_for_improvement: vec!["在角色生成阶段交叉验证大纲中提及的名字".into()],
        ..Default::default()
    };
    let instruction = CorrectionInstruction {
        issue_id: "issue-001".into(),
        target_agent: Agent::Character,
        action: Action::Create,
        specific_instruction: "创建角色'李四'，主角的挚友，性格开朗但有些冲动。".into(),
        parameters: json!({ "kind": "character", "name": "李四", "role_type": "supporting", "traits": ["开朗", "冲动"] }),
        priority: 8,
    };
    let elsewhere = CorrectionInstruction { target_agent: Agent::Plot, ..Default::default() };
    let correction = CorrectionRound {
        iteration: 1,
        mode,
        agents: vec![Agent::Character, Agent::Plot],
        instructions: vec![instruction, elsewhere],
    };
    let prompt = CorrectionPrompt::new(Agent::Character, &correction, &report);
    Prompts::builtin().render(PromptName::META_CORRECTION, language, &prompt).unwrap()
}

#[test]
fn the_correction_prompt_has_the_layout_of_the_design() {
    insta::assert_snapshot!("correction_incremental_zh", corrected(CorrectionMode::Incremental, Language::Zh));
    insta::assert_snapshot!("correction_regenerate_en", corrected(CorrectionMode::Regenerate, Language::En));
}

#[test]
fn a_prompt_counts_issues_and_leaves_empty_parameters_out() {
    use Severity::{Critical, High, Low};
    let severities = [Critical, High, High, Low, Low, Low];
    let report = report(40, Strategy::None, severities.map(|severity| issue(severity, "plot")).to_vec());
    let order = |parameters| CorrectionInstruction { target_agent: Agent::Plot, parameters, ..Default::default() };
    let instructions = [json!(null), json!({}), json!({ "name": "李四" }), json!(["李四"])].map(order).to_vec();
    let correction =
        CorrectionRound { iteration: 1, mode: CorrectionMode::Incremental, agents: vec![Agent::Plot], instructions };
    let prompt = json!(CorrectionPrompt::new(Agent::Plot, &correction, &report));
    let counts = ["issue_count", "critical_count", "high_count"].map(|count| prompt[count].clone());
    assert_eq!(counts, [6, 1, 2]);
    let told = prompt["instructions"].as_array().unwrap().iter().map(|told| told["parameters"].clone());
    assert_eq!(told.collect::<Vec<_>>(), [json!(null), json!(null), json!({ "name": "李四" }), json!(["李四"])]);
}

#[test]
fn a_new_outline_takes_the_plot_with_it() {
    let agents = |score: u8, sub_category: &str, made: &[Agent]| {
        let report = report(score, Strategy::None, vec![issue(Severity::High, sub_category)]);
        match decide(&CorrectionState { made, ..situation(&report) }) {
            ReportDecision::Correct(correction) => {
                let told = |agent: &Agent| correction.instructions.iter().any(|order| order.target_agent == *agent);
                assert!(correction.agents.iter().all(told), "everybody is told something");
                correction.agents
            }
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(agents(55, "outline", &Agent::ALL), [Agent::Outline, Agent::Plot]);
    assert_eq!(agents(55, "outline", &[Agent::Outline]), [Agent::Outline], "there is no plot to renew");
    assert_eq!(agents(55, "character", &Agent::ALL), [Agent::Character]);
    assert_eq!(agents(65, "outline", &Agent::ALL), [Agent::Outline], "kept chapters keep their names");
}

#[test]
fn whose_work_there_is() {
    let mut story = Story::default();
    assert_eq!(made(&story), []);
    story.outline_nodes.push(OutlineNode::default());
    story.worldview = Some(Worldview::default());
    assert_eq!(made(&story), [Agent::Outline, Agent::Worldview]);
    let events = Story { timeline_events: vec![TimelineEvent::default()], ..Default::default() };
    let plot = Story { plot_nodes: vec![PlotNode::default()], ..Default::default() };
    assert_eq!(
        (made(&events), made(&plot)),
        (vec![Agent::Plot], vec![Agent::Plot]),
        "either is work of the plot agent"
    );
}
