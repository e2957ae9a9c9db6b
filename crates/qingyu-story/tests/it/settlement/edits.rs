//! What follows an edit by hand, and what a new name does to a settled chapter.

use std::collections::BTreeMap;

use qingyu_story::settlement::extraction::{PromiseAction, ToldEvent, ToldFact, ToldPromise};
use qingyu_story::settlement::{
    Config, Extraction, as_described, extract, follow, outdated, rebuild, recall, withdraw, withdrawn,
};
use qingyu_story::{Edit, EditTarget, Fact, Mode, PieceKind, Quotation, Story, TimelineEvent, edit};
use serde_json::json;

use super::{book, by_rules, event, fact, facts, lines, put, rewrite};

fn edited(story: &mut Story, position: usize, text: &str) -> qingyu_story::settlement::EditReport {
    let (before, after) = rewrite(story, position, text);
    follow(story, &before, Some(&after))
}

/// The story without versions, which grow with every edit, and without what remembers ids.
fn timeless(story: &Story) -> Story {
    let mut story = story.clone();
    story.last_ids.clear();
    story.documents.iter_mut().for_each(|document| document.version = 0);
    story.facts.iter_mut().filter_map(|fact| fact.source.as_mut()).for_each(|source| source.version = 0);
    story
}

const TEXT: &str = "雨停了。\n林深今年二十六岁。\n他把伞收起来。";

#[test]
fn facts_move_with_their_sentence() {
    let mut story = book(&[TEXT]);
    let source =
        Quotation {
            document: "正文1".into(), version: 1, start: Some(0), end: Some(4), quote: "雨停了。".into()
        };
    story.facts.push(Fact {
        id: "f-1".into(),
        subject: "林深".into(),
        predicate: "在".into(),
        source: Some(source),
        ..Fact::default()
    });
    by_rules(&mut story);
    let following = edited(&mut story, 0, &format!("序。\n{TEXT}"));
    assert!(following.gone.is_empty() && following.found.is_empty());
    let places: Vec<_> = story
        .facts
        .iter()
        .map(|fact| {
            let source = fact.source.as_ref().unwrap();
            (source.version, source.start, source.end)
        })
        .collect();
    assert_eq!(places, [(2, Some(3), Some(7)), (2, Some(8), Some(17))]);
}

#[test]
fn a_fact_goes_with_its_sentence_and_the_rules_read_what_is_new() {
    let mut story = book(&[TEXT]);
    let told = Extraction {
        events: vec![event("收伞", &["林深"], "他把伞收起来。")],
        facts: vec![fact("林深", "年龄", 26, "林深今年二十六岁。"), fact("林深", "情绪", "平静", "他把伞收起来。")],
        ..Extraction::default()
    };
    put(&mut story, "d-1", &told);
    let settled = story.clone();
    let following = edited(&mut story, 0, "雨停了。\n林深今年三十一岁。\n他撑着伞。");
    assert_eq!((following.gone.len(), following.found.len(), following.kept.len()), (3, 1, 0));
    assert_eq!(lines(&story), ["f-3 林深 age 31岁"]);
    assert!(story.timeline_events.is_empty());
    // Part of it back, then all of it.
    let following = edited(&mut story, 0, "雨停了。\n林深今年三十一岁。\n他把伞收起来。");
    assert_eq!(following.back.len(), 2);
    edited(&mut story, 0, TEXT);
    assert_eq!(json!(timeless(&story)).to_string(), json!(timeless(&settled)).to_string());
}

#[test]
fn an_edit_finds_nothing_in_a_sentence_that_was_settled_without_it() {
    let mut story = book(&["雨停了。林深今年二十六岁。"]);
    put(&mut story, "d-1", &Extraction::default());
    let following = edited(&mut story, 0, "风停了。林深今年二十六岁。");
    assert_eq!((following.found, lines(&story)), (vec![], vec![]));
    let following = edited(&mut story, 0, "风停了。林深今年二十七岁。");
    assert_eq!(following.found.len(), 1);
}

