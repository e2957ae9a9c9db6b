//! Visibility of material for agents.

use std::collections::BTreeSet;

use qingyu_story::{
    Agent, Character, CharacterRelation, Item, Location, Organisation, OutlineNode, PlotNode, Story, TimelineEvent,
    WorldRule, Worldview,
};

use super::state::{Assignment, PipelineState};
use crate::context::WorkMode;
use crate::plan::ContextMode;

/// Returns the material visible to `agent` for its assignment.
///
/// The agent's own earlier work is always visible. A first version also shows the step's dependencies; with the
/// workspace switch, also work of agents outside the plan (auto) or everything (full); the workspace's minimal mode reduces
/// all other work to names. Correction and regeneration show everything, in every mode, since a contradiction involves two
/// pieces.
pub(super) fn visible(state: &PipelineState, agent: Agent, assignment: &Assignment) -> Story {
    let story = state.story();
    let mode = state.tool_configuration.context_mode;
    let workspace = state.pipeline_config.enable_workspace_context;
    if assignment.mode != WorkMode::Generate || workspace && mode == ContextMode::Full {
        return story;
    }
    if workspace && mode == ContextMode::Minimal {
        return names_only(&story, agent);
    }
    let plan = &state.execution_plan;
    let agents_of =
        |steps: &BTreeSet<u32>| steps.iter().filter_map(|id| plan.step(*id)?.specialist()).collect::<BTreeSet<_>>();
    let mut seen = assignment.step_id.map(|id| agents_of(&plan.needed_by(id))).unwrap_or_default();
    seen.insert(agent);
    if workspace {
        let planned = agents_of(&plan.steps.iter().map(|step| step.step_id).collect());
        seen.extend(Agent::ALL.into_iter().filter(|other| !planned.contains(other)));
    }
    let hidden = Agent::ALL.into_iter().filter(|other| !seen.contains(other)).collect::<Vec<_>>();
    let mut visible = story;
    crate::meta_scheduler::clear(&mut visible, &hidden);
    visible
}

/// Returns the story reduced to names, except for the work of `own`.
fn names_only(story: &Story, own: Agent) -> Story {
    let mut named = Story {
        premise: story.premise.clone(),
        language: story.language,
        last_ids: story.last_ids.clone(),
        worldview: story.worldview.as_ref().map(world_names),
        outline_nodes: story
            .outline_nodes
            .iter()
            .map(|node| OutlineNode {
                id: node.id.clone(),
                name: node.name.clone(),
                parent: node.parent.clone(),
                kind: node.kind,
                order: node.order,
                ..OutlineNode::default()
            })
            .collect(),
        characters: story
            .characters
            .iter()
            .map(|card| Character {
                id: card.id.clone(),
                name: card.name.clone(),
                alias: card.alias.clone(),
                role_type: card.role_type,
                ..Character::default()
            })
            .collect(),
        character_relations: story
            .character_relations
            .iter()
            .map(|relation| CharacterRelation { description: String::new(), ..relation.clone() })
            .collect(),
        timeline_events: story
            .timeline_events
            .iter()
            .map(|event| TimelineEvent { id: event.id.clone(), title: event.title.clone(), ..TimelineEvent::default() })
            .collect(),
        plot_nodes: story
            .plot_nodes
            .iter()
            .map(|node| PlotNode {
                id: node.id.clone(),
                title: node.title.clone(),
                kind: node.kind,
                ..PlotNode::default()
            })
            .collect(),
        style: None,
        ..Story::default()
    };
    restore(&mut named, story, own);
    named
}

fn world_names(world: &Worldview) -> Worldview {
    Worldview {
        summary: String::new(),
        genre: world.genre.clone(),
        era: world.era.clone(),
        rules: world
            .rules
            .iter()
            .map(|rule| WorldRule { id: rule.id.clone(), name: rule.name.clone(), ..WorldRule::default() })
            .collect(),
        locations: world
            .locations
            .iter()
            .map(|place| Location { description: String::new(), ..place.clone() })
            .collect(),
        organisations: world
            .organisations
            .iter()
            .map(|body| Organisation { description: String::new(), ..body.clone() })
            .collect(),
        items: world.items.iter().map(|item| Item { description: String::new(), ..item.clone() }).collect(),
        ..Worldview::default()
    }
}

