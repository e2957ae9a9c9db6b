//! Whether the place where a text tells an event is certainly another one than the planned place.
//!
//! A room is in its house and a house in its town. What lies where stands in cards, in the plan and in the text itself, not
//! only in names.

use crate::language::{is_han, is_whole_word};
use crate::names::{fold, without_article};
use crate::place_names::are_two_of_a_kind;
use crate::{Document, Location, Story, TimelineEvent};

/// Chinese letters between the name of a place and that of another one within, behind or under it: 当铺后面的地窖.
const BETWEEN: &str = "的里内中前后上下底面旁边侧天井尽头东西南北楼隔壁角院深处一间那个";
/// Chinese words between the name of a place and 在 or 于: 地窖就在当铺下面.
const BEFORE_IN: [char; 10] = ['就', '便', '也', '正', '都', '设', '建', '位', '藏', '坐'];
/// English words that put one place in, behind or under another one.
const WITHIN: [&str; 15] = [
    "of",
    "in",
    "at",
    "on",
    "behind",
    "under",
    "underneath",
    "below",
    "beneath",
    "beside",
    "inside",
    "within",
    "above",
    "over",
    "off",
];
/// English words beside those.
const BESIDE_WITHIN: [&str; 18] = [
    "the", "a", "an", "is", "was", "lies", "lay", "stands", "stood", "just", "right", "back", "rear", "far", "end",
    "top", "bottom", "his",
];
/// English words between the name of a house and that of its room: `the Dean mill's back office`.
const OF_ROOM: [&str; 11] =
    ["own", "old", "little", "back", "front", "rear", "upper", "lower", "inner", "main", "great"];
/// Chinese words for parts of a building.
const PARTS: &str = "账房 帐房 书房 厨房 柴房 厢房 卧房 客房 上房 门房 库房 绣房 产房 房间 房里 屋里 里屋 卧室 内室 密室 \
    暗室 石室 地下室 办公室 休息室 起居室 大厅 客厅 前厅 后厅 花厅 正厅 饭厅 门厅 院子 院里 后院 前院 \
    内院 跨院 偏院 天井 地窖 酒窖 冰窖 门口 门外 后门 楼上 楼下 楼梯 走廊 阁楼 阳台 柜台 正堂 大堂 后堂";
/// Chinese letters before such a word that name no house: 后账房, 西厢房.
const WHICH_PART: &str = "前后东西南北左右内外里大小正偏上下二三四楼老旧那这的";
/// English words for parts of a building.
const ENGLISH_PARTS: &str = "room rooms cellar cellars vault yard courtyard backyard garden hall hallway corridor passage kitchen \
    scullery pantry parlour parlor study library bedroom bedchamber chamber nursery attic loft garret \
    basement office counter stairs staircase landing upstairs downstairs doorway doorstep porch veranda \
    balcony roof gallery gate door";
/// English words before such a word that name no house.
const WHICH_ENGLISH_PART: &str = "the a an back front rear upper lower inner outer side main great little small old dining drawing \
    sitting wine coal counting";
/// Last letters of Chinese names and descriptions of towns and regions.
const TOWN_ENDS: [char; 13] = ['城', '镇', '县', '市', '州', '省', '村', '乡', '郡', '国', '寨', '岛', '京'];
/// Chinese words for a town before its name.
const CALLED_TOWN: [&str; 12] =
    ["小城", "古城", "山城", "水城", "港城", "城市", "小镇", "古镇", "县城", "小村", "山村", "渔村"];
/// Last words of English names and descriptions of towns and regions.
const TOWN_WORDS: [&str; 10] =
    ["town", "city", "village", "hamlet", "county", "island", "port", "borough", "province", "country"];

/// Returns whether `told` is certainly another place than the planned one of `event`, and neither in the other.
pub(super) fn is_certainly_elsewhere(story: &Story, document: &Document, event: &TimelineEvent, told: &str) -> bool {
    let planned = event.location.as_deref().unwrap_or_default();
    are_certainly_apart(story, document, event, [planned, told])
}