#[test]
fn another_number_in_a_chapter_leaves_what_it_pays_and_takes_the_fact() {
    let promise = |action: PromiseAction, quote: &str| ToldPromise {
        name: "旧债".into(),
        action,
        quote: quote.into(),
        confidence: 1.0,
        ..ToldPromise::default()
    };
    let paid = "雨停了。\n他把九两银子放在桌上，说旧债两清了。\n林深转身走了。他没有回头。";
    let mut story = book(&["他说，这笔旧债总要还的。", paid]);
    let planted = promise(PromiseAction::Planted, "他说，这笔旧债总要还的。");
    put(&mut story, "d-1", &Extraction { promises: vec![planted], ..Extraction::default() });
    let told = Extraction {
        facts: vec![fact("林深", "银两", 9, "他把九两银子放在桌上，说旧债两清了。")],
        promises: vec![promise(PromiseAction::Paid, "他把九两银子放在桌上，说旧债两清了。")],
        ..Extraction::default()
    };
    put(&mut story, "d-2", &told);
    let settled = story.clone();
    assert_eq!(story.promises[0].paid, ["d-2"]);
    edited(&mut story, 1, &paid.replace("九两", "十两"));
    assert_eq!(story.promises[0].paid, ["d-2"], "the sentence that pays still stands");
    assert!(!lines(&story).iter().any(|line| line.contains("银两")), "{:?}", lines(&story));
    let again = recall(&story, "d-2").unwrap();
    assert_eq!(again.promises[0].quote, "他把十两银子放在桌上，说旧债两清了。");
    edited(&mut story, 1, paid);
    assert_eq!(json!(timeless(&story)).to_string(), json!(timeless(&settled)).to_string());
    edited(&mut story, 1, "雨停了。\n林深转身走了。他没有回头。");
    assert_eq!(story.promises[0].paid, [""; 0]);
}

#[test]
fn a_fact_goes_with_its_own_sentence_though_its_words_stand_elsewhere() {
    for (text, quote, changed) in [
        ("他把伞收起来。\n雨停了。\n他把伞收起来。", "他把伞收起来。", "他撑着伞。"),
        ("“九块钱。我向他借的。”\n雨停了。\n九块钱，抵得上两年的鸡蛋。", "“九块钱。", "“十一块钱。"),
        (
            "“Nine pounds. I borrowed it.”\n雨停了。\nNine pounds was a heifer, or two years of eggs.",
            "“Nine pounds.",
            "“Eleven pounds.",
        ),
    ] {
        let mut story = book(&[text]);
        put(&mut story, "d-1", &facts(vec![fact("林深", "银两", 9, quote)]));
        let settled = story.clone();
        assert_eq!(story.facts.len(), 1, "{quote}");
        let now = text.replacen(quote, changed, 1);
        assert_eq!(edited(&mut story, 0, &now).gone.len(), 1, "{quote}");
        edited(&mut story, 0, &now.replace("雨停了", "风停了"));
        assert_eq!(story.facts, [], "its own sentence is not back: {quote}");
        edited(&mut story, 0, text);
        assert_eq!(json!(timeless(&story)).to_string(), json!(timeless(&settled)).to_string());
        let last = text.lines().last().unwrap();
        let following = edited(&mut story, 0, &text.replacen(&format!("\n{last}"), "\n天亮了。", 1));
        assert!(following.gone.is_empty(), "the other sentence tells nothing of it: {quote}");
    }
}

#[test]
fn a_fact_stays_with_its_sentence_when_only_another_number_changes() {
    let got = "林深付了八块钱，把铜钥匙接到手里。";
    let text = format!("雨停了。\n{got}\n他把伞收起来。");
    let mut story = book(&[&text]);
    let key = ToldFact { object: Some("铜钥匙".into()), ..fact("林深", "得到", json!(null), got) };
    put(&mut story, "d-1", &facts(vec![key, fact("铜钥匙", "价格", 8, got)]));
    let settled = story.clone();
    let following = edited(&mut story, 0, &text.replace("八块", "九块"));
    assert_eq!(following.gone.len(), 1, "{:?}", following.gone);
    let source = story.facts[0].source.clone().unwrap();
    assert_eq!((source.quote.as_str(), source.version), ("林深付了九块钱，把铜钥匙接到手里。", 2));
    assert_eq!(lines(&story).len(), 1, "the price was of eight: {:?}", lines(&story));
    edited(&mut story, 0, &text);
    assert_eq!(json!(timeless(&story)).to_string(), json!(timeless(&settled)).to_string());
    edited(&mut story, 0, &text.replace("接到手里", "推了回去"));
    assert_eq!(story.facts, []);
}

