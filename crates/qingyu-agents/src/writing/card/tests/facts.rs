//! What a card says of facts: their dates, directions, holders, and who knows them.

use qingyu_story::audience::Audience;

use super::*;

#[test]
fn facts_are_told_in_the_language_of_the_book_and_as_of_now() {
    let facts = vec![
        json!({"fact": "f-1", "subject": "沈砚秋", "predicate": "holds", "object": "银骨尺", "mode": "narrated"}),
        json!({"fact": "f-2", "subject": "沈砚秋", "predicate": "holds", "object": "银骨尺", "mode": "narrated"}),
        json!({"fact": "f-3", "subject": "沈砚秋", "predicate": "age", "value": 21, "unit": "岁", "mode": "flashback"}),
        json!({"fact": "f-4", "subject": "沈砚秋", "predicate": "lives_in", "object": "青阳县", "mode": "flashback", "from": "景和十四年"}),
        json!({"fact": "f-5", "subject": "姜衡", "predicate": "dies", "value": true, "mode": "said", "by": "裴慎之"}),
        json!({"fact": "f-6", "subject": "田七", "predicate": "denies", "object": "沈伯安", "known_by": [{"who": "田七"}]}),
    ];
    let here = ["沈砚秋".to_owned(), "田七".to_owned()];
    let frame = known::FactFrame { here: &here, ages: [("沈砚秋", 24)].into(), ..known::FactFrame::default() };
    let said = known::facts(&facts, &frame, labels::of(Language::Zh));
    let (secret, open): (Vec<_>, Vec<_>) = said.into_iter().partition(|said| !said.knowers.is_empty());
    assert_eq!(
        by_subject(open, labels::of(Language::Zh), 500),
        ["沈砚秋：持有银骨尺；3年前21岁；景和十四年、往事：住在青阳县", "姜衡：裴慎之说：死亡"]
    );
    assert_eq!(
        known::knowledge(&secret, &here, labels::of(Language::Zh)),
        ["田七否认沈伯安：田七知道；沈砚秋没有写过知道"]
    );
    let then = json!({"fact": "f-7", "subject": "沈砚秋", "predicate": "age", "value": 10, "unit": "岁", "mode": "flashback", "from": "1998年12月3日"});
    let said = known::facts(&[then], &frame, labels::of(Language::Zh));
    assert_eq!(
        by_subject(said, labels::of(Language::Zh), 500),
        ["沈砚秋：1998年12月3日、往事：年龄10岁"],
        "no years ago"
    );
    let lie =
        json!({"fact": "f-9", "subject": "田七", "predicate": "knows", "value": "暗号", "mode": "lied", "by": "田七"});
    let lied = |language: Language| known::facts(std::slice::from_ref(&lie), &frame, labels::of(language));
    assert_eq!(by_subject(lied(Language::Zh), labels::of(Language::Zh), 500), ["田七：谎称自己知道暗号"]);
    assert_eq!(by_subject(lied(Language::En), labels::of(Language::En), 500), ["田七: falsely claims: knows 暗号"]);
    let siblings = json!({"fact": "f-8", "subject": "佟秀云", "predicate": "sibling_of", "object": "佟秀敏", "mode": "narrated",
        "says": {"quote": "佟秀云、佟秀敏姐弟俩挤在一条长凳上。"}});
    let said = known::facts(&[siblings], &frame, labels::of(Language::Zh));
    assert_eq!(by_subject(said, labels::of(Language::Zh), 500), ["佟秀云：和佟秀敏是姐弟"]);
    let english = known::facts(&facts[..1], &known::FactFrame::default(), labels::of(Language::En));
    assert_eq!(by_subject(english, labels::of(Language::En), 500), ["沈砚秋: holds 银骨尺"]);
}

