//! The character agent.

use qingyu_story::names::fold;
use qingyu_story::{Agent, CharacterRelation, RoleType, Story};

use crate::output::CharacterWork;
use crate::specialist::work::{AnswerExpectation, Specialist, SpecialistWork, absorb, bad_names};

/// The specialist for the cast and its relations.
#[derive(Debug)]
pub(crate) struct CharacterSpecialist;

impl Specialist for CharacterSpecialist {
    type Output = CharacterWork;

    const AGENT: Agent = Agent::Character;

    fn problems(output: &CharacterWork, expected: AnswerExpectation<'_>) -> Vec<String> {
        let cast = &output.characters;
        let mut problems =
            bad_names(("角色", "character"), cast.iter().map(|character| character.name.as_str()), expected);
        if expected.whole() && cast.is_empty() {
            problems.push(expected.words("characters 不能为空", "characters must not be empty"));
        }
        let protagonists =
            cast.iter().chain(&expected.story.characters).filter(|c| c.role_type == RoleType::Protagonist);
        if expected.whole() && !cast.is_empty() && protagonists.count() == 0 {
            problems.push(expected.words(
                "至少要有一个 role_type 为 protagonist 的角色",
                "at least one character must have the role_type protagonist",
            ));
        }
        problems
    }

    fn made(output: CharacterWork) -> SpecialistWork {
        let story = Story {
            characters: output.characters,
            character_relations: output.character_relations,
            ..Story::default()
        };
        SpecialistWork { story, title: String::new(), summary: output.character_summary, reasoning: output.reasoning }
    }

    fn add(story: &mut Story, mut made: Story) {
        for card in &mut made.characters {
            if let Some(known) = story.characters.iter().find(|known| fold(&known.name) == fold(&card.name)) {
                card.keep_own_fields(known);
            }
        }
        for relation in &mut made.character_relations {
            let is_same = |known: &&CharacterRelation| {
                known.kind == relation.kind
                    && fold(&known.from) == fold(&relation.from)
                    && fold(&known.to) == fold(&relation.to)
            };
            let own = story.character_relations.iter().find(is_same).map(|known| known.own_kind.clone());
            if relation.own_kind.trim().is_empty() {
                relation.own_kind = own.unwrap_or_default();
            }
        }
        absorb(&mut story.characters, made.characters, |character| character.name.clone());
        absorb(&mut story.character_relations, made.character_relations, |relation| {
            format!("{}\n{}\n{:?}", relation.from, relation.to, relation.kind)
        });
    }
}