#[test]
fn a_fact_stays_with_its_sentence_when_only_the_manner_changes() {
    let put_down = "林深慢慢把铜钥匙放在桌上。";
    let text = format!("雨停了。\n{put_down}\n他把伞收起来。");
    let mut story = book(&[&text]);
    let key = ToldFact { object: Some("铜钥匙".into()), ..fact("林深", "放下", json!(null), put_down) };
    put(&mut story, "d-1", &facts(vec![key]));
    let settled = story.clone();
    let following = edited(&mut story, 0, &text.replace("慢慢", "轻轻"));
    assert!(following.gone.is_empty(), "{:?}", following.gone);
    assert_eq!(story.facts[0].id, settled.facts[0].id);
    let source = story.facts[0].source.clone().unwrap();
    assert_eq!((source.quote.as_str(), source.version), ("林深轻轻把铜钥匙放在桌上。", 2));
    edited(&mut story, 0, &text);
    assert_eq!(json!(timeless(&story)).to_string(), json!(timeless(&settled)).to_string());
    edited(&mut story, 0, &text.replace("慢慢", "没有"));
    assert_eq!(story.facts, []);
}

#[test]
fn a_fact_waits_in_a_sentence_with_several_words_for_the_same_and_goes_with_its_opposite() {
    for (held, again, opposite, key) in [
        ("林深攥住了铜钥匙。", "林深连忙握紧了铜钥匙。", "林深松开了铜钥匙。", "铜钥匙"),
        (
            "Then Mara quickly handed the 铜钥匙 over to him.",
            "At last Mara passed the 铜钥匙 across to him.",
            "Then Mara quickly took the 铜钥匙 over to him.",
            "铜钥匙",
        ),
    ] {
        let text = |sentence: &str| format!("雨停了。\n{sentence}\n他把伞收起来。");
        let mut story = book(&[&text(held)]);
        let told = ToldFact { object: Some(key.into()), ..fact("林深", "碰过", json!(null), held) };
        put(&mut story, "d-1", &facts(vec![told]));
        let id = story.facts[0].id.clone();
        let quote = |story: &Story| {
            let own = story.facts.iter().find(|fact| fact.id == id);
            own.and_then(|fact| fact.source.clone()).map(|source| source.quote)
        };
        let before = story.documents[0].clone();
        let following = edited(&mut story, 0, &text(again));
        assert!(following.gone.is_empty(), "{:?}", following.gone);
        assert_eq!(quote(&story).as_deref(), Some(again));
        let waiting: Vec<String> = outdated(&story, &before).iter().map(|piece| piece.id().to_owned()).collect();
        assert!(waiting.contains(&id), "{waiting:?}");
        edited(&mut story, 0, &text(held));
        assert_eq!(quote(&story).as_deref(), Some(held), "as it was read");
        edited(&mut story, 0, &text(again));
        edited(&mut story, 0, &text(opposite));
        assert_eq!(quote(&story), None, "{opposite}");
    }
}

#[test]
fn a_planned_event_stays_told_in_a_sentence_with_other_words_for_the_same() {
    let given = "Then Ned handed the whistle to Mara and walked in.";
    let mut story = book(&[given]);
    let told = json!({ "events": [{ "event": "e-1", "quote": given }] });
    story.documents[0].settled = Some(serde_json::from_value(told).unwrap());
    let quote = |story: &Story| story.documents[0].settled.as_ref().unwrap().events.as_ref().unwrap()[0].quote.clone();
    for other in [given.replace("handed", "passed"), given.replace("the whistle", "the silver whistle")] {
        edited(&mut story, 0, &other);
        assert_eq!(quote(&story), other);
        edited(&mut story, 0, given);
        assert_eq!(quote(&story), given);
    }
    edited(&mut story, 0, "Then Ned hid the whistle from Mara and walked in.");
    assert_eq!(quote(&story), given, "nothing tells it");
}

