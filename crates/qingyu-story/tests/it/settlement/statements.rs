//! Which statements become pieces, which are asked about, and which are not believed.

use qingyu_story::check::StoryChecker;
use qingyu_story::settlement::extraction::{
    Introduced, IntroducedKind, Learns, PromiseAction, ToldEvent, ToldFact, ToldPromise,
};
use qingyu_story::settlement::{
    Doubt, Extraction, Reason, Stays, as_described, complete, recall, told_description, told_events, withdraw,
};
use qingyu_story::{Edit, EditTarget, Fact, Location, Mode, PieceKind, Promise, Story, TimelineEvent, edit, findings};
use serde_json::json;

use super::{Settlement, book, event, fact, facts, lines, put};

fn reasons(settlement: &Settlement) -> Vec<&Reason> {
    settlement.rejected.iter().map(|rejected| &rejected.reason).collect()
}

#[test]
fn a_statement_becomes_a_fact_with_its_sentence_and_the_time_of_the_chapter() {
    let mut story = book(&["雨停了。\n林深今年 二十六岁。"]);
    let told = facts(vec![ToldFact {
        known_by: vec![Learns { who: "周建国".into(), how: "听说".into() }],
        unit: "岁".into(),
        ..fact("阿深", "年龄", "二十六", "林深今年二十六岁。")
    }]);
    let settlement = put(&mut story, "正文1", &told);
    assert_eq!((settlement.made.len(), settlement.rejected.len(), settlement.questions.len()), (1, 0, 0));
    let [made] = story.facts.as_slice() else { panic!() };
    assert_eq!((made.id.as_str(), made.subject.as_str(), &made.value), ("f-1", "林深", &json!(26)));
    assert_eq!((made.from.as_str(), made.until.as_str()), ("第1章 夜1", ""));
    let source = made.source.as_ref().unwrap();
    assert_eq!((source.document.as_str(), source.version, source.start, source.end), ("d-1", 1, Some(5), Some(15)));
    assert_eq!(source.quote, "林深今年 二十六岁。");
    assert_eq!(made.known_by[0].who, "周建国");
    let record = story.documents[0].settled.as_ref().unwrap();
    assert_eq!((record.version, record.made.len()), (1, 1));
}

#[test]
fn words_that_are_not_there_and_people_whom_nobody_knows_are_refused() {
    let mut story = book(&["林深二十六岁。老王来了。"]);
    let told = facts(vec![
        fact("林深", "年龄", 31, "林深三十一岁。"),
        fact("老王", "年龄", 60, "老王来了。"),
        fact("", "年龄", 60, "老王来了。"),
    ]);
    let settlement = put(&mut story, "d-1", &told);
    let unknown = Reason::Unknown { name: "老王".into() };
    assert_eq!(
        reasons(&settlement),
        [&Reason::NotInText, &unknown, &Reason::Empty]
            .into_iter()
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .collect::<Vec<_>>()
    );
    assert!(story.facts.is_empty());
}

#[test]
fn confidence_decides_between_accepting_warning_and_asking() {
    let mut story = book(&["林深二十六岁。"]);
    let with =
        |confidence, value: i64| ToldFact { confidence, ..fact("林深", "年龄", value, "林深二十六岁") };
    let settlement =
        put(&mut story, "d-1", &facts(vec![with(0.8, 26), with(0.79, 27), with(0.49, 28), with(f32::NAN, 29)]));
    assert_eq!(lines(&story), ["f-1 林深 年龄 26", "f-2 林深 年龄 27"]);
    assert_eq!(settlement.doubtful.len(), 1);
    let doubts: Vec<_> = settlement.questions.iter().map(|question| &question.doubt).collect();
    assert_eq!(doubts, [&Doubt::Unsure, &Doubt::Unsure]);
}