#[test]
fn a_hand_over_is_one_statement_known_to_both_of_its_people() {
    let side = |id: &str, who: &str, predicate: &str, knower: &str, mode: &str| {
        json!({"id": id, "subject": who, "predicate": predicate, "object": "当票", "mode": mode, "by": (mode == "lied").then_some("老周"),
            "known_by": [{"who": knower}], "source": {"document": "d-1", "quote": mode}})
    };
    let story: Story = serde_json::from_value(json!({"facts": [
        side("f-1", "佟秀云", "交出", "姜德厚", "narrated"), side("f-2", "佟秀敏", "得到", "佟广林", "narrated"),
        side("f-3", "佟广林", "交出", "佟秀云", "lied"), side("f-4", "老周", "得到", "佟秀云", "lied"),
    ]}))
    .unwrap();
    let told = |fact: &qingyu_story::Fact| {
        json!({"fact": fact.id, "subject": fact.subject, "predicate": fact.predicate, "object": fact.object, "mode": fact.mode,
            "by": fact.by, "known_by": fact.known_by})
    };
    let lines = |things: &BTreeMap<String, Whereabouts>| {
        let facts = handovers::joined(story.facts.iter().map(told).collect(), &story, things);
        let frame = known::FactFrame { things: Some(things), ..known::FactFrame::default() };
        let mut facts = known::facts(&facts, &frame, labels::of(Language::Zh));
        facts.sort_by_key(|fact| fact.age);
        facts.into_iter().map(|fact| (fact.content, fact.knowers)).collect::<Vec<_>>()
    };
    let both = ["佟广林", "姜德厚", "佟秀敏", "佟秀云"].map(str::to_owned).to_vec();
    let lie = ("老周谎称自己得到当票".to_owned(), vec!["佟秀云".to_owned()]);
    assert_eq!(lines(&BTreeMap::new()), [("佟秀敏得到当票".to_owned(), both), lie.clone()]);
    let shown = [("当票".to_owned(), Whereabouts::Held("佟秀敏".into()))].into();
    let both = ["姜德厚", "佟广林", "佟秀云", "佟秀敏"].map(str::to_owned).to_vec();
    assert_eq!(lines(&shown), [("佟秀云交出当票".to_owned(), both), lie], "the receipt stands with the thing");
}

#[test]
fn whoever_lies_knows_the_lie_and_whoever_has_a_thing_knows_it() {
    let facts = [
        json!({"fact": "f-1", "subject": "佟广林", "predicate": "失去", "object": "手表", "mode": "lied", "by": "佟广林"}),
        json!({"fact": "f-2", "subject": "佟秀云", "predicate": "得知", "value": "父亲说表丢了是瞎话", "mode": "narrated",
            "known_by": [{"who": "佟秀云"}]}),
        json!({"fact": "f-3", "subject": "手表", "predicate": "价格", "value": 420, "unit": "元", "mode": "narrated",
            "known_by": [{"who": "佟秀云"}]}),
        json!({"fact": "f-4", "subject": "孟宪章", "predicate": "持有", "object": "手表", "mode": "flashback", "from": "1978年"}),
        json!({"fact": "f-5", "subject": "手表", "predicate": "特点", "value": "刻着一个“孟”字", "mode": "narrated",
            "known_by": [{"who": "佟秀云"}]}),
    ];
    let lines = known::facts(&facts, &known::FactFrame::default(), labels::of(Language::Zh));
    let line = |age: u64| lines.iter().find(|line| line.age == age).expect("it is told");
    let here = ["佟广林", "孟宪章", "姜德厚"].map(str::to_owned);
    let kept = |age: u64| line(age).kept_from(&here).into_iter().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(kept(2), ["孟宪章", "姜德厚"], "the liar knows");
    assert_eq!(kept(3), ["佟广林", "姜德厚"], "it was his");
    assert_eq!(kept(5), [""; 0], "looks are seen");
}

#[test]
fn what_is_public_is_not_said_to_be_unknown_to_somebody() {
    let facts = vec![
        json!({"fact": "f-1", "subject": "沈伯安", "predicate": "dies", "value": true, "mode": "narrated", "known_by": [{"who": "田七"}]}),
        json!({"fact": "f-2", "subject": "田七", "predicate": "denies", "object": "沈伯安", "known_by": [{"who": "田七"}]}),
    ];
    let here = ["沈砚秋".to_owned(), "田七".to_owned()];
    let words = labels::of(Language::Zh);
    let kept = |audience: Audience| {
        let audiences = ["f-1", "f-2"].map(|id| (id, audience.clone())).into();
        let frame = known::FactFrame { here: &here, audiences, ..known::FactFrame::default() };
        let facts = known::facts(&facts, &frame, words);
        let secret: Vec<_> = facts.into_iter().filter(|said| !said.kept_from(&here).is_empty()).collect();
        known::knowledge(&secret, &here, words)
    };
    assert_eq!(kept(Audience::Listed).len(), 2);
    assert_eq!(kept(Audience::Everybody), [""; 0]);
    assert_eq!(kept(Audience::Present(["沈砚秋".to_owned()].into())), [""; 0]);
    assert_eq!(kept(Audience::Present(["裴慎之".to_owned()].into())).len(), 2);
}

