//! Directions of a book: the fitting shapes of the tables, each with its own case and people.

use qingyu_agents::context::{DirectionsContext, WorkContext};
use qingyu_agents::direction::Direction;
use qingyu_agents::output::Directions;
use qingyu_story::Story;

use crate::brief::RequirementBrief;
use crate::frame::{AnswerFrame, People};
use crate::outline::{choose_case, titled, usual_words};
use crate::tables::{LanguageTables, StoryShape};

/// Number of leads in a direction.
const LEADING: usize = 3;
/// Maximum number of retries for an unused title.
const DRAWS: usize = 12;

/// Returns directions. A kind of story named by the requirement is kept; otherwise each direction has a different kind.
pub(crate) fn make(directing: &DirectionsContext) -> Directions {
    let count = (directing.count as usize).clamp(2, 5);
    let brief = read(directing);
    let tables = LanguageTables::of(directing.language);
    let shapes: Vec<&'static StoryShape> = match &brief.shape_word {
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

fn read(directing: &DirectionsContext) -> RequirementBrief {
    RequirementBrief::within(&Story::default(), &directing.requirement, directing.language)
}

fn direction(directing: &DirectionsContext, shape: &'static StoryShape, seed: usize) -> Direction {
    let work = WorkContext {
        requirement: directing.requirement.clone(),
        language: directing.language,
        task: seed.to_string(),
        ..WorkContext::default()
    };
    let brief = RequirementBrief { shape, ..read(directing) };
    let mut frame = AnswerFrame::of(brief, &work, "directions", People::Needed(Vec::new()));
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
