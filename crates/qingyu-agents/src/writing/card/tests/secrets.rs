//! Secrets with their terms.

use super::*;

#[test]
fn what_is_hidden_is_told_with_its_term() {
    let mut story = long_story();
    story.characters = vec![Character {
        id: "c-1".into(),
        name: "林青".into(),
        secret: "密旨是他自己请的。".into(),
        secret_until: Some("o-5".into()),
        ..Character::default()
    }];
    story.worldview = Some(qingyu_story::Worldview { truth: "棺中人不是太子。".into(), ..Default::default() });
    let hidden = |number| surroundings(&NumberedBook::of(&story), number, "").hidden;
    assert_eq!(
        hidden(4),
        [
            "真相（大纲写到揭开的那一章才可以说破）：棺中人不是太子。",
            "林青的秘密（《第5章》之前读者不能知道）：密旨是他自己请的。"
        ]
    );
    assert_eq!(hidden(5)[1], "林青的秘密（可以说破了）：密旨是他自己请的。");
    // What an earlier chapter gave away is out, while its sentence stands there.
    let text = "棺中人不是太子。";
    let told = serde_json::json!({"revealed": [{"of": "", "quote": text}, {"of": "c-1", "quote": "这句已经删去。"}]});
    story.documents.retain(|document| document.order != 2);
    story.documents.push(qingyu_story::Document {
        id: "d-2".into(),
        order: 2,
        title: "说破".into(),
        outline_node: Some("o-2".into()),
        text: text.into(),
        settled: Some(serde_json::from_value(told).unwrap()),
        ..qingyu_story::Document::default()
    });
    let hidden = surroundings(&NumberedBook::of(&story), 5, "").hidden;
    assert_eq!(hidden[0], "真相（前文已经说破，读者知道）：棺中人不是太子。");
    assert_eq!(hidden[1], "林青的秘密（可以说破了）：密旨是他自己请的。");
    let hidden = surroundings(&NumberedBook::of(&story), 2, "").hidden;
    assert!(hidden[0].contains("大纲写到揭开的那一章"), "not before its chapter: {hidden:?}");
}

#[test]
fn the_secret_of_everybody_is_kept_while_it_is_not_out() {
    let mut story = long_story();
    let card = |id: &str, name: &str, secret: &str| Character {
        id: id.into(),
        name: name.into(),
        secret: secret.into(),
        secret_until: Some("o-5".into()),
        ..Character::default()
    };
    story.characters = vec![card("c-8", "罗玉茹", "白茹是她的艺名。"), card("c-1", "林青", "密旨是他自己请的。")];
    let hidden = |story: &Story, number| surroundings(&NumberedBook::of(story), number, "").hidden;
    assert_eq!(
        hidden(&story, 4),
        [
            "林青的秘密（《第5章》之前读者不能知道）：密旨是他自己请的。",
            "罗玉茹的秘密（《第5章》之前读者不能知道）：白茹是她的艺名。"
        ],
        "people of the chapter come first"
    );
    // What is out is listed for the people of the chapter only.
    let document = story.documents.iter_mut().find(|document| document.order == 2).expect("it has a text");
    document.text = "她就是白茹。".into();
    let told = json!({"revealed": [{"of": "c-8", "quote": "她就是白茹。"}]});
    document.settled = Some(serde_json::from_value(told).unwrap());
    assert_eq!(hidden(&story, 4), ["林青的秘密（《第5章》之前读者不能知道）：密旨是他自己请的。"]);
}