#[test]
fn a_fact_of_a_relation_keeps_its_direction() {
    let told = |predicate: &str, language: Language| {
        let fact =
            json!({"fact": "f-1", "subject": "裴慎之", "predicate": predicate, "object": "沈砚秋", "mode": "narrated"});
        let facts = known::facts(&[fact], &known::FactFrame::default(), labels::of(language));
        (facts[0].says.clone(), facts[0].content.clone())
    };
    for (predicate, says, content) in [
        ("mentor_of", "是沈砚秋的师长", "裴慎之是沈砚秋的师长"),
        ("student_of", "是沈砚秋的弟子", "裴慎之是沈砚秋的弟子"),
        ("师长", "师长是沈砚秋", "裴慎之的师长是沈砚秋"),
        ("parent_of", "子女是沈砚秋", "裴慎之的子女是沈砚秋"),
        ("父亲", "父亲是沈砚秋", "裴慎之的父亲是沈砚秋"),
        ("ally_of", "和沈砚秋是盟友", "裴慎之和沈砚秋是盟友"),
    ] {
        assert_eq!(told(predicate, Language::Zh), (says.to_owned(), content.to_owned()));
    }
    for (predicate, says, content) in [
        ("mentor_of", "is 沈砚秋's teacher", "裴慎之 is 沈砚秋's teacher"),
        ("mentor", "mentor is 沈砚秋", "裴慎之's mentor is 沈砚秋"),
        ("child_of", "is 沈砚秋's child", "裴慎之 is 沈砚秋's child"),
        ("ally_of", "ally of 沈砚秋", "裴慎之 and 沈砚秋 work together"),
    ] {
        assert_eq!(told(predicate, Language::En), (says.to_owned(), content.to_owned()));
    }
}

#[test]
fn a_denied_relation_is_told_as_denied() {
    let told = |predicate: &str, language: Language| {
        let fact = json!({
            "fact": "f-1", "subject": "裴慎之", "predicate": predicate, "object": "沈砚秋", "value": false, "mode": "narrated"
        });
        let facts = known::facts(&[fact], &known::FactFrame::default(), labels::of(language));
        (facts[0].says.clone(), facts[0].content.clone())
    };
    let expected = ("并非：父亲是沈砚秋".to_owned(), "并非：裴慎之的父亲是沈砚秋".to_owned());
    assert_eq!(told("父亲", Language::Zh), expected);
    let expected = ("not so: is 沈砚秋's child".to_owned(), "not so: 裴慎之 is 沈砚秋's child".to_owned());
    assert_eq!(told("child_of", Language::En), expected);
}

#[test]
fn facts_of_the_chapter_come_first_and_the_rest_is_counted() {
    let old = json!({"fact": "f-1", "subject": "义庄", "predicate": "price", "value": 30, "unit": "两", "mode": "said", "by": "田七"});
    let new = (2..80).map(|at| json!({"fact": format!("f-{at}"), "subject": format!("路人{at}"), "predicate": "dies", "value": false, "mode": "narrated"}));
    let facts: Vec<Value> = std::iter::once(old).chain(new).collect();
    let about = ["义庄".to_owned()];
    let frame = known::FactFrame { about: &about, ..known::FactFrame::default() };
    let lines = by_subject(known::facts(&facts, &frame, labels::of(Language::Zh)), labels::of(Language::Zh), 100);
    assert_eq!(lines[0], "义庄：田七说：价格30两", "the oldest, but of the chapter, with value and teller");
    assert_eq!(lines[1], "路人79：没有死亡");
    assert_eq!(lines.last().unwrap(), &format!("另有 {} 项没有列出", 79 - (lines.len() - 1)));
}

#[test]
fn things_are_where_the_book_has_brought_them() {
    let story = told_story();
    let at = |number| things::whereabouts(&NumberedBook::of(&story), number);
    let held = |name: &str| Some(Whereabouts::Held(name.to_owned()));
    assert_eq!(at(Some(1)).get("铜钥匙").cloned(), held("裴慎之"), "from the card");
    assert_eq!(at(Some(2)).get("铜钥匙").cloned(), held("沈砚秋"), "from the second chapter");
    assert_eq!(at(Some(2)).get("银骨尺").cloned(), held("沈砚秋"), "the eighth chapter has not been told");
    assert_eq!(at(None).get("银骨尺").cloned(), held("裴慎之"));
    assert_eq!(at(None).get("双鱼玉扣"), None, "a flashback says nothing of today");
    let words = labels::of(Language::Zh);
    let lines = known::settings(
        &[json!({"kind": "item", "name": "铜钥匙", "description": "冰房的钥匙"})],
        &at(Some(2)),
        &["沈砚秋".into()],
        words,
        280,
    );
    assert_eq!(lines, ["铜钥匙（在沈砚秋手里）：冰房的钥匙", "银骨尺（在沈砚秋手里）"]);
}

