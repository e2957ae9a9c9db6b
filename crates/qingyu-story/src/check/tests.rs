use serde_json::json;

use super::fix::SkipReason;
use super::neighbours::FactIndex;
use super::{Config, StoryChecker, check, findings, fix, fix_chosen, plan_may_follow, sarif, score};
use crate::edit::{AppliedEdit, Edit, EditStep, EditTarget};
use crate::truth::StoryFrame;
use crate::{Document, Fact, Issue, Piece, Severity, Story, Waiver};

fn story() -> Story {
    serde_json::from_value(json!({
        "characters": [{ "id": "c-1", "name": "林青", "role_type": "protagonist", "traits": ["冷静"] }],
        "outline_nodes": [{ "id": "o-1", "name": "第一章", "order": 1, "goal": "相遇", "description": "林青与李四相遇",
            "participants": ["林青", "李四"] }],
    }))
    .unwrap()
}

#[test]
fn a_finding_says_what_where_why_and_how_to_mend_it() {
    let found = findings(&story(), &Config::default());
    let [finding] = found.as_slice() else { panic!("{found:?}") };
    insta::assert_json_snapshot!(finding);
}

#[test]
fn ids_are_stable_while_the_story_grows() {
    let mut story = story();
    let before = check(&story, &Config::default());
    story.outline_nodes.push(crate::OutlineNode {
        id: "o-2".into(),
        name: "第二章".into(),
        order: 2,
        goal: "再见".into(),
        participants: vec!["李四".into()],
        ..crate::OutlineNode::default()
    });
    let after = check(&story, &Config::default());
    assert_eq!(before[0].id, after[0].id);
    assert_eq!(after[0].evidence.len(), before[0].evidence.len() + 1);
}

#[test]
fn rules_are_switched_off_and_graded_anew() {
    let graded = |settings: &str| {
        let config: Config = toml::from_str(settings).unwrap();
        check(&story(), &config)
            .into_iter()
            .map(|issue| (issue.code.unwrap_or_default(), issue.severity))
            .collect::<Vec<_>>()
    };
    let high = vec![("QY101".to_owned(), Severity::High)];
    assert_eq!(graded(""), high);
    assert_eq!(graded("severities = { QY101 = \"off\" }"), []);
    assert_eq!(graded("severities = { QY1 = \"low\" }"), [("QY101".to_owned(), Severity::Low)]);
    assert_eq!(graded("severities = { QY1 = \"off\", QY101 = \"high\" }"), high);
    assert!(toml::from_str::<Config>("severities = { QY1 = \"grave\" }").is_err());
    let config = Config { severities: [("QY1".to_owned(), None)].into(), ..Config::default() };
    assert_eq!(toml::from_str::<Config>(&toml::to_string(&config).unwrap()).unwrap(), config);
}

#[test]
fn a_waived_finding_has_no_instructions() {
    assert!(!findings(&story(), &Config::default())[0].instructions.is_empty());
    let found = &findings(&waived("QY101", None, "旁白"), &Config::default())[0];
    assert_eq!((&found.instructions, found.issue.waived.is_some()), (&Vec::new(), true));
}

#[test]
fn scores() {
    use Severity::{Critical, High, Low, Medium};
    let cases: &[(&[(&str, Severity)], u8)] = &[
        (&[], 100),
        (&[("QY101", Low)], 98),
        (&[("QY101", Medium), ("QY102", High)], 79),
        (&[("QY101", Critical)], 70),
        (&[("QY101", Critical), ("QY101", Critical)], 60),
        (&[("QY101", High), ("QY101", High), ("QY101", High), ("QY102", Low)], 58),
        (&[("", Critical), ("", Critical), ("", Critical), ("", Critical)], 0),
    ];
    for (issues, expected) in cases {
        let issue = |(code, severity): &(&str, Severity)| Issue {
            code: (!code.is_empty()).then(|| (*code).to_owned()),
            severity: *severity,
            ..Issue::default()
        };
        let issues: Vec<Issue> = issues.iter().map(issue).collect();
        assert_eq!(score(&issues), *expected, "{issues:?}");
    }
}

fn waived(finding: &str, piece: Option<&str>, reason: &str) -> Story {
    let waiver = Waiver {
        finding: finding.into(),
        piece: piece.map(str::to_owned),
        reason: reason.into(),
        owner: "作者".into(),
        ..Waiver::default()
    };
    Story { waivers: vec![waiver], ..story() }
}

