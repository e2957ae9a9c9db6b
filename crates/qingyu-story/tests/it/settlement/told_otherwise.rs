//! What chapters tell otherwise than planned.

use qingyu_story::check::StoryChecker;
use qingyu_story::settlement::extraction::ToldEvent;
use qingyu_story::settlement::{Extraction, Reason, as_described, recall, told_description, told_events, withdraw};
use qingyu_story::{
    Config, Edit, EditTarget, Finding, Location, Mode, PieceKind, Story, TimelineEvent, edit, findings,
};
use serde_json::json;

use super::{book, event, fact, facts, put, reasons};

/// Returns the questions whether the plan or the text is right.
fn questions(story: &Story) -> Vec<Finding> {
    let found = findings(story, &Config::default()).into_iter();
    found.filter(|one| one.issue.code.as_deref() == Some("QY316")).collect()
}

#[test]
fn what_is_told_otherwise_than_planned_is_a_finding_until_one_of_both_gives_way() {
    let mut story = book(&["八月十二，林深走进旧港。"]);
    let court = Location { id: "l-2".into(), name: "大理寺".into(), ..Location::default() };
    story.worldview.get_or_insert_default().locations.push(court);
    story.timeline_events = vec![TimelineEvent {
        id: "e-1".into(),
        title: "抵港".into(),
        timestamp: "景和十七年八月初七".into(),
        location: Some("大理寺".into()),
        outline_node: Some("o-1".into()),
        ..TimelineEvent::default()
    }];
    let told = ToldEvent {
        planned: Some("抵港".into()),
        timestamp: "八月十二".into(),
        location: Some("旧港".into()),
        ..event("林深到旧港", &["林深"], "八月十二，林深走进旧港。")
    };
    let reading = Extraction { events: vec![told], ..Extraction::default() };
    put(&mut story, "d-1", &reading);
    assert_eq!(story.timeline_events.len(), 1, "it is the planned event under another name");
    assert_eq!(questions(&story).len(), 2, "when and where");
    let mut followed = story.clone();
    followed.timeline_events[0].timestamp = "景和十七年八月十二".into();
    followed.timeline_events[0].location = Some("旧港".into());
    assert_eq!(questions(&followed).len(), 0);
    let recalled = recall(&story, "d-1").unwrap();
    put(&mut story, "d-1", &recalled);
    assert_eq!(questions(&story).len(), 2, "what is known of the chapter is not forgotten");
    story.documents[0].text = "八月初七，林深走进大理寺。".into();
    assert_eq!(questions(&story).len(), 0, "the words are gone");
}

#[test]
fn hearsay_of_the_plan_that_the_text_shows_to_be_a_lie_is_a_lie_as_long_as_it_says_so() {
    for quote in ["林深说他在滩上捡到了罗盘。", "“I found it on the beach,” 林深 said."] {
        let mut story = book(&[quote]);
        let planned = |id: &str, title: &str, mode: Mode| TimelineEvent {
            id: id.into(),
            title: title.into(),
            mode,
            outline_node: Some("o-1".into()),
            ..TimelineEvent::default()
        };
        story.timeline_events = vec![planned("e-1", "拾得", Mode::Said), planned("e-2", "守夜", Mode::Narrated)];
        let told = |title: &str| ToldEvent {
            planned: Some(title.into()),
            mode: Mode::Lied,
            by: Some("林深".into()),
            ..event(title, &["林深"], quote)
        };
        let reading = Extraction { events: vec![told("拾得"), told("守夜")], ..Extraction::default() };
        let modes = |story: &Story| story.timeline_events.iter().map(|event| event.mode).collect::<Vec<_>>();
        let liars = |story: &Story| story.timeline_events.iter().map(|event| event.by.clone()).collect::<Vec<_>>();
        put(&mut story, "d-1", &reading);
        assert_eq!(modes(&story), [Mode::Lied, Mode::Narrated], "{quote}");
        assert_eq!(liars(&story), [Some("林深".into()), None], "{quote}");
        let recalled = recall(&story, "d-1").unwrap();
        put(&mut story, "d-1", &recalled);
        put(&mut story, "d-1", &reading);
        assert_eq!(modes(&story), [Mode::Lied, Mode::Narrated], "{quote}");
        assert_eq!(liars(&story), [Some("林深".into()), None], "{quote}");
        withdraw(&mut story, "d-1").unwrap();
        assert_eq!(modes(&story), [Mode::Said, Mode::Narrated], "{quote}");
        assert_eq!(liars(&story), [None, None], "{quote}");
    }
}

