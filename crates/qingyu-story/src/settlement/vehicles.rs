//! Ships, trains and other vehicles: which places are aboard, and where a vehicle may lie.

use crate::Story;
use crate::language::{has_words, is_whole_word};
use crate::names::{fold, without_article};

/// Ends of Chinese names and descriptions of vehicles.
const VEHICLE_ENDS: [&str; 16] = [
    "轮", "船", "舟", "艇", "舰", "舫", "火车", "列车", "马车", "客车", "电车", "汽车", "卡车", "货车", "专列", "快车",
];
/// Last words of English names and descriptions of vehicles.
const VEHICLE_WORDS: [&str; 26] = [
    "ship",
    "steamer",
    "steamship",
    "boat",
    "riverboat",
    "vessel",
    "schooner",
    "brig",
    "frigate",
    "sloop",
    "trawler",
    "ferry",
    "barge",
    "liner",
    "yacht",
    "submarine",
    "shuttle",
    "freighter",
    "hauler",
    "airship",
    "starship",
    "spaceship",
    "train",
    "express",
    "coach",
    "carriage",
];
/// Ends of Chinese names and descriptions of places at which vehicles lie.
const PORT_ENDS: [&str; 11] = ["码头", "港", "港口", "口岸", "渡口", "渡", "泊处", "船坞", "埠", "站", "机场"];
/// Last words of English names and descriptions of places at which vehicles lie.
const PORT_WORDS: [&str; 18] = [
    "port",
    "harbour",
    "harbor",
    "dock",
    "docks",
    "wharf",
    "quay",
    "pier",
    "jetty",
    "landing",
    "marina",
    "anchorage",
    "berth",
    "station",
    "terminal",
    "platform",
    "airport",
    "spaceport",
];
/// Words between a vehicle and the place at which it stops.
const ARRIVES: [&str; 22] = [
    "靠", "泊", "停", "抵", "到", "驶入", "驶进", "开进", "docked", "docks", "moored", "anchored", "reached",
    "arrived", "arrives", "came", "comes", "lay", "lies", "stopped", "stops", "put in",
];
/// English words behind the noun of a description.
const BEHIND_NOUN: [&str; 18] = [
    " in ",
    " of ",
    " on ",
    " near ",
    " by ",
    " at ",
    " that ",
    " which ",
    " with ",
    " from ",
    " to ",
    " for ",
    " between ",
    " below ",
    " under ",
    " behind ",
    " above ",
    " beside ",
];
/// English words before the vehicle of which a place is a part.
const ABOARD: [&str; 6] = ["of", "in", "on", "aboard", "board", "inside"];
/// The most letters between a vehicle and the place at which it stops.
const NEAR: usize = 30;

/// The words of a card of a place, with the names in comparable form.
#[derive(Clone, Copy)]
pub(super) struct PlaceWords<'p> {
    pub(super) names: &'p [String],
    pub(super) description: &'p str,
    pub(super) is_town: bool,
}

impl PlaceWords<'_> {
    /// Returns whether vehicles may lie at the place.
    fn is_port(&self) -> bool {
        let is_it = |words: &str| is_of_kind(words, &PORT_ENDS, &PORT_WORDS);
        self.is_town || self.names.iter().any(|name| is_it(name)) || is_it(self.description)
    }
}

/// Returns whether one place is aboard a vehicle, and the other one is where the vehicle may lie: a port, a station or a town, or
/// a place to which it comes by one of the texts, in comparable form.
pub(super) fn may_lie_at(story: &Story, texts: &[String], aboard: PlaceWords<'_>, other: PlaceWords<'_>) -> bool {
    let vehicles = vehicles(story);
    let own: Vec<&Vehicle> = vehicles.iter().filter(|vehicle| vehicle.carries(aboard)).collect();
    let comes = |vehicle: &&Vehicle| texts.iter().any(|text| vehicle.comes_to(text, other.names));
    !own.is_empty()
        && !vehicles.iter().any(|vehicle| vehicle.carries(other))
        && (other.is_port() || own.iter().any(comes))
}

/// A vehicle that has a card.
struct Vehicle {
    /// All names, in comparable form and without an article.
    names: Vec<String>,
    description: String,
}

impl Vehicle {
    fn of(name: &str, alias: &[String], description: &str) -> Option<Self> {
        let is_it = |words: &str| is_of_kind(&fold(words), &VEHICLE_ENDS, &VEHICLE_WORDS);
        let names = std::iter::once(name).chain(alias.iter().map(String::as_str));
        let names = names.map(|name| without_article(&fold(name)).to_owned());
        let names: Vec<String> = names.filter(|name| name.chars().count() > 1).collect();
        (is_it(name) || is_it(description)).then(|| Self { names, description: fold(description) })
    }

    /// Returns whether a place is the vehicle or a part of it, by either card. A port is not.
    fn carries(&self, place: PlaceWords<'_>) -> bool {
        let description = fold(place.description);
        let is_part_of = |own: &String| {
            let is_behind = |at: usize| {
                let before = description[..at].trim_end();
                let before = if before == "the" { "" } else { before.strip_suffix(" the").unwrap_or(before) };
                let word = before.split_whitespace().next_back().unwrap_or_default();
                before.is_empty() || before.ends_with('在') || ABOARD.contains(&word)
            };
            place.names.iter().any(|name| has_words(name, own)) || whole(&description, own).any(is_behind)
        };
        let is_named = place.names.iter().any(|name| has_words(&self.description, name));
        !place.is_port() && (is_named || self.names.iter().any(is_part_of))
    }

    /// Returns whether a text in comparable form tells that the vehicle comes to a place with one of the names.
    fn comes_to(&self, text: &str, names: &[String]) -> bool {
        let is_before = |rest: &str| {
            let sentence = rest.split(['。', '！', '？', '；', '.', '!', '?', ';', '\n']).next().unwrap_or_default();
            names.iter().filter_map(|name| whole(sentence, name).next()).any(|end| {
                let between = &sentence[..end];
                between.chars().count() <= NEAR && ARRIVES.iter().any(|word| has_words(between, word))
            })
        };
        self.names.iter().any(|own| whole(text, own).any(|at| is_before(&text[at + own.len()..])))
    }
}

/// Returns the vehicles among the places and things of the world.
fn vehicles(story: &Story) -> Vec<Vehicle> {
    let places = story.locations().iter().map(|card| (&card.name, &card.alias, &card.description));
    let things = story.items().iter().map(|card| (&card.name, &card.alias, &card.description));
    places.chain(things).filter_map(|(name, alias, description)| Vehicle::of(name, alias, description)).collect()
}

/// Returns whether a name or the beginning of a description ends with a word for a kind: one of the letters in Chinese, one of the
/// words in English.
fn is_of_kind(words: &str, ends: &[&str], last_words: &[&str]) -> bool {
    let first = words.trim().split(['，', '。', '；', '、', ',', ';', '.', '!']).next().unwrap_or_default();
    let first = BEHIND_NOUN.iter().fold(first, |left, word| left.split(*word).next().unwrap_or_default());
    let last = first.split_whitespace().next_back().unwrap_or_default().to_lowercase();
    ends.iter().any(|end| first.ends_with(end)) || last_words.contains(&last.as_str())
}

/// Iterates over the places of a name in a text; of Latin letters, only where it is no part of a longer word.
pub(super) fn whole<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = usize> {
    let found = text.match_indices(name).filter(move |_| !name.is_empty());
    found.map(|(at, _)| at).filter(move |at| is_whole_word(text, &(*at..*at + name.len())))
}