#[test]
fn a_waiver_with_a_chapter_holds_until_that_chapter_is_written() {
    let mut before = waived("QY101", None, "后文交代");
    let id = findings(&before, &Config::default())[0].issue.id.clone();
    before.waivers[0].due = Some("第三章".into());
    let text = |order: u32, text: &str| crate::Document {
        id: format!("d-{order}"),
        title: format!("第{}章", ["零", "一", "二", "三", "四"][order as usize]),
        order,
        text: text.into(),
        ..crate::Document::default()
    };
    // The chapters that have a text, and whether the finding is waived.
    for (written, is_waived) in [(vec![], true), (vec![2], true), (vec![2, 3], false), (vec![4], false)] {
        let mut story = before.clone();
        story.documents.extend(written.iter().map(|order| text(*order, "雨停了。")));
        let found = findings(&story, &Config::default());
        let own = found.iter().find(|finding| finding.issue.id == id).unwrap();
        assert_eq!(own.issue.waived.is_some(), is_waived, "{written:?}");
        let reminds = found.iter().any(|finding| finding.issue.code.as_deref() == Some("QY003"));
        assert_eq!(reminds, !is_waived, "{written:?}");
    }
    // Writing the chapter later changes what is waived at once.
    let mut story = before.clone();
    story.documents.push(text(3, ""));
    let mut checker = StoryChecker::new(story.clone(), Config::default());
    let edit = Edit::Update {
        kind: crate::PieceKind::Document,
        target: EditTarget::Named("d-3".into()),
        fields: [("text".to_owned(), json!("雨停了。"))].into(),
    };
    let change = crate::edit::apply(&mut story, edit).unwrap();
    checker.apply(&change).unwrap();
    let now: Vec<_> = checker.findings().cloned().collect();
    assert_eq!(now, findings(&story, &Config::default()));
    assert!(now.iter().any(|finding| finding.issue.code.as_deref() == Some("QY003")));
}

#[test]
fn rules_read_the_authors_own_genres() {
    let node = |order: u32| crate::OutlineNode {
        id: format!("o-{order}"),
        order,
        name: format!("第{order}章"),
        function: if order < 5 { "等待" } else { "相见" }.into(),
        ..crate::OutlineNode::default()
    };
    let world = crate::Worldview { genre: "候车室小说".into(), ..crate::Worldview::default() };
    let story = Story { outline_nodes: (1..=5).map(node).collect(), worldview: Some(world), ..Story::default() };
    let file = crate::genre::Genres::builtin().find("niandai").unwrap().file();
    let own = |limit: u32| {
        let file = file.replace("same_function = 4", &format!("same_function = {limit}")).replace("年代", "候车室小说");
        crate::genre::Genre::parse("waiting", &file).unwrap()
    };
    let finds = |genres: crate::genre::Genres| {
        let config = Config { genres, ..Config::default() };
        let whole = findings(&story, &config);
        assert!(StoryChecker::new(story.clone(), config).findings().eq(&whole));
        whole.iter().any(|finding| finding.issue.code.as_deref() == Some("QY923"))
    };
    assert!(finds(crate::genre::Genres::builtin()));
    assert!(finds(crate::genre::Genres::with(vec![own(4)])));
    assert!(!finds(crate::genre::Genres::with(vec![own(5)])));
}

#[test]
fn a_waived_finding_is_reported_and_costs_nothing() {
    let id = findings(&story(), &Config::default())[0].issue.id.clone();
    // What the waiver names, where, why; whether it covers the finding, and whether it is idle.
    let cases = [
        ("QY101", None, "有意", true, false),
        ("qy101", Some("李四"), "有意", true, false),
        ("QY101", Some("o-1"), "有意", true, false),
        (id.as_str(), Some("第一章"), "有意", true, false),
        ("QY101", Some("林青"), "有意", false, true),
        ("QY102", None, "有意", false, true),
        ("QY101", None, " ", false, true),
    ];
    for (finding, piece, reason, covers, idle) in cases {
        let found = findings(&waived(finding, piece, reason), &Config::default());
        let case = (finding, piece, reason);
        let own = found.iter().find(|finding| finding.issue.id == id).unwrap();
        assert_eq!(own.issue.waived.is_some(), covers, "{case:?}");
        assert_eq!(own.instructions.is_empty(), covers, "{case:?}");
        let is_idle = |finding: &&super::Finding| finding.issue.code.as_deref() == Some("QY001");
        assert_eq!(found.iter().any(|finding| is_idle(&finding)), idle, "{case:?}");
        let issues: Vec<Issue> = found.into_iter().map(|finding| finding.issue).collect();
        assert_eq!(score(&issues), if covers { 100 } else { 83 }, "{case:?}");
    }
    let off = Config { severities: [("QY102".to_owned(), None)].into(), ..Config::default() };
    let found = check(&waived("QY102", None, "有意"), &off);
    assert!(found.iter().all(|issue| issue.code.as_deref() != Some("QY001")), "a rule that is off tells nothing");
}

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
    let (was, is) = super::fix::around_change(&format!("{text},{text}"), &format!("{text}，{text}"));
    let rain = "雨".repeat(12);
    assert_eq!((was, is), (format!("…{rain},{rain}…"), format!("…{rain}，{rain}…")));
    let gone = super::fix::around_change("2 hours", "");
    assert_eq!(gone, ("2 hours".to_owned(), String::new()));
    assert_eq!(super::fix::around_change("", "2 hours").1, "2 hours");
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

