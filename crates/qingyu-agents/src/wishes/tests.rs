use qingyu_story::{Character, OutlineNode, Piece, PieceKind, RoleType};

use super::*;
use crate::plan::fixed_plan;
use crate::specialist::guarded;

fn card(id: &str, name: &str) -> Character {
    Character {
        id: id.into(),
        name: name.into(),
        alias: vec!["老林".into()],
        role_type: RoleType::Protagonist,
        age: Some(34),
        birth: Some("1903".into()),
        occupation: "侦探".into(),
        traits: vec!["冷静".into()],
        weakness: "怕水".into(),
        personality: "沉默".into(),
        background: "孤儿".into(),
        goals: "真相".into(),
        conflicts: "旧案".into(),
        arc: "学会信任".into(),
        ..Character::default()
    }
}

fn story() -> Story {
    Story {
        premise: "灯塔".into(),
        characters: vec![card("c-1", "林深"), card("c-2", "苏曼")],
        outline_nodes: vec![OutlineNode {
            id: "o-1".into(), name: "第一章 雨夜".into(), ..OutlineNode::default()
        }],
        ..Story::default()
    }
}

/// What an answer of the character agent makes of the story, if a person said `words`.
fn answered(words: &str, characters: Vec<Character>) -> Story {
    let told = instructions_for(&read(words, &story()), Agent::Character, &story());
    let answer = Story { characters, ..Story::default() };
    guarded(&story(), &answer, &told).story
}

fn fields(story: &Story, position: usize) -> serde_json::Map<String, serde_json::Value> {
    story.piece(PieceKind::Character, position).map(|piece| piece.fields()).unwrap_or_default()
}

#[test]
fn whatever_an_answer_leaves_out_or_changes_what_was_not_named_stays() {
    let wished = |words: &str| match words {
        "把林深的弱点改成怕黑" | "林深的弱点再小一点" => Some("weakness"),
        _ => None,
    };
    let changed = Character {
        alias: vec!["小林".into()],
        role_type: RoleType::Minor,
        age: Some(70),
        birth: Some("1867".into()),
        death: Some("1950".into()),
        occupation: "裁缝".into(),
        traits: vec!["多话".into()],
        weakness: "怕黑".into(),
        personality: "聒噪".into(),
        background: "富家子".into(),
        goals: "发财".into(),
        conflicts: "没有".into(),
        arc: "没有".into(),
        ..card("c-1", "林深")
    };
    let changed = Piece::Character(changed).fields();
    let story = story();
    let before = fields(&story, 0);
    let names = changed.keys().filter(|field| changed[*field] != before[*field]).collect::<Vec<_>>();
    for words in ["把林深的弱点改成怕黑", "林深的弱点再小一点", "让林深更勇敢一点"] {
        let told = instructions_for(&read(words, &story), Agent::Character, &story);
        for mask in 0..1_u32 << names.len() {
            let mut answer = Piece::Character(Character { name: "林深".into(), ..Character::default() });
            let said = |at: usize| mask >> at & 1 == 1;
            for (_, field) in names.iter().enumerate().filter(|(at, _)| said(*at)) {
                answer = answer.with_field(field, changed[*field].clone()).expect("it is a value of that field");
            }
            let Piece::Character(answer) = answer else { unreachable!("it was made as a character") };
            let answer = Story { characters: vec![answer], ..Story::default() };
            let after = guarded(&story, &answer, &told).story;
            let now = fields(&after, 0);
            for (at, field) in names.iter().enumerate() {
                let may_change = said(at) && wished(words).is_none_or(|wished| wished == *field);
                assert!(may_change || before[*field] == now[*field], "{words}: {field} with {mask:b}");
            }
            assert_eq!(after.characters[1], story.characters[1], "{words}: nobody spoke of 苏曼");
            assert_eq!((after.characters.len(), &after.outline_nodes), (2, &story.outline_nodes));
        }
    }
}

#[test]
fn an_answer_may_add_only_what_was_asked_for() {
    let cast =
        || vec![card("", "沈夜"), card("", "路人"), Character { background: "富家子".into(), ..card("c-1", "林深") }];
    let names = |story: Story| story.characters.into_iter().map(|card| card.name).collect::<Vec<_>>();
    let after = answered("增加一个反派角色，叫沈夜", cast());
    assert_eq!(after.characters[0], story().characters[0]);
    assert_eq!(names(after), ["林深", "苏曼", "沈夜"]);
    assert_eq!(names(answered("再加两个配角", cast())), ["林深", "苏曼", "沈夜", "路人"]);
    assert_eq!(answered("再加两个配角", cast()).characters[0], story().characters[0]);
    assert_eq!(names(answered("给林深加一个妹妹", cast())), ["林深", "苏曼", "沈夜", "路人"]);
    assert_eq!(names(answered("让林深更勇敢一点", cast())), ["林深", "苏曼"]);
    assert_eq!(names(answered("人物都太善良了", cast())), ["林深", "苏曼", "沈夜", "路人"]);
}

