//! Directions of a book: the shapes of the tables that fit the requirement, each with a case and people of its own.

use qingyu_agents::context::{Directing, Work};
use qingyu_agents::direction::Direction;
use qingyu_agents::output::Directions;
use qingyu_story::Story;

use crate::brief::Brief;
use crate::frame::{Frame, People};
use crate::outline::{choose_case, titled, usual_words};
use crate::tables::{Shape, Tables};

/// How many leading people a direction names.
const LEADING: usize = 3;
/// How often another draw is tried for a title that is not taken yet.
const DRAWS: usize = 12;

/// Makes directions. A kind of story that the requirement names is kept; otherwise each takes another one.
pub(crate) fn make(directing: &Directing) -> Directions {
    let count = (directing.count as usize).clamp(2, 5);
    let brief = read(directing);
    let tables = Tables::of(directing.language);
    let shapes: Vec<&'static Shape> = match &brief.shape_word {
        Some(_) => vec![brief.shape],
        None => {
            let first = tables.shapes.iter().position(|shape| shape.key == brief.shape.key).unwrap_or_default();
            (0..tables.shapes.len()).map(|step| &tables.shapes[(first + 2 * step) % tables.shapes.len()]).collect()
        }
    };
    let mut directions: Vec<Direction> = Vec::new();
    let round = directing.earlier.len();
    for number in 0..count {
        let shape = shapes[(number + round) % shapes.len()];
        let taken = |title: &str| {
            directing.earlier.iter().any(|earlier| earlier == title)
                || directions.iter().any(|direction: &Direction| direction.title == title)
        };
        let mut drawn = (0..DRAWS).map(|draw| direction(directing, shape, round + number + draw * count));
        let first = drawn.next().expect("there is a first draw");
        let fresh = if taken(&first.title) { drawn.find(|direction| !taken(&direction.title)) } else { None };
        directions.push(fresh.unwrap_or(first));
    }
    Directions { directions }
}

fn read(directing: &Directing) -> Brief {
    Brief::within(&Story::default(), &directing.requirement, directing.language)
}

fn direction(directing: &Directing, shape: &'static Shape, seed: usize) -> Direction {
    let work = Work {
        requirement: directing.requirement.clone(),
        language: directing.language,
        task: seed.to_string(),
        ..Work::default()
    };
    let brief = Brief { shape, ..read(directing) };
    let mut frame = Frame::of(brief, &work, "directions", People::Needed(Vec::new()));
    choose_case(&mut frame);
    let title = frame.draw.one(&shape.titles).clone();
    let people = frame.players.iter().take(LEADING).map(|player| player.person.introduced(directing.language));
    let chapters = frame.brief.said.chapters.map_or(shape.chapters.len(), |chapters| chapters as usize);
    let words = chapters * usual_words(&frame.brief) as usize;
    let counts = [("chapters", chapters.to_string()), ("words", words.to_string())];
    let counts = counts.each_ref().map(|(key, count)| (*key, count.as_str()));
    Direction {
        title: titled(&frame.text(&title), directing.language),
        blurb: frame.text(&shape.summary),
        cast: people.collect::<Vec<_>>().join(&frame.phrases.between),
        conflict: frame.text(&shape.hero.conflict),
        length: frame.text_with(&frame.phrases.direction_length, None, &counts),
        audience: frame.text_with(&frame.phrases.direction_audience, None, &[("genre", &frame.brief.genre())]),
        platform: String::new(),
    }
}
