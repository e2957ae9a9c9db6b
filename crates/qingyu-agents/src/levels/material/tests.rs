use std::collections::BTreeSet;

use qingyu_story::{Document, OutlineNodeKind};

use super::*;

/// A book of ten volumes, fifty arcs and a thousand planned chapters, the first of them written.
fn planned(written: u32) -> Story {
    let mut nodes: Vec<OutlineNode> = Vec::new();
    let mut add = |kind, id: String, name: String, parent: Option<String>, chapters: Option<u32>| {
        let order = u32::try_from(nodes.len() + 1).unwrap();
        let (description, goal) = ("林青守住码头，苏曼在对岸。".to_owned(), "离真相更近一步".to_owned());
        nodes.push(OutlineNode {
            kind,
            id,
            order,
            name,
            parent,
            chapters,
            description,
            goal,
            ..OutlineNode::default()
        });
    };
    for volume in 1..=10 {
        let act = format!("第{volume:02}部");
        add(OutlineNodeKind::Act, format!("v-{volume:02}"), act.clone(), None, Some(100));
        for arc in (volume - 1) * 5 + 1..=volume * 5 {
            let name = format!("幕{arc:02}");
            add(OutlineNodeKind::Arc, format!("a-{arc:02}"), name.clone(), Some(act.clone()), Some(20));
            for number in (arc - 1) * 20 + 1..=arc * 20 {
                let title = format!("第{number}章 灯{number:04}");
                add(OutlineNodeKind::Chapter, format!("o-{number:04}"), title, Some(name.clone()), None);
            }
        }
    }
    let text = |number: u32| Document {
        id: format!("d-{number}"),
        title: format!("第{number}章 灯{number:04}"),
        order: number,
        outline_node: Some(format!("o-{number:04}")),
        text: "灯亮了。".into(),
        ..Document::default()
    };
    Story {
        characters: vec![Character { name: "林青".into(), ..Character::default() }],
        outline_nodes: nodes,
        documents: (1..=written).map(text).collect(),
        ..Story::default()
    }
}

#[test]
fn a_question_about_later_plans_is_as_long_at_the_end_as_at_the_beginning() {
    let length = |written: u32| {
        let shown = later(&planned(written), &Config::default(), &[]).unwrap();
        assert_eq!((shown.written, shown.plans.len()), (written, 16));
        // What was written so far has its own limit and tests.
        serde_json::to_string(&LaterContext { before: Vec::new(), ..shown }).unwrap().chars().count()
    };
    let (early, late) = (length(100), length(800));
    assert!(late * 10 <= early * 11 && early * 10 <= late * 11, "{early} characters, and {late} at the end");
}

#[test]
fn every_later_plan_is_shown_once_and_the_rest_is_counted() {
    let story = planned(960);
    let (mut seen, mut lefts) = (Vec::new(), Vec::new());
    while let Some(shown) = later(&story, &Config::default(), &seen) {
        seen.extend(shown.plans.iter().map(|plan| plan.id.clone()));
        lefts.push(shown.left);
    }
    // Forty chapters, two arcs, a volume.
    assert_eq!(lefts, [27, 11, 0]);
    let all: BTreeSet<&String> = seen.iter().collect();
    assert_eq!((seen.len(), all.len(), seen[0].as_str()), (43, 43, "o-0961"));
}

#[test]
fn a_batch_is_filled_up_and_no_small_rest_is_left() {
    let sizes = |chapters: usize, arcs: usize, volumes: usize| {
        let nodes: Vec<usize> = (0..chapters + arcs + volumes).collect();
        let (first, rest) = nodes.split_at(chapters);
        let (second, third) = rest.split_at(arcs);
        batch([first, second, third])
    };
    assert_eq!(sizes(40, 20, 5), [0, 1, 2, 3, 4, 5, 6, 40, 41, 42, 43, 44, 45, 46, 60, 61]);
    assert_eq!(sizes(9, 0, 0).len(), 9);
    assert_eq!(sizes(18, 0, 0).len(), 18, "two more are no call of their own");
    assert_eq!(sizes(30, 2, 1).len(), 16, "chapters fill up what arcs and volumes leave");
    assert_eq!(sizes(0, 0, 0), [0_usize; 0]);
}

#[test]
fn an_unwritten_chapter_is_shown_with_its_events() {
    let mut story = planned(30);
    for node in story.outline_nodes.iter_mut().filter(|node| node.kind == OutlineNodeKind::Chapter) {
        node.description = format!("{}：苏曼烧了船。阿九看见了。", node.name);
        node.payoff = "账本没有烧掉".into();
    }
    let step = LevelStep::Chapters { arc: "a-02".into(), numbers: vec![36, 37] };
    let shown = context(&story, &step, &LevelRequest { length: 1_000, ..LevelRequest::default() }).shown;
    // Ten chapters, the first five of them written.
    assert_eq!(shown.earlier.len(), 10);
    assert_eq!(shown.earlier[4], "第30章 灯0030：离真相更近一步");
    let events = "第31章 灯0031：离真相更近一步；第31章 灯0031：苏曼烧了船。阿九看见了；账本没有烧掉";
    assert_eq!(shown.earlier[5], events);
}

#[test]
fn a_locked_plan_is_looked_at_too() {
    let mut story = planned(960);
    let node = story.outline_nodes.iter_mut().find(|node| node.id == "o-0961").unwrap();
    node.locked = true;
    assert_eq!(later(&story, &Config::default(), &[]).unwrap().plans[0].id, "o-0961");
}

#[test]
fn the_cards_of_the_planner_say_who_dies() {
    let card = |id: &str, death: Option<&str>| Character {
        id: id.into(),
        name: "罗九畴".into(),
        death: death.map(str::to_owned),
        ..Character::default()
    };
    let characters = vec![card("c-1", Some("万历二十三年")), card("c-2", Some(" ")), card("c-3", None)];
    let mut story = Story { characters, ..Story::default() };
    assert_eq!(dying(&story, &[]), BTreeMap::from([("c-1".to_owned(), "死于万历二十三年".to_owned())]));
    let english = Story { language: Language::En, ..story.clone() };
    assert_eq!(dying(&english, &[])["c-1"], "Date of death 万历二十三年", "it may lie before the book or in it");
    story.characters.truncate(1);
    let text = "他嘴唇动了两下，便不动了。";
    story.documents = vec![Document {
        id: "d-1".into(),
        title: "第三章 一壶酒".into(),
        order: 1,
        outline_node: Some("o-1".into()),
        text: text.into(),
        ..Document::default()
    }];
    story.outline_nodes = vec![OutlineNode { id: "o-1".into(), order: 1, ..OutlineNode::default() }];
    let source =
        qingyu_story::Quotation { document: "d-1".into(), quote: text.into(), ..qingyu_story::Quotation::default() };
    story.facts = vec![qingyu_story::Fact {
        id: "f-1".into(),
        subject: "罗九畴".into(),
        predicate: "dies".into(),
        value: true.into(),
        source: Some(source),
        ..qingyu_story::Fact::default()
    }];
    let deaths = settled_deaths(&story);
    assert_eq!(dying(&story, &deaths), BTreeMap::from([("c-1".to_owned(), "已死，见《第三章 一壶酒》".to_owned())]));
}
