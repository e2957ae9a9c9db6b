//! The worldview: a setting of the tables, with the user's time and place.

use qingyu_agents::context::WorkContext;
use qingyu_agents::output::WorldviewWork;
use qingyu_story::{Item, Location, Organisation, WorldRule, Worldview};

use crate::character::year_of;
use crate::frame::{AnswerFrame, People, powers};
use crate::tables::ThingNoun;

/// Number of rules of a new world.
const RULES: usize = 3;
/// Number of key items.
const ITEMS: usize = 2;

/// Returns a new world, or the existing world.
pub(crate) fn make(work: &WorkContext) -> WorldviewWork {
    let mut frame = AnswerFrame::new(work, "worldview", People::Needed(Vec::new()));
    if let Some(world) = &work.story.worldview
        && !world.locations.is_empty()
    {
        let reasoning = vec![frame.text(&frame.phrases.kept)];
        return WorldviewWork { worldview: world.clone(), reasoning };
    }
    let setting = frame.brief.setting;
    let mut draw = frame.draw.clone();
    let era = said_era(&frame).unwrap_or_else(|| draw.one(&setting.eras).clone());
    let city = frame.brief.said.place.clone().unwrap_or_else(|| draw.one(&setting.cities).clone());
    frame.slots.words.extend([("city".to_owned(), city.clone()), ("era".to_owned(), era.clone())]);
    let organisations = powers(&mut draw, &setting.orgs);
    let items: Vec<&ThingNoun> = draw.shuffled(&setting.items).into_iter().take(ITEMS).collect();
    for (key, thing) in [("org", organisations.first()), ("org2", organisations.get(1)), ("item", items.first())] {
        frame.slots.words.extend(thing.map(|thing| (key.to_owned(), thing.name.clone())));
    }
    let keeper = |item: usize| {
        let keeper = frame.brief.shape.keeper(item)?;
        frame.players.iter().find(|player| player.key == keeper.key).map(|player| &player.person)
    };
    let held = |person| frame.text_with(&frame.phrases.held, Some(person), &[]);
    let places: Vec<&ThingNoun> = setting.places.kinds().iter().map(|(_, options)| draw.one(options)).collect();
    let text = |thing: &ThingNoun| frame.text(&thing.text);
    let worldview = Worldview {
        summary: frame.text(&format!("{}{}", draw.one(&setting.summary), frame.phrases.world_end)),
        genre: frame.brief.genre(),
        era: era.clone(),
        rules: draw
            .shuffled(&setting.rules)
            .into_iter()
            .take(RULES)
            .map(|rule| WorldRule {
                name: rule.name.clone(),
                statement: frame.text(&rule.text),
                limit: frame.text(&rule.limit),
                ..WorldRule::default()
            })
            .collect(),
        locations: places
            .iter()
            .map(|place| Location { name: place.bare_name().into(), description: text(place), ..Location::default() })
            .collect(),
        organisations: organisations
            .iter()
            .map(|org| Organisation { name: org.bare_name().into(), description: text(org), ..Organisation::default() })
            .collect(),
        items: items
            .iter()
            .enumerate()
            .map(|(index, item)| Item {
                name: item.name.clone(),
                description: [text(item), keeper(index).map(held).unwrap_or_default()].concat(),
                holder: keeper(index).map(|person| person.name.clone()),
                ..Item::default()
            })
            .collect(),
        ..Worldview::default()
    };
    let mut drawn = Vec::new();
    drawn.extend(Some(era).filter(|_| said_era(&frame).is_none()));
    drawn.extend(Some(city).filter(|_| frame.brief.said.place.is_none()));
    let named = worldview.organisations.iter().map(|org| &org.name).chain(worldview.locations.iter().map(|l| &l.name));
    let held = worldview.items.iter().flat_map(|item| [Some(&item.name), item.holder.as_ref()]).flatten();
    drawn.extend(named.chain(held).cloned());
    frame.drawn = drawn;
    let reasoning = vec![frame.user_words(), frame.text(&frame.phrases.world_reason), frame.draws()];
    WorldviewWork { worldview, reasoning }
}

/// Returns the era of the requirement, unless merely the setting: 民国 may be any of its years.
fn said_era(frame: &AnswerFrame) -> Option<String> {
    let vague = |era: &String| frame.brief.setting.words.contains(era) && frame.brief.setting.eras.len() > 1;
    frame.brief.said.era.clone().filter(|era| year_of(era).is_some() || !vague(era))
}
