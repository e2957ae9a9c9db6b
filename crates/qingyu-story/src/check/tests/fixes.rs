//! Tests of fixes: which remedies of findings are applied, and which are left to the author.

use serde_json::json;

use super::{imported, story, waived};
use crate::check::fix::{SkipReason, around_change};
use crate::check::{Config, check, findings, fix, fix_chosen, plan_may_follow};
use crate::{Document, Severity, Story};

#[test]
fn certain_remedies_are_carried_out_and_can_be_undone() {
    let story: Story = serde_json::from_value(json!({
        "characters": [{ "id": "c-1", "name": "林青", "role_type": "protagonist", "traits": ["冷静"] }],
        "outline_nodes": [
            { "id": "o-1", "name": "第一章", "order": 1, "goal": "相遇", "description": "林青与李四相遇",
              "participants": ["林青", "李四"] },
            { "id": "o-2", "name": "第二章", "order": 2, "description": "林青独行", "participants": ["林青"] },
        ],
    }))
    .unwrap();
    let config = Config::default();
    let fixes = fix(&story, &findings(&story, &config), &config);
    assert_eq!(fixes.story.characters[1].name, "李四");
    assert_eq!(fixes.applied.len(), 1);
    let mut undone = fixes.story.clone();
    for applied in fixes.applied.iter().rev() {
        applied.change.inverse().apply(&mut undone).unwrap();
    }
    assert_eq!(undone.characters, story.characters);
    // The goal of the second chapter is the author's.
    assert!(fixes.skipped.values().all(|skip| *skip == SkipReason::NotCertain), "{:?}", fixes.skipped);
    let again = fix(&fixes.story, &findings(&fixes.story, &config), &config);
    assert_eq!(again.applied, []);
    assert_eq!(fix(&waived("QY101", None, "有意"), &findings(&story, &config)[..1], &config).applied, []);
}

#[test]
fn what_a_fix_changes_is_said_with_the_value_before_and_after() {
    let story: Story = serde_json::from_value(json!({
        "worldview": { "era": "2077" },
        "characters": [{ "id": "c-1", "name": "林青", "age": 45, "birth": "2045" }],
    }))
    .unwrap();
    let config = Config::only("QY303", Severity::Medium);
    let fixes = fix(&story, &findings(&story, &config), &config);
    let changed = fixes.changed();
    assert!(
        matches!(changed.as_slice(), [line] if line.contains("林青") && line.ends_with("age: 45 → 32")),
        "{changed:?}"
    );
    assert_eq!(fixes.removed(), [""; 0]);
    let text = "雨".repeat(40);
    let (was, is) = around_change(&format!("{text},{text}"), &format!("{text}，{text}"));
    let rain = "雨".repeat(12);
    assert_eq!((was, is), (format!("…{rain},{rain}…"), format!("…{rain}，{rain}…")));
    let gone = around_change("2 hours", "");
    assert_eq!(gone, ("2 hours".to_owned(), String::new()));
    assert_eq!(around_change("", "2 hours").1, "2 hours");
}

#[test]
fn the_plan_follows_the_text_once_the_author_names_the_finding() {
    let differs = |field: &str, told: &str| json!({ "event": "e-1", "field": field, "told": told, "quote": "八月十二，沈砚秋上了堂。" });
    let story: Story = serde_json::from_value(json!({
        "timeline_events": [{ "id": "e-1", "title": "堂上验尸", "timestamp": "景和十七年八月初二",
            "participants": ["沈砚秋", "裴慎之"], "deaths": ["田七"] }],
        "documents": [{ "id": "d-1", "title": "第一章", "order": 1, "text": "八月十二，沈砚秋上了堂。", "settled": { "differs": [
            differs("timestamp", "八月十二"), differs("participants", "裴慎之"), differs("deaths", "田七"),
        ] } }],
    }))
    .unwrap();
    let config = Config::only("QY316", Severity::Medium);
    let found = findings(&story, &config);
    assert!(found.len() == 3 && found.iter().all(plan_may_follow), "{found:?}");
    assert_eq!(fix(&story, &found, &config).applied, [], "either may change, until the author decides");
    let of_date = found.iter().find(|finding| finding.issue.root_cause.contains("八月十二")).unwrap();
    let fixes = fix_chosen(&story, &found, std::slice::from_ref(&of_date.issue.id), &config);
    assert_eq!((fixes.applied.len(), fixes.story.timeline_events[0].timestamp.as_str()), (1, "八月十二"));
    let ids: Vec<String> = found.iter().map(|finding| finding.issue.id.to_lowercase()).collect();
    let fixes = fix_chosen(&story, &found, &ids, &config);
    let event = &fixes.story.timeline_events[0];
    assert_eq!((event.participants.as_slice(), event.deaths.len()), (&["沈砚秋".to_owned()][..], 0));
    assert_eq!(findings(&fixes.story, &config), []);
}

