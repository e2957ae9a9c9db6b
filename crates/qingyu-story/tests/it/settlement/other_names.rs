//! Cards that a new text still names, and events and promises told under other names.

use qingyu_story::settlement::extraction::{
    Introduced, IntroducedKind, PromiseAction, ToldEvent, ToldFact, ToldPromise,
};
use qingyu_story::settlement::{Doubt, Extraction, Settlement, follow, recall, withdraw, withdrawn};
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

#[test]
fn an_organisation_of_two_names_has_one_card() {
    for (names, other) in
        [(["the Dean mill", "Dean Mill"], "the Dean paper mill"), (["永昌当铺", "永昌当铺"], "永昌记当铺")]
    {
        let text = format!("He passed {}. {} was shut. He saw {other}.", names[0], names[1]);
        let mut story = book(&[&text]);
        let one = |name: &str| Introduced {
            kind: IntroducedKind::Organisation,
            name: name.into(),
            quote: text.clone(),
            confidence: 0.9,
            ..Introduced::default()
        };
        let entities = vec![one(names[0]), one(names[1]), one(other)];
        let settled = put(&mut story, "d-1", &Extraction { entities, ..Extraction::default() });
        let world = story.worldview.as_ref().expect("it has places");
        let cards: Vec<&str> = world.organisations.iter().map(|card| card.name.as_str()).collect();
        assert_eq!(cards, [names[0]], "an article and capitals are no other name");
        let asked: Vec<&Doubt> = settled.questions.iter().map(|question| &question.doubt).collect();
        assert!(
            matches!(asked.as_slice(), [Doubt::Same { name, of }] if name == other && of[0].name == names[0]),
            "{asked:?}"
        );
    }
}

#[test]
fn a_thing_that_gets_a_new_name_is_asked_about() {
    let items = |story: &Story| story.items().iter().map(|item| item.name.clone()).collect::<Vec<_>>();
    let told = |quote: &str, description: &str, confidence| {
        let one = Introduced {
            kind: IntroducedKind::Item,
            name: "霜寒".into(),
            quote: quote.into(),
            description: description.into(),
            confidence,
            ..Introduced::default()
        };
        Extraction { entities: vec![one], ..Extraction::default() }
    };
    for (text, description) in [
        ("林深把铜钥匙改名为霜寒。", ""),
        ("林深收起霜寒。", "原名铜钥匙，林深的钥匙"),
        ("林深收起霜寒。", "once called 铜钥匙"),
    ] {
        let mut story = book(&[text]);
        let settlement = put(&mut story, "d-1", &told(text, description, 0.9));
        assert_eq!((asked(&settlement), items(&story)), (vec!["霜寒"], vec!["铜钥匙".to_owned()]), "{text}");
    }
    // Beside the key, but not the key.
    for (text, confidence) in [("铜钥匙旁边有一把剑，名叫霜寒。", 0.9), ("林深把铜钥匙改名为霜寒。", 1.0)]
    {
        let mut story = book(&[text]);
        let settlement = put(&mut story, "d-1", &told(text, "", confidence));
        assert_eq!((settlement.questions, items(&story)), (vec![], vec!["铜钥匙".to_owned(), "霜寒".into()]), "{text}");
    }
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
    assert_eq!(story.timeline_events[0].alias, ["林深离家进京"]);
    // By that name the next chapter means it too.
    story.documents[1].text = "那年三月他离家进京。".into();
    let settlement = put(&mut story, "d-2", &journey("", 0.9));
    assert_eq!((titles(&story).len(), asked(&settlement)), (1, vec![]));
    let recalled = recall(&story, "d-1").unwrap();
    put(&mut story, "d-1", &recalled);
    assert_eq!(story.timeline_events[0].alias, ["林深离家进京"]);
}