#[test]
fn whoever_is_introduced_gets_a_card_and_whoever_is_called_alike_is_asked_about() {
    let mut story = book(&["老周和阿九来了。阿九十九岁。林深是记者。"]);
    let new = |name: &str| Introduced {
        name: name.into(),
        quote: "老周和阿九来了。".into(),
        confidence: 0.9,
        kind: IntroducedKind::Character,
        ..Introduced::default()
    };
    let told = Extraction {
        entities: vec![new("老周"), new("阿九"), new("林深")],
        facts: vec![fact("阿九", "年龄", 19, "阿九十九岁。"), fact("老周", "年龄", 50, "老周和阿九来了。")],
        ..Extraction::default()
    };
    let settlement = put(&mut story, "d-1", &told);
    let cards: Vec<_> = story.characters.iter().map(|card| card.name.as_str()).collect();
    assert_eq!(cards, ["林深", "周建国", "Mara Hale", "阿九"]);
    assert_eq!(lines(&story), ["f-1 阿九 年龄 19"]);
    let [question] = settlement.questions.as_slice() else { panic!("{:?}", settlement.questions) };
    let Doubt::Same { name, of } = &question.doubt else { panic!("{question:?}") };
    assert_eq!((name.as_str(), of[0].id.as_str()), ("老周", "c-2"));
}

#[test]
fn planned_events_and_open_promises_are_not_doubled() {
    let mut story = book(&["林深和周建国在旧港相见。", "铜钥匙还在。"]);
    story.timeline_events.push(
        serde_json::from_value(
            json!({ "id": "e-1", "title": "相见", "participants": ["林深"], "outline_node": "o-1" }),
        )
        .unwrap(),
    );
    story.promises.push(Promise {
        id: "promise-1".into(),
        name: "铜钥匙".into(),
        planted: vec!["o-1".into()],
        ..Promise::default()
    });
    let quote = "林深和周建国在旧港相见。";
    let told = Extraction {
        events: vec![
            ToldEvent { planned: Some("e-1".into()), ..event("旧港会面", &["林深", "周建国"], quote) },
            event("离开", &["林深", "老王"], quote),
        ],
        promises: vec![ToldPromise {
            name: "铜钥匙".into(),
            quote: quote.into(),
            confidence: 1.0,
            ..ToldPromise::default()
        }],
        ..Extraction::default()
    };
    let before = story.clone();
    let settlement = put(&mut story, "d-1", &told);
    let events: Vec<_> =
        story.timeline_events.iter().map(|event| (event.title.as_str(), event.participants.len())).collect();
    assert_eq!(events, [("相见", 2), ("离开", 1)]);
    assert_eq!(reasons(&settlement), [&Reason::LeftOut { name: "老王".into() }]);
    assert_eq!(story.promises[0].planted, ["o-1"], "it is planted in this chapter already");
    let later = |action| Extraction {
        promises: vec![
            ToldPromise {
                name: "铜钥匙".into(),
                action,
                quote: "铜钥匙还在。".into(),
                confidence: 1.0,
                ..ToldPromise::default()
            },
            ToldPromise {
                name: "旧债".into(),
                action,
                quote: "铜钥匙还在。".into(),
                confidence: 1.0,
                ..ToldPromise::default()
            },
        ],
        ..Extraction::default()
    };
    let settlement = put(&mut story, "d-2", &later(PromiseAction::Advanced));
    assert_eq!(story.promises[0].advanced, ["d-2"]);
    assert_eq!(settlement.questions[0].doubt, Doubt::WhichPromise { name: "旧债".into() });
    put(&mut story, "d-2", &later(PromiseAction::Paid));
    assert_eq!((story.promises[0].advanced.len(), story.promises[0].paid.len()), (0, 1));
    withdraw(&mut story, "d-2").unwrap();
    withdraw(&mut story, "d-1").unwrap();
    assert_eq!((story.timeline_events, story.promises), (before.timeline_events, before.promises));
}

#[test]
fn what_is_told_in_another_way_keeps_its_way() {
    let mut story = book(&["“林深三十一岁了。”周建国说。"]);
    let told = ToldFact {
        mode: Mode::Said, by: Some("周建国".into()), ..fact("林深", "年龄", 31, "林深三十一岁了")
    };
    put(&mut story, "d-1", &facts(vec![told]));
    let made = &story.facts[0];
    assert_eq!((made.mode, made.by.as_deref(), made.from.as_str()), (Mode::Said, Some("周建国"), ""));
}