#[test]
fn events_of_one_day_told_on_another_are_one_question() {
    let text = "三月初五，辰时，林深接了货。周建国骂了林深一句。午时，林深答应了周建国。";
    let mut story = book(&[text]);
    let planned = |id: &str, title: &str, hour: &str| TimelineEvent {
        id: id.into(),
        title: title.into(),
        timestamp: format!("万历二十年三月初三 {hour}"),
        outline_node: Some("o-1".into()),
        ..TimelineEvent::default()
    };
    story.timeline_events =
        vec![planned("e-1", "接货", "辰时"), planned("e-2", "骂人", "巳时"), planned("e-3", "许诺", "午时")];
    let told = |title: &str, hour: &str, quote: &str| ToldEvent {
        planned: Some(title.into()),
        timestamp: format!("万历二十年三月初五 {hour}"),
        ..event(title, &["林深"], quote)
    };
    let events = vec![
        told("接货", "辰时", "三月初五，辰时，林深接了货。"),
        told("骂人", "辰时", "周建国骂了林深一句。"),
        told("许诺", "午时", "午时，林深答应了周建国。"),
    ];
    put(&mut story, "d-1", &Extraction { events, ..Extraction::default() });
    let all = questions(&story);
    let [one] = all.as_slice() else { panic!("one date is one question: {all:?}") };
    assert_eq!(one.instructions.len(), 4, "each event follows, or the text is written again");
    assert!(one.issue.title.contains("接货、骂人、许诺"), "{}", one.issue.title);
    for event in &mut story.timeline_events {
        event.timestamp = event.timestamp.replace("初三", "初五");
    }
    let left = questions(&story);
    assert_eq!(left.len(), 1, "the hour of one is another one still: {left:?}");
    story.timeline_events[1].timestamp = "万历二十年三月初五 辰时".into();
    assert_eq!(questions(&story), []);
}

#[test]
fn an_hour_told_otherwise_than_planned_is_a_finding_on_the_planned_day() {
    for (planned, told, follows) in [
        ("1926-06-18 17:00", "下午六点半", Some("1926-06-18 18:30")),
        ("1926-06-18 17:00", "half past six in the evening", Some("1926-06-18 18:30")),
        ("1926-06-18 17:00", "half past six that evening", Some("1926-06-18 18:30")),
        ("1926年6月18日 17:00", "夜里十一点半", Some("1926年6月18日夜里11点半")),
        ("民国十五年五月初九酉时", "亥时", Some("1926年6月18日亥时")),
        ("1926-06-18 17:00", "五月初九下午五点", None),
        ("1926-06-18 17:00", "下午五点一刻", None),
        ("1926-06-18 17:00", "酉时三刻", None),
        ("1926-06-18 17:00", "五点", None),
        ("1926-06-18 17:00", "at five", None),
        // No hour of the clock.
        ("1926-06-18 17:00", "傍晚", None),
        ("1926-06-18 17:00", "夜里", None),
        ("1926-06-18 17:00", "六点左右", None),
        ("1926-06-18 17:00", "about six", None),
        ("1926-06-18 17:00", "toward evening", None),
        ("1926-06-18", "下午六点半", None),
    ] {
        let quote = format!("{told}，林深走进旧港。");
        let mut story = book(&[quote.as_str()]);
        story.timeline_events = vec![TimelineEvent {
            id: "e-1".into(),
            title: "抵港".into(),
            timestamp: planned.into(),
            outline_node: Some("o-1".into()),
            ..TimelineEvent::default()
        }];
        let event =
            ToldEvent {
                planned: Some("抵港".into()), timestamp: told.into(), ..event("抵港", &["林深"], &quote)
            };
        put(&mut story, "d-1", &Extraction { events: vec![event], ..Extraction::default() });
        let found = questions(&story);
        assert_eq!(found.len(), usize::from(follows.is_some()), "{planned}: {told}");
        if let Some((one, follows)) = found.first().zip(follows) {
            assert!(format!("{:?}", one.instructions).contains(follows), "{told}: {:?}", one.instructions);
        }
    }
    // The text has come to another day, and nobody knows which hour of which day is told.
    let text = "林深走进旧港。第二天，下午六点半，周建国来了。";
    let mut story = book(&[text]);
    let at = |id: &str, title: &str, timestamp: &str| TimelineEvent {
        id: id.into(),
        title: title.into(),
        timestamp: timestamp.into(),
        outline_node: Some("o-1".into()),
        ..TimelineEvent::default()
    };
    story.timeline_events = vec![at("e-1", "抵港", "1926-06-18 17:00"), at("e-2", "来人", "1926-06-19 17:00")];
    let told = |title: &str, timestamp: &str, people: &[&str], quote: &str| ToldEvent {
        planned: Some(title.into()),
        timestamp: timestamp.into(),
        ..event(title, people, quote)
    };
    let events = vec![
        told("抵港", "1926-06-18 17:00", &["林深"], "林深走进旧港。"),
        told("来人", "下午六点半", &["周建国"], "下午六点半，周建国来了。"),
    ];
    put(&mut story, "d-1", &Extraction { events, ..Extraction::default() });
    assert_eq!(questions(&story), []);
}