#[test]
fn a_rumour_is_not_what_a_later_chapter_plans_to_tell() {
    let rumour = |mode: Mode, timestamp: &str| {
        let mut told = journey(timestamp, 0.9);
        told.events[0].mode = mode;
        told
    };
    for mode in [Mode::Said, Mode::Believed, Mode::Dreamt, Mode::Lied] {
        for planned in [Mode::Flashback, Mode::Narrated] {
            for timestamp in ["", "2077-03-05"] {
                let mut story = with_plan();
                story.timeline_events[0].mode = planned;
                let settlement = put(&mut story, "d-1", &rumour(mode, timestamp));
                let found = (asked(&settlement), story.timeline_events.len());
                assert_eq!(found, (vec![], 2), "{mode:?} {planned:?} {timestamp}");
            }
        }
    }
    // What the plan itself has as said may be meant.
    let mut story = with_plan();
    story.timeline_events[0].mode = Mode::Said;
    let settlement = put(&mut story, "d-1", &rumour(Mode::Said, ""));
    assert_eq!((asked(&settlement), story.timeline_events.len()), (vec!["林深离家进京"], 1));
}

/// A book of two chapters, in one of which somebody speaks of a night that the plan has under another title.
fn with_planned_night(node: &str) -> Story {
    let mut story = book(&["周建国说，四月十九夜里的事，他看见了。", "周建国说，四月十九夜里的事，他看见了。"]);
    let night = json!({
        "id": "e-1", "title": "桥上截杀", "timestamp": "景和十七年四月十九 夜", "participants": ["林深", "周建国"],
        "outline_node": node
    });
    story.timeline_events.push(serde_json::from_value(night).expect("it is an event"));
    story
}

fn spoken_of(title: &str, timestamp: &str, people: &[&str], confidence: f32) -> Extraction {
    let told = ToldEvent {
        timestamp: timestamp.into(),
        mode: Mode::Said,
        by: Some("周建国".into()),
        confidence,
        ..event(title, people, "周建国说，四月十九夜里的事，他看见了。")
    };
    Extraction { events: vec![told], ..Extraction::default() }
}

#[test]
fn an_event_of_which_somebody_speaks_may_be_a_planned_one() {
    let night = "四月十九夜里的事";
    let own: (&str, &str) = ("o-1", "d-1");
    let same: &[&str] = &["周建国"];
    for ((node, document), title, timestamp, people, is_asked) in [
        (own, night, "四月十九夜里", same, true),
        (own, night, "景和十七年四月十九", same, true),
        (own, night, "", same, true),
        (own, night, "四月十九夜里", &[][..], true),
        (("o-1", "d-2"), night, "四月十九夜里", same, true),
        (("o-1", "d-2"), "桥上的截杀", "", same, true),
        (own, night, "四月十九夜里", &["Mara Hale"], false),
        (own, "后来的事", "四月二十 夜", same, false),
        (("o-2", "d-1"), night, "四月十九夜里", same, false),
    ] {
        let mut story = with_planned_night(node);
        let settlement = put(&mut story, document, &spoken_of(title, timestamp, people, 0.9));
        let expected = if is_asked { (vec![title], 1) } else { (vec![], 2) };
        assert_eq!(
            (asked(&settlement), story.timeline_events.len()),
            expected,
            "{title} {timestamp} {people:?} {node}"
        );
    }
    // The author says that it is the planned one, or another, and is not asked again.
    for (planned, count) in [(Some("e-1".to_owned()), 1), (None, 2)] {
        let mut story = with_planned_night("o-1");
        let mut told = spoken_of(night, "四月十九夜里", &["周建国"], 1.0);
        told.events[0].planned = planned;
        for confidence in [1.0, 0.9] {
            told.events[0].confidence = confidence;
            let settlement = put(&mut story, "d-1", &told);
            assert_eq!((asked(&settlement), story.timeline_events.len()), (vec![], count), "{confidence}");
            told.events[0].planned = None;
        }
    }
}

