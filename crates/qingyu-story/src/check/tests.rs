use serde_json::json;

use super::{Config, check, findings, instructions_for, score};
use crate::{Issue, Severity, Story};

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