#[test]
fn a_told_date_stands_by_the_sentence_that_gives_it() {
    let text = "八月十二，雨。\n林深走进旧港，没有人等他。\n周建国睡着了。";
    let mut story = book(&[text]);
    story.timeline_events = vec![TimelineEvent {
        id: "e-1".into(),
        title: "抵港".into(),
        timestamp: "景和十七年八月初七".into(),
        outline_node: Some("o-1".into()),
        ..TimelineEvent::default()
    }];
    let told = ToldEvent {
        planned: Some("抵港".into()),
        timestamp: "八月十二".into(),
        ..event("林深到旧港", &["林深"], "林深走进旧港，没有人等他。")
    };
    put(&mut story, "d-1", &Extraction { events: vec![told], ..Extraction::default() });
    let quotes = |story: &Story| -> Vec<String> {
        story.documents[0].settled.as_ref().unwrap().differs.iter().map(|one| one.quote.clone()).collect()
    };
    assert_eq!(quotes(&story), ["八月十二，雨。"]);
    assert_eq!(questions(&story).len(), 1);
    let recalled = recall(&story, "d-1").unwrap();
    put(&mut story, "d-1", &recalled);
    assert_eq!(quotes(&story), ["八月十二，雨。"], "it is not forgotten");
    let events = story.documents[0].settled.as_ref().unwrap().events.clone().unwrap();
    assert_eq!(events[0].quote, "林深走进旧港，没有人等他。", "the words of the event stay its own");
    story.documents[0].text = text.replace("八月十二", "八月初七");
    assert_eq!(questions(&story).len(), 0, "the date is mended, and the event is told as before");
}

#[test]
fn a_date_in_other_words_than_those_of_the_reading_ends_with_its_edit() {
    let text = "六月十二号，雨。\n林深走进旧港，没有人等他。\n周建国睡着了。";
    let mut story = book(&[text]);
    story.timeline_events = vec![TimelineEvent {
        id: "e-1".into(),
        title: "抵港".into(),
        timestamp: "1926年6月7日 19:00".into(),
        outline_node: Some("o-1".into()),
        ..TimelineEvent::default()
    }];
    let told = ToldEvent {
        planned: Some("抵港".into()),
        timestamp: "1926-06-12 19:00".into(),
        ..event("林深到旧港", &["林深"], "林深走进旧港，没有人等他。")
    };
    put(&mut story, "d-1", &Extraction { events: vec![told], ..Extraction::default() });
    assert_eq!(questions(&story).len(), 1);
    assert_eq!(story.documents[0].settled.as_ref().unwrap().differs[0].quote, "六月十二号，雨。");
    story.documents[0].text = text.replace("睡着了", "睡熟了");
    assert_eq!(questions(&story).len(), 1, "another edit");
    story.documents[0].text = text.replace("十二", "七");
    assert_eq!(questions(&story).len(), 0);
    // A record made before the sentence of the date was found in other words.
    story.documents[0].settled.as_mut().unwrap().differs[0].quote = "林深走进旧港，没有人等他。".into();
    assert_eq!(questions(&story).len(), 0, "the planned day stands in the text, and the told one does not");
}

#[test]
fn an_event_in_a_house_of_business_is_not_one_of_something_unknown() {
    let mut story = book(&["林深进了仁和号。"]);
    let world = story.worldview.as_mut().unwrap();
    world.organisations = serde_json::from_value(json!([{ "id": "g-1", "name": "仁和号" }])).unwrap();
    let at = |place: &str| ToldEvent {
        location: Some(place.into()),
        ..event("林深进店", &["林深"], "林深进了仁和号。")
    };
    let settlement = put(&mut story, "d-1", &Extraction { events: vec![at("仁和号")], ..Extraction::default() });
    assert_eq!(reasons(&settlement), [&Reason::NotInText; 0]);
    let settlement = put(&mut story, "d-1", &Extraction { events: vec![at("后院")], ..Extraction::default() });
    assert_eq!(reasons(&settlement), [&Reason::LeftOut { name: "后院".into() }]);
}