#[test]
fn an_event_told_otherwise_does_not_go_back_to_the_plan_while_its_sentence_stands() {
    for (told, again, gone) in [
        ("然后林深拿出铜钥匙，放在他手里。", "然后林深拿出了铜钥匙，放在他手里。", "雨停了。"),
        (
            "Then Ned handed the whistle to Mara and walked in.",
            "Then Ned passed the whistle to Mara and walked in.",
            "It rained.",
        ),
    ] {
        let mut story = book(&[told]);
        let planned = json!([{ "id": "e-1", "title": "e", "description": "as planned" }]);
        story.timeline_events = serde_json::from_value(planned).unwrap();
        let differs = json!([{ "event": "e-1", "field": "description", "told": "as told", "quote": told }]);
        story.documents[0].settled = Some(serde_json::from_value(json!({ "differs": differs })).unwrap());
        let described = |story: &Story| as_described(story).timeline_events[0].description.clone();
        for (text, expected) in [(told, "as told"), (again, "as told"), (told, "as told"), (gone, "as planned")] {
            if text != story.documents[0].text {
                edited(&mut story, 0, text);
            }
            assert_eq!(described(&story), expected, "{text}");
        }
    }
}

#[test]
fn all_facts_of_a_sentence_are_listed_when_it_goes() {
    let given = "他只好把铜钥匙递过去。";
    let mut story = book(&[given, "雨停了。"]);
    let told = |subject: &str, predicate: &str| ToldFact {
        object: Some("铜钥匙".into()),
        ..fact(subject, predicate, json!(null), given)
    };
    put(&mut story, "d-1", &facts(vec![told("林深", "交出"), told("周建国", "得到")]));
    let own: Vec<String> = story.facts.iter().map(|fact| fact.id.clone()).collect();
    assert_eq!(own.len(), 2);
    // Another chapter states the same of another time.
    story.facts.push(Fact { id: "f-9".into(), source: None, ..story.facts[0].clone() });
    let before = story.clone();
    let following = edited(&mut story, 0, "他只好把铜钥匙递了过去。");
    assert!(following.gone.is_empty(), "{:?}", following.gone);
    assert_eq!(withdrawn(&before, &story, "d-1"), []);
    edited(&mut story, 0, "他没有作声。");
    let gone: Vec<String> = withdrawn(&before, &story, "d-1").into_iter().map(|gone| gone.id).collect();
    assert_eq!(gone, own);
}

#[test]
fn a_fact_left_by_a_new_reading_quotes_the_sentence_as_it_is() {
    let got = "林深付了八块钱，把铜钥匙接到手里。";
    let mut story = book(&[got]);
    let key = ToldFact { object: Some("铜钥匙".into()), ..fact("林深", "得到", json!(null), got) };
    put(&mut story, "d-1", &facts(vec![key]));
    rewrite(&mut story, 0, "林深付了九块钱，把铜钥匙接到手里。");
    put(&mut story, "d-1", &Extraction::default());
    let source = story.facts[0].source.as_ref().unwrap();
    assert_eq!((source.quote.as_str(), source.start), ("林深付了九块钱，把铜钥匙接到手里。", Some(0)));
}

#[test]
fn what_follows_an_edit_is_one_change_that_can_be_taken_back() {
    let mut story = book(&[TEXT, "林深二十六岁。"]);
    by_rules(&mut story);
    let before = story.clone();
    let following = edited(&mut story, 0, "雨停了。\n林深今年三十一岁。");
    following.change.inverse().apply(&mut story).unwrap();
    story.documents[0] = before.documents[0].clone();
    assert_eq!(timeless(&story), timeless(&before));
    // Done again on the story as it was when it was followed.
    let (_, after) = rewrite(&mut story, 0, "雨停了。\n林深今年三十一岁。");
    let mut other = story.clone();
    let following = follow(&mut other, &before.documents[0], Some(&after));
    following.change.apply(&mut story).unwrap();
    assert_eq!(story, other);
}

#[test]
fn a_text_that_was_never_settled_makes_nothing() {
    let mut story = book(&["雨停了。"]);
    let following = edited(&mut story, 0, TEXT);
    assert!(following.change.is_empty() && story.facts.is_empty());
}

#[test]
fn a_chapter_takes_what_came_from_it_along() {
    let mut story = book(&[TEXT, "林深二十六岁。"]);
    by_rules(&mut story);
    let gone = story.documents.remove(0);
    let following = follow(&mut story, &gone, None);
    assert_eq!((following.gone.len(), lines(&story)), (1, vec!["f-2 林深 age 26岁".to_owned()]));
}

