//! Things lost, destroyed, held twice, and numbers that drift.

use qingyu_story::{Mode, Story};

use super::super::book::{Book, event, fact, newcomer, value};
use super::super::{Kind, Planted};

/// The story with two facts of a thing that nothing else is said of.
fn two_facts(book: &Book<'_>, first: &str, second: &str, mode: Mode) -> Option<(String, String, Story)> {
    let (early, late) = book.pair()?;
    let (thing, card) = (book.thing()?, book.somebody()?);
    let before = match first {
        "destroyed" => value("f-90", thing, "destroyed", true, &early.title),
        word => fact("f-90", &card.name, word, thing, &early.title),
    };
    let mut after = fact("f-91", &card.name, second, thing, &late.title);
    after.mode = mode;
    Some((thing.to_owned(), card.name.clone(), book.with(|story| story.facts.extend([before, after]))))
}

/// The twins of [`two_facts`]: other modes, and something that undoes the first.
fn undone(book: &Book<'_>, first: &str, undo: &str) -> Vec<(&'static str, Story)> {
    let modes = [("dream", Mode::Dreamt), ("lie", Mode::Lied), ("plan", Mode::Planned), ("flashback", Mode::Flashback)];
    let mut twins: Vec<_> = modes
        .into_iter()
        .filter_map(|(name, mode)| two_facts(book, first, "uses", mode).map(|(.., story)| (name, story)))
        .collect();
    let (Some((early, _)), Some((thing, who, mut story))) =
        (book.pair(), two_facts(book, first, "uses", Mode::Narrated))
    else {
        return twins;
    };
    let from = story.facts.iter().find(|fact| fact.id == "f-90").map_or(early.title.clone(), |fact| fact.from.clone());
    story.facts.push(match undo {
        "repaired" => value("f-92", &thing, "repaired", true, &from),
        word => fact("f-92", &who, word, &thing, &from),
    });
    twins.push(("undone", story));
    twins
}

/// Two values of one word, at one moment.
fn two_values(
    book: &Book<'_>,
    predicate: &str,
    values: [serde_json::Value; 2],
    units: [&str; 2],
    from: &str,
    mode: Mode,
) -> Story {
    book.with(|story| {
        let who = newcomer(book, story);
        for (place, (said, unit)) in values.into_iter().zip(units).enumerate() {
            let mut told = value(&format!("f-9{place}"), who, predicate, said, from);
            told.unit = unit.to_owned();
            if place == 1 {
                told.mode = mode;
            }
            story.facts.push(told);
        }
    })
}

fn account(book: &Book<'_>, had: i64, spent: i64, left: Option<i64>) -> Option<(&'static str, Story)> {
    let (early, late) = book.pair()?;
    let between = book.dated().into_iter().find(|event| {
        let time = |event: &qingyu_story::TimelineEvent| qingyu_story::time::moment(&event.timestamp);
        matches!((time(early), time(event), time(late)), (Some(a), Some(b), Some(c)) if a.is_before(&b) && b.is_before(&c))
    });
    let coins = book.say("铜钱", "copper coins");
    let mut who = "";
    let story = book.with(|story| {
        who = newcomer(book, story);
        let mut say = |id: &str, word: &str, number: i64, from: &str| {
            let mut told = value(id, who, word, number, from);
            told.object = Some(coins.to_owned());
            story.facts.push(told);
        };
        say("f-90", "balance", had, &early.title);
        say("f-91", "spends", spent, &between.unwrap_or(late).title);
        if let (Some(left), Some(_)) = (left, between) {
            say("f-92", "balance", left, &late.title);
        }
    });
    (left.is_none() || between.is_some()).then_some((who, story))
}

