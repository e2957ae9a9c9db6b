//! Relations that contradict each other.

use qingyu_story::{CharacterRelation, RelationKind, Story};

use super::super::book::{Book, fact, newcomer, relation};
use super::super::{Kind, Planted};

/// Two strangers and the story with relations between them.
fn between(book: &Book<'_>, relations: impl FnOnce(&str, &str) -> Vec<CharacterRelation>) -> Option<(String, Story)> {
    let (a, b) = book.strangers()?;
    let relations = relations(&a.name, &b.name);
    Some((a.name.clone(), book.with(|story| story.character_relations.extend(relations))))
}

fn both(from: &str, to: &str, kind: RelationKind, ids: [&str; 2]) -> Vec<CharacterRelation> {
    vec![relation(ids[0], from, to, kind), relation(ids[1], to, from, kind.inverse())]
}

fn twins(all: impl IntoIterator<Item = (&'static str, Option<(String, Story)>)>) -> Vec<(&'static str, Story)> {
    all.into_iter().filter_map(|(name, made)| made.map(|(_, story)| (name, story))).collect()
}

/// The story with a change, and without the ages and births that would speak against any kinship.
fn ageless(book: &Book<'_>, change: impl FnOnce(&mut Story)) -> Story {
    book.with(|story| {
        for card in &mut story.characters {
            (card.age, card.birth) = (None, None);
        }
        change(story);
    })
}

pub(crate) fn kinds() -> Vec<Kind> {
    vec![
        Kind {
            name: "each_the_others_master",
            codes: &["QY601"],
            plant: |book| {
                let kind = book.pick(&[RelationKind::MentorOf, RelationKind::EmployerOf])?;
                let (who, story) = between(book, |a, b| {
                    [both(a, b, kind, ["r-90", "r-91"]), both(b, a, kind, ["r-92", "r-93"])].concat()
                })?;
                Planted::of(story, &[&who])
            },
            twins: |book| {
                let once = between(book, |a, b| both(a, b, RelationKind::MentorOf, ["r-90", "r-91"]));
                let changing = between(book, |a, b| {
                    let mut all = [
                        both(a, b, RelationKind::MentorOf, ["r-90", "r-91"]),
                        both(b, a, RelationKind::MentorOf, ["r-92", "r-93"]),
                    ]
                    .concat();
                    for (place, one) in all.iter_mut().enumerate() {
                        if place < 2 { one.until = Some("o-4".into()) } else { one.since = Some("o-5".into()) }
                    }
                    all
                });
                twins([("once", once), ("changing sides", changing)])
            },
        },
        Kind {
            name: "one_sided",
            codes: &["QY602"],
            plant: |book| {
                let (who, story) = between(book, |a, b| vec![relation("r-90", a, b, RelationKind::MentorOf)])?;
                Planted::of(story, &[&who])
            },
            twins: |book| {
                let friends = between(book, |a, b| vec![relation("r-90", a, b, RelationKind::Friend)]);
                let alone = between(book, |a, b| vec![relation("r-90", a, b, RelationKind::MentorOf)]).map(
                    |(who, mut story)| {
                        let kinds = [RelationKind::ChildOf, RelationKind::StudentOf, RelationKind::EmployeeOf];
                        story.character_relations.retain(|one| !kinds.contains(&one.kind));
                        (who, story)
                    },
                );
                twins([("friends", friends), ("a book of single sides", alone)])
            },
        },
        Kind {
            name: "to_oneself",
            codes: &["QY603"],
            plant: |book| {
                let card = book.somebody()?;
                let story = book.with(|story| {
                    story.character_relations.push(relation("r-90", &card.name, &card.id, RelationKind::Enemy));
                });
                Planted::of(story, &[&card.name])
            },
            twins: |book| {
                twins([("somebody else", between(book, |a, b| vec![relation("r-90", a, b, RelationKind::Knows)]))])
            },
        },
        Kind {
            name: "friend_and_enemy",
            codes: &["QY604"],
            plant: |book| {
                let (one, other) = book
                    .pick(&[(RelationKind::Friend, RelationKind::Enemy), (RelationKind::Ally, RelationKind::Enemy)])?;
                let bounded = book.pick(&[true, false])?;
                let (who, story) = between(book, |a, b| {
                    let mut all = vec![relation("r-90", a, b, one), relation("r-91", b, a, other)];
                    if bounded {
                        (all[0].since, all[0].until) = (Some("o-1".into()), Some("o-6".into()));
                        (all[1].since, all[1].until) = (Some("o-3".into()), Some("o-8".into()));
                    }
                    all
                })?;
                Planted::of(story, &[&who])
            },
            twins: |book| {
                let turned = between(book, |a, b| {
                    let mut all =
                        vec![relation("r-90", a, b, RelationKind::Friend), relation("r-91", b, a, RelationKind::Enemy)];
                    (all[0].until, all[1].since) = (Some("o-4".into()), Some("o-4".into()));
                    all
                });
                let lovers = between(book, |a, b| {
                    vec![relation("r-90", a, b, RelationKind::Lover), relation("r-91", a, b, RelationKind::Enemy)]
                });
                let rivals = between(book, |a, b| {
                    vec![relation("r-90", a, b, RelationKind::Rival), relation("r-91", a, b, RelationKind::Friend)]
                });
                twins([("turned", turned), ("lovers", lovers), ("rivals", rivals)])
            },
        },
        Kind {
            name: "sibling_and_parent",
            codes: &["QY604", "QY306", "QY312"],
            plant: |book| {
                let (who, story) = between(book, |a, b| {
                    let mut all = both(a, b, RelationKind::ParentOf, ["r-90", "r-91"]);
                    all.push(relation("r-92", b, a, RelationKind::Sibling));
                    all
                })?;
                Planted::of(story, &[&who])
            },
            twins: |book| {
                twins([("siblings", between(book, |a, b| vec![relation("r-90", a, b, RelationKind::Sibling)]))])
            },
        },
        Kind {
            name: "the_same_relation_twice",
            codes: &["QY605"],
            plant: |book| {
                let (who, story) = between(book, |a, b| {
                    vec![relation("r-90", a, b, RelationKind::Ally), relation("r-91", a, b, RelationKind::Ally)]
                })?;
                Planted::of(story, &[&who])
            },
            twins: |book| {
                let back = between(book, |a, b| {
                    vec![relation("r-90", a, b, RelationKind::Ally), relation("r-91", b, a, RelationKind::Ally)]
                });
                let later = between(book, |a, b| {
                    let mut all =
                        vec![relation("r-90", a, b, RelationKind::Ally), relation("r-91", a, b, RelationKind::Ally)];
                    (all[0].until, all[1].since) = (Some("o-3".into()), Some("o-7".into()));
                    all
                });
                twins([("both sides", back), ("again later", later)])
            },
        },
        Kind {
            name: "ancestors_in_a_circle",
            codes: &["QY606", "QY312", "QY306"],
            plant: |book| {
                let (a, b) = book.strangers()?;
                let mut who = "";
                let story = book.with(|story| {
                    who = newcomer(book, story);
                    let ring = [(&*a.name, &*b.name), (&b.name, who), (who, &a.name)];
                    for (place, (parent, child)) in ring.into_iter().enumerate() {
                        let ids = [format!("r-{}", 90 + place * 2), format!("r-{}", 91 + place * 2)];
                        story.character_relations.extend(both(
                            parent,
                            child,
                            RelationKind::ParentOf,
                            [&ids[0], &ids[1]],
                        ));
                    }
                    for card in &mut story.characters {
                        (card.age, card.birth) = (None, None);
                    }
                });
                Planted::of(story, &[who])
            },
            twins: |_| Vec::new(),
        },
        Kind {
            name: "ends_before_it_begins",
            codes: &["QY607"],
            plant: |book| {
                let (who, story) = between(book, |a, b| {
                    let mut one = relation("r-90", a, b, RelationKind::Lover);
                    (one.since, one.until) = (Some("o-7".into()), Some("o-3".into()));
                    vec![one]
                })?;
                Planted::of(story, &[&who])
            },
            twins: |book| {
                let same = between(book, |a, b| {
                    let mut one = relation("r-90", a, b, RelationKind::Lover);
                    (one.since, one.until) = (Some("o-3".into()), Some("o-3".into()));
                    vec![one]
                });
                twins([("one chapter", same)])
            },
        },
        Kind {
            name: "kinship_by_facts",
            codes: &["QY608"],
            plant: |book| {
                let (a, b) = book.strangers()?;
                let facts = book.pick(&[
                    vec![
                        fact("f-90", &a.name, "parent_of", &b.name, ""),
                        fact("f-91", &b.name, "parent_of", &a.name, ""),
                    ],
                    vec![
                        fact("f-90", &a.name, book.say("之子", "child_of"), &b.name, ""),
                        fact("f-91", &b.name, book.say("手足", "sibling_of"), &a.name, ""),
                    ],
                    vec![
                        fact("f-90", &a.name, "friend_of", &b.name, ""),
                        fact("f-91", &b.name, book.say("仇敌", "enemy_of"), &a.name, ""),
                    ],
                ])?;
                Planted::of(ageless(book, |story| story.facts.extend(facts)), &[&a.name])
            },
            twins: |book| {
                let Some((a, b)) = book.strangers() else { return Vec::new() };
                let Some((early, late)) = book.pair() else { return Vec::new() };
                let mut lie = fact("f-91", &b.name, "parent_of", &a.name, "");
                lie.mode = qingyu_story::Mode::Lied;
                let lied =
                    ageless(book, |story| story.facts.extend([fact("f-90", &a.name, "parent_of", &b.name, ""), lie]));
                let mut until = fact("f-90", &a.name, "friend_of", &b.name, &early.title);
                until.until.clone_from(&late.title);
                let turned = book
                    .with(|story| story.facts.extend([until, fact("f-91", &b.name, "enemy_of", &a.name, &late.title)]));
                let alike = ageless(book, |story| {
                    story.facts.extend([
                        fact("f-90", &a.name, "parent_of", &b.name, ""),
                        fact("f-91", &b.name, "child_of", &a.name, ""),
                    ]);
                });
                vec![("lie", lied), ("turned", turned), ("both sides", alike)]
            },
        },
    ]
}