/// Copies the work of `agent` from `from` into `story`.
pub(super) fn restore(story: &mut Story, from: &Story, agent: Agent) {
    match agent {
        Agent::Outline => story.outline_nodes.clone_from(&from.outline_nodes),
        Agent::Character => {
            story.characters.clone_from(&from.characters);
            story.character_relations.clone_from(&from.character_relations);
        }
        Agent::Plot => {
            story.timeline_events.clone_from(&from.timeline_events);
            story.plot_nodes.clone_from(&from.plot_nodes);
        }
        Agent::Worldview => story.worldview.clone_from(&from.worldview),
        Agent::Style => story.style.clone_from(&from.style),
    }
}

#[cfg(test)]
mod tests {
    use qingyu_story::{Language, StyleGuide};

    use super::*;
    use crate::config::PipelineConfig;
    use crate::plan::{ToolConfiguration, fixed_plan};

    fn state(workspace: bool, context_mode: ContextMode) -> PipelineState {
        PipelineState {
            pipeline_config: PipelineConfig { enable_workspace_context: workspace, ..Default::default() },
            tool_configuration: ToolConfiguration { context_mode, ..Default::default() },
            execution_plan: fixed_plan(Language::Zh).execution_plan,
            outline_nodes: vec![OutlineNode {
                id: "o-1".into(),
                name: "第一章".into(),
                description: "雨".into(),
                ..Default::default()
            }],
            characters: vec![Character { name: "林深".into(), background: "孤儿".into(), ..Default::default() }],
            timeline_events: vec![TimelineEvent { title: "开端".into(), ..Default::default() }],
            style: Some(StyleGuide::default()),
            ..Default::default()
        }
    }

    /// Returns the visible parts: `O` and `C` in full, `o` and `c` by name, `P`, `S`.
    fn seen(workspace: bool, mode: ContextMode, step_id: u32, agent: Agent, work: WorkMode) -> String {
        let assignment = Assignment { step_id: Some(step_id), mode: work, ..Assignment::default() };
        let story = visible(&state(workspace, mode), agent, &assignment);
        let outline = story.outline_nodes.first().map(|node| if node.description.is_empty() { "o" } else { "O" });
        let cast = story.characters.first().map(|card| if card.background.is_empty() { "c" } else { "C" });
        let plot = story.timeline_events.first().map(|_| "P");
        let style = story.style.map(|_| "S");
        [outline, cast, plot, style].into_iter().flatten().collect()
    }

    #[test]
    fn each_mode_shows_what_it_says() {
        use ContextMode::{Auto, Full, Minimal};
        use WorkMode::{Correct, Generate, Regenerate};
        let cases = [
            // version 1: the step's dependencies, and the agent's own earlier work
            (false, Auto, 1, Agent::Outline, Generate, "O"),
            (false, Auto, 2, Agent::Character, Generate, "OC"),
            (false, Full, 2, Agent::Character, Generate, "OC"),
            (false, Minimal, 3, Agent::Plot, Generate, "OCP"),
            // the workspace adds material not made by this plan
            (true, Auto, 1, Agent::Outline, Generate, "OS"),
            (true, Auto, 2, Agent::Character, Generate, "OCS"),
            (true, Full, 1, Agent::Outline, Generate, "OCPS"),
            (true, Minimal, 1, Agent::Outline, Generate, "OcP"),
            (true, Minimal, 2, Agent::Character, Generate, "oCP"),
            // corrections see everything
            (true, Minimal, 2, Agent::Character, Correct, "OCPS"),
            (true, Auto, 1, Agent::Outline, Correct, "OCPS"),
            (false, Auto, 1, Agent::Outline, Regenerate, "OCPS"),
        ];
        for (workspace, mode, step, agent, work, expected) in cases {
            assert_eq!(seen(workspace, mode, step, agent, work), expected, "{workspace} {mode:?} {agent:?} {work:?}");
        }
    }
}