/// Returns whether a planned place of `event` and a told one are certainly two, and neither in the other.
///
/// A place lies in another one if a card, the plan or the text of `document` says so. Rooms and other parts of a building
/// without a house of their own may be in any house, and any house in a town. Of places without a card nothing is certain,
/// except that two towns are two. Places named together by the plan of the chapter belong together.
pub(super) fn are_certainly_apart(
    story: &Story,
    document: &Document,
    event: &TimelineEvent,
    [planned, told]: [&str; 2],
) -> bool {
    if !are_other_places(planned, told) {
        return false;
    }
    let (planned, told) = (EventPlace::of(story, planned), EventPlace::of(story, told));
    let is_one_card = planned.card.zip(told.card).is_some_and(|(planned, told)| std::ptr::eq(planned, told));
    if is_one_card || planned.describes(&told) || told.describes(&planned) {
        return false;
    }
    let are_two_towns = are_two_of_a_kind(planned.name, told.name) || is_town(story, &planned) && is_town(story, &told);
    let are_known = planned.card.is_some() && told.card.is_some();
    if !are_two_towns && !are_known {
        return false;
    }
    let own = plan_of_chapter(story, document, event);
    let are_named_together = own.iter().any(|text| planned.is_named(text) && told.is_named(text));
    if are_named_together && !are_two_towns || is_within(story, document, &planned, &told) {
        return false;
    }
    if are_two_towns {
        return true;
    }
    let inner = if told.is_part() || is_town(story, &planned) {
        Some((&told, &planned))
    } else if planned.is_part() || is_town(story, &told) {
        Some((&planned, &told))
    } else {
        None
    };
    inner.is_none_or(|(inner, outer)| inner.is_described_elsewhere(story, outer))
}

/// Returns whether two place names have nothing in common; a room is part of its house.
pub(super) fn are_other_places(planned: &str, told: &str) -> bool {
    let (planned, told) = (fold(planned), fold(told));
    !planned.is_empty() && !told.is_empty() && !planned.contains(&told) && !told.contains(&planned)
}

/// A place as it is called, with its card.
struct EventPlace<'s> {
    name: &'s str,
    card: Option<&'s Location>,
    /// All names, in comparable form and without an article.
    names: Vec<String>,
}

impl<'s> EventPlace<'s> {
    fn of(story: &'s Story, name: &'s str) -> Self {
        let folded = fold(name);
        let is_it =
            |card: &&Location| std::iter::once(&card.name).chain(&card.alias).any(|known| fold(known) == folded);
        let card = story.locations().iter().find(is_it);
        let known = card.into_iter().flat_map(|card| std::iter::once(&card.name).chain(&card.alias));
        let names = known.map(String::as_str).chain([name]).map(|name| without_article(&fold(name)).to_owned());
        Self { name, card, names: names.filter(|name| name.chars().count() > 1).collect() }
    }

    /// Returns whether a text in comparable form names the place.
    fn is_named(&self, text: &str) -> bool {
        self.names.iter().any(|name| whole(text, name).next().is_some())
    }

    /// Returns whether the card of the place names the other one.
    fn describes(&self, other: &Self) -> bool {
        self.card.is_some_and(|card| other.is_named(&fold(&card.description)))
    }

    /// Returns whether the card of the place names a third place that is not around `outer`.
    fn is_described_elsewhere(&self, story: &Story, outer: &Self) -> bool {
        let third = story.locations().iter().filter(|card| {
            let is_either = |place: &EventPlace<'_>| place.card.is_some_and(|own| std::ptr::eq(own, *card));
            !is_either(self) && !is_either(outer)
        });
        third
            .map(|card| EventPlace::of(story, &card.name))
            .any(|third| self.describes(&third) && !outer.describes(&third))
    }

    /// Returns whether the name is that of some part of a building, and not of a house.
    fn is_part(&self) -> bool {
        let folded = fold(self.name);
        let name = without_article(&folded);
        let is_which = |c: char| WHICH_PART.contains(c);
        let mut words: Vec<&str> = name.split([' ', '-']).filter(|word| !word.is_empty()).collect();
        let last = words.pop().unwrap_or_default();
        PARTS.split(' ').any(|part| name.strip_suffix(part).is_some_and(|before| before.chars().all(is_which)))
            || ENGLISH_PARTS.split(' ').any(|part| part == last)
                && words.iter().all(|word| WHICH_ENGLISH_PART.split(' ').any(|which| which == *word))
    }
}

