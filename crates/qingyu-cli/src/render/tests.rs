use std::path::Path;
use std::time::Duration;

use qingyu_studio::agents::output::Plan;
use qingyu_studio::agents::plan::{Complexity, ExecutionPlan, RequirementAnalysis, Step};
use qingyu_studio::agents::progress::ChapterStep;
use qingyu_studio::agents::writing::review::{ChapterFinding, HeldReason, Verdict};
use qingyu_studio::knowledge::telling::Telling;
use qingyu_studio::story::basis::BlindRules;
use qingyu_studio::story::truth::Answer;
use qingyu_studio::story::wish::{Wish, WishState};
use qingyu_studio::story::{
    Action, Agent, Basis, Category, Character, CharacterRelation, CorrectionInstruction, DiagnosticReport, Evidence,
    Issue, Judge, Language, Location, Mode, OutlineNode, OutlineNodeKind, PieceKind, PlotKind, PlotNode, RelationKind,
    RoleType, RuleCoverage, Severity, Source, Story, Strategy, StyleGuide, TimelineEvent, Waiver, WorldRule, Worldview,
};
use qingyu_studio::{
    ChangeRow, Cost, Environment, HumanReview, Outcome, PieceName, RunOutput, RunQuestion, RunStatus, ScheduleStatus,
    Settings, StoryOutput, Studio, UsageView,
};

use super::ending::EndingContext;
use super::lists;
use super::page::TextPage;
use super::wrap::width;
use crate::texts::LocalizedTexts;

fn text(value: &str) -> String {
    value.to_owned()
}

fn texts(values: &[&str]) -> Vec<String> {
    values.iter().copied().map(text).collect()
}