#[test]
fn the_description_of_a_moved_thing_does_not_say_where_it_lay() {
    let moved = ["当票".to_owned(), "the ring".to_owned()].into();
    for (description, expected) in [
        ("佟秀云的账本，锁在五斗橱里，夹着当票", "佟秀云的账本"),
        ("红皮账本，夹着黄纸。锁在五斗橱里。", "红皮账本，夹着黄纸。"),
        ("A ledger, locked in the chest, with the ring.", "A ledger"),
        ("A ledger bound in green calf.", "A ledger bound in green calf."),
        ("Kept in the safe.", ""),
    ] {
        assert_eq!(things::without_places(description, &moved), expected);
    }
}

#[test]
fn facts_have_their_date_once_and_things_stand_once() {
    let story = told_story();
    let around = surroundings(&NumberedBook::of(&story), 3, "");
    let facts: Vec<Value> = story.facts[..4]
        .iter()
        .map(|fact| json!({"fact": fact.id, "subject": fact.subject, "predicate": fact.predicate, "object": fact.object, "value": fact.value, "mode": fact.mode}))
        .chain([json!({"fact": "f-6", "subject": "沈砚秋", "predicate": "knows", "value": "路引早已填好", "mode": "narrated", "known_by": [{"who": "沈砚秋"}]})])
        .collect();
    let related = json!({"facts": facts, "participating_characters": story.characters});
    let people = vec!["c-1".to_owned(), "c-2".to_owned()];
    let mentioned = vec![json!({"kind": "location", "name": "白鹤陵", "description": "太子的陵"})];
    let found = CardMaterial { story: Some(&story), related, people, mentioned, ..CardMaterial::default() };
    let card = chapter(&around, &found, 6_000);
    assert!(card.contains("- 白鹤陵：太子的陵"), "a place of the plan: {card}");
    assert!(card.contains("- 沈砚秋：八月十一，得到八月冰房"), "the date of the chapter, without the year: {card}");
    assert!(card.contains("【谁知道什么】\n- 路引早已填好：沈砚秋知道；裴慎之没有写过知道"), "{card}");
    assert_eq!(card.matches("铜钥匙").count(), 1, "a thing is not a fact as well: {card}");
}

#[test]
fn an_age_that_somebody_says_is_not_told_beside_the_same_age_of_the_card() {
    let age = |fact: &str, years: i64, mode: &str| json!({"fact": fact, "subject": "姜伯苓", "predicate": "年龄", "value": years, "unit": "岁", "mode": mode, "by": "姜伯苓", "from": "九月初五"});
    let told = |facts: &[Value], cards: &[(&'static str, &'static str)]| -> Vec<String> {
        let ages = [("姜伯苓", 71)].into();
        let frame = known::FactFrame { ages, cards: cards.iter().copied().collect(), ..known::FactFrame::default() };
        known::facts(facts, &frame, labels::of(Language::Zh)).into_iter().map(|line| line.says).collect()
    };
    let (own, other) = (("姜伯苓", "姜伯苓（71岁）"), ("田七", "田七（仵作；71岁）"));
    assert_eq!(told(&[age("f-1", 71, "said")], &[own]), [""; 0]);
    assert_eq!(told(&[age("f-2", 73, "said")], &[own]), ["九月初五、说自己年龄73岁"]);
    let told_anyway = ["九月初五、说自己年龄71岁"];
    assert_eq!(told(&[age("f-1", 71, "said")], &[]), told_anyway, "no card is shown");
    assert_eq!(told(&[age("f-1", 71, "said")], &[other]), told_anyway, "the card of another");
    let trade =
        json!({"fact": "f-3", "subject": "姜伯苓", "predicate": "occupation", "value": "仵作", "mode": "narrated"});
    assert_eq!(told(std::slice::from_ref(&trade), &[("姜伯苓", "姜伯苓（仵作）")]), [""; 0]);
    assert_eq!(told(&[trade], &[other]).len(), 1, "the trade of another");
}

#[test]
fn the_dead_are_not_among_those_who_do_not_know() {
    let mut story = told_story();
    let known = json!({"fact": "f-6", "subject": "沈砚秋", "predicate": "knows", "value": "路引早已填好", "mode": "narrated", "known_by": [{"who": "沈砚秋"}]});
    let age =
        json!({"fact": "f-7", "subject": "裴慎之", "predicate": "age", "value": 64, "unit": "岁", "mode": "narrated"});
    let card = |story: &Story| {
        let around = surroundings(&NumberedBook::of(story), 3, "");
        let related = json!({"facts": [known, age], "participating_characters": story.characters});
        let people = vec!["c-1".to_owned(), "c-2".to_owned()];
        chapter(&around, &CardMaterial { story: Some(story), related, people, ..CardMaterial::default() }, 6_000)
    };
    assert!(card(&story).contains("裴慎之没有写过知道") && card(&story).contains("64岁"), "{}", card(&story));
    story.timeline_events.push(TimelineEvent {
        id: "e-2".into(),
        title: "旧案".into(),
        mode: qingyu_story::Mode::Flashback,
        deaths: vec!["裴慎之".into()],
        outline_node: Some("o-3".into()),
        ..TimelineEvent::default()
    });
    assert!(!card(&story).contains("没有写过知道") && !card(&story).contains("64岁"), "{}", card(&story));
    story.timeline_events[1].outline_node = Some("o-4".into());
    assert!(card(&story).contains("裴慎之没有写过知道"), "a later chapter tells it");
}

