//! Cards that a new text still names, and events and promises told under other names.

use qingyu_story::settlement::extraction::{Introduced, IntroducedKind, PromiseAction, ToldEvent, ToldPromise};
use qingyu_story::settlement::{Doubt, Extraction, Settlement, follow, recall, withdrawn};
use qingyu_story::{Mode, Story, TimelineEvent};
use serde_json::json;

use super::{book, event, fact, facts, lines, put, rewrite};

/// A chapter that introduces a pass and says who has it.
fn with_pass() -> Story {
    let mut story = book(&["周建国把一张路引递给林深。\n天亮了。"]);
    let pass = Introduced {
        kind: IntroducedKind::Item,
        name: "路引".into(),
        quote: "周建国把一张路引递给林深。".into(),
        confidence: 0.9,
        ..Introduced::default()
    };
    let told = Extraction {
        entities: vec![pass],
        facts: vec![
            fact("周建国", "交出", "路引", "周建国把一张路引递给林深。"),
            fact("路引", "特点", "一张纸", "周建国把一张路引递给林深。"),
        ],
        ..Extraction::default()
    };
    put(&mut story, "d-1", &told);
    story
}

#[test]
fn a_card_stays_while_the_text_names_it() {
    let mut story = with_pass();
    let before = story.clone();
    let (old, new) = rewrite(&mut story, 0, "林深看着路引。\n天亮了。");
    follow(&mut story, &old, Some(&new));
    let items = |story: &Story| story.items().iter().map(|item| item.name.clone()).collect::<Vec<_>>();
    assert_eq!(items(&story), ["铜钥匙", "路引"]);
    assert_eq!(lines(&story), [""; 0], "the sentence of the facts is gone");
    let gone: Vec<_> = withdrawn(&before, &story, "d-1").into_iter().map(|one| (one.label, one.quote)).collect();
    let quote = "周建国把一张路引递给林深。".to_owned();
    assert_eq!(gone, [("周建国 交出 路引".into(), quote.clone()), ("路引 特点 一张纸".into(), quote)]);

    // A reader to whom the card is known does not introduce it again.
    let again = facts(vec![fact("路引", "特点", "盖了印", "林深看着路引。")]);
    assert_eq!(put(&mut story, "d-1", &again).rejected, []);
    assert_eq!(items(&story), ["铜钥匙", "路引"]);
    let recalled = recall(&story, "d-1").unwrap();
    assert_eq!(recalled.entities[0].quote, "林深看着路引。");

    let (old, new) = rewrite(&mut story, 0, "天亮了。");
    follow(&mut story, &old, Some(&new));
    assert_eq!(items(&story), ["铜钥匙"], "nothing names it any more");
}

#[test]
fn what_is_told_again_in_other_words_is_not_withdrawn() {
    let mut story = with_pass();
    let before = story.clone();
    let (old, new) = rewrite(&mut story, 0, "路引是周建国给他的。\n天亮了。");
    follow(&mut story, &old, Some(&new));
    put(&mut story, "d-1", &facts(vec![fact("周建国", "交出", "路引", "路引是周建国给他的。")]));
    let gone: Vec<_> = withdrawn(&before, &story, "d-1").into_iter().map(|one| one.label).collect();
    assert_eq!(gone, ["路引 特点 一张纸"]);
}

/// A book whose second chapter plans to tell of somebody's journey.
fn with_plan() -> Story {
    let mut story = book(&["那年三月他离家进京。", "他到了京城。"]);
    let journey = json!({
        "id": "e-1", "title": "林深进京", "timestamp": "2077-03-05", "participants": ["林深"], "mode": "flashback",
        "outline_node": "o-2"
    });
    story.timeline_events.push(serde_json::from_value(journey).expect("it is an event"));
    story
}

fn journey(timestamp: &str, confidence: f32) -> Extraction {
    let told = ToldEvent {
        timestamp: timestamp.into(),
        mode: Mode::Flashback,
        confidence,
        ..event("林深离家进京", &["林深"], "那年三月他离家进京。")
    };
    Extraction { events: vec![told], ..Extraction::default() }
}

fn asked(settlement: &Settlement) -> Vec<&str> {
    let candidate = |doubt: &Doubt| match doubt {
        Doubt::Same { of, .. } => of.first().map(|one| one.name.clone()),
        _ => None,
    };
    assert!(settlement.questions.iter().all(|question| candidate(&question.doubt).is_some()));
    settlement.questions.iter().map(|question| question.told.label.as_str()).collect()
}

