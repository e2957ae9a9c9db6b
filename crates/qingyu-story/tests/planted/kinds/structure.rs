//! Outline and plot that do not meet.

use qingyu_story::{Fact, OutlineNode, PlotNode, Story, TimelineEvent};

use super::super::book::{Book, event, value};
use super::super::{Kind, Planted};

/// The story with one more chapter at its end.
fn chapter(book: &Book<'_>, change: impl FnOnce(&mut OutlineNode)) -> Story {
    let order = u32::try_from(book.story.outline_nodes.len()).unwrap_or_default() + 1;
    let mut node = OutlineNode {
        id: "o-90".into(),
        order,
        name: book.say("尾声 无人的渡口", "Epilogue: The Empty Quay").into(),
        description: book.say("渡口空了。", "The quay is empty.").into(),
        goal: book.say("收束全书", "to end the book").into(),
        ..OutlineNode::default()
    };
    change(&mut node);
    book.with(|story| story.outline_nodes.push(node))
}

/// Two scenes that tell the same.
fn scenes(book: &Book<'_>, change: impl FnOnce(&mut TimelineEvent, &mut TimelineEvent)) -> Option<Story> {
    let (early, late) = book.pair().filter(|(early, late)| early.outline_node != late.outline_node)?;
    let (a, b) = book.two()?;
    let text = book.say(
        "两人在旧桥上对坐，争的还是那笔旧账，谁也不肯先走，直到更夫来催",
        "The two of them sit on the old bridge and quarrel about the old debt until the watchman sends them home",
    );
    let again = book.say(
        "两人又在旧桥上对坐，争的还是那笔旧账，谁也不肯先走，直到更夫来催",
        "Again the two of them sit on the old bridge and quarrel about the old debt until the watchman sends them home",
    );
    let mut first = event("planted scene", &early.timestamp, &[&a.name, &b.name], None);
    let mut second = event("planted scene again", &late.timestamp, &[&b.name, &a.name], None);
    (first.description, second.description) = (text.to_owned(), again.to_owned());
    first.outline_node.clone_from(&early.outline_node);
    second.outline_node.clone_from(&late.outline_node);
    change(&mut first, &mut second);
    Some(book.with(|story| story.timeline_events.extend([first, second])))
}

/// Two scenes told in other words that come to the same three facts; `change` is given the second three.
fn agreed(book: &Book<'_>, change: impl FnOnce(&mut Vec<Fact>)) -> Option<Story> {
    let (a, b) = book.two()?;
    let mut story = scenes(book, |_, second| second.description.clear())?;
    let vows = [
        (&a.name, book.say("共守铁壁关", "to hold the pass together")),
        (&b.name, book.say("共守铁壁关", "to hold the pass together")),
        (&a.name, book.say("不再饮酒", "to drink no more")),
    ];
    let facts = |first: usize, event: &str| {
        let vow = |(number, (who, vow)): (usize, &(&String, &str))| {
            value(&format!("f-{}", first + number), who, &format!("{}{number}", book.say("誓言", "vow_")), *vow, event)
        };
        vows.iter().enumerate().map(vow).collect::<Vec<_>>()
    };
    let mut again = facts(93, "planted scene again");
    change(&mut again);
    story.facts.extend(facts(90, "planted scene"));
    story.facts.extend(again);
    Some(story)
}

fn plot(id: &str, title: &str, node: Option<&String>, events: &[&str], causes: &[&str]) -> PlotNode {
    let texts = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    PlotNode {
        id: id.into(),
        title: title.into(),
        outline_node: node.cloned(),
        events: texts(events),
        causes: texts(causes),
        ..PlotNode::default()
    }
}

