//! Short lists of people, things and open promises, by which the planner of a chapter knows whom and what the outline and the
//! author mean.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_llm::estimate;
use qingyu_story::excerpt::first_sentence;
use qingyu_story::names::fold;
use qingyu_story::{Character, PieceKind, RoleType};

use super::cut::clip;
use super::related::dead_before;
use super::sections::CardSections;
use super::things;
use crate::labels::Labels;
use crate::writing::book::NumberedBook;

/// Maximum tokens of what is said about one entry.
const LINE: u64 = 60;
/// Minimum tokens left for a description.
const LEAST: u64 = 8;
/// Maximum tokens of each list.
const PEOPLE: u64 = 260;
const THINGS: u64 = 220;
const PROMISES: u64 = 220;

/// Returns the lists before chapter `number`, each as a section: those named in `near` or in the text `told` first.
pub(super) fn listed(book: &NumberedBook<'_>, number: u32, near: &[String], told: &str, words: &Labels) -> Vec<String> {
    let mut sections = CardSections::of(words);
    let named = book.names().named_in(told);
    let dead = dead_before(book, number, words);
    sections.add(words.people_list, people(book, near, &named, &dead, words), PEOPLE);
    sections.add(words.thing_list, items(book, number, &named, words, THINGS), THINGS);
    sections.add(words.promise_list, promises(book, number, told, words), PROMISES);
    sections.list()
}

/// Returns the people, a line each: name, other names, whether dead, and who it is.
fn people(
    book: &NumberedBook<'_>,
    near: &[String],
    named: &BTreeSet<(PieceKind, usize)>,
    dead: &BTreeMap<String, String>,
    words: &Labels,
) -> Vec<String> {
    let near: Vec<usize> = near
        .iter()
        .filter_map(|name| book.names().resolve(PieceKind::Character, name))
        .map(|named| named.position)
        .collect();
    let mut cast: Vec<(usize, &Character)> = book.story.characters.iter().enumerate().collect();
    cast.sort_by_key(|(at, card)| {
        let is_near = near.contains(at) || named.contains(&(PieceKind::Character, *at));
        (!is_near, card.role_type != RoleType::Protagonist)
    });
    let entry = |(_, card): (usize, &Character)| {
        let says = [&card.occupation, &card.personality, &card.background, &card.goals];
        let says = says.into_iter().find(|text| !text.trim().is_empty()).map_or("", String::as_str);
        (words.named(&card.name, &card.alias, dead.get(&card.id).cloned()), first_sentence(says).to_owned())
    };
    described(cast.into_iter().map(entry).collect(), PEOPLE, words)
}

/// Returns the things, a line each, for a list of `tokens`: other names, where it was before the chapter, and what it is.
pub(super) fn items(
    book: &NumberedBook<'_>,
    number: u32,
    named: &BTreeSet<(PieceKind, usize)>,
    words: &Labels,
    tokens: u64,
) -> Vec<String> {
    let whereabouts = things::whereabouts(book, Some(number.saturating_sub(1)));
    let mut items: Vec<_> = book.story.items().iter().enumerate().collect();
    items.sort_by_key(|(at, _)| !named.contains(&(PieceKind::Item, *at)));
    let entry = |(_, item): (usize, &qingyu_story::Item)| {
        let place = whereabouts.get(&item.name).map(|place| things::remark(place, words));
        (words.named(&item.name, &item.alias, place), item.description.clone())
    };
    described(items.into_iter().map(entry).collect(), tokens, words)
}

/// Returns the places, a line each, for a list of `tokens`.
pub(super) fn places(book: &NumberedBook<'_>, words: &Labels, tokens: u64) -> Vec<String> {
    let places = book.story.locations().iter();
    let entry =
        |place: &qingyu_story::Location| (words.named(&place.name, &place.alias, None), place.description.clone());
    described(places.map(entry).collect(), tokens, words)
}

/// Returns what was planted before the chapter and is not paid before it, a line each.
fn promises(book: &NumberedBook<'_>, number: u32, text: &str, words: &Labels) -> Vec<String> {
    let is_before = |name: &String| book.number_named(name).is_some_and(|place| place < number);
    let mut told: Vec<(bool, (String, String))> = Vec::new();
    let mut known: BTreeSet<String> = BTreeSet::new();
    for promise in &book.story.promises {
        known.insert(fold(&promise.name));
        if promise.is_open_after(is_before) {
            let says = first_sentence(&promise.description).to_owned();
            told.push((!text.contains(promise.name.trim()), (promise.name.trim().to_owned(), says)));
        }
    }
    let nodes = || (1..number).filter_map(|before| book.node(before));
    let paid: BTreeSet<String> = nodes().flat_map(|node| &node.pays).map(|name| fold(name)).collect();
    for plant in nodes().flat_map(|node| &node.plants).filter(|plant| !plant.trim().is_empty()) {
        if !paid.contains(&fold(plant)) && known.insert(fold(plant)) {
            told.push((true, (plant.trim().to_owned(), String::new())));
        }
    }
    told.sort_by_key(|(is_other, _)| *is_other);
    described(told.into_iter().map(|(_, entry)| entry).collect(), PROMISES, words)
}