#[test]
fn a_place_of_the_plan_has_a_card_once_a_chapter_tells_it() {
    let mut story = book(&["林深进了后院。"]);
    story.outline_nodes[0].location = Some("后院".into());
    let told =
        ToldEvent { location: Some("后院".into()), ..event("林深进院", &["林深"], "林深进了后院。") };
    let reading =
        Extraction { events: vec![told], ..facts(vec![fact("后院", "特点", "荒了", "林深进了后院。")]) };
    let settlement = put(&mut story, "d-1", &reading);
    assert_eq!(reasons(&settlement), [&Reason::NotInText; 0]);
    let cards = |story: &Story| story.locations().iter().filter(|place| place.name == "后院").count();
    let told = story.timeline_events.last().and_then(|event| event.location.as_deref());
    assert_eq!((cards(&story), told, story.facts.len()), (1, Some("后院"), 1));
    let before = story.clone();
    put(&mut story, "d-1", &reading);
    assert_eq!(story, before, "it is the same place when the chapter is read again");
}

/// A planned meeting of three at which one is to die, told with two and nobody dead.
fn met_otherwise() -> (Story, Extraction) {
    let mut story = book(&["林深在旧港等到了阿深的船，没有人死。"]);
    story.timeline_events = vec![TimelineEvent {
        id: "e-1".into(),
        title: "旧港交易".into(),
        description: "周建国死在交易里，林深拿到铜钥匙。".into(),
        participants: vec!["林深".into(), "周建国".into()],
        deaths: vec!["周建国".into()],
        outline_node: Some("o-1".into()),
        ..TimelineEvent::default()
    }];
    let told = ToldEvent {
        planned: Some("旧港交易".into()),
        description: "林深等到了船，没有人来交易。".into(),
        ..event("等船", &["林深"], "林深在旧港等到了阿深的船，没有人死。")
    };
    (story, Extraction { events: vec![told], ..Extraction::default() })
}

#[test]
fn what_has_happened_goes_by_the_text_and_not_by_the_plan() {
    let (mut story, reading) = met_otherwise();
    let planned = story.timeline_events.clone();
    put(&mut story, "d-1", &reading);
    let fields = |story: &Story| -> Vec<(String, String)> {
        let differs = &story.documents[0].settled.as_ref().unwrap().differs;
        differs.iter().map(|one| (one.field.clone(), one.told.clone())).collect()
    };
    let expected = [("description", "林深等到了船，没有人来交易。"), ("participants", "周建国"), ("deaths", "周建国")];
    let expected = expected.map(|(field, told)| (field.to_owned(), told.to_owned()));
    assert_eq!(fields(&story), expected);
    assert_eq!(story.timeline_events, planned, "the plan waits for the author");
    let told = told_events(&story);
    assert_eq!(told[0].description, "林深等到了船，没有人来交易。");
    assert_eq!((told[0].participants.as_slice(), told[0].deaths.len()), (["林深".to_owned()].as_slice(), 0));
    let asked = questions(&story);
    assert_eq!(asked.len(), 2, "the people and the death are asked about, other words are not");
    assert!(asked.iter().all(|one| !one.instructions.is_empty()));
    let recalled = recall(&story, "d-1").unwrap();
    put(&mut story, "d-1", &recalled);
    let mut again = fields(&story);
    again.sort();
    let mut sorted = expected.to_vec();
    sorted.sort();
    assert_eq!(again, sorted, "what is known of the chapter is not forgotten");
    story.documents[0].text = "雨停了。".into();
    assert_eq!(*told_events(&story)[0], planned[0], "the words are gone");
    assert!(questions(&story).is_empty());
    withdraw(&mut story, "d-1").unwrap();
    assert_eq!(story.timeline_events, planned);
}

#[test]
fn of_the_events_planned_for_a_chapter_the_ones_in_its_text_are_told() {
    let (mut story, mut reading) = met_otherwise();
    let event = &mut story.timeline_events[0];
    (event.participants, event.timestamp) = (vec!["林深".into()], "万历二十三年三月初五 亥时".into());
    event.deaths.clear();
    story.timeline_events.push(TimelineEvent {
        id: "e-2".into(),
        title: "报称病故".into(),
        outline_node: Some("o-1".into()),
        ..TimelineEvent::default()
    });
    let states = |story: &Story| {
        let tellings = qingyu_story::telling::Tellings::of(story);
        [0, 1].map(|at| tellings.is_told(&story.timeline_events[at]))
    };
    put(&mut story, "d-1", &reading);
    assert_eq!(states(&story), [true, false]);
    let recalled = recall(&story, "d-1").unwrap();
    put(&mut story, "d-1", &recalled);
    assert_eq!(states(&story), [true, false], "what is known of the chapter is not forgotten");
    reading.events[0].timestamp = "三月初六，亥时".into();
    put(&mut story, "d-1", &reading);
    let told = told_events(&story);
    assert_eq!(told[0].timestamp, "万历二十三年三月初六，亥时", "a day without a year is asked about");
}