#[test]
fn a_death_with_its_date_on_the_card_is_no_fact_as_well() {
    for (language, dies) in [(Language::Zh, "死亡"), (Language::En, "dies")] {
        let mut story = Story { language, ..told_story() };
        let event = |node: &str, time: &str| TimelineEvent {
            timestamp: time.into(),
            outline_node: Some(node.into()),
            ..TimelineEvent::default()
        };
        story.timeline_events = vec![event("o-3", "1911-03-13")];
        let death = json!({"fact": "f-7", "subject": "裴慎之", "predicate": "dies", "value": true, "mode": "narrated"});
        let card = |story: &Story, known_by: Value| {
            let around = surroundings(&NumberedBook::of(story), 3, "");
            let mut fact = death.clone();
            fact["known_by"] = known_by;
            let related = json!({"facts": [fact], "participating_characters": story.characters});
            let people = vec!["c-1".to_owned(), "c-2".to_owned()];
            chapter(&around, &CardMaterial { story: Some(story), related, people, ..CardMaterial::default() }, 6_000)
        };
        assert_eq!(card(&story, json!([])).matches(dies).count(), 1, "no card says it: {}", card(&story, json!([])));
        story.characters[1].death = Some("1911-02-28".into());
        let told = card(&story, json!([]));
        assert!(!told.contains(dies) && told.matches("1911-02-28").count() == 1, "{told}");
        let told = card(&story, json!([{"who": "苏曼"}]));
        assert!(told.contains(dies), "who knows of it counts: {told}");
    }
}

#[test]
fn a_taboo_that_forbids_by_itself_is_not_denied_twice() {
    let label = |language, line: &str| labels::of(language).taboo(line);
    for line in ["不写招式名", "不用“仿佛”", "每章比喻不超过两处", "避免说教"] {
        assert_eq!(label(Language::Zh, line), "要做到", "{line}");
    }
    for line in ["章末的哲理总结", "不明来历的好运", "说教"] {
        assert_eq!(label(Language::Zh, line), "不能有", "{line}");
    }
    for line in ["No speeches", "never explain a joke", "At most two comparisons a chapter"] {
        assert_eq!(label(Language::En, line), "Do", "{line}");
    }
    assert_eq!(label(Language::En, "Nobles who speak like lawyers"), "Never");
}

#[test]
fn what_a_chapter_tells_itself_is_not_known_before_it() {
    let story = told_story();
    let around = surroundings(&NumberedBook::of(&story), 2, "");
    let facts: Vec<Value> = [0, 1, 3]
        .map(|at| &story.facts[at])
        .map(|fact| json!({"fact": fact.id, "subject": fact.subject, "predicate": fact.predicate, "object": fact.object, "value": fact.value, "mode": fact.mode}))
        .to_vec();
    let card = |has_text: bool| {
        let related = json!({"facts": facts, "participating_characters": story.characters});
        let people = vec!["c-1".to_owned(), "c-2".to_owned()];
        let found = CardMaterial { story: Some(&story), related, people, has_text, ..CardMaterial::default() };
        chapter(&around, &found, 6_000)
    };
    let (after, before) = (card(false), card(true));
    assert!(after.contains("铜钥匙（在沈砚秋手里）") && after.contains("八月冰房"), "{after}");
    assert!(before.contains("铜钥匙（在裴慎之手里）") && !before.contains("八月冰房"), "{before}");
    assert!(before.contains("银骨尺（在沈砚秋手里）"), "the first chapter counts: {before}");
}

#[test]
fn a_thing_in_hand_is_described() {
    let mut story = told_story();
    story.worldview.as_mut().unwrap().items[1].description = "刻着年号".into();
    let around = surroundings(&NumberedBook::of(&story), 3, "");
    let related = json!({"participating_characters": story.characters});
    let people = vec!["c-1".to_owned()];
    let found = CardMaterial { story: Some(&story), related, people, ..CardMaterial::default() };
    let card = chapter(&around, &found, 6_000);
    assert!(card.contains("银骨尺（在沈砚秋手里）：刻着年号"), "{card}");
}