#[test]
fn the_outline_is_brought_along_when_the_plan_follows_the_text() {
    let quote = "On Thursday the ninth of June, at ten, he bought it back.";
    let differs = |field: &str, told: &str| json!({ "event": "e-1", "field": field, "told": told, "quote": quote });
    let story: Story = serde_json::from_value(json!({
        "language": "en",
        "characters": [{ "id": "c-1", "name": "Julian Northcote" }, { "id": "c-2", "name": "Barnaby Rook" }],
        "outline_nodes": [{ "id": "o-1", "name": "The Moor Road", "order": 1,
            "description": "Wednesday, 8 June 1898. Northcote buys the whistle back, with Barnaby Rook sitting by.",
            "participants": ["Julian Northcote", "Barnaby Rook"] }],
        "timeline_events": [{ "id": "e-1", "title": "The whistle is bought back", "timestamp": "1898-06-08 10:00",
            "participants": ["Julian Northcote", "Barnaby Rook"], "outline_node": "o-1" }],
        "documents": [{ "id": "d-1", "title": "The Moor Road", "order": 1, "outline_node": "o-1", "text": quote,
            "settled": { "differs": [
                differs("timestamp", "Thursday the ninth of June, at ten in the morning"),
                differs("participants", "Barnaby Rook"),
            ] } }],
    }))
    .unwrap();
    let config = Config::only("QY316", Severity::Medium);
    let found = findings(&story, &config);
    let ids: Vec<String> = found.iter().map(|finding| finding.issue.id.clone()).collect();
    let fixes = fix_chosen(&story, &found, &ids, &config);
    assert!(fixes.skipped.is_empty(), "{:?}", fixes.skipped);
    let (event, node) = (&fixes.story.timeline_events[0], &fixes.story.outline_nodes[0]);
    assert_eq!(event.timestamp, "1898-06-09 10:00");
    assert_eq!((&event.participants, node.participants.len()), (&node.participants, 1));
    for told in [
        "As told: the time of 'The whistle is bought back' is 1898-06-09 10:00.",
        "As told: Barnaby Rook is not present at 'The whistle is bought back'.",
    ] {
        assert_eq!(node.description.matches(told).count(), 1, "{}", node.description);
    }
    assert!(event.description.is_empty(), "{}", event.description);
    assert_eq!(findings(&fixes.story, &config), []);
}

#[test]
fn an_age_that_the_prose_tells_is_never_made_hearsay_by_itself() {
    let story: Story = serde_json::from_value(json!({
        "characters": [{ "id": "c-1", "name": "周伯年", "birth": "1826" }],
        "documents": [{ "id": "d-1", "title": "第一章", "order": 1, "text": "周伯年这年二十三岁。" }],
        "facts": [{ "id": "f-1", "subject": "周伯年", "predicate": "年龄", "value": 23, "unit": "岁", "from": "1887-03-15",
            "source": { "document": "d-1", "quote": "周伯年这年二十三岁。" } }],
    }))
    .unwrap();
    let config = Config::default();
    let found = findings(&story, &config);
    let age = found.iter().find(|finding| finding.issue.code.as_deref() == Some("QY314")).unwrap();
    let fixes = fix(&story, &found, &config);
    assert_eq!(fixes.story.facts, story.facts);
    assert_eq!(fixes.skipped.get(&age.issue.id), Some(&SkipReason::NotCertain));
}

