//! Plans of chapters.

use qingyu_story::{Language, OutlineNode, excerpt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::labels::worded;

/// What the model understood of a chapter: the answer of `chapter.understand`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ChapterPlan {
    /// The kind of work in a word, such as `draft`.
    pub task_type: String,
    /// What the chapter must achieve for the story.
    pub goal: String,
    /// Whose eyes it is seen through, by name; empty if nobody's.
    pub point_of_view: String,
    /// Its scenes in order; at least one.
    pub scenes: Vec<ScenePlan>,
    /// What must stay as it is or must be said.
    pub must_keep: Vec<String>,
    /// What must not happen or be told yet.
    pub must_avoid: Vec<String>,
    /// What should be looked up in the book before writing: words that stand there.
    pub searches: Vec<String>,
    /// How this was understood, a sentence each.
    pub reasoning: Vec<String>,
}

/// A scene of a chapter.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ScenePlan {
    /// A short title.
    pub title: String,
    /// Where, by name.
    pub location: String,
    /// Who is there, by name.
    pub participants: Vec<String>,
    /// What happens, beat by beat.
    pub beats: Vec<String>,
    /// Chinese characters or English words.
    pub words: u32,
}

/// Maximum number of scenes in a chapter.
pub const MAX_SCENES: usize = 12;

/// Returns the fallback plan from the outline: its scenes, or one scene with the node's description.
pub(crate) fn fallback(node: &OutlineNode, scenes: &[&OutlineNode], words: u32) -> ChapterPlan {
    let scene = |node: &OutlineNode, words: u32| ScenePlan {
        title: super::book::title(node).to_owned(),
        location: node.location.clone().unwrap_or_default(),
        participants: node.participants.clone(),
        beats: beats(node),
        words: node.words.unwrap_or(words),
    };
    let share = words / u32::try_from(scenes.len().max(1)).unwrap_or(1);
    // The goal of the chapter stands in the plan itself.
    let alone = || {
        let mut scene = scene(node, words);
        if scene.beats.len() > 1 && scene.beats.last().is_some_and(|beat| beat == node.goal.trim()) {
            scene.beats.pop();
        }
        scene
    };
    let planned = match scenes {
        [] => vec![alone()],
        scenes => scenes.iter().take(MAX_SCENES).map(|scene_node| scene(scene_node, share)).collect(),
    };
    ChapterPlan {
        task_type: "draft".into(),
        goal: node.goal.clone(),
        scenes: planned,
        must_keep: node.plants.iter().chain(&node.pays).cloned().collect(),
        searches: node.participants.iter().take(2).cloned().collect(),
        ..ChapterPlan::default()
    }
}

/// Returns what a node tells as beats: its description, by sentences if it is longer than a line, and its goal.
fn beats(node: &OutlineNode) -> Vec<String> {
    let mut beats = Vec::new();
    let mut rest = node.description.trim();
    while rest.chars().count() > MAX_LINE && beats.len() + 2 < MAX_BEATS {
        let sentence = excerpt::first_sentence(rest);
        beats.push(sentence.trim_end_matches(['。', '.']).to_owned());
        rest = rest[sentence.len()..].trim_start();
    }
    beats.extend([rest, node.goal.trim()].into_iter().filter(|text| !text.is_empty()).map(str::to_owned));
    beats
}

impl ChapterPlan {
    /// Returns the plan cut to its limits: number of scenes, beats and searches, their length, and a sum of words near
    /// `words`.
    #[must_use]
    pub(crate) fn bounded(mut self, words: u32) -> Self {
        let short = |text: &mut String, most: usize| {
            if let Some((limit, _)) = text.char_indices().nth(most) {
                *text = excerpt::within(text, limit);
            }
        };
        let lines = |lines: &mut Vec<String>, most: usize| {
            lines.retain(|line| !line.trim().is_empty());
            lines.truncate(most);
            lines.iter_mut().for_each(|line| short(line, MAX_LINE));
        };
        self.scenes.truncate(MAX_SCENES);
        for scene in &mut self.scenes {
            short(&mut scene.title, 60);
            short(&mut scene.location, 60);
            lines(&mut scene.beats, MAX_BEATS);
            scene.participants.truncate(MAX_BEATS);
        }
        short(&mut self.goal, MAX_LINE);
        short(&mut self.point_of_view, 60);
        lines(&mut self.must_keep, MAX_BEATS);
        lines(&mut self.must_avoid, MAX_BEATS);
        lines(&mut self.searches, MAX_SEARCHES);
        lines(&mut self.reasoning, MAX_BEATS);
        let total: u64 = self.scenes.iter().map(|scene| u64::from(scene.words)).sum();
        let wanted = u64::from(words);
        let count = u64::try_from(self.scenes.len().max(1)).unwrap_or(1);
        if total < wanted * 4 / 5 || total > wanted * 6 / 5 || self.scenes.iter().any(|scene| scene.words == 0) {
            for scene in &mut self.scenes {
                let share = (u64::from(scene.words) * wanted).checked_div(total).filter(|share| *share > 0);
                scene.words = u32::try_from(share.unwrap_or(wanted / count)).unwrap_or(u32::MAX);
            }
        }
        self
    }