#[test]
fn an_event_under_another_name_is_asked_about_and_not_doubled() {
    let titles = |story: &Story| story.timeline_events.iter().map(|event| event.title.clone()).collect::<Vec<_>>();
    let mut story = with_plan();
    let settlement = put(&mut story, "d-1", &journey("2077-03-05", 0.9));
    assert_eq!((titles(&story), asked(&settlement)), (vec!["林深进京".to_owned()], vec![]), "at the same time");

    let mut story = with_plan();
    let settlement = put(&mut story, "d-1", &journey("2075-11-02", 0.9));
    assert_eq!(titles(&story), ["林深进京"], "at another time");
    assert_eq!(asked(&settlement), ["林深离家进京"]);
    // The author says that it is another one, and is not asked again.
    put(&mut story, "d-1", &journey("2075-11-02", 1.0));
    assert_eq!(titles(&story), ["林深离家进京", "林深进京"]);
    let settlement = put(&mut story, "d-1", &journey("2075-11-02", 0.9));
    assert_eq!((titles(&story).len(), asked(&settlement)), (2, vec![]));

    // The author says that it is the planned one: the other time is a finding.
    let mut story = with_plan();
    let mut told = journey("2075-11-02", 1.0);
    told.events[0].planned = Some("e-1".into());
    put(&mut story, "d-1", &told);
    assert_eq!(titles(&story), ["林深进京"]);
    assert_eq!(story.documents[0].settled.as_ref().unwrap().differs.len(), 1);
    let settlement = put(&mut story, "d-1", &journey("2075-11-02", 0.9));
    assert_eq!((titles(&story).len(), asked(&settlement)), (1, vec![]), "the chapter told it before");
}

#[test]
fn what_happens_again_is_another_event() {
    let mut story = book(&["林深离开了旧港。", "林深又离开了旧港。"]);
    let told = |quote: &str| Extraction {
        events: vec![event("林深离开旧港", &["林深"], quote)],
        ..Extraction::default()
    };
    put(&mut story, "d-1", &told("林深离开了旧港。"));
    let settlement = put(&mut story, "d-2", &told("林深又离开了旧港。"));
    assert_eq!((story.timeline_events.len(), asked(&settlement)), (2, vec![]));
}

#[test]
fn an_event_without_a_time_stands_behind_those_of_its_chapter() {
    let mut story = book(&["林深走了。", "林深来了。"]);
    let planned = |id: &str, title: &str, timestamp: &str, node: &str| TimelineEvent {
        id: id.into(),
        title: title.into(),
        timestamp: timestamp.into(),
        outline_node: Some(node.into()),
        ..TimelineEvent::default()
    };
    story.timeline_events = vec![planned("e-1", "开头", "第1天", "o-1"), planned("e-2", "后来", "第9天", "第2章 夜2")];
    put(
        &mut story,
        "d-1",
        &Extraction { events: vec![event("告别", &["林深"], "林深走了。")], ..Extraction::default() },
    );
    let titles: Vec<_> = story.timeline_events.iter().map(|event| event.title.as_str()).collect();
    assert_eq!(titles, ["开头", "告别", "后来"]);
}

fn promise(name: &str, action: PromiseAction, quote: &str) -> Extraction {
    let told =
        ToldPromise { name: name.into(), action, quote: quote.into(), confidence: 0.9, ..ToldPromise::default() };
    Extraction { promises: vec![told], ..Extraction::default() }
}

#[test]
fn plants_of_the_outline_and_promises_of_the_text_are_one_list() {
    let planned = || {
        let mut story = book(&["铜钥匙上有个缺口。", "缺口还在。"]);
        story.outline_nodes[0].plants = vec!["铜钥匙的缺口".into()];
        story
    };
    let names = |story: &Story| story.promises.iter().map(|promise| promise.name.clone()).collect::<Vec<_>>();
    let mut story = planned();
    let settlement = put(&mut story, "d-1", &promise("钥匙缺口", PromiseAction::Planted, "铜钥匙上有个缺口。"));
    assert_eq!((names(&story).len(), asked(&settlement)), (0, vec!["钥匙缺口"]));
    let Doubt::Same { of, .. } = &settlement.questions[0].doubt else { panic!() };
    assert_eq!((of[0].id.as_str(), of[0].name.as_str()), ("铜钥匙的缺口", "铜钥匙的缺口"));

    put(&mut story, "d-1", &promise("铜钥匙的缺口", PromiseAction::Planted, "铜钥匙上有个缺口。"));
    let settlement = put(&mut story, "d-2", &promise("钥匙的缺口", PromiseAction::Planted, "缺口还在。"));
    assert_eq!((names(&story), asked(&settlement)), (vec!["铜钥匙的缺口".to_owned()], vec!["钥匙的缺口"]));

    // The reader names a plant that no chapter was said to plant.
    let mut story = planned();
    let settlement = put(&mut story, "d-2", &promise("铜钥匙的缺口", PromiseAction::Advanced, "缺口还在。"));
    assert_eq!(settlement.questions, []);
    assert_eq!((&story.promises[0].planted, &story.promises[0].advanced), (&vec!["o-1".into()], &vec!["d-2".into()]));
}