#[test]
fn a_fact_with_the_time_of_its_chapter_is_asked_about_and_never_taken_out() {
    let cases = [
        ("en", "Since November Ned had kept the ledger.", "Mara holds the ledger.", "no time of its own"),
        ("zh", "十一月起账本一直在Ned手里。", "Mara手里拿着账本。", "没有写明时间"),
    ];
    for (language, past, present, remark) in cases {
        // What the facts say of their time: that of the chapter, or a day.
        let story = |from: &str| -> Story {
            let text = format!("{past}{present}");
            let [middle, end] = [past, text.as_str()].map(|text| text.chars().count());
            let fact = |id: &str, subject: &str, (start, end): (usize, usize), quote: &str| {
                let source = json!({ "document": "d-1", "start": start, "end": end, "quote": quote });
                json!({ "id": id, "subject": subject, "predicate": "holds", "object": "ledger", "from": from, "source": source })
            };
            serde_json::from_value(json!({
                "language": language,
                "characters": [{ "id": "c-1", "name": "Ned" }, { "id": "c-2", "name": "Mara" }],
                "worldview": { "items": [{ "id": "i-1", "name": "ledger" }] },
                "outline_nodes": [{ "id": "o-1", "name": "The funeral", "order": 1 }],
                "documents": [{ "id": "d-1", "title": "One", "order": 1, "outline_node": "o-1", "text": text }],
                "facts": [fact("f-1", "Ned", (0, middle), past), fact("f-2", "Mara", (middle, end), present)],
            }))
            .unwrap()
        };
        let config = Config::only("QY401", Severity::High);
        for (from, severity, left) in [("o-1", Severity::Low, 2), ("1978-03-18", Severity::High, 1)] {
            let story = story(from);
            let found = findings(&story, &config);
            let [holders] = found.as_slice() else { panic!("{language} {from}: {found:?}") };
            assert_eq!(holders.issue.severity, severity, "{language} {from}");
            assert_eq!(holders.issue.root_cause.contains(remark), left == 2, "{}", holders.issue.root_cause);
            let fixes = fix(&story, &found, &config);
            assert_eq!(fixes.story.facts.len(), left, "{language} {from}: {:?}", fixes.skipped);
            let skipped = fixes.skipped.get(&holders.issue.id);
            assert_eq!(skipped, (left == 2).then_some(&SkipReason::NotCertain), "{language} {from}");
            let removed: Vec<String> = story.facts[left..].iter().map(|fact| fact.sentence(story.language)).collect();
            assert_eq!(fixes.removed(), removed, "{language} {from}");
        }
    }
}

#[test]
fn what_is_gone_or_harmful_is_left_alone() {
    let config = Config::default();
    let found = findings(&story(), &config);
    let gone = fix(&Story::default(), &found, &config);
    assert_eq!(gone.skipped.get(&found[0].issue.id), Some(&SkipReason::Gone));
    // Creating the card makes a duplicate of nobody, but a card that is nowhere used would be graver than its absence.
    let mut strict = Config { severities: [("QY101".to_owned(), Some(Severity::Low))].into(), ..Config::default() };
    strict.severities.insert("QY911".to_owned(), Some(Severity::High));
    strict.severities.insert("QY103".to_owned(), Some(Severity::High));
    let found = findings(&story(), &strict);
    let fixes = fix(&story(), &found, &strict);
    let grave = |story: &Story| check(story, &strict).iter().filter(|issue| issue.severity >= Severity::High).count();
    assert!(grave(&fixes.story) <= grave(&story()));
}

/// The story of QY916's example, in which `又在桥上` is the scene of `桥上` once more, with a plot node that needs it.
fn needed_twice() -> (Story, Config) {
    let mut story = crate::rules::rule("QY916").unwrap().fires().story();
    story.plot_nodes.push(crate::PlotNode {
        id: "p-1".into(),
        title: "旧账".into(),
        events: vec!["又在桥上".into()],
        ..crate::PlotNode::default()
    });
    // What refers to nothing is grave.
    (story, toml::from_str("severities = { QY109 = \"high\" }").unwrap())
}

