//! What a card lists within its limits: planned events, places and things, relations.

use qingyu_story::Mode;

use super::*;

#[test]
fn every_planned_event_stands_there_even_if_its_details_do_not() {
    let event = |title: &str, description: &str, importance: u8| TimelineEvent {
        title: title.into(),
        description: description.into(),
        timestamp: "1998年10月".into(),
        participants: vec!["戴国梁".into()],
        importance,
        ..TimelineEvent::default()
    };
    let long = "合股的船出了事，钱一分也没有剩下。".repeat(6);
    let events = [event("船股亏光", &long, 4), event("国梁认账", &long, 9), event("出殡上岭", "棺木上了东门岭。", 6)];
    let planned = |tokens: u64| known::planned(&events.iter().collect::<Vec<_>>(), labels::of(Language::Zh), tokens);
    assert!(planned(1_000).iter().all(|line| line.ends_with("（戴国梁）")), "{:?}", planned(1_000));
    let lines = planned(180);
    assert_eq!((lines.len(), lines[0].as_str()), (3, "1998年10月：船股亏光"));
    assert!(lines[1].contains("合股") && lines[2].contains("东门岭"), "the important ones keep theirs: {lines:?}");
    assert_eq!(planned(1), ["1998年10月：船股亏光", "1998年10月：国梁认账", "1998年10月：出殡上岭"]);
}

#[test]
fn the_places_of_a_chapter_come_first_and_every_thing_of_it_is_named() {
    let mut story = told_story();
    story.documents.truncate(1);
    let long = "一页横格纸，折得很小，藏在枕头芯里，针脚粗，像钉船板。".repeat(3);
    let world = story.worldview.as_mut().unwrap();
    for name in ["信", "借条", "账本", "本子"] {
        let (name, description, holder) = (name.to_owned(), long.clone(), Some("沈砚秋".to_owned()));
        world.items.push(qingyu_story::Item { name, description, holder, ..Default::default() });
    }
    let around = surroundings(&NumberedBook::of(&story), 2, "");
    let of = |kind: &str, name: &str| json!({"kind": kind, "name": name, "description": long});
    let mentioned =
        vec![of("item", "罗盘"), of("organisation", "戴家"), of("location", "船坞"), of("location", "老屋")];
    let related = json!({"participating_characters": story.characters});
    let people = vec!["c-1".to_owned(), "c-2".to_owned()];
    let found = CardMaterial { story: Some(&story), related, people, mentioned, ..CardMaterial::default() };
    let card = chapter(&around, &found, 6_000);
    let section = card.split("【地点、物件、组织】\n").nth(1).unwrap_or_default();
    let names: Vec<&str> = section.lines().take_while(|line| line.starts_with("- ")).collect();
    let named = ["船坞", "老屋", "罗盘", "戴家"];
    assert!(named.iter().zip(&names).all(|(name, line)| line.starts_with(&format!("- {name}"))), "{names:?}");
    assert!(
        ["信", "借条", "账本", "本子"].iter().all(|name| section.contains(name)),
        "held, and so at hand: {names:?}"
    );
}

#[test]
fn a_promise_of_the_chapter_itself_is_still_to_be_planted_and_paid() {
    for (language, lines) in [
        (Language::Zh, ["- 断尺（埋在第1章）", "- 旧债（本章埋下）", "- 银骨（本章兑现、埋在第1章）"]),
        (
            Language::En,
            [
                "- 断尺 (planted in chapter 1)",
                "- 旧债 (to be planted in this chapter)",
                "- 银骨 (to be paid in this chapter, planted in chapter 1)",
            ],
        ),
    ] {
        let story = Story { language, ..told_story() };
        let promise =
            |name: &str, planted: &str, state: &str| json!({"name": name, "planted": [planted], "state": state});
        let promises =
            [promise("断尺", "o-1", "open"), promise("旧债", "o-3", "open"), promise("银骨", "d-1", "pay_here")];
        let around = surroundings(&NumberedBook::of(&story), 3, "");
        let related = json!({"open_promises": promises});
        let found = CardMaterial { story: Some(&story), related, ..CardMaterial::default() };
        let card = chapter(&around, &found, 6_000);
        assert!(lines.iter().all(|line| card.contains(line)), "{card}");
    }
}

#[test]
fn a_promise_that_the_chapter_pays_stands_once_with_all_that_is_said_of_it() {
    for (language, outline, promise) in [
        (Language::Zh, "- 要兑现：旧信\n", "- 借据：是谁写下的。（本章兑现、埋在第1章）"),
        (Language::En, "- To pay: 旧信\n", "- 借据: 是谁写下的。 (to be paid in this chapter, planted in chapter 1)"),
    ] {
        let mut story = Story { language, ..told_story() };
        let node = &mut story.outline_nodes[2];
        (node.goal, node.description) = (String::new(), "他等船。".into());
        node.pays = vec!["借据".into(), "旧信".into()];
        let around = surroundings(&NumberedBook::of(&story), 3, "");
        let promise_of =
            |name: &str, says: &str| json!({"name": name, "description": says, "planted": ["d-1"], "state": "open"});
        let related = json!({"open_promises": [promise_of("断尺", ""), promise_of("借据", "是谁写下的。")]});
        let found = CardMaterial { story: Some(&story), related, ..CardMaterial::default() };
        let card = chapter(&around, &found, 6_000);
        assert!(card.contains(outline) && card.contains(promise), "{card}");
        assert_eq!(card.matches("借据").count(), 1, "{card}");
        let alone = CardMaterial { story: Some(&story), ..CardMaterial::default() };
        assert!(chapter(&around, &alone, 6_000).contains("借据"), "the outline has what no section shows");
    }
}

