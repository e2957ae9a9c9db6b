//! What the checker sees between two settled chapters.

use qingyu_story::{Config, Mode, Severity, Story, findings};
use serde_json::json;

use super::{book, by_rules};
use crate::labelled::{MeasuredPairs, measure_pairs};

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
    // A child who is grown up in a later chapter.
    spares(seven("林深今年六岁。", DULL, "林深今年二十二岁了。"));
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

/// A settled chapter that says `quote` about the age of its hero, 54 on the card, with the time of only one of its two
/// events known; without `date`, of none.
fn aged_in_chapter(is_chinese: bool, quote: &str, mode: &str, date: &str) -> Story {
    let (language, hero, first, second) = match is_chinese {
        true => ("zh", "沈岳", "第一章 起锚", "第二章 渡口"),
        false => ("en", "Owen Hale", "Chapter 1: Anchor", "Chapter 2: Ferry"),
    };
    let settled = |order: u32, title: &str, text: &str| {
        json!({"id": format!("d-{order}"), "title": title, "order": order, "outline_node": format!("o-{order}"),
            "text": text, "settled": {}})
    };
    serde_json::from_value(json!({
        "language": language,
        "characters": [{"id": "c-1", "name": hero, "age": 54}],
        "outline_nodes": [{"id": "o-1", "name": first, "order": 1}, {"id": "o-2", "name": second, "order": 2}],
        "timeline_events": [
            {"id": "e-1", "title": "a", "timestamp": date, "outline_node": "o-1"},
            {"id": "e-2", "title": "b", "timestamp": date, "outline_node": "o-2"},
            {"id": "e-3", "title": "c", "timestamp": "", "outline_node": "o-2"}
        ],
        "documents": [settled(1, first, "…"), settled(2, second, quote)],
        "facts": [{"id": "f-1", "subject": hero, "predicate": "age", "value": 58, "unit": "岁", "from": second,
            "mode": mode, "source": {"document": "d-2", "quote": quote}}]
    }))
    .expect("it is a story")
}

#[test]
fn an_age_told_in_a_chapter_contradicts_the_card() {
    for (is_chinese, quote, date) in [
        (true, "五十八岁的沈岳先上了船。", "万历二十年三月十一"),
        (true, "五十八岁的沈岳先上了船。", ""),
        (false, "Owen Hale, fifty-eight, went aboard first.", "March 5, 2077"),
        (false, "Owen Hale, fifty-eight, went aboard first.", ""),
        (false, "Owen Hale was fifty-eight, and had been paid for it.", "March 5, 2077"),
        (false, "Owen Hale, the master, who was fifty-eight and had been asleep, went aboard.", ""),
    ] {
        assert!(found(&aged_in_chapter(is_chinese, quote, "narrated", date)).is_some(), "{quote} {date}");
        for mode in ["said", "lied", "flashback"] {
            assert_eq!(found(&aged_in_chapter(is_chinese, quote, mode, date)), None, "{mode}");
        }
        let mut years_later = aged_in_chapter(is_chinese, quote, "narrated", "");
        years_later.documents[1].settled.as_mut().expect("it is settled").years = vec!["四年后".into()];
        assert_eq!(found(&years_later), None);
    }
    for (is_chinese, quote) in [
        (true, "沈岳看上去五十八岁上下。"),
        (true, "沈岳五十八岁那年修过这条船。"),
        (false, "Owen Hale was about fifty-eight."),
        (false, "Owen Hale looked fifty-eight."),
        (false, "Owen Hale, who had been fifty-eight then, went aboard."),
        (false, "Owen Hale had built her when he was fifty-eight."),
    ] {
        for date in ["", "2077-03-05"] {
            assert_eq!(found(&aged_in_chapter(is_chinese, quote, "narrated", date)), None, "{quote}");
        }
    }
}

