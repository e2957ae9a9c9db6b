//! Which statements become pieces, which are asked about, and which are not believed.

use qingyu_story::settlement::extraction::{
    Introduced, IntroducedKind, Learns, PromiseAction, ToldEvent, ToldFact, ToldPromise,
};
use qingyu_story::settlement::{Doubt, Extraction, Reason, Stays, complete, recall, withdraw};
use qingyu_story::{Fact, Mode, Promise, Story, TimelineEvent, findings};
use serde_json::json;

use super::{book, event, fact, facts, lines, put, reasons};

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