#[test]
fn the_sarif_log_has_rules_places_and_fingerprints() {
    let mut story = waived("QY101", None, "有意");
    story.documents.push(crate::Document {
        id: "d-1".into(),
        title: "第一章".into(),
        order: 1,
        text: "天黑了。\n他走了，，雨还在下。".into(),
        ..crate::Document::default()
    });
    let mut log = sarif(&findings(&story, &Config::default()), &story);
    let run = &mut log["runs"][0];
    let described = run["tool"]["driver"]["rules"].as_array().unwrap().clone();
    assert_eq!(described.len(), crate::rules::all().len());
    for rule in &described {
        assert!(rule["help"]["text"].as_str().is_some_and(|text| !text.is_empty()), "{rule}");
        assert!(["note", "warning", "error"].contains(&rule["defaultConfiguration"]["level"].as_str().unwrap()));
    }
    for result in run["results"].as_array_mut().unwrap() {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(described[index]["id"], result["ruleId"]);
        // Numbers that move when a rule is added.
        result.as_object_mut().unwrap().remove("ruleIndex");
    }
    insta::assert_json_snapshot!(run["results"]);
}

#[test]
fn a_place_in_a_text_without_an_id_is_told_by_its_title() {
    let text =
        |title: &str, text: &str| Document { title: title.into(), order: 1, text: text.into(), ..Document::default() };
    let story = Story {
        documents: vec![text("序", "雨停了。"), text("第一章", "天黑了。\n他走了，，雨还在下。")],
        ..Story::default()
    };
    let log = sarif(&findings(&story, &Config::default()), &story);
    let results = log["runs"][0]["results"].as_array().unwrap();
    let doubled = results.iter().find(|result| result["ruleId"] == "QS043").unwrap();
    assert_eq!(doubled["locations"][0]["physicalLocation"]["region"]["startLine"], 2, "{doubled}");
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
        if fixes.skipped.values().any(|s| *s == SkipReason::NoEffect) {
            eprintln!("NOEFFECT {:?}", fixes.skipped);
        }
    }
}

/// Written chapters without a word in the outline, as importing a book makes them.
fn imported(chapters: u32) -> Story {
    let name = |number: u32| format!("第{number}章");
    let node = |order| crate::OutlineNode { id: format!("o-{order}"), order, name: name(order), ..Default::default() };
    let document = |order| Document {
        id: format!("d-{order}"),
        title: name(order),
        order,
        outline_node: Some(name(order)),
        text: format!("第{order}天下了雨。"),
        ..Document::default()
    };
    Story {
        outline_nodes: (1..=chapters).map(node).collect(),
        documents: (1..=chapters).map(document).collect(),
        ..Story::default()
    }
}