#[test]
fn a_fact_that_is_there_gains_only_who_learns_it() {
    let mut story = book(&["周建国知道了林深是记者。", "林深是记者。"]);
    story.facts.push(Fact {
        id: "f-9".into(),
        subject: "林深".into(),
        predicate: "职业".into(),
        value: "记者".into(),
        ..Fact::default()
    });
    let before = story.facts.clone();
    let told = facts(vec![ToldFact {
        known_by: vec![Learns { who: "周建国".into(), how: "得知".into() }],
        ..fact("林深", "occupation", "记者", "林深是记者")
    }]);
    put(&mut story, "d-1", &told);
    assert_eq!((story.facts.len(), story.facts[0].known_by.len()), (1, 1));
    assert_eq!(story.documents[0].settled.as_ref().unwrap().retold.len(), 1);
    withdraw(&mut story, "d-1").unwrap();
    assert_eq!(story.facts, before);
}

#[test]
fn a_thing_given_away_again_after_its_return_is_given_away_twice() {
    let [first, back, second] =
        ["林深把铜钥匙交给周建国。", "周建国又把铜钥匙放回林深手里。", "林深把铜钥匙放在Mara面前。"];
    let told = |predicate: &str, quote: &str, who: &str| ToldFact {
        object: Some("铜钥匙".into()),
        known_by: vec![Learns { who: who.into(), how: "看见".into() }],
        ..fact("林深", predicate, json!(null), quote)
    };
    let given = told("交出", first, "周建国");
    let given_again = told("交出", second, "Mara Hale");
    let cases: [(Vec<ToldFact>, &[&[&str]]); 4] = [
        (vec![given.clone(), told("得到", back, "周建国"), given_again.clone()], &[&["周建国"], &["Mara Hale"]]),
        (vec![given.clone(), given_again.clone(), told("得到", back, "周建国")], &[&["周建国"], &["Mara Hale"]]),
        (vec![given.clone(), given_again], &[&["周建国", "Mara Hale"]]),
        (vec![given, told("得到", back, "周建国"), told("交出", first, "Mara Hale")], &[&["周建国", "Mara Hale"]]),
    ];
    for (readings, expected) in cases {
        let mut story = book(&[&[first, back, second].join("\n")]);
        put(&mut story, "d-1", &facts(readings));
        let given = story.facts.iter().filter(|fact| fact.predicate == "交出");
        let knowers: Vec<Vec<&str>> =
            given.map(|fact| fact.known_by.iter().map(|knower| knower.who.as_str()).collect()).collect();
        assert_eq!(knowers, expected);
    }
}

#[test]
fn a_fact_that_two_chapters_tell_outlives_the_first() {
    let mut story = book(&["旧港的城墙高三丈。", "城墙高三丈。"]);
    let told = |quote: &str| facts(vec![ToldFact { unit: "丈".into(), ..fact("旧港", "height", 3, quote) }]);
    put(&mut story, "d-1", &told("城墙高三丈"));
    put(&mut story, "d-2", &told("城墙高三丈"));
    assert_eq!(lines(&story), ["f-1 旧港 height 3丈"]);
    let kept = withdraw(&mut story, "d-1").unwrap();
    assert_eq!(kept[0].why, Stays::Retold { by: "d-2".into() });
    assert_eq!(story.facts[0].source.as_ref().unwrap().document, "d-2");
    assert!(withdraw(&mut story, "d-2").unwrap().is_empty());
    assert!(story.facts.is_empty());
}

