//! What holds for every answer, whatever the requirement.

use std::collections::BTreeSet;

use proptest::prelude::*;
use qingyu_agents::context::{PlanningContext, ReviewContext, WorkContext};
use qingyu_agents::output::{CharacterWork, Judgement, OutlineWork, Plan};
use qingyu_agents::plan::{RequirementKind, check};
use qingyu_story::{Language, OutlineNodeKind, RoleType, Severity, Story};

use crate::bench::{REQUIREMENTS, ask, everything, reply, work};

#[tokio::test]
async fn equal_requests_get_equal_bytes() {
    for requirement in REQUIREMENTS {
        let context = serde_json::to_value(work(requirement, &Story::default())).unwrap();
        let first = reply("outline.generate", context.clone()).await.unwrap();
        assert_eq!(first.text, reply("outline.generate", context).await.unwrap().text);
        assert_eq!(first.model, "offline-rules-1");
        assert_eq!((first.usage.input, first.usage.output), (0, 0));
    }
}

#[tokio::test]
async fn requirements_become_different_stories_that_keep_their_words() {
    let words = [
        &["赛博朋克", "侦探", "私家侦探", "黑客技术"][..],
        &["generation ship", "locked-room", "ship's gardener"],
        &["武侠", "沈孤舟", "镖师"],
        &["废柴少年", "修仙"],
        &["花艺师", "急诊医生", "上海"],
        &["末世", "仓库管理员"],
        &["民俗记录员", "恐怖"],
        &["民国", "变戏法", "上海"],
        &["灯塔看守", "童话"],
        &["fantasy", "mapmaker's apprentice"],
        &["romance", "smuggler", "diplomat"],
        &["heist", "1920", "Chicago", "Dolly Pike"],
        &["girl", "clock"],
        &["post-apocalyptic", "courier"],
    ];
    let (mut titles, mut casts) = (BTreeSet::new(), BTreeSet::new());
    for (requirement, words) in REQUIREMENTS.iter().zip(words) {
        let (story, summary) = everything(requirement).await;
        titles.insert(summary.split(['》', '\u{201d}']).next().unwrap().to_owned());
        casts.insert(story.characters.iter().map(|card| card.name.clone()).collect::<Vec<_>>());
        let made = serde_json::to_string(&Story { premise: String::new(), ..story }).unwrap().to_lowercase();
        for word in words {
            assert!(made.contains(&word.to_lowercase()), "{word} is missing from what became of {requirement}");
        }
    }
    assert_eq!((titles.len(), casts.len()), (REQUIREMENTS.len(), REQUIREMENTS.len()));
}

#[tokio::test]
async fn what_a_requirement_tells_of_is_in_its_outline() {
    let cases = [
        ("写一个关于时间的故事", "主题是「时间」", "主题「时间」"),
        ("A story about grief and forgiveness", "The theme is grief and forgiveness", "theme, grief and forgiveness"),
        ("童话：一只会修钟的獾和它的朋友们", "会修钟的獾", "凭修钟的本事"),
        (
            "校园青春悬疑：高三学生周屿在旧教学楼发现一封十年前的信",
            "高三学生周屿",
            "由此而起：周屿在旧教学楼发现一封十年前的信",
        ),
        (
            "Campus mystery: high-school senior Mara Lin finds a ten-year-old letter",
            "high-school senior Mara Lin",
            "It begins when Mara Lin finds a ten-year-old letter.",
        ),
        ("一个医生和一个小偷的爱情故事", "医生", "小偷"),
    ];
    for (requirement, in_summary, in_chapters) in cases {
        let (story, summary) = everything(requirement).await;
        let hero = story.characters.iter().find(|card| card.role_type == RoleType::Protagonist).unwrap();
        assert!(!hero.occupation.contains("关于") && !hero.occupation.contains("朋友"), "{}", hero.occupation);
        assert!(summary.contains(in_summary), "{summary}");
        let chapters = story.outline_nodes.iter().map(|node| format!("{}{}\n", node.description, node.goal));
        let chapters: String = chapters.collect();
        assert!(chapters.contains(in_chapters), "{requirement}: {chapters}");
    }
}

#[tokio::test]
async fn an_assumed_genre_is_said_to_be_assumed() {
    for (requirement, plan_says, outline_says) in
        [("小说", "没有点明题材", "均为灵感卡"), ("a novel", "names no genre", "everything below is a draw")]
    {
        let language = Language::of(requirement);
        let planning = PlanningContext { requirement: requirement.into(), language, ..PlanningContext::default() };
        let plan: Plan = ask("plan.create", &planning).await;
        assert!(plan.reasoning[0].contains(plan_says), "{:?}", plan.reasoning);
        let outline: OutlineWork = ask("outline.generate", &work(requirement, &Story::default())).await;
        assert!(outline.reasoning[0].contains(outline_says), "{:?}", outline.reasoning);
        assert!(outline.outline_nodes.len() > 8);
    }
}

#[tokio::test]
async fn plans_can_run_and_cast_and_outline_share_the_world() {
    for requirement in REQUIREMENTS {
        let language = Language::of(requirement);
        let planning =
            PlanningContext { requirement: requirement.into(), language, max_steps: 12, ..PlanningContext::default() };
        let plan: Plan = ask("plan.create", &planning).await;
        let checked = check(plan.execution_plan).unwrap().0;
        let step = |agent: &str| checked.steps.iter().find(|step| step.agent == agent);
        let (outline, cast) = (step("outline_agent").unwrap(), step("character_agent").unwrap());
        match step("worldview_agent") {
            Some(world) => {
                let on_world = vec![world.step_id];
                assert_eq!((&outline.dependencies, &cast.dependencies), (&on_world, &on_world));
            }
            None => assert_eq!(outline.dependencies, [cast.step_id]),
        }
        assert!(checked.steps.iter().all(|step| step.estimated_tokens > 0 && !step.task_description.is_empty()));
    }
}

