//! What an agent is told beside the material it sees: passages found by their words, ways between characters.

use std::collections::HashSet;

use qingyu_knowledge::{Connections, KeywordIndex, chunk};
use qingyu_story::{PieceKind, RoleType, Story};

use super::state::PipelineState;

/// Most passages an agent is given.
const PASSAGES: usize = 6;
/// Most characters of one of them.
const PASSAGE_LENGTH: usize = 300;
/// Most ways between characters.
const WAYS: usize = 12;

/// What was looked up.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// Passages of what the agent does not see.
    pub(super) passages: Vec<String>,
    /// Who is connected with whom, a line each.
    pub(super) connections: Vec<String>,
    /// How many look-ups it took.
    pub(super) lookups: u64,
}

/// Looks up what the plan and the switches allow.
pub(super) fn look_up(state: &PipelineState, visible: &Story, task: &str) -> Found {
    let (config, tools) = (&state.pipeline_config, &state.tool_configuration);
    let whole = state.story();
    let mut found = Found::default();
    if config.enable_rag && tools.enable_rag {
        let shown: HashSet<String> = chunk::of(visible).into_iter().map(|chunk| chunk.text).collect();
        let mut hidden = chunk::of(&whole);
        // Relations are told as connections.
        hidden.retain(|chunk| {
            let is_relation = chunk.source.kind == PieceKind::Relation;
            chunk.says_something() && !is_relation && !shown.contains(&chunk.text)
        });
        if !hidden.is_empty() {
            let index = KeywordIndex::new(hidden.iter().map(|chunk| chunk.text.as_str()));
            let query = format!("{task} {}", state.brief().chars().take(500).collect::<String>());
            let hits = index.search(&query, PASSAGES);
            let texts = hits.iter().map(|hit| hidden[hit.row as usize].text.as_str());
            found.passages = texts.map(|text| text.chars().take(PASSAGE_LENGTH).collect()).collect();
            found.lookups += 1;
        }
    }
    if config.enable_knowledge_graph && tools.enable_knowledge_graph && !whole.character_relations.is_empty() {
        found.connections = ways(&whole);
        found.lookups += 1;
    }
    found
}

/// How each character is connected with each protagonist, in names; nearest first.
fn ways(story: &Story) -> Vec<String> {
    let connections = Connections::new(&story.character_relations);
    let protagonists = story.characters.iter().filter(|card| card.role_type == RoleType::Protagonist);
    let mut ways = Vec::new();
    for protagonist in protagonists {
        for other in story.characters.iter().filter(|other| other.name != protagonist.name) {
            if let Some(path) = connections.path(&protagonist.name, &other.name) {
                let mut way = protagonist.name.clone();
                let mut at = protagonist.name.as_str();
                for relation in &path {
                    at = if relation.from == at { &relation.to } else { &relation.from };
                    let kind = serde_json::to_value(relation.kind).expect("a kind is a word");
                    way.push_str(&format!(" —{}— {at}", kind.as_str().unwrap_or_default()));
                }
                ways.push((path.len(), way));
            }
        }
    }
    ways.sort_by_key(|(length, _)| *length);
    ways.into_iter().take(WAYS).map(|(_, way)| way).collect()
}

#[cfg(test)]
mod tests {
    use qingyu_story::{Character, CharacterRelation, Location, RelationKind, Worldview};

    use super::*;
    use crate::plan::ToolConfiguration;

    fn state() -> PipelineState {
        let card = |name: &str, role_type| Character { name: name.into(), role_type, ..Default::default() };
        let relation = |from: &str, to: &str, kind| CharacterRelation {
            from: from.into(),
            to: to.into(),
            kind,
            ..Default::default()
        };
        PipelineState {
            worldview: Some(Worldview {
                locations: vec![Location {
                    name: "旧港".into(),
                    description: "雨不停的码头".into(),
                    ..Default::default()
                }],
                ..Default::default()
            }),
            characters: vec![
                card("沈策", RoleType::Antagonist),
                card("林深", RoleType::Protagonist),
                card("苏曼", RoleType::Supporting),
                card("路人", RoleType::Minor),
            ],
            character_relations: vec![
                relation("林深", "苏曼", RelationKind::Friend),
                relation("沈策", "苏曼", RelationKind::EmployerOf),
            ],
            tool_configuration: ToolConfiguration { enable_knowledge_graph: true, ..Default::default() },
            ..Default::default()
        }
    }

    #[test]
    fn only_what_is_not_shown_is_looked_up() {
        let state = state();
        let found = look_up(&state, &Story::default(), "林深来到旧港");
        assert_eq!(found.passages, ["旧港\n雨不停的码头"]);
        assert_eq!(found.connections, ["林深 —friend— 苏曼", "林深 —friend— 苏曼 —employer_of— 沈策"]);
        assert_eq!(found.lookups, 2);
        assert_eq!(look_up(&state, &state.story(), "林深来到旧港").passages, [""; 0]);
    }

    #[test]
    fn both_switches_must_be_on() {
        let mut state = state();
        state.pipeline_config.enable_rag = false;
        state.tool_configuration.enable_knowledge_graph = false;
        assert_eq!(look_up(&state, &Story::default(), "旧港"), Found::default());
    }
}
