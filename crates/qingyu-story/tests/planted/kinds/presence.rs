//! The dead who act, and the living who are in two places.

use qingyu_story::{Fact, Mode, Quotation, Story, TimelineEvent, Travel, WorldRule};

use super::super::book::{Book, event, fact, newcomer, value};
use super::super::{Kind, Planted};

/// The story with an event that somebody takes part in after their death; none if the book has no such somebody.
fn dead_acts(
    book: &Book<'_>,
    change: impl FnOnce(&mut Story, &mut TimelineEvent, &str, &str),
) -> Option<(String, Story)> {
    let (who, death) = book.dead()?;
    let late = book.later(death)?;
    let story = book.with(|story| {
        let mut acts = event("planted", &late.timestamp, &[who], None);
        acts.outline_node.clone_from(&late.outline_node);
        change(story, &mut acts, who, &death.title);
        story.timeline_events.push(acts);
    });
    Some((who.to_owned(), story))
}

fn named(twin: &'static str, made: Option<(String, Story)>) -> Option<(&'static str, Story)> {
    made.map(|(_, story)| (twin, story))
}

/// Somebody at one place, and elsewhere at the same hour.
fn torn(book: &Book<'_>, change: impl FnOnce(&mut TimelineEvent, &mut TimelineEvent)) -> Option<(String, Story)> {
    let (early, _) = book.pair()?;
    let (here, there) = book.places()?;
    let hour = book.hour(early, 4)?;
    let mut who = "";
    let story = book.with(|story| {
        who = newcomer(book, story);
        let mut first = event("planted here", &hour, &[who], Some(&here.name));
        let mut second = event("planted there", &hour, &[who], Some(&there.name));
        first.outline_node.clone_from(&early.outline_node);
        second.outline_node.clone_from(&early.outline_node);
        change(&mut first, &mut second);
        story.timeline_events.extend([first, second]);
    });
    Some((who.to_owned(), story))
}

/// Somebody at two ends of a way, on the same day.
fn hurried(
    book: &Book<'_>,
    change: impl FnOnce(&mut Story, &mut TimelineEvent, &mut TimelineEvent),
) -> Option<(String, Story)> {
    let (here, there, _) = book.way()?;
    let (early, _) = book.pair()?;
    let mut first = event("planted start", &book.hour(early, 1)?, &[], Some(here));
    let mut second = event("planted arrival", &book.hour(early, 5)?, &[], Some(there));
    first.outline_node.clone_from(&early.outline_node);
    second.outline_node.clone_from(&early.outline_node);
    let mut who = "";
    let story = book.with(|story| {
        who = newcomer(book, story);
        first.participants.push(who.to_owned());
        second.participants.push(who.to_owned());
        change(story, &mut first, &mut second);
        story.timeline_events.extend([first, second]);
    });
    Some((who.to_owned(), story))
}

/// Somebody new who by two facts is at the two ends of a way, four hours apart.
fn hurried_by_facts(book: &Book<'_>, change: impl FnOnce(&mut Fact, &mut Fact)) -> Option<(String, Story)> {
    let (here, there, _) = book.way()?;
    let (early, _) = book.pair()?;
    let mut who = "";
    let stay = |id: &str, who: &str, place: &str, hour: String| {
        let mut stay = fact(id, who, "is_at", place, &hour);
        stay.until = hour;
        stay
    };
    let (start, end) = (book.hour(early, 1)?, book.hour(early, 5)?);
    let story = book.with(|story| {
        who = newcomer(book, story);
        let (mut first, mut second) = (stay("f-90", who, here, start), stay("f-91", who, there, end));
        change(&mut first, &mut second);
        story.facts.extend([first, second]);
    });
    Some((who.to_owned(), story))
}