#[test]
fn a_new_name_is_nobodys_opinion() {
    let mut story = book(&["林深今年二十六岁。"]);
    by_rules(&mut story);
    let fields = BTreeMap::from([("name".to_owned(), json!("林浅"))]);
    edit::apply(
        &mut story,
        Edit::Update { kind: PieceKind::Character, target: EditTarget::Named("c-1".into()), fields },
    )
    .unwrap();
    assert_eq!((story.facts[0].subject.as_str(), story.documents[0].text.as_str()), ("林浅", "林浅今年二十六岁。"));
    let again = extract(&story, "d-1").unwrap();
    let settlement = put(&mut story, "d-1", &again);
    assert!(settlement.change.steps.iter().all(|step| step.before.is_some() && step.after.is_some()));
    assert_eq!(lines(&story), ["f-1 林浅 age 26岁"]);
    assert!(withdraw(&mut story, "d-1").unwrap().is_empty());
    assert!(story.facts.is_empty());
}

#[test]
fn a_book_is_settled_again_from_its_prose() {
    let mut story = book(&[TEXT, "周建国死了。", "林深来到旧港。"]);
    let same = |story: &Story, document: &qingyu_story::Document| extract(story, &document.id);
    by_rules(&mut story);
    assert!(rebuild(&story, Config::default(), |_| true, same).unwrap().difference.is_empty());
    // A chapter that was edited behind everybody's back, and a fact that somebody put in by hand.
    story.documents[0].text = "林深今年三十一岁。".into();
    story.facts.push(Fact {
        id: "f-9".into(),
        subject: "林深".into(),
        predicate: "职业".into(),
        value: "记者".into(),
        ..Fact::default()
    });
    let rebuilt = rebuild(&story, Config::default(), |_| true, same).unwrap();
    let created: Vec<_> = rebuilt.difference.created.iter().map(qingyu_story::Piece::label).collect();
    let removed: Vec<_> = rebuilt.difference.removed.iter().map(qingyu_story::Piece::label).collect();
    assert_eq!((created, removed), (vec!["林深 age 31岁".to_owned()], vec!["林深 age 26岁".to_owned()]));
    assert!(rebuilt.story.facts.iter().any(|fact| fact.id == "f-9"));
    let some = rebuild(&story, Config::default(), |document| document.order > 1, same).unwrap();
    assert!(some.difference.is_empty());
    assert_eq!(some.chapters.len(), 2);
    let none = rebuild(&story, Config::default(), |_| true, |_, _| Ok(facts(vec![]))).unwrap();
    assert_eq!(none.difference.removed.len(), 3);
}

#[test]
fn a_record_read_again_is_dated_as_the_reading_was() {
    let text = "Mara came to the pier. She gave it back. She walked home. Her mother had worked it off on the last Sunday. \
        On the twenty-eighth of February she was dead.";
    let mut story = book(&[text]);
    story.timeline_events = vec![TimelineEvent {
        id: "e-1".into(),
        title: "Mara gives it back".into(),
        timestamp: "1911-03-13 14:00".into(),
        outline_node: Some("o-1".into()),
        ..TimelineEvent::default()
    }];
    let told = |word: &str, from: &str, mode: Mode, quote: &str| ToldFact {
        from: from.into(),
        mode,
        ..fact("Mara Hale", word, "so", quote)
    };
    let reading = Extraction {
        events: vec![ToldEvent {
            planned: Some("Mara gives it back".into()),
            timestamp: "by the other clock".into(),
            ..event("Mara gives it back", &["Mara Hale"], "She gave it back.")
        }],
        ..facts(vec![
            told("mood", "two that afternoon", Mode::Narrated, "She walked home."),
            told("memory", "the last Sunday", Mode::Flashback, "Her mother had worked it off on the last Sunday."),
            told(
                "grief",
                "the twenty-eighth of February",
                Mode::Flashback,
                "On the twenty-eighth of February she was dead.",
            ),
        ])
    };
    let begins = |story: &Story| -> Vec<String> {
        let begin = |word: &str| {
            let fact = story.facts.iter().find(|fact| fact.predicate == word).expect("it is told");
            fact.from.clone()
        };
        ["mood", "memory", "grief"].map(begin).to_vec()
    };
    put(&mut story, "d-1", &reading);
    let expected = ["1911-03-13 two in the afternoon", "1911-02-26", "the twenty-eighth of February, 1911"];
    assert_eq!(begins(&story), expected);
    let again = recall(&story, "d-1").unwrap();
    put(&mut story, "d-1", &again);
    assert_eq!(begins(&story), expected, "its record says the same");
}