#[test]
fn what_somebody_changed_and_what_others_need_stays() {
    let mut story = book(&["阿九十九岁，是林深的邻居。", "阿九二十岁。"]);
    let new = Introduced { name: "阿九".into(), quote: "阿九".into(), confidence: 1.0, ..Introduced::default() };
    let told = Extraction {
        entities: vec![new],
        facts: vec![fact("阿九", "年龄", 19, "阿九十九岁"), fact("阿九", "职业", "邻居", "是林深的邻居")],
        ..Extraction::default()
    };
    put(&mut story, "d-1", &told);
    put(&mut story, "d-2", &facts(vec![fact("阿九", "年龄", 20, "阿九二十岁")]));
    story.facts[1].value = "对门邻居".into();
    // Settled again, the author's word stands.
    put(&mut story, "d-1", &told);
    assert_eq!(lines(&story), ["f-1 阿九 年龄 19", "f-2 阿九 职业 对门邻居", "f-3 阿九 年龄 20"]);
    let kept = withdraw(&mut story, "d-1").unwrap();
    let why: Vec<_> = kept.iter().map(|kept| (kept.id.as_str(), matches!(kept.why, Stays::Changed))).collect();
    assert_eq!(why, [("f-2", true), ("c-4", false)]);
    assert_eq!(lines(&story), ["f-2 阿九 职业 对门邻居", "f-3 阿九 年龄 20"]);
    // What the author took out stays out.
    let mut story = book(&["林深二十六岁。"]);
    let told = facts(vec![fact("林深", "年龄", 26, "林深二十六岁")]);
    put(&mut story, "d-1", &told);
    story.facts.clear();
    assert_eq!(reasons(&put(&mut story, "d-1", &told)), [&Reason::TakenOut]);
    assert!(story.facts.is_empty());
}

#[test]
fn a_card_that_another_chapter_needs_becomes_that_chapters() {
    let mut story = book(&["阿九来了。", "阿九二十岁。"]);
    let new = Introduced { name: "阿九".into(), quote: "阿九".into(), confidence: 1.0, ..Introduced::default() };
    put(&mut story, "d-1", &Extraction { entities: vec![new], ..Extraction::default() });
    put(&mut story, "d-2", &facts(vec![fact("阿九", "年龄", 20, "阿九二十岁")]));
    withdraw(&mut story, "d-1").unwrap();
    assert_eq!(story.characters.len(), 4);
    withdraw(&mut story, "d-2").unwrap();
    assert_eq!(story.characters.len(), 3);
}

#[test]
fn the_rules_add_what_a_reader_leaves_out_and_ask_where_they_disagree() {
    let mut story = book(&["林深今年二十六岁。周建国死了。周建国生于一九八七年。"]);
    let told = facts(vec![
        fact("林深", "年龄", 31, "林深今年二十六岁。"),
        fact("周建国", "birth", "1987", "周建国生于一九八七年"),
    ]);
    let completed = complete(&story, "d-1", told, Default::default()).unwrap();
    let added: Vec<_> = completed.facts[2..].iter().map(|fact| (fact.predicate.as_str(), fact.confidence)).collect();
    assert!(matches!(added[..], [("age", against), ("dies", missing)] if against < 0.5 && missing > 0.5), "{added:?}");
    let settlement = put(&mut story, "d-1", &completed);
    assert_eq!(settlement.questions.len(), 1);
    assert_eq!(lines(&story), ["f-1 林深 年龄 31", "f-2 周建国 birth 1987", "f-3 周建国 dies true"]);
}

