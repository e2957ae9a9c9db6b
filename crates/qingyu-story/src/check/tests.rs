//! Tests of the checker: its findings, waivers and settings, and rechecks after an edit.

mod fixes;

use serde_json::json;

use super::neighbours::FactIndex;
use super::{Config, StoryChecker, check, findings, sarif, score};
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