#[test]
fn the_protagonist_is_cut_last_and_at_the_end_of_a_sentence() {
    let card = |id: &str, name: &str, role_type: RoleType| Character {
        id: id.into(),
        name: name.into(),
        role_type,
        personality: "进门先看地，再看手。".repeat(4),
        background: "从前的事说来话长。".repeat(12),
        ..Character::default()
    };
    let cast: Vec<Character> = std::iter::once(card("c-1", "沈砚秋", RoleType::Protagonist))
        .chain((2..20).map(|id| card(&format!("c-{id}"), &format!("配角{id}"), RoleType::Supporting)))
        .collect();
    let cards = cards(&cast, &BTreeMap::new(), &BTreeMap::new(), Language::Zh);
    assert!(cards[0].ends_with("从前的事说来话长。") && cards[0].contains("过去：从前"), "{}", cards[0]);
    assert!(
        cards[1..].iter().all(|card| card.ends_with(['。', '…']) && card.chars().count() < cards[0].chars().count())
    );
    assert!(cards[1..].iter().all(|card| card.contains("进门先看地")), "everybody has a card: {cards:?}");
    let total: u64 = cards.iter().map(|card| estimate::tokens(card)).sum();
    assert!(total <= limit::CAST + 100, "{total}");
}

#[test]
fn whoever_knows_of_a_death_is_not_listed_as_not_knowing() {
    let facts = [
        json!({"fact": "f-1", "subject": "罗九畴", "predicate": "死亡", "value": true, "mode": "narrated", "known_by": [{"who": "汪小满"}]}),
        json!({"fact": "f-2", "subject": "卢元朴", "predicate": "知道", "object": "罗九畴", "value": "罗九畴已死", "mode": "narrated"}),
    ];
    let here = ["汪小满", "卢元朴", "沈希哲"].map(str::to_owned);
    let frame = known::FactFrame { here: &here, ..known::FactFrame::default() };
    let lines = known::facts(&facts, &frame, labels::of(Language::Zh));
    let death = lines.iter().find(|line| line.subject == "罗九畴").unwrap();
    assert_eq!(death.kept_from(&here), ["沈希哲"]);
}

#[test]
fn people_know_their_own_state_and_words() {
    let fact = |subject: &str, by: &str, who: &str| json!({"fact": "f-1", "subject": subject, "predicate": "特点", "value": "腰疼", "mode": "said", "by": by, "known_by": [{"who": who}]});
    let here = ["阮青简".to_owned(), "韩照".to_owned()];
    let kept = |fact: Value| -> Vec<String> {
        let frame = known::FactFrame { here: &here, ..known::FactFrame::default() };
        let lines = known::facts(&[fact], &frame, labels::of(Language::Zh));
        lines[0].kept_from(&here).into_iter().cloned().collect()
    };
    assert_eq!(kept(fact("鲁三更", "韩照", "阮青简")), [""; 0], "who said it knows it");
    assert_eq!(kept(fact("阮青简", "鲁三更", "鲁三更")), ["韩照"], "whose state it is knows it");
    assert_eq!(kept(fact("鲁三更", "", "阮青简")), ["韩照"]);
}

#[test]
fn who_shares_the_secret_or_was_there_is_not_listed_as_not_knowing() {
    let fact = |thing: &str, from: &str, mode: &str| {
        json!({"fact": "f-1", "subject": thing, "predicate": "burns", "value": "not", "mode": mode, "by": "Kitto",
            "from": from, "known_by": [{"who": "Nell"}]})
    };
    for (language, thing, secret, event) in [
        (Language::En, "Pendour light", "He saw that the light was dark, and takes money for it.", "The dark hour"),
        (Language::Zh, "彭杜灯塔", "他看见灯塔没有亮，收了封口钱。", "灯灭"),
    ] {
        let here = ["Nell", "Silas", "Davy"].map(str::to_owned);
        let there = ["Davy".to_owned()];
        let kept = |fact: Value| -> Vec<String> {
            let frame = known::FactFrame {
                here: &here,
                secrets: vec![("Silas", secret.to_lowercase())],
                attended: [(event, &there[..])].into(),
                ..known::FactFrame::default()
            };
            let lines = known::facts(&[fact], &frame, labels::of(language));
            lines[0].kept_from(&here).into_iter().cloned().collect()
        };
        assert_eq!(kept(fact(thing, "", "said")), ["Davy"], "{thing}");
        assert_eq!(kept(fact(thing, event, "said")), [""; 0], "{thing}");
        assert_eq!(kept(fact("the log-book", "", "said")), ["Silas", "Davy"]);
        assert_eq!(kept(fact(thing, "", "narrated")), ["Silas", "Davy"], "it happens now");
    }
}