    /// Returns the plan without entries of `must_keep` that the outline nodes, shown beside it, plant or pay in the same
    /// words.
    #[must_use]
    pub(crate) fn beside_outline<'n>(mut self, nodes: impl Iterator<Item = &'n OutlineNode>) -> Self {
        let shown: Vec<&String> = nodes.flat_map(|node| node.plants.iter().chain(&node.pays)).collect();
        self.must_keep.retain(|kept| !shown.contains(&kept));
        self
    }

    /// Validates the form of a plan; returns problems as text for the planner's retry.
    pub(crate) fn problems(&self, language: Language) -> Vec<String> {
        let mut problems = Vec::new();
        if self.scenes.is_empty() || self.scenes.len() > MAX_SCENES {
            let count = self.scenes.len();
            problems.push(worded(
                language,
                format!("scenes 有 {count} 项，要 1～{MAX_SCENES} 项"),
                format!("scenes has {count} entries, 1 to {MAX_SCENES} are wanted"),
            ));
        }
        for (index, scene) in self.scenes.iter().enumerate() {
            if scene.beats.iter().all(|beat| beat.trim().is_empty()) {
                let place = format!("scenes[{index}].beats");
                problems.push(worded(language, format!("{place} 是空的"), format!("{place} is empty")));
            }
        }
        problems
    }
}

/// Maximum number of beats in a scene, and of lines in any other list.
const MAX_BEATS: usize = 10;
/// Maximum characters of a line.
const MAX_LINE: usize = 200;
/// Maximum number of searches.
const MAX_SEARCHES: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_shared_out_and_lines_are_kept_short() {
        let scene = |words: u32| ScenePlan { words, beats: vec!["雨".repeat(900); 40], ..ScenePlan::default() };
        let words = |scenes: Vec<ScenePlan>| {
            let plan =
                ChapterPlan { scenes, searches: vec!["钥匙".into(); 9], ..ChapterPlan::default() }.bounded(3_000);
            assert!(plan.scenes.iter().all(|scene| scene.beats.len() == 10 && scene.beats[0].chars().count() == 201));
            assert_eq!(plan.searches.len(), 3);
            plan.scenes.iter().map(|scene| scene.words).collect::<Vec<_>>()
        };
        assert_eq!(words(vec![scene(1_000), scene(1_900)]), [1_000, 1_900], "near enough");
        assert_eq!(words(vec![scene(0), scene(0), scene(0)]), [1_000; 3]);
        assert_eq!(words(vec![scene(100), scene(200)]), [1_000, 2_000]);
        assert_eq!(words(vec![scene(10); 20]).len(), MAX_SCENES);
    }

    #[test]
    fn a_plan_of_the_outline_has_its_scenes() {
        let node = OutlineNode {
            name: "第三章".into(),
            description: "林青回到港口".into(),
            plants: vec!["钥匙".into()],
            ..OutlineNode::default()
        };
        let alone = fallback(&node, &[], 2_000);
        assert_eq!((alone.scenes.len(), alone.scenes[0].words, alone.must_keep), (1, 2_000, vec!["钥匙".to_owned()]));
        let scene = OutlineNode { name: "码头".into(), location: Some("旧港".into()), ..OutlineNode::default() };
        let plan = fallback(&node, &[&scene, &scene], 2_000);
        assert_eq!((plan.scenes.len(), plan.scenes[0].words, plan.scenes[1].location.as_str()), (2, 1_000, "旧港"));
        assert!(ChapterPlan::default().problems(Language::En).len() == 1 && alone.scenes[0].beats.len() == 1);
    }

    #[test]
    fn what_the_outline_plants_is_not_said_twice() {
        let node = OutlineNode { plants: vec!["钥匙".into()], pays: vec!["旧债".into()], ..OutlineNode::default() };
        let must_keep = ["钥匙", "雨夜", "旧债"].map(str::to_owned).to_vec();
        let plan = ChapterPlan { must_keep, ..ChapterPlan::default() };
        assert_eq!(plan.beside_outline([&node].into_iter()).must_keep, ["雨夜"]);
    }

    #[test]
    fn an_outline_is_never_cut_inside_a_sentence() {
        let sentences = [
            "The miller counts the sacks and finds that nine are gone since the frost",
            "His niece has heard a cart at the lower gate, and says which wheel it was that creaked",
            "They follow the ruts down to the ford, and there they end",
        ];
        let node = OutlineNode {
            name: "Chapter 2: The Ford".into(),
            description: sentences.map(|sentence| format!("{sentence}.")).join(" "),
            goal: "The thief has a name.".into(),
            ..OutlineNode::default()
        };
        let plan = fallback(&node, &[], 2_000).bounded(2_000);
        let beats = &plan.scenes[0].beats;
        assert_eq!(beats[0], sentences[0]);
        assert!(beats.join(" ").contains("there they end."), "{beats:?}");
        assert!(!beats.iter().any(|beat| beat == "The thief has a name."), "it is told once, as the goal");
        assert_eq!(plan.goal, "The thief has a name.");
    }
}
