//! The dead whom a chapter only remembers take no part in its events; those who really appear do.

use qingyu_story::settlement::extraction::ToldEvent;
use qingyu_story::settlement::{Extraction, Reason, recall};
use qingyu_story::{Location, Story, TimelineEvent, findings};

use super::{book, event, fact, facts, put};

/// A book whose first chapter tells the death of somebody, and a second chapter read with them among the participants.
fn after_a_death(death: (&str, &str), text: &str, people: &[&str]) -> (Story, Vec<Reason>) {
    let (who, sentence) = death;
    let mut story = book(&[sentence, text]);
    put(&mut story, "d-1", &facts(vec![fact(who, "dies", true, sentence)]));
    let events = vec![event("夜谈", people, text)];
    let settlement = put(&mut story, "d-2", &Extraction { events, ..Extraction::default() });
    (story, settlement.rejected.into_iter().map(|rejected| rejected.reason).collect())
}

fn acts_after_death(story: &Story) -> usize {
    let found = findings(story, &qingyu_story::Config::default());
    found.into_iter().filter(|one| one.issue.code.as_deref() == Some("QY201")).count()
}

#[test]
fn the_dead_of_whom_a_chapter_only_speaks_are_not_present() {
    let zh = ("周建国", "周建国死了。");
    let en = ("Mara Hale", "Mara Hale died that night.");
    let cases = [
        (zh, "林深想起周建国，一夜没有睡。", ["林深", "周建国"]),
        (zh, "林深像周建国当年一样，把灯芯剪短。", ["林深", "周建国"]),
        (zh, "林深拆开周建国的信，读了两遍。", ["林深", "周建国"]),
        (zh, "“周建国不会回来了。”林深说。", ["林深", "周建国"]),
        (zh, "林深在周建国的墓前站了很久。", ["林深", "周建国"]),
        (en, "林深 remembered Mara and put out the lamp.", ["林深", "Mara Hale"]),
        (en, "林深 opened the letter from Mara.", ["林深", "Mara Hale"]),
    ];
    for (death, text, people) in cases {
        let (story, reasons) = after_a_death(death, text, &people);
        let told = story.timeline_events.last().expect("the event is kept");
        assert_eq!(told.participants, ["林深"], "{text}");
        assert_eq!(reasons, [Reason::OnlyMentioned { name: death.0.into() }], "{text}");
        assert_eq!(acts_after_death(&story), 0, "{text}");
    }
}

#[test]
fn whoever_dies_later_is_present_in_an_earlier_chapter() {
    let (early, late) = ("林深想起周建国，一夜没有睡。", "周建国死了。");
    let people = |story: &mut Story| {
        let events = vec![event("夜谈", &["林深", "周建国"], early)];
        let settlement = put(story, "d-1", &Extraction { events, ..Extraction::default() });
        assert!(settlement.rejected.is_empty(), "{:?}", settlement.rejected);
        story.timeline_events.last().expect("the event is kept").participants.clone()
    };
    let mut by_fact = book(&[early, late]);
    put(&mut by_fact, "d-2", &facts(vec![fact("周建国", "dies", true, late)]));
    assert_eq!(people(&mut by_fact), ["林深", "周建国"], "a fact of a later chapter");
    let mut by_event = book(&[early, late]);
    let planned = TimelineEvent {
        id: "e-9".into(),
        title: "出殡".into(),
        deaths: vec!["周建国".into()],
        ..TimelineEvent::default()
    };
    by_event.timeline_events = vec![planned];
    assert_eq!(people(&mut by_event), ["林深", "周建国"], "an event of no chapter");
    let mut by_card = book(&[early, late]);
    let card = by_card.characters.iter_mut().find(|card| card.name == "周建国").expect("it is there");
    card.death = Some("2077-03-05".into());
    assert_eq!(people(&mut by_card), ["林深", "周建国"], "a date on the card may be planned");
}