/// What `draw` draws, without styles, after a check that no line is wider than `columns`.
fn draw(language: Language, columns: usize, draw: impl FnOnce(&mut TextPage<'_>)) -> String {
    let texts = LocalizedTexts::new(language);
    let mut page = TextPage::new(&texts, columns);
    draw(&mut page);
    let drawn = anstream::adapter::strip_str(&page.finish()).to_string();
    for line in drawn.lines() {
        assert!(width(line) <= columns, "{} columns: {line}", width(line));
    }
    drawn
}

fn step(step_id: u32, agent: &str, task: &str, dependencies: &[u32], estimated_tokens: u64) -> Step {
    let (agent, task_description, dependencies) = (text(agent), text(task), dependencies.to_vec());
    Step { step_id, agent, task_description, required_tools: Vec::new(), dependencies, estimated_tokens }
}

fn plan() -> Plan {
    let steps = vec![
        step(1, "worldview_agent", "建立2077年上海的世界观：义体、企业与黑市规则", &[], 1800),
        step(2, "outline_agent", "写出三幕大纲，每章点名出场人物", &[1], 3200),
        step(3, "character_agent", "写出侦探、委托人与对手的人物卡和关系", &[1], 2400),
        step(4, "plot_agent", "排出时间线与情节节点", &[2, 3], 2600),
        step(5, "review_agent", "审校全部材料", &[4], 1500),
    ];
    Plan {
        requirement_analysis: RequirementAnalysis {
            complexity: Complexity::Medium,
            required_capabilities: texts(&["worldview", "outline", "character", "plot"]),
            ..RequirementAnalysis::default()
        },
        execution_plan: ExecutionPlan {
            steps,
            total_estimated_tokens: 11_500,
            parallelizable_steps: vec![vec![2, 3]],
            critical_path: vec![1, 2, 4, 5],
        },
        reasoning: texts(&["先有世界观，大纲与人物才能并行。"]),
        ..Plan::default()
    }
}

fn basis() -> Basis {
    let blind = vec![BlindRules { missing: PieceKind::Promise, codes: texts(&["QY704", "QY705"]) }];
    let rules = RuleCoverage { run: 110, clean: 109, off: 0, blind };
    Basis { judge: Judge::Model, pieces: 12, rules, ..Basis::default() }
}

fn report() -> DiagnosticReport {
    let issue = |id: &str, severity, source, code: Option<&str>, title: &str| Issue {
        id: text(id),
        severity,
        source,
        code: code.map(text),
        title: text(title),
        sub_category: text("outline"),
        ..Issue::default()
    };
    DiagnosticReport {
        passed: false,
        quality_score: 72,
        issues: vec![
            Issue {
                root_cause: text("大纲第三章让“老周”出场，人物表里没有这个名字，也没有谁以此为别名。"),
                impact: text("读者会以为漏写了一个人物。"),
                affected_entities: texts(&["第三章 旧港", "老周"]),
                evidence: vec![
                    Evidence { anchor: text("outline_nodes/o-3/description"), quote: text("老周在旧港等他。") },
                    Evidence { anchor: text("characters"), quote: text("林雾、周沉、薇拉") },
                    Evidence { anchor: text("timeline_events/e-2/participants"), quote: text("老周") },
                ],
                ..issue("QY101-5f2a91", Severity::High, Source::Rule, Some("QY101"), "大纲用了没有定义的人物「老周」")
            },
            Issue {
                category: Category::Quality,
                sub_category: text("plot"),
                ..issue("model-03ab77", Severity::Medium, Source::Model, None, "对手的动机偏弱")
            },
        ],
        correction_strategy: Strategy::IncrementalFix,
        correction_instructions: vec![CorrectionInstruction {
            issue_id: text("QY101-5f2a91"),
            target_agent: Agent::Character,
            action: Action::Create,
            specific_instruction: text("加入人物「老周」，旧港的线人，与林雾相识。"),
            priority: 8,
            ..CorrectionInstruction::default()
        }],
        affected_agents: vec![Agent::Character],
        reasoning_chain: texts(&["十二条规则中一条有发现。"]),
        suggestions_for_improvement: texts(&["让旧港的雨贯穿三幕。"]),
        basis: basis(),
        wishes: vec![
            Wish { text: text("把林雾的年龄改成三十岁"), state: WishState::Met, ..Wish::default() },
            Wish {
                text: text("把老吴的弱点改成怕黑"),
                state: WishState::Unmet,
                reason: text("故事里没有叫“老吴”的条目"),
                ..Wish::default()
            },
            Wish { text: text("让薇拉更勇敢"), reason: text("规则核对不了"), ..Wish::default() },
        ],
    }
}

fn story() -> Story {
    Story {
        worldview: Some(Worldview {
            summary: text("企业统治的上海，记忆可以买卖。"),
            genre: text("赛博朋克"),
            era: text("2077"),
            rules: vec![WorldRule {
                name: text("记忆税"),
                statement: text("出售的记忆不能赎回。"),
                ..WorldRule::default()
            }],
            locations: vec![Location {
                name: text("旧港"),
                alias: texts(&["七号码头"]),
                description: text("黑市。"),
                ..Location::default()
            }],
            ..Worldview::default()
        }),
        outline_nodes: vec![
            OutlineNode {
                id: text("o-1"),
                kind: OutlineNodeKind::Act,
                order: 1,
                name: text("第一幕 雨夜"),
                description: text("一桩委托把林雾带回旧港。"),
                ..OutlineNode::default()
            },
            OutlineNode {
                id: text("o-2"),
                parent: Some(text("o-1")),
                order: 2,
                name: text("第一章 雨夜来客"),
                description: text(
                    "薇拉冒雨而来，请林雾寻找失踪的哥哥；她付的定金里混着一段不属于她的记忆，林雾认出那是自己卖掉的。",
                ),
                goal: text("立起谜面"),
                participants: texts(&["林雾", "薇拉"]),
                location: Some(text("事务所")),
                plants: texts(&["混入的记忆"]),
                words: Some(3500),
                ..OutlineNode::default()
            },
            OutlineNode {
                id: text("o-3"),
                parent: Some(text("第一章 雨夜来客")),
                kind: OutlineNodeKind::Scene,
                order: 3,
                name: text("敲门"),
                ..OutlineNode::default()
            },
            OutlineNode {
                id: text("o-4"),
                kind: OutlineNodeKind::Act,
                order: 4,
                name: text("第二幕 旧港"),
                pays: texts(&["混入的记忆"]),
                ..OutlineNode::default()
            },
        ],
        characters: vec![
            Character {
                name: text("林雾"),
                alias: texts(&["阿雾"]),
                role_type: RoleType::Protagonist,
                age: Some(34),
                birth: Some(text("2043")),
                occupation: text("私家侦探"),
                traits: texts(&["敏锐", "寡言"]),
                weakness: text("分不清哪些记忆是自己的"),
                goals: text("查清自己卖掉了什么"),
                ..Character::default()
            },
            Character { name: text("薇拉"), ..Character::default() },
            Character { name: text("周沉"), role_type: RoleType::Antagonist, ..Character::default() },
        ],
        character_relations: vec![
            CharacterRelation {
                from: text("林雾"),
                to: text("薇拉"),
                kind: RelationKind::Ally,
                strength: 0.6,
                description: text("委托人，后来是同伴。"),
                ..CharacterRelation::default()
            },
            CharacterRelation {
                from: text("周沉"),
                to: text("林雾"),
                kind: RelationKind::MentorOf,
                strength: 0.8,
                until: Some(text("第二幕 旧港")),
                ..CharacterRelation::default()
            },
        ],
        timeline_events: vec![
            TimelineEvent {
                id: text("e-1"),
                title: text("卖出记忆"),
                timestamp: text("2071年冬"),
                mode: Mode::Flashback,
                importance: 9,
                participants: texts(&["林雾"]),
                location: Some(text("旧港")),
                ..TimelineEvent::default()
            },
            TimelineEvent {
                id: text("e-2"),
                title: text("薇拉来访"),
                description: text("她带来一段不属于她的记忆。"),
                timestamp: text("2077-03-05 22:00"),
                participants: texts(&["林雾", "薇拉"]),
                outline_node: Some(text("o-2")),
                importance: 6,
                ..TimelineEvent::default()
            },
        ],
        plot_nodes: vec![PlotNode {
            title: text("认出自己的记忆"),
            description: text("林雾不得不怀疑自己。"),
            kind: PlotKind::Turn,
            outline_node: Some(text("o-2")),
            events: texts(&["e-2"]),
            ..PlotNode::default()
        }],
        style: Some(StyleGuide {
            point_of_view: text("third_limited"),
            tone: text("冷峻"),
            taboos: texts(&["不用感叹号"]),
            ..StyleGuide::default()
        }),
        ..Story::default()
    }
}

#[test]
fn a_plan_in_both_languages() {
    for (name, language) in [("plan_zh", Language::Zh), ("plan_en", Language::En)] {
        insta::assert_snapshot!(name, draw(language, 80, |page| super::plan::plan(page, &plan(), Some("no answer"))));
    }
}

#[test]
fn a_report_in_both_languages() {
    for (name, language) in [("report_zh", Language::Zh), ("report_en", Language::En)] {
        insta::assert_snapshot!(
            name,
            draw(language, 80, |page| super::report::report(page, "R", &report(), &story(), 2))
        );
    }
}

#[test]
fn the_views_of_a_story() {
    let story = story();
    let drawn = draw(Language::Zh, 80, |page| views(page, &story));
    insta::assert_snapshot!("views_zh", drawn);
}

fn outcome(status: RunStatus) -> Outcome {
    let waits = status == RunStatus::Waiting;
    Outcome {
        project: text("0193f1c2"),
        run: text("0193f1d7"),
        status,
        made: RunOutput::Story(Box::new(StoryOutput {
            story: story(),
            diagnostic_report: Some(DiagnosticReport { passed: !waits, ..report() }),
            iteration_count: 2,
            ..StoryOutput::default()
        })),
        reasoning: Vec::new(),
        warnings: texts(&["the planner's answer was cut; asked again"]),
        errors: Vec::new(),
        usage: UsageView {
            input: 12_345,
            cached: 2_000,
            output: 6_789,
            total: 19_134,
            calls: 7,
            estimated: false,
            cost: (!waits).then(|| Cost { micros: 18_300, currency: text("CNY") }),
            by_agent: [(text("outline_agent"), 12_000), (text("plot_agent"), 7_134)].into(),
        },
        question_id: None,
        approver: None,
        question: waits.then(|| {
            RunQuestion::HumanReview(Box::new(HumanReview {
                reason: text("stalled"),
                report: report(),
                answers: texts(&["approve", "reject", "edit"]),
            }))
        }),
    }
}

#[test]
fn the_end_of_a_run() {
    let cases = [("done_zh", Language::Zh, RunStatus::Done), ("waiting_en", Language::En, RunStatus::Waiting)];
    for (name, language, status) in cases {
        let data_folder = Path::new("/home/me/qingyu");
        let around = EndingContext { data_folder, elapsed: Duration::from_millis(83_400), is_complete: false };
        let drawn = draw(language, 80, |page| super::ending::ending(page, &outcome(status), &around));
        insta::assert_snapshot!(name, drawn);
    }
}

#[test]
fn a_complete_book_is_not_to_be_written_on() {
    for (is_complete, expected) in [(false, true), (true, false)] {
        let around = EndingContext { data_folder: Path::new("/home/me"), elapsed: Duration::ZERO, is_complete };
        let made = RunOutput::Book(Box::default());
        let ended = Outcome { made, ..outcome(RunStatus::Done) };
        let drawn = draw(Language::Zh, 80, |page| super::ending::ending(page, &ended, &around));
        assert!(drawn.contains("qingyu export") && drawn.contains("qingyu write") == expected, "{drawn}");
    }
}

#[test]
fn one_chapter_alone_has_no_place_in_the_run() {
    let step = |of: usize| {
        let step = ChapterStep::Started { task: text("draft"), done: 0, of, place: String::new() };
        draw(Language::Zh, 80, |page| super::chapters::step(page, 2, "第二章", &step))
    };
    assert!(!step(1).contains("本次") && step(3).contains("本次 3 章中的第 1 章"), "{}", step(3));
}

#[test]
fn every_view_fits_any_width() {
    for columns in [40, 60, 80, 120] {
        for language in [Language::Zh, Language::En] {
            draw(language, columns, |page| {
                views(page, &story());
                super::plan::plan(page, &plan(), None);
                super::report::report(page, "R", &report(), &story(), 2);
            });
        }
    }
}

fn views(page: &mut TextPage<'_>, story: &Story) {
    super::outline::outline(page, &story.outline_nodes);
    super::cast::characters(page, story);
    super::cast::relations(page, story);
    super::timeline::timeline(page, story);
    super::timeline::plot(page, &story.plot_nodes, &story.timeline_events, &story.outline_nodes);
    super::world::world(page, story);
    super::world::style(page, story.style.as_ref());
}

#[test]
fn siblings_are_shown_by_sex_and_age() {
    let story: Story = serde_json::from_value(serde_json::json!({
        "characters": [{"name": "佟秀云", "gender": "女", "age": 20}, {"name": "佟秀敏", "gender": "男", "age": 17}],
        "character_relations": [
            {"from": "佟秀云", "to": "佟秀敏", "type": "sibling"},
            {"from": "佟秀云", "to": "佟广林", "type": "sibling"},
        ],
    }))
    .unwrap();
    for (language, known, unknown) in [(Language::Zh, "姐弟", "手足"), (Language::En, "brother and sister", "sibling")]
    {
        let drawn = draw(language, 100, |page| super::cast::relations(page, &story));
        assert!(drawn.contains(&format!("佟秀云 ◀─ {known} ─▶ 佟秀敏")), "{drawn}");
        assert!(drawn.contains(&format!("佟秀云 ◀─ {unknown} ─▶ 佟广林")), "{drawn}");
    }
}

#[test]
fn a_card_is_shown_with_the_count_that_the_chapters_tell() {
    let story: Story = serde_json::from_value(serde_json::json!({
        "language": "en",
        "worldview": {"items": [{"id": "i-1", "name": "the note", "description": "A note for nine pounds."}]},
        "facts": [{"id": "f-1", "subject": "the note", "predicate": "amount", "value": 11, "unit": "pounds"},
            {"id": "f-2", "subject": "Darroch", "predicate": "holds", "object": "the note", "mode": "flashback"}],
    }))
    .unwrap();
    for (language, label, past) in
        [(Language::Zh, "按正文", "以前的持有者"), (Language::En, "told by the chapters", "held in the past by")]
    {
        let drawn = draw(language, 100, |page| super::world::world(page, &story));
        assert!(drawn.contains("A note for nine pounds."), "{drawn}");
        assert!(drawn.contains(label) && drawn.contains("A note for 11 pounds."), "{drawn}");
        assert!(drawn.contains(past) && drawn.contains("Darroch"), "{drawn}");
    }
}

#[test]
fn a_turn_that_failed_is_told_in_the_language_of_the_terminal() {
    let failure = serde_json::json!({"code": "schedule_key_invalid", "message": "for logs", "data": {}});
    let (at, next) = ("2026-03-01T08:00:00Z", "2026-03-08T08:00:00Z");
    let last = serde_json::json!({"at": at, "run": null, "status": null, "failure": failure});
    let status = serde_json::json!({"every": "1w", "order": null, "next": next, "last": last});
    let status: ScheduleStatus = serde_json::from_value(status).unwrap();
    for (language, told) in [(Language::Zh, "没有接受：设定定时所用的密钥已失效"), (Language::En, "no longer valid")]
    {
        let drawn = draw(language, 200, |page| super::production::schedule(page, &status));
        assert!(drawn.contains(told) && !drawn.contains("for logs"), "{drawn}");
        assert!(drawn.contains("qingyu produce schedule"), "{drawn}");
    }
}

#[test]
fn the_header_of_a_table_stands_out() {
    let texts = LocalizedTexts::new(Language::En);
    let mut page = TextPage::new(&texts, 24);
    page.table(&self::texts(&["Name", "What is left"]), &[self::texts(&["Lin Shen", "a key"])], &[], &[]);
    let expected = [
        "┌──────────┬───────────┐",
        "│\u{1b}[1m Name     \u{1b}[0m┆\u{1b}[1m What is   \u{1b}[0m│",
        "│\u{1b}[1m          \u{1b}[0m┆\u{1b}[1m left      \u{1b}[0m│",
        "╞══════════╪═══════════╡",
        "│ Lin Shen ┆ a key     │",
        "└──────────┴───────────┘",
    ];
    assert_eq!(page.finish().lines().collect::<Vec<_>>(), expected);
}

#[test]
fn a_table_that_is_too_wide_stands_as_records() {
    let header = texts(&["编号", "名称", "次数", "说明"]);
    let rows = [texts(&["p-the-lighthouse-keepers-daughter-k3f9", "林深", "12", "灯塔看守人的女儿，下落不明"])];
    for columns in [24, 32, 48, 80] {
        let drawn = draw(Language::Zh, columns, |page| page.table(&header, &rows, &[2], &[0]));
        assert_eq!(drawn.contains('│'), columns == 80, "{drawn}");
    }
    let drawn = draw(Language::Zh, 32, |page| page.table(&header, &rows, &[2], &[0]));
    assert_eq!(
        drawn.lines().map(str::trim_end).collect::<Vec<_>>(),
        [
            "编号：p-the-lighthouse-keepers-d",
            "      aughter-k3f9",
            "  名称：林深",
            "  次数：12",
            "  说明：灯塔看守人的女儿，下落不",
            "        明",
        ]
    );
}

#[test]
fn a_ring_in_plan_or_outline_is_still_drawn() {
    let ring = ExecutionPlan {
        steps: vec![step(1, "outline_agent", "a", &[2], 1), step(2, "plot_agent", "b", &[1], 1)],
        ..ExecutionPlan::default()
    };
    let drawn = draw(Language::En, 80, |page| {
        super::plan::plan(page, &Plan { execution_plan: ring, ..Plan::default() }, None);
    });
    assert!(drawn.contains("1 Outline") && drawn.contains("2 Plot"), "{drawn}");
    let node = |id: &str, parent: &str| OutlineNode {
        id: text(id),
        parent: Some(text(parent)),
        name: text(id),
        ..OutlineNode::default()
    };
    let drawn = draw(Language::En, 80, |page| super::outline::outline(page, &[node("a", "b"), node("b", "a")]));
    assert!(drawn.contains('a') && drawn.contains("b"), "{drawn}");
}

#[test]
fn facts_are_told_in_the_language_of_the_reader() {
    let fact = |predicate: &str, value: serde_json::Value, unit: &str| {
        serde_json::json!({"fact": null,
        "subject": "林青", "predicate": predicate, "object": null, "value": value, "unit": unit, "mode": "narrated",
        "by": null, "certain": true, "known_by": [],
        "says": {"anchor": "a", "quote": format!("林青 {predicate} {}", if value.is_null() { "雨夜" } else { "" })}})
    };
    let answers = serde_json::json!([
        fact("takes_part", serde_json::Value::Null, ""),
        fact("age", 31.into(), "years"),
        fact("height", 7.into(), "尺"),
        fact("暗号", "灯".into(), ""),
        fact("dies", true.into(), ""),
        fact("revives", false.into(), ""),
        fact("ally", serde_json::Value::Null, ""),
    ]);
    let answers: Vec<Answer> = serde_json::from_value(answers).unwrap();
    let zh = draw(Language::Zh, 80, |page| super::story::facts(page, &answers));
    for told in ["林青  参与", "▸ 林青 参与 雨夜", "年龄 31 years", "身高 7尺", "暗号 灯", "林青  没有", "盟友"]
    {
        assert!(zh.contains(told), "{told}: {zh}");
    }
    for foreign in ["true", "false", "ally"] {
        assert!(!zh.contains(foreign), "{foreign}: {zh}");
    }
    assert!(!zh.contains('「'), "only the words of a text are quoted: {zh}");
    let mut told = answers[1].clone();
    told.says.anchor = text("facts/f-1/source");
    told.says.quote = text("林青今年三十一岁。");
    told.unit = text("岁");
    told.telling = Telling::Told { chapter: 1 };
    let beside = draw(Language::Zh, 80, |page| super::story::facts(page, &[answers[1].clone(), told.clone()]));
    assert!(beside.contains("「林青今年三十一岁。」") && beside.matches("年龄").count() == 1, "{beside}");
    told.value = 32.into();
    let other = draw(Language::Zh, 80, |page| super::story::facts(page, &[answers[1].clone(), told]));
    assert!(other.contains("31") && other.contains("32"), "{other}");
    let en = draw(Language::En, 80, |page| super::story::facts(page, &answers));
    assert!(en.contains("takes part in") && !en.contains("takes_part"), "{en}");
    assert!(!zh.contains("计划") && !en.contains("planned"), "{zh}{en}");
    let over: Vec<_> =
        answers[..2].iter().map(|answer| Answer { over_since: Some("十月十一日".into()), ..answer.clone() }).collect();
    let over = draw(Language::Zh, 80, |page| super::story::facts(page, &over));
    assert!(over.contains("现在没有。以前：") && over.contains("到十月十一日为止"), "{over}");
    let says = qingyu_studio::story::Evidence { anchor: "facts/f-1/source".into(), quote: "雨停了。".into() };
    let told = [Answer { telling: Telling::Told { chapter: 2 }, says, ..answers[0].clone() }];
    assert!(draw(Language::Zh, 80, |page| super::story::facts(page, &told)).contains("「雨停了。」  第 2 章正文"));
    let planned: Vec<_> = answers.into_iter().map(|answer| Answer { telling: Telling::Planned, ..answer }).collect();
    assert!(draw(Language::Zh, 80, |page| super::story::facts(page, &planned)).contains("只是计划，正文还没有这样写"));
    assert!(
        draw(Language::En, 80, |page| super::story::facts(page, &planned)).contains("planned, not told in the text")
    );
}

/// The code of a missed minimum names no rule that could be looked up.
#[test]
fn a_finding_shows_the_code_of_a_rule_only() {
    let finding =
        |code: &str| ChapterFinding {
            code: Some(text(code)), title: text("正文太短"), ..ChapterFinding::default()
        };
    let findings = vec![finding("floor-length"), finding("QS011")];
    let step = ChapterStep::Reviewed { verdict: Box::new(Verdict { findings, ..Verdict::default() }) };
    let drawn = draw(Language::Zh, 80, |page| super::chapters::step(page, 1, "", &step));
    assert!(!drawn.contains("floor") && drawn.contains("QS011"), "{drawn}");
}

/// A command is shown only with the project that it is for.
#[test]
fn the_command_for_a_plan_names_the_project() {
    for language in [Language::Zh, Language::En] {
        let drawn = draw(language, 160, |page| {
            page.plan_follows(2, "QY316-0");
            page.set_project("p-rb3kka");
            page.plan_follows(2, "QY316-1");
        });
        assert!(drawn.contains("qingyu check p-rb3kka --fix --rule QY316-1"), "{drawn}");
        assert!(!drawn.contains("QY316-0"), "{drawn}");
    }
}

/// A chapter that passes because the author is to decide about the rest does not look as if nothing was found.
#[test]
fn a_chapter_with_an_issue_left_to_the_author_has_not_simply_passed() {
    for (severity, held, is_left) in [
        (Severity::Medium, Some(HeldReason::ToldOtherwise), true),
        (Severity::Medium, Some(HeldReason::OutsidePart), false),
        (Severity::Low, Some(HeldReason::ToldOtherwise), false),
        (Severity::Low, None, false),
    ] {
        let findings = vec![ChapterFinding { severity, held, ..ChapterFinding::default() }];
        let verdict = Verdict { score: 100, passed: true, findings, ..Verdict::default() };
        let step = ChapterStep::Reviewed { verdict: Box::new(verdict) };
        for (language, told) in [(Language::Zh, "待您决定"), (Language::En, "you must decide")] {
            let drawn = draw(language, 120, |page| super::chapters::step(page, 1, "", &step));
            assert_eq!(drawn.contains(told), is_left, "{drawn}");
        }
    }
}

/// What the writer holds to be wrong is shown with the reason, and with the command by which the author decides.
#[test]
fn a_disputed_finding_says_why_and_what_to_do() {
    let held = Some(HeldReason::Disputed { why: text("两处都是五十五岁。") });
    let finding = ChapterFinding { title: text("年龄不合"), held, ..ChapterFinding::default() };
    let step = ChapterStep::Reviewed { verdict: Box::new(Verdict { findings: vec![finding], ..Verdict::default() }) };
    let issue = Issue { disputed: Some(text("两处都是五十五岁。")), ..Issue::default() };
    for language in [Language::Zh, Language::En] {
        let chapter = draw(language, 120, |page| super::chapters::step(page, 1, "", &step));
        let report = draw(language, 120, |page| super::report::issue(page, 1, &issue, &Story::default(), 1));
        for drawn in [chapter, report] {
            assert!(drawn.contains("两处都是五十五岁。") && drawn.contains("qingyu waive"), "{drawn}");
        }
    }
    for (language, why, told) in [
        (Language::Zh, "由计划改即可", "不成立：由计划改即可。"),
        (Language::Zh, "他说“不”。", "不成立：他说“不”。"),
        (Language::En, "the plan is older", "wrong: the plan is older."),
    ] {
        let drawn = draw(language, 160, |page| super::report::disputed(page, 0, why));
        assert!(drawn.contains(told), "{drawn}");
    }
}

/// What the author has let stand since the report is no issue of it.
#[test]
fn a_report_leaves_out_what_was_waived_since() {
    let issue = |id: &str| Issue { id: text(id), ..Issue::default() };
    let issues = vec![issue("QY310-1"), issue("QY101-1")];
    let found =
        DiagnosticReport { issues, correction_strategy: Strategy::IncrementalFix, ..DiagnosticReport::default() };
    let waiver = |id: &str| Waiver { finding: text(id), ..Waiver::default() };
    let mut story = Story { waivers: vec![waiver("QY310-1")], ..Story::default() };
    let open = super::report::without_waived(&found, &story);
    assert_eq!((open.issues.len(), open.correction_strategy), (1, Strategy::IncrementalFix));
    story.waivers.push(waiver("QY101-1"));
    let open = super::report::without_waived(&found, &story);
    assert_eq!((open.issues.len(), open.correction_strategy), (0, Strategy::None), "nothing is left to mend");
}

#[test]
fn a_question_about_two_events_shows_both_and_what_an_answer_does() {
    let asked = serde_json::json!({
        "id": "q-5-1", "chapter": 5, "title": "夜渡", "about": "settlement", "piece": "event", "label": "钥匙易手",
        "says": "钥匙到了老周手里。", "quote": "他把钥匙给了老周。", "confidence": 0.9,
        "doubt": {"doubt": "same", "name": "钥匙易手"},
        "candidates": [{"id": "e-3", "name": "交出钥匙", "says": "林深把钥匙交给老周。", "chapter": 2}],
    });
    let question = serde_json::from_value(asked).unwrap();
    let zh = draw(Language::Zh, 80, |page| super::chapters::question(page, 1, &question));
    for told in [
        "“钥匙易手”和已经记下的是同一件事吗？",
        "这一章：钥匙到了老周手里。",
        "第 2 章“交出钥匙”  林深把钥匙交给老周。",
        "不是：另记一件事",
    ] {
        assert!(zh.contains(told), "{told}: {zh}");
    }
    let en = draw(Language::En, 80, |page| super::chapters::question(page, 1, &question));
    for told in [
        "is “钥匙易手” the same event",
        "this chapter: 钥匙到了老周手里。",
        "chapter 2, “交出钥匙”",
        "No: a separate event",
    ] {
        assert!(en.contains(told), "{told}: {en}");
    }
}

#[test]
fn a_question_about_a_planned_event_says_that_it_is_planned() {
    let asked = serde_json::json!({
        "id": "q-1-1", "chapter": 1, "title": "老闸桥", "about": "settlement", "piece": "event", "label": "落水的传闻",
        "quote": "自家跌下去的。", "confidence": 0.9, "doubt": {"doubt": "same", "name": "落水的传闻"},
        "candidates": [{"id": "e-3", "name": "落水", "chapter": 3, "planned": true}],
    });
    let question = serde_json::from_value(asked).unwrap();
    let zh = draw(Language::Zh, 80, |page| super::chapters::question(page, 1, &question));
    assert!(zh.contains("大纲计划在第 3 章写、正文还没有写的“落水”"), "{zh}");
    let en = draw(Language::En, 80, |page| super::chapters::question(page, 1, &question));
    assert!(en.contains("“落水”, planned for chapter 3 and not written yet"), "{en}");
}

#[test]
fn a_report_of_an_earlier_story_says_so() {
    let age = |language, changed| draw(language, 80, |page| super::report::age(page, changed));
    assert!(age(Language::Zh, 3).contains("又改动了 3 处"));
    assert!(age(Language::En, 1).contains("1 piece has changed since this report"));
    assert_eq!(age(Language::Zh, 0).trim(), "");
}

#[test]
fn the_log_and_the_impact_of_a_change_speak_in_names() {
    let piece = |kind: &str, id: &str, name: &str| PieceName { kind: text(kind), id: text(id), name: text(name) };
    let row = |run: &str, put: Vec<PieceName>| ChangeRow {
        change: 3,
        at: jiff::Timestamp::UNIX_EPOCH,
        agent: text("person"),
        run: text(run),
        model: None,
        tokens: 0,
        undoes: None,
        put,
        removed: Vec::new(),
    };
    let put = vec![piece("character", "c-1", "林青"), piece("fact", "f-1", ""), piece("fact", "f-2", "")];
    let rows = [row("check --fix", put), row("tool outline_tool", Vec::new()), row("01934-run", Vec::new())];
    let zh = draw(Language::Zh, 80, |page| super::story::changes(page, &rows));
    for told in ["检查并修正", "工具 outline_tool", "01934-run", "人物 林青", "事实 2 条"] {
        assert!(zh.contains(told), "{told}: {zh}");
    }
    assert!(!zh.contains("c-1") && !zh.contains("f-1"), "{zh}");
    let en = draw(Language::En, 80, |page| super::story::changes(page, &rows));
    assert!(en.contains("check and fix") && en.contains("2 × fact"), "{en}");

    let hero = || vec![piece("character", "c-1", "林青")];
    let twice = [row("check --fix", hero()), row("check --fix", hero())];
    let drawn = draw(Language::Zh, 80, |page| super::story::changes(page, &twice));
    assert!(drawn.contains("+ 人物 林青") && drawn.contains("~ 人物 林青"), "what was there is changed: {drawn}");

    let touched = serde_json::json!([{
        "kind": "event", "piece": "e-1", "label": "追踪", "distance": 1, "sentences": [],
        "path": [{"kind": "character", "piece": "c-1", "label": "林青", "because": "refers_to"}],
    }]);
    let touched: Vec<qingyu_studio::story::impact::Touched> = serde_json::from_value(touched).unwrap();
    let zh = draw(Language::Zh, 80, |page| super::story::impact(page, &touched));
    assert!(zh.contains("追踪") && zh.contains("引用了 人物 林青"), "{zh}");
    assert!(!zh.contains("e-1") && !zh.contains("c-1"), "{zh}");
}

#[test]
fn the_time_of_an_event_is_wrapped_and_not_cut() {
    let time = "景和十七年八月初二夜，义庄点灯之后";
    let event = TimelineEvent { title: text("验尸"), timestamp: text(time), ..TimelineEvent::default() };
    let story = Story { timeline_events: vec![event], ..Story::default() };
    for columns in [40, 80] {
        let drawn = draw(Language::Zh, columns, |page| super::timeline::timeline(page, &story));
        assert!(!drawn.contains('…'), "{drawn}");
        let whole: String = drawn.chars().filter(|c| !c.is_whitespace() && *c != '●').collect();
        assert!(time.chars().all(|c| whole.contains(c)), "{drawn}");
    }
}

#[tokio::test]
async fn the_page_of_each_rule_shows_both_examples() {
    let home = tempfile::tempdir().unwrap();
    let variables = [("QINGYU_HOME".to_owned(), home.path().to_str().unwrap().to_owned())];
    let settings = Settings::load(Environment::new(variables), toml::Table::new()).unwrap();
    let studio = Studio::open(settings).await.unwrap();
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    for language in [Language::Zh, Language::En] {
        for row in studio.rules(language) {
            let page = draw(language, 120, |page| lists::rule(page, &row));
            assert!(page.starts_with(&row.code), "{page}");
            for example in [&row.fires, &row.spares] {
                assert!(squeezed(&page).contains(&squeezed(&example.note)), "{}: {page}", row.code);
            }
        }
    }
}
