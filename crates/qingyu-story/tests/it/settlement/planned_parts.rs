//! What a chapter leaves open of a planned event that it tells: who took part, and how it went.

use std::borrow::Cow;

use qingyu_story::settlement::extraction::ToldEvent;
use qingyu_story::settlement::{Extraction, recall, told_description};
use qingyu_story::telling::Telling;
use qingyu_story::truth::{Question, ask};
use qingyu_story::{Mode, Story, TimelineEvent};

use super::{book, event, put};

#[test]
fn planned_hearsay_is_described_by_the_chapter_in_which_somebody_says_it() {
    let zh = ("“领江抱来交给我的。”林深说。", "领江把像交给林深，托他还回去。");
    let en = ("“He brought it to me,” 林深 said.", "He gave 林深 the statue, to be given back.");
    for ((quote, description), by) in [(zh, Some("林深")), (en, Some("林深")), (zh, None), (en, None)] {
        let mut story = book(&[quote]);
        story.timeline_events = vec![TimelineEvent {
            id: "e-1".into(),
            title: "托像".into(),
            description: "周建国把像交给林深。".into(),
            participants: vec!["林深".into(), "周建国".into()],
            outline_node: Some("o-1".into()),
            mode: Mode::Said,
            ..TimelineEvent::default()
        }];
        let told = ToldEvent {
            planned: Some("托像".into()),
            mode: Mode::Said,
            by: by.map(str::to_owned),
            description: description.into(),
            ..event("托像", &["林深"], quote)
        };
        put(&mut story, "d-1", &Extraction { events: vec![told], ..Extraction::default() });
        let shown = |story: &Story| told_description(story, &story.timeline_events[0]).map(Cow::into_owned);
        let expected = by.map(|_| description.to_owned());
        assert_eq!(shown(&story), expected, "{quote} {by:?}");
        let recalled = recall(&story, "d-1").expect("it is settled");
        put(&mut story, "d-1", &recalled);
        assert_eq!(shown(&story), expected, "what is known of the chapter is not forgotten: {quote} {by:?}");
    }
}

#[test]
fn the_people_of_an_event_are_planned_until_a_text_names_them() {
    let zh = ["簿子上只有一行：旧港的闸夜里开过。", "开闸的是周建国。"];
    let en = ["The book had one line: the gate was opened at night.", "It was 周建国 who had opened the gate."];
    for texts in [zh, en] {
        let mut story = book(&texts);
        story.timeline_events = vec![TimelineEvent {
            id: "e-1".into(),
            title: "开闸".into(),
            participants: vec!["周建国".into()],
            location: Some("旧港".into()),
            ..TimelineEvent::default()
        }];
        let read = |story: &mut Story, document: &str, people: &[&str], quote: &str| {
            let told =
                ToldEvent { planned: Some("开闸".into()), mode: Mode::Flashback, ..event("开闸", people, quote) };
            put(story, document, &Extraction { events: vec![told], ..Extraction::default() });
        };
        let is_planned = |story: &Story| {
            let question = Question { about: Some("周建国".into()), ..Question::default() };
            let answers = ask(story, &question).expect("it is a question");
            let mut parts =
                answers.iter().filter(|answer| ["takes_part", "is_at"].contains(&answer.predicate.as_str()));
            assert_eq!(parts.clone().count(), 2, "{answers:?}");
            parts.all(|answer| answer.telling == Telling::Planned)
        };
        read(&mut story, "d-1", &[], texts[0]);
        assert!(is_planned(&story), "nobody is named: {}", texts[0]);
        let recalled = recall(&story, "d-1").expect("it is settled");
        put(&mut story, "d-1", &recalled);
        assert!(is_planned(&story), "what is known of the chapter is not forgotten: {}", texts[0]);
        read(&mut story, "d-2", &["周建国"], texts[1]);
        assert!(!is_planned(&story), "a later chapter names them: {}", texts[1]);
    }
}
