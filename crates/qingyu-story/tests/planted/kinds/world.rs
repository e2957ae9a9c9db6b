//! Rules of the world that are broken.

use qingyu_story::{Clause, Mode, Story, TimelineEvent, WorldRule};

use super::super::book::{Book, event, fact, newcomer, value};
use super::super::{Kind, Planted};

fn clause(who: &str, predicate: &str, object: Option<&str>, place: Option<&str>, unless: &[&str]) -> Clause {
    Clause {
        who: who.to_owned(),
        predicate: predicate.to_owned(),
        object: object.map(str::to_owned),
        place: place.map(str::to_owned),
        unless: unless.iter().map(|word| (*word).to_owned()).collect(),
    }
}

fn rule(forbids: Option<Clause>, demands: Option<Clause>, id: &str) -> WorldRule {
    WorldRule {
        id: id.to_owned(),
        name: format!("planted law {id}"),
        statement: "planted".to_owned(),
        forbids,
        demands,
        ..WorldRule::default()
    }
}

/// A new law against being at a place, and a newcomer of the trade who is there.
fn trespass(
    book: &Book<'_>,
    unless: &[&str],
    change: impl FnOnce(&mut Story, &mut TimelineEvent),
) -> Option<(&'static str, Story)> {
    let (_, late) = book.pair()?;
    let (here, _) = book.places()?;
    let trade = book.say("走贩", "pedlar");
    let mut who = "";
    let story = book.with(|story| {
        who = newcomer(book, story);
        story.characters.last_mut().expect("it was added").occupation = trade.to_owned();
        let law = rule(Some(clause(trade, "", None, Some(&here.name), unless)), None, "w-90");
        story.worldview.as_mut().expect("a world").rules.push(law);
        let mut there = event("planted", &late.timestamp, &[who], Some(&here.name));
        change(story, &mut there);
        story.timeline_events.push(there);
    });
    Some((who, story))
}

/// A new law about using a thing, and a fact.
fn breach(book: &Book<'_>, demands: bool, unless: &[&str], mode: Mode, is_so: bool) -> Option<(&'static str, Story)> {
    let (early, _) = book.pair()?;
    let thing = book.thing()?;
    let mut who = "";
    let story = book.with(|story| {
        who = newcomer(book, story);
        let clause = Some(clause("", "uses", Some(thing), None, unless));
        let law = if demands { rule(None, clause, "w-90") } else { rule(clause, None, "w-90") };
        story.worldview.as_mut().expect("a world").rules.push(law);
        let mut used = fact("f-90", who, book.say("动用", "employs"), thing, &early.title);
        used.mode = mode;
        if !is_so {
            used.value = false.into();
        }
        story.facts.push(used);
    });
    Some((who, story))
}

fn twins(all: impl IntoIterator<Item = (&'static str, Option<(&'static str, Story)>)>) -> Vec<(&'static str, Story)> {
    all.into_iter().filter_map(|(name, made)| made.map(|(_, story)| (name, story))).collect()
}

pub(crate) fn kinds() -> Vec<Kind> {
    vec![
        Kind {
            name: "forbidden_fact",
            codes: &["QY801"],
            plant: |book| {
                let (who, story) = breach(book, false, &[], Mode::Narrated, true)?;
                Planted::of(story, &[who])
            },
            twins: |book| {
                let who = book.say("信使阿陶", "Tobias Reed");
                twins([
                    ("excepted", breach(book, false, &[who], Mode::Narrated, true)),
                    ("dream", breach(book, false, &[], Mode::Dreamt, true)),
                    ("lie", breach(book, false, &[], Mode::Lied, true)),
                    ("denied", breach(book, false, &[], Mode::Narrated, false)),
                ])
            },
        },
        Kind {
            name: "forbidden_event",
            codes: &["QY802"],
            plant: |book| {
                let (who, story) = trespass(book, &[], |_, _| {})?;
                Planted::of(story, &[who])
            },
            twins: |book| {
                let pass = book.say("令牌", "a pass");
                let shown = trespass(book, &[pass], |_, there| {
                    book.say("他亮出令牌", "He shows a pass").clone_into(&mut there.description);
                });
                let held = trespass(book, &["planted token"], |story, _| {
                    let world = story.worldview.as_mut().expect("a world");
                    world.items.push(qingyu_story::Item {
                        id: "i-90".into(),
                        name: "planted token".into(),
                        ..Default::default()
                    });
                    let who = book.say("信使阿陶", "Tobias Reed");
                    story.facts.push(fact("f-90", who, "holds", "planted token", ""));
                });
                twins([
                    ("a word of the law", shown),
                    ("holds the token", held),
                    ("dream", trespass(book, &[], |_, there| there.mode = Mode::Dreamt)),
                    ("plan", trespass(book, &[], |_, there| there.mode = Mode::Planned)),
                    (
                        "another trade",
                        trespass(book, &[], |story, _| {
                            story.characters.last_mut().expect("it was added").occupation = "fiddler".into();
                        }),
                    ),
                ])
            },
        },
        Kind {
            name: "rules_clash",
            codes: &["QY803"],
            plant: |book| {
                let thing = book.thing()?;
                let story = book.with(|story| {
                    let rules = &mut story.worldview.as_mut().expect("a world").rules;
                    rules.push(rule(Some(clause("", "uses", Some(thing), None, &[])), None, "w-90"));
                    rules.push(rule(None, Some(clause("", "uses", Some(thing), None, &[])), "w-91"));
                });
                Planted::of(story, &["planted law"])
            },
            twins: |book| {
                let Some(thing) = book.thing() else { return Vec::new() };
                let apart = |who: &str, place: Option<&str>| {
                    book.with(|story| {
                        let rules = &mut story.worldview.as_mut().expect("a world").rules;
                        rules.push(rule(Some(clause("fiddler", "uses", Some(thing), place, &[])), None, "w-90"));
                        rules.push(rule(None, Some(clause(who, "uses", Some(thing), None, &["fiddler"])), "w-91"));
                    })
                };
                vec![("other people", apart("pedlar", None)), ("excepted", apart("", None))]
            },
        },
        Kind {
            name: "demand_unmet",
            codes: &["QY804"],
            plant: |book| {
                let (who, story) = breach(book, true, &[], Mode::Narrated, false)?;
                Planted::of(story, &[who])
            },
            twins: |book| {
                let who = book.say("信使阿陶", "Tobias Reed");
                twins([
                    ("met", breach(book, true, &[], Mode::Narrated, true)),
                    ("excepted", breach(book, true, &[who], Mode::Narrated, false)),
                    ("lie", breach(book, true, &[], Mode::Lied, false)),
                ])
            },
        },
        Kind {
            name: "forbidden_killing",
            codes: &["QY801"],
            plant: |book| {
                let (early, _) = book.pair()?;
                let killer = book.somebody()?;
                let mut who = "";
                let story = book.with(|story| {
                    who = newcomer(book, story);
                    story.facts.push(value("f-91", &killer.name, "trait", book.say("守戒人", "sworn brother"), ""));
                    let law = rule(
                        Some(clause(book.say("守戒人", "sworn brother"), book.say("杀", "kills"), None, None, &[])),
                        None,
                        "w-90",
                    );
                    story.worldview.as_mut().expect("a world").rules.push(law);
                    story.facts.push(fact("f-90", &killer.name, "kills", who, &early.title));
                });
                Planted::of(story, &[&killer.name])
            },
            twins: |_| Vec::new(),
        },
    ]
}
