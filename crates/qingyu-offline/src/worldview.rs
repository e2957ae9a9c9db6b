//! The worldview: a setting of the tables, with the user's time and place put in.

use qingyu_agents::context::Work;
use qingyu_agents::output::WorldviewWork;
use qingyu_story::{Item, Location, Organisation, WorldRule, Worldview};

use crate::character::year_of;
use crate::draw::Draw;
use crate::frame::{Frame, People};
use crate::tables::Thing;

/// How many rules a new world gets.
const RULES: usize = 3;
/// How many organisations.
const ORGANISATIONS: usize = 3;
/// How many things that matter.
const ITEMS: usize = 2;

/// Makes a world, or hands back the one that is there.
pub(crate) fn make(work: &Work) -> WorldviewWork {
    let mut frame = Frame::new(work, "worldview", People::Needed(Vec::new()));
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
    let items: Vec<&Thing> = draw.shuffled(&setting.items).into_iter().take(ITEMS).collect();
    for (key, thing) in [("org", organisations.first()), ("org2", organisations.get(1)), ("item", items.first())] {
        frame.slots.words.extend(thing.map(|thing| (key.to_owned(), thing.name.clone())));
    }
    let keeper = |item: usize| {
        let keeper = frame.brief.shape.keeper(item)?;
        frame.players.iter().find(|player| player.key == keeper.key).map(|player| &player.person)
    };
    let held = |person| frame.text_with(&frame.phrases.held, Some(person), &[]);
    let places: Vec<&Thing> = setting.places.kinds().iter().map(|(_, options)| draw.one(options)).collect();
    let text = |thing: &Thing| frame.text(&thing.text);
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

/// The era of the requirement, unless it only repeats the setting: 民国 may be any of its years.
fn said_era(frame: &Frame) -> Option<String> {
    let vague = |era: &String| frame.brief.setting.words.contains(era) && frame.brief.setting.eras.len() > 1;
    frame.brief.said.era.clone().filter(|era| year_of(era).is_some() || !vague(era))
}

/// The organisations of a world; the first holds the power, so it comes from the first two of the table.
pub(crate) fn powers<'a>(draw: &mut Draw, table: &'a [Thing]) -> Vec<&'a Thing> {
    let (mighty, _) = table.split_at(table.len().min(2));
    let first = draw.one(mighty);
    let others = draw.shuffled(table).into_iter().filter(|other| other.name != first.name);
    [first].into_iter().chain(others).take(ORGANISATIONS).collect()
}