#[test]
fn a_death_told_before_its_chapter_is_the_one_that_is_planned() {
    let mut story = with_plan();
    let planned = |id: &str, title: &str, timestamp: &str, mode: &str, deaths: &[&str]| {
        let event = json!({
            "id": id, "title": title, "timestamp": timestamp, "mode": mode, "deaths": deaths, "participants": ["林深"],
            "outline_node": "第2章 夜2"
        });
        serde_json::from_value(event).expect("it is an event")
    };
    story.timeline_events = vec![
        planned("e-1", "那一夜", "2077-03-05 22:00", "flashback", &["林深"]),
        planned("e-2", "林深离家的信交还", "2077-04-01", "narrated", &[]),
    ];
    let told = |timestamp: &str, title: &str| {
        let mut told = journey(timestamp, 0.9);
        told.events[0].title = title.into();
        told.events[0].deaths = vec!["林深".into()];
        told
    };
    let settlement = put(&mut story, "d-1", &told("2077-03-05", "林深交信"));
    assert_eq!((asked(&settlement), story.timeline_events.len()), (vec![], 2), "nobody dies twice");

    // What the next chapter narrates at another time is not meant.
    story.timeline_events.remove(0);
    story.documents[0].settled = None;
    let settlement = put(&mut story, "d-1", &told("2077-03-05", "林深离家交信"));
    assert_eq!((asked(&settlement), story.timeline_events.len()), (vec![], 2));
}

#[test]
fn a_death_told_under_its_planned_title_is_no_question() {
    for title in ["林深之死", "The death of 林深"] {
        let mut story = with_plan();
        story.timeline_events[0].title = title.into();
        story.timeline_events[0].deaths = vec!["林深".into()];
        story.timeline_events[0].mode = Mode::Said;
        let mut told = journey("景和十七年四月十九", 0.9);
        told.events[0].title = title.into();
        told.events[0].deaths = vec!["林深".into()];
        told.events[0].mode = Mode::Said;
        let settlement = put(&mut story, "d-1", &told);
        assert_eq!((asked(&settlement), story.timeline_events.len()), (vec![], 1));
    }
}

#[test]
fn what_other_people_do_at_another_time_is_no_question() {
    let found = |people: &[&str], mode: Mode, planned: Mode, timestamp: &str| {
        let mut story = with_plan();
        story.timeline_events[0].participants = vec!["林深".into(), "周建国".into()];
        story.timeline_events[0].mode = planned;
        story.timeline_events[0].outline_node = Some("o-1".into());
        let mut told = journey(timestamp, 0.9);
        told.events[0].participants = people.iter().map(|name| (*name).to_owned()).collect();
        told.events[0].mode = mode;
        let settlement = put(&mut story, "d-1", &told);
        (asked(&settlement).len(), story.timeline_events.len())
    };
    let (past, here, lie) = (Mode::Flashback, Mode::Narrated, Mode::Lied);
    let (other, late) = (["林深", "Mara Hale"], "2077-06-05");
    assert_eq!(found(&["林深"], past, past, late), (1, 1), "the same people at another time");
    assert_eq!(found(&other, past, past, ""), (1, 1), "no time is told");
    assert_eq!(found(&other, past, past, late), (0, 2));
    assert_eq!(found(&["林深"], lie, here, late), (0, 2), "a lie about another day");
    assert_eq!(found(&["林深"], here, lie, late), (0, 2));
}