#[test]
fn the_dead_who_really_appear_are_found() {
    let zh = ("周建国", "周建国死了。");
    let en = ("Mara Hale", "Mara Hale died that night.");
    let cases = [
        (zh, "周建国推开门，林深站了起来。", ["林深", "周建国"]),
        (zh, "林深想起旧事，抬头看见周建国。", ["林深", "周建国"]),
        (zh, "“坐。”周建国说，林深没有动。", ["林深", "周建国"]),
        (en, "Mara opened the door, and 林深 rose.", ["林深", "Mara Hale"]),
    ];
    for (death, text, people) in cases {
        let (story, reasons) = after_a_death(death, text, &people);
        let told = story.timeline_events.last().expect("the event is kept");
        assert_eq!(told.participants.len(), 2, "{text}");
        assert!(reasons.is_empty(), "{text}: {reasons:?}");
    }
    let (mut story, _) = after_a_death(zh, "周建国推开门。", &["周建国"]);
    story.timeline_events.last_mut().expect("it is there").timestamp = "2077-03-09".into();
    story.facts[0].from = "2077-03-05".into();
    assert_eq!(acts_after_death(&story), 1);
}

#[test]
fn somebody_planned_who_is_only_mentioned_is_told_otherwise() {
    let mut story = book(&["林深等到了船，想起周建国。"]);
    story.timeline_events = vec![TimelineEvent {
        id: "e-1".into(),
        title: "旧港交易".into(),
        participants: vec!["林深".into(), "周建国".into()],
        outline_node: Some("o-1".into()),
        ..TimelineEvent::default()
    }];
    let quote = "林深等到了船，想起周建国。";
    let mut told = event("等船", &["林深"], quote);
    told.planned = Some("旧港交易".into());
    put(&mut story, "d-1", &Extraction { events: vec![told], ..Extraction::default() });
    let differs = &story.documents[0].settled.as_ref().expect("it is settled").differs;
    let fields: Vec<_> = differs.iter().map(|one| (one.field.as_str(), one.told.as_str())).collect();
    assert_eq!(fields, [("participants", "周建国")]);
}

#[test]
fn somebody_planned_who_is_in_another_scene_or_place_of_the_chapter_is_told_otherwise() {
    let meets = "林深在旧港等到了船。";
    let lies = "周建国躺在医院里。";
    let is_absent = |text: &str, places: [Option<&str>; 2], together: bool| {
        let mut story = book(&[text]);
        story.timeline_events = vec![TimelineEvent {
            id: "e-1".into(),
            title: "旧港交易".into(),
            participants: vec!["林深".into(), "周建国".into()],
            outline_node: Some("o-1".into()),
            ..TimelineEvent::default()
        }];
        let hospital = Location { id: "l-2".into(), name: "医院".into(), ..Location::default() };
        story.worldview.get_or_insert_default().locations.push(hospital);
        let planned = Some("旧港交易".to_owned());
        let mut here = ToldEvent { planned: planned.clone(), ..event("等船", &["林深"], meets) };
        let mut there = event("养伤", &["周建国"], lies);
        (here.location, there.location) = (places[0].map(str::to_owned), places[1].map(str::to_owned));
        if together {
            there.planned = planned;
        }
        let reading = Extraction { events: vec![here, there], ..Extraction::default() };
        put(&mut story, "d-1", &reading);
        let absent = |story: &Story| {
            let settled = story.documents[0].settled.as_ref().expect("it is settled");
            settled.differs.iter().any(|one| one.field == "participants" && one.told == "周建国")
        };
        let is_absent = absent(&story);
        let recalled = recall(&story, "d-1").expect("it is settled");
        put(&mut story, "d-1", &recalled);
        assert_eq!(absent(&story), is_absent, "what is known of the chapter is not forgotten: {text}");
        is_absent
    };
    let apart = format!("{meets}\n\n***\n\n{lies}");
    let one = format!("{meets}\n\n{lies}");
    assert!(is_absent(&apart, [None, None], false), "another scene");
    assert!(is_absent(&one, [Some("旧港"), Some("医院")], false), "another place");
    assert!(!is_absent(&one, [None, None], false), "perhaps the same scene");
    assert!(!is_absent(&apart, [None, None], true), "two parts of one event");
    let shown = format!("{meets}周建国走上船来。\n\n***\n\n{lies}");
    assert!(!is_absent(&shown, [None, None], false), "the text shows them there");
}