/// A person of 65 on the card whose first chapter tells an age, with events before the book.
fn with_a_past(is_chinese: bool, birth: Option<&str>, told: u32) -> Story {
    let (language, hero, chapter, unit) = match is_chinese {
        true => ("zh", "沈岳", "第一章 起锚", "岁"),
        false => ("en", "Gideon Nance", "Chapter 1: No Salt", "years"),
    };
    let quote = if is_chinese { format!("沈岳今年{told}岁。") } else { format!("Gideon Nance was {told}.") };
    serde_json::from_value(json!({
        "language": language,
        "characters": [{"id": "c-1", "name": hero, "age": 65, "birth": birth}],
        "outline_nodes": [{"id": "o-1", "name": chapter, "order": 1}],
        "timeline_events": [
            {"id": "e-1", "title": "a", "timestamp": "1890"},
            {"id": "e-2", "title": "b", "timestamp": "1913"},
            {"id": "e-3", "title": "c", "timestamp": "1926-10-04", "outline_node": "o-1"}
        ],
        "documents": [{"id": "d-1", "title": chapter, "order": 1, "outline_node": "o-1", "text": quote, "settled": {}}],
        "facts": [{"id": "f-1", "subject": hero, "predicate": "age", "value": told, "unit": unit, "from": "1926-10-04",
            "source": {"document": "d-1", "quote": quote}}]
    }))
    .expect("it is a story")
}

#[test]
fn the_age_on_a_card_is_that_of_the_first_chapter_and_not_of_the_past() {
    for is_chinese in [true, false] {
        for birth in [None, Some("1861")] {
            let right = with_a_past(is_chinese, birth, 65);
            assert_eq!(found(&right), None, "{is_chinese} {birth:?}");
            let quotes = found(&with_a_past(is_chinese, birth, 68)).expect("the age is wrong");
            let against = birth.unwrap_or("65");
            assert!(quotes.iter().any(|quote| quote.contains(against)), "{quotes:?}");
        }
        // A birth decides where the age on the card is wrong.
        let mut wrong = with_a_past(is_chinese, Some("1858"), 68);
        wrong.timeline_events.remove(0);
        assert_eq!(found(&wrong), None, "{is_chinese}");
    }
}

