//! One wrong weekday, the weekdays of a whole book, and those that the author states.

use serde_json::json;

use crate::check::{Config, Finding, findings};
use crate::{Severity, Story};

fn found(story: &serde_json::Value) -> Vec<Finding> {
    let story: Story = serde_json::from_value(story.clone()).unwrap();
    findings(&story, &Config::only("QY317", Severity::Medium))
}

/// A book of three chapters of the third lunar month of 1933, whose ninth day was Monday, 3 April.
fn chinese(premise: &str, outline: &str, texts: [&str; 3]) -> serde_json::Value {
    let node = |number: u32| json!({ "id": format!("o-{number}"), "name": format!("第{number}章"), "order": number });
    let mut nodes: Vec<_> = (1..=3).map(node).collect();
    nodes[0]["description"] = json!(outline);
    let event = |number: u32, day: &str| json!({ "id": format!("e-{number}"), "title": format!("事{number}"), "timestamp": format!("民国二十二年三月{day} 22:00"), "outline_node": format!("o-{number}") });
    let document = |(number, text): (u32, &str)| json!({ "id": format!("d-{number}"), "title": format!("第{number}章"), "order": number, "outline_node": format!("o-{number}"), "text": text });
    json!({
        "premise": premise,
        "outline_nodes": nodes,
        "timeline_events": [event(1, "初九"), event(2, "十一"), event(3, "十四")],
        "documents": (1..).zip(texts).map(document).collect::<Vec<_>>(),
    })
}

/// A book of two chapters; 28 November 2026 was a Saturday.
fn english(premise: &str, texts: [&str; 2]) -> serde_json::Value {
    let document = |(number, text): (u32, &str)| json!({ "id": format!("d-{number}"), "title": format!("Chapter {number}"), "order": number, "text": text });
    json!({
        "language": "en",
        "premise": premise,
        "documents": (1..).zip(texts).map(document).collect::<Vec<_>>(),
    })
}

fn anchors(finding: &Finding) -> Vec<&str> {
    finding.issue.evidence.iter().map(|one| one.anchor.as_str()).collect()
}

#[test]
fn weekdays_that_the_author_states_are_one_question_and_never_changed() {
    let texts = ["三月初九，星期二，雨停了。", "三月十一，星期四，船到万县。", "三月十四，星期日，船靠了岸。"];
    let story = chinese("三月初九，星期二，领江死了。", "三月初九，星期二，船离宜昌。", texts);
    let all = found(&story);
    let [one] = all.as_slice() else { panic!("{all:?}") };
    assert_eq!((one.issue.title.as_str(), one.issue.severity), ("全书的星期不对", Severity::Low));
    assert!(one.issue.root_cause.starts_with("1933年4月3日是星期一，作者的构想里写的是星期二；"), "{one:?}");
    assert!(one.issue.root_cause.contains("晚一天") && one.instructions.is_empty(), "{one:?}");
    assert_eq!(anchors(one), ["premise"]);
    let texts = ["On Sunday, November 28, 2026 it rained.", "On Monday, November 29, 2026 it rained."];
    let all = found(&english("The ship leaves on Sunday, November 28, 2026.", texts));
    let [one] = all.as_slice() else { panic!("{all:?}") };
    assert_eq!(one.issue.title, "The weekday of every date is wrong");
    let cause = "28 November 2026 is a Saturday, and the author's premise has Sunday; ";
    assert!(one.issue.root_cause.starts_with(cause) && one.issue.root_cause.contains("one day late"), "{one:?}");
    assert_eq!((anchors(one), one.instructions.len()), (vec!["premise"], 0));
}