/// Returns the lines of who knows what, for people who are there in a chapter.
fn known_lines(facts: &[Value], here: &[String], frame: &known::FactFrame<'_>, language: Language) -> Vec<String> {
    let facts = known::facts(facts, frame, labels::of(language));
    let secret: Vec<_> = facts.into_iter().filter(|said| !said.kept_from(here).is_empty()).collect();
    known::knowledge(&secret, here, labels::of(language))
}

#[test]
fn who_tells_hears_or_does_a_thing_is_not_listed_as_not_knowing_it() {
    let heard = |id: &str, who: &str, predicate: &str, value: &str, knower: &str, how: &str| {
        json!({"fact": id, "subject": who, "predicate": predicate, "value": value, "mode": "narrated",
            "known_by": [{"who": knower, "since": "第二章", "how": how}]})
    };
    let here = ["沈蕙如", "沈仲和", "陆景明", "宋启山"].map(str::to_owned);
    let facts = [
        heard("f-23", "宋启山", "知道", "座钟是有人怕它打点，伸手按住了摆", "沈蕙如", "听宋启山说"),
        heard("f-24", "沈蕙如", "得知", "座钟不是自己停的，有人怕它打点，按住了摆", "沈蕙如", "听宋启山说"),
        heard("f-25", "陆景明", "得知", "宋启山的半句话", "陆景明", "听沈蕙如说"),
        heard("f-26", "沈蕙如", "得知", "账房里少了三千大洋", "沈蕙如", "自己数的"),
    ];
    let secret = "怕座钟六点打点惊人，用手按停了它".to_owned();
    let about = ["座钟".to_owned()];
    let frame = known::FactFrame {
        here: &here,
        about: &about,
        secrets: vec![("沈仲和", secret)],
        ..known::FactFrame::default()
    };
    let lines = known_lines(&facts, &here, &frame, Language::Zh);
    assert_eq!(
        lines,
        [
            "账房里少了三千大洋：沈蕙如知道；沈仲和、陆景明、宋启山没有写过知道",
            "宋启山的半句话：陆景明知道；沈仲和没有写过知道",
        ],
        "the one who did it, the one who told it and those who were told know of the clock"
    );
    let here = ["Nell", "Hay", "Kitto", "Tom"].map(str::to_owned);
    let facts = [
        json!({"fact": "f-1", "subject": "Nell", "predicate": "learns", "value": "the miller was paid to look away",
            "mode": "narrated", "known_by": [{"who": "Nell", "since": "Chapter 2", "how": "told by Hay"}]}),
        json!({"fact": "f-2", "subject": "Kitto", "predicate": "learns", "value": "Hay's account of the night",
            "mode": "narrated", "known_by": [{"who": "Kitto", "since": "Chapter 2", "how": "Nell repeats it"}]}),
    ];
    let frame = known::FactFrame { here: &here, ..known::FactFrame::default() };
    assert_eq!(
        known_lines(&facts, &here, &frame, Language::En),
        [
            "Hay's account of the night: known to Kitto; not told to Tom",
            "the miller was paid to look away: known to Nell; not told to Tom",
        ],
        "Hay told it, and Kitto has heard what Hay told"
    );
}

#[test]
fn what_somebody_hears_twice_in_other_words_is_one_line() {
    let learns = |id: &str, who: &str, value: &str, how: &str| {
        json!({"fact": id, "subject": who, "predicate": "得知", "value": value, "mode": "narrated",
            "known_by": [{"who": who, "since": "第二章", "how": how}]})
    };
    let here = ["沈蕙如", "沈仲和", "陆景明", "宋启山"].map(str::to_owned);
    let lines = |facts: &[Value]| {
        let frame = known::FactFrame { here: &here, ..known::FactFrame::default() };
        known_lines(facts, &here, &frame, Language::Zh)
    };
    let (one, other) = ("座钟是有人怕它打点，伸手按住了摆", "座钟不是自己停的，有人怕它打点，按住了摆");
    let twice = [learns("f-1", "沈蕙如", one, "听老周说"), learns("f-2", "沈蕙如", other, "听老周说")];
    assert_eq!(lines(&twice), [format!("{other}：沈蕙如知道；沈仲和、陆景明、宋启山没有写过知道")]);
    let apart =
        [learns("f-1", "沈蕙如", one, "听老周说"), learns("f-2", "沈蕙如", "铁匣里有三千大洋的借据", "听老周说")];
    assert_eq!(lines(&apart).len(), 2);
    let turned = [
        learns("f-1", "沈蕙如", "沈仲和把钥匙交给陆景明", "听老周说"),
        learns("f-2", "沈蕙如", "陆景明把钥匙交给沈仲和", "听老周说"),
    ];
    let expected = ["陆景明把钥匙交给沈仲和", "沈仲和把钥匙交给陆景明"];
    let expected = expected.map(|told| format!("{told}：沈蕙如知道；宋启山没有写过知道"));
    assert_eq!(lines(&turned), expected, "the other way round is another thing, and both of them know it");
}

