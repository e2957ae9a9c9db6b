//! The skills of the agent.

use a2a::AgentSkill;
use serde::Deserialize;

/// A skill of the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Skill {
    /// Create the material of a story.
    Create,
    /// Write, correct and rewrite chapters.
    Write,
    /// Produce content in phases.
    Produce,
    /// Measure and review a text.
    Review,
    /// Answer a question about a project.
    Ask,
    /// Run a task with the agents of the service.
    Task,
}

impl Skill {
    const ALL: [Self; 6] = [Self::Create, Self::Write, Self::Produce, Self::Review, Self::Ask, Self::Task];

    /// Returns all skills for the agent card.
    pub(crate) fn cards() -> Vec<AgentSkill> {
        Self::ALL.into_iter().map(Self::card).collect()
    }

    fn card(self) -> AgentSkill {
        let (id, name, description, tags, example): (_, _, _, &[&str], _) = match self {
            Self::Create => (
                "create",
                "Create a story",
                "Makes the material of a story from a requirement: world, outline, cast, relations, timeline, plot, style, \
                 reviewed and corrected. Options: title, genre, target_audience, chapter_count, language (zh, en), model.",
                &["story", "outline", "characters", "小说"],
                "一个灯塔看守人收到自己三十年前寄出的信",
            ),
            Self::Write => (
                "write",
                "Write chapters",
                "Plans, writes, corrects, rewrites or reads chapters of a project. Options: task ({kind: draft | correct | \
                 rewrite | read | plan, …}) or chapters (numbers), words, style_sample, brief_only, model.",
                &["chapters", "prose", "写作"],
                "{\"skill\": \"write\", \"project\": \"…\", \"options\": {\"chapters\": [1]}}",
            ),
            Self::Produce => (
                "produce",
                "Produce content",
                "Produces content in phases and asks where a person decides. Options: template, title, language, \
                 autonomy ({phase or all: wait | auto}), order, model.",
                &["content", "course", "内容生产"],
                "做一门给初学者的汴京夜市短课",
            ),
            Self::Review => (
                "review",
                "Review and analyse a text",
                "Counts a text and reviews it by rules, without any model: the words of the message, or a chapter of a project. \
                 Options: title, chapter, level (loose, standard, strict), platform.",
                &["review", "analysis", "审阅"],
                "{\"skill\": \"review\", \"options\": {\"level\": \"strict\"}}",
            ),
            Self::Ask => (
                "ask",
                "Ask about a project",
                "Answers a question about a project from its material, with sources. Options: before (a chapter), budget (tokens), series (earlier books too).",
                &["question", "search", "问答"],
                "谁知道那封信是假的？",
            ),
            Self::Task => (
                "task",
                "Do a task on a project",
                "Takes a task apart, has agents do its parts and gathers what came of them; asks before texts are changed. \
                 Options: agent, agent_sequence, chapter, text, how ({writes: ask | never | allowed, …}), model.",
                &["task", "agents", "任务"],
                "检查第三章的时间线",
            ),
        };
        AgentSkill {
            id: id.into(),
            name: name.into(),
            description: description.into(),
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
            examples: Some(vec![example.into()]),
            input_modes: None,
            output_modes: None,
            security_requirements: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skill_is_asked_for_by_the_id_on_its_card() {
        for (skill, card) in Skill::ALL.into_iter().zip(Skill::cards()) {
            assert_eq!(serde_json::from_value::<Skill>(card.id.into()).unwrap(), skill);
        }
    }
}
