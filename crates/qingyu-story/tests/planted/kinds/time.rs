//! Orders, dates, durations and ages that do not fit.

use qingyu_story::time::moment;
use qingyu_story::{Mode, Story, TimelineEvent};

use super::super::book::{Book, event, newcomer, relation, value};
use super::super::{Kind, Planted};

/// The story with a change of one event.
fn change(book: &Book<'_>, id: &str, change: impl FnOnce(&mut TimelineEvent)) -> Story {
    book.with(|story| change(story.timeline_events.iter_mut().find(|event| event.id == id).expect("it is there")))
}

/// A year and a year so many later, of the calendar of the book; none if it counts days only.
fn year(book: &Book<'_>, later: i64) -> Option<String> {
    let first = book.dated().first()?.timestamp.clone();
    let digits = |text: &str| {
        text.find(|c: char| c.is_ascii_digit()).map(|at| {
            let end = text[at..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |end| at + end);
            (at, end)
        })
    };
    if first.starts_with('第') || first.starts_with("Day") {
        return None;
    }
    if first.starts_with("天宝") {
        return Some(14 + later).filter(|year| *year > 0).map(|year| format!("天宝{year}年"));
    }
    let start = first.split([' ', ',']).find(|part| part.chars().filter(char::is_ascii_digit).count() >= 3)?;
    let (at, end) = digits(start)?;
    let number: i64 = start[at..end].parse().ok()?;
    let suffix = if start[end..].starts_with('年') { "年" } else { "" };
    Some(format!("{}{}{suffix}", &start[..at], number + later))
}

/// Somebody new with an age and a birth, present at the first event.
fn aged(book: &Book<'_>, age: i32, born_before: i64) -> Option<(&'static str, Story)> {
    let birth = year(book, -born_before)?;
    let mut who = "";
    let story = book.with(|story| {
        who = newcomer(book, story);
        let card = story.characters.last_mut().expect("it was added");
        card.age = Some(age);
        card.birth = Some(birth);
    });
    Some((who, story))
}

/// How old somebody born thirty years before the beginning is at an event, at most.
fn grown(book: &Book<'_>, event: &TimelineEvent) -> Option<i32> {
    let born = moment(&year(book, -30)?)?;
    let (_, greatest) = born.age_at(&moment(&event.timestamp)?)?;
    i32::try_from(greatest).ok()
}