#[test]
fn a_secret_is_kept_until_an_arc_or_volume_without_chapters() {
    let story = |until: &str| -> Story {
        serde_json::from_value(json!({
            "language": "zh",
            "worldview": {"truth": "棺中人不是太子。", "truth_until": until},
            "outline_nodes": [
                {"id": "o-1", "name": "第一卷 碎砚", "kind": "act", "order": 1, "chapters": 2},
                {"id": "o-2", "name": "第一卷第一幕 半行字", "kind": "arc", "order": 2, "chapters": 2, "parent": "o-1"},
                {"id": "o-3", "name": "第一章", "order": 3, "parent": "o-2"},
                {"id": "o-4", "name": "第二章", "order": 4, "parent": "o-2"},
                {"id": "o-5", "name": "第二卷 沉砚", "kind": "act", "order": 5, "chapters": 3},
                {"id": "o-6", "name": "第二卷第一幕 开砚", "kind": "arc", "order": 6, "chapters": 3, "parent": "o-5"}
            ]
        }))
        .unwrap()
    };
    for until in ["第二卷第一幕 开砚", "第二卷 沉砚"] {
        let story = story(until);
        assert_eq!(
            hidden(&NumberedBook::of(&story), 2, &[], &[]),
            [format!("真相（《{until}》之前读者不能知道）：棺中人不是太子。")]
        );
    }
    let first = story("第一卷第一幕 半行字");
    assert_eq!(hidden(&NumberedBook::of(&first), 1, &[], &[]), ["真相（可以说破了）：棺中人不是太子。"]);
}

#[test]
fn what_a_secret_tells_of_an_event_is_not_said_again_with_it() {
    for (language, name, secret, told, event_line, other, thing) in [
        (
            Language::Zh,
            "林青",
            "那夜他不在旧港，在冰房把银戒交给裴慎之抵债。",
            "林青把银戒在冰房交给裴慎之抵债。",
            "- 八月初一：往事：夜交\n",
            "苏曼在钟楼上看见灯灭了。",
            "银戒",
        ),
        (
            Language::En,
            "Lin Qing",
            "That night he handed the silver ring to Pei at the icehouse against a debt.",
            "Lin Qing hands the silver ring to Pei at the icehouse.",
            "- 八月初一: in the past: 夜交\n",
            "Su Man sees from the tower how the lamp goes out.",
            "silver ring",
        ),
    ] {
        let mut story = Story { language, ..long_story() };
        story.characters = vec![Character {
            id: "c-1".into(),
            name: name.into(),
            secret: secret.into(),
            secret_until: Some("o-9".into()),
            ..Character::default()
        }];
        let event = |title: &str, description: &str| {
            json!({"title": title, "timestamp": "八月初一", "description": description, "outline_node": "o-9",
                "mode": "flashback", "told_later": true})
        };
        let around = surroundings(&NumberedBook::of(&story), 5, "");
        let related = json!({"timeline_events": [event("夜交", told), event("灯灭", other)]});
        let found = CardMaterial { story: Some(&story), related, ..CardMaterial::default() };
        let card = chapter(&around, &found, 6_000);
        assert!(card.contains(event_line) && card.contains(other), "its time stays: {card}");
        assert_eq!(card.matches(thing).count(), 1, "the secret has it: {card}");
    }
}

#[test]
fn what_the_outline_tells_of_a_secret_may_come_out_there() {
    let mut story = long_story();
    story.characters = vec![Character {
        id: "c-1".into(),
        name: "林青".into(),
        secret: "密旨是他自己请的。印是他刻的假印。".into(),
        secret_until: Some("o-9".into()),
        ..Character::default()
    }];
    let kept = "林青的秘密（《第9章》之前读者不能知道）：";
    let hidden = |story: &Story| surroundings(&NumberedBook::of(story), 5, "").hidden;
    assert_eq!(hidden(&story), [format!("{kept}密旨是他自己请的。印是他刻的假印。")]);
    story.outline_nodes[4].description = "林青当众承认：密旨是他自己请的。".into();
    assert_eq!(
        hidden(&story),
        ["林青的秘密（可以说破了）：密旨是他自己请的。".to_owned(), format!("{kept}印是他刻的假印。")]
    );
    let told = std::mem::take(&mut story.outline_nodes[4].description);
    story.outline_nodes[4].description = "林青怕人疑心密旨是他自己请的。".into();
    assert_eq!(hidden(&story).len(), 1, "a suspicion discloses nothing");
    story.outline_nodes[4].description = told;
    let before = surroundings(&NumberedBook::of(&story), 4, "").hidden;
    assert_eq!(before.len(), 1, "the chapter before keeps it: {before:?}");
    story.characters[0].secret_until = None;
    story.characters[0].secret = "密旨是他自己请的。".into();
    assert_eq!(hidden(&story), ["林青的秘密（可以说破了）：密旨是他自己请的。"]);
}
