//! The outline of a chapter on its card: each thing once, and nothing that the plan says.

use super::*;
use crate::writing::plan::{ChapterPlan, ScenePlan};

fn sections(story: &Story, plan: Option<&ChapterPlan>) -> Vec<String> {
    let book = NumberedBook::of(story);
    OutlinedChapter::of(&book, 5).unwrap().sections(&book, 5, plan)
}

#[test]
fn the_outline_beside_a_plan_says_only_what_the_plan_does_not() {
    let mut story = long_story();
    let node = &mut story.outline_nodes[4];
    node.description = "林青翻看姜衡留下的信。雨夜里门开了三次，没有人进来。".into();
    node.goal = "让林青起疑".into();
    node.location = Some("旧港".into());
    node.plants = vec!["第三次开门".into()];
    let all = "【本章大纲】\n- 目标：让林青起疑\n- 内容：林青翻看姜衡留下的信。雨夜里门开了三次，没有人进来。\n- 地点：旧港\n- 出场：林青\n- 要埋下：第三次开门";
    assert_eq!(sections(&story, None), [all]);
    assert_eq!(sections(&story, Some(&ChapterPlan::default())), [all]);
    let plan = |beat: &str| {
        let (location, participants) = ("旧港".to_owned(), vec!["林青".to_owned()]);
        let scene = ScenePlan { location, participants, beats: vec![beat.to_owned()], ..ScenePlan::default() };
        ChapterPlan { goal: "让林青起疑".into(), scenes: vec![scene], ..ChapterPlan::default() }
    };
    let left = |happens: &str| format!("【本章大纲】\n- 内容：{happens}\n- 要埋下：第三次开门");
    let whole = plan("林青翻看姜衡留下的信");
    assert_eq!(sections(&story, Some(&whole)), [left("雨夜里门开了三次，没有人进来。")]);
    let cut = plan("林青翻看姜衡留下的信…");
    assert_eq!(
        sections(&story, Some(&cut)),
        [left("林青翻看姜衡留下的信。雨夜里门开了三次，没有人进来。")],
        "a line that is cut does not say all"
    );
}

#[test]
fn an_event_of_the_outline_is_listed_with_what_the_outline_does_not_say() {
    for (language, happens, other, shown) in [
        (
            Language::Zh,
            "林青跟着第三盏灯笼穿过码头直到天亮。",
            "苏曼在钟楼上看着他。",
            ["- 第一夜：夜追", "- 第一夜、旧港：夜追\n- 第一夜、钟楼：登楼：苏曼在钟楼上看着他。"],
        ),
        (
            Language::En,
            "林青 follows the third lantern across the harbour until daybreak.",
            "苏曼 watches from the tower.",
            ["- 第一夜: 夜追", "- 第一夜, 旧港: 夜追\n- 第一夜, 钟楼: 登楼: 苏曼 watches from the tower."],
        ),
    ] {
        let mut story = Story { language, ..long_story() };
        story.outline_nodes[4].goal.clear();
        story.outline_nodes[4].description = happens.into();
        story.outline_nodes[4].location = Some("旧港".into());
        let event = |title: &str, description: &str, place: &str, who: &str| TimelineEvent {
            title: title.into(),
            description: description.into(),
            timestamp: "第一夜".into(),
            location: Some(place.into()),
            participants: vec![who.into()],
            outline_node: Some("o-5".into()),
            ..TimelineEvent::default()
        };
        let turn = qingyu_story::PlotNode {
            title: "灯笼".into(),
            description: happens.into(),
            outline_node: Some("o-5".into()),
            ..Default::default()
        };
        story.plot_nodes = vec![turn];
        story.timeline_events = vec![event("夜追", happens, "旧港", "林青")];
        let text = sections(&story, None).join("\n");
        assert!(text.contains(shown[0]), "{text}");
        story.timeline_events.push(event("登楼", other, "钟楼", "苏曼"));
        let text = sections(&story, None).join("\n");
        assert!(text.contains(shown[1]), "{text}");
        assert_eq!(text.matches(happens).count(), 1, "neither event nor turn say it again: {text}");
    }
}

#[test]
fn what_the_chapter_tells_is_no_secret_in_its_prompt() {
    for (language, heading, told, kept) in [
        (Language::Zh, "读者还不能知道", "裴慎之放火烧了义庄，换走棺中的尸首。", "沈伯安把断尺埋在冰房的砖下。"),
        (
            Language::En,
            "readers must not know it yet",
            "Silas Penhale pawned the sextant of the captain in Truro.",
            "Gideon Nance left the lamp on the night of the wreck.",
        ),
    ] {
        let mut story = Story { language, ..long_story() };
        story.outline_nodes[4].goal.clear();
        story.outline_nodes[4].description = told.into();
        let event = |id: &str, description: &str| {
            json!({"id": id, "title": id, "description": description, "outline_node": "o-9", "mode": "flashback",
                "told_later": true})
        };
        let card = |story: &Story| {
            let around = surroundings(&NumberedBook::of(story), 5, "");
            let related = json!({"timeline_events": [event("e-7", told), event("e-8", kept)]});
            let found = CardMaterial { story: Some(story), related, ..CardMaterial::default() };
            chapter(&around, &found, 6_000)
        };
        let text = card(&story);
        let secrets = text.find(heading).map(|at| &text[at..]).expect("one event is kept");
        assert!(secrets.contains(kept) && !secrets.contains("e-7"), "{text}");
        assert_eq!(text.matches(told).count(), 1, "{text}");
        // A turn of the chapter is made of the other event.
        story.plot_nodes = vec![qingyu_story::PlotNode {
            title: "Turn".into(),
            events: vec!["e-8".into()],
            outline_node: Some("o-5".into()),
            ..Default::default()
        }];
        let text = card(&story);
        assert!(!text.contains(heading) && text.contains(kept), "{text}");
    }
}