#[test]
fn an_event_of_which_somebody_speaks_is_at_its_planned_hour() {
    let found = |node: &str, planned: &str, by: Option<&str>| {
        let mut story = with_planned_night(node);
        story.timeline_events[0].timestamp = planned.into();
        story.timeline_events[0].mode = Mode::Said;
        story.timeline_events[0].by = by.map(str::to_owned);
        let told = spoken_of("有人按住钟摆", "景和十七年四月十九 酉时", &[], 0.9);
        let settlement = put(&mut story, "d-1", &told);
        (asked(&settlement).len(), story.timeline_events.len())
    };
    let (same, later) = ("景和十七年四月十九 酉时", "景和十七年四月十九 亥时");
    assert_eq!(found("o-1", same, None), (1, 1));
    assert_eq!(found("o-1", later, None), (0, 2), "at another hour");
    assert_eq!(found("o-2", same, None), (0, 2), "what a later chapter tells");
    assert_eq!(found("o-2", same, Some("周建国")), (1, 1), "the same person is to say it");
    assert_eq!(found("o-2", same, Some("林深")), (0, 2));
}

#[test]
fn a_lie_that_is_told_again_keeps_its_time_and_place() {
    let mut story = book(&["林深说他四月十九在苏州看戏。", "“四月十九我在苏州看戏。”林深在旧港又说。"]);
    let lie = |title: &str, timestamp: &str, quote: &str| ToldEvent {
        timestamp: timestamp.into(),
        mode: Mode::Lied,
        by: Some("林深".into()),
        ..event(title, &["林深"], quote)
    };
    let first = lie("林深说在苏州看戏", "景和十七年四月十九", "林深说他四月十九在苏州看戏。");
    put(&mut story, "d-1", &Extraction { events: vec![first], ..Extraction::default() });
    let before = story.timeline_events.clone();
    let second = ToldEvent {
        planned: Some("林深说在苏州看戏".into()),
        location: Some("旧港".into()),
        confidence: 1.0,
        ..lie("又说在苏州看戏", "景和十七年五月初五", "“四月十九我在苏州看戏。”林深在旧港又说。")
    };
    put(&mut story, "d-2", &Extraction { events: vec![second], ..Extraction::default() });
    let [told] = story.timeline_events.as_slice() else { panic!("one lie: {:?}", story.timeline_events) };
    assert_eq!((&told.timestamp, &told.location), (&before[0].timestamp, &None));
    assert!(story.documents[1].settled.as_ref().unwrap().differs.is_empty());
    assert!(story.documents[1].tells(&told.id));
}

#[test]
fn hearsay_of_the_plan_that_a_text_looks_back_on_has_happened() {
    for (quote, course) in
        [("那年三月林深离家进京。", "林深离家进京"), ("林深 had left for the city in March.", "he left")]
    {
        let mut story = book(&[quote]);
        let planned = json!({
            "id": "e-1", "title": "进京", "description": "林深据说进京了。", "participants": ["林深"], "mode": "said",
            "outline_node": "o-1"
        });
        story.timeline_events.push(serde_json::from_value(planned).expect("it is an event"));
        let told = ToldEvent {
            planned: Some("进京".into()),
            description: course.into(),
            mode: Mode::Flashback,
            ..event("进京", &["林深"], quote)
        };
        let reading = Extraction { events: vec![told], ..Extraction::default() };
        for _ in 0..2 {
            put(&mut story, "d-1", &reading);
            assert_eq!(story.timeline_events[0].mode, Mode::Flashback);
            let shown = qingyu_story::settlement::as_described(&story).timeline_events[0].description.clone();
            assert_eq!(shown, course);
        }
        withdraw(&mut story, "d-1").expect("it is settled");
        assert_eq!(story.timeline_events[0].mode, Mode::Said);
    }
}