#[test]
fn a_death_that_a_sentence_only_reports_is_a_claim_of_its_teller() {
    let quote = "林深说周建国死了。";
    let mut story = book(&[quote]);
    put(&mut story, "d-1", &facts(vec![fact("周建国", "dies", true, quote)]));
    let settled: Vec<_> = story.facts.iter().map(|fact| (fact.mode, fact.by.as_deref())).collect();
    assert_eq!(settled, [(Mode::Said, Some("林深"))]);
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
    let found = |story: &Story| {
        let found = findings(story, &qingyu_story::Config::default());
        found.into_iter().filter(|one| one.issue.code.as_deref() == Some("QY316")).count()
    };
    assert_eq!(found(&story), 2, "when and where");
    let mut followed = story.clone();
    followed.timeline_events[0].timestamp = "景和十七年八月十二".into();
    followed.timeline_events[0].location = Some("旧港".into());
    assert_eq!(found(&followed), 0);
    let recalled = recall(&story, "d-1").unwrap();
    put(&mut story, "d-1", &recalled);
    assert_eq!(found(&story), 2, "what is known of the chapter is not forgotten");
    story.documents[0].text = "八月初七，林深走进大理寺。".into();
    assert_eq!(found(&story), 0, "the words are gone");
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
    let found = |story: &Story| {
        let found = findings(story, &qingyu_story::Config::default()).into_iter();
        found.filter(|one| one.issue.code.as_deref() == Some("QY316")).collect::<Vec<_>>()
    };
    let all = found(&story);
    let [one] = all.as_slice() else { panic!("one date is one question: {all:?}") };
    assert_eq!(one.instructions.len(), 4, "each event follows, or the text is written again");
    assert!(one.issue.title.contains("接货、骂人、许诺"), "{}", one.issue.title);
    for event in &mut story.timeline_events {
        event.timestamp = event.timestamp.replace("初三", "初五");
    }
    let left = found(&story);
    assert_eq!(left.len(), 1, "the hour of one is another one still: {left:?}");
    story.timeline_events[1].timestamp = "万历二十年三月初五 辰时".into();
    assert_eq!(found(&story), []);
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
        let found = findings(&story, &qingyu_story::Config::default()).into_iter();
        let found: Vec<_> = found.filter(|one| one.issue.code.as_deref() == Some("QY316")).collect();
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
    let found = findings(&story, &qingyu_story::Config::default()).into_iter();
    assert_eq!(found.filter(|one| one.issue.code.as_deref() == Some("QY316")).count(), 0);
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
    let found = |story: &Story| {
        let found = findings(story, &qingyu_story::Config::default());
        found.into_iter().filter(|one| one.issue.code.as_deref() == Some("QY316")).count()
    };
    assert_eq!(found(&story), 1);
    let recalled = recall(&story, "d-1").unwrap();
    put(&mut story, "d-1", &recalled);
    assert_eq!(quotes(&story), ["八月十二，雨。"], "it is not forgotten");
    let events = story.documents[0].settled.as_ref().unwrap().events.clone().unwrap();
    assert_eq!(events[0].quote, "林深走进旧港，没有人等他。", "the words of the event stay its own");
    story.documents[0].text = text.replace("八月十二", "八月初七");
    assert_eq!(found(&story), 0, "the date is mended, and the event is told as before");
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
    let found = |story: &Story| {
        let found = findings(story, &qingyu_story::Config::default());
        found.into_iter().filter(|one| one.issue.code.as_deref() == Some("QY316")).count()
    };
    assert_eq!(found(&story), 1);
    assert_eq!(story.documents[0].settled.as_ref().unwrap().differs[0].quote, "六月十二号，雨。");
    story.documents[0].text = text.replace("睡着了", "睡熟了");
    assert_eq!(found(&story), 1, "another edit");
    story.documents[0].text = text.replace("十二", "七");
    assert_eq!(found(&story), 0);
    // A record made before the sentence of the date was found in other words.
    story.documents[0].settled.as_mut().unwrap().differs[0].quote = "林深走进旧港，没有人等他。".into();
    assert_eq!(found(&story), 0, "the planned day stands in the text, and the told one does not");
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
    let found = |story: &Story| {
        let found = findings(story, &qingyu_story::Config::default());
        let own = found.into_iter().filter(|one| one.issue.code.as_deref() == Some("QY316"));
        own.map(|one| one.instructions[0].specific_instruction.clone()).collect::<Vec<_>>()
    };
    assert_eq!(found(&story).len(), 2, "the people and the death are asked about, other words are not");
    let recalled = recall(&story, "d-1").unwrap();
    put(&mut story, "d-1", &recalled);
    let mut again = fields(&story);
    again.sort();
    let mut sorted = expected.to_vec();
    sorted.sort();
    assert_eq!(again, sorted, "what is known of the chapter is not forgotten");
    story.documents[0].text = "雨停了。".into();
    assert_eq!(*told_events(&story)[0], planned[0], "the words are gone");
    assert!(found(&story).is_empty());
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
    let config = qingyu_story::Config::default;
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
        let found = findings(&story, &qingyu_story::Config::default());
        assert!(found.iter().all(|one| one.issue.code.as_deref() != Some("QY316")), "other words are no question");
    }
}

