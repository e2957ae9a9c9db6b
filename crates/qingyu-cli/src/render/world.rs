//! The world and the style guide.

use qingyu_studio::story::card_count;
use qingyu_studio::story::holdings::{Holdings, Whereabouts, past_holder};
use qingyu_studio::story::telling::Tellings;
use qingyu_studio::story::{Item, Names, Story, StyleGuide};

use super::page::{FAINT, NAME, PLAIN, STRONG, TextPage};

/// Draws the world, or a note if missing.
pub(crate) fn world(page: &mut TextPage<'_>, story: &Story) {
    page.heading(&page.texts().get("world-title"));
    let Some(world) = &story.worldview else { return page.say(2, FAINT, "nothing-yet", &[]) };
    page.labelled(2, "world-genre", &world.genre);
    page.labelled(2, "world-era", &world.era);
    page.paragraph(2, PLAIN, &world.summary);
    page.labelled(2, "world-truth", &world.truth);
    let until = world.truth_until.as_deref().filter(|_| Tellings::of(story).keeps_secret(None));
    page.labelled(2, "world-truth-until", until.unwrap_or_default());
    let rules = world.rules.iter().map(|rule| (&rule.name, &[][..], [&rule.statement, &rule.limit]));
    // A card keeps the count of the plan; the material of a chapter has the one told last.
    let told = |name: &str, description: &str| {
        let told = card_count::as_told(story, name, description);
        told.map(|told| labelled(page, "card-told", &told)).unwrap_or_default()
    };
    let of_places: Vec<String> = world.locations.iter().map(|one| told(&one.name, &one.description)).collect();
    let of_powers: Vec<String> = world.organisations.iter().map(|one| told(&one.name, &one.description)).collect();
    let of_items: Vec<String> = world.items.iter().map(|one| told(&one.name, &one.description)).collect();
    let places = world.locations.iter().zip(&of_places);
    let places = places.map(|(place, told)| (&place.name, &place.alias[..], [&place.description, told]));
    let powers = world.organisations.iter().zip(&of_powers);
    let powers = powers.map(|(power, told)| (&power.name, &power.alias[..], [&power.description, told]));
    let names = Names::of(story);
    let holdings = Holdings::as_of(story, &names, None);
    let held = |(position, item): (usize, &Item)| {
        // The holder on the card is the one at the beginning.
        let first = item.holder.as_deref().map(|name| labelled(page, "item-holder", name));
        let now = match holdings.told_by.get(&position).and_then(|_| holdings.places.get(&position)) {
            Some(Whereabouts::Held(name)) => Some(labelled(page, "item-holder-now", name)),
            _ if first.is_none() => {
                past_holder(story, &names, position).map(|name| labelled(page, "item-holder-past", &name))
            }
            _ => None,
        };
        [first, now].map(Option::unwrap_or_default)
    };
    let holders: Vec<[String; 2]> = world.items.iter().enumerate().map(held).collect();
    let items = world.items.iter().zip(&of_items).zip(&holders);
    let items =
        items.map(|((item, told), [first, now])| (&item.name, &item.alias[..], [&item.description, told, first, now]));
    pieces(page, "world-rules", rules);
    pieces(page, "world-locations", places);
    pieces(page, "world-organisations", powers);
    pieces(page, "world-items", items);
}

fn labelled(page: &TextPage<'_>, key: &str, text: &str) -> String {
    format!("{}{text}", page.label(key))
}

fn pieces<'a, const LINES: usize>(
    page: &mut TextPage<'_>,
    key: &str,
    pieces: impl Iterator<Item = (&'a String, &'a [String], [&'a String; LINES])>,
) {
    let comma = page.texts().get("list-comma");
    for (number, (name, alias, lines)) in pieces.enumerate() {
        if number == 0 {
            page.gap();
            page.paragraph(2, STRONG, &page.texts().get(key));
        }
        let alias = match alias.is_empty() {
            true => String::new(),
            false => page.texts().fill("also-called", &[("names", alias.join(&comma).into())]),
        };
        page.lead(2, "• ", FAINT, NAME, &format!("{name}{alias}"));
        for line in lines.into_iter().filter(|line| !line.is_empty()) {
            page.paragraph(4, PLAIN, line);
        }
    }
}

/// Draws the style guide, or a note if missing.
pub(crate) fn style(page: &mut TextPage<'_>, style: Option<&StyleGuide>) {
    page.heading(&page.texts().get("style-title"));
    let Some(style) = style else { return page.say(2, FAINT, "nothing-yet", &[]) };
    page.labelled(2, "style-view", &page.texts().word("view", &style.point_of_view));
    page.labelled(2, "style-tense", &style.tense);
    page.labelled(2, "style-tone", &style.tone);
    page.labelled(2, "style-rhythm", &style.rhythm);
    page.labelled(2, "style-dialogue", &style.dialogue);
    for (key, lines) in [("style-guidelines", &style.guidelines), ("style-taboos", &style.taboos)] {
        if !lines.is_empty() {
            page.paragraph(2, STRONG, &page.texts().get(key));
        }
        for line in lines {
            page.lead(2, "• ", FAINT, PLAIN, line);
        }
    }
}