#[test]
fn somebody_planned_who_is_there_at_another_hour_of_the_chapter_is_told_otherwise() {
    let (meets, leaves) = ("当晚八点，林深在旧港等到了船。", "上午十点，周建国从旧港走了。");
    let is_absent = |evening: &str, times: [&str; 2]| {
        let text = format!("{leaves}\n\n{evening}");
        let mut story = book(&[&text]);
        story.timeline_events = vec![TimelineEvent {
            id: "e-1".into(),
            title: "旧港交易".into(),
            participants: vec!["林深".into(), "周建国".into()],
            outline_node: Some("o-1".into()),
            ..TimelineEvent::default()
        }];
        if let Some(card) = story.characters.iter_mut().find(|card| card.name == "周建国") {
            card.occupation = "货郎".into();
        }
        let planned = Some("旧港交易".to_owned());
        let mut here = ToldEvent { planned, ..event("等船", &["林深"], meets) };
        let mut there = event("离开", &["周建国"], leaves);
        (there.timestamp, here.timestamp) = (times[0].to_owned(), times[1].to_owned());
        put(&mut story, "d-1", &Extraction { events: vec![there, here], ..Extraction::default() });
        let settled = story.documents[0].settled.as_ref().expect("it is settled");
        settled.differs.iter().any(|one| one.field == "participants" && one.told == "周建国")
    };
    let hours = ["上午十点", "当晚八点"];
    for (evening, times, expected) in [
        (meets.to_owned(), hours, true),
        (format!("{meets}“周建国给了我九块钱。”林深说。"), hours, true),
        (format!("{meets}周建国走上船来。"), hours, false),
        (format!("{meets}货郎走上船来。"), hours, false),
        (meets.to_owned(), ["晚上八点", "当晚八点"], false),
        (meets.to_owned(), ["", ""], false),
    ] {
        assert_eq!(is_absent(&evening, times), expected, "{evening} {times:?}");
    }
}

#[test]
fn somebody_planned_who_is_in_another_event_at_the_planned_place_is_there() {
    let (asks, says) = ("林深在旧港向周建国要钥匙。", "亥时，林深在账房听Mara说了半句真话。");
    let is_absent = |place: Option<&str>, people: &[&str]| {
        let mut story = book(&[&format!("{asks}\n\n***\n\n{says}")]);
        story.timeline_events = vec![TimelineEvent {
            id: "e-1".into(),
            title: "半句真话".into(),
            location: Some("旧港".into()),
            participants: vec!["林深".into(), "周建国".into(), "Mara Hale".into()],
            outline_node: Some("o-1".into()),
            ..TimelineEvent::default()
        }];
        let other = ToldEvent { location: place.map(str::to_owned), ..event("要钥匙", people, asks) };
        let told =
            ToldEvent { planned: Some("半句真话".into()), ..event("夜谈", &["林深", "Mara Hale"], says) };
        put(&mut story, "d-1", &Extraction { events: vec![other, told], ..Extraction::default() });
        let settled = story.documents[0].settled.as_ref().expect("it is settled");
        settled.differs.iter().any(|one| one.field == "participants" && one.told == "周建国")
    };
    assert!(!is_absent(Some("旧港"), &["林深", "周建国"]), "the plan has both as one event");
    assert!(is_absent(None, &["林深", "周建国"]), "nobody says where");
}
