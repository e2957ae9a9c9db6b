use qingyu_story::{Action, Agent, Category, Character, Location, OutlineNode, RoleType, RuleCoverage, Worldview};
use serde_json::json;

use super::*;

fn story() -> Story {
    let character = |id: &str, name: &str| Character {
        id: id.into(),
        name: name.into(),
        role_type: RoleType::Protagonist,
        ..Default::default()
    };
    Story {
        characters: vec![character("c-1", "林深"), character("c-2", "Ada Lovelace")],
        outline_nodes: vec![OutlineNode {
            id: "o-1".into(),
            order: 1,
            name: "第一章 雨夜".into(),
            description: "林深遇见李四".into(),
            participants: vec!["林深".into(), "李四".into()],
            ..Default::default()
        }],
        worldview: Some(Worldview {
            locations: vec![Location { id: "l-1".into(), name: "旧港".into(), ..Default::default() }],
            ..Default::default()
        }),
        ..Default::default()
    }
}

fn finding(code: &str, severity: Severity, entities: &[&str]) -> Finding {
    let issue = Issue {
        id: format!("{code}-000001"),
        severity,
        category: Category::Consistency,
        sub_category: "character".into(),
        source: Source::Rule,
        code: Some(code.into()),
        affected_entities: entities.iter().map(|name| (*name).into()).collect(),
        ..Default::default()
    };
    let instruction = CorrectionInstruction {
        issue_id: issue.id.clone(),
        target_agent: Agent::Character,
        action: Action::Create,
        parameters: json!({ "kind": "character", "name": "李四" }),
        priority: 8,
        ..Default::default()
    };
    Finding { issue, instructions: vec![instruction] }
}

fn claim(title: &str, severity: Severity, entities: &[&str]) -> Issue {
    Issue {
        id: "issue-001".into(),
        severity,
        sub_category: "character".into(),
        title: title.into(),
        affected_entities: entities.iter().map(|name| (*name).into()).collect(),
        // A model may say so, but is not believed.
        source: Source::Rule,
        code: Some("QY101".into()),
        ..Default::default()
    }
}

fn judged(
    quality_score: u8,
    issues: Vec<Issue>,
    correction_instructions: Vec<CorrectionInstruction>,
) -> JudgementOutcome {
    JudgementOutcome::of("scripted", Judgement { quality_score, issues, correction_instructions, ..Default::default() })
}

fn basis() -> Basis {
    Basis { pieces: 3, rules: RuleCoverage { run: 12, clean: 11, ..Default::default() }, ..Default::default() }
}

fn merged(findings: Vec<Finding>, judged: JudgementOutcome) -> DiagnosticReport {
    let rules = RulesResult { findings, basis: basis() };
    merge(&rules, judged, &story(), Thresholds::default()).report
}

#[test]
fn the_lower_score_counts_and_critical_issues_never_pass() {
    let cases = [
        (vec![], judged(92, vec![], vec![]), 92, true),
        (vec![], judged(80, vec![], vec![]), 80, true),
        (vec![], judged(79, vec![], vec![]), 79, false),
        (vec![], judged(255, vec![], vec![]), 100, true),
        (vec![finding("QY101", Severity::High, &["李四"])], judged(92, vec![], vec![]), 85, true),
        (vec![finding("QY101", Severity::Critical, &["李四"])], judged(92, vec![], vec![]), 70, false),
        (vec![], judged(90, vec![claim("动机不明", Severity::Critical, &["林深"])], vec![]), 90, false),
        (vec![], JudgementOutcome::NotAsked, 100, true),
        (vec![], JudgementOutcome::Failed("not JSON".into()), 100, false),
    ];
    for (findings, judged, score, passed) in cases {
        let report = merged(findings, judged.clone());
        assert_eq!((report.quality_score, report.passed), (score, passed), "{judged:?}");
    }
}

#[test]
fn what_the_reviewer_names_with_a_correction_does_not_pass() {
    let told = CorrectionInstruction { issue_id: "issue-001".into(), ..CorrectionInstruction::default() };
    let cases = [
        (Severity::Medium, vec![told.clone()], false),
        (Severity::High, vec![told.clone()], false),
        (Severity::Low, vec![told], true),
        (Severity::Medium, vec![], true),
    ];
    for (severity, instructions, passed) in cases {
        let report = merged(vec![], judged(84, vec![claim("动机不明", severity, &["林深"])], instructions));
        assert_eq!((report.quality_score, report.passed), (84, passed), "{severity:?}");
    }
}

