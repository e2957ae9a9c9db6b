//! Minds that know too early, too late or after death.

use qingyu_story::{Mode, Story};

use super::super::book::{Book, fact, knower, value};
use super::super::{Kind, Planted};

/// A secret that somebody learns late, and a fact that they speak of it early.
fn speaks(
    book: &Book<'_>,
    how: &str,
    change: impl FnOnce(&mut qingyu_story::Fact, &mut qingyu_story::Fact),
) -> Option<(String, Story)> {
    let (early, late) = book.pair()?;
    let (who, other) = book.two()?;
    let mut secret = value("f-90", &other.name, "has_a_secret", true, "");
    secret.known_by.push(knower(&who.name, &late.title, how, None));
    let mut speech = fact("f-91", &who.name, book.say("说起", "speaks_of"), "f-90", &early.title);
    change(&mut secret, &mut speech);
    Some((who.name.clone(), book.with(|story| story.facts.extend([secret, speech]))))
}

/// A fact that begins late, and somebody who knows it early.
fn foreknown(book: &Book<'_>, how: &str, mode: Mode) -> Option<(String, Story)> {
    let (early, late) = book.pair()?;
    let (who, other) = book.two()?;
    let mut news = value("f-90", &other.name, "has_lost_the_trial", true, &late.title);
    news.mode = mode;
    news.known_by.push(knower(&who.name, &early.title, how, None));
    Some((who.name.clone(), book.with(|story| story.facts.push(news))))
}

/// Somebody who hears a fact twice.
fn heard(book: &Book<'_>, how: &str, predicate: Option<&str>) -> Option<(String, Story)> {
    let (early, late) = book.pair()?;
    let (who, other) = book.two()?;
    let mut secret = value("f-90", &other.name, "has_a_secret", true, "");
    secret.known_by.push(knower(&who.name, &early.title, "", None));
    let again = match predicate {
        Some(word) => Some(fact("f-91", &who.name, word, "f-90", &late.title)),
        None => {
            secret.known_by.push(knower(&who.name, &late.title, how, None));
            None
        }
    };
    Some((who.name.clone(), book.with(|story| story.facts.extend([secret].into_iter().chain(again)))))
}

/// News from somebody who is dead, or to somebody who is.
fn after_death(book: &Book<'_>, how: &str, mode: Mode, is_teller: bool) -> Option<(String, Story)> {
    let (dead, death) = book.dead()?;
    let late = book.later(death)?;
    let (who, other) = book.two()?;
    let mut secret = value("f-90", &other.name, "has_a_secret", true, "");
    secret.mode = mode;
    secret.known_by.push(match is_teller {
        true => knower(&who.name, &late.title, how, Some(dead)),
        false => knower(dead, &late.title, how, None),
    });
    Some((if is_teller { who.name.clone() } else { dead.to_owned() }, book.with(|story| story.facts.push(secret))))
}