#[test]
fn events_stand_where_they_happened() {
    let mut story = book(&["八月初三，林深走进旧港。两年前他来过。八月初一他动身。"]);
    let at = |id: &str, title: &str, timestamp: &str| TimelineEvent {
        id: id.into(),
        title: title.into(),
        timestamp: timestamp.into(),
        ..TimelineEvent::default()
    };
    story.timeline_events = vec![at("e-1", "开头", "景和十七年八月初二"), at("e-2", "结尾", "景和十七年八月初九")];
    let told = |title: &str, timestamp: &str, quote: &str| ToldEvent {
        timestamp: timestamp.into(),
        ..event(title, &["林深"], quote)
    };
    let events = vec![
        told("进港", "景和十七年八月初三", "八月初三，林深走进旧港。"),
        told("来过", "景和十五年", "两年前他来过。"),
        told("动身", "景和十七年八月初一", "八月初一他动身。"),
    ];
    let settlement = put(&mut story, "d-1", &Extraction { events, ..Extraction::default() });
    let titles = |story: &Story| story.timeline_events.iter().map(|event| event.title.clone()).collect::<Vec<_>>();
    assert_eq!(titles(&story), ["来过", "动身", "开头", "进港", "结尾"]);
    settlement.change.inverse().apply(&mut story).unwrap();
    assert_eq!(titles(&story), ["开头", "结尾"]);
}

#[test]
fn an_event_that_shares_its_title_with_another_chapters_keeps_its_id() {
    let mut story = book(&["林深走了。", "林深又走了。"]);
    let reading =
        |quote: &str| Extraction { events: vec![event("离开", &["林深"], quote)], ..Extraction::default() };
    put(&mut story, "d-1", &reading("林深走了。"));
    put(&mut story, "d-2", &reading("林深又走了。"));
    let ids = |story: &Story| story.timeline_events.iter().map(|event| event.id.clone()).collect::<Vec<_>>();
    let before = ids(&story);
    let recalled = recall(&story, "d-2").unwrap();
    put(&mut story, "d-2", &recalled);
    assert_eq!((before.len(), ids(&story)), (2, before));
    assert_eq!(story.timeline_events[1].title, "离开（正文2）");
}

#[test]
fn a_count_that_differs_from_an_earlier_chapter_is_asked_about_unless_its_change_is_told() {
    for (predicate, unit, first, silent, told) in [
        ("母鸡数", "只", "林深养着九只母鸡。", "林深数了数，十只母鸡。", "林深又买了一只，共十只母鸡。"),
        ("数量", "只", "林深养着九只母鸡。", "林深数了数，十只母鸡。", "孵出一只，林深有了十只母鸡。"),
        ("has_hens", "", "Mara kept nine hens.", "Mara fed her ten hens.", "Mara bought a hen and had ten."),
    ] {
        let who = if first.contains("Mara") { "Mara" } else { "林深" };
        let count = |number: u32, quote: &str| {
            let count = ToldFact { unit: unit.into(), ..fact(who, predicate, number, quote) };
            facts(vec![count])
        };
        let mut story = book(&[first, silent, told, silent]);
        put(&mut story, "d-1", &count(9, first));
        let settlement = put(&mut story, "d-2", &count(10, silent));
        assert_eq!(lines(&story).len(), 1, "{predicate}");
        let question = &settlement.questions[0];
        assert_eq!(question.doubt, Doubt::Unsure);
        assert_eq!(
            question.told.label,
            format!("{who} {} {}", predicate.replace('_', " "), if unit.is_empty() { "9 → 10" } else { "9只 → 10只" })
        );
        // The sentence tells the change: the new number holds from this chapter on.
        let settlement = put(&mut story, "d-3", &count(10, told));
        assert_eq!((settlement.questions.len(), lines(&story).len()), (0, 2), "{predicate}");
        assert_eq!(story.facts[1].from, "第3章 夜3");
        // The last number told before is what counts.
        let settlement = put(&mut story, "d-4", &count(10, silent));
        assert_eq!(settlement.questions.len(), 0, "{predicate}");
        // The author says that it is so, and is not asked again.
        let mut said = count(10, silent);
        said.facts[0].confidence = 1.0;
        put(&mut story, "d-2", &said);
        let settlement = put(&mut story, "d-2", &count(10, silent));
        assert_eq!((settlement.questions.len(), story.facts.iter().any(|fact| fact.from == "第2章 夜2")), (0, true));
    }
}