/// Returns whether name, card, premise or world say that a place is a town or a region.
fn is_town(story: &Story, place: &EventPlace<'_>) -> bool {
    let is_of_kind = |words: &str| {
        let words = words.trim().trim_end_matches(['。', '.', '！', '!']);
        let first = words.split(['，', '。', '；', ',', ';', '.']).next().unwrap_or_default();
        let first = [" in ", " of ", " on ", " near ", " by ", " at "]
            .iter()
            .fold(first, |left, word| left.split(*word).next().unwrap_or_default());
        let last = first.split_whitespace().next_back().unwrap_or_default().to_lowercase();
        first.ends_with(TOWN_ENDS) || TOWN_WORDS.contains(&last.as_str())
    };
    let world = story.worldview.as_ref().map_or("", |world| world.summary.as_str());
    let is_called_town = |text: &str| {
        let text = fold(text);
        place.names.iter().any(|name| {
            whole(&text, name).any(|at| {
                let before = text[..at].trim_end();
                let word = before.strip_suffix(" of").and_then(|before| before.split_whitespace().next_back());
                CALLED_TOWN.iter().any(|word| before.ends_with(*word))
                    || word.is_some_and(|word| TOWN_WORDS.contains(&word))
            })
        })
    };
    is_of_kind(place.name)
        || place.card.is_some_and(|card| is_of_kind(&card.description))
        || [story.premise.as_str(), world].into_iter().any(is_called_town)
}

/// Returns what the plan says of an event and of its chapter, in comparable form.
fn plan_of_chapter(story: &Story, document: &Document, event: &TimelineEvent) -> Vec<String> {
    let own = [event.outline_node.as_deref(), document.outline_node.as_deref()];
    let is_own = |name: &str| own.into_iter().flatten().any(|own| own.trim() == name.trim());
    let nodes = story.outline_nodes.iter().filter(|node| is_own(&node.id) || is_own(&node.name));
    let nodes = nodes.map(|node| {
        let place = node.location.as_deref().unwrap_or_default();
        fold(&format!("{}\n{}\n{place}", node.description, node.goal))
    });
    let place = event.location.as_deref().unwrap_or_default();
    nodes.chain([fold(&format!("{}\n{}\n{place}", event.title, event.description))]).collect()
}

/// Returns whether cards, the plan or the text put one of the places in, behind or under the other one.
fn is_within(story: &Story, document: &Document, planned: &EventPlace<'_>, told: &EventPlace<'_>) -> bool {
    let says = |text: &str| {
        let text = fold(text);
        let mut pairs = planned.names.iter().flat_map(|one| told.names.iter().map(move |other| (one, other)));
        pairs.any(|(one, other)| puts_in(&text, one, other) || puts_in(&text, other, one))
    };
    let cards = story.locations().iter().map(|card| &card.description);
    let cards = cards.chain(story.organisations().iter().map(|card| &card.description));
    let nodes = story.outline_nodes.iter().flat_map(|node| [&node.description, &node.goal]);
    let events = story.timeline_events.iter().map(|event| &event.description);
    cards.chain(nodes).chain(events).chain([&story.premise, &document.text]).any(|text| says(text))
}

/// Returns whether a text in comparable form puts the place `inner` in, behind or under the place `outer`.
fn puts_in(text: &str, inner: &str, outer: &str) -> bool {
    if inner.chars().chain(outer.chars()).any(is_han) {
        let follows = |at: usize| {
            let mut rest = &text[at + outer.len()..];
            while !rest.starts_with(inner) {
                let Some(next) = rest.chars().next().filter(|next| BETWEEN.contains(*next)) else { return false };
                rest = &rest[next.len_utf8()..];
            }
            true
        };
        let is_told_of = |at: usize| {
            let rest = text[at + inner.len()..].trim_start_matches(BEFORE_IN);
            let rest = rest.strip_prefix(['在', '于']).unwrap_or_default();
            rest.starts_with(outer)
        };
        return whole(text, outer).any(follows) || whole(text, inner).any(is_told_of);
    }
    let is_of_house = |at: usize| words_up_to(&text[at + outer.len()..], inner, &OF_ROOM).is_some();
    let is_in_house = |at: usize| {
        let among: Vec<&str> = WITHIN.into_iter().chain(BESIDE_WITHIN).collect();
        let words = words_up_to(&text[at + inner.len()..], outer, &among);
        words.is_some_and(|words| words.iter().any(|word| WITHIN.contains(word)))
    };
    whole(text, outer).any(is_of_house) || whole(text, inner).any(is_in_house)
}

/// Iterates over the places of a name in a text; of Latin letters, only where it is no part of a longer word.
fn whole<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = usize> {
    let found = text.match_indices(name).filter(move |_| !name.is_empty());
    found.map(|(at, _)| at).filter(move |at| is_whole_word(text, &(*at..*at + name.len())))
}