pub(crate) fn kinds() -> Vec<Kind> {
    vec![
        Kind {
            name: "chapter_without_events",
            codes: &["QY901"],
            plant: |book| Planted::of(chapter(book, |_| {}), &[book.say("尾声", "Epilogue")]),
            twins: |book| {
                let told = {
                    let mut story = chapter(book, |_| {});
                    let last = TimelineEvent { outline_node: Some("o-90".into()), ..event("the quay", "", &[], None) };
                    story.timeline_events.push(last);
                    story
                };
                vec![("told", told), ("an act", chapter(book, |node| node.kind = qingyu_story::OutlineNodeKind::Act))]
            },
        },
        Kind {
            name: "unknown_outline_node",
            codes: &["QY902"],
            plant: |book| {
                let (_, late) = book.pair()?;
                let nowhere = book.say("第四十二章", "Chapter 42");
                let lost = TimelineEvent {
                    outline_node: Some(nowhere.into()),
                    ..event("planted", &late.timestamp, &[], None)
                };
                Planted::of(book.with(|story| story.timeline_events.push(lost)), &["planted"])
            },
            twins: |book| {
                let number = book.story.outline_nodes[1].name.split([' ', ':']).next().unwrap_or_default().to_owned();
                let number = if book.is_zh() { number } else { book.story.outline_nodes[1].name.clone() };
                let there = TimelineEvent { outline_node: Some(number), ..event("there", "", &[], None) };
                vec![("by number", book.with(|story| story.timeline_events.push(there)))]
            },
        },
        Kind {
            name: "order_twice",
            codes: &["QY905"],
            plant: |book| {
                let (early, late) = book.pair()?;
                let (early, late) = (book.chapter(early), book.chapter(late));
                let late = if late == early { early + 1 } else { late };
                let mut name = String::new();
                let story = book.with(|story| {
                    let node = story.outline_nodes.iter_mut().find(|node| node.order == late).expect("it is there");
                    node.order = early;
                    name.clone_from(&node.name);
                });
                Planted::of(story, &[&name])
            },
            twins: |book| {
                vec![(
                    "no order at all",
                    book.with(|story| {
                        story.outline_nodes.iter_mut().for_each(|node| node.order = 0);
                        story.promises.clear();
                        story.plot_nodes.clear();
                    }),
                )]
            },
        },
        Kind {
            name: "unknown_parent",
            codes: &["QY906"],
            plant: |book| {
                let name = book.story.outline_nodes[2].name.clone();
                let nowhere = book.say("第九卷 不存在的卷", "Act Nine: Nowhere");
                Planted::of(book.with(|story| story.outline_nodes[2].parent = Some(nowhere.into())), &[&name])
            },
            twins: |_| Vec::new(),
        },
        Kind {
            name: "causes_in_a_circle",
            codes: &["QY908", "QY914"],
            plant: |book| {
                let last = book.story.plot_nodes.last()?.title.clone();
                let first = book.story.plot_nodes.first()?.title.clone();
                Planted::of(book.with(|story| story.plot_nodes[0].causes.push(last)), &[&first])
            },
            twins: |book| {
                let first = book.story.plot_nodes[0].title.clone();
                vec![("two causes", book.with(|story| story.plot_nodes.last_mut().expect("a plot").causes.push(first)))]
            },
        },
        Kind {
            name: "no_climax",
            codes: &["QY909"],
            plant: |book| {
                let story = book.with(|story| {
                    story
                        .plot_nodes
                        .iter_mut()
                        .filter(|node| node.kind == qingyu_story::PlotKind::Climax)
                        .for_each(|node| node.kind = qingyu_story::PlotKind::Turn);
                });
                let titles: Vec<&str> = book.story.plot_nodes.iter().map(|node| node.title.as_str()).collect();
                Planted::of(story, &titles)
            },
            twins: |_| Vec::new(),
        },
        Kind {
            name: "effect_before_cause",
            codes: &["QY914"],
            plant: |book| {
                let (early, late) = book.pair()?;
                let story = book.with(|story| {
                    story.plot_nodes.push(plot(
                        "p-90",
                        "planted cause",
                        late.outline_node.as_ref(),
                        &[&late.title],
                        &[],
                    ));
                    story.plot_nodes.push(plot(
                        "p-91",
                        "planted effect",
                        early.outline_node.as_ref(),
                        &[&early.title],
                        &["planted cause"],
                    ));
                });
                Planted::of(story, &["planted effect"])
            },
            twins: |book| {
                let Some((early, late)) = book.pair() else { return Vec::new() };
                let told = |events: [&str; 2]| {
                    book.with(|story| {
                        story.plot_nodes.push(plot("p-90", "cause", late.outline_node.as_ref(), &[events[0]], &[]));
                        story.plot_nodes.push(plot(
                            "p-91",
                            "effect",
                            late.outline_node.as_ref(),
                            &[events[1]],
                            &["cause"],
                        ));
                    })
                };
                vec![
                    ("one event", told([&late.title, &late.title])),
                    ("told late", {
                        let mut story = told([&late.title, &late.title]);
                        let past = TimelineEvent {
                            mode: qingyu_story::Mode::Flashback,
                            ..event("the past", &early.timestamp, &[], None)
                        };
                        story.timeline_events.push(past);
                        story.plot_nodes.iter_mut().find(|node| node.id == "p-90").expect("it was added").events =
                            vec!["the past".into()];
                        story
                    }),
                ]
            },
        },
        Kind {
            name: "plot_apart_from_its_events",
            codes: &["QY915"],
            plant: |book| {
                let (early, late) = book.pair().filter(|(early, late)| early.outline_node != late.outline_node)?;
                let story = book.with(|story| {
                    story.plot_nodes.push(plot(
                        "p-90",
                        "planted turn",
                        early.outline_node.as_ref(),
                        &[&late.title],
                        &[],
                    ));
                });
                Planted::of(story, &["planted turn"])
            },
            twins: |book| {
                let Some((early, late)) = book.pair() else { return Vec::new() };
                let both = book.with(|story| {
                    story.plot_nodes.push(plot(
                        "p-90",
                        "long turn",
                        early.outline_node.as_ref(),
                        &[&early.title, &late.title],
                        &[],
                    ));
                });
                let open =
                    book.with(|story| story.plot_nodes.push(plot("p-90", "loose turn", None, &[&late.title], &[])));
                vec![("over several chapters", both), ("nowhere yet", open)]
            },
        },
        Kind {
            name: "repeated_scene",
            codes: &["QY916"],
            plant: |book| Planted::of(scenes(book, |_, _| {})?, &["planted scene"]),
            twins: |book| {
                let dreamt = scenes(book, |_, second| second.mode = qingyu_story::Mode::Dreamt);
                let flashback = scenes(book, |_, second| second.mode = qingyu_story::Mode::Flashback);
                let others = scenes(book, |_, second| second.participants.truncate(1));
                let other = scenes(book, |_, second| {
                    book.say(
                        "两人在旧桥上和解，把账本沉进河里，一路唱着回家",
                        "On the bridge the two make peace and drown the ledger in the river",
                    )
                    .clone_into(&mut second.description);
                });
                let all =
                    [("dream", dreamt), ("flashback", flashback), ("other people", others), ("another scene", other)];
                all.into_iter().filter_map(|(name, story)| Some((name, story?))).collect()
            },
        },
        Kind {
            name: "same_facts_again",
            codes: &["QY919"],
            plant: |book| Planted::of(agreed(book, |_| {})?, &["planted scene"]),
            twins: |book| {
                let dreamt =
                    agreed(book, |again| again.iter_mut().for_each(|fact| fact.mode = qingyu_story::Mode::Dreamt));
                let other = agreed(book, |again| {
                    again.iter_mut().for_each(|fact| fact.value = book.say("各走各路", "to part for good").into());
                });
                let few = agreed(book, |again| again.truncate(2));
                let all = [("dream", dreamt), ("other outcome", other), ("too little", few)];
                all.into_iter().filter_map(|(name, story)| Some((name, story?))).collect()
            },
        },
        Kind {
            name: "opening_before_the_ending",
            codes: &["QY917"],
            plant: |book| Planted::of(seam(book, |_| {})?, &["planted opening"]),
            twins: |book| {
                let other = seam(book, |opening| opening.participants.clear());
                let flashback = seam(book, |opening| opening.mode = qingyu_story::Mode::Flashback);
                let undated = seam(book, |opening| opening.timestamp.clear());
                let all = [("other people", other), ("flashback", flashback), ("undated", undated)];
                all.into_iter().filter_map(|(name, story)| Some((name, story?))).collect()
            },
        },
        Kind {
            name: "promise_asleep",
            codes: &["QY918"],
            plant: |book| {
                let story = long(book, &[]);
                Planted::of(story, &["planted promise"])
            },
            twins: |book| vec![("reminded", long(book, &["o-105", "o-112"]))],
        },
    ]
}

