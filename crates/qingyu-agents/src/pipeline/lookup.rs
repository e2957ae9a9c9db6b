//! Lookups for an agent beyond the visible material: passages by full-text search, and paths between characters.

use std::collections::HashSet;

use qingyu_knowledge::{CharacterConnections, KeywordIndex, chunk};
use qingyu_story::{Language, PieceKind, RoleType, Story, excerpt};

use super::state::PipelineState;
use crate::labels;
use crate::writing::card;

/// Maximum number of passages per agent.
const PASSAGES: usize = 6;
/// Maximum characters of a passage.
const PASSAGE_LENGTH: usize = 300;
/// Maximum number of paths between characters.
const WAYS: usize = 12;

/// The result of the lookups.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct LookupResult {
    /// Passages from material hidden from the agent.
    pub(super) passages: Vec<String>,
    /// Connections between characters, a line each.
    pub(super) connections: Vec<String>,
    /// Number of lookups.
    pub(super) lookups: u64,
}

/// Runs the lookups enabled by plan and switches.
pub(super) fn look_up(state: &PipelineState, visible: &Story, task: &str) -> LookupResult {
    let (config, tools) = (&state.pipeline_config, &state.tool_configuration);
    let whole = state.story();
    let mut found = LookupResult::default();
    if config.enable_rag && tools.enable_rag {
        let shown: HashSet<String> = chunk::of(visible).into_iter().map(|chunk| chunk.text).collect();
        let mut hidden = chunk::of(&whole);
        // Relations are shown as connections.
        hidden.retain(|chunk| {
            let is_relation = chunk.source.kind == PieceKind::Relation;
            chunk.says_something() && !is_relation && !shown.contains(&chunk.text)
        });
        if !hidden.is_empty() {
            let index = KeywordIndex::new(hidden.iter().map(|chunk| chunk.text.as_str()));
            let query = format!("{task} {}", state.brief().chars().take(500).collect::<String>());
            let hits = index.search(&query, PASSAGES);
            let texts = hits.iter().map(|hit| hidden[hit.row as usize].text.as_str());
            found.passages = texts.map(|text| excerpt::beginning(text, PASSAGE_LENGTH)).collect();
            found.lookups += 1;
        }
    }
    if config.enable_knowledge_graph && tools.enable_knowledge_graph && !whole.character_relations.is_empty() {
        found.connections = ways(&whole, state.language);
        found.lookups += 1;
    }
    found
}

/// Returns the path from each character to each protagonist, each relation as a sentence in its own direction; shortest
/// first.
fn ways(story: &Story, language: Language) -> Vec<String> {
    let between = labels::of(language).semicolon;
    let connections = CharacterConnections::new(&story.character_relations);
    let protagonists = story.characters.iter().filter(|card| card.role_type == RoleType::Protagonist);
    let mut ways = Vec::new();
    for protagonist in protagonists {
        for other in story.characters.iter().filter(|other| other.name != protagonist.name) {
            if let Some(path) = connections.path(&protagonist.name, &other.name) {
                let sentences: Vec<String> =
                    path.iter().map(|relation| card::tie(relation, &story.characters, language)).collect();
                ways.push((path.len(), sentences.join(between)));
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
        assert_eq!(found.connections, ["林深和苏曼是朋友", "林深和苏曼是朋友；沈策是苏曼的上司"]);
        assert_eq!(found.lookups, 2);
        assert_eq!(look_up(&state, &state.story(), "林深来到旧港").passages, [""; 0]);
    }

    #[test]
    fn connections_keep_their_direction() {
        let relation = |from: &str, to: &str, kind| CharacterRelation {
            from: from.into(),
            to: to.into(),
            kind,
            ..Default::default()
        };
        let mut story = state().story();
        story.character_relations = vec![
            relation("苏曼", "林深", RelationKind::ParentOf),
            relation("沈策", "苏曼", RelationKind::ChildOf),
            relation("林深", "路人", RelationKind::MentorOf),
        ];
        story.characters.iter_mut().find(|card| card.name == "沈策").unwrap().gender = "男".into();
        let zh = ["苏曼是林深的父母之一", "林深是路人的师长", "苏曼是林深的父母之一；沈策是苏曼的儿子"];
        let en = ["苏曼 is 林深's parent", "林深 is 路人's teacher", "苏曼 is 林深's parent; 沈策 is 苏曼's child"];
        assert_eq!(
            (ways(&story, Language::Zh), ways(&story, Language::En)),
            (zh.map(String::from).to_vec(), en.map(String::from).to_vec())
        );
    }

    #[test]
    fn both_switches_must_be_on() {
        let mut state = state();
        state.pipeline_config.enable_rag = false;
        state.tool_configuration.enable_knowledge_graph = false;
        assert_eq!(look_up(&state, &Story::default(), "旧港"), LookupResult::default());
    }
}
