use serde_json::json;

use super::{Config, Skip, check, findings, fix, instructions_for, sarif, score};
use crate::{Issue, Severity, Story, Waiver};

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
    let config = Config { severities: [("QY1".to_owned(), None)].into() };
    assert_eq!(toml::from_str::<Config>(&toml::to_string(&config).unwrap()).unwrap(), config);
}

#[test]
fn instructions_are_found_again_for_an_issue() {
    let story = story();
    let found = findings(&story, &Config::default());
    assert_eq!(instructions_for(&story, &found[0].issue), found[0].instructions);
    assert_eq!(instructions_for(&Story::default(), &found[0].issue), []);
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
        date: String::new(),
    };
    Story { waivers: vec![waiver], ..story() }
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
    let off = Config { severities: [("QY102".to_owned(), None)].into() };
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
    assert!(fixes.skipped.values().all(|skip| *skip == Skip::NotCertain), "{:?}", fixes.skipped);
    let again = fix(&fixes.story, &findings(&fixes.story, &config), &config);
    assert_eq!(again.applied, []);
    assert_eq!(fix(&waived("QY101", None, "有意"), &findings(&story, &config)[..1], &config).applied, []);
}

#[test]
fn what_is_gone_or_harmful_is_left_alone() {
    let config = Config::default();
    let found = findings(&story(), &config);
    let gone = fix(&Story::default(), &found, &config);
    assert_eq!(gone.skipped.get(&found[0].issue.id), Some(&Skip::Gone));
    // Creating the card makes a duplicate of nobody, but a card that is nowhere used would be graver than its absence.
    let mut strict = Config { severities: [("QY101".to_owned(), Some(Severity::Low))].into() };
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