#[test]
fn a_failed_step_and_nothing_checked_never_pass() {
    let plan = crate::plan::fixed_plan(Language::Zh).execution_plan;
    let step = |state| PlannedStep { step: 3, agent: "plot_agent".into(), state, reason: Some("cut".into()) };
    let merged = |rules: RulesResult| merge(&rules, judged(95, vec![], vec![]), &story(), Thresholds::default()).report;
    let rules = RulesResult { findings: vec![], basis: basis() };
    assert!(merged(rules.clone().with_steps(vec![step(StepState::Done)], &plan, Language::Zh)).passed);
    let report = merged(rules.clone().with_steps(vec![step(StepState::Failed)], &plan, Language::Zh));
    assert!(!report.passed);
    assert_eq!((report.issues[0].id.as_str(), report.issues[0].root_cause.as_str()), ("step-3", "cut"));
    assert_eq!(report.affected_agents, [Agent::Plot], "who did not do it is asked again");
    let nothing = RulesResult { basis: Basis::default(), ..rules };
    assert!(!merged(nothing).passed, "a model that judges nothing is no basis");
}

#[test]
fn without_a_judgement_a_person_decides_and_is_told_why() {
    let rules = RulesResult { findings: vec![finding("QY101", Severity::High, &["李四"])], ..Default::default() };
    let merged = merge(&rules, JudgementOutcome::Failed("not JSON".into()), &story(), Thresholds::default());
    assert_eq!(merged.report.correction_strategy, Strategy::HumanReview);
    assert_eq!(merged.report.issues.len(), 1);
    assert_eq!(merged.warnings, [RunNotice::NoJudgement { error: "not JSON".into() }]);
}

#[test]
fn worst_first_and_marked_by_who_found_it() {
    let report = merged(
        vec![finding("QY103", Severity::Medium, &["李四"]), finding("QY101", Severity::High, &["李四"])],
        judged(
            70,
            vec![claim("动机不明", Severity::High, &["林深"]), claim("名字太像", Severity::Low, &["林深", "旧港"])],
            vec![],
        ),
    );
    let order =
        report.issues.iter().map(|issue| (issue.severity, issue.source, issue.code.as_deref())).collect::<Vec<_>>();
    assert_eq!(
        order,
        [
            (Severity::High, Source::Rule, Some("QY101")),
            (Severity::High, Source::Model, None),
            (Severity::Medium, Source::Rule, Some("QY103")),
            (Severity::Low, Source::Model, None),
        ]
    );
    assert!(report.issues[1].id.starts_with("model-"));
    assert_eq!(report.correction_strategy, Strategy::IncrementalFix);
}

#[test]
fn a_judgement_of_a_model_that_works_by_rules_is_one_of_rules() {
    for (model, judge, source, prefix) in [
        ("offline-rules-1", Judge::Rules, Source::Rule, "rules-"),
        ("deepseek/deepseek-flash", Judge::Model, Source::Model, "model-"),
        ("written-by-hand", Judge::Model, Source::Model, "model-"),
    ] {
        let issues = vec![claim("动机不明", Severity::High, &["林深"])];
        let judgement = Judgement { quality_score: 70, issues, ..Judgement::default() };
        let report = merged(vec![], JudgementOutcome::of(model, judgement));
        assert_eq!((report.basis.judge, report.quality_score), (judge, 70), "{model}");
        assert_eq!((report.issues[0].source, report.issues[0].code.as_deref()), (source, None), "{model}");
        assert!(report.issues[0].id.starts_with(prefix), "{model}: {}", report.issues[0].id);
    }
    for judged in [JudgementOutcome::NotAsked, JudgementOutcome::Failed("not JSON".into())] {
        assert_eq!(merged(vec![], judged).basis.judge, Judge::Rules);
    }
}

#[test]
fn claims_of_absence_are_verified() {
    let refuted = [
        "角色“林深”缺失",
        "林深未定义，情节无法展开",
        "角色林深不在角色列表中",
        "缺少角色林深",
        "找不到「旧港」",
        "Ada Lovelace is missing",
        "Missing character: Ada Lovelace",
        "\"Ada Lovelace\" is missing from the cast",
    ];
    for text in refuted {
        let report = merged(vec![], judged(60, vec![claim(text, Severity::High, &[])], vec![]));
        assert!(report.issues.is_empty(), "{text}");
        assert!(report.reasoning_chain.iter().any(|line| line.contains("驳回")), "{text}");
        assert_eq!(report.quality_score, 75, "{text}");
    }
    let standing = [
        "林深缺少动机",
        "缺少林深的背景故事",
        "林深缺失动机",
        "李四缺失",
        "第一章没有交代林深的来历",
        "Ada Lovelace is missing a motive",
        "The outline lacks Ada Lovelace's reason to stay",
        "旧港的规则不存在代价",
    ];
    for text in standing {
        let report = merged(vec![], judged(60, vec![claim(text, Severity::High, &[])], vec![]));
        assert_eq!((report.issues.len(), report.quality_score), (1, 60), "{text}");
    }
}

fn create(kind: &str, name: &str) -> CorrectionInstruction {
    CorrectionInstruction {
        issue_id: "issue-001".into(),
        target_agent: if kind == "location" { Agent::Worldview } else { Agent::Character },
        action: Action::Create,
        parameters: json!({ "kind": kind, "name": name }),
        priority: 200,
        ..Default::default()
    }
}