#[test]
fn words_concern_the_agents_whose_work_they_name() {
    let told = |words: &str| {
        let requests = read(words, &story());
        let told = |agent: &Agent| !instructions_for(&requests, *agent, &story()).is_empty();
        Agent::ALL.into_iter().filter(told).map(Agent::name).collect::<Vec<_>>()
    };
    assert_eq!(told("把林深的弱点改成怕黑，其他不变"), ["character_agent"]);
    assert_eq!(told("把林深的弱点改成怕黑，节奏快一点"), ["character_agent"]);
    assert_eq!(told("让林深更勇敢一点"), ["character_agent"]);
    assert_eq!(told("第一章写得更紧张"), ["outline_agent"]);
    assert_eq!(told("再加三章"), Agent::ALL.map(Agent::name));
    assert_eq!(told("更黑暗一些"), Agent::ALL.map(Agent::name));
    assert_eq!(told("把周沉的弱点改成怕黑"), [""; 0]);
}

#[test]
fn a_plan_gets_a_step_for_whoever_can_meet_a_wish() {
    let plan = fixed_plan(Language::Zh).execution_plan;
    let agents = |words: &str| {
        let longer = with_steps(plan.clone(), &read(words, &story()), &story());
        longer.steps.into_iter().map(|step| step.agent).collect::<Vec<_>>()
    };
    assert_eq!(agents("把林深的弱点改成怕黑").len(), plan.steps.len());
    let longer = agents("新增地点：青石巷，把语气改成冷峻");
    // The review comes last.
    assert_eq!(longer[plan.steps.len() - 1..], ["worldview_agent", "style_agent", "review_agent"]);
    let renaming = with_steps(plan, &read("把林深改名为林远，新增地点：青石巷", &story()), &story());
    assert!(renaming.parallelizable_steps.is_empty(), "{renaming:#?}");
}

#[test]
fn a_report_does_not_pass_while_a_wish_is_unmet() {
    let report = |words: &str, after: &Story| {
        let requests = read(words, &story());
        let mut report = DiagnosticReport { passed: true, quality_score: 91, ..Default::default() };
        put_into(&mut report, &requests, checked(&requests, after, *after == story()), after);
        let told = report.correction_instructions.iter().map(|told| told.target_agent.name()).collect::<Vec<_>>();
        (
            report.passed,
            report.quality_score,
            report.issues.into_iter().map(|issue| issue.title).collect::<Vec<_>>(),
            told,
        )
    };
    let wish = "把林深的弱点改成怕黑";
    let unmet = |wish: &str| vec![format!("要求没有落实：{wish}")];
    assert_eq!(report(wish, &story()), (false, 91, unmet(wish), vec!["character_agent"]));
    let mut after = story();
    after.characters[0].weakness = "怕黑".into();
    assert_eq!(report(wish, &after), (true, 91, vec![], vec![]));
    let wish = "把周沉的弱点改成怕黑";
    assert_eq!(report(wish, &story()), (false, 91, unmet(wish), vec![]), "nobody can mend that");
    let wish = "让林深更勇敢一点";
    assert_eq!(report(wish, &story()), (false, 91, unmet(wish), vec!["character_agent"]));
    assert_eq!(report(wish, &after), (true, 91, vec![], vec![]), "that is for a reader to judge");
    assert_eq!(report("谢谢", &story()), (true, 91, vec![], vec![]));
}

#[test]
fn an_outline_of_another_length_does_not_pass() {
    let requests = read("写两章，每章约800字", &Story::default());
    let node = |id: &str, words: u32| OutlineNode { id: id.into(), words: Some(words), ..OutlineNode::default() };
    let report = |words: &[u32]| {
        let nodes = ["o-1", "o-2"].into_iter().zip(words).map(|(id, words)| node(id, *words));
        let story = Story { outline_nodes: nodes.collect(), ..Story::default() };
        let mut report = DiagnosticReport { passed: true, ..DiagnosticReport::default() };
        put_into(&mut report, &requests, checked(&requests, &story, false), &story);
        report
    };
    let fits = report(&[800, 820]);
    assert!(fits.passed && fits.wishes.iter().all(|wish| wish.state == WishState::Met), "{fits:?}");
    let short = report(&[300]);
    assert!(!short.passed);
    let causes: Vec<&str> = short.issues.iter().map(|issue| issue.root_cause.as_str()).collect();
    assert_eq!(causes, ["现在写的是：大纲共 1 章", "现在写的是：每章 300 字"]);
    assert!(short.issues.iter().all(|issue| issue.sub_category == "outline"));
    assert_eq!(short.affected_agents, [Agent::Outline]);
}
