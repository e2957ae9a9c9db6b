//! What the checker sees between two settled chapters.

use qingyu_story::{Config, Story, findings};
use serde_json::json;

use super::{book, by_rules};

/// The two ages of the finding about ages, as its evidence quotes them.
fn found(story: &Story) -> Option<Vec<String>> {
    let found = findings(story, &Config::default());
    let age = found.into_iter().find(|finding| finding.issue.code.as_deref() == Some("QY314"))?;
    Some(age.issue.evidence.iter().map(|evidence| evidence.quote.clone()).collect())
}

/// A book whose third and seventh chapters hold these sentences.
fn seven(third: &str, fifth: &str, seventh: &str) -> Story {
    let dull = "雨下了一夜。";
    book(&[dull, dull, &format!("{dull}{third}街上没有人。"), dull, fifth, dull, &format!("门开了。{seventh}")])
}

fn dated(story: &mut Story, times: &[(usize, &str)]) {
    for (chapter, time) in times {
        let event = json!({
            "id": format!("e-{chapter}"), "title": format!("事{chapter}"), "timestamp": time,
            "outline_node": format!("o-{chapter}"),
        });
        story.timeline_events.push(serde_json::from_value(event).expect("it is an event"));
    }
}

#[track_caller]
fn fires(mut story: Story) {
    by_rules(&mut story);
    let quotes = found(&story).unwrap_or_else(|| panic!("nothing is found of {:#?}", story.facts));
    let all = quotes.join("\n");
    assert!(all.contains("二十六岁") && all.contains("三十一岁"), "{all}");
}

#[track_caller]
fn spares(mut story: Story) {
    by_rules(&mut story);
    assert_eq!(found(&story), None, "{:#?}", story.facts);
}

const DULL: &str = "雨下了一夜。";
const YOUNG: &str = "林深今年二十六岁。";
const OLD: &str = "林深今年三十一岁了。";

#[test]
fn two_ages_within_a_year_contradict_each_other() {
    let mut story = seven(YOUNG, DULL, OLD);
    dated(&mut story, &[(3, "2077-03-05"), (7, "2077-06-01")]);
    fires(story);
    let mut story = seven(YOUNG, DULL, OLD);
    dated(&mut story, &[(3, "第3天"), (7, "第9天")]);
    fires(story);
    // Told backwards.
    let mut story = seven(OLD, DULL, YOUNG);
    dated(&mut story, &[(3, "2077"), (7, "2077")]);
    fires(story);
}

#[test]
fn two_ages_contradict_each_other_where_no_time_is_known() {
    fires(seven(YOUNG, DULL, OLD));
    fires(seven(OLD, DULL, YOUNG));
    // Without an outline.
    let mut story = seven(YOUNG, DULL, OLD);
    story.outline_nodes.clear();
    story.documents.iter_mut().for_each(|document| document.outline_node = None);
    fires(story);
}

#[test]
fn years_between_birthdays_and_flashbacks_are_no_contradiction() {
    // A birthday.
    spares(seven(YOUNG, "这天是林深的生日。", "林深今年二十七岁了。"));
    spares(seven(YOUNG, DULL, "林深今年二十七岁了。"));
    // Years that pass: by the calendar, in words, in a chapter that nobody has settled.
    let mut story = seven(YOUNG, DULL, OLD);
    dated(&mut story, &[(3, "2077"), (7, "2082")]);
    spares(story);
    spares(seven(YOUNG, "五年后，雨停了。", OLD));
    let mut story = seven(YOUNG, DULL, OLD);
    by_rules(&mut story);
    story.documents[4].settled = None;
    assert_eq!(found(&story), None);
    // A memory, a lie, a guess, somebody else.
    spares(seven(YOUNG, DULL, "他想起林深三十一岁那年。"));
    spares(seven(YOUNG, DULL, "“林深三十一岁了。”周建国说。"));
    spares(seven(YOUNG, DULL, "林深看上去三十一岁。"));
    spares(seven(YOUNG, DULL, "周建国今年三十一岁了。"));
    spares(seven(YOUNG, DULL, "十年前，林深三十一岁。"));
}

#[test]
fn who_died_in_one_chapter_is_not_alive_in_another() {
    let mut story = seven("周建国死了。", DULL, "周建国把铜钥匙交给了林深。");
    by_rules(&mut story);
    let found = findings(&story, &Config::default());
    let dead: Vec<_> = found.iter().filter(|finding| finding.issue.code.as_deref() == Some("QY205")).collect();
    assert!(
        dead.iter().any(|finding| {
            let quotes: String = finding.issue.evidence.iter().map(|evidence| evidence.quote.as_str()).collect();
            quotes.contains("死了") && quotes.contains("交给")
        }),
        "{:#?}",
        found.iter().map(|finding| &finding.issue.title).collect::<Vec<_>>()
    );
}