#[test]
fn what_exists_need_not_be_created() {
    for (kind, name, refuted) in [("character", "林深", true), ("location", "旧港", true), ("character", "苏曼", false)]
    {
        let report = merged(vec![], judged(60, vec![claim("补充内容", Severity::High, &[])], vec![create(kind, name)]));
        assert_eq!(report.issues.is_empty(), refuted, "{name}");
        assert_eq!(report.correction_instructions.is_empty(), refuted, "{name}");
    }
}

#[test]
fn a_creation_that_fills_an_empty_field_is_a_change() {
    let parameters = json!({ "kind": "character", "name": "林深", "secret_until": "第三章" });
    let told = CorrectionInstruction { parameters: parameters.clone(), ..create("character", "林深") };
    let report = merged(vec![], judged(90, vec![claim("秘密没有期限", Severity::Medium, &["林深"])], vec![told]));
    assert_eq!(report.issues.len(), 1, "{:?}", report.reasoning_chain);
    let instruction = &report.correction_instructions[0];
    assert_eq!((instruction.action, &instruction.parameters), (Action::Update, &parameters));
}

#[test]
fn a_correction_of_another_field_is_not_what_the_rule_has_found() {
    let mut found = finding("QY911", Severity::Low, &["林深"]);
    found.instructions[0].action = Action::Update;
    found.instructions[0].parameters = json!({ "kind": "character", "name": "林深", "goals": null });
    let told = |field: &str| CorrectionInstruction {
        action: Action::Update,
        parameters: json!({ "kind": "character", "name": "林深", field: "第三章" }),
        ..create("character", "林深")
    };
    let of = |field: &str| {
        let claim = claim("人物卡不全", Severity::Medium, &["林深"]);
        merged(vec![found.clone()], judged(90, vec![claim], vec![told(field)])).issues.len()
    };
    assert_eq!((of("goals"), of("secret_until")), (1, 2));
}

#[test]
fn a_correction_of_the_type_alone_is_not_what_the_rule_has_found() {
    let instruction = |field: &str, value: serde_json::Value| CorrectionInstruction {
        target_agent: Agent::Outline,
        action: Action::Update,
        parameters: json!({ "kind": "outline_node", "id": "o-1", field: value }),
        ..create("character", "林深")
    };
    let mut found = finding("QY911", Severity::Low, &["第一章 雨夜"]);
    let issue_id = found.issue.id.clone();
    found.instructions = vec![CorrectionInstruction { issue_id, ..instruction("goal", serde_json::Value::Null) }];
    let of = |field: &str, value: &str| {
        let claim = claim("大纲节点不对", Severity::Medium, &["第一章 雨夜"]);
        merged(vec![found.clone()], judged(90, vec![claim], vec![instruction(field, value.into())])).issues.len()
    };
    assert_eq!((of("goal", "找到李四"), of("type", "scene")), (1, 2));
}

#[test]
fn what_a_model_asks_for_does_not_pass_for_a_person_s_wish() {
    let of = |issue_id: &str| CorrectionInstruction { issue_id: issue_id.into(), ..create("character", "苏曼") };
    let report = merged(vec![], judged(70, vec![], vec![of("human-1"), of("model-1")]));
    let mut ids =
        report.correction_instructions.iter().map(|instruction| instruction.issue_id.as_str()).collect::<Vec<_>>();
    ids.sort_unstable();
    assert_eq!(ids, ["", "model-1"]);
}

#[test]
fn what_a_rule_has_found_is_not_told_twice() {
    let rule = || vec![finding("QY101", Severity::High, &["第一章 雨夜", "李四"])];
    let same_pieces = merged(rule(), judged(70, vec![claim("李四没有卡片", Severity::High, &["李四"])], vec![]));
    let same_change =
        merged(rule(), judged(70, vec![claim("人物不全", Severity::Low, &[])], vec![create("character", "李四")]));
    for report in [same_pieces, same_change] {
        assert_eq!(report.issues.len(), 1);
        assert_eq!(report.correction_instructions.len(), 1);
        assert!(report.reasoning_chain.iter().any(|line| line.contains("QY101")));
    }
    let other = merged(rule(), judged(70, vec![claim("动机不明", Severity::High, &["林深"])], vec![]));
    assert_eq!(other.issues.len(), 2);
}

#[test]
fn instructions_follow_their_issue() {
    let report = merged(
        vec![],
        judged(70, vec![claim("人物不够", Severity::High, &["苏曼"])], vec![create("character", "苏曼")]),
    );
    assert_eq!(report.correction_instructions[0].issue_id, report.issues[0].id);
    assert_eq!(report.correction_instructions[0].priority, 10);
    assert_eq!(report.affected_agents, [Agent::Character]);
    let again = merged(
        vec![],
        judged(71, vec![Issue { id: "x".into(), ..claim("人物太少了", Severity::High, &["苏曼"]) }], vec![]),
    );
    assert_eq!(again.issues[0].id, report.issues[0].id);
}