/// Mends the repeated scenes; gives why findings were left alone, and how many remedies were carried out.
fn mended(story: &Story, config: &Config) -> (Vec<SkipReason>, usize) {
    let found = findings(story, config);
    let repeated: Vec<_> = found.into_iter().filter(|one| one.issue.code.as_deref() == Some("QY916")).collect();
    let fixes = fix(story, &repeated, config);
    assert_eq!(fixes.story == *story, fixes.applied.is_empty());
    (fixes.skipped.into_values().collect(), fixes.applied.len())
}

#[test]
fn a_remedy_that_leaves_more_grave_findings_is_taken_back() {
    let (mut story, config) = needed_twice();
    assert_eq!(mended(&story, &config), (vec![SkipReason::Harmful], 0));
    story.plot_nodes.clear();
    assert_eq!(mended(&story, &config), (vec![], 1), "where nothing needs it, it is taken out");
}

#[test]
fn a_remedy_may_leave_what_is_not_grave() {
    let (mut story, grave) = needed_twice();
    for number in 2..5 {
        let node = crate::PlotNode {
            id: format!("p-{number}"),
            title: format!("旧账之{number}"),
            ..story.plot_nodes[0].clone()
        };
        story.plot_nodes.push(node);
    }
    assert_eq!(mended(&story, &grave), (vec![SkipReason::Harmful], 0));
    assert_eq!(mended(&story, &Config::default()), (vec![], 1));
}

#[test]
fn of_remedies_that_do_harm_together_those_that_do_none_are_carried_out() {
    let (mut story, config) = needed_twice();
    for (harmless, number, title) in [(1, 3, "还在桥上"), (2, 4, "仍在桥上")] {
        let again = crate::TimelineEvent {
            id: format!("e-{number}"),
            title: title.into(),
            outline_node: Some(format!("o-{number}")),
            ..story.timeline_events[1].clone()
        };
        let chapter = crate::OutlineNode {
            id: format!("o-{number}"),
            order: number,
            name: format!("第{number}章"),
            ..Default::default()
        };
        story.timeline_events.push(again);
        story.outline_nodes.push(chapter);
        assert_eq!(mended(&story, &config), (vec![SkipReason::Harmful], harmless));
    }
}

#[test]
fn what_was_mended_is_not_found_again() {
    for story in crate::rules::all().iter().flat_map(|rule| [rule.fires().story(), rule.spares().story()]) {
        let config = Config::default();
        let fixes = fix(&story, &findings(&story, &config), &config);
        let left: Vec<String> = check(&fixes.story, &config).into_iter().map(|issue| issue.id).collect();
        for applied in &fixes.applied {
            assert!(!left.contains(&applied.finding), "{} is counted as mended and still there", applied.finding);
        }
        assert_eq!(fixes.story == story, fixes.applied.is_empty());
    }
}

#[test]
fn what_only_the_author_can_say_is_not_mended() {
    let mut story = imported(10);
    story.documents.clear();
    let config = Config::default();
    let found = findings(&story, &config);
    let fixes = fix(&story, &found, &config);
    assert_eq!((found.len(), fixes.applied.len()), (20, 0));
    assert!(fixes.skipped.values().all(|skip| *skip == SkipReason::NotCertain));
}

#[test]
fn many_remedies_that_do_harm_are_not_all_tried() {
    let (mut story, config) = needed_twice();
    for number in 3..200 {
        let again = crate::TimelineEvent {
            id: format!("e-{number}"),
            title: format!("桥上第{number}次"),
            outline_node: Some(format!("o-{number}")),
            ..story.timeline_events[1].clone()
        };
        let chapter = crate::OutlineNode {
            id: format!("o-{number}"),
            order: number,
            name: format!("第{number}章"),
            ..Default::default()
        };
        let needs = crate::PlotNode {
            id: format!("p-{number}"),
            title: format!("旧账之{number}"),
            events: vec![again.title.clone()],
            ..story.plot_nodes[0].clone()
        };
        story.timeline_events.push(again);
        story.outline_nodes.push(chapter);
        story.plot_nodes.push(needs);
    }
    let (skipped, applied) = mended(&story, &config);
    assert_eq!(applied, 0);
    assert!(skipped.len() > 150 && skipped.contains(&SkipReason::Harmful) && skipped.contains(&SkipReason::Untried));
}