pub(crate) fn kinds() -> Vec<Kind> {
    vec![
        Kind {
            name: "dead_acts",
            codes: &["QY201"],
            plant: |book| {
                let (who, story) = dead_acts(book, |_, _, _, _| {})?;
                Planted::of(story, &[&who])
            },
            twins: |book| {
                let told = |mode: Mode| dead_acts(book, move |_, acts, _, _| acts.mode = mode);
                let funeral = book.say("众人在坟前祭拜", "They stand at the grave");
                let impostor = book.say("有人易容冒充", "An impostor wears the face");
                let says =
                    |text: &'static str| dead_acts(book, move |_, acts, _, _| text.clone_into(&mut acts.description));
                let back = dead_acts(book, |story, _, who, death| {
                    story.facts.push(value("f-90", who, book.say("复活", "resurrected"), true, death));
                });
                let feigned = dead_acts(book, |story, _, who, death| {
                    story.facts.push(value("f-90", who, book.say("假死", "feigns_death"), true, death));
                });
                let law = dead_acts(book, |story, _, _, _| {
                    let statement =
                        book.say("持还阳灯者死后七日可复活", "Those who carry a lamp rise again after seven days");
                    let rule = WorldRule {
                        id: "w-90".into(),
                        name: book.say("还阳", "Return").into(),
                        statement: statement.into(),
                        ..WorldRule::default()
                    };
                    story.worldview.as_mut().expect("a world").rules.push(rule);
                });
                let rumour = book.dead().map(|(_, death)| {
                    let who = book.somebody().map(|card| card.name.clone()).unwrap_or_default();
                    let story = book.with(|story| {
                        let said = TimelineEvent {
                            deaths: vec![who],
                            mode: Mode::Said,
                            ..event("rumour", &death.timestamp, &[], None)
                        };
                        story.timeline_events.push(said);
                    });
                    ("rumoured death", story)
                });
                let all = [
                    named("dream", told(Mode::Dreamt)),
                    named("flashback", told(Mode::Flashback)),
                    named("plan", told(Mode::Planned)),
                    named("retold", told(Mode::Retconned)),
                    named("funeral", says(funeral)),
                    named("impostor", says(impostor)),
                    named("back by a fact", back),
                    named("feigned", feigned),
                    named("a rule of the world", law),
                    rumour,
                ];
                all.into_iter().flatten().collect()
            },
        },
        Kind {
            name: "dead_by_a_fact_acts",
            codes: &["QY201"],
            plant: |book| {
                let (early, late) = book.pair()?;
                let killed = book.pick(&[true, false])?;
                let killer = book.somebody()?;
                let mut who = "";
                let story = book.with(|story| {
                    who = newcomer(book, story);
                    story.timeline_events.push(event("planted", &late.timestamp, &[who], None));
                    story.facts.push(match killed {
                        true => fact("f-90", &killer.name, "kills", who, &early.title),
                        false => fact("f-90", who, book.say("身亡", "is_killed"), "", &early.title),
                    });
                });
                Planted::of(story, &[who])
            },
            twins: |book| {
                let Some((early, late)) = book.pair() else { return Vec::new() };
                let told = |mode: Mode, flag: bool| {
                    book.with(|story| {
                        let who = newcomer(book, story);
                        story.timeline_events.push(event("later", &late.timestamp, &[who], None));
                        let mut death = fact("f-90", who, "dies", "", &early.title);
                        death.mode = mode;
                        if flag {
                            death.value = false.into();
                        }
                        story.facts.push(death);
                    })
                };
                vec![
                    ("lie", told(Mode::Lied, false)),
                    ("belief", told(Mode::Believed, false)),
                    ("denied", told(Mode::Narrated, true)),
                ]
            },
        },
        Kind {
            name: "dead_in_facts",
            codes: &["QY205"],
            plant: |book| {
                let (who, death) = book.dead()?;
                let late = book.later(death)?;
                let thing = book.thing()?;
                let (predicate, object) = book.pick(&[
                    (book.say("使用", "uses"), thing),
                    (book.say("获得", "receives"), thing),
                    (book.say("交出", "hands_over"), thing),
                ])?;
                let story = book.with(|story| story.facts.push(fact("f-90", who, predicate, object, &late.title)));
                Planted::of(story, &[who])
            },
            twins: |book| {
                let made = || {
                    let (who, death) = book.dead()?;
                    let late = book.later(death)?;
                    let thing = book.thing()?;
                    let with = |mode: Mode, quote: &str| {
                        let mut used = fact("f-90", who, "uses", thing, &late.title);
                        used.mode = mode;
                        if !quote.is_empty() {
                            used.source = Some(qingyu_story::Quotation {
                                document: book.story.documents[0].id.clone(),
                                quote: quote.into(),
                                ..Default::default()
                            });
                        }
                        book.with(|story| story.facts.push(used))
                    };
                    let ghost = book.say("亡魂举起了它", "The ghost lifts it");
                    let before = book.with(|story| story.facts.push(fact("f-90", who, "uses", thing, &death.title)));
                    Some(vec![
                        ("dream", with(Mode::Dreamt, "")),
                        ("ghost", with(Mode::Narrated, ghost)),
                        ("as they die", before),
                    ])
                };
                made().unwrap_or_default()
            },
        },
        Kind {
            name: "dies_twice",
            codes: &["QY202"],
            plant: |book| {
                let (who, death) = book.dead()?;
                let late = book.later(death)?;
                let again = event("planted", &late.timestamp, &[], None);
                let by_fact = book.pick(&[true, false])?;
                let story = book.with(|story| match by_fact {
                    true => story.facts.push(fact("f-90", who, "dies", "", &late.title)),
                    false => story.timeline_events.push(TimelineEvent { deaths: vec![who.to_owned()], ..again }),
                });
                Planted::of(story, &[who])
            },
            twins: |book| {
                let Some((who, death)) = book.dead() else { return Vec::new() };
                let Some(late) = book.later(death) else { return Vec::new() };
                let told = |mode: Mode| {
                    let again = event("again", &late.timestamp, &[], None);
                    book.with(|story| {
                        story.timeline_events.push(TimelineEvent { deaths: vec![who.to_owned()], mode, ..again });
                    })
                };
                let restated = book.with(|story| story.facts.push(fact("f-90", who, "dies", "", &death.timestamp)));
                vec![
                    ("rumour", told(Mode::Said)),
                    ("dream", told(Mode::Dreamt)),
                    ("flashback", told(Mode::Flashback)),
                    ("said again by a fact", restated),
                ]
            },
        },
        Kind {
            name: "two_places",
            codes: &["QY203", "QY204"],
            plant: |book| {
                let lasting = book.pick(&[false, true])?;
                let (who, story) = torn(book, |first, second| {
                    if lasting {
                        first.duration = book.say("三小时", "3 hours").to_owned();
                        second.timestamp = second.timestamp.replace("04:00", "05:30");
                    }
                })?;
                Planted::of(story, &[&who])
            },
            twins: |book| {
                let told = |mode: Mode| torn(book, move |_, second| second.mode = mode);
                let upstairs = torn(book, |first, second| {
                    second.location =
                        first.location.as_ref().map(|place| format!("{place}{}", book.say("二楼", ", upper floor")));
                });
                let other = torn(book, |_, second| second.participants.clear());
                [
                    named("dream", told(Mode::Dreamt)),
                    named("disguise", told(Mode::Disguised)),
                    named("said", told(Mode::Said)),
                    named("within", upstairs),
                    named("somebody else", other),
                ]
                .into_iter()
                .flatten()
                .collect()
            },
        },
        Kind {
            name: "elsewhere_by_a_fact",
            codes: &["QY409", "QY206", "QY203"],
            plant: |book| {
                let (early, _) = book.pair()?;
                let (here, there) = book.places()?;
                let hour = book.hour(early, 4)?;
                let mut who = "";
                let story = book.with(|story| {
                    who = newcomer(book, story);
                    story.timeline_events.push(event("planted", &hour, &[who], Some(&here.name)));
                    let mut away = fact("f-90", who, "is_at", &there.name, "planted");
                    away.until = "planted".to_owned();
                    story.facts.push(away);
                });
                Planted::of(story, &[who])
            },
            twins: |book| {
                let made = || {
                    let (early, _) = book.pair()?;
                    let (here, there) = book.places()?;
                    let hour = book.hour(early, 4)?;
                    let told = |mode: Mode| {
                        book.with(|story| {
                            let who = newcomer(book, story);
                            story.timeline_events.push(event("seen", &hour, &[who], Some(&here.name)));
                            let mut away = fact("f-90", who, "is_at", &there.name, "seen");
                            away.until = "seen".to_owned();
                            away.mode = mode;
                            story.facts.push(away);
                        })
                    };
                    Some(vec![
                        ("lie", told(Mode::Lied)),
                        ("belief", told(Mode::Believed)),
                        ("disguise", told(Mode::Disguised)),
                    ])
                };
                made().unwrap_or_default()
            },
        },
        Kind {
            name: "too_fast",
            codes: &["QY204"],
            plant: |book| {
                let (who, story) = hurried(book, |_, _, _| {})?;
                Planted::of(story, &[&who])
            },
            twins: |book| {
                let told = |mode: Mode| hurried(book, move |_, _, second| second.mode = mode);
                let portal = hurried(book, |_, _, second| {
                    book.say("他踏入传送阵，转眼便到", "He steps through the portal")
                        .clone_into(&mut second.description);
                });
                let express = hurried(book, |story, first, second| {
                    let places = &mut story.worldview.as_mut().expect("a world").locations;
                    let from = places
                        .iter_mut()
                        .find(|place| Some(&place.name) == first.location.as_ref())
                        .expect("it is there");
                    from.travel.push(Travel {
                        to: second.location.clone().unwrap_or_default(),
                        duration: book.say("1小时", "1 hour").into(),
                        by: book.say("飞舟", "courier boat").into(),
                    });
                });
                let undated = hurried(book, |_, _, second| second.timestamp.clear());
                let in_time = || {
                    let (here, there, _) = book.way()?;
                    let (first, second) = (book.dated().first().copied()?, book.dated().last().copied()?);
                    Some(book.with(|story| {
                        let who = newcomer(book, story);
                        story.timeline_events.push(event("start", &first.timestamp, &[who], Some(here)));
                        story.timeline_events.push(event("arrival", &second.timestamp, &[who], Some(there)));
                    }))
                };
                let all = [
                    named("dream", told(Mode::Dreamt)),
                    named("plan", told(Mode::Planned)),
                    named("flashback", told(Mode::Flashback)),
                    named("portal", portal),
                    named("a faster way", express),
                    named("undated", undated),
                    in_time().map(|story| ("in time", story)),
                ];
                all.into_iter().flatten().collect()
            },
        },
        Kind {
            name: "too_fast_by_facts",
            codes: &["QY206"],
            plant: |book| {
                let (who, story) = hurried_by_facts(book, |_, _| {})?;
                Planted::of(story, &[&who])
            },
            twins: |book| {
                let told = |mode: Mode| hurried_by_facts(book, move |_, second| second.mode = mode);
                let somebody_else = hurried_by_facts(book, |first, _| first.mode = Mode::Disguised);
                let portal = hurried_by_facts(book, |_, second| {
                    let quote = book.say("她踏入传送阵，转眼便到", "She steps through the portal").to_owned();
                    second.source = Some(Quotation { quote, ..Quotation::default() });
                });
                let undated = hurried_by_facts(book, |_, second| second.from.clear());
                let all = [
                    named("lie", told(Mode::Lied)),
                    named("dream", told(Mode::Dreamt)),
                    named("plan", told(Mode::Planned)),
                    named("disguise", somebody_else),
                    named("portal", portal),
                    named("undated", undated),
                ];
                all.into_iter().flatten().collect()
            },
        },
    ]
}