#[test]
fn two_events_of_one_reading_are_two() {
    let planned = || {
        let mut story = book(&["林深在船里找到木样。他把木样放回旧港，和印子合上了。"]);
        story.timeline_events.push(TimelineEvent {
            id: "e-1".into(),
            title: "船里的木样".into(),
            participants: vec!["林深".into()],
            outline_node: Some("o-1".into()),
            ..TimelineEvent::default()
        });
        story
    };
    let told = |is_listed: bool| {
        let found = ToldEvent {
            planned: Some("船里的木样".into()),
            ..event("船里的木样", &["林深"], "林深在船里找到木样。")
        };
        let fits = event("木样合印", &["林深"], "他把木样放回旧港，和印子合上了。");
        let events = if is_listed { vec![found, fits] } else { vec![fits] };
        Extraction { events, ..Extraction::default() }
    };
    let mut story = planned();
    let settlement = put(&mut story, "d-1", &told(false));
    assert_eq!((story.timeline_events.len(), asked(&settlement)), (1, vec!["木样合印"]), "it may be the planned one");
    for _ in 0..2 {
        let settlement = put(&mut story, "d-1", &told(true));
        assert_eq!((story.timeline_events.len(), asked(&settlement)), (2, vec![]));
    }
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

/// A book whose first chapter has an old compass on a card, with a chapter that speaks of it in other words.
fn with_compass(language: &str, known: &str, text: &str) -> Story {
    let mut story = book(&[text, "天亮了。The night was over."]);
    let item = json!({ "id": "i-2", "name": known });
    story.worldview.as_mut().expect("it has one").items.push(serde_json::from_value(item).expect("it is an item"));
    story.language = serde_json::from_value(json!(language)).expect("it is a language");
    story
}

fn thing(name: &str, quote: &str) -> Extraction {
    let new = Introduced {
        kind: IntroducedKind::Item,
        name: name.into(),
        quote: quote.into(),
        confidence: 0.9,
        ..Introduced::default()
    };
    Extraction { entities: vec![new], ..Extraction::default() }
}

#[test]
fn another_name_stays_while_the_text_uses_it_and_is_listed_when_it_goes() {
    let quote = "林深把黄铜罗盘放在桌上。";
    let mut story = with_compass("zh", "旧罗盘", &format!("{quote}黄铜罗盘很旧。"));
    let mut same = thing("黄铜罗盘", quote);
    same.entities[0].same = Some("i-2".into());
    put(&mut story, "d-1", &same);
    assert_eq!(story.items()[1].alias, ["黄铜罗盘"]);
    let (old, new) = rewrite(&mut story, 0, "林深把黄铜罗盘放在窗上。黄铜罗盘很旧。");
    follow(&mut story, &old, Some(&new));
    assert_eq!(story.items()[1].alias, ["黄铜罗盘"]);
    let recalled = recall(&story, "d-1").unwrap();
    put(&mut story, "d-1", &recalled);
    assert_eq!(story.items()[1].alias, ["黄铜罗盘"]);
    let before = story.clone();
    let (old, new) = rewrite(&mut story, 0, "雨停了。");
    follow(&mut story, &old, Some(&new));
    assert_eq!(story.items()[1].alias, [""; 0]);
    let gone: Vec<_> = withdrawn(&before, &story, "d-1").into_iter().map(|one| one.label).collect();
    assert!(gone.contains(&"旧罗盘又称黄铜罗盘".to_owned()), "{gone:?}");
}

#[test]
fn a_thing_in_other_words_is_asked_about_and_the_answer_is_an_alias() {
    for (language, known, name, text) in [
        ("zh", "旧罗盘", "黄铜罗盘", "林深把黄铜罗盘放在桌上。"),
        ("en", "old compass", "brass compass", "Mara put the brass compass on the table."),
    ] {
        let items = |story: &Story| story.items().iter().map(|item| item.name.clone()).collect::<Vec<_>>();
        let mut story = with_compass(language, known, text);
        let settlement = put(&mut story, "d-1", &thing(name, text));
        assert_eq!((items(&story).len(), asked(&settlement)), (2, vec![name]), "{name}");

        // The author says that it is the same; facts by the other name are about the known thing.
        let mut same = thing(name, text);
        same.entities[0].same = Some("i-2".into());
        same.facts.push(fact(name, "位置", "桌上", text));
        let settlement = put(&mut story, "d-1", &same);
        assert_eq!((items(&story).len(), &settlement.questions, &settlement.rejected), (2, &vec![], &vec![]));
        assert_eq!(story.items()[1].alias, [name]);
        assert_eq!(story.facts[0].subject, known);
        // Neither another reading nor the next chapter asks again.
        let settlement = put(&mut story, "d-1", &thing(name, text));
        assert_eq!((&settlement.questions, &story.items()[1].alias), (&vec![], &vec![name.to_owned()]));
        let settlement = put(&mut story, "d-2", &facts(vec![fact(name, "状态", "碎了", "天亮了。")]));
        assert_eq!((&settlement.questions, &story.facts.last().unwrap().subject), (&vec![], &known.to_owned()));

        // The settlement is recalled whole, and the alias goes with its sentence.
        let recalled = recall(&story, "d-1").unwrap();
        assert_eq!(recalled.entities[0].same.as_deref(), Some(known));
        put(&mut story, "d-1", &recalled);
        assert_eq!(story.items()[1].alias, [name]);
        let (old, new) = rewrite(&mut story, 0, "雨停了。The rain stopped.");
        follow(&mut story, &old, Some(&new));
        assert_eq!(story.items()[1].alias, [""; 0]);

        // The author says that it is another thing.
        let mut story = with_compass(language, known, text);
        let mut new = thing(name, text);
        new.entities[0].confidence = 1.0;
        let settlement = put(&mut story, "d-1", &new);
        assert_eq!((items(&story).last(), asked(&settlement)), (Some(&name.to_owned()), vec![]));
    }
}

#[test]
fn a_thing_that_only_shares_a_noun_is_a_new_one() {
    for (language, known, name, text) in [
        ("zh", "银罗盘", "黄铜罗盘", "林深把黄铜罗盘放在桌上。"),
        ("en", "silver compass", "brass compass", "Mara put the brass compass on the table."),
    ] {
        let mut story = with_compass(language, known, text);
        let settlement = put(&mut story, "d-1", &thing(name, text));
        assert_eq!((story.items().len(), asked(&settlement)), (3, vec![]), "{name}");
    }
}

#[test]
fn a_thing_that_may_be_known_is_asked_about_once() {
    let quote = "林深把旧罗盘放进棺里，针还在动。";
    let mut story = with_compass("zh", "黄铜罗盘", quote);
    let mut told = thing("旧罗盘", quote);
    told.facts = vec![fact("旧罗盘", "位于", "旧港", quote), fact("旧罗盘", "特点", "针还在动", quote)];
    let settlement = put(&mut story, "d-1", &told);
    assert_eq!(asked(&settlement), ["旧罗盘"], "not again for what is said of it");
    // Another thing, says the author: what is said of it comes with it.
    told.entities[0].confidence = 1.0;
    let settlement = put(&mut story, "d-1", &told);
    assert_eq!(asked(&settlement), [""; 0]);
    assert_eq!(story.facts.iter().filter(|fact| fact.subject == "旧罗盘").count(), 2);
}

#[test]
fn a_person_whom_the_reader_knows_by_another_name_gets_no_second_card() {
    let mut story = book(&["老者把铜钥匙递给林深。"]);
    let quote = "老者把铜钥匙递给林深。";
    let mut told = thing("老者", quote);
    told.entities[0].kind = IntroducedKind::Character;
    told.entities[0].same = Some("周建国".into());
    told.facts.push(fact("老者", "年龄", 70, quote));
    let settlement = put(&mut story, "d-1", &told);
    assert_eq!((story.characters.len(), &settlement.questions), (3, &vec![]));
    assert_eq!((&story.characters[1].alias, story.facts[0].subject.as_str()), (&vec!["老者".into()], "周建国"));
    // A name that nobody bears is no answer.
    let mut story = book(&[quote]);
    told.entities[0].same = Some("沈伯安".into());
    put(&mut story, "d-1", &told);
    assert_eq!(story.characters.last().unwrap().name, "老者");
}

#[test]
fn another_given_name_of_one_family_is_asked_about() {
    let quote = "Tess Hale rinsed the glass.";
    let mut story = book(&[quote]);
    let mut told = thing("Tess Hale", quote);
    told.entities[0].kind = IntroducedKind::Character;
    told.entities[0].same = Some("Mara Hale".into());
    let settlement = put(&mut story, "d-1", &told);
    assert_eq!((asked(&settlement), &story.characters[2].alias), (vec!["Tess Hale"], &vec!["Mara".to_owned()]));
    // The author says that it is she.
    told.entities[0].confidence = 1.0;
    let settlement = put(&mut story, "d-1", &told);
    assert_eq!((asked(&settlement), story.characters.len()), (vec![], 3));
    assert!(story.characters[2].alias.contains(&"Tess Hale".into()));
}

#[test]
fn a_promise_by_another_name_is_that_promise_from_then_on() {
    let mut story = book(&["铜钥匙上有个缺口。", "缺口还在。"]);
    story.outline_nodes[0].plants = vec!["铜钥匙的缺口".into()];
    let mut told = promise("钥匙缺口", PromiseAction::Planted, "铜钥匙上有个缺口。");
    told.promises[0].same = Some("铜钥匙的缺口".into());
    let settlement = put(&mut story, "d-1", &told);
    assert_eq!(settlement.questions, []);
    let is_one = |story: &Story| {
        assert_eq!(story.promises.len(), 1);
        assert_eq!(
            (story.promises[0].name.as_str(), &story.promises[0].alias),
            ("铜钥匙的缺口", &vec!["钥匙缺口".into()])
        );
    };
    is_one(&story);
    // The same chapter and a later one tell it by the other name.
    put(&mut story, "d-1", &promise("钥匙缺口", PromiseAction::Planted, "铜钥匙上有个缺口。"));
    let settlement = put(&mut story, "d-2", &promise("钥匙缺口", PromiseAction::Advanced, "缺口还在。"));
    assert_eq!((&settlement.questions, &story.promises[0].advanced), (&vec![], &vec!["d-2".into()]));
    let recalled = recall(&story, "d-1").unwrap();
    put(&mut story, "d-1", &recalled);
    is_one(&story);
}

#[test]
fn a_promise_told_again_in_the_same_words_keeps_its_name_and_its_payment() {
    let quote = "“出殡那天早上，我带本子来，给你从头看。”";
    let mut story = book(&[&format!("{quote}林深点头。"), "周建国把本子推过来：“从头看吧。”"]);
    put(&mut story, "d-1", &promise("出殡早上看本子", PromiseAction::Planted, quote));
    put(&mut story, "d-2", &promise("出殡早上看本子", PromiseAction::Paid, "周建国把本子推过来：“从头看吧。”"));
    let before = story.clone();
    put(&mut story, "d-1", &promise("出殡那天早上带本子来", PromiseAction::Planted, quote));
    assert_eq!(story.promises, before.promises, "one promise, paid as before");
    assert_eq!(withdrawn(&before, &story, "d-1"), []);
    // Another promise in the same words is another one.
    let mut both = promise("出殡早上看本子", PromiseAction::Planted, quote);
    both.promises.extend(promise("林深点头的缘故", PromiseAction::Planted, quote).promises);
    put(&mut story, "d-1", &both);
    let names: Vec<_> = story.promises.iter().map(|promise| promise.name.as_str()).collect();
    assert_eq!(names, ["出殡早上看本子", "林深点头的缘故"]);
}

#[test]
fn what_the_text_tells_of_a_planned_event_is_joined_into_it() {
    for (quote, place, when) in [
        ("林深和阿九在旧港相见。", "旧港", "三月初五"),
        ("Mara met 林深 and Ann at the Old Quay.", "Old Quay", "Day 3"),
    ] {
        let mut story = book(&[quote, "天亮了。"]);
        let planned = json!({ "id": "e-1", "title": "相见", "participants": ["林深"], "outline_node": "o-1" });
        story.timeline_events.push(serde_json::from_value(planned).expect("it is an event"));
        let new = |kind, name: &str| Introduced {
            kind,
            name: name.into(),
            quote: quote.into(),
            confidence: 0.9,
            ..Introduced::default()
        };
        let mut told = Extraction {
            entities: vec![new(IntroducedKind::Character, "阿九")],
            events: vec![ToldEvent {
                planned: Some("相见".into()),
                location: Some(place.into()),
                timestamp: when.into(),
                ..event("会面", &["Mara", "阿九"], quote)
            }],
            ..Extraction::default()
        };
        if place != "旧港" {
            told.entities.push(new(IntroducedKind::Location, place));
        }
        put(&mut story, "d-1", &told);
        let joined = &story.timeline_events[0];
        assert_eq!(joined.participants, ["林深", "Mara Hale", "阿九"]);
        assert_eq!((joined.location.as_deref(), joined.timestamp.as_str()), (Some(place), when));
        assert_eq!(joined.alias, [""; 0], "only the author gives an event another title");
        assert!(story.documents[0].settled.as_ref().unwrap().differs.is_empty());
        // Settled again, with another time: the text's own value is replaced.
        told.events[0].timestamp = "三月初六".into();
        put(&mut story, "d-1", &told);
        assert_eq!(story.timeline_events[0].timestamp, "三月初六");
        assert!(story.documents[0].settled.as_ref().unwrap().differs.is_empty());
        let recalled = recall(&story, "d-1").unwrap();
        let before = story.timeline_events.clone();
        put(&mut story, "d-1", &recalled);
        assert_eq!(story.timeline_events, before);
        // The plan's own time and place stay, and another is a difference.
        story.timeline_events[0].timestamp = "三月初一".into();
        let (old, new) = rewrite(&mut story, 0, "雨停了。");
        follow(&mut story, &old, Some(&new));
        let left = &story.timeline_events[0];
        assert_eq!((left.participants.len(), &left.location, left.timestamp.as_str()), (1, &None, "三月初一"));
    }
}

#[test]
fn what_somebody_means_to_do_has_not_happened() {
    for (text, plan, done) in [
        ("明天一早林深要启程去京城。", "林深启程去京城", "林深启程去了京城。"),
        ("Mara will leave for the city tomorrow.", "Mara leaves for the city", "Mara left for the city."),
    ] {
        let who = if plan.contains("Mara") { "Mara Hale" } else { "林深" };
        let mut story = book(&[text, done]);
        let told = |quote: &str| Extraction { events: vec![event(plan, &[who], quote)], ..Extraction::default() };
        put(&mut story, "d-1", &told(text));
        assert_eq!(story.timeline_events[0].mode, Mode::Planned, "{text}");
        // It happens in the next chapter: another event, and nobody is asked.
        let settlement = put(&mut story, "d-2", &told(done));
        assert_eq!(asked(&settlement), [""; 0]);
        let modes: Vec<_> = story.timeline_events.iter().map(|event| event.mode).collect();
        assert_eq!(modes, [Mode::Planned, Mode::Narrated], "{text}");
    }
    let mut story = book(&["周建国把铜钥匙交给林深，说明天再来取。"]);
    let quote = "周建国把铜钥匙交给林深，说明天再来取。";
    let holds =
        ToldFact { object: Some("铜钥匙".into()), value: json!(null), ..fact("林深", "持有", "", quote) };
    let told = Extraction {
        events: vec![event("周建国交出铜钥匙", &["周建国"], quote)],
        facts: vec![holds, fact("周建国", "去向", "明天进京", "明天进京")],
        ..Extraction::default()
    };
    put(&mut story, "d-1", &told);
    assert_eq!((story.timeline_events[0].mode, story.facts[0].mode), (Mode::Narrated, Mode::Narrated));
}