#[test]
fn an_age_that_somebody_says_of_themselves_is_asked_about() {
    let severity = |story: &Story| {
        let found = findings(story, &Config::default());
        let age = found.into_iter().find(|finding| finding.issue.code.as_deref() == Some("QY314"))?;
        Some(age.issue.severity)
    };
    let told = |text: &str, kin: bool| {
        let mut story = book(&[DULL, text]);
        story.characters[0].age = Some(26);
        story.characters[2].age = Some(26);
        if kin {
            let relation = json!({"id": "r-1", "from": "周建国", "to": "林深", "type": "parent_of"});
            story.character_relations.push(serde_json::from_value(relation).expect("it is a relation"));
        }
        by_rules(&mut story);
        story
    };
    for (text, kin) in [
        ("“我今年三十一岁。”林深说。", false),
        ("“林深今年三十一岁。”周建国说。", true),
        ("“I am thirty-one,” said Mara.", false),
    ] {
        let story = told(text, kin);
        assert_eq!(severity(&story), Some(Severity::Low), "{text} {:#?}", story.facts);
    }
    for text in [
        "“我今年二十六岁。”林深说。",
        "“我今年不到三十一岁。”林深说。",
        "“我三十一岁的时候，下着雨。”林深说。",
        "“我今年三十一岁吗？”林深说。",
        "“如果我今年三十一岁，就好了。”林深说。",
        "“林深今年三十一岁。”周建国说。",
        "“I am twenty-six,” said Mara.",
        "“I am not thirty-one,” said Mara.",
        "“Am I thirty-one?” said Mara.",
    ] {
        let story = told(text, false);
        assert_eq!(severity(&story), None, "{text} {:#?}", story.facts);
    }
    let mut lie = told("“我今年三十一岁。”林深说。", false);
    lie.facts.iter_mut().for_each(|fact| fact.mode = Mode::Lied);
    assert_eq!(severity(&lie), None);
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

/// Pairs of sentences that contradict each other, and pairs that do not.
const PLANTED: &str = include_str!("../../labelled/planted.txt");

#[test]
fn planted_contradictions_are_found_and_near_misses_are_not() {
    // Passages hold statements that no rule compares yet: a daughter who marries her father later, places that nobody located.
    let halves = [
        ("before", 0.6),
        ("held out", 0.6),
        ("varied", 0.6),
        ("passages", 0.5),
        ("one person", 0.6),
        ("English clauses", 0.6),
    ];
    for ((half, least), pairs) in halves.into_iter().zip(PLANTED.split("# ── ")) {
        let MeasuredPairs { planted, precision, recall, wrong, missed } = measure_pairs(pairs);
        println!("planted contradictions, {half}: {planted}, precision {precision:.3}, recall {recall:.3}");
        missed.iter().for_each(|line| println!("  not found: {line}"));
        assert!(precision >= 0.95, "{half}: {precision:.3}: {wrong:#?}");
        assert!(recall >= least, "{half}: {recall:.3}: {missed:#?}");
    }
}

#[test]
fn who_died_does_not_walk_in() {
    let deeds = |text: &str| {
        let mut story = seven("周建国死了。", DULL, text);
        by_rules(&mut story);
        let found = findings(&story, &Config::default()).into_iter();
        let dead = found.filter(|finding| finding.issue.code.as_deref() == Some("QY205"));
        dead.map(|finding| finding.issue.evidence.iter().map(|one| one.quote.clone()).collect::<String>())
            .collect::<Vec<_>>()
    };
    for text in ["周建国走了进来。", "周建国点了点头。", "周建国说：“走吧。”"] {
        let found = deeds(text);
        assert!(found.len() == 1 && found[0].contains(text), "{text} {found:#?}");
    }
    for text in [
        "林深梦见周建国走了进来。",
        "林深想起周建国走进来的样子。",
        "如果周建国走了进来，她会哭。",
        "周建国不会走进来了。",
        "十年前，周建国走了进来。",
        "林深在周建国的坟前站了很久。",
        "周建国的儿子走了进来。",
        "听说周建国死而复生，周建国走了进来。",
    ] {
        assert_eq!(deeds(text), [""; 0], "{text}");
    }
}

/// The codes of the findings about facts after the rules have read the chapters.
fn codes(texts: &[&str]) -> Vec<String> {
    let mut story = book(texts);
    by_rules(&mut story);
    let codes = findings(&story, &Config::default()).into_iter().filter_map(|finding| finding.issue.code);
    codes.filter(|code| ["QY3", "QY4", "QY6"].iter().any(|family| code.starts_with(family))).collect()
}

#[test]
fn a_thing_given_away_is_not_in_hand_later_in_the_chapter() {
    let given = "临行前，林深把铜钥匙送给了卖花的孩子。天黑了。";
    assert_eq!(codes(&[&format!("{given}他从袖子里摸出铜钥匙，开了锁。")]), ["QY402"]);
    let back = "林深买回铜钥匙。他从袖子里摸出铜钥匙，开了锁。";
    assert_eq!(codes(&[&format!("{given}{back}")]), [""; 0]);
    assert_eq!(codes(&["林深从袖子里摸出铜钥匙，开了锁。天黑了。他把铜钥匙送给了卖花的孩子。"]), [""; 0]);
}

#[test]
fn an_age_in_a_year_that_was_told_is_compared_with_the_birth() {
    let born = "林深生于1998年，从小住在河边。";
    let told = |age: &str| format!("{born}2016年夏天，他第一次出远门。那年他{age}岁，什么行李也没有。");
    assert_eq!(codes(&[&told("二十三")]), ["QY314"]);
    assert_eq!(codes(&[&told("十八")]), [""; 0]);
}