#[test]
fn a_count_that_differs_from_a_card_is_asked_about_unless_its_change_is_told() {
    let silent = "汪家十一口人都在。";
    let told = "汪家添了两口，共十一口。";
    let count = |quote: &str| facts(vec![ToldFact { unit: "口".into(), ..fact("汪家", "人口", 11, quote) }]);
    let settled = |description: &str, quote: &str| {
        let mut story = book(&[quote]);
        let organisations = json!([{"id": "g-1", "name": "汪家", "description": description}]);
        story.worldview.get_or_insert_default().organisations = serde_json::from_value(organisations).unwrap();
        let settlement = put(&mut story, "d-1", &count(quote));
        let asked: Vec<String> = settlement.questions.into_iter().map(|question| question.told.label).collect();
        (asked, story.facts.len())
    };
    assert_eq!(settled("城东大户，一家九口。", silent), (vec!["汪家 人口 9口 → 11口".to_owned()], 0));
    assert_eq!(settled("城东大户，一家九口。", told), (Vec::new(), 1));
    assert_eq!(settled("城东大户，一家十一口。", silent), (Vec::new(), 1));
    assert_eq!(settled("城东大户。", silent), (Vec::new(), 1));
}

#[test]
fn amounts_without_any_time_are_a_finding() {
    let mut story = book(&["林深有九只鸡。", "林深数了数，十只鸡。"]);
    story.outline_nodes.clear();
    story.documents.iter_mut().for_each(|document| document.outline_node = None);
    let count = |number: u32, quote: &str| {
        facts(vec![ToldFact { unit: "只".into(), ..fact("林深", "数量", number, quote) }])
    };
    put(&mut story, "d-1", &count(9, "林深有九只鸡。"));
    let settlement = put(&mut story, "d-2", &count(10, "林深数了数，十只鸡。"));
    assert_eq!((settlement.questions.len(), lines(&story).len()), (0, 2));
    let found = findings(&story, &qingyu_story::Config::default());
    assert!(found.iter().any(|finding| finding.issue.code.as_deref() == Some("QY407")));
}

#[test]
fn numbers_that_count_nothing_may_differ() {
    let mut story = book(&["林深走了三里。他二十六岁。", "林深走了五里。他二十七岁。"]);
    let told = |miles: u32, age: u32, walked: &str, old: &str| {
        let walk = ToldFact { unit: "里".into(), ..fact("林深", "走了", miles, walked) };
        facts(vec![walk, fact("林深", "年龄", age, old)])
    };
    put(&mut story, "d-1", &told(3, 26, "林深走了三里。", "他二十六岁。"));
    let settlement = put(&mut story, "d-2", &told(5, 27, "林深走了五里。", "他二十七岁。"));
    assert_eq!((settlement.questions.len(), lines(&story).len()), (0, 4));
    // A count of something else, and one with an object of its own.
    let mut story = book(&["林深有九只鸡。", "周建国有十只鸡。林深有十头牛。"]);
    let hens =
        |who: &str, number: u32, quote: &str| ToldFact { unit: "只".into(), ..fact(who, "数量", number, quote) };
    put(&mut story, "d-1", &facts(vec![hens("林深", 9, "林深有九只鸡。")]));
    let cows = ToldFact { unit: "头".into(), ..fact("林深", "数量", 10, "林深有十头牛。") };
    let settlement = put(&mut story, "d-2", &facts(vec![hens("周建国", 10, "周建国有十只鸡。"), cows]));
    assert_eq!((settlement.questions.len(), lines(&story).len()), (0, 3));
}

