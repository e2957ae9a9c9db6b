//! Names that nobody has, and names that several have.

use qingyu_story::{Character, Item, RelationKind};

use super::super::book::{event, fact, relation, value};
use super::super::{Kind, Planted};

pub(crate) fn kinds() -> Vec<Kind> {
    vec![
        Kind {
            name: "undefined_in_event",
            codes: &["QY101"],
            plant: |book| {
                let (_, late) = book.pair()?;
                let nobody = book.say("顾长风", "Rufus Threlkeld");
                let story = book.with(|story| {
                    let event =
                        story.timeline_events.iter_mut().find(|event| event.id == late.id).expect("it is there");
                    event.participants.push(nobody.to_owned());
                });
                Planted::of(story, &[nobody])
            },
            twins: |book| {
                let crowd = book.say("围观的村民", "the onlookers");
                let push = |name: &str| {
                    book.with(|story| {
                        story.timeline_events[0].location = None;
                        story.timeline_events[0].participants.push(name.to_owned());
                    })
                };
                let Some(card) = book.somebody() else { return Vec::new() };
                let noted = format!("{}（{}）", card.name, book.say("远远站着", "at a distance"));
                vec![("crowd", push(crowd)), ("id", push(&card.id)), ("note", push(&noted))]
            },
        },
        Kind {
            name: "undefined_in_outline",
            codes: &["QY101"],
            plant: |book| {
                let (early, _) = book.pair()?;
                let nobody = book.say("秦无衣", "Odette Marchbanks");
                let chapter = book.chapter(early);
                let story = book.with(|story| {
                    let node = story.outline_nodes.iter_mut().find(|node| node.order == chapter).expect("it is there");
                    node.participants.push(nobody.to_owned());
                });
                Planted::of(story, &[nobody])
            },
            twins: |book| {
                let Some(card) = book.somebody() else { return Vec::new() };
                let alias = book.say("无名客", "The Grey One");
                let named = book.with(|story| {
                    let card = story.characters.iter_mut().find(|one| one.id == card.id).expect("it is there");
                    card.alias.push(alias.to_owned());
                    story.outline_nodes[0].participants.push(alias.to_owned());
                });
                vec![("alias", named)]
            },
        },
        Kind {
            name: "undefined_place",
            codes: &["QY106"],
            plant: |book| {
                let (_, late) = book.pair()?;
                let nowhere = book.say("琉璃坞", "Mount Ferrow");
                let strange = event("planted", "", &[], Some(nowhere));
                let story = book.with(|story| {
                    story
                        .timeline_events
                        .push(qingyu_story::TimelineEvent { outline_node: late.outline_node.clone(), ..strange });
                });
                Planted::of(story, &[nowhere])
            },
            twins: |book| {
                let within = format!("{}{}", book.story.locations()[0].name, book.say("后院", ", the back yard"));
                vec![(
                    "part of a place",
                    book.with(|story| story.timeline_events.push(event("aside", "", &[], Some(&within)))),
                )]
            },
        },
        Kind {
            name: "relation_to_nobody",
            codes: &["QY107"],
            plant: |book| {
                let card = book.somebody()?;
                let nobody = book.say("叶孤山", "Barnaby Stroud");
                let story = book.with(|story| {
                    story.character_relations.push(relation("r-90", &card.name, nobody, RelationKind::Knows));
                });
                Planted::of(story, &[nobody])
            },
            twins: |book| {
                let Some((a, b)) = book.strangers() else { return Vec::new() };
                let by_id = book.with(|story| {
                    story.character_relations.push(relation("r-90", &a.id, &b.id, RelationKind::Knows));
                });
                vec![("by id", by_id)]
            },
        },
        Kind {
            name: "held_by_nobody",
            codes: &["QY108"],
            plant: |book| {
                let thing = book.thing()?;
                let nobody = book.say("屠四海", "Gregor Haim");
                let story = book.with(|story| {
                    let items = &mut story.worldview.as_mut().expect("a world").items;
                    let item = items.iter_mut().find(|item| item.name == thing).expect("it is there");
                    item.holder = Some(nobody.to_owned());
                });
                Planted::of(story, &[nobody])
            },
            twins: |book| {
                let Some(thing) = book.thing() else { return Vec::new() };
                let organisation = book.story.worldview.as_ref().expect("a world").organisations[0].name.clone();
                let owned = book.with(|story| {
                    let items = &mut story.worldview.as_mut().expect("a world").items;
                    items.iter_mut().find(|item| item.name == thing).expect("it is there").holder = Some(organisation);
                });
                vec![("organisation", owned)]
            },
        },
        Kind {
            name: "after_an_unknown_event",
            codes: &["QY109"],
            plant: |book| {
                let (_, late) = book.pair()?;
                let nothing = book.say("从未发生的会盟", "The Parley That Never Was");
                let story = book.with(|story| {
                    let event =
                        story.timeline_events.iter_mut().find(|event| event.id == late.id).expect("it is there");
                    event.after.push(nothing.to_owned());
                });
                Planted::of(story, &[&late.title])
            },
            twins: |book| {
                let Some((early, late)) = book.pair() else { return Vec::new() };
                let by_id = book.with(|story| {
                    let event =
                        story.timeline_events.iter_mut().find(|event| event.id == late.id).expect("it is there");
                    event.after.push(early.id.clone());
                });
                vec![("by id", by_id)]
            },
        },
        Kind {
            name: "promise_in_no_chapter",
            codes: &["QY109"],
            plant: |book| {
                let name = book.story.promises[0].name.clone();
                let nowhere = book.say("第九十九章", "Chapter 99");
                let story = book.with(|story| story.promises[0].advanced.push(nowhere.to_owned()));
                Planted::of(story, &[&name])
            },
            twins: |book| {
                let title = book.story.documents[1].title.clone();
                vec![("by the title of a text", book.with(|story| story.promises[0].advanced.push(title)))]
            },
        },
        Kind {
            name: "alias_clash",
            codes: &["QY104"],
            plant: |book| {
                let (a, b) = book.two()?;
                let alias = book.say("黑鸦", "the Rook");
                let story = book.with(|story| {
                    for card in story.characters.iter_mut().filter(|card| [&a.id, &b.id].contains(&&card.id)) {
                        card.alias.push(alias.to_owned());
                    }
                });
                Planted::of(story, &[&a.name, &b.name])
            },
            twins: |book| {
                let Some((a, b)) = book.two() else { return Vec::new() };
                let alias = book.say("小黑鸦", "the Little Rook");
                let twice = book.with(|story| {
                    let card = story.characters.iter_mut().find(|card| card.id == a.id).expect("it is there");
                    card.alias.extend([alias.to_owned(), alias.to_owned()]);
                });
                let siblings = book.with(|story| {
                    for card in story.characters.iter_mut().filter(|card| [&a.id, &b.id].contains(&&card.id)) {
                        card.alias.push(alias.to_owned());
                        card.background = book.say("双胞胎之一，小名共用", "one of identical twins").to_owned();
                    }
                });
                let longer = book.with(|story| {
                    for (card, alias) in story.characters.iter_mut().zip([book.say("黑鸦", "Rook"), alias]) {
                        card.alias.push(alias.to_owned());
                    }
                });
                vec![("twice on one card", twice), ("twins", siblings), ("one within the other", longer)]
            },
        },
        Kind {
            name: "duplicate_name",
            codes: &["QY105", "QY104"],
            plant: |book| {
                let card = book.somebody()?;
                let other = Character {
                    id: "c-90".into(),
                    name: card.name.clone(),
                    role_type: qingyu_story::RoleType::Minor,
                    ..Character::default()
                };
                Planted::of(book.with(|story| story.characters.push(other)), &[&card.name])
            },
            twins: |book| {
                let thing = Item { id: "i-90".into(), name: book.story.locations()[0].name.clone(), ..Item::default() };
                let shared = book.with(|story| story.worldview.as_mut().expect("a world").items.push(thing));
                vec![("different kinds", shared)]
            },
        },
        Kind {
            name: "unknown_fact_subject",
            codes: &["QY111"],
            plant: |book| {
                let (early, _) = book.pair()?;
                let nobody = book.say("莫惊鸿", "Casper Lyle");
                let predicate = book.pick(&["eye_colour", "born", "occupation"])?;
                let said = match predicate {
                    "born" => "1801",
                    "occupation" => "weaver",
                    _ => "grey",
                };
                let from = if predicate == "occupation" { early.title.as_str() } else { "" };
                let story = book.with(|story| story.facts.push(value("f-90", nobody, predicate, said, from)));
                Planted::of(story, &[nobody])
            },
            twins: |book| {
                let Some(card) = book.somebody() else { return Vec::new() };
                let by_id = book.with(|story| story.facts.push(value("f-90", &card.id, "occupation", "weaver", "")));
                let crowd = book.say("村民们", "the villagers");
                let many = book.with(|story| story.facts.push(value("f-90", crowd, "人数", 80, "")));
                vec![("by id", by_id), ("crowd", many)]
            },
        },
        Kind {
            name: "unknown_fact_object",
            codes: &["QY111"],
            plant: |book| {
                let card = book.somebody()?;
                let (early, _) = book.pair()?;
                let (predicate, nobody) = book.pick(&[
                    ("friend_of", book.say("莫惊鸿", "Casper Lyle")),
                    ("is_at", book.say("落霞渡", "Kestrel Down")),
                    ("knows_nothing_of", ""),
                ])?;
                if nobody.is_empty() {
                    // Somebody who is in on a fact, but in no list.
                    let nobody = book.say("莫惊鸿", "Casper Lyle");
                    let known = super::super::book::knower(nobody, &early.title, "", None);
                    let mut secret = value("f-90", &card.name, "has_a_secret", true, "");
                    secret.known_by.push(known);
                    return Planted::of(book.with(|story| story.facts.push(secret)), &[nobody]);
                }
                let mut planted = fact("f-90", &card.name, predicate, nobody, "");
                planted.mode = qingyu_story::Mode::Narrated;
                Planted::of(book.with(|story| story.facts.push(planted)), &[nobody])
            },
            twins: |book| {
                let Some((a, b)) = book.strangers() else { return Vec::new() };
                let alias = book.say("白袍人", "the Pale Man");
                let named = book.with(|story| {
                    let card = story.characters.iter_mut().find(|card| card.id == b.id).expect("it is there");
                    card.alias.push(alias.to_owned());
                    story.facts.push(fact("f-90", &a.name, "friend_of", alias, ""));
                });
                let mut count = value("f-90", &a.name, "count", 7, "");
                count.object = Some(book.say("箭", "arrows").to_owned());
                vec![("alias", named), ("what is counted", book.with(|story| story.facts.push(count)))]
            },
        },
    ]
}