pub(crate) fn kinds() -> Vec<Kind> {
    vec![
        Kind {
            name: "order_in_a_circle",
            codes: &["QY301", "QY302", "QY309", "QY310"],
            plant: |book| {
                let (early, late) = book.pair()?;
                let story = book.with(|story| {
                    let mut link = |id: &str, after: &str| {
                        let event = story.timeline_events.iter_mut().find(|event| event.id == id).expect("it is there");
                        event.after.push(after.to_owned());
                    };
                    link(&early.id, &late.title);
                    link(&late.id, &early.title);
                });
                Planted::of(story, &[&early.title, &late.title])
            },
            twins: |book| {
                let Some((early, late)) = book.pair() else { return Vec::new() };
                let twice = change(book, &late.id, |event| event.after.extend([early.title.clone(), early.id.clone()]));
                vec![("said twice", twice)]
            },
        },
        Kind {
            name: "time_against_order",
            codes: &["QY302", "QY310", "QY309"],
            plant: |book| {
                let (early, late) = book.pair()?;
                let told = event("planted", &early.timestamp, &[], None);
                let story = book.with(|story| {
                    story.timeline_events.push(TimelineEvent {
                        after: vec![late.title.clone()],
                        outline_node: late.outline_node.clone(),
                        ..told
                    });
                });
                Planted::of(story, &["planted"])
            },
            twins: |book| {
                let Some((early, late)) = book.pair() else { return Vec::new() };
                let told = |mode: Mode, time: &str| {
                    let told = event("earlier", time, &[], None);
                    book.with(|story| {
                        story.timeline_events.push(TimelineEvent { after: vec![late.title.clone()], mode, ..told });
                    })
                };
                let day = book.day(late).filter(|_| late.duration.is_empty()).unwrap_or_default().to_owned();
                let other = book.say("古历三年", "Year 3");
                vec![
                    ("flashback", told(Mode::Flashback, &early.timestamp)),
                    ("dream", told(Mode::Dreamt, &early.timestamp)),
                    ("the same day", told(Mode::Narrated, &day)),
                    ("another calendar", told(Mode::Narrated, other)),
                    ("vague", told(Mode::Narrated, book.say("很久以前", "long ago"))),
                ]
            },
        },
        Kind {
            name: "relative_time",
            codes: &["QY311", "QY309", "QY302", "QY310"],
            plant: |book| {
                let (early, late) = book.pair()?;
                let words = book
                    .pick(&[book.say("九百天后", "nine hundred days later"), book.say("九年后", "nine years later")])?;
                let story = book.with(|story| {
                    let told = event("planted", words, &[], None);
                    story.timeline_events.push(TimelineEvent { after: vec![early.title.clone()], ..told });
                    let late = story.timeline_events.iter_mut().find(|event| event.id == late.id).expect("it is there");
                    late.after.push("planted".to_owned());
                });
                Planted::of(story, &["planted", &late.title])
            },
            twins: |book| {
                let Some((early, late)) = book.pair() else { return Vec::new() };
                let told = |words: &str, mode: Mode| {
                    book.with(|story| {
                        let told = event("between", words, &[], None);
                        story.timeline_events.push(TimelineEvent { after: vec![early.title.clone()], mode, ..told });
                        let late =
                            story.timeline_events.iter_mut().find(|event| event.id == late.id).expect("it is there");
                        late.after.push("between".to_owned());
                    })
                };
                vec![
                    ("soon", told(book.say("不久", "soon after"), Mode::Narrated)),
                    ("unknown", told(book.say("数日后", "some days later"), Mode::Narrated)),
                    ("plan", told(book.say("两年后", "two years later"), Mode::Planned)),
                ]
            },
        },
        Kind {
            name: "wrong_date_beside",
            codes: &["QY311", "QY309"],
            plant: |book| {
                let (early, late) = book.pair()?;
                let day = book.day(late)?;
                let words = book.say("六百天后", "six hundred days later");
                let both = format!("{words}（{day}）");
                let story = book.with(|story| {
                    let told = event("planted", &both, &[], None);
                    story.timeline_events.push(TimelineEvent { after: vec![early.title.clone()], ..told });
                });
                Planted::of(story, &["planted"])
            },
            twins: |_| Vec::new(),
        },
        Kind {
            name: "duration",
            codes: &["QY310", "QY309", "QY302"],
            plant: |book| {
                let (early, late) = book.pair()?;
                let lasts = book.pick(&[book.say("五百天", "500 days"), book.say("三年", "three years")])?;
                let story = book.with(|story| {
                    let long = event("planted", &early.timestamp, &[], None);
                    story.timeline_events.push(TimelineEvent { duration: lasts.to_owned(), ..long });
                    let late = story.timeline_events.iter_mut().find(|event| event.id == late.id).expect("it is there");
                    late.after.push("planted".to_owned());
                });
                Planted::of(story, &["planted"])
            },
            twins: |book| {
                let Some((early, late)) = book.pair() else { return Vec::new() };
                let told = |lasts: &str, follows: bool| {
                    book.with(|story| {
                        let long = event("long", &early.timestamp, &[], None);
                        story.timeline_events.push(TimelineEvent { duration: lasts.to_owned(), ..long });
                        if follows {
                            let late = story
                                .timeline_events
                                .iter_mut()
                                .find(|event| event.id == late.id)
                                .expect("it is there");
                            late.after.push("long".to_owned());
                        }
                    })
                };
                vec![
                    ("short", told(book.say("半个时辰", "half an hour"), true)),
                    ("goes on beside", told(book.say("三年", "three years"), false)),
                    ("unknown", told(book.say("好一阵子", "a long while"), true)),
                ]
            },
        },
        Kind {
            name: "age_against_birth",
            codes: &["QY303"],
            plant: |book| {
                let off = book.pick(&[24, 36, 60])?;
                let (who, story) = aged(book, off, 30)?;
                Planted::of(story, &[who])
            },
            twins: |book| {
                let exact = aged(book, 30, 30).map(|(_, story)| ("as it is", story));
                let before = aged(book, 29, 30).map(|(_, story)| ("before the birthday", story));
                let other = aged(book, 60, 30).map(|(_, mut story)| {
                    story.characters.last_mut().expect("it was added").birth =
                        Some(book.say("古历三年", "Year 3").to_owned());
                    ("another calendar", story)
                });
                exact.into_iter().chain(before).chain(other).collect()
            },
        },
        Kind {
            name: "age_in_a_fact",
            codes: &["QY314"],
            plant: |book| {
                let (_, late) = book.pair()?;
                let (who, mut story) = aged(book, 30, 30)?;
                let off = book.pick(&[22, 40, 55])?;
                story.facts.push(value("f-90", who, book.say("年龄", "age"), off, &late.title));
                Planted::of(story, &[who])
            },
            twins: |book| {
                let Some((_, late)) = book.pair() else { return Vec::new() };
                let made = |age: i32, mode: Mode| {
                    aged(book, 30, 30).map(|(who, mut story)| {
                        let mut told = value("f-90", who, book.say("年龄", "age"), age, &late.title);
                        told.mode = mode;
                        story.facts.push(told);
                        story
                    })
                };
                let all = [
                    made(grown(book, late).unwrap_or(30), Mode::Narrated).map(|story| ("as it is", story)),
                    made(22, Mode::Lied).map(|story| ("lie", story)),
                    made(22, Mode::Disguised).map(|story| ("disguise", story)),
                    made(12, Mode::Flashback).map(|story| ("flashback", story)),
                ];
                all.into_iter().flatten().collect()
            },
        },
        Kind {
            name: "ages_that_drift",
            codes: &["QY314"],
            plant: |book| {
                let (early, late) = book.pair()?;
                let later = book.pick(&[26, 44])?;
                let mut who = "";
                let story = book.with(|story| {
                    who = newcomer(book, story);
                    story.facts.push(value("f-90", who, "age", 33, &early.title));
                    story.facts.push(value("f-91", who, "age", later, &late.title));
                });
                Planted::of(story, &[who])
            },
            twins: |book| {
                let Some((early, late)) = book.pair() else { return Vec::new() };
                let told = |age: i32| {
                    book.with(|story| {
                        let who = newcomer(book, story);
                        story.facts.push(value("f-90", who, "age", 33, &early.title));
                        story.facts.push(value("f-91", who, "age", age, &late.title));
                    })
                };
                vec![("the same", told(33)), ("a birthday between", told(34))]
            },
        },
        Kind {
            name: "acts_before_birth",
            codes: &["QY304", "QY303", "QY201"],
            plant: |book| {
                let (early, _) = book.pair()?;
                let birth = year(book, 5)?;
                let mut who = "";
                let story = book.with(|story| {
                    who = newcomer(book, story);
                    story.characters.last_mut().expect("it was added").birth = Some(birth);
                    story.timeline_events.push(event("planted", &early.timestamp, &[who], None));
                });
                Planted::of(story, &[who])
            },
            twins: |book| {
                let Some((early, _)) = book.pair() else { return Vec::new() };
                let made = |later: i64, mode: Mode| {
                    let birth = year(book, later)?;
                    Some(book.with(|story| {
                        let who = newcomer(book, story);
                        story.characters.last_mut().expect("it was added").birth = Some(birth);
                        let there = event("there", &early.timestamp, &[who], None);
                        story.timeline_events.push(TimelineEvent { mode, ..there });
                    }))
                };
                let all = [
                    made(0, Mode::Narrated).map(|story| ("the same year", story)),
                    made(5, Mode::Dreamt).map(|story| ("dream", story)),
                ];
                all.into_iter().flatten().collect()
            },
        },
        Kind {
            name: "death_before_birth",
            codes: &["QY305", "QY201", "QY309", "QY303"],
            plant: |book| {
                let (birth, death) = (year(book, -20)?, year(book, -30)?);
                let mut who = "";
                let story = book.with(|story| {
                    who = newcomer(book, story);
                    let card = story.characters.last_mut().expect("it was added");
                    (card.birth, card.death) = (Some(birth), Some(death));
                });
                Planted::of(story, &[who])
            },
            twins: |book| {
                let Some(same) = year(book, -20) else { return Vec::new() };
                let story = book.with(|story| {
                    newcomer(book, story);
                    let card = story.characters.last_mut().expect("it was added");
                    (card.birth, card.death) = (Some(same.clone()), Some(same));
                });
                vec![("the same year", story)]
            },
        },
        Kind {
            name: "older_child",
            codes: &["QY306", "QY312"],
            plant: |book| {
                let (parent, _) = book.strangers()?;
                let mut who = "";
                let age = parent.age?;
                let story = book.with(|story| {
                    who = newcomer(book, story);
                    story.characters.last_mut().expect("it was added").age = Some(age + 9);
                    story.character_relations.push(relation(
                        "r-90",
                        &parent.name,
                        who,
                        qingyu_story::RelationKind::ParentOf,
                    ));
                    story.character_relations.push(relation(
                        "r-91",
                        who,
                        &parent.name,
                        qingyu_story::RelationKind::ChildOf,
                    ));
                });
                Planted::of(story, &[who])
            },
            twins: |book| {
                let made = || {
                    let (parent, _) = book.strangers()?;
                    let age = parent.age.filter(|age| *age > 20)?;
                    Some(book.with(|story| {
                        let who = newcomer(book, story);
                        story.characters.last_mut().expect("it was added").age = Some(age - 20);
                        story.character_relations.push(relation(
                            "r-90",
                            &parent.name,
                            who,
                            qingyu_story::RelationKind::ParentOf,
                        ));
                        story.character_relations.push(relation(
                            "r-91",
                            who,
                            &parent.name,
                            qingyu_story::RelationKind::ChildOf,
                        ));
                    }))
                };
                made().map(|story| ("younger", story)).into_iter().collect()
            },
        },
        Kind {
            name: "no_such_date",
            codes: &["QY307"],
            plant: |book| {
                let (early, _) = book.pair()?;
                let common = early.timestamp.starts_with("1") || early.timestamp.starts_with("2");
                let years = early.timestamp.get(..4).filter(|_| common)?;
                let day = book.pick(&["02-30", "06-31", "13-02"])?;
                let story = book
                    .with(|story| story.timeline_events.push(event("planted", &format!("{years}-{day}"), &[], None)));
                Planted::of(story, &["planted"])
            },
            twins: |book| {
                let leap = book.with(|story| story.timeline_events.push(event("leap", "1852-02-29", &[], None)));
                let own = book.with(|story| {
                    story.timeline_events.push(event(
                        "own",
                        book.say("星历412年15月3日", "Year 412, Day 390"),
                        &[],
                        None,
                    ));
                });
                vec![("leap day", leap), ("a calendar of its own", own)]
            },
        },
        Kind {
            name: "death_dates_differ",
            codes: &["QY308", "QY201", "QY202"],
            plant: |book| {
                let (who, _) = book.dead()?;
                let wrong = year(book, 7)?;
                let story = book.with(|story| {
                    let card = story.characters.iter_mut().find(|card| card.name == who).expect("it is there");
                    card.death = Some(wrong);
                });
                Planted::of(story, &[who])
            },
            twins: |book| {
                let Some((who, death)) = book.dead() else { return Vec::new() };
                let set = |date: String| {
                    book.with(|story| {
                        story.characters.iter_mut().find(|card| card.name == who).expect("it is there").death =
                            Some(date);
                    })
                };
                let mut twins = vec![];
                if let Some(day) = book.day(death) {
                    twins.push(("the same day", set(day.to_owned())));
                }
                twins
            },
        },
        Kind {
            name: "outside_its_chapter",
            codes: &["QY313"],
            plant: |book| {
                let mut events = book.dated();
                events.dedup_by_key(|event| book.day(event));
                let (early, late) = book.pair_of(&events)?;
                let day = book.day(late)?;
                let story = book.with(|story| {
                    let node = story
                        .outline_nodes
                        .iter_mut()
                        .find(|node| Some(&node.id) == early.outline_node.as_ref())
                        .expect("it is there");
                    node.name = match book.is_zh() {
                        true => format!("第{}章 {day}", node.order),
                        false => format!("Chapter {}: {day}", node.order),
                    };
                });
                let chapter =
                    book.story.timeline_events.iter().filter(|event| event.outline_node == early.outline_node);
                let titles: Vec<&str> = chapter.map(|event| event.title.as_str()).collect();
                Planted::of(story, &titles)
            },
            twins: |book| {
                let Some((early, _)) = book.pair() else { return Vec::new() };
                let Some(day) = book.day(early) else { return Vec::new() };
                let alone = book.with(|story| {
                    story
                        .timeline_events
                        .retain(|event| event.outline_node != early.outline_node || event.id == early.id);
                    for event in &mut story.timeline_events {
                        event.after.clear();
                        if event.id == early.id {
                            event.duration.clear();
                        }
                    }
                    let titles: Vec<String> = story.timeline_events.iter().map(|event| event.title.clone()).collect();
                    story.plot_nodes.iter_mut().for_each(|node| node.events.retain(|name| titles.contains(name)));
                    story.facts.clear();
                    let node = story
                        .outline_nodes
                        .iter_mut()
                        .find(|node| Some(&node.id) == early.outline_node.as_ref())
                        .expect("it is there");
                    node.name = match book.is_zh() {
                        true => format!("第{}章 {day}", node.order),
                        false => format!("Chapter {}: {day}", node.order),
                    };
                });
                vec![("inside", alone)]
            },
        },
    ]
}