#[test]
fn what_a_card_says_of_a_relation_is_not_said_again_with_it() {
    for (language, past, description, left) in [
        (
            Language::Zh,
            "他借给裴慎之九两银子，收着欠条。",
            "借给他九两银子，收着欠条。两人从此不说话。",
            "两人从此不说话。",
        ),
        (
            Language::En,
            "He lent 裴慎之 nine pounds in Oban and holds the note for it.",
            "He lent him nine pounds in Oban and holds his note. They have not spoken since the funeral.",
            "They have not spoken since the funeral.",
        ),
    ] {
        let mut story = Story { language, ..told_story() };
        story.characters[0].background = past.into();
        let around = surroundings(&NumberedBook::of(&story), 3, "");
        let relation = json!({"from": "沈砚秋", "to": "裴慎之", "type": "knows", "description": description});
        let related = json!({"participating_characters": story.characters, "character_relations": [relation]});
        let people = vec!["c-1".to_owned(), "c-2".to_owned()];
        let found = CardMaterial { story: Some(&story), related, people, ..CardMaterial::default() };
        let card = chapter(&around, &found, 6_000);
        assert!(card.contains(past) && card.contains(left) && !card.contains(description), "{card}");
    }
}

#[test]
fn a_relation_is_no_fact_as_well() {
    let story = told_story();
    let around = surroundings(&NumberedBook::of(&story), 3, "");
    let fact = |id: &str, subject: &str, predicate: &str, object: &str| json!({"fact": id, "subject": subject, "predicate": predicate, "object": object, "mode": "narrated"});
    let relation = json!({"from": "沈砚秋", "to": "裴慎之", "type": "parent_of"});
    let facts = [
        fact("f-7", "裴慎之", "child_of", "沈砚秋"),
        fact("f-8", "沈砚秋", "parent_of", "裴慎之"),
        fact("f-9", "裴慎之", "parent_of", "沈砚秋"),
    ];
    let related =
        json!({"facts": facts, "participating_characters": story.characters, "character_relations": [relation]});
    let people = vec!["c-1".to_owned(), "c-2".to_owned()];
    let found = CardMaterial { story: Some(&story), related, people, ..CardMaterial::default() };
    let card = chapter(&around, &found, 6_000);
    assert_eq!(card.matches("沈砚秋是裴慎之的父母之一").count(), 1, "{card}");
    assert_eq!(card.matches("子女是").count(), 1, "only what the relation does not say: {card}");
    assert!(card.contains("裴慎之：子女是沈砚秋"), "{card}");
}

#[test]
fn the_speaker_of_a_planned_event_is_named_where_its_description_names_him() {
    let event = |mode: Mode, description: &str, people: [&str; 2]| TimelineEvent {
        title: "Word".into(),
        description: description.into(),
        participants: people.map(str::to_owned).into(),
        mode,
        ..TimelineEvent::default()
    };
    let line = |event: &TimelineEvent, language| known::event_line(event, labels::of(language));
    let word = event(Mode::Said, "Euan Galbraith says that he was at sea.", ["Euan Galbraith", "Archibald McNeill"]);
    let said = "Euan Galbraith says: Word. Euan Galbraith says that he was at sea. (Archibald McNeill)";
    assert_eq!(line(&word, Language::En), said);
    let short = event(Mode::Lied, "Euan says that he was at sea.", ["Archibald McNeill", "Euan Galbraith"]);
    assert!(line(&short, Language::En).starts_with("Euan Galbraith falsely claims: "), "the first name is enough");
    let zh = event(Mode::Lied, "林青说自己在旧港。", ["苏曼", "林青"]);
    assert!(line(&zh, Language::Zh).starts_with("林青谎称："), "{}", line(&zh, Language::Zh));
    let hearsay = event(Mode::Said, "Euan Galbraith was seen at sea.", ["Euan Galbraith", "Archibald McNeill"]);
    assert!(line(&hearsay, Language::En).starts_with("somebody says: "), "who is spoken of does not speak");
    let short = known::planned(&[&word], labels::of(Language::En), 1);
    assert_eq!(short, ["Euan Galbraith says: Word"], "it is so without its description");
    let other = TimelineEvent { by: Some("Archibald McNeill".into()), ..word };
    assert!(line(&other, Language::En).starts_with("Archibald McNeill says: "));
}