#[test]
fn rules_go_by_what_the_text_tells_until_the_author_decides() {
    let (mut story, reading) = met_otherwise();
    story.timeline_events[0].timestamp = "第1天".into();
    story.timeline_events.push(TimelineEvent {
        id: "e-9".into(),
        title: "再会".into(),
        timestamp: "第3天".into(),
        participants: vec!["周建国".into()],
        ..TimelineEvent::default()
    });
    let config = Config::default;
    let has = |story: &Story, code: &str| {
        findings(story, &config()).iter().any(|one| one.issue.code.as_deref() == Some(code))
    };
    assert!(has(&story, "QY201"), "dead by the plan");
    put(&mut story, "d-1", &reading);
    assert!(!has(&story, "QY201") && has(&story, "QY316"), "the text tells of no death");
    let mut checker = StoryChecker::new(story.clone(), config());
    assert_eq!(checker.findings().cloned().collect::<Vec<_>>(), findings(&story, &config()));
    assert_eq!(*checker.story(), story, "the plan waits for the author");
    let fields = [("text".to_owned(), json!("雨停了。"))].into();
    let target = EditTarget::Named("d-1".into());
    let change = edit::apply(&mut story, Edit::Update { kind: PieceKind::Document, target, fields }).unwrap();
    checker.apply(&change).unwrap();
    assert_eq!(checker.findings().cloned().collect::<Vec<_>>(), findings(&story, &config()));
    assert!(has(&story, "QY201"), "the words are gone");
}

#[test]
fn a_plan_that_the_text_follows_has_no_differences() {
    // Named in the text; told elsewhere in the chapter; told by a fact; a chapter that only speaks of the plan.
    let named = {
        let (mut story, reading) = met_otherwise();
        story.documents[0].text = "林深在旧港等到了阿深的船，没有人死。周建国在岸上。".into();
        story.timeline_events[0].deaths.clear();
        (story, reading)
    };
    let elsewhere = {
        let (mut story, mut reading) = met_otherwise();
        let quote = "林深在旧港等到了阿深的船，没有人死。";
        let dies = ToldEvent { deaths: vec!["周建国".into()], ..event("落水", &["周建国"], quote) };
        reading.events.push(dies);
        story.timeline_events[0].description.clear();
        (story, reading)
    };
    let by_fact = {
        let (mut story, mut reading) = met_otherwise();
        story.timeline_events[0].participants = vec!["林深".into()];
        reading.facts = vec![fact("周建国", "dies", true, "林深在旧港等到了阿深的船，没有人死。")];
        (story, reading)
    };
    let spoken = {
        let (story, mut reading) = met_otherwise();
        reading.events[0].mode = Mode::Said;
        (story, reading)
    };
    for (at, (mut story, reading)) in [named, elsewhere, by_fact, spoken].into_iter().enumerate() {
        put(&mut story, "d-1", &reading);
        let differs = &story.documents[0].settled.as_ref().unwrap().differs;
        assert!(differs.iter().all(|one| one.field == "description"), "{at}: {differs:?}");
    }
}

#[test]
fn a_memory_that_its_chapter_tells_is_described_by_the_chapter() {
    let quote = "林深说起那夜在旧港等船。";
    for (mode, is_told) in [(Mode::Flashback, true), (Mode::Said, false)] {
        let mut story = book(&[quote]);
        story.timeline_events = vec![TimelineEvent {
            id: "e-1".into(),
            title: "等船".into(),
            description: "林深和周建国夜里十点在旧港等船。".into(),
            participants: vec!["林深".into(), "周建国".into()],
            outline_node: Some("o-1".into()),
            mode: Mode::Flashback,
            ..TimelineEvent::default()
        }];
        let description = "林深那夜在旧港等船。".to_owned();
        let told =
            ToldEvent { planned: Some("等船".into()), mode, description, ..event("等船", &["林深"], quote) };
        put(&mut story, "d-1", &Extraction { events: vec![told], ..Extraction::default() });
        let told = told_description(&story, &story.timeline_events[0]);
        assert_eq!(told.as_deref(), is_told.then_some("林深那夜在旧港等船。"), "{mode:?}");
        let shown = as_described(&story).timeline_events[0].description.clone();
        assert_eq!(shown.contains("周建国"), !is_told);
        assert_eq!(questions(&story), [], "other words are no question");
    }
}