#[test]
fn a_chapter_that_has_its_prose_needs_no_plan() {
    let config = Config::default();
    let mut story = imported(10);
    assert_eq!(check(&story, &config), []);
    for empty in ["", "〔待写〕", "〔待写：开头〕。\n（待补）"] {
        story.documents[2].text = empty.into();
        let found = check(&story, &config);
        let codes: Vec<_> = found.iter().filter_map(|issue| issue.code.as_deref()).collect();
        assert_eq!(codes, ["QY913", "QY910"], "{empty:?}");
        assert!(found.iter().all(|issue| issue.affected_entities == ["第3章"]), "{found:?}");
    }
    // What is to be said of it still stands for nothing.
    story.outline_nodes[2].description = "〔待写：发生什么〕".into();
    story.outline_nodes[2].goal = "〔待写〕".into();
    let found = check(&story, &config);
    assert_eq!(found.iter().filter_map(|issue| issue.code.as_deref()).collect::<Vec<_>>(), ["QY913", "QY910"]);
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
fn a_text_that_is_moved_or_renamed_is_more_than_a_text_that_is_rewritten() {
    let stories = crate::rules::all().iter().flat_map(|rule| [rule.fires().story(), rule.spares().story()]);
    for story in stories.filter(|story| !story.documents.is_empty()) {
        for position in 0..story.documents.len() {
            let before = story.documents[position].clone();
            let others = [
                Document { order: 0, ..before.clone() },
                Document { order: before.order + 7, ..before.clone() },
                Document { title: "他章".into(), ..before.clone() },
                Document { outline_node: None, ..before.clone() },
                Document { settled: None, ..before.clone() },
            ];
            for after in others {
                let (before, after) = (Piece::Document(before.clone()), Piece::Document(after));
                let change =
                    AppliedEdit { steps: vec![EditStep { position, before: Some(before), after: Some(after) }] };
                changed(&mut StoryChecker::new(story.clone(), Config::default()), &change);
            }
        }
    }
}

/// Does the change, after which the checker must find what a check of everything finds.
#[track_caller]
fn changed(checker: &mut StoryChecker, change: &AppliedEdit) {
    checker.apply(change).unwrap();
    let found: Vec<_> = checker.findings().cloned().collect();
    assert_eq!(found, findings(checker.story(), &Config::default()), "after {change:?}");
}

/// The story after its facts were exchanged one by one, each exchange checked by itself and against a check of everything.
#[track_caller]
fn exchanged(before: serde_json::Value, steps: &[(usize, Option<serde_json::Value>)]) {
    let story: Story = serde_json::from_value(before).unwrap();
    let mut checker = StoryChecker::new(story, Config::default());
    for (position, after) in steps {
        let fact = |value: &serde_json::Value| Piece::Fact(serde_json::from_value(value.clone()).unwrap());
        let after = after.as_ref().map(fact);
        // What comes after the last is put in; everything else takes the place of what is there, or takes it away.
        let is_new = *position == checker.story().facts.len();
        let before = (!is_new).then(|| Piece::Fact(checker.story().facts[*position].clone()));
        let change = AppliedEdit { steps: vec![EditStep { position: *position, before, after }] };
        changed(&mut checker, &change);
    }
    let story = checker.story().clone();
    assert_eq!(*checker.story(), story);
}

#[test]
fn who_speaks_of_a_fact_is_looked_at_again_when_it_comes_and_goes() {
    let knows = json!({ "id": "f-1", "subject": "林青", "predicate": "knows", "object": "f-2", "from": "第2天" });
    let known = json!({ "id": "f-2", "subject": "苏婉", "predicate": "dies", "value": true, "from": "第5天" });
    let other = json!({ "id": "f-3", "subject": "苏婉", "predicate": "dies", "value": true, "from": "第5天" });
    let story =
        json!({ "characters": [{ "id": "c-1", "name": "林青" }, { "id": "c-2", "name": "苏婉" }], "facts": [knows] });
    exchanged(
        story,
        &[(1, Some(known.clone())), (1, Some(other.clone())), (1, Some(known)), (1, None), (1, Some(other))],
    );
}

#[test]
fn what_names_a_fact_is_looked_at_again_when_another_bears_its_id() {
    for rule in crate::rules::all() {
        for story in [rule.fires().story(), rule.spares().story()] {
            let next = story.facts.len();
            for (position, fact) in story.facts.iter().enumerate().filter(|(_, fact)| !fact.id.is_empty()) {
                let stranger = |id: &str| {
                    let fact = json!({ "id": id, "subject": "旁人", "predicate": "瞳色", "value": "黑" });
                    (next, Some(fact))
                };
                let renamed = (position, Some(json!(Fact { id: "f-renamed".into(), ..fact.clone() })));
                let as_it_was = (position, Some(json!(fact)));
                let steps =
                    [stranger("f-other"), stranger(&fact.id), renamed, as_it_was, stranger("f-other"), (next, None)];
                exchanged(json!(story), &steps);
            }
        }
    }
}

#[test]
fn a_name_is_shown_everywhere_as_it_is_told_first() {
    let at = json!({ "id": "f-1", "subject": "WANG", "predicate": "is_at", "object": "Harbour", "from": "Day 1" });
    let elsewhere = json!({ "id": "f-1", "subject": "Li", "predicate": "is_at", "object": "Harbour", "from": "Day 1" });
    let eyes =
        |id: &str, colour: &str| json!({ "id": id, "subject": "Wang", "predicate": "eye_colour", "value": colour });
    let story = json!({ "language": "en", "facts": [at, eyes("f-2", "blue"), eyes("f-3", "brown")] });
    exchanged(story, &[(0, Some(elsewhere)), (0, Some(at)), (0, None)]);
}

fn tie(id: &str, subject: &str, predicate: &str, object: &str) -> serde_json::Value {
    json!({ "id": id, "subject": subject, "predicate": predicate, "object": object })
}

/// A place that no piece is, named by a fact beside those that change, is shown as a fact elsewhere writes it.
#[test]
fn a_name_beside_a_change_is_shown_as_it_is_everywhere() {
    let born = tie("f-1", "Wang", "birthplace", "North Tower");
    let friend = tie("f-2", "Wang", "friend_of", "Li");
    let painted = json!({ "id": "f-3", "subject": "NORTH TOWER", "predicate": "painted", "value": "white" });
    let people = json!([{ "id": "c-1", "name": "Wang" }, { "id": "c-2", "name": "Li" }]);
    let story = json!({ "language": "en", "characters": people, "facts": [born, friend, painted] });
    let elsewhere = tie("f-4", "Wang", "birthplace", "Harbour");
    exchanged(story.clone(), &[(3, Some(elsewhere.clone())), (2, None)]);
    exchanged(story, &[(3, Some(elsewhere)), (2, Some(tie("f-3", "Li", "friend_of", "Wang"))), (2, Some(painted))]);
}

/// Which place lies in which may decide about any two places.
#[test]
fn what_lies_in_what_is_looked_at_everywhere() {
    let places = ["Tower", "Town", "Land"].map(|name| json!({ "id": format!("l-{name}"), "name": name }));
    for [inner, outer] in [["within", "within"], ["within", "is_at"], ["is_at", "within"], ["is_at", "is_at"]] {
        let born = [tie("f-1", "Wang", "birthplace", "Tower"), tie("f-2", "Wang", "birthplace", "Land")];
        let (inside, lies) = (tie("f-4", "Tower", inner, "Town"), tie("f-3", "Town", outer, "Land"));
        let story = json!({
            "language": "en",
            "characters": [{ "id": "c-1", "name": "Wang" }],
            "worldview": { "locations": places },
            "facts": [born[0], born[1], lies],
        });
        exchanged(story, &[(3, Some(inside)), (2, None), (3, Some(lies))]);
    }
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
fn what_a_fact_said_is_taken_back_without_looking_at_everything() {
    let eyes =
        |id: &str, colour: &str| json!({ "id": id, "subject": "林青", "predicate": "eye_colour", "value": colour });
    let story: Story = serde_json::from_value(json!({
        "characters": [{ "id": "c-1", "name": "林青" }],
        "facts": [eyes("f-1", "blue"), eyes("f-2", "brown")],
    }))
    .unwrap();
    let mut checker = StoryChecker::new(story, Config::default());
    let codes =
        |checker: &StoryChecker| checker.findings().filter_map(|one| one.issue.code.clone()).collect::<Vec<_>>();
    let contradiction = codes(&checker);
    assert!(contradiction.contains(&"QY408".to_owned()), "{contradiction:?}");
    let gone = Piece::Fact(checker.story().facts[1].clone());
    let change = AppliedEdit { steps: vec![EditStep { position: 1, before: Some(gone), after: None }] };
    let effort = checker.apply(&change).unwrap();
    assert!(!codes(&checker).contains(&"QY408".to_owned()));
    assert!(effort.near.contains(&"QY408") && !effort.whole.contains(&"QY408"), "{effort:?}");
    let effort = checker.apply(&change.inverse()).unwrap();
    assert_eq!(codes(&checker), contradiction);
    assert!(effort.near.contains(&"QY408") && !effort.whole.contains(&"QY408"), "{effort:?}");
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
fn a_fact_that_comes_and_goes_takes_no_more_room_each_time() {
    let story = story();
    let mut neighbours = FactIndex::of(&story, &StoryFrame::of(&story));
    let fact = Fact { subject: "林青".into(), predicate: "瞳色".into(), value: "黑".into(), ..Fact::default() };
    let slots = [(); 3].map(|()| {
        let slot = neighbours.insert(0, &fact);
        assert_eq!(neighbours.remove(0), slot);
        neighbours.release(slot);
        slot
    });
    assert_eq!(slots, [slots[0]; 3]);
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