/// A book with two more chapters, the second of which begins before the first has ended.
fn seam(book: &Book<'_>, change: impl FnOnce(&mut TimelineEvent)) -> Option<Story> {
    let (first, last) = (book.dated().first().copied()?, book.dated().last().copied()?);
    let card = book.somebody()?;
    let mut story = chapter(book, |_| {});
    let node = story.outline_nodes.last()?.clone();
    let next = OutlineNode {
        id: "o-91".into(),
        order: node.order + 1,
        name: book.say("后记 回程", "Coda: The Way Back").into(),
        ..node
    };
    story.outline_nodes.push(next);
    let told = |title: &str, time: &str, node: &str| TimelineEvent {
        outline_node: Some(node.to_owned()),
        ..event(title, time, &[&card.name], None)
    };
    let mut opening = told("planted opening", &first.timestamp, "o-91");
    change(&mut opening);
    story.timeline_events.extend([told("planted ending", &last.timestamp, "o-90"), opening]);
    // What is told in the new chapter in any case.
    story
        .timeline_events
        .push(TimelineEvent { outline_node: Some("o-91".into()), ..event("the way back", "", &[], None) });
    Some(story)
}

/// A long book, with a promise that is planted in its first chapter and paid in its last, and where it is taken up between.
fn long(book: &Book<'_>, advanced: &[&str]) -> Story {
    let mut story = chapter(book, |_| {});
    let node = story.outline_nodes.pop().expect("it was added");
    for (place, order) in (100..124).zip(node.order..) {
        let name = if book.is_zh() {
            format!("第{order}章 渡口其{order}")
        } else {
            format!("Chapter {order}: Quay {order}")
        };
        story.outline_nodes.push(OutlineNode { id: format!("o-{place}"), order, name, ..node.clone() });
        let title = format!("at the quay {order}");
        story
            .timeline_events
            .push(TimelineEvent { outline_node: Some(format!("o-{place}")), ..event(&title, "", &[], None) });
    }
    story.promises.push(qingyu_story::Promise {
        id: "promise-90".into(),
        name: "planted promise".into(),
        planted: vec!["o-100".into()],
        advanced: advanced.iter().map(|name| (*name).to_owned()).collect(),
        paid: vec!["o-122".into()],
        importance: 8,
        ..qingyu_story::Promise::default()
    });
    story
}