#[tokio::test]
async fn more_of_a_story_keeps_what_is_there() {
    let (story, _) = everything(REQUIREMENTS[0]).await;
    let cases = [
        ("续写三章，把线索收回来", RequirementKind::Extension, 3, &["outline", "plot"][..]),
        ("再加两个配角", RequirementKind::Extension, 0, &["character"]),
        ("修改反派的动机，让人物更可信", RequirementKind::Modification, 0, &["character"]),
    ];
    for (requirement, kind, more, capabilities) in cases {
        let planning =
            PlanningContext { requirement: requirement.into(), story: story.clone(), ..PlanningContext::default() };
        let plan: Plan = ask("plan.create", &planning).await;
        assert_eq!(plan.requirement_analysis.kind, kind, "{requirement}");
        assert_eq!(plan.requirement_analysis.required_capabilities, capabilities, "{requirement}");
        let context = WorkContext { analysis: plan.requirement_analysis, ..work(requirement, &story) };
        if more > 0 {
            let outline: OutlineWork = ask("outline.generate", &context).await;
            assert_eq!(outline.outline_nodes[..story.outline_nodes.len()], story.outline_nodes);
            assert_eq!(outline.outline_nodes.len(), story.outline_nodes.len() + more);
        } else {
            let cast: CharacterWork = ask("character.generate", &context).await;
            assert!(story.characters.iter().all(|card| cast.characters.contains(card)), "{requirement}");
            assert!(kind == RequirementKind::Modification || cast.characters.len() > story.characters.len());
        }
    }
}

#[tokio::test]
async fn an_agent_that_sees_everything_leaves_nothing_undefined() {
    for requirement in REQUIREMENTS {
        let (mut story, _) = everything(requirement).await;
        let cast: CharacterWork = ask("character.regenerate", &work(requirement, &story)).await;
        story.characters = cast.characters;
        story.character_relations = cast.character_relations;
        let found = qingyu_story::check(&story, &qingyu_story::Config::default());
        let high: Vec<_> = found.iter().filter(|issue| issue.severity >= Severity::High).collect();
        assert!(high.is_empty(), "{requirement}: {high:#?}");
    }
}

#[tokio::test]
async fn people_who_are_there_play_the_parts() {
    for requirement in REQUIREMENTS {
        let story = Story { language: Language::of(requirement), ..Story::default() };
        let cast: CharacterWork = ask("character.generate", &work(requirement, &story)).await;
        let story = Story { characters: cast.characters, ..story };
        let outline: OutlineWork = ask("outline.generate", &work(requirement, &story)).await;
        for card in &story.characters {
            let appears = outline.outline_nodes.iter().any(|node| node.participants.contains(&card.name));
            assert!(appears, "{} has no chapter in {requirement}", card.name);
        }
    }
}

#[tokio::test]
async fn as_many_chapters_as_asked_for() {
    for count in [1_usize, 3, 9, 12, 25] {
        for requirement in [format!("武侠复仇，{count}章"), format!("a {count} chapter heist")] {
            let outline: OutlineWork = ask("outline.generate", &work(&requirement, &Story::default())).await;
            let chapters = outline.outline_nodes.iter().filter(|node| node.kind == OutlineNodeKind::Chapter);
            assert_eq!(chapters.count(), count, "{requirement}");
        }
    }
}

#[tokio::test]
async fn the_review_computes_and_says_what_it_does_not_judge() {
    let requirement = REQUIREMENTS[0];
    let (mut story, _) = everything(requirement).await;
    let review = |story: &Story| ReviewContext {
        requirement: requirement.into(),
        story: story.clone(),
        ..ReviewContext::default()
    };
    let whole: Judgement = ask("review.judge", &review(&story)).await;
    assert_eq!((whole.quality_score, whole.issues.len()), (100, 0), "{:?}", whole.reasoning_chain);
    assert!(whole.reasoning_chain.last().unwrap().contains("文学评判"));

    story.outline_nodes[1].goal.clear();
    story.outline_nodes[2].description = "〔待写〕".into();
    story.timeline_events.pop();
    story.plot_nodes.retain(|node| node.kind != qingyu_story::PlotKind::Climax);
    story.characters.retain(|card| card.role_type != RoleType::Antagonist);
    let thin: Judgement = ask("review.judge", &review(&story)).await;
    let ids: Vec<&str> = thin.issues.iter().map(|issue| issue.id.as_str()).collect();
    assert_eq!(ids, ["model-unwritten", "model-goals", "model-told", "model-opposition", "model-climax"]);
    assert!(thin.quality_score < 65);
    assert!(thin.issues.iter().all(|issue| !issue.evidence.is_empty() && !issue.title.is_empty()));
    assert_eq!(thin.issues[1].affected_entities, [story.outline_nodes[1].name.clone()]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any text at all becomes a story, and no slot of a template stays in it.
    #[test]
    fn any_requirement_becomes_a_story(requirement in "\\PC{0,200}|[主角是叫擅长在一个的要有章，。a-z ]{0,80}|([A-Za-z ,.;{}]{0,120})") {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (story, _) = runtime.block_on(everything(&requirement));
        prop_assert!(story.outline_nodes.len() > 1 && story.characters.len() > 2);
        let made = serde_json::to_string(&(&story.outline_nodes, &story.characters, &story.plot_nodes)).unwrap();
        prop_assert!(!made.contains("{hero") && !made.contains("{self"), "{made}");
    }
}