#[test]
fn a_remedy_may_leave_another_grave_finding_in_the_place_of_one() {
    let (mut story, config) = needed_twice();
    story.timeline_events[1].after = vec!["没有的事".into()];
    assert_eq!(mended(&story, &config), (vec![], 1), "one thing that refers to nothing for another");
}

#[test]
fn a_remedy_that_changes_a_field_is_carried_out() {
    let story = crate::rules::rule("QY915").unwrap().fires().story();
    let found = findings(&story, &Config::default());
    let apart: Vec<_> = found.into_iter().filter(|one| one.issue.code.as_deref() == Some("QY915")).collect();
    let fixes = fix(&story, &apart, &Config::default());
    assert_eq!((fixes.applied.len(), fixes.skipped), (1, [].into()));
    assert_eq!(fixes.story.plot_nodes[0].outline_node.as_deref(), Some("o-1"));
    assert_eq!(
        check(&fixes.story, &Config::default()).iter().filter(|one| one.code.as_deref() == Some("QY915")).count(),
        0
    );
}

#[test]
fn programs_are_told_in_a_word_why_a_finding_was_left_alone() {
    let refused = SkipReason::Refused(crate::edit::Error::NotAnObject);
    let skips = [
        SkipReason::Waived,
        SkipReason::NotCertain,
        refused,
        SkipReason::Harmful,
        SkipReason::NoEffect,
        SkipReason::Gone,
        SkipReason::Untried,
    ];
    let words = skips.map(|skip| skip.name());
    assert_eq!(words, ["waived", "not_certain", "refused", "harmful", "no_effect", "gone", "untried"]);
}

#[test]
fn an_event_that_a_text_tells_is_not_mended_by_its_data_alone() {
    let mut story: Story = serde_json::from_value(json!({
        "characters": [{"id": "c-1", "name": "老周", "birth": "2040"}, {"id": "c-2", "name": "林青"}],
        "outline_nodes": [{"id": "o-1", "name": "第一章 码头", "order": 1}, {"id": "o-2", "name": "第二章 谈判", "order": 2}],
        "timeline_events": [
            {"id": "e-1", "title": "码头枪战", "timestamp": "2077-03-05 22:00", "participants": ["老周"], "deaths": ["老周"],
                "outline_node": "第一章 码头"},
            {"id": "e-2", "title": "谈判", "timestamp": "2077-03-07", "participants": ["老周", "林青"],
                "outline_node": "第二章 谈判"},
        ],
    }))
    .unwrap();
    let config = Config::default();
    let own = |story: &Story| {
        let mut found = findings(story, &config);
        found.retain(|finding| finding.issue.code.as_deref() == Some("QY201"));
        found
    };
    let planned = own(&story);
    let fixes = fix(&story, &planned, &config);
    assert_eq!(fixes.applied.len(), 1, "only a plan: {:?}", fixes.skipped);
    assert_eq!(own(&fixes.story), []);

    story.documents.push(Document {
        id: "d-2".into(),
        title: "第二章 谈判".into(),
        order: 2,
        outline_node: Some("o-2".into()),
        text: "老周推开门，坐到林青对面。".into(),
        ..Document::default()
    });
    let told = own(&story);
    let fixes = fix(&story, &told, &config);
    assert_eq!((fixes.applied, fixes.story), (Vec::new(), story));
    assert_eq!(fixes.skipped[&told[0].issue.id], SkipReason::NotCertain);
    let [remedy] = told[0].instructions.as_slice() else { panic!("{told:?}") };
    assert_eq!((&remedy.parameters["kind"], &remedy.parameters["id"]), (&json!("document"), &json!("d-2")));
    assert!(remedy.specific_instruction.contains("第二章 谈判"), "{}", remedy.specific_instruction);
    assert!(told[0].issue.affected_entities.contains(&"第二章 谈判".to_owned()), "the chapter is named");
    assert_eq!(told[0].issue.id, planned[0].issue.id);
}