#[test]
fn a_time_without_a_year_has_the_year_of_its_chapter() {
    let text = "一月十六日傍晚，林深到了旧港。腊月初十，周建国走了。那年三月，他们在旧港相识。";
    let mut story = book(&[text]);
    let planned = json!({
        "id": "e-1", "title": "出门", "timestamp": "2019年1月16日 09:00", "participants": ["林深"], "outline_node": "o-1"
    });
    story.timeline_events.push(serde_json::from_value(planned).expect("it is an event"));
    let from = |from: &str, mode: Mode, fact: ToldFact| ToldFact { from: from.into(), mode, ..fact };
    let told = Extraction {
        events: vec![ToldEvent {
            timestamp: "一月十六日傍晚".into(),
            ..event("抵港", &["林深"], "一月十六日傍晚，林深到了旧港。")
        }],
        facts: vec![
            from("一月十六日傍晚", Mode::Narrated, fact("林深", "位于", "旧港", "一月十六日傍晚，林深到了旧港。")),
            from("腊月初十", Mode::Narrated, fact("周建国", "离开", "旧港", "腊月初十，周建国走了。")),
            from("三月初五", Mode::Flashback, fact("林深", "朋友", "周建国", "那年三月，他们在旧港相识。")),
        ],
        ..Extraction::default()
    };
    for _ in 0..2 {
        put(&mut story, "d-1", &told);
        let arrival = story.timeline_events.iter().find(|event| event.title == "抵港").expect("it is settled");
        assert_eq!(arrival.timestamp, "2019年1月16日傍晚");
        let times: Vec<_> = story.facts.iter().map(|fact| fact.from.as_str()).collect();
        assert_eq!(times, ["2019年1月16日傍晚", "2018年腊月初十", "三月初五"]);
    }
}

#[test]
fn a_planned_death_of_which_its_chapter_lets_somebody_tell_is_a_death() {
    let quote = "“早上五点，睡着走的。”Mara说。";
    for (node, dead) in [("o-1", 1), ("o-2", 0)] {
        let mut story = book(&[quote, "天亮了。"]);
        let planned = json!({
            "id": "e-1", "title": "周建国去世", "participants": ["周建国"], "deaths": ["周建国"], "outline_node": node
        });
        story.timeline_events.push(serde_json::from_value(planned).expect("it is an event"));
        let told = ToldEvent {
            planned: Some("周建国去世".into()),
            mode: Mode::Said,
            deaths: vec!["周建国".into()],
            ..event("周建国去世", &["周建国"], quote)
        };
        put(&mut story, "d-1", &Extraction { events: vec![told], ..Extraction::default() });
        // What is said in another chapter may be a rumour.
        assert_eq!(qingyu_story::rules::settled_deaths(&story).len(), dead, "{node}");
    }
}

#[test]
fn an_event_that_is_only_told_has_the_teller_of_the_reading_or_none() {
    let told = |title: &str, by: Option<&str>| ToldEvent {
        mode: Mode::Said,
        by: by.map(str::to_owned),
        ..event(title, &["周建国"], "听人讲，周建国掉进了旧港。")
    };
    let mut story = book(&["听人讲，周建国掉进了旧港。"]);
    let events = vec![told("落水的传闻", None), told("落水的话", Some("林深")), told("闲话", Some("卖菜的老太婆"))];
    put(&mut story, "d-1", &Extraction { events, ..Extraction::default() });
    let tellers: Vec<&str> = story.timeline_events.iter().map(TimelineEvent::teller).collect();
    assert_eq!(tellers, ["", "林深", ""]);
    assert_eq!(story.timeline_events[0].outline_node.as_deref(), Some("第1章 夜1"), "as planned events name it");
}