#[test]
fn nobody_is_listed_as_not_knowing_what_happened_before_the_book() {
    let death = |how: &str| {
        json!({"fact": "f-1", "subject": "顾氏", "predicate": "死亡", "value": true, "mode": "flashback", "from": "民国八年",
            "known_by": [{"who": "沈蕙如", "how": how}]})
    };
    let here = ["沈蕙如", "沈仲和", "宋启山"].map(str::to_owned);
    let frame = known::FactFrame { here: &here, ..known::FactFrame::default() };
    assert_eq!(known_lines(&[death("亲身经历")], &here, &frame, Language::Zh), [""; 0]);
    assert_eq!(known_lines(&[death("亲身经历，瞒着家里人")], &here, &frame, Language::Zh).len(), 1, "it is said so");
    let theft = json!({"fact": "f-3", "subject": "沈仲和", "predicate": "挪用", "value": "柜上三千大洋做棉纱", "mode": "flashback",
        "from": "民国十四年", "known_by": [{"who": "沈仲和"}]});
    assert_eq!(known_lines(std::slice::from_ref(&theft), &here, &frame, Language::Zh), [""; 0]);
    let secrets = vec![("宋启山", "他知道沈仲和挪用柜上三千大洋去做棉纱".to_owned())];
    let frame = known::FactFrame { here: &here, secrets, ..known::FactFrame::default() };
    let lines = known_lines(&[theft], &here, &frame, Language::Zh);
    assert!(lines.len() == 1 && lines[0].ends_with("沈仲和知道；沈蕙如没有写过知道"), "a secret is kept: {lines:?}");
    let sale = |how: &str| {
        json!({"fact": "f-2", "subject": "Dean", "predicate": "sells", "object": "the boat", "mode": "flashback",
            "from": "1921", "known_by": [{"who": "Nell", "how": how}]})
    };
    let here = ["Nell", "Hay"].map(str::to_owned);
    let frame = known::FactFrame { here: &here, ..known::FactFrame::default() };
    assert_eq!(known_lines(&[sale("she was there")], &here, &frame, Language::En), [""; 0]);
    assert_eq!(known_lines(&[sale("he never told anybody else")], &here, &frame, Language::En).len(), 1);
}

#[test]
fn what_the_line_of_a_thing_says_is_no_trait_as_well() {
    let line = "座钟（在后账房）：后账房墙角的西洋座钟，停在酉时三刻";
    let of = |thing: &str, value: &str, mode: &str| json!({"fact": "f-1", "subject": thing, "predicate": "特点", "value": value, "mode": mode, "by": "沈仲和"});
    let told = |fact: Value, language: Language| {
        let described =
            [("座钟", line), ("Pendour light", "Pendour light: a tower of white stone, dark since the storm")];
        let frame = known::FactFrame { described: described.into(), ..known::FactFrame::default() };
        known::facts(&[fact], &frame, labels::of(language)).len()
    };
    assert_eq!(told(of("座钟", "停在酉时三刻", "narrated"), Language::Zh), 0);
    assert_eq!(told(of("座钟", "停在酉时三刻", "said"), Language::Zh), 0);
    assert_eq!(told(of("座钟", "停在酉时三刻", "lied"), Language::Zh), 1, "a lie is told as a lie");
    assert_eq!(told(of("座钟", "老了，自己停的", "narrated"), Language::Zh), 1);
    assert_eq!(told(of("怀表", "停在酉时三刻", "narrated"), Language::Zh), 1, "of another thing");
    assert_eq!(told(of("Pendour light", "dark since the storm", "narrated"), Language::En), 0);
    assert_eq!(told(of("Pendour light", "lit by a lamp of oil", "narrated"), Language::En), 1);
}

#[test]
fn a_place_with_nothing_but_its_name_has_no_line() {
    let of = |name: &str, description: &str, alias: &[&str]| json!({"kind": "location", "name": name, "description": description, "alias": alias});
    let found = [of("芦浦", "", &[]), of("裕泰当铺", "", &["裕泰"]), of("后账房", "天井尽头的账房", &[])];
    let lines = known::settings(&found, &BTreeMap::new(), &[], labels::of(Language::Zh), 280);
    assert_eq!(lines, ["裕泰当铺（又称裕泰）", "后账房：天井尽头的账房"]);
}
