use std::collections::BTreeSet;

use super::*;

const LANGUAGES: [Language; 2] = [Language::Zh, Language::En];

/// The slots of a template, without their marks.
fn slots(template: &str) -> impl Iterator<Item = &str> {
    let marked = template.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    marked.map(|(slot, _)| slot.trim_end_matches(":a").trim_end_matches('+'))
}

fn texts(shape: &StoryShape) -> Vec<&String> {
    let mut texts = vec![&shape.summary, &shape.hero.goal, &shape.hero.conflict, &shape.hero.arc];
    texts.extend(&shape.titles);
    texts.extend(shape.acts.iter().flat_map(|act| [&act.text, &act.goal]));
    texts.extend(shape.roles.iter().flat_map(|part| [&part.relation, &part.goal, &part.conflict, &part.arc]));
    texts.extend(shape.links.iter().map(|link| &link.text));
    texts.extend([&shape.style.rhythm, &shape.style.dialogue]);
    texts.extend(shape.style.rules.iter().chain(&shape.style.taboos));
    for chapter in shape.chapters.iter().chain(&shape.extras) {
        texts.extend(chapter.name.iter().chain(&chapter.text).chain(&chapter.plants).chain(&chapter.pays));
        texts.push(&chapter.goal);
    }
    texts
}

#[test]
fn every_slot_of_every_shape_is_filled_in_every_case() {
    let common = [
        "hero", "self", "skill", "want", "his", "him", "org", "org2", "item", "item2", "base", "scene", "street",
        "power", "hidden", "last",
    ];
    for language in LANGUAGES {
        for shape in &LanguageTables::of(language).shapes {
            let parts: Vec<&str> = shape.roles.iter().map(|part| part.key.as_str()).collect();
            for case in &shape.cases {
                let known =
                    |slot: &str| common.contains(&slot) || parts.contains(&slot) || case.slots.contains_key(slot);
                for text in texts(shape).into_iter().chain(case.slots.values()) {
                    let unknown: Vec<&str> = slots(text).filter(|slot| !known(slot)).collect();
                    assert!(unknown.is_empty(), "{} {}: {unknown:?} in {text}", shape.key, case.slots["case"]);
                }
            }
        }
    }
}

#[test]
fn cards_need_no_case() {
    // The cast is made beside the outline and does not know which case it drew.
    for language in LANGUAGES {
        for shape in &LanguageTables::of(language).shapes {
            let own: BTreeSet<&str> =
                shape.cases.iter().flat_map(|case| case.slots.keys().map(String::as_str)).collect();
            let cards = shape.roles.iter().flat_map(|part| [&part.relation, &part.goal, &part.conflict, &part.arc]);
            for text in cards.chain([&shape.hero.goal, &shape.hero.conflict, &shape.hero.arc]) {
                assert!(slots(text).all(|slot| !own.contains(slot)), "{}: {text}", shape.key);
            }
        }
    }
}

#[test]
fn shapes_are_whole() {
    for language in LANGUAGES {
        let tables = LanguageTables::of(language);
        for shape in &tables.shapes {
            assert!(tables.settings.iter().any(|setting| setting.key == shape.setting), "{}", shape.key);
            assert_eq!(
                shape.roles.iter().filter(|part| part.role_type == RoleType::Antagonist).count(),
                1,
                "{}",
                shape.key
            );
            assert_eq!(shape.roles.iter().filter(|part| part.holder).count(), 1, "{}", shape.key);
            assert!((8..=12).contains(&shape.chapters.len()) && shape.extras.len() >= 4, "{}", shape.key);
            for setting in &tables.settings {
                let fits = |case: &CaseTemplate| case.settings.is_empty() || case.settings.contains(&setting.key);
                assert!(
                    shape.cases.iter().any(|case| !case.only_asked && fits(case)),
                    "{} in {}",
                    shape.key,
                    setting.key
                );
            }
            let keys: BTreeSet<_> = shape.cases.iter().map(|case| case.slots.keys().collect::<Vec<_>>()).collect();
            assert_eq!(keys.len(), 1, "the cases of {} do not have the same slots", shape.key);
            let mut planted: Vec<&String> = Vec::new();
            for chapter in &shape.chapters {
                assert!(chapter.act < shape.acts.len(), "{}", shape.key);
                assert!(chapter.pays.iter().all(|paid| planted.contains(&paid)), "{}: {:?}", shape.key, chapter.pays);
                planted.extend(&chapter.plants);
            }
            let paid: Vec<&String> = shape.chapters.iter().flat_map(|chapter| &chapter.pays).collect();
            assert!(planted.iter().all(|promise| paid.contains(promise)), "{}", shape.key);
        }
    }
}

#[test]
fn settings_are_whole_and_words_tell_them_apart() {
    for language in LANGUAGES {
        let tables = LanguageTables::of(language);
        for setting in &tables.settings {
            assert!(tables.shapes.iter().any(|shape| shape.key == setting.shape), "{}", setting.key);
            assert!(tables.names.iter().any(|names| names.key == setting.names), "{}", setting.key);
            assert!(setting.rules.len() >= 3 && setting.orgs.len() >= 3 && setting.items.len() >= 3, "{}", setting.key);
            assert!(setting.places.kinds().iter().all(|(_, options)| options.len() >= 2), "{}", setting.key);
            let trades: Vec<&String> = setting.trades.all().map(|(_, trade)| trade).collect();
            assert_eq!(trades.len(), trades.iter().collect::<BTreeSet<_>>().len(), "{}", setting.key);
            let texts = setting.summary.iter().chain(setting.rules.iter().flat_map(|rule| [&rule.text, &rule.limit]));
            for text in texts {
                assert!(slots(text).all(|slot| ["city", "era", "org"].contains(&slot)), "{}: {text}", setting.key);
            }
        }
    }
}

#[test]
fn both_languages_hold_the_same_phrases_and_checks() {
    let [zh, en] = LANGUAGES.map(|language| &LanguageTables::of(language).phrases);
    assert!(zh.checks.keys().eq(en.checks.keys()));
    assert!(zh.tasks.keys().eq(en.tasks.keys()));
    assert!(zh.agents.keys().eq(en.agents.keys()));
}