#[test]
fn a_weekday_off_from_those_of_the_author_is_mended_to_fit_them() {
    let texts = ["三月初九，星期二，雨停了。", "三月十一，星期五，船到万县。", "三月十四，雨。"];
    let all = found(&chinese("三月初九，星期二，领江死了。", "", texts));
    let fixes: Vec<_> = all.iter().flat_map(|one| &one.instructions).collect();
    assert_eq!((all.len(), fixes.len()), (2, 1), "{all:?}");
    assert!(fixes[0].specific_instruction.contains("星期四"), "{fixes:?}");
    assert_eq!(fixes[0].parameters["id"], "d-2");
    // What the premise says of a day stays, though its weekdays are not all shifted.
    let premise = "It begins on Saturday, November 28, 2026. It ends on Sunday, December 2, 2026.";
    let texts = ["On Sunday, December 2, 2026 it rained.", "On Monday, December 1, 2026 it rained."];
    let all = found(&english(premise, texts));
    let mended: Vec<_> = all.iter().filter(|one| !one.instructions.is_empty()).collect();
    assert_eq!((all.len(), mended.len()), (2, 1), "{all:?}");
    assert!(mended[0].issue.evidence[0].quote.starts_with("Monday, December 1, 2026"), "{mended:?}");
}

#[test]
fn one_shift_of_all_weekdays_is_one_finding() {
    let texts = ["三月初九，星期二，雨停了。", "三月十一，星期四，船到万县。", "三月十四，雨。"];
    let all = found(&chinese("", "", texts));
    let [one] = all.as_slice() else { panic!("{all:?}") };
    assert_eq!((one.issue.evidence.len(), one.instructions.len()), (2, 0), "{one:?}");
    assert!(one.issue.root_cause.contains("2 个日子都比历书晚一天"), "{one:?}");
    // With a right one between them, each is wrong by itself.
    let texts = ["三月初九，星期二，雨停了。", "三月十一，星期四，船到万县。", "三月十四，星期六，雨。"];
    let all = found(&chinese("", "", texts));
    assert_eq!(all.iter().map(|one| one.instructions.len()).collect::<Vec<_>>(), [1, 1]);
    let texts = ["On Friday, November 27, 2026 it rained.", "On Monday, November 29, 2026 it rained."];
    let all = found(&english("", texts));
    assert_eq!((all.len(), all[0].instructions.len()), (1, 1), "{all:?}");
    let texts = ["On Saturday, November 27, 2026 it rained.", "On Monday, November 29, 2026 it rained."];
    let all = found(&english("", texts));
    assert!(all.len() == 1 && all[0].issue.root_cause.contains("all 2 dates are one day late"), "{all:?}");
}

#[test]
fn a_wrong_weekday_of_the_outline_is_named_there() {
    let all = found(&chinese("", "三月初九，星期三，船离宜昌。", ["雨。", "三月十一，星期三，雨。", "雨。"]));
    let [one] = all.as_slice() else { panic!("{all:?}") };
    assert_eq!((anchors(one), one.issue.severity), (vec!["outline_nodes/o-1/description"], Severity::Medium));
    assert!(one.issue.root_cause.starts_with("1933年4月3日是星期一，“第1章”的大纲里写的是星期三"), "{one:?}");
    assert_eq!(one.instructions[0].parameters["kind"], "outline_node");
}

#[test]
fn an_hour_of_four_figures_is_no_year_of_the_julian_calendar() {
    let texts = ["Friday 17 March 2231, 0501.", "Wednesday 14 March 2231, 1610."];
    let all = found(&english("", texts));
    let causes: Vec<_> = all.iter().map(|one| one.issue.root_cause.as_str()).collect();
    assert_eq!(all.len(), 2, "{causes:?}");
}

#[test]
fn a_weekday_that_the_author_leaves_open_shifts_nothing() {
    let texts = ["Tuesday 14 March 2231.", "Thursday 17 March 2231."];
    for premise in [
        "It begins on 14 March 2231 (Friday or whatever weekday the calendar gives).",
        "It begins on 14 March 2231, a Friday.",
    ] {
        let all = found(&english(premise, texts));
        let one = all.iter().find(|one| !one.instructions.is_empty()).unwrap();
        assert!(one.instructions[0].specific_instruction.contains("Monday"), "{premise} {one:?}");
    }
}
