//! The worldview agent.

use qingyu_story::{Agent, Story};

use crate::output::WorldviewWork;
use crate::specialist::work::{AnswerExpectation, Specialist, SpecialistWork, absorb, bad_names};

/// The specialist for the world.
#[derive(Debug)]
pub(crate) struct WorldviewSpecialist;

impl Specialist for WorldviewSpecialist {
    type Output = WorldviewWork;

    const AGENT: Agent = Agent::Worldview;

    fn problems(output: &WorldviewWork, expected: AnswerExpectation<'_>) -> Vec<String> {
        let world = &output.worldview;
        let mut problems = Vec::new();
        for (what, names) in [
            (("规则", "rule"), world.rules.iter().map(|rule| rule.name.as_str()).collect::<Vec<_>>()),
            (("地点", "location"), world.locations.iter().map(|place| place.name.as_str()).collect()),
            (("组织", "organisation"), world.organisations.iter().map(|body| body.name.as_str()).collect()),
            (("物件", "item"), world.items.iter().map(|item| item.name.as_str()).collect()),
        ] {
            problems.extend(bad_names(what, names.into_iter(), expected));
        }
        if expected.whole() && world.summary.trim().is_empty() && world.is_bare() {
            problems.push(expected.words("worldview 是空的", "the worldview is empty"));
        }
        problems
    }

    fn made(output: WorldviewWork) -> SpecialistWork {
        let summary = output.worldview.summary.clone();
        let story = Story { worldview: Some(output.worldview), ..Story::default() };
        SpecialistWork { story, title: String::new(), summary, reasoning: output.reasoning }
    }

    fn add(story: &mut Story, made: Story) {
        let Some(new) = made.worldview else { return };
        let world = story.worldview.get_or_insert_default();
        let texts = [
            (&mut world.summary, new.summary),
            (&mut world.genre, new.genre),
            (&mut world.era, new.era),
            (&mut world.truth, new.truth),
        ];
        for (old, new) in texts {
            if !new.trim().is_empty() {
                *old = new;
            }
        }
        world.truth_until = new.truth_until.or(world.truth_until.take());
        absorb(&mut world.rules, new.rules, |rule| rule.name.clone());
        absorb(&mut world.locations, new.locations, |place| place.name.clone());
        absorb(&mut world.organisations, new.organisations, |body| body.name.clone());
        absorb(&mut world.items, new.items, |item| item.name.clone());
        absorb(&mut world.ladders, new.ladders, |ladder| ladder.name.clone());
    }
}