pub(crate) fn kinds() -> Vec<Kind> {
    vec![
        Kind {
            name: "used_after_loss",
            codes: &["QY402"],
            plant: |book| {
                let word =
                    book.pick(&[book.say("弄丢", "loses"), book.say("卖掉", "sells"), book.say("交出", "gives_away")])?;
                let (thing, _, story) = two_facts(book, word, book.say("使用", "uses"), Mode::Narrated)?;
                Planted::of(story, &[&thing])
            },
            twins: |book| undone(book, book.say("弄丢", "loses"), book.say("找回", "regains")),
        },
        Kind {
            name: "given_twice",
            codes: &["QY402"],
            plant: |book| {
                let (thing, _, story) =
                    two_facts(book, book.say("送出", "gives"), book.say("卖出", "sells"), Mode::Narrated)?;
                Planted::of(story, &[&thing])
            },
            twins: |book| {
                let counted = two_facts(book, "gives", "gives", Mode::Narrated).map(|(.., mut story)| {
                    story
                        .facts
                        .iter_mut()
                        .filter(|fact| ["f-90", "f-91"].contains(&fact.id.as_str()))
                        .for_each(|fact| fact.value = 3.into());
                    ("some of them", story)
                });
                let planned = two_facts(book, "gives", "sells", Mode::Planned).map(|(.., story)| ("plan", story));
                counted.into_iter().chain(planned).collect()
            },
        },
        Kind {
            name: "used_after_destruction",
            codes: &["QY403"],
            plant: |book| {
                let word =
                    book.pick(&[book.say("使用", "wields"), book.say("持有", "carries"), book.say("卖掉", "sells")])?;
                let (thing, _, story) = two_facts(book, "destroyed", word, Mode::Narrated)?;
                Planted::of(story, &[&thing])
            },
            twins: |book| undone(book, "destroyed", "repaired"),
        },
        Kind {
            name: "two_holders",
            codes: &["QY401"],
            plant: |book| {
                let (early, late) = book.pair()?;
                let ((a, b), thing) = (book.two()?, book.thing()?);
                let together = book.pick(&[true, false])?;
                let story = book.with(|story| {
                    let mut first = fact("f-90", &a.name, book.say("持有", "owns"), thing, &early.title);
                    let mut second = fact("f-91", &b.name, book.say("携带", "carries"), thing, &early.title);
                    first.until.clone_from(&late.title);
                    if !together {
                        second.until.clone_from(&late.title);
                    }
                    story.facts.extend([first, second]);
                });
                Planted::of(story, &[thing])
            },
            twins: |book| {
                let made = || {
                    let (early, late) = book.pair()?;
                    let ((a, b), thing) = (book.two()?, book.thing()?);
                    let told = |mode: Mode, handed: bool| {
                        book.with(|story| {
                            let mut first = fact("f-90", &a.name, "holds", thing, &early.title);
                            let mut second =
                                fact("f-91", &b.name, "holds", thing, if handed { &late.title } else { &early.title });
                            first.until.clone_from(&late.title);
                            second.mode = mode;
                            story.facts.extend([first, second]);
                        })
                    };
                    Some(vec![
                        ("handed over", told(Mode::Narrated, true)),
                        ("lie", told(Mode::Lied, false)),
                        ("belief", told(Mode::Believed, false)),
                    ])
                };
                made().unwrap_or_default()
            },
        },
        Kind {
            name: "thing_in_two_places",
            codes: &["QY404"],
            plant: |book| {
                let (early, late) = book.pair()?;
                let ((here, there), thing) = (book.places()?, book.thing()?);
                let story = book.with(|story| {
                    let mut first = fact("f-90", thing, book.say("位于", "located_at"), &here.name, &early.title);
                    first.until.clone_from(&late.title);
                    story.facts.extend([first, fact("f-91", thing, "is_at", &there.name, &early.title)]);
                });
                Planted::of(story, &[thing])
            },
            twins: |book| {
                let made = || {
                    let (early, late) = book.pair()?;
                    let ((here, there), thing) = (book.places()?, book.thing()?);
                    let told = |mode: Mode, from: &str| {
                        book.with(|story| {
                            let mut second = fact("f-91", thing, "is_at", &there.name, from);
                            second.mode = mode;
                            story.facts.extend([fact("f-90", thing, "is_at", &here.name, &early.title), second]);
                        })
                    };
                    Some(vec![
                        ("moved", told(Mode::Narrated, &late.title)),
                        ("belief", told(Mode::Believed, &early.title)),
                    ])
                };
                made().unwrap_or_default()
            },
        },
        Kind {
            name: "below_zero",
            codes: &["QY405", "QY406"],
            plant: |book| {
                let (who, story) = account(book, 30, 45, None)?;
                Planted::of(story, &[who])
            },
            twins: |book| {
                account(book, 30, 30, None).map(|(_, story)| ("to the last coin", story)).into_iter().collect()
            },
        },
        Kind {
            name: "sum_is_wrong",
            codes: &["QY406"],
            plant: |book| {
                let (who, story) = account(book, 30, 12, Some(25))?;
                Planted::of(story, &[who])
            },
            twins: |book| {
                let right = account(book, 30, 12, Some(18)).map(|(_, story)| ("as it is", story));
                let untold = account(book, 30, 12, Some(25)).map(|(_, mut story)| {
                    story.facts.retain(|fact| fact.id != "f-91");
                    ("a change that is not told", story)
                });
                right.into_iter().chain(untold).collect()
            },
        },
        Kind {
            name: "number_drifts",
            codes: &["QY407"],
            plant: |book| {
                let (early, late) = book.pair()?;
                let (word, from, one, other) = book.pick(&[
                    (book.say("身高", "height"), "", 182, 169),
                    (book.say("兄弟姐妹数", "number_of_siblings"), "", 3, 5),
                    (book.say("体重", "weighs"), early.title.as_str(), 60, 85),
                    (book.say("身高", "tall"), "moments", 182, 160),
                ])?;
                let unit = if word == "weighs" || word == "体重" {
                    "kg"
                } else if one > 100 {
                    "cm"
                } else {
                    ""
                };
                let at = if from == "moments" { early.title.as_str() } else { from };
                let mut story = two_values(book, word, [one.into(), other.into()], [unit, unit], at, Mode::Narrated);
                if from == "moments" {
                    let second = story.facts.iter_mut().find(|fact| fact.id == "f-91").expect("it was added");
                    second.from.clone_from(&late.title);
                }
                Planted::of(story, &[book.say("信使阿陶", "Tobias Reed")])
            },
            twins: |book| {
                let Some((early, late)) = book.pair() else { return Vec::new() };
                let heights = [182.into(), 6.into()];
                let weights =
                    |from: &str, mode| two_values(book, "weight", [60.into(), 85.into()], ["kg", "kg"], from, mode);
                let mut changed = weights(&early.title, Mode::Narrated);
                changed.facts.last_mut().expect("it was added").from.clone_from(&late.title);
                changed
                    .facts
                    .iter_mut()
                    .find(|fact| fact.id == "f-90")
                    .expect("it was added")
                    .until
                    .clone_from(&late.title);
                let mut prices =
                    two_values(book, "price", [60.into(), 85.into()], ["", ""], &early.title, Mode::Narrated);
                prices.facts.last_mut().expect("it was added").from.clone_from(&late.title);
                vec![
                    ("rounded by conversion", two_values(book, "height", heights, ["cm", "feet"], "", Mode::Narrated)),
                    ("disguise", weights("", Mode::Disguised)),
                    ("believed", weights("", Mode::Believed)),
                    ("a change that is told", changed),
                    ("a price that rises", prices),
                ]
            },
        },
        Kind {
            name: "count_drifts",
            codes: &["QY407"],
            plant: |book| {
                let story = two_values(
                    book,
                    book.say("人数", "headcount"),
                    [12.into(), 15.into()],
                    ["", ""],
                    "",
                    Mode::Narrated,
                );
                Planted::of(story, &[book.say("信使阿陶", "Tobias Reed")])
            },
            twins: |book| {
                let Some((early, late)) = book.pair() else { return Vec::new() };
                let mut changed =
                    two_values(book, "headcount", [12.into(), 15.into()], ["", ""], &early.title, Mode::Narrated);
                changed.facts.last_mut().expect("it was added").from.clone_from(&late.title);
                let dozen = two_values(book, "headcount", [12.into(), 1.into()], ["", "dozen"], "", Mode::Narrated);
                vec![("another time", changed), ("a dozen", dozen)]
            },
        },
        Kind {
            name: "eyes_change",
            codes: &["QY408"],
            plant: |book| {
                let (early, late) = book.pair()?;
                let (word, one, other) = book.pick(&[
                    (book.say("瞳色", "eye_colour"), book.say("碧绿", "green"), book.say("乌黑", "black")),
                    (book.say("血型", "blood_type"), "A", "O"),
                    (book.say("惯用手", "handedness"), book.say("左手", "left"), book.say("右手", "right")),
                    (book.say("种族", "species"), book.say("人类", "human"), book.say("精灵", "elf")),
                ])?;
                let mut story =
                    two_values(book, word, [one.into(), other.into()], ["", ""], &early.title, Mode::Narrated);
                story.facts.last_mut().expect("it was added").from.clone_from(&late.title);
                Planted::of(story, &[book.say("信使阿陶", "Tobias Reed")])
            },
            twins: |book| {
                let told = |one: &str, other: &str, mode| {
                    two_values(book, "eye_colour", [one.into(), other.into()], ["", ""], "", mode)
                };
                let (green, black) = (book.say("绿", "green"), book.say("黑", "black"));
                vec![
                    ("disguise", told(green, black, Mode::Disguised)),
                    ("dream", told(green, black, Mode::Dreamt)),
                    ("taken back", told(green, black, Mode::Retconned)),
                    ("another word", told(green, book.say("翡翠", "emerald"), Mode::Narrated)),
                    ("another language", told("绿", "green", Mode::Narrated)),
                ]
            },
        },
        Kind {
            name: "two_ranks",
            codes: &["QY409"],
            plant: |book| {
                let (early, _) = book.pair()?;
                let ranks = [book.say("外门弟子", "lieutenant").into(), book.say("掌门", "colonel").into()];
                let story = two_values(book, book.say("职位", "rank"), ranks, ["", ""], &early.title, Mode::Narrated);
                Planted::of(story, &[book.say("信使阿陶", "Tobias Reed")])
            },
            twins: |book| {
                let Some((early, late)) = book.pair() else { return Vec::new() };
                let ranks = || [book.say("外门弟子", "lieutenant").into(), book.say("掌门", "colonel").into()];
                let mut raised = two_values(book, "rank", ranks(), ["", ""], &early.title, Mode::Narrated);
                raised.facts.last_mut().expect("it was added").from.clone_from(&late.title);
                let said = two_values(book, "rank", ranks(), ["", ""], &early.title, Mode::Said);
                vec![("raised", raised), ("said", said)]
            },
        },
        Kind {
            name: "hair_of_one_day",
            codes: &["QY409"],
            plant: |book| {
                let (early, _) = book.pair()?;
                let day = book.day(early)?;
                let hair = [book.say("黑", "black").into(), book.say("金", "blond").into()];
                let story = two_values(book, book.say("发色", "hair_colour"), hair, ["", ""], day, Mode::Narrated);
                Planted::of(story, &[book.say("信使阿陶", "Tobias Reed")])
            },
            twins: |book| {
                let Some((early, late)) = book.pair() else { return Vec::new() };
                let hair = [book.say("黑", "black").into(), book.say("金", "blond").into()];
                let mut dyed = two_values(book, "hair_colour", hair, ["", ""], &early.title, Mode::Narrated);
                dyed.facts.last_mut().expect("it was added").from.clone_from(&late.title);
                let strange = book.with(|story| story.timeline_events.push(event("aside", "", &[], None)));
                vec![("dyed", dyed), ("nothing", strange)]
            },
        },
    ]
}