/// Returns the words before `name` at the beginning of `text`, if there are no others than those of `among`.
fn words_up_to<'t>(text: &'t str, name: &str, among: &[&str]) -> Option<Vec<&'t str>> {
    let mut words = Vec::new();
    let mut rest = text.strip_prefix("'s").unwrap_or(text).strip_prefix(' ')?;
    while !(rest.starts_with(name) && is_whole_word(rest, &(0..name.len()))) {
        let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        let word = rest.get(..end).filter(|word| among.contains(word))?;
        words.push(word);
        rest = rest[end..].strip_prefix(' ')?;
    }
    Some(words)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::is_certainly_elsewhere;
    use crate::Story;

    /// Returns whether an event planned at one place and told at another is certainly elsewhere, with these places in the
    /// world, this outline of its chapter and this text.
    fn is_elsewhere([planned, told]: [&str; 2], cards: &[(&str, &str)], outline: &str, text: &str) -> bool {
        let cards: Vec<_> =
            cards.iter().map(|(name, description)| json!({"name": name, "description": description})).collect();
        let story: Story = serde_json::from_value(json!({
            "worldview": {"locations": cards},
            "outline_nodes": [{"id": "o-1", "name": "一", "order": 1, "description": outline}],
            "timeline_events": [{"id": "e-1", "title": "x", "location": planned, "outline_node": "o-1"}],
            "documents": [{"id": "d-1", "title": "一", "order": 1, "outline_node": "o-1", "text": text}]
        }))
        .unwrap();
        is_certainly_elsewhere(&story, &story.documents[0], &story.timeline_events[0], told)
    }

    #[test]
    fn a_room_of_a_house_is_no_other_place() {
        let shop = ("裕泰当铺", "芦浦的当铺，沈家产业");
        let mill = ("Dean Mill", "a paper mill");
        for (places, cards, outline, text) in [
            (["裕泰当铺", "后账房"], vec![shop, ("后账房", "裕泰当铺天井尽头的账房")], "", ""),
            (["裕泰当铺", "地窖"], vec![shop, ("地窖", "")], "", ""),
            (["裕泰当铺", "地窖"], vec![shop], "", ""),
            (["裕泰当铺", "芦浦"], vec![shop, ("芦浦", "")], "", ""),
            (["裕泰当铺", "听雨轩"], vec![shop, ("听雨轩", "")], "", "她走到裕泰当铺后面的听雨轩。"),
            (["裕泰当铺", "听雨轩"], vec![shop, ("听雨轩", "")], "听雨轩就在裕泰当铺里。", ""),
            (["裕泰当铺", "听雨轩"], vec![shop, ("听雨轩", "")], "他们从裕泰当铺走到听雨轩。", ""),
            (["裕泰当铺", "听雨轩"], vec![shop], "", ""),
            (["Dean Mill", "the wine cellar"], vec![mill, ("the wine cellar", "")], "", ""),
            (
                ["Dean Mill", "Rook House"],
                vec![mill, ("Rook House", "")],
                "",
                "Rook House stood just behind the Dean Mill.",
            ),
            (["Dean Mill", "the Ark"], vec![mill, ("the Ark", "")], "", "They met in Dean Mill's old Ark."),
            (["Saltmarsh", "Dean Mill"], vec![mill, ("Saltmarsh", "a town in Norfolk")], "", ""),
        ] {
            assert!(!is_elsewhere(places, &cards, outline, text), "{places:?} {cards:?}");
            let [planned, told] = places;
            assert!(!is_elsewhere([told, planned], &cards, outline, text), "{told} {planned} {cards:?}");
        }
    }

    #[test]
    fn two_houses_and_two_towns_are_two_places() {
        let shop = ("裕泰当铺", "芦浦的当铺，沈家产业");
        for (places, cards) in [
            (["裕泰当铺", "大理寺"], vec![shop, ("大理寺", "")]),
            (["裕泰当铺", "地窖"], vec![shop, ("地窖", "沈家老宅的地窖"), ("沈家老宅", "")]),
            (["杭州", "苏州"], vec![]),
            (["芦浦", "双桥"], vec![("芦浦", "江南小城"), ("双桥", "山里的小镇")]),
            (["Dean Mill", "Rook House"], vec![("Dean Mill", "a paper mill"), ("Rook House", "")]),
            (["Saltmarsh", "Wells"], vec![("Saltmarsh", "a town in Norfolk"), ("Wells", "a port")]),
        ] {
            assert!(is_elsewhere(places, &cards, "", "他走了。"), "{places:?}");
        }
    }
}