/// Returns names with what is said about each, a line each, for a list of `tokens`: whole sentences, and none rather than
/// the beginning of one where the list is full. Half of the list may be descriptions, more if all names fit beside them.
pub(super) fn described(entries: Vec<(String, String)>, tokens: u64, words: &Labels) -> Vec<String> {
    let cost = |line: &str| estimate::tokens(line) + 2;
    let names: u64 = entries.iter().map(|(name, _)| cost(name)).sum();
    let mut left = tokens.saturating_sub(names).max(tokens / 2);
    let line = |(name, text): (String, String)| {
        if left < LEAST {
            return name;
        }
        let most = LINE.min(left);
        let says = clip(&text, most);
        let is_cut = says.ends_with('…') && !text.trim_end().ends_with('…');
        if says.is_empty() || is_cut && most < LINE {
            return name;
        }
        let line = words.labelled(&name, &says);
        left = left.saturating_sub(cost(&line).saturating_sub(cost(&name)));
        line
    };
    entries.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use qingyu_story::{Item, Language, Location, Story, Worldview};

    use super::*;
    use crate::labels;

    fn entry(name: &str, text: &str) -> (String, String) {
        (name.to_owned(), text.to_owned())
    }

    #[test]
    fn descriptions_are_whole_sentences_and_lists_keep_their_size() {
        let zh = labels::of(Language::Zh);
        let text = "一把黄铜钥匙，柄上刻着半朵莲花，是大理寺冰房的旧物。齿口缺了一角。";
        assert_eq!(described(vec![entry("铜钥匙", text)], 220, zh), [format!("铜钥匙：{text}")]);
        let en = labels::of(Language::En);
        let text =
            "A brass key with half a lotus on its bow, once of the cold room of the court. One tooth is broken off.";
        assert_eq!(described(vec![entry("Key", text)], 220, en), [format!("Key: {text}")]);
        let long = "井在村口的老槐树下，井沿磨得发亮，夏天的傍晚总有人坐着。".repeat(20);
        let lines = described((0..30).map(|at| entry(&format!("井{at}"), &long)).collect(), 220, zh);
        let told: Vec<&String> = lines.iter().filter(|line| line.contains('：')).collect();
        assert!(!told.is_empty() && told.iter().all(|line| line.ends_with('。')), "{lines:?}");
        assert_eq!(lines.len(), 30, "whoever has no room for a description is named");
        let said: u64 = lines.iter().map(|line| estimate::tokens(line) + 2).sum();
        let names: u64 = (0..30).map(|at| estimate::tokens(&format!("井{at}")) + 2).sum();
        assert!(said <= (names + 110).max(220) + 5, "{said}");
    }

    #[test]
    fn things_places_and_people_have_their_other_names() {
        let mut story = Story {
            characters: vec![Character {
                name: "沈砚秋".into(),
                alias: vec!["阿砚".into(), "秋娘".into()],
                ..Character::default()
            }],
            worldview: Some(Worldview {
                items: vec![Item {
                    name: "承影".into(),
                    alias: vec!["霜寒".into()],
                    holder: Some("沈砚秋".into()),
                    description: "一柄短剑。".into(),
                    ..Item::default()
                }],
                locations: vec![Location {
                    name: "旧港".into(), alias: vec!["南码头".into()], ..Location::default()
                }],
                ..Worldview::default()
            }),
            ..Story::default()
        };
        let lists = |story: &Story| {
            let (book, words) = (NumberedBook::of(story), labels::of(story.language));
            let known = [
                people(&book, &[], &BTreeSet::new(), &BTreeMap::new(), words),
                items(&book, 1, &BTreeSet::new(), words, 220),
            ];
            [known.concat(), places(&book, words, 220)].concat()
        };
        assert_eq!(
            lists(&story),
            ["沈砚秋（又称秋娘、阿砚）", "承影（又称霜寒；在沈砚秋手里）：一柄短剑。", "旧港（又称南码头）"]
        );
        story.language = Language::En;
        assert!(lists(&story)[2].contains("(also 南码头)"), "{:?}", lists(&story));
    }
}