pub(crate) fn kinds() -> Vec<Kind> {
    vec![
        Kind {
            name: "speaks_too_early",
            codes: &["QY501"],
            plant: |book| {
                let (who, story) = speaks(book, "", |_, _| {})?;
                Planted::of(story, &[&who])
            },
            twins: |book| {
                let mode = |mode: Mode| speaks(book, "", move |_, speech| speech.mode = mode);
                let late = speaks(book, "", |secret, speech| speech.from.clone_from(&secret.known_by[0].since));
                let before = speaks(book, "", |secret, speech| {
                    secret.known_by.push(knower(&speech.subject, &speech.from, "", None));
                    secret.known_by[0].how = book.say("得到证实", "confirmed").to_owned();
                });
                let own = speaks(book, "", |secret, speech| {
                    (secret.mode, secret.by) = (Mode::Lied, Some(speech.subject.clone()));
                });
                let all = [
                    ("dream", mode(Mode::Dreamt)),
                    ("lie", mode(Mode::Lied)),
                    ("in time", late),
                    ("heard before", before),
                    ("their own lie", own),
                ];
                all.into_iter().filter_map(|(name, made)| made.map(|(_, story)| (name, story))).collect()
            },
        },
        Kind {
            name: "known_before_it_is_so",
            codes: &["QY502"],
            plant: |book| {
                let (who, story) = foreknown(book, book.say("听人说的", "somebody told them"), Mode::Narrated)?;
                Planted::of(story, &[&who])
            },
            twins: |book| {
                let all = [
                    ("prophecy", foreknown(book, book.say("预言里听来", "from a prophecy"), Mode::Narrated)),
                    ("guess", foreknown(book, book.say("猜到的", "guessed it"), Mode::Narrated)),
                    ("plan", foreknown(book, "", Mode::Planned)),
                    ("dream", foreknown(book, "", Mode::Dreamt)),
                ];
                all.into_iter().filter_map(|(name, made)| made.map(|(_, story)| (name, story))).collect()
            },
        },
        Kind {
            name: "learns_twice",
            codes: &["QY503"],
            plant: |book| {
                let word = book.pick(&[None, Some(book.say("得知", "discovers"))])?;
                let (who, story) = heard(book, book.say("第一次听说", "hears the news"), word)?;
                Planted::of(story, &[&who])
            },
            twins: |book| {
                let forgotten = heard(book, "", None).map(|(who, mut story)| {
                    story.facts.push(fact("f-92", &who, book.say("失忆", "forgets"), "f-90", ""));
                    (who, story)
                });
                let all = [
                    ("confirmed", heard(book, book.say("亲眼确认", "confirmed by the eye"), None)),
                    ("only knows", heard(book, "", Some(book.say("知道", "knows")))),
                    ("forgotten", forgotten),
                ];
                all.into_iter().filter_map(|(name, made)| made.map(|(_, story)| (name, story))).collect()
            },
        },
        Kind {
            name: "told_by_the_dead",
            codes: &["QY504"],
            plant: |book| {
                let how = book.pick(&[book.say("当面告诉的，他相信了", "face to face, willingly"), ""])?;
                let (who, story) = after_death(book, how, Mode::Narrated, true)?;
                Planted::of(story, &[&who])
            },
            twins: |book| {
                let all = [
                    (
                        "letter",
                        after_death(book, book.say("留下的遗书里写着", "a letter left behind"), Mode::Narrated, true),
                    ),
                    ("dream", after_death(book, book.say("梦里说的", "said in a dream"), Mode::Narrated, true)),
                    ("taken back", after_death(book, "", Mode::Retconned, true)),
                ];
                all.into_iter().filter_map(|(name, made)| made.map(|(_, story)| (name, story))).collect()
            },
        },
        Kind {
            name: "told_by_the_unknowing",
            codes: &["QY505"],
            plant: |book| {
                let (early, late) = book.pair()?;
                let (who, teller) = book.two()?;
                let mut secret = value("f-90", book.thing()?, "is_cursed", true, "");
                secret.known_by.push(knower(&teller.name, &late.title, "", None));
                secret.known_by.push(knower(&who.name, &early.title, "", Some(&teller.name)));
                Planted::of(book.with(|story| story.facts.push(secret)), &[&who.name])
            },
            twins: |book| {
                let made = || {
                    let (early, late) = book.pair()?;
                    let (who, teller) = book.two()?;
                    let told = |own: &str, how: &str| {
                        let mut secret = value("f-90", book.thing()?, "is_cursed", true, "");
                        secret.known_by.push(knower(&teller.name, own, "", None));
                        secret.known_by.push(knower(&who.name, &early.title, how, Some(&teller.name)));
                        Some(book.with(|story| story.facts.push(secret)))
                    };
                    let all = [
                        ("since ever", told("", "")),
                        ("at once", told(&early.title, "")),
                        ("by letter", told(&late.title, book.say("来信里说的", "by letter"))),
                    ];
                    Some(all.into_iter().filter_map(|(name, story)| Some((name, story?))).collect())
                };
                made().unwrap_or_default()
            },
        },
        Kind {
            name: "learns_after_death",
            codes: &["QY506"],
            plant: |book| {
                let (who, story) = after_death(book, "", Mode::Narrated, false)?;
                Planted::of(story, &[&who])
            },
            twins: |book| {
                let all = [
                    ("ghost", after_death(book, book.say("亡魂听见了", "as a ghost"), Mode::Narrated, false)),
                    ("taken back", after_death(book, "", Mode::Retconned, false)),
                ];
                all.into_iter().filter_map(|(name, made)| made.map(|(_, story)| (name, story))).collect()
            },
        },
        Kind {
            name: "believes_against_knowledge",
            codes: &["QY507"],
            plant: |book| {
                let (early, late) = book.pair()?;
                let (who, liar) = book.two()?;
                let thing = book.thing()?;
                let mut truth = value("f-90", thing, "blood_type", "A", "");
                truth.known_by.push(knower(&who.name, &early.title, "", None));
                let mut lie = value("f-91", thing, "blood_type", "B", "");
                (lie.mode, lie.by) = (Mode::Lied, Some(liar.name.clone()));
                lie.known_by.push(knower(&who.name, &late.title, "", None));
                Planted::of(book.with(|story| story.facts.extend([truth, lie])), &[&who.name])
            },
            twins: |book| {
                let made = || {
                    let (early, late) = book.pair()?;
                    let (who, liar) = book.two()?;
                    let thing = book.thing()?;
                    let told = |since: [&str; 2], forgets: bool| {
                        let mut truth = value("f-90", thing, "blood_type", "A", "");
                        truth.known_by.push(knower(&who.name, since[0], "", None));
                        let mut lie = value("f-91", thing, "blood_type", "B", "");
                        (lie.mode, lie.by) = (Mode::Lied, Some(liar.name.clone()));
                        lie.known_by.push(knower(&who.name, since[1], "", None));
                        let forgets = forgets.then(|| fact("f-92", &who.name, "forgets", "f-90", ""));
                        book.with(|story| story.facts.extend([truth, lie].into_iter().chain(forgets)))
                    };
                    let (first, last) = (early.title.as_str(), late.title.as_str());
                    Some(vec![("fooled first", told([last, first], false)), ("forgotten", told([first, last], true))])
                };
                made().unwrap_or_default()
            },
        },
    ]
}
